import { isAligned, isDecided, isPlaced, keepsUsable } from "../../advice/aligned-size.ts";
import { ADVANCED } from "../../formats/advanced.ts";
import { safeCoresPerSocket } from "../../limits/hardware.ts";
import { nodeMiB, nodesForMemory, ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { coresPerNode, type HostModel } from "../../model/host.ts";
import { DENNEMAN_2017_MEMORY, DENNEMAN_2022_MEMORY, KUBEVIRT_NUMA, VNUMA_DOC_65 } from "../../model/sources.ts";
import type { SettingName, SettingValues } from "../../model/spec.ts";
import type { GuestView } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";
import { manualNodeSize, type Topology } from "../../platforms/esxi/derive.ts";
import { builtinRule, type Facts, type PageOf, type ProposedFix, unsafeFix, type View } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

export const rule = builtinRule({
  id: "numa/mem-exceeds-node",
  severity: "warning",
  severities: { slight: "info", spans: "info" },
  for: ["esxi", "kvm"],
  on: ["memoryMiB"],
  needs: ["host", "topology"],
  reads: ["memoryMiB", "hardwareVersion", "numaNodeAffinity", "preferHt", "cpuHotAdd", "exposeVnumaOnHotAdd", "numaConsolidate"],
  messages: {
    remote: (d: Remote) => sentence(d),
    slight: (d: Remote) => sentence(d),
    spans: (d: { memoryGiB: number; nodeGiB: number; remoteGiB: number }) =>
      `The guest sees one NUMA node of ${d.memoryGiB} GiB, and a node of the host has ${d.nodeGiB} GiB: at least ${d.remoteGiB} GiB are on another node. Give it no more than ${d.nodeGiB} GiB if memory latency matters.`,
    bound: (d: { nodes: number; eachGiB: number; nodeGiB: number }) =>
      `The guest has ${plural(d.nodes, "NUMA node")} of ${d.eachGiB} GiB, each bound to a node of the host, which has ${d.nodeGiB} GiB: the VM does not start. Give it no more than ${d.nodeGiB * d.nodes} GiB.`,
  },
  *check({ vm, host, guest, topology, workload, advise, whatIf }) {
    if (vm.kvm) {
      const found = onKvm(vm, host, guest());
      if (found) yield found;
      return;
    }
    const { vcpus, numaClients: clients, numaManaged } = topology;
    if (!vm.memoryMiB || !numaManaged || vm.numaNodeAffinity || host.numaNodes === 1) return;
    const memoryPerNode = nodeMiB(host);
    if (memoryPerNode === undefined) return yield { skip: "host-incomplete", lacks: ["memoryGiB"] };
    const memoryMiB = vm.memoryMiB.value;
    const nodes = Math.min(clients.length, host.numaNodes);
    // Another rule reports more memory than the host has.
    if (memoryMiB <= nodes * memoryPerNode || memoryMiB >= host.numaNodes * memoryPerNode) return;
    // A grid takes more members, and its own rule reports the memory.
    if (workload?.kind === "imdg") return;

    if (!isPlaced(topology)) return void (yield { skip: "layout-unknown" });
    const isSlight = memoryMiB - nodes * memoryPerNode < SLIGHT * memoryPerNode;
    // SAP HANA takes whole sockets or a half with their memory; a wider spread would leave it no memory of its own.
    const mayBeSpread = !isSlight && workload?.kind !== "hana";
    const wider = (mayBeSpread && advise(() => spread(topology, host, memoryMiB, vm, whatIf))) || null;
    const fixes: ProposedFix[] = wider
      ? [unsafeFix(`Make ${wider.nodes} NUMA nodes of ${plural(wider.size, "vCPU")}`, wider.settings)]
      : [];
    // preferHT has no effect on nodes that the cores hold.
    const consolidated =
      vm.numaConsolidate || vm.preferHt?.value || !mayBeSpread ? undefined : advise(() => whatIf({ numaConsolidate: false }));
    if (consolidated && isEnough(consolidated, host, memoryMiB))
      fixes.push(unsafeFix("Set numa.consolidate = FALSE to use more nodes", { numaConsolidate: false }));
    yield {
      messageId: isSlight ? "slight" : "remote",
      data: {
        vcpus,
        memoryGiB: shownGiB(memoryMiB),
        nodes,
        nodeGiB: ownedGiB(memoryPerNode),
        remoteGiB: ownedGiB(memoryMiB - nodes * memoryPerNode),
        instead: wider && {
          nodes: wider.nodes,
          size: wider.size,
          sets: wider.sets,
          minVcpus: wider.settings.vnumaMinVcpus ?? null,
          without: wider.without,
        },
      },
      at: vm.memoryMiB.range,
      fixes,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Memory is larger than the NUMA nodes of the vCPUs",
  why: "ESXi sizes NUMA nodes by vCPUs and ignores the memory. Memory that does not fit comes from another node. The guest does not see that node, so it cannot distinguish near memory from far memory. With as many nodes as the memory needs, a NUMA-aware guest keeps work and data together.",
  whenNot:
    "When the guest never fills this memory, or runs one thread that cannot work on two nodes. No source documents how much of a node ESXi keeps for itself, so memory that just fits is not reported.",
  evidence: {
    figure:
      "12 vCPUs with 384 GB on nodes of 256 GB: 226 GB local and 155 GB remote; as two nodes by hand 192 and 189 GB, each local. Remote memory took 130 ns, local 73 ns (Xeon v4)",
    source: DENNEMAN_2022_MEMORY,
    against: "Only software that uses both nodes gains: a single thread still uses the memory of the second node (Denneman 2017).",
  },
  sources: [DENNEMAN_2017_MEMORY, VNUMA_DOC_65, KUBEVIRT_NUMA],
  shared: { host: "2x20x2:512@8.0", vmx: `virtualHW.version = "20"` },
  bad: [
    { title: "384 GiB on nodes of 256 GiB", vmx: `numvcpus = "12"\nmemSize = "393216"`, expect: "remote" },
    {
      title: "One vCPU cannot be divided",
      host: "2x20x2:512@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "1"\nmemSize = "393216"`,
      expect: "remote",
    },
    { title: "1 GiB more than a node of 256 GiB", vmx: `numvcpus = "12"\nmemSize = "263168"`, expect: "slight" },
    {
      title: "384 GiB of KubeVirt on nodes of 256 GiB",
      host: "2x20x2:512",
      yaml: kubevirtVm("cpu:\n  cores: 8\nmemory:\n  guest: 384Gi"),
      expect: "spans",
    },
    {
      title: "384 GiB in the node of its CPUs",
      host: "2x20x2:512",
      yaml: kubevirtVm(
        "cpu:\n  cores: 8\n  dedicatedCpuPlacement: true\n  numa:\n    guestMappingPassthrough: {}\nmemory:\n  guest: 384Gi\n  hugepages:\n    pageSize: 1Gi",
      ),
      expect: "bound",
    },
  ],
  good: [
    { title: "Two nodes by hand", vmx: `numvcpus = "12"\nmemSize = "393216"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"` },
    { title: "256 GiB on nodes of 256 GiB", vmx: `numvcpus = "12"\nmemSize = "262144"` },
    { title: "24 vCPUs use both nodes", vmx: `numvcpus = "24"\nmemSize = "393216"` },
  ],
});

/** KVM binds memory to a node only for a guest with the nodes of its host; otherwise it is wherever the guest first used it. */
function onKvm({ kvm, memoryMiB }: Pick<View<"memoryMiB">, "kvm" | "memoryMiB">, host: HostModel, view: GuestView | undefined) {
  const most = nodeMiB(host);
  const nodes = view?.vnumaNodes.length ?? 0;
  if (!memoryMiB || host.numaNodes === 1 || nodes === 0) return undefined;
  if (most === undefined) return { skip: "host-incomplete", lacks: ["memoryGiB"] } as const;
  const { value, range: at } = memoryMiB;
  // Another rule reports more memory than the host has.
  if (value <= nodes * most || value >= host.numaNodes * most) return undefined;
  const nodeGiB = ownedGiB(most);
  if (kvm?.hostNodes) return { messageId: "bound", data: { nodes, eachGiB: shownGiB(value / nodes), nodeGiB }, at } as const;
  if (nodes > 1) return undefined;
  return { messageId: "spans", data: { memoryGiB: shownGiB(value), nodeGiB, remoteGiB: ownedGiB(value - most) }, at } as const;
}

/** The settings that size nodes by hand; the hardware version decides which one applies. */
const BY_HAND = ["coresPerNumaNode", "maxVcpusPerVnumaNode"] as const satisfies readonly SettingName[];

/** Whether a layout holds the memory and is visible to the guest. */
const isEnough = (candidate: Topology, host: HostModel, memoryMiB: number): boolean =>
  isDecided(candidate) &&
  isAligned(candidate, host.numaNodes) &&
  candidate.vnumaNodes.length === candidate.numaClients.length &&
  candidate.numaClients.length >= nodesForMemory(memoryMiB, host);

/** Returns the fewest manual nodes that hold the memory and divide the vCPUs. */
function spread(
  topology: Topology,
  host: HostModel,
  memoryMiB: number,
  vm: View<"hardwareVersion" | "preferHt" | "cpuHotAdd" | "exposeVnumaOnHotAdd">,
  whatIf: Facts["whatIf"],
) {
  const { vcpus, esxi } = topology;
  const maxCores = safeCoresPerSocket(vm.hardwareVersion?.value);
  for (let nodes = nodesForMemory(memoryMiB, host); nodes <= host.numaNodes; nodes++) {
    const size = vcpus / nodes;
    // Nodes of 1 vCPU are useless.
    if (!Number.isInteger(size) || size > maxCores || (size === 1 && vcpus > 2)) continue;
    // preferHT has no effect on nodes that the cores hold, and hot add would hide them.
    const preferHt = vm.preferHt?.value === true && size <= coresPerNode(host);
    const hotAdd = vm.cpuHotAdd?.value === true && !vm.exposeVnumaOnHotAdd?.value;
    const byHand = manualNodeSize(esxi, size, vcpus, vm.hardwareVersion?.value ?? 0);
    const settings: SettingValues = {
      coresPerSocket: size,
      ...byHand,
      ...(preferHt && { preferHt: false }),
      ...(hotAdd && { cpuHotAdd: false }),
    };
    const candidate = whatIf(settings);
    if (!candidate || !isDecided(candidate) || !keepsUsable(candidate, topology)) continue;
    // Each visible node is on a physical node of its own, and smaller than the clients before.
    if (candidate.vnumaNodes.length !== nodes) continue;
    const sets = ["cores per socket", ...BY_HAND.flatMap((name) => (name in byHand ? ADVANCED[name][0] : []))];
    return { nodes, size, settings, sets, without: [...(preferHt ? ["preferHT"] : []), ...(hotAdd ? ["CPU hot add"] : [])] };
  }
  return null;
}

/** The share of a node's memory below which remote memory is hardly noticed. */
const SLIGHT = 0.01;

interface Remote {
  readonly vcpus: number;
  readonly memoryGiB: number;
  readonly nodes: number;
  readonly nodeGiB: number;
  readonly remoteGiB: number;
  /** The number of NUMA nodes that hold the memory, and the vCPUs of each; null if the vCPUs do not divide. */
  readonly instead: {
    readonly nodes: number;
    readonly size: number;
    readonly sets: readonly string[];
    readonly minVcpus: number | null;
    readonly without: readonly string[];
  } | null;
}

const sentence = (d: Remote): string =>
  `${plural(d.vcpus, "vCPU")} ${d.vcpus === 1 ? "is" : "are"} kept on ${plural(d.nodes, "NUMA node")} of ${d.nodeGiB} GiB, and the VM has ${d.memoryGiB} GiB: ${d.remoteGiB > 0 ? `at least ${d.remoteGiB} GiB are` : "some of it is"} remote. ${
    d.instead
      ? `To make ${d.instead.nodes} NUMA nodes of ${plural(d.instead.size, "vCPU")}, set ${d.instead.sets.join(" and ")} to ${d.instead.size}${d.instead.minVcpus ? `, and numa.vcpu.min to ${d.instead.minVcpus}` : ""}${d.instead.without.length ? `, and turn ${d.instead.without.join(" and ")} off` : ""}.`
      : `Give it no more than ${Math.floor(d.nodeGiB * d.nodes * 10) / 10} GiB.`
  }`;
