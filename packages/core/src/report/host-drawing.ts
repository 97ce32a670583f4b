import { coresPerNode, type HostModel, pcpusOf } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import { numberRuns } from "../model/words.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { fill } from "../platforms/esxi/layout.ts";
import { type DrawnVm, flawsOf, flawsOfHostNode, nodeMemory } from "./picture/flaws.ts";
import { starts } from "./picture/groups.ts";
import { placementOf } from "./picture/placement.ts";

/** With more nodes, or cores in a node, a drawing of characters says less than the numbers. */
const DRAWN_NODES = 32;
const DRAWN_CORES = 72;

/** Up to this many cores of a node are drawn with spaces between them. */
const SPACED_CORES = 24;

/** Draws the NUMA nodes of a host with characters: the flaws, then a line per node with a mark for each core. Draws no nodes if no vCPU has a place. */
export function hostDrawing(host: HostModel, topology: Topology, vm: DrawnVm): readonly string[] {
  const flaws = flawsOf(host, topology, vm);
  const sentences = [...flaws.values()].map((text) => `! ${text}`);
  const placement = placementOf([topology], host);
  const pinned = new Set(topology.pinning?.numbers);
  const isPlaced = placement.vcpuOn.size + pinned.size > 0;
  if (!isPlaced || host.numaNodes > DRAWN_NODES || coresPerNode(host) > DRAWN_CORES || host.threadsPerCore > 9) return sentences;
  const memory = nodeMemory(host, topology, vm, flaws);
  const nodes = sequence(host.numaNodes, (node) => {
    const pcpus = pcpusOf(host, node);
    const cores = starts(fill(pcpus.length, host.threadsPerCore)).map(([first, size]) => pcpus.slice(first, first + size));
    const busy = cores.map((core) => core.filter((cpu) => pinned.has(cpu) || placement.vcpuOn.has(cpu)).length);
    const marks = busy.map((count) => (count === 0 ? "." : String(count))).join(cores.length > SPACED_CORES ? "" : " ");
    const labels = flawsOfHostNode(cores, node, placement, pinned, flaws, memory);
    return { title: `node ${node}`, cpus: `CPUs ${numberRuns(pcpus)}`, marks, labels, most: Math.max(...busy) };
  });
  const [titles, cpus] = [Math.max(...nodes.map(({ title }) => title.length)), Math.max(...nodes.map((node) => node.cpus.length))];
  const most = Math.max(...nodes.map((node) => node.most));
  const counts = sequence(most, (i) => i + 1).join(", ");
  return [
    ...sentences,
    ...nodes.map(
      ({ title, cpus: list, marks, labels }) =>
        `${title.padEnd(titles)}  ${list.padEnd(cpus)}  [${marks}]${labels.length > 0 ? `  ! ${labels.join(", ")}` : ""}`,
    ),
    `Each mark is a core: ${counts} = ${pinned.size > 0 ? "logical CPUs the VM is pinned to" : "vCPUs on it"}, . = none.${pinned.size > 0 ? "" : " ESXi chooses nodes and cores at run time."}`,
  ];
}
