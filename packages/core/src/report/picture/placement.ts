import type { Topology } from "../../esxi/derive.ts";
import { coresPerNode, type HostModel, pcpusOf } from "../../model/host.ts";
import { addTo } from "../../model/maps.ts";

/**
 * One way to put the clients of a VM on a host. ESXi decides at run time; what is certain is that a client stays on one
 * physical node, so any renaming of nodes and of cores within a node is as good as this one.
 */
export interface Placement {
  /** The vCPU on each logical CPU that has one. */
  readonly vcpuOn: ReadonlyMap<number, number>;
  /** The physical node of each client; undefined where `numa.nodeAffinity` leaves none. */
  readonly nodeOf: readonly (number | undefined)[];
  /** vCPUs that have no logical CPU of their own on their node, by node. */
  readonly waiting: ReadonlyMap<number | undefined, readonly number[]>;
}

/** Each client on the node with the fewest vCPUs so far; there on whole cores first, then on their other threads. */
export function place(topology: Topology, host: HostModel): Placement {
  const vcpuOn = new Map<number, number>();
  const nodeOf: (number | undefined)[] = [];
  const waiting = new Map<number | undefined, number[]>();
  if (!topology.numaManaged) return { vcpuOn, nodeOf, waiting };

  const every = Array.from({ length: host.numaNodes }, (_, node) => node);
  const allowed = every.filter((node) => topology.nodeAffinity?.includes(node) ?? true);
  const load = every.map(() => 0);
  let vcpu = 0;
  for (const size of topology.numaClients) {
    const node = allowed.reduce<number | undefined>(
      (best, candidate) => (best === undefined || (load[candidate] ?? 0) < (load[best] ?? 0) ? candidate : best),
      undefined,
    );
    nodeOf.push(node);
    for (const last = vcpu + size; vcpu < last; vcpu++) {
      const cpu = node === undefined ? undefined : cpuOf(node, load[node] ?? 0, host);
      if (node !== undefined) load[node] = (load[node] ?? 0) + 1;
      if (cpu === undefined) addTo(waiting, node, vcpu);
      else vcpuOn.set(cpu, vcpu);
    }
  }
  return { vcpuOn, nodeOf, waiting };
}

/** The logical CPU that the n-th vCPU of a node gets. */
function cpuOf(node: number, nth: number, host: HostModel): number | undefined {
  const cores = coresPerNode(host);
  const thread = Math.floor(nth / cores);
  return thread < host.threadsPerCore ? pcpusOf(host, node)[(nth % cores) * host.threadsPerCore + thread] : undefined;
}

/** The client of each vCPU: clients are cut in order. */
export const clientsByVcpu = ({ numaClients }: Topology): readonly number[] =>
  numaClients.flatMap((size, client) => Array.from({ length: size }, () => client));
