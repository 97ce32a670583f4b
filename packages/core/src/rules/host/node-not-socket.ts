import { isPlaced } from "../../advice/aligned-size.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DENNEMAN_2022_SNC, HANA_SNC2, KB_432801, VNUMA_DOC_65 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { groupText, isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

/** The most nodes per socket that the memory interleaving of AMD EPYC makes (KB_432801: 1, 2 or 4). */
const MOST_NPS = 4;

export const rule = builtinRule({
  id: "host/node-not-socket",
  severity: "info",
  on: ["vcpus"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["vcpus", "numaConsolidate", "coresPerNumaNode", "maxVcpusPerVnumaNode", "maxVcpusPerPhysicalNode", "maxVcpusPerClient"],
  messages: {
    /** `perNode`: null if the memory needs several nodes. */
    split: (d: { vcpus: number; perSocket: number; perNode: number | null; clients: readonly number[]; nodesPerSocket: number }) =>
      `${d.vcpus} vCPUs fit a socket of ${d.perSocket} cores but span ${d.clients.length} NUMA nodes (${groupText(d.clients)}), because each socket has ${d.nodesPerSocket}. ${d.perNode === null ? "Set" : `Use at most ${plural(d.perNode, "vCPU")}, or set`} one NUMA node per socket where the firmware can (${d.nodesPerSocket > MOST_NPS ? "turn CCX as NUMA off" : "no sub-NUMA clustering, NPS1"}).`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host, topology, workload, ifKnown }) {
    const { vcpus, numaClients: clients, nodeCapacity, numaManaged } = topology;
    const nodesPerSocket = host.numaNodes / host.sockets;
    if (
      !vm.vcpus ||
      workload?.kind === "hana" ||
      !numaManaged ||
      nodesPerSocket <= 1 ||
      vcpus > host.coresPerSocket ||
      vcpus <= nodeCapacity
    )
      return;
    // No source shows the placement of sockets larger than a node, or of nodes that are too small. Other rules report these causes.
    if (!isPlaced(topology)) return;
    // A manual size or spread is deliberate, and another rule reports uneven splits.
    const byHand = [vm.coresPerNumaNode, vm.maxVcpusPerVnumaNode, vm.maxVcpusPerPhysicalNode, vm.maxVcpusPerClient];
    if (byHand.some((size) => (size?.value ?? 0) > 0) || vm.numaConsolidate?.value === false || !isEven(clients)) return;
    const perNode = nodesForMemory(ifKnown("memoryMiB"), host) > 1 ? null : nodeCapacity;
    yield {
      messageId: "split",
      data: { vcpus, perSocket: host.coresPerSocket, perNode, clients, nodesPerSocket },
      at: vm.vcpus.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM fits a socket but not its smaller NUMA nodes",
  why: "Sub-NUMA clustering (Intel) and nodes per socket (AMD) make several NUMA nodes of one processor, each with a share of its cores and memory. ESXi then treats a VM wider than that share as a wide VM. The setting helps software that is tuned for it, and little else; the first AMD EPYC has four nodes per socket by its design. More than four come from the firmware option that shows each L3 cache as a node (CCX as NUMA): Broadcom advises against it on ESXi 8 and 9.",
  whenNot:
    "When the VMs of the host are sized to these nodes, or their software places its own threads and memory. SAP HANA does, and is not reported: half a Sapphire Rapids socket is supported only with sub-NUMA clustering.",
  evidence: {
    figure: "Local latency 6 to 7 % lower; to the other socket 142.0 ns instead of 73.6 ns, and 34,248 MB/s instead of 58,064",
    source: DENNEMAN_2022_SNC,
    against: "Between the two nodes of one socket memory is 8.6 % slower than local, much less than the cost of another socket.",
  },
  sources: [VNUMA_DOC_65, HANA_SNC2, KB_432801],
  bad: [
    { title: "16 vCPUs on half sockets of 12", host: "2x24x2/2@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    { title: "16 vCPUs, and each L3 cache of 8 cores is a node", host: "2x64x2/8@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
  ],
  good: [
    { title: "12 vCPUs fit a node", host: "2x24x2/2@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "12"` },
    { title: "One node per socket", host: "2x24x2@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    { title: "26 vCPUs fit no socket", host: "2x24x2/2@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "26"` },
  ],
});
