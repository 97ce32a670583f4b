import { BALLOON_DOC_67 } from "../../model/sources.ts";
import { defineRule } from "../define.ts";

/** Returns a running VM of 8 GiB whose host reclaimed memory. */
const reclaimedBy = (quickStats: Readonly<Record<string, number>>): string =>
  JSON.stringify({
    virtualMachines: [
      {
        name: "app",
        runtime: { powerState: "poweredOn" },
        summary: { quickStats },
        config: { name: "app", version: "vmx-19", hardware: { numCPU: 4, memoryMB: 8192, numCoresPerSocket: 4, device: [] } },
      },
    ],
  });

export const rule = defineRule({
  id: "mem/reclaimed",
  since: "0.1.0",
  severity: "info",
  severities: { swapped: "warning" },
  summary: "Host took memory from the VM, as measured",
  why: "A host that runs short of memory first lets the balloon driver of the guest give pages back, then it swaps pages of its own choice to disk. The guest waits for each swapped page that it uses.",
  whenNot: "When the shortage is over: swapped pages that the guest does not use stay on the disk.",
  evidence: {
    figure: "ESXi swaps if ballooning does not free enough memory (documented; no source measures the difference)",
    source: BALLOON_DOC_67,
  },
  sources: [BALLOON_DOC_67],
  presets: ["recommended"],
  on: ["measured"],
  messages: {
    swapped: (d: { swappedMiB: number; balloonedMiB: number }) =>
      `The host swapped ${d.swappedMiB} MiB of this VM${d.balloonedMiB > 0 ? ` and took ${d.balloonedMiB} MiB by ballooning` : ""}. Reserve its memory, remove a memory limit, or move it to a host with free memory.`,
    ballooned: (d: { balloonedMiB: number }) =>
      `The host took ${d.balloonedMiB} MiB of this VM by ballooning. Reserve its memory, remove a memory limit, or move it to a host with free memory.`,
  },
  bad: [
    { title: "Swapped", json: reclaimedBy({ swappedMemory: 512, balloonedMemory: 0 }), expect: "swapped" },
    { title: "Ballooned", json: reclaimedBy({ swappedMemory: 0, balloonedMemory: 1024 }), expect: "ballooned" },
  ],
  good: [{ title: "Neither", json: reclaimedBy({ swappedMemory: 0, balloonedMemory: 0 }) }],
  *check({ vm }) {
    const { swappedMiB, balloonedMiB } = vm.measured ?? {};
    const ballooned = balloonedMiB?.value ?? 0;
    if (swappedMiB && swappedMiB.value > 0)
      yield { messageId: "swapped", data: { swappedMiB: swappedMiB.value, balloonedMiB: ballooned }, at: swappedMiB.range };
    else if (balloonedMiB && ballooned > 0) yield { messageId: "ballooned", data: { balloonedMiB: ballooned }, at: balloonedMiB.range };
  },
});
