import { isPlaced, isSlight } from "../../advice/aligned-size.ts";
import { type BoundVms, boundVms, exceed, total } from "../../advice/bound-vms.ts";
import { isSupportedHana } from "../../limits/hana.ts";
import { nodeTrouble } from "../../limits/sql-server.ts";
import { nodeMiB, ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { mayMeet } from "../../lint/hosted-vms.ts";
import type { LintedVm } from "../../lint/target.ts";
import { coresOf, coresPerNode, type HostModel, threadsOf } from "../../model/host.ts";
import { type Setting, valueIfKnown } from "../../model/source.ts";
import type { SettingValues } from "../../model/spec.ts";
import { list, plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import { isSure } from "../../platforms/esxi/certainty.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { groupText, isEven } from "../../platforms/esxi/layout.ts";
import { pinningFlaw } from "../../platforms/esxi/pinning.ts";
import { sizeRuns } from "../headline.ts";
import type { Placement } from "./placement.ts";

/** The kinds of flaws that a picture marks. */
export type FlawKind =
  | "shared-cpus"
  | "shared-pins"
  | "shared-cores"
  | "too-few-cpus"
  | "uneven-cores"
  | "too-many-vcpus"
  | "shared-nodes"
  | "uneven-nodes"
  | "hidden-nodes"
  | "unusable-vcpus"
  | "remote-memory"
  | "crowded-nodes";

/** The flaws of a layout, each with a sentence, worst first. */
export type Flaws = ReadonlyMap<FlawKind, string>;

/** Facts about a VM that its layout lacks. */
export interface DrawnVm {
  readonly memoryMiB?: number | undefined;
  /** `cpuid.numSMT`, on any release: its vCPUs may share cores, and the guest knows it. */
  readonly threadsPerCore?: number | undefined;
  readonly preferHt?: boolean | undefined;
  readonly workload?: Workload | undefined;
  /** VMs that are bound to its nodes and may run with it, if these nodes have too few cores. */
  readonly crowd?: BoundVms<LintedVm> | undefined;
}

/** Returns the flaws of a layout. Rules report flaws of cores and pinning; a rule about nodes is silent if it knows no better shape. */
export function flawsOf(host: HostModel, topology: Topology, vm: DrawnVm): Flaws {
  return new Map([...pinningFlaws(host, topology, vm), ...cpuFlaws(host, topology, vm), ...nodeFlaws(host, topology, vm)]);
}

type Found = Iterable<readonly [FlawKind, string]>;

function* pinningFlaws(host: HostModel, { vcpus, pinning }: Topology, { threadsPerCore = 1 }: DrawnVm): Found {
  if (!pinning) return;
  const { pcpus, cores, perNode } = pinning;
  const flaw = pinningFlaw(pinning, vcpus, host);
  if (flaw === "siblings" && threadsPerCore === 1) {
    yield [
      "shared-cores",
      `${vcpus} vCPUs share the ${plural(cores, "core")} they are pinned to; the other ${coresOf(host) - cores} stay unused.`,
    ];
  }
  if (flaw === "too-few") yield ["too-few-cpus", `${plural(vcpus, "vCPU")} take turns on ${plural(pcpus, "logical CPU")}.`];
  const busyCores = perNode.filter((count) => count > 0);
  if (flaw === "uneven")
    yield ["uneven-cores", `${vcpus} vCPUs are pinned to ${busyCores.length} nodes unevenly: ${groupText(busyCores)} cores.`];
}

function* cpuFlaws(host: HostModel, topology: Topology, { threadsPerCore = 1, preferHt = host.preferHt, workload }: DrawnVm): Found {
  const { vcpus, nodeCapacity, usableVcpus, guestUsableVcpus } = topology;
  const cores = coresOf(host);
  const isByThreads = threadsPerCore > 1 || preferHt || nodeCapacity > coresPerNode(host) || isSupportedHana(workload, vcpus, host);
  if (vcpus > threadsOf(host)) yield ["too-many-vcpus", `${vcpus} vCPUs take turns on ${threadsOf(host)} logical CPUs.`];
  else if (vcpus > cores && !isByThreads && !topology.pinning)
    yield ["shared-cores", `${vcpus} vCPUs run on ${plural(cores, "core")}, two vCPUs each on ${vcpus - cores} of them.`];
  if (guestUsableVcpus < vcpus) yield ["unusable-vcpus", `The guest OS cannot use ${vcpus - guestUsableVcpus} of ${vcpus} vCPUs.`];
  else if (usableVcpus !== null && usableVcpus < vcpus)
    yield ["unusable-vcpus", `SQL Server cannot use ${vcpus - usableVcpus} of ${vcpus} vCPUs.`];
}

function* nodeFlaws(host: HostModel, topology: Topology, { memoryMiB, workload, crowd }: DrawnVm): Found {
  if (crowd)
    yield [
      "crowded-nodes",
      `${crowd.members.length} VMs that may run together are bound to NUMA node${crowd.nodes.length === 1 ? "" : "s"} ${list(crowd.nodes, "and")}: ${total(crowd.members, "vcpus")} vCPUs for ${plural(crowd.cores, "core")}.`,
    ];
  const { vcpus, numaManaged, numaClients: clients, vnumaNodes: nodes, certainties } = topology;
  if (!numaManaged || !isPlaced(topology)) return;
  // SQL Server supports nodes only up to a size: smaller ones may share a physical node.
  const isCut = clients.length % host.numaNodes === 0 && nodeTrouble(workload, Math.ceil(vcpus / host.numaNodes)) !== undefined;
  if (clients.length > host.numaNodes && !isCut && host.numaNodes > 1) yield ["shared-nodes", sharing(clients.length, nodes.length, host)];
  if (!isEven(clients) && vcpus % clients.length !== 0)
    yield ["uneven-nodes", `The NUMA nodes are ${isSlight(clients) ? "slightly " : ""}uneven: ${sizeWords(clients)} vCPUs.`];
  if (clients.length > nodes.length && isSure(certainties.vnumaNodes))
    yield ["hidden-nodes", `The guest sees ${plural(nodes.length, "NUMA node")}, but its vCPUs are on ${clients.length}.`];
  const each = nodeMiB(host);
  const share = (memoryMiB ?? 0) / clients.length;
  if (each === undefined || share <= each || (memoryMiB ?? 0) >= each * host.numaNodes) return;
  const of = clients.length === 1 ? "The memory" : "A node's share of the memory";
  yield ["remote-memory", `${of} (${shownGiB(share)} GiB) does not fit a node of ${ownedGiB(each)} GiB: the rest is remote.`];
}

/** Returns sizes such as `16+14`, or `6 of 10 and 1 of 4` for many. */
const sizeWords = (groups: readonly number[]): string =>
  groups.length <= 4
    ? groupText(groups)
    : sizeRuns(groups)
        .map(([count, size]) => `${count} of ${size}`)
        .join(" and ");

const sharing = (clients: number, nodes: number, { numaNodes }: HostModel): string =>
  nodes === clients
    ? `The guest sees ${nodes} NUMA nodes, but the host has ${numaNodes}, which they share.`
    : `${clients} NUMA clients share the ${numaNodes} NUMA nodes of the host.`;

/** The memory of a client and of a node. */
export interface NodeMemory {
  readonly clientGiB: number;
  readonly nodeGiB: number;
}

/** Returns short labels for the flaws on a node of the host; `cores` has the logical CPUs of its cores. */
export function flawsOfHostNode(
  cores: readonly (readonly number[])[],
  node: number,
  { vcpuOn, nodeOf }: Placement,
  pinned: ReadonlySet<number>,
  flaws: Flaws,
  memory?: NodeMemory,
  clientWords: (clients: readonly number[]) => string = ({ length }) => plural(length, "client"),
): readonly string[] {
  const busy = cores.map((core) => core.filter((cpu) => pinned.has(cpu) || vcpuOn.has(cpu)).length);
  const [shared, busyCores] = [busy.filter((count) => count > 1).length, busy.filter((count) => count > 0).length];
  const clients = clientsOn(node, nodeOf);
  const count = clients.length;
  return [
    ...(flaws.has("shared-cores") && shared > 0 ? [`${plural(shared, "core")} shared`] : []),
    ...(flaws.has("shared-cores") && shared > 0 && busyCores < cores.length ? [`${plural(cores.length - busyCores, "core")} unused`] : []),
    ...(flaws.has("uneven-cores") && busyCores > 0 ? [`${busyCores} of ${plural(cores.length, "core")}`] : []),
    ...(flaws.has("shared-nodes") && count > 1 ? [`${clientWords(clients)} share it`] : []),
    ...(flaws.has("crowded-nodes") && count > 0 ? ["too many VMs bound to it"] : []),
    ...(memory && count > 0 ? [`${rounded(memory.clientGiB * count)} GiB in ${rounded(memory.nodeGiB)} GiB`] : []),
  ];
}

/** Returns the clients that are drawn on a node. */
export const clientsOn = (node: number, nodeOf: Placement["nodeOf"]): readonly number[] =>
  nodeOf.flatMap((home, client) => (home === node ? [client] : []));

const rounded = (gib: number): number => Math.round(gib * 10) / 10;

/** Returns the memory of each client and of a node, if it exceeds the node. */
export function nodeMemory(host: HostModel, { numaClients }: Topology, { memoryMiB = 0 }: DrawnVm, flaws: Flaws): NodeMemory | undefined {
  if (!flaws.has("remote-memory")) return undefined;
  return { clientGiB: shownGiB(memoryMiB / numaClients.length), nodeGiB: (nodeMiB(host) ?? 0) / 1024 };
}

/** Returns the facts about a VM that its layout lacks; `others` are the VMs that were checked with it. */
export const drawnVm = (vm: LintedVm, others: readonly LintedVm[] = []): DrawnVm => ({
  memoryMiB: valueIfKnown(vm.spec.settings.memoryMiB),
  threadsPerCore: valueIfKnown(vm.spec.settings.threadsPerCore),
  preferHt: valueIfKnown(vm.spec.settings.preferHt),
  workload: vm.target.workload,
  crowd: crowdOf(vm, others),
});

function crowdOf(vm: LintedVm, others: readonly LintedVm[]): DrawnVm["crowd"] {
  const { host } = vm.target;
  if (!host || vm.spec.settings.numaNodeAffinity.state !== "known") return undefined;
  const settingsOf = ({ spec: { settings, defaults } }: LintedVm): SettingValues => ({
    ...defaults,
    ...Object.fromEntries(
      BINDING.map((name) => [name, valueIfKnown(settings[name] as Setting<unknown>)]).filter(([, value]) => value !== undefined),
    ),
  });
  const together = others.filter((other) => other === vm || mayMeet(other.target, vm.target));
  const sets = boundVms(together, settingsOf, host).filter(({ members }) => members.length > 1 && members.some((one) => one.vm === vm));
  return sets.find(({ members, cores }) => exceed(members, "cores", cores));
}

const BINDING = ["vcpus", "memoryMiB", "numaNodeAffinity", "cpuAffinity", "preferHt"] as const;
