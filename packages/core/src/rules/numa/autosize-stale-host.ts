import { isDecided } from "../../advice/aligned-size.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DENNEMAN_2022_MISMATCH, VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import { groupText, isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "numa/autosize-stale-host",
  severity: "warning",
  severities: { small: "info" },
  on: ["storedNodeSize"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["storedNodeSize", "storedCookie", "numaAutosize", "numaAutosizeOnce"],
  messages: {
    large: (d: StaleSize) =>
      `An earlier power-on stored NUMA nodes of ${d.size}: the guest sees ${groupText(d.nodes)} but the VM spans ${groupText(d.clients)}. ${remedy(d)}`,
    small: (d: StaleSize) =>
      `An earlier power-on stored NUMA nodes of ${d.size}: the guest sees ${groupText(d.nodes)} where this host needs ${groupText(d.anew)}. ${remedy(d)}`,
  },
  *check({ vm, host, topology, storedSize, ifKnown }) {
    const { vnumaNodes: nodes, numaClients: clients, numaManaged } = topology;
    if (!vm.storedNodeSize || !numaManaged) return;
    const stored = storedSize();
    if (!stored || stored.fits) return;
    if (!isDecided(topology)) return void (yield { skip: "layout-unknown" });
    const { size, anew } = stored;
    // If a new size would not fit either, the vCPU count is the cause.
    if (!isEven(anew.vnumaNodes) || !isDecided(anew)) return;
    // The smaller nodes may hold the memory, but the VM spans them.
    const fewer = anew.numaClients.length < clients.length;
    if (fewer && anew.numaClients.length < nodesForMemory(ifKnown("memoryMiB"), host)) return;
    const isCut = nodes.some((node) => node > topology.nodeCapacity) || clients.length % nodes.length !== 0;
    const isLarge = clients.length > nodes.length || (clients.length > 1 && isCut);
    yield {
      messageId: isLarge ? "large" : "small",
      data: { size, nodes, clients, anew: anew.vnumaNodes },
      at: vm.storedNodeSize.range,
      fixes: [unsafeFix("Size the nodes at each power-on", { numaAutosizeOnce: false })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Guest keeps the NUMA nodes of another host",
  why: "ESXi chooses the node size at the first power-on and keeps it in the VM's configuration, so that the guest sees the same nodes wherever it moves. On a host with other nodes the scheduler divides the VM anew, and the guest does not see it.",
  whenNot: "When the VM moves back and forth between the two kinds of host: no size fits both.",
  evidence: {
    figure: "36 vCPUs sized on 2 x 20 cores and moved to 4 x 14: the guest keeps 2 nodes of 18, but the VM spans 3",
    source: DENNEMAN_2022_MISMATCH,
    against: "The article shows the layouts and no throughput.",
  },
  sources: [VNUMA_CONTROLS_67],
  shared: { host: "4x14x2@7.0", vmx: `virtualHW.version = "17"` },
  bad: [
    {
      title: "Sized on 2 x 20 cores",
      vmx: `numvcpus = "36"\nnuma.autosize.cookie = "360012"\nnuma.autosize.vcpu.maxPerVirtualNode = "18"`,
      expect: "large",
    },
    {
      title: "Sized on 2 x 10 cores",
      host: "2x20x2@7.0",
      vmx: `numvcpus = "16"\nnuma.autosize.cookie = "160012"\nnuma.autosize.vcpu.maxPerVirtualNode = "8"`,
      expect: "small",
    },
  ],
  good: [
    {
      title: "On the host of its first power-on",
      host: "2x20x2@7.0",
      vmx: `numvcpus = "36"\nnuma.autosize.cookie = "360012"\nnuma.autosize.vcpu.maxPerVirtualNode = "18"`,
    },
    {
      title: "The vCPU count has changed since: ESXi sizes the VM anew",
      vmx: `numvcpus = "36"\nnuma.autosize.cookie = "380012"\nnuma.autosize.vcpu.maxPerVirtualNode = "19"`,
    },
    {
      title: "Sized at each power-on",
      vmx: `numvcpus = "36"\nnuma.autosize.cookie = "360012"\nnuma.autosize.vcpu.maxPerVirtualNode = "18"\nnuma.autosize.once = "FALSE"`,
    },
  ],
});

interface StaleSize {
  readonly size: number;
  readonly nodes: readonly number[];
  readonly clients: readonly number[];
  readonly anew: readonly number[];
}

const remedy = ({ anew }: StaleSize): string =>
  `Remove the stored size while the VM is off, or set numa.autosize.once to FALSE, to get ${groupText(anew)} at its next power-on.`;
