import { VM_OPERATOR } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "mem/reserve-all-conflict",
  severity: "error",
  unless: ["tf/dropped-argument"],
  on: ["memoryReservationLocked"],
  reads: ["memoryMiB", "memoryReservationMiB", "memoryReservationLocked", "memoryLimitMiB"],
  messages: {
    reservation: (d: { reservedMiB: number; memoryMiB: number }) =>
      `All ${d.memoryMiB} MiB are locked, but ${d.reservedMiB} MiB are reserved. Reserve ${d.memoryMiB} MiB, or remove the lock.`,
    limit: (d: { limitMiB: number; memoryMiB: number }) =>
      `All ${d.memoryMiB} MiB are locked, but the memory limit is ${d.limitMiB} MiB. Set the limit to unlimited, or remove the lock.`,
  },
  applies: ({ memoryReservationLocked }) => holds(memoryReservationLocked, (locked) => locked === true),
  *check({ vm }) {
    const { memoryReservationLocked: lock, memoryReservationMiB: reservation, memoryLimitMiB: limit } = vm;
    if (!lock?.value || !vm.memoryMiB) return;
    const memoryMiB = vm.memoryMiB.value;
    const related = [{ message: "the lock is set here", range: lock.range }];
    if (reservation && reservation.value > 0 && reservation.value < memoryMiB) {
      yield {
        messageId: "reservation",
        data: { reservedMiB: reservation.value, memoryMiB },
        at: reservation.range,
        related,
        fixes: [unsafeFix(`Reserve ${memoryMiB} MiB`, { memoryReservationMiB: memoryMiB })],
      };
    }
    if (limit && typeof limit.value === "number" && limit.value > 0 && limit.value < memoryMiB) {
      yield {
        messageId: "limit",
        data: { limitMiB: limit.value, memoryMiB },
        at: limit.range,
        related,
        fixes: [unsafeFix("Remove the memory limit", { memoryLimitMiB: "unlimited" })],
      };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Full memory reservation contradicts another setting",
  why: "With all memory locked, the reservation is the size of the VM. A smaller reservation or a limit below the size contradicts it: vSphere requires the limit to be at least the reservation.",
  whenNot: "Never: one of the two settings is left over.",
  evidence: { figure: "With a locked reservation, another reservation or a limit below the size is refused", source: VM_OPERATOR },
  bad: [
    { title: "Half of it reserved", vmx: `memSize = "4096"\nsched.mem.pin = "TRUE"\nsched.mem.min = "2048"`, expect: "reservation" },
    { title: "A limit of half of it", vmx: `memSize = "4096"\nsched.mem.pin = "TRUE"\nsched.mem.max = "2048"`, expect: "limit" },
  ],
  good: [
    { title: "The reservation has the same size", vmx: `memSize = "4096"\nsched.mem.pin = "TRUE"\nsched.mem.min = "4096"` },
    { title: "No reservation of its own", vmx: `memSize = "4096"\nsched.mem.pin = "TRUE"\nsched.mem.min = "0"` },
    { title: "Not locked", vmx: `memSize = "4096"\nsched.mem.pin = "FALSE"\nsched.mem.min = "2048"` },
  ],
});
