import { alignedSizes, isAligned, isDecided, keepsUsable, nearest } from "../advice/aligned-size.ts";
import { fitsVm } from "../advice/candidate.ts";
import { layoutFault } from "../advice/layout-faults.ts";
import { type PlacedShape, preferencesOf, shapesOf, sortedBy } from "../advice/shapes.ts";
import { safeCoresPerSocket } from "../limits/hardware.ts";
import { nodeTrouble } from "../limits/sql-server.ts";
import { nodesForMemory } from "../limits/vm-memory.ts";
import { coresPerNode } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import type { SettingName, SettingValues } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { type Facts, type ProposedFix, unsafeFix } from "./define.ts";

/** The space that the nodes of a VM must fit. */
export interface Room {
  readonly vcpus: number;
  readonly physicalNodes: number;
  readonly capacity: number;
  /** The fewest nodes that hold the memory. */
  readonly forMemory: number;
}

/** Whether a count divides into equal nodes that the host has and that hold the memory. An odd count must fit one node. */
export const dividesInto = ({ vcpus, physicalNodes, capacity, forMemory }: Room): boolean =>
  sequence(physicalNodes - forMemory + 1, (more) => forMemory + more).some(
    (nodes) => vcpus % nodes === 0 && vcpus / nodes <= capacity && (nodes === 1 || vcpus % 2 === 0),
  );

/** Returns the advice if no shape of a count fits the nodes of a host; empty if a shape fits, because then the count is not the problem. */
export function chooseCount(room: Room): string {
  const { physicalNodes, capacity, forMemory } = room;
  if (dividesInto(room)) return "";
  if (physicalNodes === 1) return `Use at most ${plural(capacity, "vCPU")}.`;
  const least = forMemory === 1 ? "" : `, and into no fewer than ${forMemory} for the memory`;
  return `Choose an even vCPU count that divides into at most ${physicalNodes} nodes of at most ${capacity}${least}.`;
}

/** Returns the advice if every divisor of a count makes too many sockets. */
export const chooseForSockets = (maxSockets: number): string => `Choose a vCPU count that divides into at most ${maxSockets} sockets`;

type NodeFacts = Pick<Facts<"host" | "topology">, "host" | "topology" | "workload" | "ifKnown" | "whatIf">;

type ShapeFacts = Omit<NodeFacts, "topology">;

/**
 * Returns node sizes to propose, largest first: the sizes of `alignedSizes` with `settings`, in sockets that the VM may have and SQL Server
 * supports. All rules that propose nodes use this function, so that their advice agrees.
 */
export function nodeSizes(
  { host, topology, workload, ifKnown, whatIf }: NodeFacts,
  settings: (size: number) => SettingValues,
): readonly number[] {
  const maxCores = safeCoresPerSocket(ifKnown("hardwareVersion"));
  const layout = (size: number) => {
    const { coresPerSocket } = settings(size);
    return typeof coresPerSocket === "number" && coresPerSocket > maxCores ? undefined : whatIf(settings(size));
  };
  const sizes = alignedSizes(topology, host.numaNodes, layout, nodesForMemory(ifKnown("memoryMiB"), host));
  return sizes.filter((size) => !nodeTrouble(workload, size));
}

/** Sockets of another size, or automatic sockets. */
export const setCoresPerSocket = (value: number | "auto"): ProposedFix =>
  unsafeFix(value === "auto" ? "Leave cores per socket to ESXi" : `Set ${plural(value, "core")} per socket`, { coresPerSocket: value });

/** Another count. */
export const useVcpus = (count: number): ProposedFix => unsafeFix(`Use ${plural(count, "vCPU")}`, { vcpus: count });

/**
 * Returns the best shape by the ranking of `size`: of the same vCPU count if one has equal nodes and clients on nodes of the host, else of
 * the nearest count.
 */
export function bestShape(facts: ShapeFacts, topology: Topology): (PlacedShape & { readonly topology: Topology }) | undefined {
  const { vcpus, nodeCapacity } = topology;
  const { host, workload, ifKnown, whatIf } = facts;
  const purpose = { host, workload, memoryMiB: ifKnown("memoryMiB") };
  const request = { hardwareVersion: ifKnown("hardwareVersion"), workload, preferHt: nodeCapacity > coresPerNode(host) };
  const bestOf = (count: number) => {
    const placed = [...shapesOf(count, request, [host])].flatMap((shape) => {
      // A VM with stated sockets keeps stated ones, which every format can write.
      if (shape.coresPerSocket === "auto" && typeof ifKnown("coresPerSocket") === "number") return [];
      const settings = { ...(count !== vcpus && { vcpus: count }), ...shape };
      const other = whatIf(settings);
      if (!other || !isDecided(other) || !isAligned(other, host.numaNodes) || !keepsUsable(other, topology) || !fitsVm(other, purpose))
        return [];
      return layoutFault(other, host, true)
        ? []
        : [{ vcpus: count, sockets: other.sockets, settings, topologies: [other], topology: other }];
    });
    return sortedBy(placed, (shape) => preferencesOf(shape, vcpus))[0];
  };
  const most = Math.min(2 * vcpus, nodeCapacity * host.numaNodes);
  const { below, above } = nearest(vcpus, most, (count) => bestOf(count) !== undefined);
  const counts = [vcpus, ...[above, below].flatMap((count) => count ?? []).sort((a, b) => Math.abs(a - vcpus) - Math.abs(b - vcpus))];
  return counts.map(bestOf).find((shape) => shape !== undefined);
}

/** Returns the settings of a shape that the VM does not have yet. */
export const missingIn = (settings: SettingValues, ifKnown: Facts["ifKnown"]): SettingValues =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => ifKnown(name as SettingName) !== value));

/** Returns the settings of a shape in words: `set 12 cores per socket`. */
export function shapeWords({ vcpus, coresPerSocket, coresPerNumaNode, maxVcpusPerVnumaNode, vnumaMinVcpus }: SettingValues): string {
  const cores = coresPerSocket === "auto" ? "leave cores per socket to ESXi" : `set ${plural(coresPerSocket ?? 1, "core")} per socket`;
  const nodes = [
    ...(coresPerNumaNode ? [`NUMA nodes of ${coresPerNumaNode}`] : []),
    ...(maxVcpusPerVnumaNode ? [`numa.vcpu.maxPerVirtualNode = ${maxVcpusPerVnumaNode}`] : []),
    ...(vnumaMinVcpus ? [`numa.vcpu.min = ${vnumaMinVcpus}`] : []),
  ].join(", ");
  return [
    ...(vcpus === undefined ? [] : [`use ${plural(vcpus, "vCPU")}`]),
    ...(coresPerSocket === undefined ? [] : [cores]),
    ...(nodes === "" ? [] : [coresPerSocket === undefined ? `set ${nodes}` : nodes]),
  ].join(", ");
}
