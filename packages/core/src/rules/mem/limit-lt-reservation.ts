import { VM_OPERATOR } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "mem/limit-lt-reservation",
  severity: "error",
  refused: ["below"],
  on: ["memoryLimitMiB"],
  reads: ["memoryReservationMiB", "memoryLimitMiB"],
  messages: {
    below: (d: { limitMiB: number; reservedMiB: number }) =>
      `The memory limit (${d.limitMiB} MiB) is below the memory reservation (${d.reservedMiB} MiB). Set the limit to unlimited, or reserve at most ${d.limitMiB} MiB.`,
  },
  consequence: {
    of: "mem/reserve-all-conflict",
    messages: { below: (d) => `${d.reservedMiB} MiB are reserved, but the memory limit is ${d.limitMiB} MiB` },
  },
  applies: ({ memoryLimitMiB }) => holds(memoryLimitMiB, (limit) => typeof limit === "number" && limit > 0),
  *check({ vm }) {
    const limitMiB = vm.memoryLimitMiB?.value;
    const reservedMiB = vm.memoryReservationMiB?.value ?? 0;
    if (!vm.memoryLimitMiB || !vm.memoryReservationMiB || typeof limitMiB !== "number" || limitMiB >= reservedMiB) return;
    yield {
      messageId: "below",
      data: { limitMiB, reservedMiB },
      at: vm.memoryLimitMiB.range,
      related: [{ message: `${reservedMiB} MiB are reserved here`, range: vm.memoryReservationMiB.range }],
      fixes: [unsafeFix("Remove the memory limit", { memoryLimitMiB: "unlimited" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory limit is below the reservation",
  why: "The reservation is guaranteed to the VM, and the limit is the most it can use. vSphere requires the limit to be at least the reservation.",
  whenNot: "Never: the two contradict each other.",
  evidence: { figure: "A memory reservation above the memory limit is refused before the VM is created", source: VM_OPERATOR },
  bad: [{ title: "4,096 MiB reserved, 4,095 allowed", vmx: `memSize = "4096"\nsched.mem.min = "4096"\nsched.mem.max = "4095"` }],
  good: [
    { title: "As much as is reserved", vmx: `memSize = "4096"\nsched.mem.min = "4096"\nsched.mem.max = "4096"` },
    { title: "No limit", vmx: `memSize = "4096"\nsched.mem.min = "4096"\nsched.mem.max = "unlimited"` },
  ],
});
