import { coresOf, coresPerNode, type HostModel, pcpusOf, threadsOf } from "../model/host.ts";
import { isEven } from "./layout.ts";

/** Where a list of physical CPUs lies on a host. ESXi numbers packages, inside them cores, inside them threads. */
export interface Pinning {
  /** The logical CPUs of the list that the host has, as listed. */
  readonly numbers: readonly number[];
  /** How many those are. */
  readonly pcpus: number;
  /** Physical cores they lie on. */
  readonly cores: number;
  /** Cores of which the list holds more than one thread. */
  readonly siblingPairs: number;
  /** Cores by physical NUMA node. */
  readonly perNode: readonly number[];
  /** Numbers that are no logical CPU of the host. */
  readonly outOfRange: readonly number[];
}

/** Numbering: Performance and Scalability of SQL Server on vSphere 5.5, figure 6 (threads 0 and 1 are the first core). */
export function pinningOf(affinity: readonly number[], host: HostModel): Pinning {
  const threads = new Map<number, number>();
  const numbers = affinity.filter((pcpu) => pcpu < threadsOf(host));
  for (const pcpu of numbers) {
    const core = Math.floor(pcpu / host.threadsPerCore);
    threads.set(core, (threads.get(core) ?? 0) + 1);
  }
  const perNode = Array.from({ length: host.numaNodes }, () => 0);
  for (const core of threads.keys()) {
    const node = nodeOf(core, host);
    perNode[node] = (perNode[node] ?? 0) + 1;
  }
  return {
    numbers,
    pcpus: numbers.length,
    cores: threads.size,
    siblingPairs: [...threads.values()].filter((count) => count > 1).length,
    perNode,
    outOfRange: affinity.filter((pcpu) => pcpu >= threadsOf(host)),
  };
}

function nodeOf(core: number, host: HostModel): number {
  const listed = host.pcpusOfNode?.findIndex((pcpus) => pcpus.includes(core * host.threadsPerCore));
  return listed ?? Math.floor(core / coresPerNode(host));
}

/**
 * The first thread of `cores` cores, spread evenly over as few nodes as hold them: nodes of the memory affinity, then those that hold most
 * of the cores of `pinned`, and of those in them these first. `undefined` if they do not fit, or more of them lie off that memory's nodes.
 */
export function evenPinning(
  cores: number,
  host: HostModel,
  pinned: Pinning,
  memory: readonly number[] | "all" = "all",
): readonly number[] | undefined {
  const perNode = coresPerNode(host);
  const count = Math.ceil(cores / perNode);
  if (count > host.numaNodes || cores % count !== 0) return undefined;
  const held = (node: number): number => pinned.perNode[node] ?? 0;
  const isNear = (node: number): boolean => memory === "all" || memory.includes(node);
  const nodes = Array.from(pinned.perNode.keys())
    .sort((a, b) => Number(isNear(b)) - Number(isNear(a)) || held(b) - held(a) || a - b)
    .slice(0, count);
  if (nodes.some((node) => !isNear(node) && held(node) < cores / count)) return undefined;
  const own = new Set(pinned.numbers.map((pcpu) => pcpu - (pcpu % host.threadsPerCore)));
  const threads = nodes.flatMap((node) => {
    const all = pcpusOf(host, node).filter((_, index) => index % host.threadsPerCore === 0);
    return [...all.filter((thread) => own.has(thread)), ...all.filter((thread) => !own.has(thread))].slice(0, cores / count);
  });
  return threads.sort((a, b) => a - b);
}

/**
 * What is wrong with a pinning, the worst alone. `siblings`: both threads of cores while others are free; `too-few`: vCPUs
 * take turns; `uneven`: a wide VM has a core for each vCPU, more of them on one node than on another, and need not.
 */
export function pinningFlaw(pinning: Pinning, vcpus: number, host: HostModel): "siblings" | "too-few" | "uneven" | undefined {
  const { pcpus, cores, siblingPairs, perNode, outOfRange } = pinning;
  // A list that names CPUs the host lacks was made for another host: how it lies here says nothing.
  if (outOfRange.length > 0) return undefined;
  if (siblingPairs > 0 && cores < vcpus && cores < coresOf(host)) return "siblings";
  if (pcpus < Math.min(vcpus, threadsOf(host))) return "too-few";
  const isUneven = vcpus > coresPerNode(host) && cores === vcpus && !isEven(perNode.filter((count) => count > 0));
  return isUneven && evenPinning(vcpus, host, pinning) ? "uneven" : undefined;
}
