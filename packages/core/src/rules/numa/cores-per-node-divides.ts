import { VM_OPERATOR, VTOPO_DOC_80 } from "../../model/sources.ts";
import { dividesIntoNodes, sizeOfFewestNodes } from "../../platforms/esxi/divide.ts";
import { sizesNodesByHand } from "../../platforms/esxi/esxi-8.0.ts";
import { builtinRule, coresPerSocketOf, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/cores-per-node-divides",
  severity: "error",
  refused: ["remainder"],
  on: ["coresPerNumaNode"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion", "coresPerNumaNode"],
  messages: {
    remainder: (d: { vcpus: number; coresPerNode: number; fits: number }) =>
      `${d.vcpus} vCPUs do not divide into NUMA nodes of ${d.coresPerNode} (numa.vcpu.coresPerNode). Set it to ${d.fits > 0 ? `${d.fits}, or to ` : ""}0 to let ESXi choose.`,
  },
  applies: ({ coresPerNumaNode }) => holds(coresPerNumaNode, (size = 0) => size > 0),
  *check({ vm, host }) {
    const vcpus = vcpusOf(vm);
    if (!vm.coresPerNumaNode || !sizesNodesByHand(host, vm.hardwareVersion?.value)) return;
    const coresPerNode = vm.coresPerNumaNode.value;
    if (dividesIntoNodes(vcpus, coresPerNode)) return;
    const coresPerSocket = coresPerSocketOf(vm);
    // A manual node size needs manual sockets.
    const fits = coresPerSocket === undefined ? 0 : sizeOfFewestNodes(vcpus, coresPerNode, coresPerSocket);
    yield {
      messageId: "remainder",
      data: { vcpus, coresPerNode, fits },
      at: vm.coresPerNumaNode.range,
      ...(vm.vcpus && { related: [{ message: `${vcpus} vCPUs are set here`, range: vm.vcpus.range }] }),
      fixes: [unsafeFix("Let ESXi choose the nodes", { coresPerNumaNode: 0 })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Size of NUMA nodes does not divide the vCPUs",
  why: "numa.vcpu.coresPerNode cuts the VM into virtual NUMA nodes of one size, so the size must divide the vCPUs. It is mostly left over from a VM with another vCPU count.",
  whenNot: "Never: change the size with the vCPUs, or set it to 0 and let ESXi choose.",
  evidence: {
    figure: "A vCPU count that the number of virtual NUMA nodes does not divide is refused before the VM is created",
    source: VM_OPERATOR,
  },
  sources: [VTOPO_DOC_80],
  shared: { vmx: `virtualHW.version = "20"` },
  bad: [
    { title: "16 vCPUs in nodes of 12", vmx: `numvcpus = "16"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.coresPerNode = "12"` },
    {
      title: "36 vCPUs in nodes of 5, which cannot be equal",
      vmx: `numvcpus = "36"\ncpuid.coresPerSocket = "18"\nnuma.vcpu.coresPerNode = "5"`,
    },
  ],
  good: [
    { title: "24 vCPUs in nodes of 12", vmx: `numvcpus = "24"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.coresPerNode = "12"` },
    {
      title: "Hardware version 19, which another rule reports",
      vmx: `virtualHW.version = "19"\nnumvcpus = "16"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.coresPerNode = "12"`,
    },
    { title: "0 is automatic", vmx: `numvcpus = "16"\nnuma.vcpu.coresPerNode = "0"` },
    {
      title: "ESXi 7.0 does not read it",
      host: "2x20x2@7.0",
      vmx: `virtualHW.version = "19"\nnumvcpus = "16"\nnuma.vcpu.coresPerNode = "12"`,
    },
  ],
});
