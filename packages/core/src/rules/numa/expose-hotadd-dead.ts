import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { LAM_2022, TOPOLOGY_DOC_80 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/expose-hotadd-dead",
  severity: "info",
  on: ["exposeVnumaOnHotAdd"],
  reads: ["cpuHotAdd", "exposeVnumaOnHotAdd"],
  messages: {
    dead: (d: { works: boolean }) =>
      `numa.allowHotadd does nothing while CPU hot add is off. Remove it${d.works ? ", or turn CPU hot add on if vCPUs are to be added while the VM runs" : ""}.`,
  },
  applies: ({ exposeVnumaOnHotAdd }) => holds(exposeVnumaOnHotAdd, (on) => on === true),
  *check({ vm, ifKnown }) {
    if (!vm.exposeVnumaOnHotAdd || vm.cpuHotAdd?.value) return;
    const works = (ifKnown("hardwareVersion") ?? FIRST_HARDWARE.virtualTopology) >= FIRST_HARDWARE.virtualTopology;
    yield { messageId: "dead", data: { works }, at: vm.exposeVnumaOnHotAdd.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "numa.allowHotadd has no effect without CPU hot add",
  why: "numa.allowHotadd shows NUMA nodes to the guest of a VM with CPU hot add. Without hot add the guest sees the nodes anyway, and vCPUs cannot be added while it runs.",
  whenNot: "When CPU hot add is turned on and off now and then.",
  sources: [TOPOLOGY_DOC_80, LAM_2022],
  bad: [
    { title: "Hot add is off", vmx: `virtualHW.version = "20"\nvcpu.hotadd = "FALSE"\nnuma.allowHotadd = "TRUE"` },
    { title: "Hot add is off by default", vmx: `virtualHW.version = "20"\nnuma.allowHotadd = "TRUE"` },
  ],
  good: [
    { title: "Hot add is on", vmx: `virtualHW.version = "20"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"` },
    { title: "Both off", vmx: `virtualHW.version = "20"\nnuma.allowHotadd = "FALSE"` },
  ],
});
