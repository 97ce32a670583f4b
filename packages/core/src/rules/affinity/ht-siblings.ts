import { AFFINITY_DOC, ORACLE_PARTITIONING, SQL55 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { evenPinning, pinningFlaw, pinningOf } from "../../platforms/esxi/pinning.ts";
import { isPinned, pinningFixes } from "../cpu-affinity.ts";
import { builtinRule, hasVirtualThreads, type PageOf, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/ht-siblings",
  severity: "warning",
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "cpuAffinity"],
  messages: {
    siblings: (d: { vcpus: number; pcpus: number; cores: number; siblingPairs: number; instead: readonly number[] | null }) =>
      `${d.vcpus} vCPUs are pinned to ${d.pcpus} hyper-threads of only ${plural(d.cores, "core")}. ${
        d.instead
          ? `Pin them to one thread of each of ${d.vcpus} cores (${d.instead.join(",")}), or remove the affinity.`
          : "Remove the affinity."
      }`,
  },
  applies: isPinned,
  *check({ vm, host, ifKnown }) {
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all") return;
    // With virtual hyper-threading two vCPUs are the threads of one core, and the guest knows it.
    if (hasVirtualThreads(ifKnown)) return;
    const vcpus = vcpusOf(vm);
    const pinning = pinningOf(vm.cpuAffinity.value, host);
    if (pinningFlaw(pinning, vcpus, host) !== "siblings") return;
    const { pcpus, cores, siblingPairs } = pinning;
    const instead = evenPinning(vcpus, host, pinning, ifKnown("memoryAffinity")) ?? null;
    const fixes = pinningFixes(instead, `Pin to ${vcpus} cores: `);
    yield { messageId: "siblings", data: { vcpus, pcpus, cores, siblingPairs, instead }, at: vm.cpuAffinity.range, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "vCPUs are pinned to hyper-threads of the same cores",
  why: "The two hyper-threads of a core share its execution units and caches. ESXi numbers them in pairs: logical CPUs 0 and 1 are the first core. The list 0-7 has four cores, not eight, and ESXi uses no other core for the VM.",
  whenNot:
    "When the VM must share a few cores on purpose, or when all cores of the host are in the list. Fewer cores save no Oracle licences: Oracle counts affinity and VMware as soft partitioning.",
  evidence: {
    figure:
      "92,712 operations a minute on 8 cores, 58,145 on 8 hyper-threads of 4 cores: cores did 59 % better; 16 cores on two nodes did 30 % better than 16 hyper-threads (8 and 16 vCPUs, SQL Server 2012, 4 x Xeon E7-4870)",
    source: SQL55,
    against:
      "The authors put the cost of the second node at about 19 %. Hyper-threading itself gained 27 % in the same study: threads cost only if other cores stay idle.",
  },
  sources: [AFFINITY_DOC, ORACLE_PARTITIONING],
  bad: [
    { title: "8 vCPUs on the hyper-threads of 4 cores", host: "dl580g7", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0,1,2,3,4,5,6,7"` },
    { title: "16 vCPUs on the hyper-threads of 8 cores", host: "dl580g7", vmx: `numvcpus = "16"\nsched.cpu.affinity = "0-15"` },
  ],
  good: [
    { title: "8 vCPUs on 8 cores", host: "dl580g7", vmx: `numvcpus = "8"\nsched.cpu.affinity = "0,2,4,6,8,10,12,14"` },
    { title: "2 vCPUs may use both threads of 4 cores", host: "dl580g7", vmx: `numvcpus = "2"\nsched.cpu.affinity = "0-7"` },
  ],
});
