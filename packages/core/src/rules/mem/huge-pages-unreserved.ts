import { atLeast, esxi } from "../../model/esxi.ts";
import { HUGE_PAGES_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

/** The first whose documentation has 1 GB pages. */
const FIRST = esxi(6, 7);

export const rule = builtinRule({
  id: "mem/huge-pages-unreserved",
  severity: "error",
  refused: ["refused"],
  on: ["hugePages"],
  reads: [...RESERVATION_SETTINGS, "hugePages"],
  messages: {
    refused: (d: Unreserved) => `${reservedWords(d)}, and ESXi will not power on a VM with 1 GB pages unless all is. ${reserveWords(d)}.`,
  },
  applies: ({ hugePages }) => holds(hugePages, (on) => on === true),
  *check(facts) {
    if (facts.host?.esxi && !atLeast(facts.host.esxi, FIRST)) return;
    const reservation = unreserved(facts);
    if (reservation) yield { messageId: "refused", ...reservation };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "1 GB pages without a full memory reservation",
  why: "ESXi allocates the whole memory of such a VM at power-on, and starts the VM only with a full reservation.",
  whenNot: "Never: reserve the memory, or turn 1 GB pages off.",
  evidence: { figure: "Without full memory reservation, a VM with 1 GB pages will not power on (6.7 to 8.0)", source: HUGE_PAGES_DOC_67 },
  bad: [
    { title: "None of it reserved", host: "r640", vmx: `memSize = "65536"\nsched.mem.lpage.enable1GPage = "TRUE"` },
    { title: "All but 4 MiB", vmx: `memSize = "65536"\nsched.mem.min = "65532"\nsched.mem.lpage.enable1GPage = "TRUE"` },
  ],
  good: [
    { title: "All of it", vmx: `memSize = "65536"\nsched.mem.min = "65536"\nsched.mem.lpage.enable1GPage = "TRUE"` },
    { title: "All locked", vmx: `memSize = "65536"\nsched.mem.pin = "TRUE"\nsched.mem.lpage.enable1GPage = "TRUE"` },
    { title: "Off", vmx: `memSize = "65536"\nsched.mem.lpage.enable1GPage = "FALSE"` },
    { title: "6.5 knows no such pages", host: "2x10x2@6.5", vmx: `memSize = "65536"\nsched.mem.lpage.enable1GPage = "TRUE"` },
  ],
});
