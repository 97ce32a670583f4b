import { GEODE_VSPHERE } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "imdg/mem-reservation",
  severity: "warning",
  needs: ["workload"],
  about: "imdg",
  reads: RESERVATION_SETTINGS,
  messages: { partial: (d: Unreserved) => `${reservedWords(d)}, but the grid keeps its data in memory. ${reserveWords(d)}.` },
  applies: (_, __, workload) => workload?.kind === "imdg",
  *check(facts) {
    const reservation = unreserved(facts);
    if (reservation) yield { messageId: "partial", ...reservation };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "In-memory grid member without a full memory reservation",
  why: "A grid holds its data in the heap of a JVM, and the garbage collector walks through the whole heap. It waits for memory that the host has taken back, and the grid removes a member that waits too long.",
  whenNot: "For grids whose data can be lost or slow.",
  evidence: { figure: '"Set memory reservation at the virtual machine level"; "do not overcommit memory"', source: GEODE_VSPHERE },
  bad: [{ title: "No reservation", workload: "imdg", vmx: `memSize = "65536"` }],
  good: [
    { title: "All of it", workload: "imdg", vmx: `memSize = "65536"\nsched.mem.min = "65536"` },
    { title: "Locked to the size", workload: "imdg", vmx: `memSize = "65536"\nsched.mem.pin = "TRUE"` },
    { title: "Another workload", workload: "general", vmx: `memSize = "65536"` },
  ],
});
