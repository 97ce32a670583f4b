import { CONFIG_OPTION_9, HARDWARE_DOC_67 } from "../../model/sources.ts";
import type { PageOf } from "../define.ts";
import { oldHardwareRule } from "../old-hardware.ts";

export const rule = oldHardwareRule("nvme", "disks on a SCSI controller");

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version has no NVMe controller",
  why: "NVMe controllers come with hardware version 13. An older VM has none, and its guest does not find the disks on it.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "NVMe controllers: 4 from hardware version 13 on, none before", source: HARDWARE_DOC_67 },
  sources: [CONFIG_OPTION_9],
  bad: [{ title: "Hardware version 11", vmx: `virtualHW.version = "11"\nnvme0.present = "TRUE"` }],
  good: [
    { title: "Hardware version 13", vmx: `virtualHW.version = "13"\nnvme0.present = "TRUE"` },
    { title: "Not present", vmx: `virtualHW.version = "11"\nnvme0.present = "FALSE"` },
  ],
});
