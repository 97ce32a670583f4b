import { NUMA_CONTROLS_DOC } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/memory",
  severity: "info",
  on: ["memoryAffinity"],
  reads: ["cpuAffinity", "memoryAffinity", "numaNodeAffinity"],
  messages: {
    memory: (d: { nodes: readonly number[] }) =>
      `The memory affinity (${d.nodes.join(",")}) turns off NUMA scheduling, so the vCPUs are not kept near that memory. Remove it, or set a NUMA node affinity instead.`,
  },
  applies: ({ memoryAffinity }) => holds(memoryAffinity, (nodes) => nodes !== undefined && nodes !== "all"),
  *check({ vm }) {
    const { cpuAffinity, memoryAffinity, numaNodeAffinity } = vm;
    if (!memoryAffinity || memoryAffinity.value === "all") return;
    // Another rule reports a contradiction with a node affinity. With a CPU affinity, both may be intended.
    if (numaNodeAffinity || (cpuAffinity && cpuAffinity.value !== "all")) return;
    const nodes = memoryAffinity.value;
    yield {
      messageId: "memory",
      data: { nodes },
      at: memoryAffinity.range,
      fixes: [unsafeFix("Remove the memory affinity", { memoryAffinity: "all" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory affinity turns off NUMA scheduling",
  why: "With a memory affinity, ESXi takes new pages from the listed nodes and turns off NUMA scheduling for the VM. Its vCPUs are no longer kept near that memory. A NUMA node affinity keeps both vCPUs and memory on the nodes.",
  whenNot: "When a CPU affinity holds the vCPUs on the same nodes, and you want both.",
  sources: [NUMA_CONTROLS_DOC],
  bad: [{ title: "Memory on node 0", vmx: `numvcpus = "8"\nsched.mem.affinity = "0"` }],
  good: [
    { title: "vCPUs and memory on node 0", vmx: `numvcpus = "8"\nnuma.nodeAffinity = "0"` },
    { title: "Any node", vmx: `numvcpus = "8"\nsched.mem.affinity = "all"` },
    { title: "CPUs pinned, too", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0-19"\nsched.mem.affinity = "0"` },
  ],
});
