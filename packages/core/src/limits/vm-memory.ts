import type { HostModel } from "../model/host.ts";

/** Returns GiB for a sentence, rounded so that an excess stays visible: the size of a VM up, the capacity down. */
export const shownGiB = (mib: number): number => Math.ceil((mib / 1024) * 10) / 10;
export const ownedGiB = (mib: number): number => Math.floor((mib / 1024) * 10) / 10;

/** Returns the MiB of each NUMA node of a host; `undefined` if it is not declared, or differs. No source documents ESXi's own share. */
export const nodeMiB = ({ memoryGiB, unevenMemory, numaNodes }: HostModel): number | undefined =>
  unevenMemory ? undefined : memoryGiB && (memoryGiB * 1024) / numaNodes;

/** Returns the fewest NUMA nodes that hold a VM's memory, at most all of the host; 1 if either size is unknown. */
export function nodesForMemory(memoryMiB: number | undefined, host: HostModel | undefined): number {
  const memoryPerNode = host && nodeMiB(host);
  return memoryMiB === undefined || !memoryPerNode ? 1 : Math.min(Math.max(1, Math.ceil(memoryMiB / memoryPerNode)), host.numaNodes);
}
