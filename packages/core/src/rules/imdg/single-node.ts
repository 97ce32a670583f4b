import { isPlaced } from "../../advice/aligned-size.ts";
import { fewestCores } from "../../advice/sockets-and-cores.ts";
import { ADVANCED } from "../../formats/advanced.ts";
import { nodeMiB, ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { coresPerNode } from "../../model/host.ts";
import { GEODE_VSPHERE } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, type Facts, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "imdg/single-node",
  severity: "warning",
  needs: ["host", "topology", "workload"],
  onlyWiderThan: "node",
  about: "imdg",
  reads: ["vcpus", "memoryMiB"],
  messages: {
    vcpus: (d: { vcpus: number; clients: readonly number[]; capacity: number; least: boolean }) =>
      `The ${d.vcpus} vCPUs of this grid member are spread over ${d.least ? "at least " : ""}${d.clients.length} NUMA nodes${d.least ? "" : ` (${groupText(d.clients)})`}. Use ${d.capacity} or fewer, and more members.`,
    spread: (d: { vcpus: number; clients: readonly number[]; by: readonly string[] }) =>
      `The ${d.vcpus} vCPUs of this grid member fit one NUMA node but are spread over ${d.clients.length} (${groupText(d.clients)}) by ${d.by.join(" and ")}. Remove ${d.by.length === 1 ? "it" : "them"}.`,
    memory: (d: { memoryGiB: number; nodeGiB: number }) =>
      `The ${d.memoryGiB} GiB of this grid member are more than the ${d.nodeGiB} GiB of a NUMA node. Use less, and more members.`,
  },
  applies: ({ vcpus }, _, workload) => (workload?.kind === "imdg" ? holds(vcpus, () => true) : false),
  *check({ vm, host, topology, whatIf }) {
    const { vcpus, numaClients: clients, nodeCapacity: capacity, numaManaged } = topology;
    if (numaManaged && clients.length > 1) {
      const at = vm.vcpus?.range ?? vm.range;
      const by = spreadBy(topology, Math.max(capacity, coresPerNode(host)), whatIf);
      // numa.consolidate = FALSE can only add nodes, never remove any.
      const placed = isPlaced(topology) ? topology : by ? undefined : whatIf({ numaConsolidate: true });
      if (!placed || !isPlaced(placed)) yield { skip: "layout-unknown" };
      else if (by) yield { messageId: "spread", data: { vcpus, clients, by }, at };
      else
        yield {
          messageId: "vcpus",
          data: { vcpus, clients: placed.numaClients, capacity, least: placed !== topology },
          at,
          fixes: [useVcpus(capacity)],
        };
    }
    const each = nodeMiB(host);
    if (vm.memoryMiB && each !== undefined && vm.memoryMiB.value > each) {
      yield { messageId: "memory", data: { memoryGiB: shownGiB(vm.memoryMiB.value), nodeGiB: ownedGiB(each) }, at: vm.memoryMiB.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "In-memory grid member does not fit one NUMA node",
  why: "A member is one JVM whose threads walk through all of its heap. Across two NUMA nodes half of that is remote memory. Grids grow by more members, not by larger ones.",
  whenNot: "When a single member must hold more than a node has.",
  evidence: {
    figure: "Size the VM to fit within a NUMA node; its reserved memory should not exceed what one node has (no number printed)",
    source: GEODE_VSPHERE,
  },
  shared: { host: "r640", workload: "imdg", vmx: `virtualHW.version = "20"` },
  bad: [
    { title: "32 vCPUs on nodes of 24 cores", vmx: `numvcpus = "32"\nmemSize = "65536"`, expect: "vcpus" },
    { title: "8 vCPUs spread by hand", vmx: `numvcpus = "8"\nmemSize = "65536"\nnuma.consolidate = "FALSE"`, expect: "spread" },
    { title: "512 GiB on nodes of 384", vmx: `numvcpus = "16"\nmemSize = "524288"`, expect: "memory" },
  ],
  good: [
    { title: "24 vCPUs and 256 GiB", vmx: `numvcpus = "24"\nmemSize = "262144"` },
    { title: "The host's memory is not stated", host: "2x24x2@8.0", vmx: `numvcpus = "16"\nmemSize = "524288"` },
  ],
});

/** Returns the settings that spread the VM over several nodes; `undefined` if there is another cause. */
function spreadBy({ vcpus }: Topology, capacity: number, whatIf: Facts["whatIf"]): readonly string[] | undefined {
  const settings: readonly (readonly [string, SettingValues])[] = [
    [ADVANCED.numaConsolidate[0], { numaConsolidate: true }],
    [ADVANCED.coresPerNumaNode[0], { coresPerNumaNode: 0 }],
    [ADVANCED.maxVcpusPerVnumaNode[0], { maxVcpusPerVnumaNode: 0 }],
    [ADVANCED.maxVcpusPerPhysicalNode[0], { maxVcpusPerPhysicalNode: capacity }],
    [ADVANCED.maxVcpusPerClient[0], { maxVcpusPerClient: capacity }],
    [ADVANCED.followCoresPerSocket[0], { followCoresPerSocket: false }],
    ["cores per socket", { coresPerSocket: fewestCores(vcpus) }],
  ];
  const isWhole = (without: typeof settings) =>
    whatIf(Object.assign({}, ...without.map(([, override]) => override)))?.numaClients.length === 1;
  if (vcpus > capacity || !isWhole(settings)) return undefined;
  return settings
    .reduce((left, option) => {
      const others = left.filter((other) => other !== option);
      return isWhole(others) ? others : left;
    }, settings)
    .map(([name]) => name);
}
