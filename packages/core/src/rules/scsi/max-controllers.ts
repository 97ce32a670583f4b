import { CONFIG_OPTION_9, HARDWARE_DOC_67 } from "../../model/sources.ts";
import { MAX_CONTROLLERS } from "../../topology/hardware.ts";
import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "scsi/max-controllers",
  since: "0.1.0",
  severity: "error",
  summary: "The VM has a fifth SCSI controller",
  why: "A VM has room for four SCSI controllers, scsi0 to scsi3, in every hardware version. The disks on a fifth have nowhere to go.",
  whenNot: "Never: put its disks on the other four.",
  evidence: { figure: "At most 4 SCSI adapters in every hardware version", source: HARDWARE_DOC_67 },
  sources: [HARDWARE_DOC_67, CONFIG_OPTION_9],
  esxiOnly: true,
  messages: {
    fifth: (d: { controller: string; most: number }) =>
      `${d.controller} is beyond the ${d.most} SCSI controllers of a VM (scsi0 to scsi${d.most - 1}). Put its disks on those.`,
  },
  bad: [{ title: "scsi4", vmx: `scsi0.present = "TRUE"\nscsi4.present = "TRUE"`, expect: "fifth" }],
  good: [{ title: "scsi0 to scsi3", vmx: [0, 1, 2, 3].map((bus) => `scsi${bus}.present = "TRUE"`).join("\n") }],
  applies: (_, { scsiControllers }) => scsiControllers.some(({ bus }) => bus >= MAX_CONTROLLERS),
  *check({ vm }) {
    for (const { id, bus, range } of vm.scsiControllers) {
      if (bus >= MAX_CONTROLLERS) yield { messageId: "fifth", data: { controller: id, most: MAX_CONTROLLERS }, at: range };
    }
  },
});
