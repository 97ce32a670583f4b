import { MEMORY_ALLOCATION_DOC_67, VM_OPERATOR } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "mem/reservation-gt-size",
  severity: "error",
  refused: ["more"],
  on: ["memoryReservationMiB"],
  reads: ["memoryMiB", "memoryReservationMiB"],
  messages: {
    more: (d: { reservedMiB: number; memoryMiB: number }) =>
      `${d.reservedMiB} MiB are reserved for a VM of ${d.memoryMiB} MiB. Reserve at most ${d.memoryMiB} MiB.`,
  },
  applies: ({ memoryReservationMiB }) => holds(memoryReservationMiB, (mib = 0) => mib > 0),
  *check({ vm }) {
    if (!vm.memoryReservationMiB || !vm.memoryMiB || vm.memoryReservationMiB.value <= vm.memoryMiB.value) return;
    const memoryMiB = vm.memoryMiB.value;
    yield {
      messageId: "more",
      data: { reservedMiB: vm.memoryReservationMiB.value, memoryMiB },
      at: vm.memoryReservationMiB.range,
      related: [{ message: `${memoryMiB} MiB are set here`, range: vm.memoryMiB.range }],
      fixes: [unsafeFix(`Reserve ${memoryMiB} MiB`, { memoryReservationMiB: memoryMiB })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory reservation is larger than the VM's memory",
  why: "A reservation larger than the VM's memory cannot be assigned. The vSphere client lowers it together with the memory; a file that is edited or generated keeps the old figure.",
  whenNot: "Never: one of the two numbers is wrong.",
  evidence: { figure: "A reservation larger than the configured memory cannot be assigned", source: MEMORY_ALLOCATION_DOC_67 },
  sources: [VM_OPERATOR],
  bad: [{ title: "1 MiB too many", vmx: `memSize = "4096"\nsched.mem.min = "4097"` }],
  good: [
    { title: "All of it", vmx: `memSize = "4096"\nsched.mem.min = "4096"` },
    { title: "A size that a template fills in", vmx: `memSize = "{{ memory }}"\nsched.mem.min = "4096"` },
  ],
});
