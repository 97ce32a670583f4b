import { SQL55 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

/** The default of SQL Server, and the smallest VM that suffered from it in the study. */
const DEFAULT = 5;
const LEAST_VCPUS = 8;

export const rule = builtinRule({
  id: "mssql/cost-threshold",
  severity: "hint",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus"],
  messages: {
    low: (d: { vcpus: number; costThreshold: number }) =>
      `A cost threshold for parallelism of ${d.costThreshold} makes short queries parallel on ${d.vcpus} vCPUs. Set it to 50, the study's value, and measure.`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.costThreshold === undefined || workload.costThreshold > DEFAULT || workload.profile === "warehouse" || workload.maxdop === 1
      ? false
      : holds(vcpus, (count = 1) => count >= LEAST_VCPUS),
  *check({ vm, workload }) {
    if (!vm.vcpus || workload.costThreshold === undefined) return;
    yield { messageId: "low", data: { vcpus: vm.vcpus.value, costThreshold: workload.costThreshold }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Cost threshold for parallelism is still the default 5",
  why: "SQL Server makes a parallel plan if the estimated cost of a query reaches the threshold. At 5, even short queries of a large VM run in parallel and wait for each other.",
  whenNot: "For a data warehouse: declare `profile: warehouse`. With MAXDOP 1 there are no parallel plans, and the threshold does nothing.",
  evidence: {
    figure:
      "5 gave very high response times in VMs of 8 or more vCPUs, above all for DVD Store's login query; 50 resolved it (no number printed)",
    source: SQL55,
    against: "The study used 50 for its own workload, and notes that each environment is different.",
  },
  bad: [{ title: "The default with 8 vCPUs", workload: "mssql, costThreshold=5", vmx: `numvcpus = "8"` }],
  good: [
    { title: "50", workload: "mssql, costThreshold=50", vmx: `numvcpus = "8"` },
    { title: "4 vCPUs", workload: "mssql, costThreshold=5", vmx: `numvcpus = "4"` },
    { title: "A data warehouse", workload: "mssql, costThreshold=5, warehouse", vmx: `numvcpus = "8"` },
    { title: "No parallel plans", workload: "mssql, costThreshold=5, maxdop=1", vmx: `numvcpus = "8"` },
  ],
});
