import { FIRST_HARDWARE, mayRun } from "../../limits/hardware.ts";
import { LAM_2022, VTOPO_DOC_80 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "numa/expose-hotadd-hw",
  severity: "warning",
  on: ["exposeVnumaOnHotAdd"],
  reads: ["hardwareVersion", "cpuHotAdd", "exposeVnumaOnHotAdd"],
  messages: {
    old: (d: { hardwareVersion: number; needs: number; upgrade: boolean }) =>
      `numa.allowHotadd is for hardware version ${d.needs} and later; this VM has ${d.hardwareVersion}: CPU hot add still shows the guest one NUMA node. Turn CPU hot add off${d.upgrade ? ", or upgrade the virtual hardware" : ""}.`,
  },
  applies: ({ exposeVnumaOnHotAdd }) => holds(exposeVnumaOnHotAdd, (on) => on === true),
  *check({ vm, host }) {
    const needs = FIRST_HARDWARE.virtualTopology;
    if (!vm.exposeVnumaOnHotAdd || !vm.cpuHotAdd?.value || !vm.hardwareVersion || vm.hardwareVersion.value >= needs) return;
    yield {
      messageId: "old",
      data: { hardwareVersion: vm.hardwareVersion.value, needs, upgrade: mayRun(host?.esxi, needs) },
      at: vm.exposeVnumaOnHotAdd.range,
      related: [{ message: `hardware version ${vm.hardwareVersion.value} is set here`, range: vm.hardwareVersion.range }],
      fixes: [unsafeFix("Turn CPU hot add and numa.allowHotadd off", { cpuHotAdd: false, exposeVnumaOnHotAdd: false })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version is too old for numa.allowHotadd",
  why: "From ESXi 8.0 on a VM with CPU hot add can see its NUMA nodes, if numa.allowHotadd asks for it and the VM has hardware version 20. On an older version, hot add still hides them.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "The virtual machine must have hardware version 20 or later", source: VTOPO_DOC_80 },
  sources: [LAM_2022],
  bad: [
    { title: "Hardware version 19", vmx: `virtualHW.version = "19"\nnumvcpus = "24"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"` },
  ],
  good: [
    { title: "Hardware version 20", vmx: `virtualHW.version = "20"\nnumvcpus = "24"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"` },
    { title: "A version that is not stated", vmx: `numvcpus = "24"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"` },
  ],
});
