import { isAligned } from "../../advice/aligned-size.ts";
import { nodeTrouble } from "../../limits/sql-server.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { SQL55, VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";
import { nodeSizes } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/followcps",
  severity: "warning",
  on: ["followCoresPerSocket"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerSocket", "followCoresPerSocket"],
  messages: {
    follows: (d: { coresPerSocket: number; nodes: number; physicalNodes: number; auto: readonly number[]; instead: number | null }) =>
      `The NUMA nodes follow the ${d.coresPerSocket} cores per socket: ${d.nodes} of them on a host of ${d.physicalNodes}. Turn followcorespersocket off${
        d.instead === null ? ` to get ${groupText(d.auto)}` : ` and set ${d.instead} cores per socket`
      }.`,
  },
  applies: ({ followCoresPerSocket }) => holds(followCoresPerSocket, (on) => on === true),
  *check(facts) {
    const { vm, host, topology, workload, whatIf, ifKnown } = facts;
    const { vnumaNodes: nodes, coresPerSocket } = topology;
    const off = whatIf({ followCoresPerSocket: false });
    if (!vm.followCoresPerSocket || vm.coresPerSocket?.value !== coresPerSocket || coresPerSocket === 1) return;
    // The sockets may have been sized for these nodes of the host.
    if (nodes.length <= host.numaNodes) return;
    if (!off || groupText(off.vnumaNodes) === groupText(nodes)) return;
    // More nodes may hold the memory.
    const forMemory = nodesForMemory(ifKnown("memoryMiB"), host);
    if (off.numaClients.length < forMemory) return;
    const [size = null] = nodeSizes(facts, (coresPerSocket) => ({ followCoresPerSocket: false, coresPerSocket }));
    const isTooLarge = nodeTrouble(workload, Math.max(...off.vnumaNodes)) !== undefined;
    // Without the option the nodes would be larger than SQL Server takes.
    if (isTooLarge && size === null) return;
    const isEnough = isAligned(off, host.numaNodes) && !isTooLarge;
    const instead = isEnough ? null : size;
    yield {
      messageId: "follows",
      data: { coresPerSocket, nodes: nodes.length, physicalNodes: host.numaNodes, auto: off.vnumaNodes, instead },
      at: vm.followCoresPerSocket.range,
      fixes:
        isEnough || instead !== null
          ? [
              unsafeFix(`Turn followcorespersocket off${instead === null ? "" : ` and set ${plural(instead, "core")} per socket`}`, {
                followCoresPerSocket: false,
                ...(instead !== null && { coresPerSocket: instead }),
              }),
            ]
          : [],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "followcorespersocket makes NUMA nodes that do not fit the host",
  why: "The option brings back what ESXi did before 6.5: cores per socket are the size of the virtual NUMA nodes. It helps only if the sockets have the size that the nodes should have.",
  whenNot: "When the VM is made for hosts whose NUMA nodes have the size of its sockets.",
  evidence: {
    figure:
      "ESXi 5.5, which always does this: 3 VMs x 32 vCPUs on 4 x 10 cores as 4 nodes 424,860 operations a minute, 8 nodes 411,648, 16 nodes 385,412",
    source: SQL55,
    against: "Without virtual NUMA it was 421,263.",
  },
  sources: [VNUMA_CONTROLS_67, SQL55],
  shared: { host: "2x20x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "28"` },
  bad: [{ title: "14 nodes of 2", vmx: `cpuid.coresPerSocket = "2"\nnuma.vcpu.followcorespersocket = "1"` }],
  good: [
    { title: "Sockets of the right size", vmx: `cpuid.coresPerSocket = "14"\nnuma.vcpu.followcorespersocket = "1"` },
    { title: "Not set", vmx: `cpuid.coresPerSocket = "2"\nnuma.vcpu.followcorespersocket = "0"` },
  ],
});
