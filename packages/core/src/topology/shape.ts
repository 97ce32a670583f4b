import type { HostModel } from "../model/host.ts";
import { coresPerNode } from "../model/host.ts";

/**
 * Sockets for a VM that may show its guest at most `maxSockets`: the fewest whose cores go into one physical NUMA
 * node, or simply the fewest when no host is known. `undefined` when the count has no such divisor.
 */
export function fewestSockets(vcpus: number, maxSockets: number, maxCoresPerSocket: number, host?: HostModel): number | undefined {
  const fitting: number[] = [];
  for (let sockets = 1; sockets <= Math.min(maxSockets, vcpus); sockets++) {
    if (vcpus % sockets === 0 && vcpus / sockets <= maxCoresPerSocket) fitting.push(sockets);
  }
  return fitting.find((sockets) => host && vcpus / sockets <= coresPerNode(host)) ?? fitting[0];
}
