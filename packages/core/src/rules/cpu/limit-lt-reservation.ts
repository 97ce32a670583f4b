import { VM_OPERATOR } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "cpu/limit-lt-reservation",
  severity: "error",
  refused: ["below"],
  on: ["cpuLimitMHz"],
  reads: ["cpuReservationMHz", "cpuReservationLocked", "cpuLimitMHz"],
  messages: {
    below: (d: { limitMHz: number; reservedMHz: number }) =>
      `The CPU limit (${d.limitMHz} MHz) is below the CPU reservation (${d.reservedMHz} MHz). Set the limit to unlimited, or reserve at most ${d.limitMHz} MHz.`,
  },
  applies: ({ cpuLimitMHz }) => holds(cpuLimitMHz, (limit) => typeof limit === "number" && limit > 0),
  *check({ vm }) {
    const limitMHz = vm.cpuLimitMHz?.value;
    // A locked reservation overrides the number.
    if (vm.cpuReservationLocked?.value) return;
    const reservedMHz = vm.cpuReservationMHz?.value ?? 0;
    if (!vm.cpuLimitMHz || !vm.cpuReservationMHz || typeof limitMHz !== "number" || limitMHz >= reservedMHz) return;
    yield {
      messageId: "below",
      data: { limitMHz, reservedMHz },
      at: vm.cpuLimitMHz.range,
      related: [{ message: `${reservedMHz} MHz are reserved here`, range: vm.cpuReservationMHz.range }],
      fixes: [unsafeFix("Remove the CPU limit", { cpuLimitMHz: "unlimited" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU limit is below the reservation",
  why: "The reservation is guaranteed to the VM, and the limit is the most it can use. vSphere requires the limit to be at least the reservation.",
  whenNot: "Never: the two contradict each other.",
  evidence: { figure: "A CPU reservation above the CPU limit is refused before the VM is created", source: VM_OPERATOR },
  bad: [{ title: "4,000 MHz reserved, 3,999 allowed", vmx: `sched.cpu.min = "4000"\nsched.cpu.max = "3999"` }],
  good: [
    { title: "As much as is reserved", vmx: `sched.cpu.min = "4000"\nsched.cpu.max = "4000"` },
    { title: "No limit", vmx: `sched.cpu.min = "4000"\nsched.cpu.max = "unlimited"` },
    { title: "The same, as the API writes it", vmx: `sched.cpu.min = "4000"\nsched.cpu.max = "-1"` },
  ],
});
