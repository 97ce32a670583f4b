import { MAX_SOCKETS } from "../limits/hardware.ts";
import { nodesForMemory } from "../limits/vm-memory.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";

/** The limits on how many cores a virtual socket may have. */
export interface SocketsFor {
  readonly maxSockets: number;
  readonly maxCoresPerSocket: number;
  readonly host?: HostModel | undefined;
  /** The most vCPUs a node holds if that differs from its cores (`Topology.nodeCapacity`). */
  readonly nodeCapacity?: number | undefined;
  readonly memoryMiB?: number | undefined;
}

/** The cores of a node that nearly every server has, for a VM without a host; a guest of that size sees one node by default. */
const SMALL_NODE = 8;

/**
 * Returns the sockets of a VM whose guest sees at most `maxSockets` of them. Prefers the fewest sockets that fit one physical NUMA node and
 * divide evenly over the nodes that vCPUs and memory need; if no socket fits a node, the most sockets. Without a host, a node is small, and
 * an even number of sockets divides over two. `undefined` if the count has no such divisor.
 */
export function fewestSockets(
  vcpus: number,
  { maxSockets, maxCoresPerSocket, host, memoryMiB, nodeCapacity }: SocketsFor,
): number | undefined {
  const fitting: number[] = [];
  for (let sockets = 1; sockets <= Math.min(maxSockets, vcpus); sockets++) {
    if (vcpus % sockets === 0 && vcpus / sockets <= maxCoresPerSocket) fitting.push(sockets);
  }
  const capacity = nodeCapacity ?? (host ? coresPerNode(host) : SMALL_NODE);
  const inNode = fitting.filter((sockets) => vcpus / sockets <= capacity);
  const nodes = Math.max(nodesForMemory(memoryMiB, host), host ? Math.ceil(vcpus / capacity) : vcpus > capacity ? 2 : 1);
  return inNode.find((sockets) => sockets % nodes === 0) ?? inNode[0] ?? fitting.at(-1);
}

/** Cores per socket, rising up to `most`, that divide the vCPUs into no more sockets than a VM may have. */
export const fittingCores = (vcpus: number, max: number): readonly number[] =>
  sequence(Math.min(vcpus, max), (i) => i + 1).filter((cores) => vcpus % cores === 0 && vcpus / cores <= MAX_SOCKETS);

/** Of rising counts the most up to `wanted`, else the fewest above it. */
export const nearestOf = (counts: readonly number[], target: number): number | undefined =>
  counts.findLast((count) => count <= target) ?? counts[0];

/** The nearest of those cores per socket; `undefined` when the count has no such divisor. */
export const nearestCores = (vcpus: number, target: number, max: number): number | undefined =>
  nearestOf(fittingCores(vcpus, Math.max(target, max)), target);

/**
 * Returns the fewest cores per socket a VM may have, because they restrict its nodes the least: 1 up to 128 vCPUs. With `each` vCPUs in a
 * node, the fewest that divide `each`.
 */
export const fewestCores = (vcpus: number, perSocket = vcpus): number =>
  sequence(perSocket, (i) => i + 1).find((cores) => perSocket % cores === 0 && vcpus / cores <= MAX_SOCKETS) ?? vcpus;
