import { VM_OPERATOR } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { nodeFitsSockets, sizeOfFewestNodes } from "../../platforms/esxi/divide.ts";
import { sizesNodesByHand } from "../../platforms/esxi/esxi-8.0.ts";
import { builtinRule, coresPerSocketOf, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/node-socket-multiple",
  severity: "error",
  refused: ["crosses"],
  on: ["coresPerNumaNode"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion", "coresPerNumaNode"],
  messages: {
    /** `both`: a value for both settings; 0 if only ESXi can size the nodes. */
    crosses: (d: { coresPerNode: number; coresPerSocket: number; both: number }) =>
      `NUMA nodes of ${d.coresPerNode}, set by hand, cut through sockets of ${d.coresPerSocket}, so ESXi will not power on the VM. ${
        d.both > 0 ? `Set both to ${d.both}.` : "Set the size of the nodes to 0 to let ESXi choose."
      }`,
  },
  applies: ({ coresPerNumaNode }) => holds(coresPerNumaNode, (size = 0) => size > 0),
  *check({ vm, host }) {
    const coresPerNode = vm.coresPerNumaNode?.value ?? 0;
    const coresPerSocket = coresPerSocketOf(vm);
    if (!vm.coresPerNumaNode || coresPerSocket === undefined || !sizesNodesByHand(host, vm.hardwareVersion?.value)) return;
    const vcpus = vcpusOf(vm);
    // ESXi ignores cores per socket for a single vCPU.
    if (vcpus === 1 || nodeFitsSockets(coresPerNode, coresPerSocket)) return;
    const both = sizeOfFewestNodes(vcpus, coresPerNode);
    const settings: SettingValues =
      both === 0 ? { coresPerNumaNode: 0 } : { coresPerSocket: both, ...(both !== coresPerNode && { coresPerNumaNode: both }) };
    yield {
      messageId: "crosses",
      data: { coresPerNode, coresPerSocket, both },
      at: vm.coresPerNumaNode.range,
      ...(vm.coresPerSocket && {
        related: [{ message: `${coresPerSocket} cores per socket are set here`, range: vm.coresPerSocket.range }],
      }),
      fixes: [unsafeFix(both === 0 ? "Let ESXi choose the nodes" : `Make sockets and nodes of ${both}`, settings)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "NUMA node set by hand does not match the sockets",
  why: "A virtual NUMA node holds one or more whole sockets, or a socket holds one or more whole nodes. ESXi does not power on a VM where the two sizes cross.",
  whenNot: "Never: one of the two numbers is wrong.",
  evidence: {
    figure: "Cores per NUMA node must be a multiple or a divisor of cores per socket, or the VM fails to power on",
    source: VM_OPERATOR,
  },
  shared: { vmx: `virtualHW.version = "20"` },
  bad: [
    { title: "Nodes of 6, sockets of 4", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.coresPerNode = "6"` },
    {
      title: "Nodes of 5, which 36 vCPUs do not divide into",
      vmx: `numvcpus = "36"\ncpuid.coresPerSocket = "18"\nnuma.vcpu.coresPerNode = "5"`,
    },
    { title: "7 vCPUs in a socket of 7, nodes of 3", vmx: `numvcpus = "7"\ncpuid.coresPerSocket = "7"\nnuma.vcpu.coresPerNode = "3"` },
  ],
  good: [
    { title: "Nodes of 6, sockets of 6", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"` },
    {
      title: "A single vCPU, whose cores per socket ESXi ignores",
      vmx: `numvcpus = "1"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.coresPerNode = "6"`,
    },
    { title: "Nodes of 6, sockets of 3", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "3"\nnuma.vcpu.coresPerNode = "6"` },
    { title: "Nodes of 6, one socket of 12", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.coresPerNode = "6"` },
  ],
});
