import type { HostModel } from "../model/host.ts";

/** GiB for a sentence, rounded so that what is too much never looks equal: up what a VM has, down what there is for it. */
export const askedGiB = (mib: number): number => Math.ceil((mib / 1024) * 10) / 10;
export const ownedGiB = (mib: number): number => Math.floor((mib / 1024) * 10) / 10;

/** MiB that each NUMA node of a host has; `undefined` where that is not stated, or not one size. ESXi's own share of them is in no source. */
export const nodeMiB = ({ memoryGiB, unevenMemory, numaNodes }: HostModel): number | undefined =>
  unevenMemory ? undefined : memoryGiB && (memoryGiB * 1024) / numaNodes;

/** The fewest NUMA nodes that hold a VM's memory, or all that the host has; 1 where one of the two is not known. */
export function nodesForMemory(memoryMiB: number | undefined, host: HostModel | undefined): number {
  const each = host && nodeMiB(host);
  return memoryMiB === undefined || !each ? 1 : Math.min(Math.max(1, Math.ceil(memoryMiB / each)), host.numaNodes);
}
