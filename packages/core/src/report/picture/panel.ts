import type { HostModel } from "../../model/host.ts";
import { capitalized, plural } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { certaintyWords, headline, hostTitle } from "../headline.ts";
import { onHost, reasonLine } from "../topology-text.ts";
import { type Box, column, EMPTY, flawLine, flow, frame, group, line, paragraph } from "./box.ts";
import { type DrawnVm, type Flaws, flawsOf, nodeMemory } from "./flaws.ts";
import { range, starts } from "./groups.ts";
import { guestBox } from "./guest-box.ts";
import { clientList, LISTED_CLIENTS, legend } from "./legend.ts";
import { clientNames, hostBox } from "./machine.ts";
import { GAP, PADDING } from "./nodes.ts";
import { clientPainter } from "./paint.ts";
import { hasNodePerClient, type Placement, placementOf } from "./placement.ts";
import type { Sheet } from "./sheet.ts";

/** The titles of a panel. */
export interface Titles {
  /** The VM. */
  readonly name: string;
  /** The line above the name: the origin of the VM. */
  readonly path: string;
  /** The layout in one line, if there are alternatives to the drawn one. */
  readonly layout?: string;
  /** Whether the page has the titles, the layout in a line and the flaws itself. */
  readonly isHidden?: boolean | undefined;
}

/** A panel, and its content in words. */
export interface Panel {
  readonly box: Box;
  readonly words: readonly string[];
}

/** Returns a panel with the reason why a VM has no layout. */
export function emptyPanel(titles: Titles, about: string, why: readonly string[], { width }: Sheet): Panel {
  const rows = why.map((text) => paragraph(text, width));
  const box = column([heading(titles, width), paragraph(about, width, { size: 14 }), ...rows], GAP);
  return { box: asWide(box, width), words: [about, ...why] };
}

/** Facts besides the layout. */
interface About {
  readonly titles: Titles;
  readonly notes?: readonly string[];
  readonly vm?: DrawnVm | undefined;
}

/** Draws the host above the view of the guest, linked by the colours of the NUMA clients. */
export function topologyPanel(host: HostModel, topology: Topology, { titles, notes = [], vm = {} }: About, sheet: Sheet): Panel {
  const { width } = sheet;
  const placement = placementOf([topology], host);
  const paint = clientPainter(topology);
  const flaws = flawsOf(host, topology, vm);
  const memory = nodeMemory(host, topology, vm, flaws);
  const guest = group(guestBox(topology, paint, flaws, sheet), "guest");
  const machine = group(
    hostBox(host, {
      placement,
      pins: new Map(topology.pinning?.numbers.map((cpu) => [cpu, [0]])),
      isManaged: topology.numaManaged,
      paint,
      flaws,
      memory,
      names: (clients) => clientNames(topology, clients),
      sheet,
    }),
    "host",
  );
  // With a virtual node for each client, the nodes of the host name the virtual nodes.
  const clients = hasNodePerClient(topology) ? [] : clientList(topology, placement, width);
  const [hostFacts = "", clientFacts = "", ...facts] = onHost(topology, host).map(sentence);
  const ofClients = hasNodePerClient(topology) && topology.numaManaged ? [] : [clientFacts];
  const choice = choiceOf(host, topology);
  const others = [...facts, ...caveats(host, topology, placement, flaws)];
  const about = titles.layout ?? headline(titles.name, topology, host);
  const box = column(
    [
      ...(titles.isHidden ? [] : [titleBox(titles, about, width), flawBox(flaws, width)]),
      section(`On ${hostTitle(host)}`, hostFacts, width, machine),
      ...(clients.length > 0
        ? [section("NUMA clients", "Each keeps its vCPUs together on one physical node.", width, flow(clients, width, GAP))]
        : []),
      section("What the guest sees", "", width, guest),
      flow(legend(host, topology, placement, flaws, width), width, GAP),
      ...endOf(topology, [...notes, choice, ...ofClients, ...others], width),
    ],
    6,
  );
  const nodes = topology.vnumaNodes.length === 1 ? [] : [`The guest's nodes: ${spans(topology.vnumaNodes, "node", "vCPU")}.`];
  return {
    box: asWide(box, width),
    words: [
      `${about}.`,
      ...(flaws.size > 0 ? [`Marked as wrong: ${[...flaws.values()].join(" ")}`] : []),
      ...nodes,
      ...placementWords(topology, placement),
      choice,
      ...notes,
      hostFacts,
      clientFacts,
      ...others,
      `Certainty: ${certaintyWords(topology)}.`,
    ],
  };
}

/** Returns what is wrong with the layout, as sentences in a frame. */
export function flawBox(flaws: Flaws, width: number): Box {
  if (flaws.size === 0) return EMPTY;
  const padding = 6;
  const inner = width - 2 * padding;
  const rows = [...flaws.values()].map((text) => flawLine(text, inner, 13));
  return frame(flow(rows, inner, 2), padding, "flawed", { width, height: 0 });
}

