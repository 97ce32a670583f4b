import type { HostModel } from "../model/host.ts";

/** A figure in GiB as messages print it. */
export const gib = (mib: number): number => Math.round((mib / 1024) * 10) / 10;

/** MiB that each NUMA node of a host has; `undefined` where its memory is not stated. ESXi's own share of them is in no source. */
export const nodeMiB = ({ memoryGiB, numaNodes }: HostModel): number | undefined => memoryGiB && (memoryGiB * 1024) / numaNodes;

/** Whether memory is more than there is by what people would notice: the same figure in GiB is not. */
export const isMore = (mib: number, thanMiB: number): boolean => gib(mib) > gib(thanMiB);

/** The fewest NUMA nodes that hold a VM's memory; 1 where it is unknown, or the host could not hold it at all. */
export function nodesForMemory(memoryMiB: number | undefined, host: HostModel | undefined): number {
  const each = host && nodeMiB(host);
  if (memoryMiB === undefined || !each || !host || memoryMiB >= each * host.numaNodes) return 1;
  let nodes = 1;
  while (isMore(memoryMiB, nodes * each)) nodes++;
  return nodes;
}
