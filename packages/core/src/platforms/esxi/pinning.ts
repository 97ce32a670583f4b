import { coresOf, coresPerNode, type HostModel, pcpusOf, threadsOf } from "../../model/host.ts";
import { grouped } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import { isEven } from "./layout.ts";

/** The position of a list of physical CPUs on a host. ESXi numbers packages, inside them cores, inside them threads. */
export interface Pinning {
  /** The listed logical CPUs that the host has, in order. */
  readonly numbers: readonly number[];
  /** Their number. */
  readonly pcpus: number;
  /** Their physical cores. */
  readonly cores: number;
  /** Cores with more than one listed thread. */
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
  const ofNode = grouped(threads.keys(), (core) => nodeOf(core, host));
  return {
    numbers,
    pcpus: numbers.length,
    cores: threads.size,
    siblingPairs: [...threads.values()].filter((count) => count > 1).length,
    perNode: sequence(host.numaNodes, (node) => ofNode.get(node)?.length ?? 0),
    outOfRange: affinity.filter((pcpu) => pcpu >= threadsOf(host)),
  };
}

function nodeOf(core: number, host: HostModel): number {
  const listedNode = host.pcpusOfNode?.findIndex((pcpus) => pcpus.includes(core * host.threadsPerCore));
  return listedNode ?? Math.floor(core / coresPerNode(host));
}

/**
 * Returns the first thread of `cores` cores, spread evenly over the fewest nodes that hold them. Prefers nodes of the memory affinity, then
 * nodes with most cores of `pinned`, and those cores first. `undefined` if they do not fit, or if more of them would be off the memory's
 * nodes.
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
  const nodes = Array.from(pinned.perNode, (held, node) => ({ node, held, isNear: memory === "all" || memory.includes(node) }))
    .sort((a, b) => Number(b.isNear) - Number(a.isNear) || b.held - a.held)
    .slice(0, count);
  if (nodes.some(({ held, isNear }) => !isNear && held < cores / count)) return undefined;
  const pinnedCores = new Set(pinned.numbers.map((pcpu) => pcpu - (pcpu % host.threadsPerCore)));
  const threads = nodes.flatMap(({ node }) => {
    const coresOfNode = pcpusOf(host, node).filter((_, index) => index % host.threadsPerCore === 0);
    return [...coresOfNode.filter((thread) => pinnedCores.has(thread)), ...coresOfNode.filter((thread) => !pinnedCores.has(thread))].slice(
      0,
      cores / count,
    );
  });
  return threads.sort((a, b) => a - b);
}

/**
 * Returns the worst flaw of a pinning. `siblings`: both threads of cores although others are free; `too-few`: vCPUs must take turns;
 * `uneven`: a wide VM with a core per vCPU has avoidably more on one node than on another.
 */
export function pinningFlaw(pinning: Pinning, vcpus: number, host: HostModel): "siblings" | "too-few" | "uneven" | undefined {
  const { pcpus, cores, siblingPairs, perNode, outOfRange } = pinning;
  // A list with CPUs that the host lacks was made for another host, so its position here means nothing.
  if (outOfRange.length > 0) return undefined;
  if (siblingPairs > 0 && cores < vcpus && cores < coresOf(host)) return "siblings";
  if (pcpus < Math.min(vcpus, threadsOf(host))) return "too-few";
  const isUneven = vcpus > coresPerNode(host) && cores === vcpus && !isEven(perNode.filter((count) => count > 0));
  return isUneven && evenPinning(vcpus, host, pinning) ? "uneven" : undefined;
}
