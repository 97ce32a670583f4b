import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_VMX } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/lost-reservation",
  severity: "info",
  over: "import",
  reads: ["cpuReservationMHz", "cpuReservationLocked", "memoryReservationMiB", "memoryReservationLocked"],
  messages: {
    lost: (d: { to: string; by: string; what: string; keep: string }) => `${importWords(d)} loses ${d.what}. Set ${d.keep} in its place.`,
  },
  *check({ vm, importer, to }) {
    const { cpuReservation, memoryReservation } = to.instead;
    const { cpuReservationMHz: mhz, cpuReservationLocked: allMhz, memoryReservationMiB: mib, memoryReservationLocked: allMib } = vm;
    const common = { to: to.title, by: importer.name };
    const cpu = allMhz?.value
      ? { what: "the reservation of all its MHz", at: allMhz }
      : mhz && mhz.value > 0 && { what: `the reservation of ${mhz.value} MHz`, at: mhz };
    const memory = allMib?.value
      ? { what: "the reservation of all its memory", at: allMib }
      : mib && mib.value > 0 && { what: `the reservation of ${mib.value} MiB`, at: mib };
    if (cpu && cpuReservation !== undefined)
      yield { messageId: "lost", data: { ...common, what: cpu.what, keep: cpuReservation }, at: cpu.at.range };
    if (memory && memoryReservation !== undefined)
      yield { messageId: "lost", data: { ...common, what: memory.what, keep: memoryReservation }, at: memory.at.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import drops a reservation of CPU or memory",
  why: "A reservation is what the VM gets when its host is full. No importer carries it, and each platform has its own setting in its place.",
  whenNot: "When the new hosts are never full, or when their own limits keep them so.",
  evidence: {
    figure: "Forklift writes sockets, cores and memory, but no setting of the scheduler",
    source: FORKLIFT_VSPHERE,
    against: "A pod of KubeVirt requests all memory of its guest, so a reservation of memory is not lost there",
  },
  sources: [PROXMOX_IMPORT, V2V_VMX],
  shared: {
    host: "2x12x2:512@8.0",
    migrate: { to: "kubevirt", by: "forklift" },
    vmx: `virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"`,
  },
  bad: [{ title: "A reservation of CPU and memory", vmx: 'sched.cpu.min = "20000"' }],
  good: [{ title: "No reservation", vmx: "" }],
});
