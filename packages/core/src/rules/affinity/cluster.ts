import { AFFINITY_DOC } from "../../model/sources.ts";
import { names } from "../../model/words.ts";
import { isPinned, removeAffinity } from "../cpu-affinity.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/cluster",
  severity: "warning",
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["cpuAffinity"],
  messages: {
    moves: (d: { pcpus: number; others: readonly string[] }) =>
      `The affinity lists ${d.pcpus} logical CPUs of one machine, but the VM can also run on ${names(d.others)}. Remove the affinity, or keep the VM on one host.`,
  },
  applies: isPinned,
  *check({ vm, onOtherHosts }) {
    const otherHosts = onOtherHosts().map(({ host }) => host.name);
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all" || otherHosts.length === 0) return;
    yield {
      messageId: "moves",
      data: { pcpus: vm.cpuAffinity.value.length, others: otherHosts },
      at: vm.cpuAffinity.range,
      fixes: [removeAffinity],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM is pinned but can run on several hosts",
  why: "An affinity lists the logical CPUs of one machine. After a move, the same numbers mean other cores on other NUMA nodes, or cores that do not exist. Declare hosts that share VMs under clusters: in vmlint.yaml.",
  whenNot: "When a rule of the cluster keeps the VM on one host.",
  sources: [AFFINITY_DOC],
  shared: { host: "2x10x2@7.0", vmx: `numvcpus = "4"` },
  bad: [{ title: "Pinned, in a cluster of two", otherHosts: ["2x12x2@7.0"], vmx: `sched.cpu.affinity = "0,2,4,6"` }],
  good: [
    { title: "One host", vmx: `sched.cpu.affinity = "0,2,4,6"` },
    { title: "Not pinned", otherHosts: ["2x12x2@7.0"], vmx: `sched.cpu.affinity = "all"` },
  ],
});
