import { DAKIC19 } from "../../model/sources.ts";
import { DATABASES } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

/** HANA has a rule of its own. */
const ABOUT = DATABASES.filter((kind) => kind !== "hana");

export const rule = builtinRule({
  id: "mem/tier-1-unreserved",
  severity: "info",
  needs: ["workload"],
  about: ABOUT,
  reads: RESERVATION_SETTINGS,
  messages: { partial: (d: Unreserved) => `${reservedWords(d)}, but the database is declared tier-1. ${reserveWords(d)}.` },
  applies: (_, __, workload) => workload?.environment === "tier-1",
  *check(facts) {
    const reservation = unreserved(facts);
    if (reservation) yield { messageId: "partial", ...reservation };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Tier-1 database without a full memory reservation",
  why: "A database keeps its data in memory and expects it to be there. Memory that is not reserved can be taken by the balloon driver, page sharing, compression or swap when the host runs short, and each of them shows as a spike in response time.",
  whenNot: "When the host's memory is never overcommitted. A reservation of that size also limits where the VM can start.",
  evidence: {
    figure: "Dakic reserved all memory of his SQL Server VM, so that the host neither swaps nor shares nor compresses it (not measured)",
    source: DAKIC19,
  },
  bad: [{ title: "No reservation", workload: "mssql, tier-1", vmx: `memSize = "65536"` }],
  good: [
    { title: "All of it", workload: "mssql, tier-1", vmx: `memSize = "65536"\nsched.mem.min = "65536"` },
    { title: "Not tier-1", workload: "mssql, production", vmx: `memSize = "65536"` },
    { title: "Not declared", workload: "mssql", vmx: `memSize = "65536"` },
  ],
});
