import { VROOM_FT } from "../../model/sources.ts";
import { isFaultTolerant } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "ft/latency",
  severity: "warning",
  needs: ["workload"],
  presets: ["ft"],
  reads: ["latencySensitivity", "vcpus"],
  messages: {
    held: (d: { high: boolean }) =>
      `Fault Tolerance delays every answer of this VM, which is ${d.high ? "set to latency sensitivity High" : "declared latency-critical"}. Protect it by other means, or declare another workload.`,
  },
  applies: (_, __, workload) => isFaultTolerant(workload),
  *check({ vm, workload }) {
    const high = vm.latencySensitivity?.value === "high";
    if (!high && workload.kind !== "latency") return;
    yield { messageId: "held", data: { high }, at: vm.latencySensitivity?.range ?? vm.vcpus?.range ?? vm.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Fault Tolerance slows a latency-critical workload",
  why: "A protected VM sends nothing until the second host has its checkpoint, so every answer waits.",
  whenNot: "When an answer may take milliseconds longer.",
  evidence: {
    figure:
      '"Admins should not use vSphere FT to protect highly latency-sensitive applications like voice-over-IP (VOIP) or high-frequency trading"',
    source: VROOM_FT,
  },
  bad: [
    { title: "Trading with Fault Tolerance", workload: "latency, faultTolerance=true", vmx: `numvcpus = "2"` },
    { title: "High", workload: "ft", vmx: `sched.cpu.latencySensitivity = "high"` },
  ],
  good: [
    { title: "Trading without it", workload: "latency", vmx: `numvcpus = "2"` },
    { title: "A database", workload: "mssql, faultTolerance=true", vmx: `numvcpus = "2"` },
  ],
});
