import { AFFINITY_DOC, ORACLE_PARTITIONING } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { evenPinning, pinningFlaw, pinningOf } from "../../platforms/esxi/pinning.ts";
import { isPinned, pinningFixes } from "../cpu-affinity.ts";
import { builtinRule, type PageOf, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/too-few",
  severity: "warning",
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "cpuAffinity"],
  messages: {
    few: (d: { vcpus: number; pcpus: number; instead: readonly number[] | null }) =>
      `${d.vcpus} vCPUs are pinned to ${plural(d.pcpus, "logical CPU")} and take turns. ${
        d.instead ? `Pin them to ${d.vcpus} cores (${d.instead.join(",")}), or remove the affinity.` : "Remove the affinity."
      }`,
  },
  applies: isPinned,
  *check({ vm, host, ifKnown }) {
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all") return;
    const vcpus = vcpusOf(vm);
    const pinning = pinningOf(vm.cpuAffinity.value, host);
    if (pinningFlaw(pinning, vcpus, host) !== "too-few") return;
    const instead = evenPinning(vcpus, host, pinning, ifKnown("memoryAffinity")) ?? null;
    yield { messageId: "few", data: { vcpus, pcpus: pinning.pcpus, instead }, at: vm.cpuAffinity.range, fixes: pinningFixes(instead) };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM is pinned to fewer logical CPUs than vCPUs",
  why: "A vCPU runs on one logical CPU at a time, and the scheduler must stay on the list. If the list is shorter than the number of vCPUs, some vCPU always waits for another vCPU of the same VM.",
  whenNot:
    "When the VM is pinned to a few cores on purpose. Fewer cores save no Oracle licences: Oracle counts affinity and VMware as soft partitioning.",
  sources: [AFFINITY_DOC, ORACLE_PARTITIONING],
  bad: [{ title: "8 vCPUs on 7 cores", host: "dl580g7", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0,2,4,6,8,10,12"` }],
  good: [
    { title: "8 vCPUs on 8 cores", host: "dl580g7", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0,2,4,6,8,10,12,14"` },
    { title: "One vCPU on one core", host: "dl580g7", vmx: `numvcpus = "1"\nsched.cpu.affinity = "2"` },
  ],
});
