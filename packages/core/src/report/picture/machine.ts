import { shownGiB } from "../../limits/vm-memory.ts";
import { coresOf, type HostModel, pcpusOf, threadsOf } from "../../model/host.ts";
import { grouped } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import { plural } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { fill } from "../../platforms/esxi/layout.ts";
import { type Box, bar, type Cell, cells, column, EMPTY, type Fill, flow, frame, line, paragraph } from "./box.ts";
import { clientsOn, type Flaws, flawsOfHostNode, type NodeMemory } from "./flaws.ts";
import { runs, starts } from "./groups.ts";
import { CAPTION_WIDTH, CAPTIONED_NODES, fitted, GAP, nodeBox, PADDING, type PictureNode } from "./nodes.ts";
import { hue, type Paint } from "./paint.ts";
import { hasNodePerClient, type Placement } from "./placement.ts";
import type { Sheet } from "./sheet.ts";

/** With more cores, or more threads per core, the picture shows only numbers. */
const DRAWN_CORES = 1024;
const DRAWN_THREADS = 8;

/** The logical CPU numbers of a core. */
type Core = readonly number[];

/** Returns the cores of each NUMA node in the groups of the picture: by last-level cache or by socket. */
export const coreGroups = (host: HostModel): readonly (readonly (readonly Core[])[])[] =>
  sequence(host.numaNodes, (node) => {
    const pcpus = pcpusOf(host, node);
    const cores = chunks(pcpus, host.threadsPerCore);
    if (host.coresPerL3 !== undefined) return chunks(cores, host.coresPerL3);
    return [...grouped(cores, ([first = 0]) => socketOf(first, host)).values()];
  });

const chunks = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  starts(fill(all.length, size)).map(([first, count]) => all.slice(first, first + count));

/** ESXi numbers the logical CPUs of a package consecutively; see pinningOf. */
const socketOf = (pcpu: number, { coresPerSocket, threadsPerCore }: HostModel): number =>
  Math.floor(pcpu / (coresPerSocket * threadsPerCore));

const socketsOf = (pcpus: readonly number[], host: HostModel): readonly number[] => [...new Set(pcpus.map((pcpu) => socketOf(pcpu, host)))];

interface Drawing {
  readonly placement: Placement;
  /** The numbers of the VMs that are pinned to a logical CPU. */
  readonly pins: ReadonlyMap<number, readonly number[]>;
  /** Whether a VM has NUMA clients. */
  readonly isManaged: boolean;
  /** Returns the caption of clients that are on one node. */
  readonly names: (clients: readonly number[]) => string;
  readonly paint: Paint;
  readonly flaws: Flaws;
  readonly memory: NodeMemory | undefined;
  readonly sheet: Sheet;
}

/** Draws the sockets, NUMA nodes, L3 groups and cores of a host, with the vCPUs on them. */
export function hostBox(
  host: HostModel,
  { placement, pins, isManaged, names, paint, flaws, memory, sheet: { width, hostHeight } }: Drawing,
): Box {
  const cores = coresOf(host);
  if (cores > DRAWN_CORES || host.threadsPerCore > DRAWN_THREADS) {
    const size = `${host.sockets} sockets, ${host.numaNodes} NUMA nodes, ${cores} cores, ${threadsOf(host)} logical CPUs`;
    return paragraph(`${size}: too many to draw`, width);
  }
  const pinned = new Set(pins.keys());
  const plain = host.numaNodes > CAPTIONED_NODES;
  const homes = sequence(host.numaNodes, (node) => socketsOf(pcpusOf(host, node), host));
  const nested = homes.every(({ length }) => length === 1) && host.numaNodes > host.sockets;
  const nodeGiB = host.memoryGiB === undefined || host.unevenMemory ? undefined : host.memoryGiB / host.numaNodes;
  const nodes = coreGroups(host).map((groups, node): PictureNode => {
    const pcpus = groups.flat(2);
    const sockets = homes[node] ?? [];
    const whole = pcpus.length === sockets.length * host.coresPerSocket * host.threadsPerCore;
    const home = nested ? [] : [`${whole ? "" : "part of "}${runs(sockets, "socket")}`];
    const cpus = runs(pcpus, "CPU");
    const places = sockets.length === 1 ? [[...home, cpus].join(", ")] : [cpus, ...home];
    const size = nodeGiB === undefined ? "" : ` (${shownGiB(nodeGiB * 1024)} GiB)`;
    return {
      kind: host.coresPerL3 === undefined ? "solid" : "dashed",
      captions: plain ? [`${node}`] : [`NUMA node ${node}${size}`, ...places],
      groups: groups.map((cores) => cores.map((core) => coreCell(core, placement, pins, paint, flaws))),
      below:
        plain || !isManaged
          ? unusedBox(groups.flat(), pinned, plain ? new Map() : flaws)
          : column(
              [
                residents(clientsOn(node, placement.nodeOf), names, flaws),
                waitingBox(placement.waiting.get(node), paint),
                memoryBar(node, placement, memory),
              ],
              4,
            ),
      flaws: [...flawsOfHostNode(groups.flat(), node, placement, pinned, flaws, memory, names), ...sharedPins(pcpus, pins)],
    };
  });
  const homeless = placement.waiting.get(undefined);
  const draws = nodes.map(nodeBox);
  const drawn = fitted(width, hostHeight, (size, columns) => {
    const boxes = draws.map((draw) => draw(size, columns));
    if (!nested) return flow(boxes, width, GAP);
    const strip = sequence(host.sockets, (socket) => {
      const inside = flow(
        boxes.filter((_, node) => homes[node]?.includes(socket)),
        width - 2 * PADDING,
        GAP,
      );
      const title = line(plain ? `socket ${socket}` : `socket ${socket}: ${host.coresPerSocket} cores`, { size: 11, bold: true });
      return frame(column([title, inside], 4), PADDING, "socket");
    });
    return flow(strip, width, GAP);
  });
  const late = plain ? [...placement.waiting].flatMap(([node, vcpus]) => (node === undefined ? [] : vcpus)) : [];
  return column([drawn, waitingBox(late, paint), waitingBox(homeless, paint)], GAP);
}

