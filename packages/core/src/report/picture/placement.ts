import { coresPerNode, type HostModel, pcpusOf } from "../../model/host.ts";
import { addTo } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";

/**
 * One possible placement of the clients on a host. ESXi decides at run time. Only one fact is certain: a client stays on one physical node,
 * so nodes and the cores within a node are interchangeable.
 */
export interface Placement {
  /** The vCPU on each occupied logical CPU. */
  readonly vcpuOn: ReadonlyMap<number, number>;
  /** The physical node of each client; undefined if `numa.nodeAffinity` leaves none. */
  readonly nodeOf: readonly (number | undefined)[];
  /** vCPUs without a logical CPU of their own, by node. */
  readonly waiting: ReadonlyMap<number | undefined, readonly number[]>;
}

/**
 * Places each NUMA client on the node with the fewest vCPUs so far, first on whole cores, then on the second threads. Several VMs number
 * their vCPUs and clients together.
 */
export function placementOf(topologies: readonly Topology[], host: HostModel): Placement {
  const vcpuOn = new Map<number, number>();
  const nodeOf: (number | undefined)[] = [];
  const waiting = new Map<number | undefined, number[]>();
  const every = sequence(host.numaNodes, (node) => node);
  const load = every.map(() => 0);
  let vcpu = 0;
  for (const { numaManaged, numaClients, nodeAffinity, vcpus } of topologies) {
    // Without NUMA scheduling, a VM has no place.
    if (!numaManaged) vcpu += vcpus;
    const allowed = every.filter((node) => nodeAffinity?.includes(node) ?? true);
    for (const size of numaManaged ? numaClients : []) {
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
  }
  return { vcpuOn, nodeOf, waiting };
}

/** Returns the logical CPU for the n-th vCPU of a node. */
function cpuOf(node: number, nth: number, host: HostModel): number | undefined {
  const cores = coresPerNode(host);
  const thread = Math.floor(nth / cores);
  return thread < host.threadsPerCore ? pcpusOf(host, node)[(nth % cores) * host.threadsPerCore + thread] : undefined;
}

/** Returns the client of each vCPU; clients take vCPUs in order. */
export const clientsByVcpu = ({ numaClients }: Topology): readonly number[] =>
  numaClients.flatMap((size, client) => sequence(size, () => client));

/** Whether the guest sees a virtual node for each client. */
export const hasNodePerClient = ({ numaClients, vnumaNodes }: Topology): boolean => numaClients.join() === vnumaNodes.join();
