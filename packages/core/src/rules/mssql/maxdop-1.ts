import { HOUSE_OF_BRICK, SQL_MAXDOP, SQL55 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

/** The study calls a VM of this size large; the cost threshold mattered from 8 vCPUs. */
const LARGE = 8;

export const rule = builtinRule({
  id: "mssql/maxdop-1",
  severity: "hint",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus"],
  messages: {
    serial: (d: { vcpus: number; most: number }) =>
      `MAXDOP 1 keeps every query of this data warehouse on one of ${d.vcpus} vCPUs. Set MAXDOP to 2 to ${d.most}.`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.maxdop === 1 && workload.profile === "warehouse" ? holds(vcpus, (count = 1) => count >= LARGE) : false,
  *check({ vm }) {
    if (vm.vcpus) yield { messageId: "serial", data: { vcpus: vm.vcpus.value, most: 8 }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "MAXDOP 1 limits each warehouse query to one vCPU",
  why: "MAXDOP 1 turns parallel plans off. A few long queries then use a few vCPUs of a large VM, and the rest idle.",
  whenNot: "For many short transactions: declare `profile: oltp`, or no profile.",
  evidence: {
    figure: 'MAXDOP 1 "is not recommended in a large virtual machine because it could result in unused virtual CPUs and wasted resources"',
    source: SQL55,
    against:
      "OLTP, orders a minute: best on 32 vCPUs with 64 threads, 542,351 (532,679 with 2, 153,877 with 4), and on 8 vCPUs with 16 threads, 152,782 (86,078 with 4); worst on 32 vCPUs with 2 threads, 13,589 (17,858 with 2).",
  },
  sources: [HOUSE_OF_BRICK, SQL_MAXDOP],
  bad: [{ title: "A warehouse of 8 vCPUs", workload: "mssql, warehouse, maxdop=1", vmx: `numvcpus = "8"` }],
  good: [
    { title: "OLTP", workload: "mssql, oltp, maxdop=1", vmx: `numvcpus = "8"` },
    { title: "A small VM", workload: "mssql, warehouse, maxdop=1", vmx: `numvcpus = "4"` },
    { title: "Parallel plans", workload: "mssql, warehouse, maxdop=4", vmx: `numvcpus = "8"` },
    { title: "Its profile is not declared", workload: "mssql, maxdop=1", vmx: `numvcpus = "8"` },
  ],
});
