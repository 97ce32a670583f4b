import { DAKIC19, SCSI_QUEUES, SQL55 } from "../../model/sources.ts";
import { DATABASES, isDatabase } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** From this many disks on: boot, data and log. */
const LEAST_DISKS = 3;

export const rule = builtinRule({
  id: "storage/single-controller",
  severity: "info",
  on: ["scsiControllers"],
  needs: ["workload"],
  about: DATABASES,
  messages: {
    shared: (d: { controller: string; disks: number }) =>
      `All ${d.disks} disks of this database share the queue of ${d.controller}. Put data and log on separate controllers; a VM can have 4.`,
  },
  applies: (_, { scsiControllers }, workload) => isDatabase(workload) && scsiControllers.length > 0,
  *check({ vm }) {
    const { disks, missing } = vm.devices();
    if (missing !== undefined) return yield { skip: "unknown-value" };
    const [first] = disks;
    if (!first || disks.length < LEAST_DISKS || disks.some(({ controller }) => controller !== first.controller)) return;
    const controller = vm.scsiControllers.find(({ id }) => id === first.controller);
    if (controller) yield { messageId: "shared", data: { controller: controller.id, disks: disks.length }, at: controller.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "All disks of a database share one SCSI controller",
  why: "A virtual SCSI controller has one queue that all its disks share. A VM may have four, and each further one brings a queue of its own.",
  whenNot: "When the load keeps far fewer I/Os waiting than one queue holds.",
  evidence: {
    figure: "Queue per controller: PVSCSI 256 (at most 1,024), LSI Logic SAS 128. Queue per disk: 64 (at most 254) and 32",
    source: SCSI_QUEUES,
    against:
      "Dakic's measurement had data and log on one controller. VMware's study on vSphere 5.5 gave each disk its own, without comparing.",
  },
  sources: [SQL55, DAKIC19],
  shared: { workload: "mssql", vmx: `scsi0.present = "TRUE"` },
  bad: [
    {
      title: "Boot, data and log on scsi0",
      vmx: `scsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"\nscsi0:2.present = "TRUE"`,
    },
  ],
  good: [
    {
      title: "Data on a second controller",
      vmx: `scsi0:0.present = "TRUE"\nscsi1.present = "TRUE"\nscsi1:0.present = "TRUE"\nscsi1:1.present = "TRUE"`,
    },
    { title: "Two disks", vmx: `scsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"` },
    { title: "No database", workload: "general", vmx: `scsi0:0.present = "TRUE"\nscsi0:1.present = "TRUE"\nscsi0:2.present = "TRUE"` },
  ],
});
