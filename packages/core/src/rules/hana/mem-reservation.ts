import { OVH_HANA_MODULE } from "../../model/sources.ts";
import { defineRule, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = defineRule({
  id: "hana/mem-reservation",
  since: "0.1.0",
  severity: "info",
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
    figure: "OVHcloud's HANA module reserves all of the VM's memory from v1.0.1 on",
    source: OVH_HANA_MODULE,
    against: "This is a provider's practice. The guide of SAP and VMware was not checked, so the rule is only a note.",
  },
  sources: [OVH_HANA_MODULE],
  bad: [
    { title: "No reservation", workload: { kind: "hana", environment: "production" }, vmx: `memSize = "786432"`, expect: "partial" },
    {
      title: "1 MiB short",
      workload: { kind: "hana", environment: "production" },
      vmx: `memSize = "786432"\nsched.mem.min = "786431"`,
      expect: "partial",
    },
  ],
  good: [
    { title: "All of it", workload: { kind: "hana", environment: "production" }, vmx: `memSize = "786432"\nsched.mem.pin = "TRUE"` },
    { title: "A test system", workload: { kind: "hana", environment: "test" }, vmx: `memSize = "786432"` },
  ],
});
