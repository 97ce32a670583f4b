import { nodeMiB, ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { coresPerNode, type HostModel, pcpusOf } from "../../model/host.ts";
import { sequence } from "../../model/sequence.ts";
import { NUMA_CONTROLS_DOC } from "../../model/sources.ts";
import { list, names, plural } from "../../model/words.ts";
import { defineRule, holds, type Neighbour, vcpusOf } from "../define.ts";

type Vm = Neighbour<"vcpus" | "memoryMiB" | "numaNodeAffinity" | "cpuAffinity" | "preferHt">;

/** A VM with the nodes that it is bound to. */
interface Bound {
  readonly vm: Vm;
  readonly nodes: readonly number[];
  /** Cores that its vCPUs fill: with preferHT, a core takes as many vCPUs as it has threads. */
  readonly cores: number;
  /** Memory that must be local; CPU affinity alone binds none. */
  readonly memoryMiB: number;
}

/** VMs that are bound to nodes of one set. */
interface Together {
  readonly nodes: readonly number[];
  readonly members: readonly Bound[];
}

export const rule = defineRule({
  id: "affinity/node-overlap",
  since: "0.1.0",
  severity: "warning",
  summary: "VMs of one host are bound to the same NUMA nodes",
  why: "ESXi runs a VM with numa.nodeAffinity on those nodes alone, and takes its memory there. If several VMs are bound to the same nodes, their vCPUs share its cores while other nodes have free ones, and memory beyond that of the nodes cannot be local. A VM that is pinned to CPUs of a node counts with its vCPUs.",
  whenNot: "When these VMs are not busy at the same time, or share few cores on purpose.",
  evidence: null,
  sources: [NUMA_CONTROLS_DOC],
  over: "host",
  on: ["numaNodeAffinity", "cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "memoryMiB", "numaNodeAffinity", "cpuAffinity", "preferHt"],
  messages: {
    cores: (d: { vms: readonly string[]; vcpus: number; nodes: readonly number[]; cores: number; others: number }) =>
      `${names(d.vms)} are bound to NUMA node${d.nodes.length === 1 ? "" : "s"} ${list(d.nodes, "and")}: together ${d.vcpus} vCPUs on ${plural(d.cores, "core")}, while ${plural(d.others, "other node")} may have free cores. Bind them to different nodes, or remove numa.nodeAffinity.`,
    memory: (d: { vms: readonly string[]; memoryGiB: number; nodes: readonly number[]; nodesGiB: number }) =>
      `${names(d.vms)} are bound to NUMA node${d.nodes.length === 1 ? "" : "s"} ${list(d.nodes, "and")} with together ${d.memoryGiB} GiB of memory, and ${d.nodes.length === 1 ? "it has" : "these have"} ${d.nodesGiB} GiB. Bind them to different nodes, or remove numa.nodeAffinity.`,
  },
  bad: [
    {
      title: "Two VMs of 16 vCPUs on a node of 16 cores",
      host: "2x16x2:256@8.0",
      vmx: [
        `displayName = "a"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
      ],
      expect: "cores",
    },
    {
      title: "160 GiB on a node of 128",
      host: "2x16x2:256@8.0",
      vmx: [
        `displayName = "a"\nnumvcpus = "4"\nmemSize = "81920"\nnuma.nodeAffinity = "1"`,
        `displayName = "b"\nnumvcpus = "4"\nmemSize = "81920"\nnuma.nodeAffinity = "1"`,
      ],
      expect: "memory",
    },
  ],
  good: [
    {
      title: "A node each",
      host: "2x16x2:256@8.0",
      vmx: [
        `displayName = "a"\nnumvcpus = "16"\nmemSize = "98304"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "98304"\nnuma.nodeAffinity = "1"`,
      ],
    },
    {
      title: "Both fit the node",
      host: "2x16x2:256@8.0",
      vmx: [
        `displayName = "a"\nnumvcpus = "8"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "8"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
      ],
    },
    {
      title: "All nodes of the host",
      host: "2x16x2:256@8.0",
      vmx: [
        `displayName = "a"\nnumvcpus = "32"\nmemSize = "32768"\nnuma.nodeAffinity = "0,1"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0,1"`,
      ],
    },
  ],
  applies: ({ numaNodeAffinity, cpuAffinity }) =>
    holds(numaNodeAffinity, (nodes) => nodes !== undefined) !== false || holds(cpuAffinity, (cpus) => cpus !== undefined && cpus !== "all"),
  *check({ host, vms }) {
    const bound = vms.flatMap((vm) => boundOf(vm, host) ?? []);
    const reported = new Set<string>();
    for (const { nodes, members } of setsOf(bound)) {
      const last = members.at(-1);
      const key = members.map(({ vm }) => vm.name).join("\n");
      if (!last || members.length < 2 || reported.has(key)) continue;
      const perNode = { cores: coresPerNode(host), memoryMiB: nodeMiB(host) };
      const cores = nodes.length * perNode.cores;
      const shared = {
        on: last.vm,
        at: placeOf(last.vm),
        related: members.slice(0, -1).map(({ vm }) => ({ on: vm, at: placeOf(vm), message: `${vm.name} is bound here` })),
      };
      const vmNames = members.map(({ vm }) => vm.name);
      // Another rule reports a VM that does not fit its nodes by itself.
      const isFull = sum(members, "cores") > cores && members.every((one) => one.cores <= cores);
      if (isFull && nodes.length < host.numaNodes) {
        reported.add(key);
        const vcpus = members.reduce((total, { vm }) => total + vcpusOf(vm.vm), 0);
        yield { messageId: "cores", data: { vms: vmNames, vcpus, nodes, cores, others: host.numaNodes - nodes.length }, ...shared };
      }
      const memoryMiB = sum(members, "memoryMiB");
      const most = perNode.memoryMiB === undefined ? undefined : nodes.length * perNode.memoryMiB;
      if (most === undefined || memoryMiB <= most || members.some((one) => one.memoryMiB > most)) continue;
      reported.add(key);
      yield { messageId: "memory", data: { vms: vmNames, memoryGiB: shownGiB(memoryMiB), nodes, nodesGiB: ownedGiB(most) }, ...shared };
    }
  },
});

const sum = (members: readonly Bound[], what: "cores" | "memoryMiB"): number => members.reduce((total, one) => total + one[what], 0);

/** `undefined` for a VM that may run on every node, or on nodes that the host lacks. */
function boundOf(neighbour: Vm, host: HostModel): Bound | undefined {
  const { vm } = neighbour;
  const pinned = vm.cpuAffinity && vm.cpuAffinity.value !== "all" ? new Set(vm.cpuAffinity.value) : undefined;
  const nodes = pinned
    ? sequence(host.numaNodes, (node) => node).filter((node) => pcpusOf(host, node).some((pcpu) => pinned.has(pcpu)))
    : vm.numaNodeAffinity?.value;
  if (!nodes || nodes.length === 0 || nodes.some((node) => node >= host.numaNodes)) return undefined;
  const perCore = vm.preferHt?.value ? host.threadsPerCore : 1;
  return { vm: neighbour, nodes, cores: vcpusOf(vm) / perCore, memoryMiB: pinned ? 0 : (vm.memoryMiB?.value ?? 0) };
}

/** Each set of nodes that a VM lists, the smallest first, with the VMs that are bound inside of it. */
function setsOf(bound: readonly Bound[]): readonly Together[] {
  // VMs that are only pinned to CPUs are for another rule.
  const sets = new Map(bound.flatMap(({ vm, nodes }) => (vm.vm.numaNodeAffinity ? [[nodes.join(), nodes] as const] : [])));
  return [...sets.values()]
    .sort((a, b) => a.length - b.length)
    .map((nodes) => ({ nodes, members: bound.filter((one) => one.nodes.every((node) => nodes.includes(node))) }));
}

const placeOf = ({ vm }: Vm) => (vm.numaNodeAffinity ?? vm.cpuAffinity)?.range ?? vm.range;
