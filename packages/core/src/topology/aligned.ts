import type { Topology } from "./derive.ts";
import { isEven } from "./layout.ts";

/** As many clients as the host has nodes for, all of one size, and no odd count split over several. */
export const isAligned = ({ vcpus, numaClients, vnumaNodes }: Topology, physicalNodes: number): boolean =>
  isEven(numaClients) && isEven(vnumaNodes) && numaClients.length <= physicalNodes && (numaClients.length === 1 || vcpus % 2 === 0);

/** Whether sources decide how many nodes and clients a VM gets and of which size; how its cores make sockets may stay open. */
export const isDecided = ({ reasons }: Topology): boolean =>
  reasons.every(({ certainty, about }) => certainty !== "unknown" || about === "sockets");

/** The counts next to `count` that are accepted: the nearest below it, and the nearest above it up to `most`. */
export function nearest(
  count: number,
  most: number,
  accept: (count: number) => boolean,
): { readonly below: number | null; readonly above: number | null } {
  return { below: search(count - 1, 1, -1, accept), above: search(count + 1, most, 1, accept) };
}

/**
 * The largest group of vCPUs, a divisor of their count and no more than a node holds, that gives nodes all of that size,
 * each on one client; null when none does.
 */
export function alignedSize(
  { vcpus, nodeCapacity }: Topology,
  physicalNodes: number,
  whatIf: (size: number) => Topology | undefined,
): number | null {
  return search(Math.min(vcpus, nodeCapacity), 1, -1, (size) => {
    if (vcpus % size !== 0) return false;
    const other = whatIf(size);
    if (!other || !isDecided(other) || !isAligned(other, physicalNodes)) return false;
    return other.vnumaNodes[0] === size && other.numaClients[0] === size;
  });
}

function search(from: number, to: number, step: 1 | -1, accept: (count: number) => boolean): number | null {
  for (let count = from; (to - count) * step >= 0; count += step) if (accept(count)) return count;
  return null;
}
