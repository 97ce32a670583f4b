import type { HostModel } from "../model/host.ts";
import { plural } from "../model/words.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { groupText, isEven } from "../platforms/esxi/layout.ts";
import { isSlight } from "./aligned-size.ts";

/** A fault of a layout on a host; layoutFault names the worst. */
export type LayoutFault = "crowded" | "wide" | "cut" | "uneven" | "slight";

/**
 * Returns the worst fault of a layout, if it has one: more clients than nodes, a client wider than a node, a socket on two nodes, uneven
 * sizes. `statesSockets`: whether the VM states its cores per socket, because ESXi does not cut sockets that it chooses.
 */
export function layoutFault(topology: Topology, { numaNodes }: HostModel, statesSockets: boolean): LayoutFault | undefined {
  const { numaClients: clients, vnumaNodes: nodes, nodeCapacity, coresPerSocket, numaManaged } = topology;
  if (!numaManaged) return undefined;
  if (clients.length > numaNodes) return "crowded";
  if (Math.max(...clients) > nodeCapacity) return "wide";
  if (statesSockets && clients.length > 1 && clients.some((client) => client % coresPerSocket !== 0)) return "cut";
  if (isEven(clients) && isEven(nodes)) return undefined;
  return isSlight(clients) && isSlight(nodes) ? "slight" : "uneven";
}

/** Returns `16+16+16 is 3 clients on 2 nodes`. */
export function faultWords({ numaClients, coresPerSocket, nodeCapacity }: Topology, { numaNodes }: HostModel, fault: LayoutFault): string {
  const words: Readonly<Record<LayoutFault, string>> = {
    crowded: `is ${plural(numaClients.length, "client")} on ${plural(numaNodes, "node")}`,
    wide: `is wider than a node of ${nodeCapacity}`,
    cut: `cuts sockets of ${coresPerSocket}`,
    uneven: "is uneven",
    slight: "is uneven",
  };
  return `${groupText(numaClients)} ${words[fault]}`;
}
