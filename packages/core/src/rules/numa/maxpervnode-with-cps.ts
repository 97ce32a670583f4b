import { VNUMA_ATTRIBUTES_60 } from "../../model/sources.ts";
import { socketsSizeNodes } from "../../topology/derive.ts";
import { isEven } from "../../topology/layout.ts";
import { defineRule, holds } from "../define.ts";

export const rule = defineRule({
  id: "numa/maxpervnode-with-cps",
  since: "0.1.0",
  severity: "warning",
  summary: "Cores per socket and numa.vcpu.maxPerVirtualNode ask for NUMA nodes of different size",
  why: "Up to ESXi 6.0 both size the virtual NUMA nodes. The option is documented for sizes that cores per socket cannot express, and cores per socket are then not to be set: with both, a virtual socket lies on two nodes.",
  whenNot: "Never: keep the one whose size you mean.",
  evidence: null,
  sources: [VNUMA_ATTRIBUTES_60],
  esxiOnly: true,
  needs: ["host", "topology"],
  reads: ["coresPerSocket", "maxVcpusPerVnumaNode"],
  messages: {
    both: (d: { size: number; coresPerSocket: number }) =>
      `numa.vcpu.maxPerVirtualNode asks for NUMA nodes of ${d.size} and the sockets for nodes of ${d.coresPerSocket}. Set 1 core per socket.`,
  },
  bad: [
    {
      title: "Nodes of 6, sockets of 4",
      host: "4x10x2@6.0",
      vmx: `virtualHW.version = "11"\nnumvcpus = "24"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.maxPerVirtualNode = "6"`,
      expect: "both",
    },
  ],
  good: [
    {
      title: "1 core per socket",
      host: "4x10x2@6.0",
      vmx: `virtualHW.version = "11"\nnumvcpus = "24"\ncpuid.coresPerSocket = "1"\nnuma.vcpu.maxPerVirtualNode = "6"`,
    },
    {
      title: "Whole sockets in each node",
      host: "4x10x2@6.0",
      vmx: `virtualHW.version = "11"\nnumvcpus = "24"\ncpuid.coresPerSocket = "3"\nnuma.vcpu.maxPerVirtualNode = "6"`,
    },
  ],
  applies: ({ maxVcpusPerVnumaNode }) => holds(maxVcpusPerVnumaNode, (size) => size !== undefined),
  *check({ vm, topology }) {
    const { esxi, coresPerSocket, vnumaNodes } = topology;
    if (!vm.maxVcpusPerVnumaNode || !vm.coresPerSocket || !socketsSizeNodes(esxi)) return;
    const size = vm.maxVcpusPerVnumaNode.value;
    if (size % coresPerSocket === 0 || vnumaNodes[0] !== size || !isEven(vnumaNodes)) return;
    yield {
      messageId: "both",
      data: { size, coresPerSocket },
      at: vm.maxVcpusPerVnumaNode.range,
      related: [{ message: "the cores per socket", range: vm.coresPerSocket.range }],
      fixes: [{ title: "Set 1 core per socket", safety: "unsafe", changes: [{ setting: "coresPerSocket", value: 1 }] }],
    };
  },
});
