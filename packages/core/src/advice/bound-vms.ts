import { coresPerNode, type HostModel, pcpusOf } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import type { SettingValues } from "../model/spec.ts";

/** A VM with its NUMA nodes, and its share of their cores and memory. */
interface Bound<V> {
  readonly vm: V;
  readonly nodes: readonly number[];
  readonly vcpus: number;
  /** Cores that its vCPUs fill: with preferHT, a core takes as many vCPUs as it has threads. */
  readonly cores: number;
  /** Memory that must be local; CPU affinity alone binds none. */
  readonly memoryMiB: number;
  readonly byNode: boolean;
}

/** VMs that are bound to nodes of one set, and the cores of these nodes. */
export interface BoundVms<V> {
  readonly nodes: readonly number[];
  readonly members: readonly Bound<V>[];
  readonly cores: number;
}

/** `undefined` for a VM that may run on every node, or on nodes that the host lacks. */
function boundOf<V>(vm: V, settings: SettingValues, host: HostModel): Bound<V> | undefined {
  const { vcpus = 1, memoryMiB = 0, cpuAffinity, numaNodeAffinity, preferHt = false } = settings;
  const pinned = cpuAffinity && cpuAffinity !== "all" ? new Set(cpuAffinity) : undefined;
  const nodes = pinned
    ? sequence(host.numaNodes, (node) => node).filter((node) => pcpusOf(host, node).some((pcpu) => pinned.has(pcpu)))
    : numaNodeAffinity;
  if (!nodes || nodes.length === 0 || nodes.some((node) => node >= host.numaNodes)) return undefined;
  const perCore = preferHt ? host.threadsPerCore : 1;
  return { vm, nodes, vcpus, cores: vcpus / perCore, memoryMiB: pinned ? 0 : memoryMiB, byNode: numaNodeAffinity !== undefined };
}

/** Returns each set of nodes that a VM lists, except all of the host, the smallest first, with the VMs that are bound inside of it. */
export function boundVms<V>(vms: readonly V[], settingsOf: (vm: V) => SettingValues, host: HostModel): readonly BoundVms<V>[] {
  const bound = vms.flatMap((vm) => boundOf(vm, settingsOf(vm), host) ?? []);
  // VMs that are only pinned to CPUs are for another rule.
  const sets = new Map(
    bound.flatMap(({ byNode, nodes }) => (byNode && nodes.length < host.numaNodes ? [[nodes.join(), nodes] as const] : [])),
  );
  return [...sets.values()]
    .sort((a, b) => a.length - b.length)
    .map((nodes) => ({
      nodes,
      members: bound.filter((one) => one.nodes.every((node) => nodes.includes(node))),
      cores: nodes.length * coresPerNode(host),
    }));
}

/** Whether VMs take more than a capacity that each of them fits by itself. */
export const exceed = <V>(members: readonly Bound<V>[], what: "cores" | "memoryMiB", has: number): boolean =>
  total(members, what) > has && members.every((one) => one[what] <= has);

export const total = <V>(members: readonly Bound<V>[], what: "vcpus" | "cores" | "memoryMiB"): number =>
  members.reduce((sum, one) => sum + one[what], 0);
