import { socketsSizeNodes, type Topology } from "../esxi/derive.ts";
import { isEven } from "../esxi/layout.ts";
import { guestLimit, usableByGuest } from "../limits/guest.ts";
import { usableVcpus } from "../limits/sql-server.ts";
import type { SettingValues } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import { fewestCores, fittingCores, nearestOf } from "./shape.ts";

/** As many nodes and clients as the host has nodes for, each client no larger than one, all of one size, and no odd count split over several. */
export const isAligned = ({ vcpus, numaClients, vnumaNodes, nodeCapacity }: Topology, physicalNodes: number): boolean =>
  isEven(numaClients) &&
  isEven(vnumaNodes) &&
  Math.max(...numaClients) <= nodeCapacity &&
  Math.max(numaClients.length, vnumaNodes.length) <= physicalNodes &&
  (numaClients.length === 1 || vcpus % 2 === 0);

/** Whether sources decide how many nodes and clients a VM gets and of which size; how its cores make sockets may stay open. */
export const isDecided = ({ reasons }: Topology): boolean =>
  reasons.every(({ certainty, about }) => certainty !== "unknown" || about === "sockets");

/** Whether sources decide how many clients a VM gets and of which size; what the guest is shown may stay open. */
export const isPlaced = ({ reasons }: Topology): boolean =>
  reasons.every(({ certainty, about }) => certainty !== "unknown" || about === "sockets" || about === "nodes");

/** Whether sources decide which nodes the guest is shown; where they lie, and how its cores make sockets, may stay open. */
export const isShown = ({ reasons }: Topology): boolean =>
  reasons.every(({ certainty, about }) => certainty !== "unknown" || about === "sockets" || about === "clients");

/**
 * Whether another layout leaves guest OS and SQL Server no fewer vCPUs than the VM has. What SQL Server uses is open where only the core
 * limits of its versions differ, and known where so few sockets are used that none of these is reached.
 */
export const keepsUsable = (other: Topology, { usableVcpus, guestUsableVcpus }: Topology): boolean =>
  other.guestUsableVcpus >= guestUsableVcpus && (other.usableVcpus ?? Infinity) >= (usableVcpus ?? Infinity);

/** The counts next to `count` that are accepted: the nearest below it, down to half of it, and the nearest above it up to `most`. */
export function nearest(
  count: number,
  most: number,
  accept: (count: number) => boolean,
): { readonly below: number | null; readonly above: number | null } {
  return { below: search(count - 1, Math.ceil(count / 2), -1, accept), above: search(count + 1, most, 1, accept) };
}

/**
 * The sizes, largest first, in which the vCPUs go into equal nodes of that size, each on one client: divisors of their count
 * that a node holds. `whatIf` makes nodes of a size, by whichever setting does. Only those that make as many nodes as the memory takes.
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
    const other = vcpus % size === 0 ? whatIf(size) : undefined;
    if (!other || !isDecided(other) || !isAligned(other, physicalNodes) || !keepsUsable(other, topology)) continue;
    if (other.vnumaNodes[0] === size && other.numaClients[0] === size) sizes.push(size);
  }
  return sizes;
}

/** What cores per socket are to be near to, and for whom. */
interface Wanted {
  readonly vcpus: number;
  readonly cores: number;
  readonly most: number;
  readonly guestOs: string | undefined;
  readonly workload: Workload | undefined;
}

/**
 * The nearest cores per socket that divide the vCPUs: above 1, leaving guest OS and SQL Server the most of them, with no more nodes than
 * there are without, and equal ones, in sockets that common editions of the guest use; each of these where any size does it. Where no host
 * tells (`whatIf`), guest OS and SQL Server alone decide.
 */
export function nearestAlignedCores(
  { vcpus, cores: wanted, most, guestOs, workload }: Wanted,
  whatIf: (cores: number) => Topology | undefined,
): number | undefined {
  const limit = guestLimit(guestOs ?? "");
  const free = whatIf(fewestCores(vcpus));
  const all = fittingCores(vcpus, most).map((cores) => ({ cores, other: whatIf(cores) }));
  const starting = all.filter(({ other }) => other !== undefined);
  const sizes: readonly Size[] = starting.length > 0 ? starting : all;
  const usable = ({ cores }: Size): number => Math.min(usableByGuest(limit, vcpus, cores), usableVcpus(workload, vcpus, cores) ?? vcpus);
  const mostUsable = Math.max(...sizes.map(usable));
  const wishes: readonly ((size: Size) => boolean)[] = [
    ({ cores }) => cores > 1,
    (size) => usable(size) === mostUsable,
    ({ other }) =>
      free !== undefined &&
      other !== undefined &&
      isDecided(other) &&
      other.numaClients.length <= free.numaClients.length &&
      other.vnumaNodes.length <= free.vnumaNodes.length,
    ({ other }) => other !== undefined && isDecided(other) && isEven(other.numaClients) && isEven(other.vnumaNodes),
    ({ cores }) => vcpus / cores <= (limit?.commonSockets ?? vcpus),
  ];
  const best = wishes.reduce<readonly Size[]>((left, isMet) => (left.some(isMet) ? left.filter(isMet) : left), sizes);
  return nearestOf(
    best.map(({ cores }) => cores),
    wanted,
  );
}

/**
 * Nodes of a size by hand, and sockets of that size where the VM's own do not go into them in whole, or would size nodes, too: where both
 * do, and differ, no source shows which one wins.
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

/** Cores per socket, and what they make of the VM where a host tells. */
interface Size {
  readonly cores: number;
  readonly other: Topology | undefined;
}

/** Whether clients are no further apart than the published 16+14, whose author does not expect it to be noticed (DENNEMAN_2021_CPS). */
export const isSlight = (clients: readonly number[]): boolean => Math.min(...clients) * 16 >= Math.max(...clients) * 14;
