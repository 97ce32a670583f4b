import { LARGE_VM, MEASURED_MAXDOP, measuredSessions, type Orders, ordersAt, SMALL_VM } from "../../limits/vcpu-study.ts";
import { HOUSE_OF_BRICK } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

interface MeasuredLoss {
  readonly vcpus: number;
  readonly concurrency: number;
  /** The sessions of the quoted run. */
  readonly sessions: number;
  readonly maxdop: number;
  /** The percentage of orders that the larger VM lost. */
  readonly fewer: number;
}

/** Returns the run that the smaller VM won; null if there is none, `undefined` if MAXDOP must be declared. */
function lostBy({ concurrency, maxdop }: Workload): (Orders & { readonly sessions: number; readonly maxdop: number }) | null | undefined {
  const sessions = concurrency === undefined ? undefined : measuredSessions(concurrency);
  if (sessions === undefined) return null;
  const runs = (maxdop === undefined ? MEASURED_MAXDOP : [maxdop]).map((setting) => ({
    maxdop: setting,
    orders: ordersAt(sessions, setting),
  }));
  const lost = runs.flatMap(({ maxdop, orders }) => (orders && orders.large < orders.small ? { ...orders, sessions, maxdop } : []));
  if (lost.length === 0) return null;
  if (lost.length < runs.length) return undefined;
  // Among several possible runs, only the smallest difference is certain.
  return lost.toSorted((a, b) => b.large / b.small - a.large / a.small)[0];
}

export const rule = builtinRule({
  id: "mssql/over-allocation",
  severity: "info",
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  presets: ["recommended"],
  reads: ["vcpus"],
  messages: {
    idle: (d: MeasuredLoss) =>
      `${d.vcpus} vCPUs are many for ${plural(d.concurrency, "busy session")}: with ${d.sessions} sessions at MAXDOP ${d.maxdop}, ${LARGE_VM} vCPUs made ${d.fewer} % fewer orders than ${SMALL_VM}. Use ${SMALL_VM}, or measure both.`,
    always: (d: MeasuredLoss) =>
      `${d.vcpus} vCPUs are many for ${plural(d.concurrency, "busy session")}: with ${d.sessions} sessions, ${LARGE_VM} vCPUs made at least ${d.fewer} % fewer orders than ${SMALL_VM} at every MAXDOP from 1 to 6. Use ${SMALL_VM}, or measure both.`,
  },
  applies: ({ vcpus }, _, workload) => (workload && lostBy(workload) !== null ? holds(vcpus, (count = 1) => count >= LARGE_VM) : false),
  *check({ vm, workload }) {
    const lost = lostBy(workload);
    if (lost === undefined) return yield { skip: "workload-incomplete", lacks: ["maxdop"] };
    if (!vm.vcpus || !lost || workload.concurrency === undefined) return;
    const { sessions, maxdop, small, large } = lost;
    const fewer = Number((100 * (1 - large / small)).toFixed(1));
    yield {
      messageId: workload.maxdop === undefined ? "always" : "idle",
      data: { vcpus: vm.vcpus.value, concurrency: workload.concurrency, sessions, maxdop, fewer },
      at: vm.vcpus.range,
      fixes: [useVcpus(SMALL_VM)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than few busy sessions can use",
  why: "ESXi schedules idle vCPUs too, and SQL Server spreads its work over all of them. With few busy sessions a smaller VM is faster.",
  whenNot: "When the load grows past the declared sessions, or few queries run in parallel on many vCPUs.",
  evidence: {
    figure:
      "Orders a minute on 8 and on 32 vCPUs, MAXDOP 1: 2 threads 19,277 and 13,589; 8 threads 76,590 and 63,910; 16 threads 152,782 and 135,484; 32 threads 298,444 and 274,629; with MAXDOP 2 and 3 the smaller VM won up to 32 threads too (SQL Server 2008 R2, ESXi 5.0 U1)",
    source: HOUSE_OF_BRICK,
    against:
      "64 threads 487,146 and 542,351, 100 threads with MAXDOP 2 375,301 and 539,928: the larger VM wins once it is busy. With MAXDOP 4 it won earlier: 16 threads 86,078 and 112,365, 8 threads 57,508 and 61,412. No size between 8 and 32 was measured.",
  },
  bad: [
    { title: "32 vCPUs for 8 sessions", workload: "mssql, concurrency=8, maxdop=1", vmx: `numvcpus = "32"`, expect: "idle" },
    { title: "32 vCPUs for 32 sessions", workload: "mssql, concurrency=32, maxdop=1", vmx: `numvcpus = "32"`, expect: "idle" },
    { title: "MAXDOP 4 with 2 sessions", workload: "mssql, concurrency=2, maxdop=4", vmx: `numvcpus = "32"`, expect: "idle" },
    { title: "MAXDOP not declared", workload: "mssql, concurrency=2", vmx: `numvcpus = "32"`, expect: "always" },
  ],
  good: [
    { title: "64 sessions", workload: "mssql, concurrency=64, maxdop=1", vmx: `numvcpus = "32"` },
    { title: "8 vCPUs, the smaller VM of the study", workload: "mssql, concurrency=1, maxdop=1", vmx: `numvcpus = "8"` },
    { title: "16 vCPUs were not measured", workload: "mssql, concurrency=8, maxdop=1", vmx: `numvcpus = "16"` },
    { title: "Parallel plans", workload: "mssql, concurrency=8, maxdop=4", vmx: `numvcpus = "32"` },
    { title: "8 sessions, MAXDOP not declared", workload: "mssql, concurrency=8", vmx: `numvcpus = "32"` },
  ],
});
