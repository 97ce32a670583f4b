import { LATENCY_DOC, VM_OPERATOR } from "../../model/sources.ts";
import { isLatencyCritical } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "latency/high-needs-mem-reservation",
  severity: "error",
  refused: ["partial"],
  presets: ["latency"],
  on: ["latencySensitivity"],
  reads: ["latencySensitivity", ...RESERVATION_SETTINGS],
  messages: {
    partial: (d: Unreserved) =>
      `Latency sensitivity High needs all ${d.memoryMiB} MiB of memory reserved, but ${d.reservedMiB} MiB are reserved. ${reserveWords(d)}.`,
  },
  consequence: {
    of: "latency/high",
    messages: { partial: (d) => `High needs all ${d.memoryMiB} MiB of memory reserved, and has ${d.reservedMiB} MiB` },
  },
  applies: ({ latencySensitivity }) => holds(latencySensitivity, (level) => level === "high"),
  *check(facts) {
    const { vm, workload } = facts;
    const lacking = unreserved(facts);
    if (!vm.latencySensitivity || !lacking) return;
    yield {
      messageId: "partial",
      data: lacking.data,
      at: vm.memoryReservationMiB?.range ?? vm.latencySensitivity.range,
      ...(vm.memoryReservationMiB && { related: [{ message: "High is set here", range: vm.latencySensitivity.range }] }),
      // For other workloads the message advises against High.
      fixes: isLatencyCritical(workload) ? lacking.fixes : [],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency sensitivity High without a full memory reservation",
  why: "High requires 100 % of the memory to be reserved. No source documents what ESXi does without it; VMware's own admission webhook refuses such a VM.",
  whenNot: "Never: reserve the memory, or set latency sensitivity back to normal.",
  evidence: { figure: "A full memory reservation is a documented prerequisite of High", source: LATENCY_DOC },
  sources: [VM_OPERATOR],
  bad: [
    { title: "No reservation", vmx: `memSize = "4096"\nsched.cpu.latencySensitivity = "high"` },
    { title: "1 MiB short", workload: "latency", vmx: `memSize = "4096"\nsched.cpu.latencySensitivity = "high"\nsched.mem.min = "4095"` },
  ],
  good: [
    { title: "All of it", vmx: `memSize = "4096"\nsched.cpu.latencySensitivity = "high"\nsched.mem.min = "4096"` },
    { title: "Locked to the size", vmx: `memSize = "4096"\nsched.cpu.latencySensitivity = "high"\nsched.mem.pin = "TRUE"` },
    { title: "Normal needs none", vmx: `memSize = "4096"` },
  ],
});
