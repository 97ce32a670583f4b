import { NUMA_CONTROLS_DOC } from "../../model/sources.ts";
import { builtinRule, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/disables-numa",
  severity: "warning",
  on: ["numaNodeAffinity"],
  reads: ["cpuAffinity", "memoryAffinity", "numaNodeAffinity"],
  messages: {
    nodes: (d: { affinity: string; nodes: readonly number[] }) =>
      `The NUMA node affinity (${d.nodes.join(",")}) has no effect together with a ${d.affinity} affinity, which turns off NUMA scheduling for the VM. Remove the ${d.affinity} affinity.`,
  },
  *check({ vm }) {
    const cpus = vm.cpuAffinity && vm.cpuAffinity.value !== "all" ? vm.cpuAffinity : undefined;
    const memory = vm.memoryAffinity && vm.memoryAffinity.value !== "all" ? vm.memoryAffinity : undefined;
    const affinity = cpus ?? memory;
    if (!vm.numaNodeAffinity || !affinity) return;
    const { value: nodes, range } = vm.numaNodeAffinity;
    yield {
      messageId: "nodes",
      data: { affinity: cpus ? "CPU" : "memory", nodes },
      at: affinity.range,
      related: [{ message: "the node affinity", range }],
      fixes: [unsafeFix("Keep the node affinity alone", { ...(cpus && { cpuAffinity: "all" }), ...(memory && { memoryAffinity: "all" }) })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Pinning disables the VM's NUMA node affinity",
  why: "A NUMA node affinity asks the NUMA scheduler to keep the VM and its memory on some nodes. A CPU or memory affinity turns that scheduler off for the VM, so the node affinity has no effect.",
  whenNot: "Never: keep one of the two. The node affinity leaves ESXi free to balance inside the nodes.",
  sources: [NUMA_CONTROLS_DOC],
  bad: [
    { title: "Nodes and CPUs", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0-19"\nnuma.nodeAffinity = "0"` },
    { title: "Nodes and memory", vmx: `numvcpus = "8"\nsched.mem.affinity = "0"\nnuma.nodeAffinity = "0"` },
  ],
  good: [
    { title: "Nodes alone", vmx: `numvcpus = "8"\nsched.cpu.affinity = "all"\nnuma.nodeAffinity = "0"` },
    { title: "CPUs alone", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0-19"` },
  ],
});
