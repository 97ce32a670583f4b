import { LATENCY_DOC, SQL55 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "latency/low-medium-no-effect",
  severity: "info",
  presets: ["latency"],
  on: ["latencySensitivity"],
  reads: ["latencySensitivity"],
  messages: {
    same: (d: { level: "low" | "medium" }) =>
      `Latency sensitivity ${d.level} acts as normal. Set it to normal, or to high for latency-critical work.`,
  },
  applies: ({ latencySensitivity }) => holds(latencySensitivity, (level) => level === "low" || level === "medium"),
  *check({ vm }) {
    const level = vm.latencySensitivity?.value;
    if (!vm.latencySensitivity || (level !== "low" && level !== "medium")) return;
    yield {
      messageId: "same",
      data: { level },
      at: vm.latencySensitivity.range,
      fixes: [unsafeFix("Set latency sensitivity to normal", { latencySensitivity: "normal" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency sensitivity Low or Medium has no effect",
  why: "Only High gives a VM cores of its own. Low and Medium were measured equal to Normal, and the documentation of 8.0 lists neither of them.",
  whenNot: "When another tool compares the value: it does no harm.",
  evidence: { figure: "SQL Server at 64 vCPUs: Low and Medium equal Normal (figure 23, no number printed)", source: SQL55 },
  sources: [LATENCY_DOC],
  bad: [
    { title: "Low", vmx: `sched.cpu.latencySensitivity = "low"` },
    { title: "Medium", vmx: `sched.cpu.latencySensitivity = "medium"` },
  ],
  good: [
    { title: "Normal", vmx: `sched.cpu.latencySensitivity = "normal"` },
    { title: "High", vmx: `sched.cpu.latencySensitivity = "high"` },
  ],
});
