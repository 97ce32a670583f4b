import { keepsUsable, nodesOf } from "../../advice/aligned-size.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { VNUMA_ATTRIBUTES_60 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { socketsSizeNodes } from "../../platforms/esxi/derive.ts";
import { largestDivisor } from "../../platforms/esxi/divide.ts";
import { isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, type PageOf, unsafeFix } from "../define.ts";
import { chooseCount, nodeSizes, type Room, setCoresPerSocket } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/maxpervnode-with-cps",
  severity: "warning",
  on: ["maxVcpusPerVnumaNode"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerSocket", "maxVcpusPerVnumaNode"],
  messages: {
    /** `forBoth`: a size for both of them, null if none is better; `instead`: cores per socket that fit whole into the nodes. */
    both: (d: Room & { size: number; coresPerSocket: number; forBoth: number | null; instead: number | null }) =>
      `numa.vcpu.maxPerVirtualNode sets NUMA nodes of ${d.size}, but the sockets set nodes of ${d.coresPerSocket}. ${
        d.forBoth !== null
          ? `Set both to ${d.forBoth}.`
          : d.instead !== null
            ? `Set ${plural(d.instead, "core")} per socket.`
            : chooseCount(d)
      }`.trimEnd(),
  },
  *check(facts) {
    const { vm, host, topology, whatIf, ifKnown } = facts;
    const { esxi, vcpus, coresPerSocket, vnumaNodes, nodeCapacity: capacity } = topology;
    if (!vm.maxVcpusPerVnumaNode || !vm.coresPerSocket || !socketsSizeNodes(esxi)) return;
    const size = vm.maxVcpusPerVnumaNode.value;
    if (size % coresPerSocket === 0 || vnumaNodes[0] !== size || !isEven(vnumaNodes)) return;
    // More sockets may leave guest OS or SQL Server fewer vCPUs than it can use now.
    const fits = (cores: number): boolean => {
      const candidate = vcpus % cores === 0 && size % cores === 0 ? whatIf({ coresPerSocket: cores }) : undefined;
      return candidate !== undefined && keepsUsable(candidate, topology);
    };
    const fittingCores = [1, largestDivisor(vcpus, size, fits)].find(fits);
    // Nodes that are too many for the host are no better for other sockets.
    const tooMany = vnumaNodes.length > host.numaNodes;
    const nodes = (newSize: number) => nodesOf(topology, "maxVcpusPerVnumaNode", newSize);
    const [forBoth = null] = tooMany || fittingCores === undefined ? nodeSizes(facts, nodes) : [];
    const instead = forBoth === null ? (fittingCores ?? null) : null;
    const forMemory = nodesForMemory(ifKnown("memoryMiB"), host);
    yield {
      messageId: "both",
      data: { size, coresPerSocket, vcpus, physicalNodes: host.numaNodes, capacity, forMemory, forBoth, instead },
      at: vm.maxVcpusPerVnumaNode.range,
      related: [{ message: "the cores per socket", range: vm.coresPerSocket.range }],
      fixes:
        forBoth !== null ? [unsafeFix(`Make nodes of ${forBoth}`, nodes(forBoth))] : instead === null ? [] : [setCoresPerSocket(instead)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Cores per socket and maxPerVirtualNode disagree",
  why: "Up to ESXi 6.0 both size the virtual NUMA nodes. The option is documented for sizes that cores per socket cannot express, and then cores per socket must stay unset: with both, a virtual socket spans two nodes.",
  whenNot: "Never: keep the one with the size you want.",
  sources: [VNUMA_ATTRIBUTES_60],
  shared: { host: "4x10x2@6.0", vmx: `virtualHW.version = "11"` },
  bad: [
    { title: "Nodes of 6, sockets of 4", vmx: `numvcpus = "24"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.maxPerVirtualNode = "6"` },
    {
      title: "24 sockets of 1 core, more than SQL Server Standard can use",
      workload: "mssql, standard, 2022",
      vmx: `numvcpus = "24"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.maxPerVirtualNode = "6"`,
    },
    { title: "More nodes than the host has", vmx: `numvcpus = "16"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.maxPerVirtualNode = "2"` },
  ],
  good: [
    { title: "1 core per socket", vmx: `numvcpus = "24"\ncpuid.coresPerSocket = "1"\nnuma.vcpu.maxPerVirtualNode = "6"` },
    { title: "Whole sockets in each node", vmx: `numvcpus = "24"\ncpuid.coresPerSocket = "3"\nnuma.vcpu.maxPerVirtualNode = "6"` },
  ],
});
