import { BALLOON_DOC_67 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { govcHardware, govcVm } from "../govc-example.ts";

/** Returns a running VM of 8 GiB whose host reclaimed memory. */
const reclaimedBy = (quickStats: Readonly<Record<string, number>>, reservation = 0): string =>
  govcVm({ version: "vmx-19", hardware: govcHardware(4), memoryAllocation: { reservation } }, { summary: { quickStats } });

/** A host never takes reserved memory, so it took this memory before the reservation. */
const adviceFor = ({ isReserved }: { readonly isReserved: boolean }): string =>
  isReserved
    ? "All its memory is reserved now, so the host takes no more. Restart the VM to get the memory back."
    : "Reserve its memory, remove a memory limit, or move it to a host with free memory.";

export const rule = builtinRule({
  id: "mem/reclaimed",
  severity: "info",
  severities: { swapped: "warning" },
  presets: ["recommended"],
  on: ["measured"],
  messages: {
    swapped: (d: { swappedMiB: number; balloonedMiB: number; isReserved: boolean }) =>
      `The host swapped ${d.swappedMiB} MiB of this VM${d.balloonedMiB > 0 ? ` and took ${d.balloonedMiB} MiB by ballooning` : ""}. ${adviceFor(d)}`,
    ballooned: (d: { balloonedMiB: number; isReserved: boolean }) =>
      `The host took ${d.balloonedMiB} MiB of this VM by ballooning. ${adviceFor(d)}`,
  },
  *check({ vm, ifKnown }) {
    const { swappedMiB, balloonedMiB } = vm.measured ?? {};
    const ballooned = balloonedMiB?.value ?? 0;
    const reservedMiB = ifKnown("memoryReservationMiB") ?? 0;
    const isReserved = ifKnown("memoryReservationLocked") === true || reservedMiB >= (ifKnown("memoryMiB") ?? Number.POSITIVE_INFINITY);
    const data = { balloonedMiB: ballooned, isReserved };
    if (swappedMiB && swappedMiB.value > 0)
      yield { messageId: "swapped", data: { swappedMiB: swappedMiB.value, ...data }, at: swappedMiB.range };
    else if (balloonedMiB && ballooned > 0) yield { messageId: "ballooned", data, at: balloonedMiB.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Host took memory from the VM, as measured",
  why: "A host that runs short of memory first lets the balloon driver of the guest give pages back, then it swaps pages of its own choice to disk. The guest waits for each swapped page that it uses.",
  whenNot: "When the shortage is over: swapped pages that the guest does not use stay on the disk.",
  evidence: {
    figure: "ESXi swaps if ballooning does not free enough memory (documented; no source measures the difference)",
    source: BALLOON_DOC_67,
  },
  bad: [
    { title: "Swapped", json: reclaimedBy({ swappedMemory: 512, balloonedMemory: 0 }), expect: "swapped" },
    {
      title: "Swapped before its memory was reserved",
      json: reclaimedBy({ swappedMemory: 512, balloonedMemory: 0 }, 8192),
      expect: "swapped",
    },
    { title: "Ballooned", json: reclaimedBy({ swappedMemory: 0, balloonedMemory: 1024 }), expect: "ballooned" },
  ],
  good: [{ title: "Neither", json: reclaimedBy({ swappedMemory: 0, balloonedMemory: 0 }) }],
});
