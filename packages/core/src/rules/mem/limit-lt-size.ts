import { MEMORY_STEP_MIB } from "../../limits/hardware.ts";
import { MEMORY_LIMIT } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "mem/limit-lt-size",
  severity: "warning",
  on: ["memoryLimitMiB"],
  reads: ["memoryMiB", "memoryLimitMiB", "memoryReservationLocked"],
  messages: {
    below: (d: { limitMiB: number; memoryMiB: number }) =>
      `ESXi backs at most ${d.limitMiB} of these ${d.memoryMiB} MiB with memory, and swaps the other ${d.memoryMiB - d.limitMiB} once they are used. Set the limit to unlimited.`,
  },
  applies: ({ memoryLimitMiB }) => holds(memoryLimitMiB, (limit) => typeof limit === "number" && limit > 0),
  *check({ vm }) {
    const limitMiB = vm.memoryLimitMiB?.value;
    // If all memory is locked, the limit is impossible, and another rule reports it.
    if (!vm.memoryLimitMiB || !vm.memoryMiB || typeof limitMiB !== "number" || vm.memoryReservationLocked?.value) return;
    // A tool may have rounded one figure in two ways, which costs nothing.
    if (limitMiB + MEMORY_STEP_MIB > vm.memoryMiB.value) return;
    yield {
      messageId: "below",
      data: { limitMiB, memoryMiB: vm.memoryMiB.value },
      at: vm.memoryLimitMiB.range,
      related: [{ message: `${vm.memoryMiB.value} MiB are set here`, range: vm.memoryMiB.range }],
      fixes: [unsafeFix("Remove the memory limit", { memoryLimitMiB: "unlimited" })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory limit is below the memory of the VM",
  why: "The guest sees and uses its whole memory, but ESXi backs only as much as the limit, even if the host has free memory. The rest is ballooned, compressed and swapped. Such limits are mostly left over from a template or a smaller VM.",
  whenNot: "When the VM is throttled on purpose, for example to measure how much memory it needs.",
  evidence: {
    figure: "3 GB of memory under a limit of 2 GB: 1 GB is ballooned, compressed or swapped once the guest uses it",
    source: MEMORY_LIMIT,
  },
  bad: [{ title: "Half of it", vmx: `memSize = "4096"\nsched.mem.max = "2048"` }],
  good: [
    { title: "A limit of the whole memory", vmx: `memSize = "4096"\nsched.mem.max = "4096"` },
    { title: "The same figure, not rounded to 4 MiB", vmx: `memSize = "4096"\nsched.mem.max = "4093"` },
    { title: "No limit", vmx: `memSize = "4096"\nsched.mem.max = "unlimited"` },
    { title: "0 is none", vmx: `memSize = "4096"\nsched.mem.max = "0"` },
  ],
});
