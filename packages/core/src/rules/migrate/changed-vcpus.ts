import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_VSPHERE, HARVESTER_11410, HARVESTER_VMWARE } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/changed-vcpus",
  severity: "error",
  over: "import",
  reads: ["vcpus"],
  messages: {
    changed: (d: { to: string; by: string; vcpus: number; after: number; shape: string | null }) =>
      `${importWords(d)} makes ${d.after} of ${plural(d.vcpus, "vCPU")}. ${d.shape === null ? `Set ${plural(d.vcpus, "vCPU")} after the import` : `Set ${d.shape} after the import`}.`,
  },
  *check({ vm, importer, to, made, before, keep = null }) {
    const after = made.view?.vcpus ?? before.vcpus;
    if (after === before.vcpus) return;
    const data = { to: to.title, by: importer.name, vcpus: before.vcpus, after, shape: keep };
    yield { messageId: "changed", data, at: vm.vcpus?.range ?? vm.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import changes the number of vCPUs",
  why: "Some importers take cores per socket for sockets, and others lose the rest of a division. The guest then has more vCPUs than its licence or its host, or fewer than it needs.",
  whenNot: "When you set sockets and cores by hand after the import.",
  evidence: {
    figure: "An import of 8 vCPUs in 1 socket made 64 vCPUs under a limit of 8 CPUs",
    source: HARVESTER_11410,
    against: "With one core per socket, the same importer makes the right number",
  },
  sources: [HARVESTER_VMWARE, FORKLIFT_VSPHERE],
  shared: { host: "2x12x2:512@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"` },
  bad: [{ title: "Harvester takes 8 cores per socket for 8 sockets", migrate: { to: "kubevirt", by: "harvester" }, vmx: "" }],
  good: [{ title: "Forklift keeps sockets and cores", migrate: { to: "kubevirt", by: "forklift" }, vmx: "" }],
});
