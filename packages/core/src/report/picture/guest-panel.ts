import type { HostModel } from "../../model/host.ts";
import type { GuestPins, GuestView } from "../../model/topology.ts";
import { numberRuns, plural } from "../../model/words.ts";
import { hostTitle } from "../headline.ts";
import { pinLines, sharedWords } from "../pins-text.ts";
import { guestHeadline, nodesOf, reasonLine } from "../topology-text.ts";
import { type Box, column, type Fill, flow, group, paragraph } from "./box.ts";
import type { Flaws } from "./flaws.ts";
import { guestBox } from "./guest-box.ts";
import { swatch } from "./legend.ts";
import { GAP } from "./nodes.ts";
import { type Paint, painter } from "./paint.ts";
import { asWide, flawBox, type Panel, section, type Titles, titleBox } from "./panel.ts";
import { pinnedBox } from "./pinned-cpus.ts";
import type { Sheet } from "./sheet.ts";

/** The most lines of pins below a picture. */
const MOST_PINS = 12;

/** Draws the view of a guest that its definition decides, below the host CPUs that it is pinned to. */
export function guestPanel(view: GuestView, host: HostModel | undefined, titles: Titles, sheet: Sheet): Panel {
  const { width } = sheet;
  const { pins } = view.sets ?? {};
  const paint = paintNodes(view);
  const flaws = flawsOf(view, pins);
  const about = guestHeadline(view);
  const lines = pinLines(view, MOST_PINS).map((text) => `${text.replace(" ! ", ", ")}.`);
  const notes = [...lines, ...(pins ? missingWords(pins, host) : [])];
  const end = [`Certainty: ${view.certainty}.`, ...view.reasons.map((reason) => `${reasonLine(reason)}.`)];
  const box = column(
    [
      ...(titles.isHidden ? [] : [titleBox(titles, about, width), flawBox(flaws, width)]),
      ...(pins ? [section(...cpuTitle(host), width, group(pinnedBox(pins, host, paint, sheet), "host"))] : []),
      section("What the guest sees", "", width, group(guestBox(view, paint, flaws, sheet), "guest")),
      ...(pins ? [flow(legend(pins, host, width), width, GAP)] : []),
      paragraph([...notes, ...end].join(" "), width, { dim: true }, MOST_LINES),
    ],
    6,
  );
  return {
    box: asWide(box, width),
    words: [about, ...(flaws.size > 0 ? [`Marked as wrong: ${[...flaws.values()].join(" ")}`] : []), ...notes, ...end],
  };
}

const MOST_LINES = 12;

/** Paints vCPUs by their node. The last vCPUs are the unusable ones; their numbers may have gaps. */
function paintNodes(view: GuestView): Paint {
  const nodes = nodesOf(view);
  const home = new Map(nodes.flatMap((ids, node) => ids.map((id) => [id, node] as const)));
  const ids = [...home.keys()].sort((a, b) => a - b);
  const rank = new Map(ids.map((id, i) => [id, i] as const));
  const paint = painter(view, (i) => home.get(ids[i] ?? i) ?? 0);
  return (vcpu) => paint(rank.get(vcpu) ?? vcpu);
}

/** Returns what is wrong with the pins and the shape of a guest. */
function flawsOf({ vcpus, usableVcpus, guestUsableVcpus }: GuestView, pins: GuestPins | undefined): Flaws {
  const shared = pins ? sharedWords(pins) : [];
  const unusable = vcpus - Math.min(guestUsableVcpus, usableVcpus ?? vcpus);
  const who = guestUsableVcpus < vcpus ? "The guest OS" : "SQL Server";
  return new Map([
    ...(shared.length > 0 ? [["shared-cpus", shared.join(" ")] as const] : []),
    ...(unusable > 0 ? [["unusable-vcpus", `${who} cannot use ${unusable} of ${vcpus} vCPUs.`] as const] : []),
  ]);
}

/** Returns what is wrong with the view of a guest, as sentences. */
export const guestFlaws = (view: GuestView): readonly string[] => [...flawsOf(view, view.sets?.pins).values()];

function cpuTitle(host: HostModel | undefined): readonly [title: string, about: string] {
  if (host?.linuxCpus) return [`On ${hostTitle(host)}`, `${plural(host.linuxCpus.length, "CPU")}, with the vCPUs that are pinned to them.`];
  return ["Host CPUs of its pins", "Which of them share a core is unknown without a host that lists its CPUs."];
}

/** Returns a note about pins that the host does not have. */
function missingWords({ vcpus, others }: GuestPins, host: HostModel | undefined): readonly string[] {
  const cpus = [...new Set([...vcpus.values(), ...others.map((one) => one.cpus)].flat())].sort((a, b) => a - b);
  const missing = host?.linuxCpus ? cpus.filter((cpu) => host.linuxCpus?.[cpu] === undefined) : [];
  return missing.length > 0 ? [`Not on this host: ${missing.length === 1 ? "CPU" : "CPUs"} ${numberRuns(missing, ", ")}.`] : [];
}

/** Returns an explanation of the marks in this picture. */
function legend(pins: GuestPins, host: HostModel | undefined, width: number): readonly Box[] {
  const sizes = [...pins.vcpus.values()].map(({ length }) => length);
  const threads = new Set(host?.linuxCpus?.map(({ core, node }) => `${node} ${core}`)).size;
  const marks: readonly (readonly [occurs: boolean, mark: readonly Fill[], meaning: string])[] = [
    [(host?.linuxCpus?.length ?? 0) > threads, [{ className: "idle" }, { className: "idle" }], "a core, its threads side by side"],
    [sizes.includes(1), [{ className: "c0" }], "a CPU with the number of the vCPU that is pinned to it"],
    [sizes.some((size) => size > 1), [{ className: "c0 pinned", over: "pin" }], "a CPU that vCPUs share with others of their set"],
    [sharedWords(pins).length > 0, [{ className: "wrong" }], "a CPU with so many vCPUs"],
    [pins.others.length > 0, [{ className: "off" }], "a CPU of emulator or I/O threads alone"],
  ];
  return marks.flatMap(([occurs, mark, meaning]) => (occurs ? [swatch(mark, meaning, width)] : []));
}
