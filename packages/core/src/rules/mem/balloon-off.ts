import { BALLOON_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { RESERVATION_SETTINGS, type Unreserved, unreserved } from "../memory-reservation.ts";

export const rule = builtinRule({
  id: "mem/balloon-off",
  severity: "info",
  on: ["balloonLimitMiB"],
  reads: [...RESERVATION_SETTINGS, "balloonLimitMiB"],
  messages: {
    off: (d: Unreserved) =>
      `sched.mem.maxmemctl = 0 turns ballooning off, and ESXi swaps up to ${d.memoryMiB - d.reservedMiB} MiB that are not reserved. Remove it, or reserve ${d.memoryMiB} MiB.`,
  },
  applies: ({ balloonLimitMiB }) => holds(balloonLimitMiB, (limit) => limit === 0),
  *check(facts) {
    const reservation = unreserved(facts);
    const at = facts.vm.balloonLimitMiB?.range;
    // Another rule reports a limit below the memory, which makes ESXi swap the VM.
    if (reservation && at && !reservation.data.limited) yield { messageId: "off", ...reservation, at };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Ballooning is off for memory that is not reserved",
  why: "When the host runs short, the balloon driver lets the guest choose the pages it needs least. Without the driver ESXi swaps pages of its own choice, and the guest may be using them. Turning it off keeps no memory for the VM: only a reservation does.",
  whenNot: "When the memory of the host is never overcommitted, or a vendor asks for it: reserve the memory then.",
  evidence: {
    figure: "ESXi swaps the memory of a VM whose balloon driver is turned off (documented; no source measures the difference)",
    source: BALLOON_DOC_67,
  },
  bad: [{ title: "Off, nothing reserved", vmx: `memSize = "16384"\nsched.mem.maxmemctl = "0"` }],
  good: [
    { title: "Off, all reserved", vmx: `memSize = "16384"\nsched.mem.maxmemctl = "0"\nsched.mem.min = "16384"` },
    { title: "All locked", vmx: `memSize = "16384"\nsched.mem.maxmemctl = "0"\nsched.mem.pin = "TRUE"` },
    { title: "Some of it", vmx: `memSize = "16384"\nsched.mem.maxmemctl = "4096"` },
  ],
});
