import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_VSPHERE, PROXMOX_IMPORT, V2V_LIBVIRT } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/lost-nodes",
  severity: "info",
  over: "import",
  reads: ["vcpus"],
  messages: {
    lost: (d: { to: string; by: string; nodes: readonly number[]; after: number; shape: string | null; misses: string | null }) =>
      `${importWords(d)} shows the guest ${plural(d.after, "NUMA node")} instead of ${d.nodes.length} (${groupText(d.nodes)}). ${d.shape === null ? "No definition keeps them" : `Set ${d.shape} after the import`}.`,
  },
  *check({ vm, importer, to, made, before: { nodes }, keep, kept }) {
    const after = made.view?.vnumaNodes ?? [];
    if (!nodes || nodes.length === 1 || after.length === 0 || String(nodes) === String(after)) return;
    const misses = "misses" in kept ? (kept.misses ?? null) : null;
    const shape = misses === null ? (keep ?? null) : null;
    const data = { to: to.title, by: importer.name, nodes, after: after.length, shape, misses };
    yield { messageId: "lost", data, at: vm.vcpus?.range ?? vm.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import leaves the virtual NUMA nodes behind",
  why: "ESXi shows a wide VM the nodes that it runs on. No importer carries them, so the guest sees one node, and its kernel and database place memory without knowing what is near.",
  whenNot: "When the VM fits one NUMA node of the new host: it then runs on one node in any case.",
  evidence: {
    figure: "Forklift writes sockets and cores of a VM, and no nodes",
    source: FORKLIFT_VSPHERE,
    against: "Few VMs are wider than a NUMA node of their host; others lose nothing",
  },
  sources: [PROXMOX_IMPORT, V2V_LIBVIRT],
  shared: { host: "2x12x2:512@8.0", migrate: { to: "libvirt", by: "virt-v2v" }, vmx: `virtualHW.version = "20"` },
  bad: [{ title: "16 vCPUs on nodes of 12 cores", vmx: 'numvcpus = "16"\nmemSize = "65536"' }],
  good: [{ title: "8 vCPUs fit a node of 12 cores", vmx: 'numvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"' }],
});
