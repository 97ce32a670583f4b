import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "storage/pvscsi-hw",
  severity: "error",
  refused: ["old"],
  on: ["hardwareVersion"],
  reads: ["hardwareVersion"],
  messages: {
    old: (d: { controller: string; hardwareVersion: number; needs: number }) =>
      `PVSCSI (${d.controller}) needs hardware version ${d.needs}; this VM has ${d.hardwareVersion}. Upgrade the virtual hardware, or set ${d.controller} to lsilogic.`,
  },
  applies: ({ hardwareVersion }) => holds(hardwareVersion, (version) => version !== undefined && version < FIRST_HARDWARE.pvscsi),
  *check({ vm }) {
    if (!vm.hardwareVersion) return;
    const hardwareVersion = vm.hardwareVersion.value;
    for (const { id: controller, type } of vm.scsiControllers) {
      if (type.state !== "known" || type.value !== "pvscsi") continue;
      yield { messageId: "old", data: { controller, hardwareVersion, needs: FIRST_HARDWARE.pvscsi }, at: type.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version has no PVSCSI controller",
  why: "Paravirtual SCSI controllers come with hardware version 7. An older VM has none, and its guest does not find the disks on it.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "VMware Paravirtual controllers: yes from hardware version 7 on, no in 4", source: HARDWARE_DOC_67 },
  bad: [{ title: "Hardware version 4", vmx: `virtualHW.version = "4"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"` }],
  good: [
    { title: "Hardware version 7", vmx: `virtualHW.version = "7"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"` },
    { title: "LSI Logic", vmx: `virtualHW.version = "4"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"` },
  ],
});
