import { nodeMiB, nodesForMemory, ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { coresPerNode } from "../../model/host.ts";
import { NUMA_CONTROLS_DOC, ORACLE_PARTITIONING } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, hasVirtualThreads, type PageOf, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/node-affinity-size",
  severity: "warning",
  on: ["numaNodeAffinity"],
  needs: ["host"],
  reads: ["vcpus", "memoryMiB", "numaNodeAffinity", "preferHt", "cpuAffinity", "memoryAffinity"],
  messages: {
    cores: (d: { vcpus: number; nodes: readonly number[]; cores: number; unit: string; needed: number | null }) =>
      `NUMA node${d.nodes.length === 1 ? "" : "s"} ${d.nodes.join(",")} ${d.nodes.length === 1 ? "has" : "have"} ${plural(d.cores, d.unit)} for ${d.vcpus} vCPUs. ${d.needed === null ? "Remove numa.nodeAffinity." : `List ${plural(d.needed, "node")} in numa.nodeAffinity, or remove it.`}`,
    memory: (d: { memoryGiB: number; nodes: readonly number[]; nodesGiB: number; needed: number }) =>
      `NUMA node${d.nodes.length === 1 ? "" : "s"} ${d.nodes.join(",")} ${d.nodes.length === 1 ? "has" : "have"} ${d.nodesGiB} GiB for a VM of ${d.memoryGiB} GiB. List ${plural(d.needed, "node")} in numa.nodeAffinity, or remove it.`,
  },
  *check({ vm, host, ifKnown }) {
    if (!vm.numaNodeAffinity || isSet(vm.cpuAffinity?.value) || isSet(vm.memoryAffinity?.value)) return;
    const { value: nodes, range: at } = vm.numaNodeAffinity;
    // Another rule reports a node that the host lacks: the list was made for another host.
    if (nodes.some((node) => node >= host.numaNodes)) return;
    const vcpus = vcpusOf(vm);
    // With virtual hyper-threading two vCPUs are the threads of one core.
    const takesThreads = hasVirtualThreads(ifKnown) || (vm.preferHt?.value ?? host.preferHt ?? false);
    const isPreferred = takesThreads && host.threadsPerCore > 1;
    const perNode = coresPerNode(host) * (isPreferred ? host.threadsPerCore : 1);
    const cores = nodes.length * perNode;
    const forMemory = nodesForMemory(vm.memoryMiB?.value, host);
    const needed = Math.max(Math.ceil(vcpus / perNode), forMemory);
    if (vcpus > cores) {
      const unit = isPreferred ? "thread" : "core";
      yield { messageId: "cores", data: { vcpus, nodes, cores, unit, needed: needed > host.numaNodes ? null : needed }, at };
    }
    if (!vm.memoryMiB) return;
    const memoryPerNode = nodeMiB(host);
    if (memoryPerNode === undefined) return yield { skip: "host-incomplete", lacks: ["memoryGiB"] };
    if (forMemory <= nodes.length || needed > host.numaNodes || vm.memoryMiB.value > memoryPerNode * host.numaNodes) return;
    yield {
      messageId: "memory",
      data: { memoryGiB: shownGiB(vm.memoryMiB.value), nodes, nodesGiB: ownedGiB(nodes.length * memoryPerNode), needed },
      at,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Nodes of the NUMA node affinity are too small",
  why: "With numa.nodeAffinity ESXi runs the VM's vCPUs on these nodes alone and takes its memory there. vCPUs beyond their cores share cores while others are free, and memory beyond theirs cannot be local.",
  whenNot:
    "When the VM is kept on few cores on purpose. Fewer cores save no Oracle licences: Oracle counts affinity and VMware as soft partitioning.",
  sources: [NUMA_CONTROLS_DOC, ORACLE_PARTITIONING],
  shared: { host: "2x10x2:512@7.0", vmx: `virtualHW.version = "17"` },
  bad: [
    { title: "12 vCPUs on a node of 10 cores", vmx: `numvcpus = "12"\nnuma.nodeAffinity = "0"`, expect: "cores" },
    { title: "300 GiB on a node of 256 GiB", vmx: `numvcpus = "8"\nmemSize = "307200"\nnuma.nodeAffinity = "0"`, expect: "memory" },
  ],
  good: [
    { title: "10 vCPUs and 256 GiB on one node", vmx: `numvcpus = "10"\nmemSize = "262144"\nnuma.nodeAffinity = "0"` },
    { title: "12 vCPUs on 20 threads, by preferHT", vmx: `numvcpus = "12"\nnuma.vcpu.preferHT = "TRUE"\nnuma.nodeAffinity = "0"` },
  ],
});

const isSet = (affinity: readonly number[] | "all" | undefined): boolean => affinity !== undefined && affinity !== "all";