/** Draws a core with its threads side by side. If one thread has a vCPU, the other threads get its colour in a faint shade. */
function coreCell(core: Core, { vcpuOn }: Placement, pins: Drawing["pins"], paint: Paint, flaws: Flaws): Cell {
  const [tenant] = core.flatMap((cpu) => vcpuOn.get(cpu) ?? []);
  const parts = core.map((cpu): Fill => {
    const vcpu = vcpuOn.get(cpu);
    const [owner] = pins.get(cpu) ?? [];
    if (owner !== undefined) return { className: `cpu pinned ${hue(owner).className}`, over: "pin" };
    if (vcpu !== undefined) {
      const { className, over } = paint(vcpu);
      return { className: `cpu ${className}`, over };
    }
    if (tenant === undefined) return { className: "cpu idle" };
    return { className: `cpu tint ${hue(paint(tenant).client).className}` };
  });
  const owners = Math.max(...core.map((cpu) => pins.get(cpu)?.length ?? 0));
  if (owners > 1) return { parts, flaw: owners };
  const busy = core.filter((cpu) => pins.has(cpu) || vcpuOn.has(cpu)).length;
  return flaws.has("shared-cores") && busy > 1 ? { parts, flaw: busy } : { parts };
}

/** Returns a caption for a node whose cores a flawed pinning leaves unused. */
function unusedBox(cores: readonly Core[], pinned: ReadonlySet<number>, flaws: Flaws): Box {
  const isUsed = cores.some((core) => core.some((cpu) => pinned.has(cpu)));
  const isMarked = flaws.has("shared-cores") || flaws.has("uneven-cores");
  return isUsed || pinned.size === 0 || !isMarked ? EMPTY : line(`${plural(cores.length, "core")} unused`, { size: 11, dim: true });
}

/** Draws the memory of a node as a bar, which the VM's share fills and exceeds. */
function memoryBar(node: number, { nodeOf }: Placement, memory?: NodeMemory): Box {
  const share = memory && memory.clientGiB * clientsOn(node, nodeOf).length;
  return share ? bar(memory.nodeGiB / share) : EMPTY;
}

/** Returns a caption with the clients drawn on a node. Clients that must share it are a flaw, which has a caption of its own. */
function residents(clients: readonly number[], names: Drawing["names"], flaws: Flaws): Box {
  if (clients.length === 0) return line("no vCPU", { size: 11, dim: true });
  const isFlawed = clients.length > 1 && flaws.has("shared-nodes");
  return isFlawed ? EMPTY : paragraph(names(clients), CAPTION_WIDTH, { size: 11 });
}

/** Returns the names of clients, or of their virtual nodes if each has one. */
export function clientNames(topology: Topology, clients: readonly number[]): string {
  const isAlone = hasNodePerClient(topology) && topology.vnumaNodes.length === 1;
  if (isAlone) return "";
  const shown = clients.slice(0, 4).join(", ");
  const word = hasNodePerClient(topology) ? "virtual node" : "client";
  return `${word}${clients.length > 1 ? "s" : ""} ${shown}${clients.length > 4 ? ` and ${clients.length - 4} more` : ""}`;
}

/** Returns the mark of a node with logical CPUs that several VMs are pinned to. */
function sharedPins(pcpus: readonly number[], pins: Drawing["pins"]): readonly string[] {
  const shared = pcpus.filter((cpu) => (pins.get(cpu)?.length ?? 0) > 1).length;
  return shared > 0 ? [`${plural(shared, "CPU")} with pins of several VMs`] : [];
}

/** Returns a caption with the vCPUs that have no logical CPU of their own on a node. */
function waitingBox(vcpus: readonly number[] = [], paint: Paint): Box {
  if (vcpus.length === 0) return EMPTY;
  const items = vcpus.map((vcpu): Cell => ({ parts: [{ className: `${paint(vcpu).className} wait` }] }));
  return column([line(plural(vcpus.length, "more vCPU"), { size: 11 }), cells(items, 20, 8)], 2);
}
