import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "net/vmxnet3-hw",
  severity: "error",
  refused: ["old"],
  on: ["hardwareVersion"],
  reads: ["hardwareVersion"],
  messages: {
    old: (d: { nic: string; hardwareVersion: number; needs: number }) =>
      `VMXNET3 (${d.nic}) needs hardware version ${d.needs}; this VM has ${d.hardwareVersion}. Upgrade the virtual hardware, or set ${d.nic} to e1000.`,
  },
  applies: ({ hardwareVersion }) => holds(hardwareVersion, (version) => version !== undefined && version < FIRST_HARDWARE.vmxnet3),
  *check({ vm }) {
    if (!vm.hardwareVersion) return;
    const hardwareVersion = vm.hardwareVersion.value;
    for (const { index, type } of vm.devices().nics) {
      if (type.state !== "known" || type.value !== "vmxnet3") continue;
      yield { messageId: "old", data: { nic: `ethernet${index}`, hardwareVersion, needs: FIRST_HARDWARE.vmxnet3 }, at: type.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version has no VMXNET3",
  why: "VMXNET3 comes with hardware version 7. An older VM has no such card, and its guest no network.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "VMXNET3: yes from hardware version 7 on, no in 4", source: HARDWARE_DOC_67 },
  bad: [{ title: "Hardware version 4", vmx: `virtualHW.version = "4"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"` }],
  good: [
    { title: "Hardware version 7", vmx: `virtualHW.version = "7"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"` },
    { title: "E1000", vmx: `virtualHW.version = "4"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000"` },
  ],
});
