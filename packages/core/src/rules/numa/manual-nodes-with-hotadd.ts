import { TOPOLOGY_DOC_80, VTOPO_DOC_80 } from "../../model/sources.ts";
import { sizesNodesByHand } from "../../platforms/esxi/esxi-8.0.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/manual-nodes-with-hotadd",
  severity: "warning",
  on: ["coresPerNumaNode"],
  reads: ["vcpus", "hardwareVersion", "coresPerNumaNode", "cpuHotAdd", "exposeVnumaOnHotAdd"],
  messages: {
    single: (d: { vcpus: number; coresPerNode: number }) =>
      `CPU hot add gives the guest one NUMA node of ${d.vcpus} by default, but numa.vcpu.coresPerNode sets nodes of ${d.coresPerNode}. Set numa.allowHotadd to TRUE, or turn CPU hot add off.`,
  },
  applies: ({ coresPerNumaNode, cpuHotAdd }) => holds(coresPerNumaNode, (size = 0) => size > 0) && holds(cpuHotAdd, (on) => on === true),
  *check({ vm, host }) {
    const vcpus = vcpusOf(vm);
    if (!vm.coresPerNumaNode || !vm.cpuHotAdd || vm.exposeVnumaOnHotAdd?.value || vm.coresPerNumaNode.value >= vcpus) return;
    // Below version 20, neither option makes the nodes, and another rule reports it.
    if (!vm.hardwareVersion || !sizesNodesByHand(host, vm.hardwareVersion.value)) return;
    yield {
      messageId: "single",
      data: { vcpus, coresPerNode: vm.coresPerNumaNode.value },
      at: vm.coresPerNumaNode.range,
      related: [{ message: "CPU hot add is set here", range: vm.cpuHotAdd.range }],
      fixes: [
        unsafeFix("Show the nodes with CPU hot add", { exposeVnumaOnHotAdd: true }),
        unsafeFix("Turn CPU hot add off", { cpuHotAdd: false }),
      ],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU hot add hides NUMA nodes set by hand",
  why: "A VM with CPU hot add has a single NUMA node by default. The documented way to have both is numa.allowHotadd first, and the nodes by hand after it.",
  whenNot: "When the guest still has the nodes: the documentation leaves open which of the two settings wins.",
  evidence: { figure: "A virtual machine with CPU hot plug has a single NUMA node by default", source: VTOPO_DOC_80 },
  sources: [TOPOLOGY_DOC_80],
  shared: { vmx: `virtualHW.version = "20"\nnumvcpus = "24"` },
  bad: [{ title: "Nodes of 12 and hot add", vmx: `cpuid.coresPerSocket = "12"\nnuma.vcpu.coresPerNode = "12"\nvcpu.hotadd = "TRUE"` }],
  good: [
    {
      title: "Both, and numa.allowHotadd",
      vmx: `cpuid.coresPerSocket = "12"\nnuma.vcpu.coresPerNode = "12"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"`,
    },
    { title: "One node set by hand", vmx: `cpuid.coresPerSocket = "24"\nnuma.vcpu.coresPerNode = "24"\nvcpu.hotadd = "TRUE"` },
  ],
});
