import { boundVms, exceed, total } from "../../advice/bound-vms.ts";
import { nodeMiB, ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { NUMA_CONTROLS_DOC } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { list, names, plural } from "../../model/words.ts";
import { builtinRule, holds, type Neighbour, type PageOf, vcpusOf } from "../define.ts";

type Vm = Neighbour<"vcpus" | "memoryMiB" | "numaNodeAffinity" | "cpuAffinity" | "preferHt">;

/** The VMs of a message; in a cluster, VMs that HA or DRS may bring together. */
interface Shared {
  readonly vms: readonly string[];
  readonly nodes: readonly number[];
  readonly cluster: boolean;
}

const boundWords = ({ vms, nodes, cluster }: Shared): string =>
  `${names(vms)} are bound to NUMA node${nodes.length === 1 ? "" : "s"} ${list(nodes, "and")}${cluster ? " of any host of their cluster, where HA or DRS may bring them together" : ""}`;

const ADVICE = "Bind them to different nodes, or remove numa.nodeAffinity.";

export const rule = builtinRule({
  id: "affinity/node-overlap",
  severity: "warning",
  severities: { clusterCores: "info", clusterMemory: "info" },
  over: "host",
  alsoInCluster: true,
  on: ["numaNodeAffinity", "cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "memoryMiB", "numaNodeAffinity", "cpuAffinity", "preferHt"],
  messages: { cores: coresSentence, memory: memorySentence, clusterCores: coresSentence, clusterMemory: memorySentence },
  applies: ({ numaNodeAffinity, cpuAffinity }) =>
    holds(numaNodeAffinity, (nodes) => nodes !== undefined) !== false || holds(cpuAffinity, (cpus) => cpus !== undefined && cpus !== "all"),
  *check({ host, vms, isCluster = false }) {
    const reported = new Set<string>();
    for (const { nodes, members, cores } of boundVms(vms, settingsOf, host)) {
      const vmNames = members.map(({ vm }) => vm.name);
      const key = vmNames.join("\n");
      const last = members.at(-1);
      if (!last || members.length < 2 || reported.has(key)) continue;
      const most = nodes.length * (nodeMiB(host) ?? Number.POSITIVE_INFINITY);
      // Another rule reports a VM that does not fit its nodes by itself.
      const [lacksCores, lacksMemory] = [exceed(members, "cores", cores), exceed(members, "memoryMiB", most)];
      if (lacksCores || lacksMemory) reported.add(key);
      const shared = { vms: vmNames, nodes, cluster: isCluster };
      const place = {
        on: last.vm,
        at: placeOf(last.vm),
        related: members.slice(0, -1).map(({ vm }) => ({ on: vm, at: placeOf(vm), message: `${vm.name} is bound here` })),
      };
      if (lacksCores) {
        const data = { ...shared, vcpus: total(members, "vcpus"), cores, others: host.numaNodes - nodes.length };
        yield { messageId: isCluster ? "clusterCores" : "cores", data, ...place };
      }
      if (lacksMemory) {
        const data = { ...shared, memoryGiB: shownGiB(total(members, "memoryMiB")), nodesGiB: ownedGiB(most) };
        yield { messageId: isCluster ? "clusterMemory" : "memory", data, ...place };
      }
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VMs of one host are bound to the same NUMA nodes",
  why: "ESXi runs a VM with numa.nodeAffinity on those nodes alone, and takes its memory there. If several VMs are bound to the same nodes, their vCPUs share its cores while other nodes have free ones, and memory beyond that of the nodes cannot be local. A VM that is pinned to CPUs of a node counts with its vCPUs. In a cluster, the list is the same on each host, and nothing keeps such VMs on different ones.",
  whenNot: "When these VMs are not busy at the same time, or share few cores on purpose. In a cluster also when a rule keeps them apart.",
  sources: [NUMA_CONTROLS_DOC],
  shared: { host: "2x16x2:256@8.0" },
  bad: [
    {
      title: "Two VMs of 16 vCPUs on a node of 16 cores",
      vmx: [
        `displayName = "a"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
      ],
      expect: "cores",
    },
    {
      title: "160 GiB on a node of 128",
      vmx: [
        `displayName = "a"\nnumvcpus = "4"\nmemSize = "81920"\nnuma.nodeAffinity = "1"`,
        `displayName = "b"\nnumvcpus = "4"\nmemSize = "81920"\nnuma.nodeAffinity = "1"`,
      ],
      expect: "memory",
    },
    {
      title: "Two VMs of a cluster",
      host: "r640",
      otherHosts: ["r930"],
      vmx: [
        `displayName = "a"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
      ],
      expect: "clusterCores",
    },
    {
      title: "480 GiB on a node of 384, in a cluster",
      host: "r640",
      otherHosts: ["dual-8380"],
      vmx: [
        `displayName = "a"\nnumvcpus = "4"\nmemSize = "245760"\nnuma.nodeAffinity = "1"`,
        `displayName = "b"\nnumvcpus = "4"\nmemSize = "245760"\nnuma.nodeAffinity = "1"`,
      ],
      expect: "clusterMemory",
    },
  ],
  good: [
    {
      title: "A node each",
      vmx: [
        `displayName = "a"\nnumvcpus = "16"\nmemSize = "98304"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "98304"\nnuma.nodeAffinity = "1"`,
      ],
    },
    {
      title: "Both fit the node",
      vmx: [
        `displayName = "a"\nnumvcpus = "8"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
        `displayName = "b"\nnumvcpus = "8"\nmemSize = "32768"\nnuma.nodeAffinity = "0"`,
      ],
    },
    {
      title: "All nodes of the host",
      vmx: [
        `displayName = "a"\nnumvcpus = "32"\nmemSize = "32768"\nnuma.nodeAffinity = "0,1"`,
        `displayName = "b"\nnumvcpus = "16"\nmemSize = "32768"\nnuma.nodeAffinity = "0,1"`,
      ],
    },
  ],
});

const settingsOf = ({ vm }: Vm): SettingValues => ({
  vcpus: vcpusOf(vm),
  ...(vm.memoryMiB && { memoryMiB: vm.memoryMiB.value }),
  ...(vm.cpuAffinity && { cpuAffinity: vm.cpuAffinity.value }),
  ...(vm.numaNodeAffinity && { numaNodeAffinity: vm.numaNodeAffinity.value }),
  ...(vm.preferHt && { preferHt: vm.preferHt.value }),
});

function coresSentence(d: Shared & { vcpus: number; cores: number; others: number }): string {
  return `${boundWords(d)}: ${d.vcpus} vCPUs on ${plural(d.cores, "core")}, while ${plural(d.others, "other node")} may have free cores. ${ADVICE}`;
}

function memorySentence(d: Shared & { memoryGiB: number; nodesGiB: number }): string {
  return `${boundWords(d)}, with ${d.memoryGiB} GiB of memory, and ${d.nodes.length === 1 ? "it has" : "these have"} ${d.nodesGiB} GiB. ${ADVICE}`;
}

const placeOf = ({ vm }: Vm) => (vm.numaNodeAffinity ?? vm.cpuAffinity)?.range ?? vm.range;
