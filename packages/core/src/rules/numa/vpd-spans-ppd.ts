import { nodesOf } from "../../advice/aligned-size.ts";
import { fewestCores } from "../../advice/sockets-and-cores.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DENNEMAN_2016_NUMA5, VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import type { SettingName, SettingValues } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";
import { chooseCount, nodeSizes, type Room } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/vpd-spans-ppd",
  severity: "info",
  severities: { sockets: "warning" },
  on: ["coresPerSocket", "coresPerNumaNode", "maxVcpusPerVnumaNode"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerSocket", "coresPerNumaNode", "maxVcpusPerVnumaNode", "followCoresPerSocket"],
  messages: {
    sockets: (d: Spans) =>
      `${d.size} cores per socket make NUMA nodes of ${d.size}, but a node of the host has ${d.capacity}: each spans several (${groupText(d.clients)}). ${remedy(d, ["core per socket", "cores per socket"])}`.trimEnd(),
    byHand: (d: Spans) =>
      `NUMA nodes of ${d.size} vCPUs are set by hand, but a node of the host has ${d.capacity}: each spans several (${groupText(d.clients)}). ${remedy(d, ["vCPU per node", "vCPUs per node"])}`.trimEnd(),
  },
  // Only these settings make nodes of their own size. An unknown one does not matter if another is set.
  applies: ({ coresPerSocket, coresPerNumaNode, maxVcpusPerVnumaNode }) => {
    const makes = [coresPerSocket, coresPerNumaNode, maxVcpusPerVnumaNode].map((setting) =>
      holds<number | "auto">(setting, (size) => Number(size) > 1),
    );
    return makes.includes(true) || (makes.includes(undefined) ? undefined : false);
  },
  *check(facts) {
    const { vm, host, topology, whatIf, ifKnown } = facts;
    const { vcpus, vnumaNodes: nodes, numaClients: clients, nodeCapacity: capacity, numaManaged } = topology;
    const [size = 0] = nodes;
    if (!numaManaged || size <= capacity || clients.some((client) => client > capacity)) return;
    const free = { coresPerSocket: fewestCores(vcpus), coresPerNumaNode: 0, maxVcpusPerVnumaNode: 0, followCoresPerSocket: false };
    const freeNodes = whatIf(free)?.vnumaNodes;
    // Other rules report hidden and stored nodes, which stay this large without these settings.
    if (!freeNodes || freeNodes.some((node) => node > capacity)) return;
    if (vm.followCoresPerSocket?.value && groupText(whatIf({ followCoresPerSocket: false })?.vnumaNodes ?? []) !== groupText(nodes)) return;

    const byHand = BY_HAND.find((setting) => Math.min(vm[setting]?.value ?? 0, vcpus) === size);
    const at = vm[byHand ?? "coresPerSocket"]?.range;
    if (!at) return;
    const settings = (newSize: number): SettingValues => (byHand ? nodesOf(topology, byHand, newSize) : { coresPerSocket: newSize });
    const forMemory = nodesForMemory(ifKnown("memoryMiB"), host);
    const [instead = null] = nodeSizes(facts, settings);
    yield {
      messageId: byHand ? "byHand" : "sockets",
      data: { size, vcpus, capacity, physicalNodes: host.numaNodes, forMemory, clients, instead },
      at,
      fixes:
        instead === null
          ? []
          : [unsafeFix(byHand ? `Make nodes of ${instead}` : `Set ${plural(instead, "core")} per socket`, settings(instead))],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Virtual NUMA node is larger than a host node",
  why: "ESXi backs such a node with several nodes of the host. The guest treats its memory and CPUs as equally near, and cannot keep a thread next to its data.",
  whenNot: "When the VM is made for hosts with larger nodes and runs here only for a short time.",
  evidence: {
    figure: "40 vCPUs, 20 cores per socket, on 4 x 10 cores: the guest sees 2 nodes of 20, which span 4 clients of 10 (ESXi 6.0)",
    source: DENNEMAN_2016_NUMA5,
    against: "The author writes that it can make NUMA optimizations of the guest useless; the cost was not measured.",
  },
  sources: [VNUMA_CONTROLS_67],
  bad: [
    {
      title: "Sockets of 20 on 10-core nodes",
      host: "4x10x2@6.0",
      vmx: `virtualHW.version = "11"\nnumvcpus = "40"\ncpuid.coresPerSocket = "20"`,
      expect: "sockets",
    },
    {
      title: "Nodes of 20 by hand on 10-core nodes",
      host: "4x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "40"\nnuma.vcpu.maxPerVirtualNode = "20"`,
      expect: "byHand",
    },
  ],
  good: [
    { title: "Sockets of 10", host: "4x10x2@6.0", vmx: `virtualHW.version = "11"\nnumvcpus = "40"\ncpuid.coresPerSocket = "10"` },
    { title: "Nodes of 10", host: "4x10x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "40"\nnuma.vcpu.maxPerVirtualNode = "10"` },
  ],
});

/** In the priority order of ESXi. */
const BY_HAND = ["coresPerNumaNode", "maxVcpusPerVnumaNode"] as const satisfies readonly SettingName[];

interface Spans extends Room {
  readonly size: number;
  readonly clients: readonly number[];
  readonly instead: number | null;
}

const remedy = ({ instead, ...room }: Spans, [single, many]: readonly [one: string, many: string]): string =>
  instead ? `Set ${instead} ${instead === 1 ? single : many}.` : chooseCount(room);
