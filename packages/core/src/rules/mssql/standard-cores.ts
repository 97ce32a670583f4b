import { sqlLimits } from "../../limits/sql-server.ts";
import { SQL_2014_CAPACITY, SQL_2025_CAPACITY, SQL_CAPACITY } from "../../model/sources.ts";
import { builtinRule, hasVirtualThreads, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "mssql/standard-cores",
  severity: "warning",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus"],
  messages: {
    // Another rule reports sockets that let it use even fewer.
    capped: (d: { vcpus: number; cores: number; sockets: number; version: string }) =>
      `Standard edition of SQL Server ${d.version} can use at most ${d.cores} of these ${d.vcpus} vCPUs. Give the VM ${d.cores} in at most ${d.sockets} sockets, or license Enterprise.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 16),
  *check({ vm, workload, ifKnown }) {
    if (workload.edition === undefined) return yield { skip: "workload-incomplete", lacks: ["edition"] };
    if (!vm.vcpus || workload.edition !== "standard") return;
    if (workload.version === undefined) return yield { skip: "workload-incomplete", lacks: ["version"] };
    const [limit] = sqlLimits(workload);
    const vcpus = vm.vcpus.value;
    if (!limit || limit.sockets === null || limit.cores === null || vcpus <= limit.cores) return;
    // No source says whether the threads of a virtual core count as one.
    if (hasVirtualThreads(ifKnown)) return yield { skip: "layout-unknown" };
    yield {
      messageId: "capped",
      data: { vcpus, cores: limit.cores, sockets: limit.sockets, version: workload.version },
      at: vm.vcpus.range,
      fixes: [useVcpus(limit.cores)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than SQL Server Standard can use",
  why: "Standard edition uses the lesser of 4 sockets and a number of cores: 16 in 2012 and 2014, 24 from 2016 to 2022, 32 in 2025. In a VM it counts the logical processors the guest sees, so every vCPU above the limit stays idle and is scheduled all the same.",
  whenNot: "When several instances or other software share the guest: the limit applies to each instance.",
  evidence: { figure: "Standard: 24 cores until 2022, 32 in 2025; on the page of 2014: 16", source: SQL_CAPACITY },
  sources: [SQL_2014_CAPACITY, SQL_2025_CAPACITY],
  bad: [
    { title: "25 vCPUs for 2019", workload: "mssql, standard, 2019", vmx: `numvcpus = "25"` },
    { title: "17 vCPUs for 2012", workload: "mssql, standard, 2012", vmx: `numvcpus = "17"` },
    { title: "33 vCPUs for 2025", workload: "mssql, standard, 2025", vmx: `numvcpus = "33"` },
  ],
  good: [
    { title: "24 vCPUs for 2022", workload: "mssql, standard, 2022", vmx: `numvcpus = "24"` },
    { title: "16 vCPUs for any version", workload: "mssql, standard", vmx: `numvcpus = "16"` },
  ],
});
