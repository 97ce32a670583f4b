import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { HARDWARE_DOC, VM_OPERATOR, VTOPO_DOC_80 } from "../../model/sources.ts";
import { dividesIntoNodes } from "../../platforms/esxi/divide.ts";
import { readsCoresPerNode } from "../../platforms/esxi/esxi-8.0.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/cores-per-node-hw",
  severity: "warning",
  on: ["coresPerNumaNode"],
  reads: ["hardwareVersion", "coresPerNumaNode"],
  messages: {
    old: (d: { coresPerNode: number; hardwareVersion: number; needs: number; divides: boolean }) =>
      `numa.vcpu.coresPerNode is for hardware version ${d.needs} and later; this VM has ${d.hardwareVersion}. ${d.divides ? `Set numa.vcpu.maxPerVirtualNode to ${d.coresPerNode} instead` : "Remove it"}, or upgrade the virtual hardware.`,
  },
  applies: ({ coresPerNumaNode }) => holds(coresPerNumaNode, (size = 0) => size > 0),
  *check({ vm, host, ifKnown }) {
    const needs = FIRST_HARDWARE.virtualTopology;
    if (!vm.coresPerNumaNode || !vm.hardwareVersion || vm.hardwareVersion.value >= needs || !readsCoresPerNode(host)) return;
    const coresPerNode = vm.coresPerNumaNode.value;
    const divides = dividesIntoNodes(ifKnown("vcpus") ?? coresPerNode, coresPerNode);
    yield {
      messageId: "old",
      data: { coresPerNode, hardwareVersion: vm.hardwareVersion.value, needs, divides },
      at: vm.coresPerNumaNode.range,
      related: [{ message: `hardware version ${vm.hardwareVersion.value} is set here`, range: vm.hardwareVersion.range }],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version is too old for coresPerNode",
  why: "The virtual topology of ESXi 8.0, with NUMA nodes set by hand, is a feature of hardware version 20. Its effect on older versions is not documented; there, numa.vcpu.maxPerVirtualNode sets the node size.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "The virtual machine must have hardware version 20 or later", source: VTOPO_DOC_80 },
  sources: [HARDWARE_DOC, VM_OPERATOR],
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [{ title: "Hardware version 19", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"` }],
  good: [
    {
      title: "Hardware version 20",
      vmx: `virtualHW.version = "20"\nnumvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"`,
    },
    { title: "0 is automatic", vmx: `numvcpus = "12"\nnuma.vcpu.coresPerNode = "0"` },
  ],
});
