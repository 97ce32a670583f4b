import { CONFIG_OPTION_90 } from "../../model/sources.ts";
import { SCSI_CONTROLLER_UNIT } from "../../topology/hardware.ts";
import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "scsi/unit-7",
  since: "0.1.0",
  severity: "error",
  summary: "A disk is at the unit that the SCSI controller takes for itself",
  why: "Unit 7 of every virtual SCSI controller is the controller. Generated files that count the disks of a controller run into it with the eighth.",
  whenNot: "Never: move the disk to another unit.",
  evidence: { figure: "scsiCtlrUnitNumber is 7 for every type of SCSI controller", source: CONFIG_OPTION_90 },
  sources: [CONFIG_OPTION_90],
  esxiOnly: true,
  messages: {
    taken: (d: { disk: string; controller: string; free: string }) =>
      `${d.disk} is the place of the controller ${d.controller} itself. Move the disk to ${d.free}.`,
  },
  bad: [
    {
      title: "The eighth disk",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi0:7.present = "TRUE"`,
      expect: "taken",
    },
  ],
  good: [
    {
      title: "Units 6 and 8",
      vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:6.present = "TRUE"\nscsi0:8.present = "TRUE"`,
    },
    { title: "A disk that is not there", vmx: `scsi0.present = "TRUE"\nscsi0:0.present = "TRUE"\nscsi0:7.present = "FALSE"` },
  ],
  applies: (_, { scsiControllers }) => scsiControllers.length > 0,
  *check({ vm }) {
    const { disks } = vm.devices();
    const taken = new Set(disks.map(({ id }) => id));
    for (const { id, controller, range } of disks) {
      if (!controller.startsWith("scsi") || id !== `${controller}:${SCSI_CONTROLLER_UNIT}`) continue;
      let unit = SCSI_CONTROLLER_UNIT + 1;
      while (taken.has(`${controller}:${unit}`)) unit++;
      yield { messageId: "taken", data: { disk: id, controller, free: `${controller}:${unit}` }, at: range };
    }
  },
});
