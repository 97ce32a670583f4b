import { SQL_CAPACITY, SQL55 } from "../../model/sources.ts";
import { builtinRule, hasVirtualThreads, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

/** SQL Server Enterprise under Server+CAL uses at most this many logical processors in a VM. */
const LIMIT = 20;

export const rule = builtinRule({
  id: "mssql/enterprise-cal-20",
  severity: "error",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus"],
  messages: {
    capped: (d: { vcpus: number; usable: number }) =>
      `Enterprise edition with Server+CAL licences can use ${d.usable} of these ${d.vcpus} vCPUs. Use ${d.usable}, or license it by core.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > LIMIT),
  *check({ vm, workload, ifKnown }) {
    if (workload.edition === undefined) return yield { skip: "workload-incomplete", lacks: ["edition"] };
    if (workload.edition !== "enterprise" || !vm.vcpus) return;
    if (workload.licensing === undefined) return yield { skip: "workload-incomplete", lacks: ["licensing"] };
    // 2008 R2 was not licensed by core, and its Server+CAL had other limits.
    if (workload.licensing !== "server-cal" || workload.version === "2008r2" || vm.vcpus.value <= LIMIT) return;
    // No source says whether the threads of a virtual core count as one.
    if (hasVirtualThreads(ifKnown)) return yield { skip: "layout-unknown" };
    yield {
      messageId: "capped",
      data: { vcpus: vm.vcpus.value, usable: LIMIT },
      at: vm.vcpus.range,
      fixes: [useVcpus(LIMIT)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than Enterprise with Server+CAL licences can use",
  why: "Enterprise edition licensed by Server and CAL stops at 20 logical processors. In a VM every vCPU is one, so in a larger VM you pay for CPUs the database never uses, without an error message.",
  whenNot: "When the instance is licensed by core: declare `licensing: core`.",
  evidence: {
    figure: 'ERRORLOG of a 32-vCPU VM: "32 total logical processors; using 20 logical processors based on SQL Server licensing"',
    source: SQL55,
  },
  sources: [SQL_CAPACITY],
  bad: [
    { title: "32 vCPUs", workload: "mssql, enterprise, 2012, server-cal", vmx: `numvcpus = "32"` },
    { title: "21 vCPUs", workload: "mssql, enterprise, server-cal", vmx: `numvcpus = "21"` },
  ],
  good: [
    { title: "20 vCPUs", workload: "mssql, enterprise, server-cal", vmx: `numvcpus = "20"` },
    { title: "Licensed by core", workload: "mssql, enterprise, core", vmx: `numvcpus = "32"` },
  ],
});
