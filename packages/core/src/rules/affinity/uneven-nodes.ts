import { SQL55 } from "../../model/sources.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { evenPinning, pinningFlaw, pinningOf } from "../../platforms/esxi/pinning.ts";
import { isPinned, pinningFixes } from "../cpu-affinity.ts";
import { builtinRule, type PageOf, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/uneven-nodes",
  severity: "warning",
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "cpuAffinity"],
  messages: {
    uneven: (d: { vcpus: number; perNode: readonly number[]; instead: readonly number[] | null }) =>
      `${d.vcpus} vCPUs are pinned to ${groupText(d.perNode)} cores of ${d.perNode.length} NUMA nodes. ${
        d.instead ? `Pin them evenly (${d.instead.join(",")}), or remove the affinity.` : "Remove the affinity."
      }`,
  },
  applies: isPinned,
  *check({ vm, host, ifKnown }) {
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all") return;
    const vcpus = vcpusOf(vm);
    const pinning = pinningOf(vm.cpuAffinity.value, host);
    if (pinningFlaw(pinning, vcpus, host) !== "uneven") return;
    const instead = evenPinning(vcpus, host, pinning, ifKnown("memoryAffinity")) ?? null;
    yield {
      messageId: "uneven",
      data: { vcpus, perNode: pinning.perNode.filter((cores) => cores > 0), instead },
      at: vm.cpuAffinity.range,
      fixes: pinningFixes(instead),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM is pinned to unequal numbers of cores per node",
  why: "ESXi numbers the CPUs node by node, so a list of consecutive numbers fills the first node and puts the rest on the second. With only one core for each vCPU, the scheduler cannot balance the nodes, but the guest sees nodes of equal size.",
  whenNot: "When other pinned VMs use the remaining cores.",
  evidence: {
    figure:
      "16 vCPUs on 2 nodes of 10 cores: 8+8 cores gave more throughput than 10+6, and both more than 16 hyper-threads (figure 8, no number printed)",
    source: SQL55,
  },
  shared: { host: "dl580g7", vmx: `numvcpus = "16"` },
  bad: [{ title: "16 vCPUs on 10 + 6 cores", vmx: `sched.cpu.affinity = "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30"` }],
  good: [
    { title: "16 vCPUs on 8 + 8 cores", vmx: `sched.cpu.affinity = "0,2,4,6,8,10,12,14,20,22,24,26,28,30,32,34"` },
    { title: "16 vCPUs may choose among 10 + 8 cores", vmx: `sched.cpu.affinity = "0-35"` },
  ],
});
