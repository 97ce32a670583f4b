import { AFFINITY_DOC, LATENCY_55, LATENCY_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isPinned, removeAffinity } from "../cpu-affinity.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/with-latency-high",
  severity: "info",
  on: ["cpuAffinity"],
  reads: ["cpuAffinity", "latencySensitivity"],
  messages: {
    pinned: (d: { pcpus: number }) =>
      `Latency sensitivity High needs an exclusive core for each vCPU, but the affinity allows only ${plural(d.pcpus, "logical CPU")}. Remove the affinity.`,
  },
  applies: isPinned,
  *check({ vm }) {
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all" || vm.latencySensitivity?.value !== "high") return;
    yield { messageId: "pinned", data: { pcpus: vm.cpuAffinity.value.length }, at: vm.cpuAffinity.range, fixes: [removeAffinity] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM with latency sensitivity High is also pinned",
  why: "Latency sensitivity High gives each vCPU an exclusive core if one is free. An affinity reserves no CPU: other VMs can run on the same CPUs. It only limits the choice of cores and turns off NUMA scheduling.",
  whenNot: "When the VM must stay near a device of one node, and a NUMA node affinity is not enough.",
  sources: [LATENCY_55, LATENCY_DOC, AFFINITY_DOC],
  bad: [{ title: "High and pinned", vmx: `sched.cpu.latencySensitivity = "high"\nsched.cpu.affinity = "0,2,4,6"` }],
  good: [
    { title: "High alone", vmx: `sched.cpu.latencySensitivity = "high"\nsched.cpu.affinity = "all"` },
    { title: "Pinned alone", vmx: `sched.cpu.latencySensitivity = "normal"\nsched.cpu.affinity = "0,2,4,6"` },
  ],
});
