import { HARDWARE_DOC_67 } from "../../model/sources.ts";
import type { PageOf } from "../define.ts";
import { oldHardwareRule } from "../old-hardware.ts";

export const rule = oldHardwareRule("sata", "disks and drives on a SCSI or IDE controller");

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version has no SATA controller",
  why: "SATA controllers come with hardware version 10. An older VM has none, and its guest does not find the disks and drives on it.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "SATA controllers: 4 from hardware version 10 on, none before", source: HARDWARE_DOC_67 },
  bad: [{ title: "Hardware version 9", vmx: `virtualHW.version = "9"\nsata0.present = "TRUE"` }],
  good: [
    { title: "Hardware version 10", vmx: `virtualHW.version = "10"\nsata0.present = "TRUE"` },
    { title: "Not present", vmx: `virtualHW.version = "9"\nsata0.present = "FALSE"` },
  ],
});
