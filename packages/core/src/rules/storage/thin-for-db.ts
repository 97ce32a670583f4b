import { DAKIC19, DISK_FORMAT_DOC, GEODE_VSPHERE } from "../../model/sources.ts";
import { DATABASES, type WorkloadKind } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { dataDisks } from "../disks.ts";

const ABOUT: readonly WorkloadKind[] = [...DATABASES, "imdg"];

export const rule = builtinRule({
  id: "storage/thin-for-db",
  severity: "hint",
  needs: ["workload"],
  about: ABOUT,
  messages: {
    thin: (d: { disk: string }) => `${d.disk} is thin: the first write to each block waits for space. Make it thick, eager zeroed.`,
  },
  applies: (_, __, workload) => workload !== undefined && ABOUT.includes(workload.kind),
  *check({ vm, workload }) {
    for (const { id, range, provisioning } of dataDisks(vm.devices().disks, [...(workload.data ?? []), ...(workload.log ?? [])])) {
      if (provisioning?.state !== "known" || provisioning.value !== "thin") continue;
      yield { messageId: "thin", data: { disk: id }, at: provisioning.range ?? range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Database data is on a thin disk",
  why: "A thin disk allocates and zeroes its space at the first write to each block, while the database waits, and its datastore can fill up although the disk is not full.",
  whenNot: "On arrays that allocate space themselves, on vSAN and NFS, and where the first write is long past.",
  evidence: {
    figure: "Thin disks are documented as the slowest format, by the allocation at first writes (no number printed)",
    source: DISK_FORMAT_DOC,
    against: "Dakic used eager-zeroed disks to avoid the drop and did not measure it; a vendor of arrays calls it negligible (secondary).",
  },
  sources: [DAKIC19, GEODE_VSPHERE],
  shared: { workload: "mssql", vmx: `scsi0.present = "TRUE"\nscsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"` },
  bad: [
    {
      title: "Data on a thin disk",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  disks:\n    - { bus: "scsi0:0", provisioning: thin }\n    - { bus: "scsi1:0", provisioning: thin }\n`,
    },
  ],
  good: [
    {
      title: "Eager zeroed; only the boot disk is thin",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  disks:\n    - { bus: "scsi0:0", provisioning: thin }\n    - { bus: "scsi1:0", provisioning: eager }\n`,
    },
    { title: "A .vmx has no such setting", vmx: "" },
  ],
});
