import { HOUSE_OF_BRICK } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { defineRule, holds } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

/** The smaller of the two VMs that were compared is the least the rule asks for. */
const vcpusFor = (concurrency: number): number => Math.max(2 * concurrency, 8);

/** With MAXDOP 4 and more each session kept several vCPUs busy, and the larger VM won from 8 threads on. */
const isSerial = (maxdop: number): boolean => maxdop >= 1 && maxdop <= 3;

export const rule = defineRule({
  id: "mssql/over-allocation",
  since: "0.1.0",
  severity: "info",
  summary: "More than twice the vCPUs that the sessions keep busy",
  why: "Idle vCPUs are scheduled too, and SQL Server spreads its work over all of them. With few busy sessions a smaller VM is faster.",
  whenNot: "When the load grows past the declared sessions, or few queries run in parallel on many vCPUs.",
  evidence: {
    figure:
      "Orders a minute on 8 and on 32 vCPUs, MAXDOP 1: 2 threads 19,277 and 13,589; 8 threads 76,590 and 63,910; 16 threads 152,782 and 135,484; with MAXDOP 2 and 3 the smaller VM won up to 32 threads too (SQL Server 2008 R2, ESXi 5.0 U1)",
    source: HOUSE_OF_BRICK,
    against:
      "64 threads 487,146 and 542,351: the larger VM wins once it is busy. With MAXDOP 4 it won earlier: 16 threads 86,078 and 112,365, 8 threads 57,508 and 61,412.",
  },
  sources: [HOUSE_OF_BRICK],
  esxiOnly: true,
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  presets: ["recommended"],
  reads: ["vcpus", "coresPerSocket"],
  messages: {
    idle: (d: { vcpus: number; concurrency: number; maxdop: number; fits: number }) =>
      `${d.vcpus} vCPUs are more than twice the ${plural(d.concurrency, "session")} declared to be busy at once. Measured with up to 32 sessions, 8 vCPUs were faster than 32 at MAXDOP ${d.maxdop}. Use ${d.fits}.`,
  },
  bad: [
    { title: "32 vCPUs for 8 sessions", workload: { kind: "mssql", concurrency: 8, maxdop: 1 }, vmx: `numvcpus = "32"`, expect: "idle" },
    { title: "9 vCPUs for 2 sessions", workload: { kind: "mssql", concurrency: 2, maxdop: 3 }, vmx: `numvcpus = "9"`, expect: "idle" },
  ],
  good: [
    { title: "32 vCPUs for 16 sessions", workload: { kind: "mssql", concurrency: 16, maxdop: 1 }, vmx: `numvcpus = "32"` },
    { title: "8 vCPUs, the smaller VM of the study", workload: { kind: "mssql", concurrency: 1, maxdop: 1 }, vmx: `numvcpus = "8"` },
    { title: "Parallel plans", workload: { kind: "mssql", concurrency: 8, maxdop: 4 }, vmx: `numvcpus = "32"` },
    { title: "MAXDOP not declared", workload: { kind: "mssql", concurrency: 8 }, vmx: `numvcpus = "32"` },
  ],
  applies: ({ vcpus }, _, workload) => {
    if (workload?.concurrency === undefined || !isSerial(workload.maxdop ?? 1)) return false;
    const enough = vcpusFor(workload.concurrency);
    return holds(vcpus, (count = 1) => count > enough);
  },
  *check({ vm, workload }) {
    if (workload.maxdop === undefined) return yield { skip: "workload-incomplete" };
    if (!vm.vcpus || workload.concurrency === undefined) return;
    const fits = vcpusFor(workload.concurrency);
    const coresPerSocket = vm.coresPerSocket?.value ?? "auto";
    yield {
      messageId: "idle",
      data: { vcpus: vm.vcpus.value, concurrency: workload.concurrency, maxdop: workload.maxdop, fits },
      at: vm.vcpus.range,
      fixes: coresPerSocket === "auto" || fits % coresPerSocket === 0 ? [useVcpus(fits)] : [],
    };
  },
});
