import { guestMemory } from "../../limits/guest-limits.ts";
import { CONFIG_OPTION_9, WINDOWS_MEMORY } from "../../model/sources.ts";
import { memoryWords } from "../../model/words.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

/** Returns the memory that the guest uses and that of the VM in the same unit. */
const amounts = ({ mostMiB, memoryMiB }: { readonly mostMiB: number; readonly memoryMiB: number }): readonly string[] =>
  [mostMiB, memoryMiB].map(memoryMiB % 1024 === 0 ? memoryWords : (mib) => `${mib} MiB`);

export const rule = builtinRule({
  id: "guest/max-memory",
  severity: "warning",
  presets: ["vdi"],
  for: "any",
  on: ["guestOs"],
  reads: ["memoryMiB", "guestOs"],
  messages: {
    /** `reserved`: whether more is reserved than the guest uses. */
    unused: (d: { guest: string; memoryMiB: number; mostMiB: number; reserved: boolean }) =>
      `The guest (${d.guest}) uses at most ${amounts(d).join(" of this VM's ")} of memory. Set ${memoryWords(d.mostMiB)}${d.reserved ? " and reserve no more" : ""}, or install a Windows edition that uses more.`,
  },
  applies: ({ guestOs }) => holds(guestOs, (guest = "") => guestMemory(guest) !== undefined),
  *check({ vm, ifKnown }) {
    const guestLimit = guestMemory(vm.guestOs?.value ?? "");
    if (!vm.memoryMiB || !guestLimit || vm.memoryMiB.value <= guestLimit.mostMiB) return;
    const { guest, mostMiB } = guestLimit;
    const reserved = (ifKnown("memoryReservationMiB") ?? 0) > mostMiB;
    yield {
      messageId: "unused",
      data: { guest, memoryMiB: vm.memoryMiB.value, mostMiB, reserved },
      at: vm.memoryMiB.range,
      ...(vm.guestOs && { related: [{ message: "the guest is set here", range: vm.guestOs.range }] }),
      fixes: [unsafeFix(`Set ${memoryWords(mostMiB)}`, { memoryMiB: mostMiB, ...(reserved && { memoryReservationMiB: mostMiB }) })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More memory than the Windows version can use",
  why: "Windows uses memory up to a limit that depends on release, edition and 32 or 64 bits. A 32-bit client uses at most 4 GiB, minus the memory that its devices map. The host still gives the VM the rest, or reserves it.",
  whenNot: "When the VM runs another operating system than `guestOS` says.",
  evidence: {
    figure: "Windows XP to 10 in 32 bits: 4 GB in every edition; in 64 bits: XP and Vista 128 GB, 7 192 GB, 8 512 GB, 10 6 TB at most",
    source: WINDOWS_MEMORY,
    against: "These are the largest editions' limits: Windows 7 Home Premium takes 16 GB, Windows 10 Home 128 GB.",
  },
  sources: [CONFIG_OPTION_9],
  bad: [
    { title: "8 GiB for 32-bit Windows 7", vmx: `guestOS = "windows7"\nmemSize = "8192"` },
    { title: "All of it reserved", vmx: `guestOS = "windows7"\nmemSize = "8192"\nsched.mem.min = "8192"` },
    { title: "64 GiB for Windows Server 2003 Standard", vmx: `guestOS = "winnetstandard-64"\nmemSize = "65536"` },
  ],
  good: [
    { title: "4 GiB for 32-bit Windows 7", vmx: `guestOS = "windows7"\nmemSize = "4096"` },
    { title: "64-bit", vmx: `guestOS = "windows7-64"\nmemSize = "8192"` },
    { title: "No limit is known", vmx: `guestOS = "windows11-64"\nmemSize = "8192"` },
  ],
});
