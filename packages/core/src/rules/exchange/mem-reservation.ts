import { EXCHANGE_HEALTH_CHECKER } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "exchange/mem-reservation",
  severity: "warning",
  needs: ["workload"],
  about: "exchange",
  reads: RESERVATION_SETTINGS,
  messages: {
    partial: (d: Unreserved) => `${reservedWords(d)}, but Exchange is not supported with memory that may shrink. ${reserveWords(d)}.`,
  },
  applies: (_, __, workload) => workload?.kind === "exchange" && workload.environment !== "test",
  *check(facts) {
    const reservation = unreserved(facts);
    if (reservation) yield { messageId: "partial", ...reservation };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Exchange without a full memory reservation",
  why: "Exchange measures the memory once and fills its caches with it, so Microsoft does not support memory that may shrink. On vSphere, Microsoft's health checker compares the memory reservation with the memory of the VM.",
  whenNot: "For a test server without support.",
  evidence: {
    figure: '"Not supported to have dynamic memory configured": a reservation in VMware Tools that differs from the memory is red',
    source: EXCHANGE_HEALTH_CHECKER,
  },
  bad: [{ title: "No reservation", workload: "exchange", vmx: `memSize = "131072"` }],
  good: [
    { title: "All of it", workload: "exchange", vmx: `memSize = "131072"\nsched.mem.min = "131072"` },
    { title: "Locked to the size", workload: "exchange", vmx: `memSize = "131072"\nsched.mem.pin = "TRUE"` },
    { title: "A test server", workload: "exchange, test", vmx: `memSize = "131072"` },
  ],
});
