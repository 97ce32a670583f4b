import { guestLimit, usableByGuest } from "../limits/guest-limits.ts";
import { usableVcpus } from "../limits/sql-server.ts";
import type { SettingValues } from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import type { Workload } from "../model/workload.ts";
import { socketsSizeNodes, type Topology } from "../platforms/esxi/derive.ts";
import { isEven } from "../platforms/esxi/layout.ts";
import { fewestCores, fittingCores, nearestOf } from "./sockets-and-cores.ts";

/** Whether the VM has as few nodes and clients as the host allows, all of one size, each within one node, and no odd count split. */
export const isAligned = ({ vcpus, numaClients, vnumaNodes, nodeCapacity }: Topology, physicalNodes: number): boolean =>
  isEven(numaClients) &&
  isEven(vnumaNodes) &&
  Math.max(...numaClients) <= nodeCapacity &&
  Math.max(numaClients.length, vnumaNodes.length) <= physicalNodes &&
  (numaClients.length === 1 || vcpus % 2 === 0);

/** Whether sources decide the number and the size of nodes and clients; how the cores make sockets may be unknown. */
export const isDecided = ({ reasons }: Pick<Topology | GuestView, "reasons">): boolean =>
  reasons.every((step) => step.certainty !== "unknown" || isAbout(step, "sockets"));

/** Whether sources decide the number and the size of the NUMA clients; the virtual NUMA nodes may be unknown. */
export const isPlaced = ({ reasons }: Topology): boolean =>
  reasons.every(({ certainty, about }) => certainty !== "unknown" || about === "sockets" || about === "nodes");

/** Whether sources decide the virtual NUMA nodes; their placement and the sockets may be unknown. */
export const isShown = ({ reasons }: Pick<Topology | GuestView, "reasons">): boolean =>
  reasons.every((step) => step.certainty !== "unknown" || isAbout(step, "sockets") || isAbout(step, "clients"));

/** Steps of a platform without clients are about the whole view. */
const isAbout = (step: GuestView["reasons"][number] | Topology["reasons"][number], part: string): boolean =>
  "about" in step && step.about === part;

/**
 * Whether another layout leaves the guest OS and SQL Server at least as many usable vCPUs as the VM has now. The count for SQL Server is
 * unknown only if versions differ in their core limits and the layout reaches one of these.
 */
export const keepsUsable = (candidate: Topology, { usableVcpus, guestUsableVcpus }: Topology): boolean =>
  candidate.guestUsableVcpus >= guestUsableVcpus && (candidate.usableVcpus ?? Infinity) >= (usableVcpus ?? Infinity);

/** The counts next to `count` that are accepted: the nearest below it, down to half of it, and the nearest above it up to `most`. */
export function nearest(
  count: number,
  max: number,
  accept: (count: number) => boolean,
): { readonly below: number | null; readonly above: number | null } {
  return { below: search(count - 1, Math.ceil(count / 2), -1, accept), above: search(count + 1, max, 1, accept) };
}

/**
 * Returns the sizes, largest first, that divide the vCPUs into equal nodes with one client each. Each size fits a node of the host, and the
 * memory needs that many nodes. `whatIf` computes the topology for a size.
 */
export function alignedSizes(
  topology: Topology,
  physicalNodes: number,
  whatIf: (size: number) => Topology | undefined,
  forMemory = 1,
): readonly number[] {
  const { vcpus, nodeCapacity } = topology;
  const sizes: number[] = [];
  for (let size = Math.min(Math.floor(vcpus / forMemory), nodeCapacity); size >= 1; size--) {
    const candidate = vcpus % size === 0 ? whatIf(size) : undefined;
    if (!candidate || !isDecided(candidate) || !isAligned(candidate, physicalNodes) || !keepsUsable(candidate, topology)) continue;
    if (candidate.vnumaNodes[0] === size && candidate.numaClients[0] === size) sizes.push(size);
  }
  return sizes;
}

/** A target for cores per socket, with the limits it must respect. */
interface CoresTarget {
  readonly vcpus: number;
  readonly cores: number;
  readonly max: number;
  readonly guestOs: string | undefined;
  readonly workload: Workload | undefined;
}

/**
 * Returns the nearest cores per socket above 1 that divide the vCPUs, with these preferences in order: most usable vCPUs, fewest nodes,
 * equal nodes, and sockets that common editions of the guest can use. Without a host (`whatIf`), only the usable vCPUs count.
 */
export function nearestAlignedCores(
  { vcpus, cores: target, max, guestOs, workload }: CoresTarget,
  whatIf: (cores: number) => Topology | undefined,
): number | undefined {
  const limit = guestLimit(guestOs ?? "");
  const free = whatIf(fewestCores(vcpus));
  const candidates = fittingCores(vcpus, max).map((cores) => ({ cores, topology: whatIf(cores) }));
  const starting = candidates.filter(({ topology }) => topology !== undefined);
  const sizes: readonly Size[] = starting.length > 0 ? starting : candidates;
  const usable = ({ cores }: Size): number => Math.min(usableByGuest(limit, vcpus, cores), usableVcpus(workload, vcpus, cores) ?? vcpus);
  const mostUsable = Math.max(...sizes.map(usable));
  const conditions: readonly ((size: Size) => boolean)[] = [
    ({ cores }) => cores > 1,
    (size) => usable(size) === mostUsable,
    ({ topology }) =>
      free !== undefined &&
      topology !== undefined &&
      isDecided(topology) &&
      topology.numaClients.length <= free.numaClients.length &&
      topology.vnumaNodes.length <= free.vnumaNodes.length,
    ({ topology }) => topology !== undefined && isDecided(topology) && isEven(topology.numaClients) && isEven(topology.vnumaNodes),
    ({ cores }) => vcpus / cores <= (limit?.commonSockets ?? vcpus),
  ];
  const best = conditions.reduce<readonly Size[]>(
    (remaining, isMet) => (remaining.some(isMet) ? remaining.filter(isMet) : remaining),
    sizes,
  );
  return nearestOf(
    best.map(({ cores }) => cores),
    target,
  );
}

/**
 * Returns a node size set by hand, and cores per socket of that size if the present sockets do not divide into it or would set a node size
 * of their own. No source shows which setting wins if both are set and differ.
 */
export function nodesOf(
  { coresPerSocket, esxi }: Topology,
  setting: "coresPerNumaNode" | "maxVcpusPerVnumaNode",
  size: number,
): SettingValues {
  const goesInto = size % coresPerSocket === 0 && (coresPerSocket === 1 || coresPerSocket === size || !socketsSizeNodes(esxi));
  return { [setting]: size, ...(!goesInto && { coresPerSocket: size }) };
}

function search(from: number, to: number, step: 1 | -1, accept: (count: number) => boolean): number | null {
  for (let count = from; (to - count) * step >= 0; count += step) if (accept(count)) return count;
  return null;
}

/** Cores per socket, and the topology they lead to on a known host. */
interface Size {
  readonly cores: number;
  readonly topology: Topology | undefined;
}

/** Whether clients are no further apart than the published 16+14, whose author does not expect it to be noticed (DENNEMAN_2021_CPS). */
export const isSlight = (clients: readonly number[]): boolean => Math.min(...clients) * 16 >= Math.max(...clients) * 14;
