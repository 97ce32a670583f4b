import { OVH_HANA_MODULE, SAP_HANA_FLAVORS } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "hana/mem-reservation",
  severity: "warning",
  history: [{ until: "0.1.0", severity: "info" }],
  needs: ["workload"],
  about: "hana",
  reads: RESERVATION_SETTINGS,
  messages: { partial: (d: Unreserved) => `${reservedWords(d)}, but HANA keeps its database in memory. ${reserveWords(d)}.` },
  applies: (_, __, workload) => workload?.kind === "hana" && workload.environment !== "test",
  *check(facts) {
    const reservation = unreserved(facts);
    if (reservation)
      yield facts.workload.environment === undefined
        ? { skip: "workload-incomplete", lacks: ["environment"] }
        : { messageId: "partial", ...reservation };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "SAP HANA without a full memory reservation",
  why: "HANA keeps the whole database in memory. If the host takes memory back, HANA must read the data from disk in the middle of a query.",
  whenNot: "For systems that are not production: declare `environment: test`.",
  evidence: {
    figure: "SAP's own cloud reserves all memory of each HANA VM: 746720 of 746720 MiB with 48 vCPUs",
    source: SAP_HANA_FLAVORS,
    against: "Nothing was measured: it is the practice of SAP and of OVHcloud. VMware's guide of July 2024 was read in part only.",
  },
  sources: [OVH_HANA_MODULE],
  bad: [
    { title: "No reservation", workload: "hana, production", vmx: `memSize = "786432"` },
    { title: "1 MiB short", workload: "hana, production", vmx: `memSize = "786432"\nsched.mem.min = "786431"` },
  ],
  good: [
    { title: "All of it", workload: "hana, production", vmx: `memSize = "786432"\nsched.mem.pin = "TRUE"` },
    { title: "A test system", workload: "hana, test", vmx: `memSize = "786432"` },
  ],
});
