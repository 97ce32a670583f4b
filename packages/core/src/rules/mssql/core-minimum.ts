import { LEAST_CORE_LICENCES } from "../../limits/sql-server.ts";
import { CORE_MINIMUM_DORSEY, CORE_MINIMUM_LIBRARY, SQL_2022_LICENSING } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "mssql/core-minimum",
  severity: "hint",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus"],
  messages: {
    fewer: (d: { vcpus: number; least: number }) =>
      `A VM that is licensed by core needs at least ${d.least} core licences, and this one has ${d.vcpus} ${d.vcpus === 1 ? "vCPU" : "vCPUs"}. Up to ${d.least} need no further licence.`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.licensing === "core" && (workload.edition === "standard" || workload.edition === "enterprise")
      ? holds(vcpus, (count = 1) => count < LEAST_CORE_LICENCES)
      : false,
  *check({ vm, workload }) {
    // 2008 R2 was licensed by processor.
    if (!vm.vcpus || workload.version === "2008r2") return;
    yield { messageId: "fewer", data: { vcpus: vm.vcpus.value, least: LEAST_CORE_LICENCES }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "SQL Server licensed by core counts at least 4 vCPUs for each VM",
  why: "A VM that is licensed by core needs a licence for each vCPU, and at least 4. With fewer vCPUs you pay for cores that the VM does not have.",
  whenNot:
    "When the licences cover all cores of the host: each VM then needs no licence of its own. Your contract decides, and this note is no legal advice.",
  evidence: { figure: "A VM with 2 vCPUs still needs licences for 4", source: SQL_2022_LICENSING },
  sources: [CORE_MINIMUM_LIBRARY, CORE_MINIMUM_DORSEY],
  bad: [
    { title: "2 vCPUs", workload: "mssql, standard, core", vmx: `numvcpus = "2"` },
    { title: "1 vCPU", workload: "mssql, enterprise, core", vmx: `numvcpus = "1"` },
  ],
  good: [
    { title: "4 vCPUs", workload: "mssql, standard, core", vmx: `numvcpus = "4"` },
    { title: "Server and CAL", workload: "mssql, standard, server-cal", vmx: `numvcpus = "2"` },
    { title: "Developer needs no core licence", workload: "mssql, developer, core", vmx: `numvcpus = "2"` },
  ],
});
