import { importWords } from "../../importers/importer.ts";
import { valueIfKnown } from "../../model/source.ts";
import { HARVESTER_VMWARE } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/less-memory",
  severity: "warning",
  over: "import",
  reads: ["memoryMiB"],
  messages: {
    less: (d: { to: string; by: string; memoryMiB: number; after: number; percent: number; keep: string }) =>
      `${importWords(d)} makes ${d.after} MiB of ${d.memoryMiB} MiB of memory (-${d.percent} %). Set ${d.keep} after the import.`,
  },
  *check({ vm: { memoryMiB }, importer, to, made }) {
    const after = made.spec && valueIfKnown(made.spec.settings.memoryMiB);
    if (!memoryMiB || after === undefined || after >= memoryMiB.value) return;
    const percent = Number((((memoryMiB.value - after) / memoryMiB.value) * 100).toFixed(1));
    const data = { to: to.title, by: importer.name, memoryMiB: memoryMiB.value, after: Math.floor(after), percent };
    yield { messageId: "less", data: { ...data, keep: to.memory(memoryMiB.value) }, at: memoryMiB.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import makes the memory smaller",
  why: "A megabyte of an importer may be a million bytes, while ESXi counts MiB. The guest then has less memory than its caches and its JVM or database are set for.",
  whenNot: "When the guest has memory to spare.",
  evidence: {
    figure: "vm-import-controller writes MiB as M: 8192 MiB become 8192 million bytes, 4.6 % less",
    source: HARVESTER_VMWARE,
    against: "A guest that leaves 5 % unused does not notice it",
  },
  shared: { host: "2x12x2:512@8.0", vmx: `virtualHW.version = "20"` },
  bad: [
    {
      title: "Harvester writes MiB as M",
      migrate: { to: "kubevirt", by: "harvester" },
      vmx: 'numvcpus = "4"\ncpuid.coresPerSocket = "1"\nmemSize = "8192"',
    },
  ],
  good: [
    {
      title: "Forklift keeps the memory",
      migrate: { to: "kubevirt", by: "forklift" },
      vmx: 'numvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"',
    },
  ],
});
