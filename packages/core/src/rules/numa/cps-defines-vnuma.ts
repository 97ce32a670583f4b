import { isAligned, keepsUsable } from "../../advice/aligned-size.ts";
import { nodeTrouble } from "../../limits/sql-server.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DAKIC19, SQL55, VNUMA_DOC_50 } from "../../model/sources.ts";
import { socketsSizeNodes } from "../../platforms/esxi/derive.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { chooseCount, nodeSizes, setCoresPerSocket } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/cps-defines-vnuma",
  severity: "warning",
  on: ["coresPerSocket"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerSocket", "maxVcpusPerVnumaNode"],
  messages: {
    nodes: (d: {
      vcpus: number;
      coresPerSocket: number;
      nodes: number;
      physicalNodes: number;
      /**
       * `auto`: the nodes with 1 core per socket; null if they are uneven too, do not hold the memory, or leave the guest OS or SQL Server
       * fewer usable vCPUs.
       */
      auto: readonly number[] | null;
      capacity: number;
      forMemory: number;
      instead: number | null;
    }) =>
      `${d.coresPerSocket} cores per socket make ${d.nodes} NUMA nodes of ${d.coresPerSocket} on a host of ${d.physicalNodes}. ${
        d.instead
          ? `Set ${d.instead} to give the ${d.vcpus} vCPUs ${d.vcpus / d.instead} node${d.vcpus === d.instead ? "" : "s"} of ${d.instead}.`
          : d.auto
            ? `Set 1 to let ESXi size the nodes (${groupText(d.auto)}).`
            : chooseCount(d)
      }`.trimEnd(),
  },
  applies: ({ coresPerSocket }) => holds(coresPerSocket, (cores) => typeof cores === "number" && cores > 1),
  *check(facts) {
    const { vm, host, topology, workload, whatIf, ifKnown } = facts;
    const { esxi, vcpus, vnumaNodes: nodes, nodeCapacity, coresPerSocket } = topology;
    if (!vm.coresPerSocket || vm.maxVcpusPerVnumaNode || !socketsSizeNodes(esxi)) return;
    if (nodes.length <= host.numaNodes || coresPerSocket > nodeCapacity) return;
    // One virtual node per physical node would be larger than SQL Server supports.
    if (nodeTrouble(workload, vcpus / host.numaNodes)) return;
    const single = whatIf({ coresPerSocket: 1 });
    if (!single || groupText(single.vnumaNodes) === groupText(nodes)) return;
    const forMemory = nodesForMemory(ifKnown("memoryMiB"), host);
    const isGood =
      isAligned(single, host.numaNodes) &&
      keepsUsable(single, topology) &&
      single.numaClients.length >= forMemory &&
      !nodeTrouble(workload, Math.max(...single.vnumaNodes));
    const auto = isGood ? single.vnumaNodes : null;
    const [instead = null] = nodeSizes(facts, (size) => ({ coresPerSocket: size }));
    yield {
      messageId: "nodes",
      data: { vcpus, coresPerSocket, nodes: nodes.length, physicalNodes: host.numaNodes, capacity: nodeCapacity, forMemory, auto, instead },
      at: vm.coresPerSocket.range,
      fixes: instead ? [setCoresPerSocket(instead)] : [],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Cores per socket make more NUMA nodes than host nodes",
  why: "Up to ESXi 6.0, cores per socket above 1 set the size of the virtual NUMA nodes, independent of the host. The guest then spreads its memory and threads over nodes that do not exist.",
  whenNot:
    "When a licence needs this number of sockets, or the VM moves to hosts whose nodes are of this size. On ESXi 6.5 and later cores per socket no longer do this.",
  evidence: {
    figure:
      "3 VMs x 32 vCPUs on 4 x 10 cores: 1 core per socket (4 nodes) 424,860 operations a minute, 4 (8 nodes) 411,648, 2 (16 nodes) 385,412",
    source: SQL55,
    against:
      "Without virtual NUMA it was 421,263: a guest that does not see the nodes loses little. Dakic ran 16 vCPUs on 2 x 16 cores (ESXi 6.0, SQL Server 2019, PVSCSI): one socket of 16 was the slowest of five shapes at 500 rows (562 ms; 4 sockets of 4: 412) and 3,000 rows (46,723; 2 of 8: 40,765), and the fastest at 1,000 and 2,000.",
  },
  sources: [VNUMA_DOC_50, DAKIC19],
  bad: [
    { title: "32 vCPUs as 8 nodes of 4", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "32"\ncpuid.coresPerSocket = "4"` },
    {
      title: "10 vCPUs that fit one node, as 5 nodes of 2",
      host: "2x10x2@6.0",
      vmx: `virtualHW.version = "11"\nnumvcpus = "10"\ncpuid.coresPerSocket = "2"`,
    },
    {
      title: "More sockets than SQL Server Standard can use",
      host: "2x10x2@5.5",
      workload: "mssql, standard, 2022",
      vmx: `virtualHW.version = "10"\nnumvcpus = "15"\ncpuid.coresPerSocket = "5"`,
    },
  ],
  good: [
    { title: "1 core per socket", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "32"\ncpuid.coresPerSocket = "1"` },
    { title: "8 cores per socket", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "32"\ncpuid.coresPerSocket = "8"` },
    { title: "No more than 8 vCPUs", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"` },
    { title: "From ESXi 6.5 on", host: "4x10x2@6.5", vmx: `virtualHW.version = "10"\nnumvcpus = "32"\ncpuid.coresPerSocket = "4"` },
  ],
});
