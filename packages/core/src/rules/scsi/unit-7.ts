import { maxDisks, SCSI_CONTROLLER_UNIT } from "../../limits/hardware.ts";
import { sequence } from "../../model/sequence.ts";
import { valueIfKnown } from "../../model/source.ts";
import { CONFIG_OPTION_9 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "scsi/unit-7",
  severity: "error",
  on: ["scsiControllers"],
  messages: {
    taken: (d: { disk: string; controller: string; free: string | null }) =>
      `${d.disk} is reserved for the controller ${d.controller} itself. Move the disk to ${d.free ?? "another controller"}.`,
  },
  *check({ vm, ifKnown }) {
    const { disks } = vm.devices();

    const usedIds = new Set(disks.map(({ id }) => id));
    for (const { id, controller, range } of disks) {
      if (!controller.startsWith("scsi") || id !== `${controller}:${SCSI_CONTROLLER_UNIT}`) continue;
      const type = vm.scsiControllers.find((scsi) => scsi.id === controller)?.type;
      // Every type has the units of the smallest.
      const disksOfIt = maxDisks("scsi", (type && valueIfKnown(type)) ?? "lsilogic", ifKnown("hardwareVersion"));
      const places = sequence(disksOfIt + 1, (unit) => `${controller}:${unit}`);
      // Higher units come first, because the disks before it were counted from 0.
      const ordered = [...places.slice(SCSI_CONTROLLER_UNIT + 1), ...places.slice(0, SCSI_CONTROLLER_UNIT)];
      const free = ordered.find((address) => !usedIds.has(address)) ?? null;
      yield { messageId: "taken", data: { disk: id, controller, free }, at: range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Disk uses the unit of the SCSI controller itself",
  why: "Unit 7 of every virtual SCSI controller is the controller itself. A generator that numbers disks from 0 gives it to the eighth disk.",
  whenNot: "Never: move the disk to another unit.",
  evidence: { figure: "scsiCtlrUnitNumber is 7 for every type of SCSI controller", source: CONFIG_OPTION_9 },
  shared: { vmx: `scsi0.present = "TRUE"` },
  bad: [{ title: "The eighth disk", vmx: `scsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi0:7.present = "TRUE"` }],
  good: [
    { title: "Units 6 and 8", vmx: `scsi0.virtualDev = "pvscsi"\nscsi0:6.present = "TRUE"\nscsi0:8.present = "TRUE"` },
    { title: "A disk that is not there", vmx: `scsi0:0.present = "TRUE"\nscsi0:7.present = "FALSE"` },
  ],
});
