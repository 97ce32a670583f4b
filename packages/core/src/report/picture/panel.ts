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
import { hostBox } from "./machine.ts";
import { GAP, PADDING } from "./nodes.ts";
import { painter } from "./paint.ts";
import { type Placement, placementOf } from "./placement.ts";
import type { Sheet } from "./sheet.ts";

/** The titles of a panel. */
export interface Titles {
  /** The VM. */
  readonly name: string;
  /** The line above the name: the origin of the VM. */
  readonly path: string;
  /** The layout in one line, if there are alternatives to the drawn one. */
  readonly layout?: string;
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

/** Draws the view of the guest above the host, linked by the colours of the NUMA clients. */
export function topologyPanel(host: HostModel, topology: Topology, { titles, notes = [], vm = {} }: About, sheet: Sheet): Panel {
  const { width } = sheet;
  const placement = placementOf(topology, host);
  const paint = painter(topology);
  const flaws = flawsOf(host, topology, vm);
  const memory = nodeMemory(host, topology, vm, flaws);
  const guest = group(guestBox(topology, paint, flaws, sheet), "guest");
  const machine = group(hostBox(host, topology, { placement, paint, flaws, memory, sheet }), "host");
  const clients = clientList(topology, placement, width);
  const words = [...notes, ...onHost(topology, host).map(sentence), ...caveats(host, topology, placement)];
  const about = titles.layout ?? headline(titles.name, topology, host);
  const box = column(
    [
      heading(titles, width),
      paragraph(about, width, { size: 14 }),
      flawBox(flaws, width),
      section("What the guest sees", "", width, guest),
      ...(clients.length > 0
        ? [section("NUMA clients", "Each keeps its vCPUs together on one physical node.", width, flow(clients, width, GAP))]
        : []),
      section(`On ${hostTitle(host)}`, choiceOf(host, topology), width, machine),
      flow(legend(host, topology, placement, flaws, width), width, GAP),
      column(
        words.map((text) => paragraph(text, width, { dim: true })),
        2,
      ),
      certaintyBox(topology, width),
    ],
    18,
  );
  const nodes = topology.vnumaNodes.length === 1 ? [] : [`The guest's nodes: ${spans(topology.vnumaNodes, "node", "vCPU")}.`];
  return {
    box: asWide(box, width),
    words: [
      `${about}.`,
      ...(flaws.size > 0 ? [`Marked as wrong: ${[...flaws.values()].join(" ")}`] : []),
      ...nodes,
      ...placementWords(topology, placement),
      choiceOf(host, topology),
      ...words,
      `Certainty: ${certaintyWords(topology)}.`,
    ],
  };
}

/** Returns what is wrong with the layout, as sentences in a frame. */
function flawBox(flaws: Flaws, width: number): Box {
  if (flaws.size === 0) return EMPTY;
  const rows = [...flaws.values()].map((text) => flawLine(text, width - 2 * PADDING, 13));
  return frame(column(rows, 4), PADDING, "flawed", { width, height: 0 });
}

/** Returns how certain the layout is, and each step to it. */
function certaintyBox({ certainty, certainties, reasons }: Topology, width: number): Box {
  const steps = reasons.map((reason) => paragraph(reasonLine(reason), width - 2 * PADDING, { size: 11, dim: true }));
  const lines = column([paragraph(`Certainty: ${certaintyWords({ certainties })}`, width - 2 * PADDING, { bold: true }), ...steps], 2);
  return frame(lines, PADDING, certainty, { width, height: 0 });
}

const asWide = (box: Box, width: number): Box => ({ ...box, width: Math.max(box.width, width) });

const heading = ({ name, path }: Titles, width: number): Box =>
  column([paragraph(name || "VM", width, { size: 18, bold: true }, 3), line(path, { dim: true }, width)], 0);

const section = (title: string, about: string, width: number, box: Box): Box =>
  column([column([line(title, { size: 13, bold: true }, width), paragraph(about, width, { dim: true })], 0), box], 8);

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
function caveats(host: HostModel, topology: Topology, { vcpuOn, waiting }: Placement): readonly string[] {
  const { numaManaged, vcpus, numaClients, guestUsableVcpus } = topology;
  const usable = Math.min(topology.usableVcpus ?? vcpus, guestUsableVcpus);
  const late = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  const cores = new Set([...vcpuOn.keys()].map((cpu) => Math.floor(cpu / host.threadsPerCore)));
  return [
    ...(vcpuOn.size > cores.size ? [`${vcpuOn.size} vCPUs on ${plural(cores.size, "core")}: some share a core, a thread each.`] : []),
    ...(numaManaged && numaClients.length > host.numaNodes ? [`${numaClients.length} clients share ${host.numaNodes} nodes.`] : []),
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
