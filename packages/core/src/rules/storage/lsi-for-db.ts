import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, DAKIC19, PVSCSI_DOC_60 } from "../../model/sources.ts";
import type { ScsiType } from "../../model/spec.ts";
import { isDatabase } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { bootDisk } from "../disks.ts";

export const SCSI_NAMES: Readonly<Record<ScsiType, string>> = {
  pvscsi: "PVSCSI",
  lsilogic: "LSI Logic Parallel",
  lsisas1068: "LSI Logic SAS",
  buslogic: "BusLogic",
};

/** What PVSCSI gained in the study, which measured only one of the other types. */
const measured = ({ type }: { readonly type: string }): string =>
  type === SCSI_NAMES.lsisas1068
    ? "PVSCSI took up to 19.7 % less time"
    : "PVSCSI took up to 19.7 % less time than LSI Logic SAS, and this type was not measured";

export const rule = builtinRule({
  id: "storage/lsi-for-db",
  severity: "warning",
  severities: { other: "info", otherBoot: "info" },
  on: ["scsiControllers"],
  reads: ["hardwareVersion"],
  messages: {
    data: (d: { controller: string; type: string; disks: number }) =>
      `The database's ${d.disks === 1 ? "disk is" : `${d.disks} disks are`} on ${d.type} (${d.controller}): ${measured(d)}. Set ${d.controller} to pvscsi once the guest has its driver.`,
    /** `single`: the VM has one disk. */
    boot: (d: { controller: string; type: string; disks: number; single: boolean }) =>
      `${d.single ? `The VM's only disk, with the database, is on ${d.type} (${d.controller})` : `The database's disks share ${d.type} (${d.controller}) with the boot disk`}: ${measured(d)}. Put data and log on a separate PVSCSI controller.`,
    other: (d: { controller: string; type: string; disks: number }) =>
      `${d.disks} data disk${d.disks === 1 ? " is" : "s are"} on ${d.type} (${d.controller}): under a database PVSCSI took less than half the host CPU of LSI Logic SAS. Set ${d.controller} to pvscsi once the guest has its driver.`,
    otherBoot: (d: { controller: string; type: string; disks: number }) =>
      `${d.disks} data disk${d.disks === 1 ? " shares" : "s share"} ${d.type} (${d.controller}) with the boot disk: under a database PVSCSI took less than half the host CPU of LSI Logic SAS. Put data on a separate PVSCSI controller.`,
  },
  applies: (_, { scsiControllers }) =>
    scsiControllers.some(({ type, shared }) => type.state === "known" && type.value !== "pvscsi" && !shared),
  *check({ vm, workload }) {
    const { disks: all, missing } = vm.devices();
    if (missing !== undefined) return yield { skip: "unknown-value" };
    // The hardware has no PVSCSI, and another rule reports that it is old.
    if (vm.hardwareVersion && vm.hardwareVersion.value < FIRST_HARDWARE.pvscsi) return;
    const boot = bootDisk(all);
    for (const { id: controller, type, shared } of vm.scsiControllers) {
      if (type.state !== "known" || type.value === "pvscsi" || shared) continue;
      const own = all.filter((disk) => disk.controller === controller);
      const boots = own.some((disk) => disk === boot);
      // A database with a single disk keeps its data there too.
      const disks = own.length - (boots && !(isDatabase(workload) && all.length === 1) ? 1 : 0);
      if (disks === 0) continue;
      const data = { controller, type: SCSI_NAMES[type.value], disks };
      const at = type.range;
      if (boots && isDatabase(workload)) yield { messageId: "boot", data: { ...data, single: all.length === 1 }, at };
      else if (boots) yield { messageId: "otherBoot", data, at };
      else {
        yield {
          messageId: isDatabase(workload) ? "data" : "other",
          data,
          at,
          fixes: [
            { title: `Set ${controller} to PVSCSI`, safety: "unsafe", changes: [{ setting: "scsiType", controller, value: "pvscsi" }] },
          ],
        };
      }
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Data disks use LSI Logic or BusLogic, not PVSCSI",
  why: "PVSCSI is paravirtual: it takes less host CPU for each I/O and has deeper queues than the emulated LSI and BusLogic controllers. Under load a database feels both.",
  whenNot:
    "VMware's own recommended controller for Windows Server 2016 and 2019 guests is LSI Logic SAS, the gain depends on the load, and the author of the measurement advises against converting everything. Changing the controller a guest boots from can end in a blue screen: add a PVSCSI controller for the data disks instead. A controller with a shared bus is not reported: all nodes of a cluster must change together, and up to vSphere 6.5 the documentation excludes PVSCSI from such clusters.",
  evidence: {
    figure:
      "PVSCSI was faster than LSI Logic SAS in 18 of 20 cells (median 7.4 %, best 19.7 %), with less than half the host CPU (SQL Server 2019, ESXi 6.0)",
    source: DAKIC19,
    against:
      "Slower by 2.0 and 0.2 % in two of the five 500 x 500 cells; the author himself writes up to 12 % faster; LSI Logic SAS is what VMware recommends for Windows Server 2016 and 2019.",
  },
  sources: [CONFIG_OPTION_9, PVSCSI_DOC_60],
  bad: [
    {
      title: "A database with data and log on LSI Logic SAS",
      workload: "mssql",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi1.present = "TRUE"\nscsi1.virtualDev = "lsisas1068"\nscsi1:0.present = "TRUE"\nscsi1:1.present = "TRUE"`,
      expect: "data",
    },
    {
      title: "Everything on the boot controller",
      workload: "mssql",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\nscsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"`,
      expect: "boot",
    },
    {
      title: "Another VM's data disk on BusLogic",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi1.present = "TRUE"\nscsi1.virtualDev = "buslogic"\nscsi1:0.present = "TRUE"`,
      expect: "other",
    },
    {
      title: "Another VM's data disk next to the boot disk",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "lsisas1068"\nscsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"`,
      expect: "otherBoot",
    },
  ],
  good: [
    {
      title: "Boot on LSI, data on PVSCSI",
      workload: "mssql",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "lsisas1068"\nscsi0:0.present = "TRUE"\nscsi1.present = "TRUE"\nscsi1.virtualDev = "pvscsi"\nscsi1:0.present = "TRUE"`,
    },
    {
      title: "Hardware that has no PVSCSI",
      workload: "mssql",
      vmx: `virtualHW.version = "4"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\nscsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"`,
    },
    {
      title: "A bus that the nodes of a cluster share",
      workload: "mssql",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi1.present = "TRUE"\nscsi1.virtualDev = "lsisas1068"\nscsi1.sharedBus = "physical"\nscsi1:0.present = "TRUE"`,
    },
    { title: "A boot disk alone", vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\nscsi0:0.present = "TRUE"` },
    { title: "The file does not say the type", vmx: `scsi0.present = "TRUE"\nscsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"` },
  ],
});