/** Returns the notes, how certain the layout is, and each step to it. */
function endOf({ certainty, certainties, reasons }: Topology, notes: readonly string[], width: number): readonly Box[] {
  const words = `Certainty: ${certaintyWords({ certainties })}`;
  // The steps to a documented layout are small print.
  const ofNotes = (more: readonly string[]): Box => paragraph([...notes, ...more].join(" "), width, { dim: true }, MOST_LINES);
  if (certainty === "documented") return [ofNotes([words, ...reasons.map(reasonLine)].map(sentence))];
  const steps = reasons.map((reason) => paragraph(reasonLine(reason), width - 2 * PADDING, {}, MOST_LINES));
  const doubt = column([paragraph(words, width - 2 * PADDING, { bold: true }), ...steps], 2);
  return [ofNotes([]), frame(doubt, PADDING, certainty, { width, height: 0 })];
}

/** More lines of a paragraph are cut off. */
const MOST_LINES = 12;

export const asWide = (box: Box, width: number): Box => ({ ...box, width: Math.max(box.width, width) });

/** Returns the name of a VM, and its layout in a line. */
export const titleBox = (titles: Titles, about: string, width: number): Box =>
  column([heading(titles, width), paragraph(about, width, { size: 14 })], 6);

const heading = ({ name, path }: Titles, width: number): Box =>
  flow([paragraph(name || "VM", width, { size: 18, bold: true }, 3), lowered(line(path, { dim: true }, width), 7)], width, GAP);

/** Moves a box down. Texts of two sizes then have one base line. */
const lowered = (box: Box, by: number): Box =>
  box.height === 0 ? box : { ...box, height: box.height + by, draw: (x, y) => box.draw(x, y + by) };

export const section = (title: string, about: string, width: number, box: Box): Box =>
  column([flow([line(title, { size: 13, bold: true }, width), paragraph(about, width, { dim: true })], width, GAP), box], 4);

/** Returns which part of the placement ESXi chooses at run time. */
function choiceOf(host: HostModel, { numaManaged, pinning, nodeAffinity }: Topology): string {
  if (pinning) return "The vCPUs share the logical CPUs they are pinned to; none is kept on a NUMA node.";
  if (!numaManaged) return "The VM is out of NUMA scheduling: its vCPUs may run on any logical CPU.";
  if (nodeAffinity?.length === 0) return "numa.nodeAffinity names no node of this host: the VM is drawn on none.";
  const isFree = (nodeAffinity?.length ?? host.numaNodes) > 1;
  const nodes = isFree ? `nodes ${nodeAffinity ? `(of ${nodeAffinity.join(", ")}) ` : ""}and ` : "";
  return `ESXi chooses the ${nodes}cores at run time: this is one of several equal placements.`;
}

/** Returns notes about facts that the picture cannot show. */
function caveats(host: HostModel, topology: Topology, { vcpuOn, waiting }: Placement, flaws: Flaws): readonly string[] {
  const { numaManaged, vcpus, numaClients, guestUsableVcpus } = topology;
  const usable = Math.min(topology.usableVcpus ?? vcpus, guestUsableVcpus);
  const late = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  const cores = new Set([...vcpuOn.keys()].map((cpu) => Math.floor(cpu / host.threadsPerCore)));
  return [
    ...(vcpuOn.size > cores.size && !flaws.has("shared-cores")
      ? [`${vcpuOn.size} vCPUs on ${plural(cores.size, "core")}: some share a core, a thread each.`]
      : []),
    ...(numaManaged && numaClients.length > host.numaNodes && !flaws.has("shared-nodes")
      ? [`${numaClients.length} clients share ${host.numaNodes} nodes.`]
      : []),
    ...(late > 0
      ? [`${late} vCPU${late === 1 ? " has" : "s have"} no logical CPU of ${late === 1 ? "its" : "their"} own on the node.`]
      : []),
    ...(usable < vcpus ? ["Which vCPUs stay unused is not published: the last ones are greyed."] : []),
  ];
}

function placementWords(topology: Topology, { nodeOf }: Placement): readonly string[] {
  if (!topology.numaManaged) return [];
  const homes = starts(topology.numaClients)
    .slice(0, LISTED_CLIENTS)
    .map(([first, size], client) => `client ${client} (${range(first, size, "vCPU")}) on NUMA node ${nodeOf[client] ?? "none"}`);
  const more = topology.numaClients.length - homes.length;
  return [`Drawn: ${homes.join(", ")}${more > 0 ? `, and ${more} more` : ""}.`];
}

const sentence = (text: string): string => `${capitalized(text)}.`;

const spans = (groups: readonly number[], name: string, word: string): string =>
  starts(groups)
    .slice(0, LISTED_CLIENTS)
    .map(([first, size], i) => `${name} ${i} has ${range(first, size, word)}`)
    .join(", ") + (groups.length > LISTED_CLIENTS ? `, and ${groups.length - LISTED_CLIENTS} more` : "");
