import { CONFIG_OPTION_9, DAKIC19 } from "../../model/sources.ts";
import { DATABASES, isDatabase } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { dataDisks } from "../disks.ts";

export const rule = builtinRule({
  id: "storage/ide-data",
  severity: "info",
  needs: ["workload"],
  about: DATABASES,
  messages: {
    emulated: (d: { disk: string; kind: string }) =>
      `The database's ${d.disk} is on an emulated ${d.kind} controller. Put it on a PVSCSI controller once the guest has its driver.`,
  },
  applies: (_, __, workload) => isDatabase(workload),
  *check({ vm, workload }) {
    const { disks, missing } = vm.devices();
    if (missing !== undefined) return yield { skip: "unknown-value" };
    const declaredDisks = [...(workload.data ?? []), ...(workload.log ?? [])];
    // A VM with only IDE or SATA disks boots from one, and without declared data disks the rule cannot see which.
    if (declaredDisks.length === 0 && !disks.some(({ controller }) => controller.startsWith("scsi"))) return;
    for (const { id, controller, range } of dataDisks(disks, declaredDisks)) {
      const kind = controller.startsWith("ide") ? "IDE" : controller.startsWith("sata") ? "SATA" : undefined;
      if (kind) yield { messageId: "emulated", data: { disk: id, kind }, at: range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Database data is on an IDE or SATA disk",
  why: "IDE and SATA controllers are emulated, for the drives a guest is installed from. VMware recommends neither for Windows Server or enterprise Linux.",
  whenNot: "When the guest has no other driver.",
  evidence: {
    figure:
      "ESX 9 recommends PVSCSI or LSI Logic for every Windows Server and enterprise Linux; IDE for 11 guests such as Windows 98 and DOS",
    source: CONFIG_OPTION_9,
    against: "No measurement of a database on IDE or SATA was found.",
  },
  sources: [DAKIC19],
  shared: { workload: "mssql" },
  bad: [
    { title: "Data on SATA", vmx: `scsi0.present = "TRUE"\nscsi0:0.present = "TRUE"\nsata0.present = "TRUE"\nsata0:0.present = "TRUE"` },
    { title: "Data on IDE", workload: "mssql, data=ide0:1", vmx: `ide0:0.present = "TRUE"\nide0:1.present = "TRUE"` },
  ],
  good: [
    {
      title: "A CD drive on SATA",
      vmx: `scsi0.present = "TRUE"\nscsi0:0.present = "TRUE"\nsata0.present = "TRUE"\nsata0:0.present = "TRUE"\nsata0:0.deviceType = "cdrom-image"`,
    },
    {
      title: "Data on PVSCSI, boot on SATA",
      workload: "mssql, data=scsi0:0",
      vmx: `sata0.present = "TRUE"\nsata0:0.present = "TRUE"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"`,
    },
    { title: "A single disk", vmx: `sata0.present = "TRUE"\nsata0:0.present = "TRUE"` },
  ],
});
