import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_POLICIES, FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_VMX } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/lost-affinity",
  severity: "info",
  over: "import",
  reads: ["cpuAffinity", "numaNodeAffinity"],
  messages: {
    lost: (d: { to: string; by: string; what: string; keep: string }) => `${importWords(d)} loses ${d.what}. Set ${d.keep} in its place.`,
  },
  *check({ vm: { cpuAffinity: cpus, numaNodeAffinity: nodes }, importer, to }) {
    const { affinity: keep } = to.instead;
    if (keep === undefined) return;
    const common = { to: to.title, by: importer.name, keep };
    if (Array.isArray(cpus?.value)) {
      const what = `the affinity to ${plural(cpus.value.length, "logical CPU")}`;
      yield { messageId: "lost", data: { ...common, what }, at: cpus.range };
    } else if (nodes) {
      const what = `the affinity to NUMA node ${nodes.value.join(", ")}`;
      yield { messageId: "lost", data: { ...common, what }, at: nodes.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import drops an affinity to CPUs or NUMA nodes",
  why: "The numbers of logical CPUs belong to a host of ESXi, so no importer carries them. Pins on the new host need its own numbers.",
  whenNot: "When the affinity had no reason any more.",
  evidence: {
    figure: "Forklift warns of CPU affinity and of NUMA affinity, and writes neither",
    source: FORKLIFT_POLICIES,
    against: "Most affinities limit the scheduler for no gain",
  },
  sources: [FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_VMX],
  shared: {
    host: "2x12x2:512@8.0",
    migrate: { to: "libvirt", by: "virt-v2v" },
    vmx: `virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"`,
  },
  bad: [{ title: "Affinity to node 0", vmx: 'numa.nodeAffinity = "0"' }],
  good: [{ title: "No affinity", vmx: "" }],
});
