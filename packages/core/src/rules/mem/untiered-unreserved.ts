import { MEMORY_TIERING_91 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "mem/untiered-unreserved",
  severity: "warning",
  on: ["memoryTiering"],
  reads: [...RESERVATION_SETTINGS, "memoryTiering"],
  messages: {
    partial: (d: Unreserved) => `${reservedWords(d)}, and sched.mem.enableTiering is FALSE, so ESX may swap the rest. ${reserveWords(d)}.`,
  },
  applies: ({ memoryTiering }) => holds(memoryTiering, (on) => on === false),
  *check(facts) {
    const reservation = unreserved(facts);
    if (reservation) yield { messageId: "partial", ...reservation };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory tiering is off without a full memory reservation",
  why: "sched.mem.enableTiering = FALSE keeps the VM off the NVMe tier. Without a full reservation, ESX may then swap its memory to a file on a host short of DRAM. That is slower than the tier.",
  whenNot: "Never: reserve the memory, or remove the setting.",
  evidence: {
    figure: "The full reservation is mandatory: otherwise the VM may end up in the swap file of the host (9.1)",
    source: MEMORY_TIERING_91,
  },
  bad: [{ title: "No reservation", vmx: `memSize = "65536"\nsched.mem.enableTiering = "FALSE"` }],
  good: [
    { title: "All locked", vmx: `memSize = "65536"\nsched.mem.pin = "TRUE"\nsched.mem.enableTiering = "FALSE"` },
    { title: "Tiering is on", vmx: `memSize = "65536"\nsched.mem.enableTiering = "TRUE"` },
  ],
});
