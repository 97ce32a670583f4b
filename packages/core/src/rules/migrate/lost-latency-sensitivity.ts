import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_VMX } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/lost-latency-sensitivity",
  severity: "warning",
  over: "import",
  reads: ["latencySensitivity"],
  messages: {
    lost: (d: { to: string; by: string; what: string; keep: string }) => `${importWords(d)} loses ${d.what}. Set ${d.keep} in its place.`,
  },
  *check({ vm: { latencySensitivity: setting }, importer, to }) {
    const { latency: keep } = to.instead;
    if (keep === undefined || setting?.value !== "high") return;
    const what = "latency sensitivity High, which reserves cores for it";
    yield { messageId: "lost", data: { to: to.title, by: importer.name, what, keep }, at: setting.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import drops latency sensitivity High",
  why: "High gives each vCPU a core of its own, and lets it poll instead of waiting for interrupts. After the import, the VM shares cores with others, and its latency changes with their load.",
  whenNot: "When the VM does not need it, or when the new host runs no other VM.",
  evidence: {
    figure: "Forklift writes sockets, cores and memory, but no setting of the scheduler",
    source: FORKLIFT_VSPHERE,
    against: "On a host with free cores, a VM without it has much the same latency",
  },
  sources: [PROXMOX_IMPORT, V2V_VMX],
  shared: {
    host: "2x12x2:512@8.0",
    migrate: { to: "kubevirt", by: "forklift" },
    vmx: `virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"`,
  },
  bad: [
    { title: "Latency sensitivity High", vmx: 'sched.cpu.latencySensitivity = "high"\nsched.cpu.min = "20000"\nsched.mem.min = "8192"' },
  ],
  good: [{ title: "Latency sensitivity Normal", vmx: 'sched.cpu.latencySensitivity = "normal"' }],
});
