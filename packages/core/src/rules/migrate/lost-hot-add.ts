import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_POLICIES, FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_VMX } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/lost-hot-add",
  severity: "info",
  over: "import",
  reads: ["cpuHotAdd", "memoryHotAdd"],
  messages: {
    lost: (d: { to: string; by: string; what: string; keep: string }) => `${importWords(d)} loses ${d.what}. Set ${d.keep} in its place.`,
  },
  *check({ vm: { cpuHotAdd, memoryHotAdd }, importer, to, made: { view } }) {
    // A platform may prepare more vCPUs by itself.
    if (!view || (view.sets?.possibleVcpus ?? view.vcpus) > view.vcpus) return;
    for (const [setting, what, keep] of [
      [cpuHotAdd, "CPU hot add", to.instead.cpuHotAdd],
      [memoryHotAdd, "memory hot add", to.instead.memoryHotAdd],
    ] as const)
      if (setting?.value && keep !== undefined)
        yield { messageId: "lost", data: { to: to.title, by: importer.name, what, keep }, at: setting.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import drops hot add of CPU or memory",
  why: "The guest can no longer get vCPUs or memory while it runs, which a runbook may depend on. The new platform has its own setting, if any.",
  whenNot: "When the running VM never gets more vCPUs or memory.",
  evidence: {
    figure: "Forklift warns of hot add, and writes neither CPU nor memory hot add",
    source: FORKLIFT_POLICIES,
    against: "CPU hot add takes the virtual NUMA nodes of many releases of ESXi, so losing it may help",
  },
  sources: [FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_VMX],
  shared: {
    host: "2x12x2:512@8.0",
    migrate: { to: "libvirt", by: "virt-v2v" },
    vmx: `virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"`,
  },
  bad: [{ title: "CPU hot add", vmx: 'vcpu.hotadd = "TRUE"' }],
  good: [{ title: "No hot add", vmx: "" }],
});
