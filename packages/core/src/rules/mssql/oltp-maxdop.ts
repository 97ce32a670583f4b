import { HOUSE_OF_BRICK, SQL_MAXDOP } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** The first MAXDOP at which throughput fell, and the highest that was measured. */
const FALLS_AT = 4;
const MEASURED_TO = 6;

/** The default cost threshold of SQL Server; a higher one prevents parallel plans for short queries at any MAXDOP. */
const DEFAULT_THRESHOLD = 5;

export const rule = builtinRule({
  id: "mssql/oltp-maxdop",
  severity: "info",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus"],
  messages: {
    parallel: (d: { maxdop: number }) =>
      `MAXDOP ${d.maxdop} gives short transactions parallel plans: from 3 to 4, 16 sessions on 8 vCPUs fell from 147,618 to 86,078 orders a minute. Set MAXDOP to 1, 2 or 3, or raise the cost threshold.`,
  },
  applies: ({ vcpus }, _, { profile, maxdop = 0, costThreshold = DEFAULT_THRESHOLD } = { kind: "general" }) => {
    if (profile !== "oltp" || maxdop < FALLS_AT || maxdop > MEASURED_TO || costThreshold > DEFAULT_THRESHOLD) return false;
    return vcpus.state === "unknown" ? undefined : vcpus.state === "known" && vcpus.value >= FALLS_AT;
  },
  *check({ vm, workload }) {
    if (vm.vcpus && workload.maxdop !== undefined) yield { messageId: "parallel", data: { maxdop: workload.maxdop }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "MAXDOP lets short transactions run in parallel",
  why: "A parallel plan pays for starting and joining its threads. With many short transactions that costs more than it saves, and the threads wait for each other.",
  whenNot: "When a cost threshold keeps short queries serial, the same server runs large reports, or your own measurement says otherwise.",
  evidence: {
    figure:
      "DVD Store, orders a minute at MAXDOP 3 and 4 with 16 threads: 147,618 and 86,078 on 8 vCPUs, 136,376 and 112,365 on 32; less in every measured row from 2 to 100 threads",
    source: HOUSE_OF_BRICK,
    against:
      "Microsoft's guideline allows up to 8, and one benchmark on SQL Server 2008 R2 is not every database. MAXDOP 7 and more were not measured.",
  },
  sources: [SQL_MAXDOP],
  bad: [{ title: "4 for OLTP", workload: "mssql, oltp, maxdop=4", vmx: `numvcpus = "8"` }],
  good: [
    { title: "3", workload: "mssql, oltp, maxdop=3", vmx: `numvcpus = "8"` },
    { title: "8 was not measured", workload: "mssql, oltp, maxdop=8", vmx: `numvcpus = "8"` },
    { title: "A warehouse", workload: "mssql, warehouse, maxdop=4", vmx: `numvcpus = "8"` },
    { title: "A cost threshold of 50", workload: "mssql, oltp, maxdop=4, costThreshold=50", vmx: `numvcpus = "8"` },
    { title: "3 vCPUs run no plan of 4", workload: "mssql, oltp, maxdop=4", vmx: `numvcpus = "3"` },
  ],
});
