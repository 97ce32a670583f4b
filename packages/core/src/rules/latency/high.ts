import { LATENCY_DOC, SQL55 } from "../../model/sources.ts";
import { isLatencyCritical } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "latency/high",
  severity: "warning",
  presets: ["latency"],
  on: ["latencySensitivity"],
  reads: ["latencySensitivity"],
  messages: {
    throughput: (d: { workload: string | null }) =>
      `Latency sensitivity High costs ${d.workload ? `this ${d.workload} workload` : "an ordinary workload"} throughput and takes an exclusive core for each vCPU. Set it to normal, or declare the workload as latency.`,
  },
  applies: ({ latencySensitivity }) => holds(latencySensitivity, (level) => level === "high"),
  *check({ vm, workload }) {
    if (!vm.latencySensitivity || isLatencyCritical(workload)) return;
    yield {
      messageId: "throughput",
      data: { workload: workload?.kind ?? null },
      at: vm.latencySensitivity.range,
      fixes: [unsafeFix("Set latency sensitivity to normal", { latencySensitivity: "normal" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency sensitivity High for an ordinary workload",
  why: "High gives every vCPU an exclusive physical core, leaves the sibling hyper-threads idle and turns off ESXi's optimisations for throughput. It is made for sub-millisecond work such as telephony or trading. A database or an application server loses throughput and takes cores from other VMs.",
  whenNot:
    "When response time in microseconds matters more than throughput: declare `workload: { kind: latency }` to end the finding. Missing reservations, which this finding includes, are then findings of their own.",
  evidence: {
    figure:
      "SQL Server at 64 vCPUs: Low and Medium equal Normal, High shows a marked degradation of throughput (figure 23, no number printed)",
    source: SQL55,
  },
  sources: [LATENCY_DOC],
  bad: [
    { title: "A VM with no declared workload", vmx: `sched.cpu.latencySensitivity = "high"` },
    { title: "A database", workload: "mssql", vmx: `sched.cpu.latencySensitivity = "high"` },
  ],
  good: [
    { title: "Declared latency-critical", workload: "latency", vmx: `sched.cpu.latencySensitivity = "high"` },
    { title: "Normal", vmx: `sched.cpu.latencySensitivity = "normal"` },
  ],
});
