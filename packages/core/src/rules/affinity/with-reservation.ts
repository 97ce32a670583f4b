import { AFFINITY_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isPinned, removeAffinity } from "../cpu-affinity.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "affinity/with-reservation",
  severity: "info",
  on: ["cpuAffinity"],
  reads: ["cpuAffinity", "cpuReservationMHz", "latencySensitivity"],
  messages: {
    reserved: (d: { reservedMHz: number; pcpus: number }) =>
      `${d.reservedMHz} MHz are reserved for a VM pinned to ${plural(d.pcpus, "logical CPU")}: admission control ignores the affinity, so they may not be free there. Remove the affinity.`,
  },
  applies: isPinned,
  *check({ vm }) {
    const reservedMHz = vm.cpuReservationMHz?.value ?? 0;
    // Latency sensitivity High asks for the reservation, and has a finding of its own about the affinity.
    if (!vm.cpuAffinity || vm.cpuAffinity.value === "all" || reservedMHz === 0 || vm.latencySensitivity?.value === "high") return;
    yield {
      messageId: "reserved",
      data: { reservedMHz, pcpus: vm.cpuAffinity.value.length },
      at: vm.cpuAffinity.range,
      fixes: [removeAffinity],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Pinned VM may not get its CPU reservation",
  why: "Admission control checks the capacity of the whole host and ignores affinities. ESXi grants the reservation even if other VMs use the CPUs the VM is pinned to, and then cannot keep it.",
  whenNot: "When no other VM may use these CPUs.",
  sources: [AFFINITY_DOC],
  bad: [{ title: "Pinned and reserved", vmx: `sched.cpu.affinity = "0,2,4,6"\nsched.cpu.min = "4000"` }],
  good: [
    { title: "No reservation", vmx: `sched.cpu.affinity = "0,2,4,6"\nsched.cpu.min = "0"` },
    { title: "No affinity", vmx: `sched.cpu.affinity = "all"\nsched.cpu.min = "4000"` },
  ],
});
