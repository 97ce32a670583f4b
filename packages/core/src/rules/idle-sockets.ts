import { fewestSockets } from "../advice/sockets-and-cores.ts";
import { guestLimit } from "../limits/guest-limits.ts";
import { safeCoresPerSocket } from "../limits/hardware.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { type Facts, shownCoresPerSocket, type View } from "./define.ts";
import { setCoresPerSocket } from "./shape-advice.ts";

export interface SocketFacts {
  readonly host: HostModel | undefined;
  readonly topology: Topology | undefined;
  readonly ifKnown: Facts["ifKnown"];
}

/** Returns the best sockets for a guest that uses at most a number of them. */
export const socketsWithin = (maxSockets: number, vcpus: number, { host, topology, ifKnown }: SocketFacts): number | undefined =>
  fewestSockets(vcpus, {
    maxSockets,
    maxCoresPerSocket: safeCoresPerSocket(ifKnown("hardwareVersion")),
    host,
    nodeCapacity: topology?.nodeCapacity,
    memoryMiB: ifKnown("memoryMiB"),
  });

/** Returns what a guest shows and should show if some editions of it use fewer sockets than the VM has. */
export function idleSockets(
  edition: "standardSockets" | "commonSockets",
  facts: SocketFacts & { readonly vm: View<"vcpus" | "coresPerSocket" | "hardwareVersion" | "guestOs"> },
) {
  const { vm, host, topology } = facts;
  const limit = guestLimit(vm.guestOs?.value ?? "");
  const most = limit?.[edition];
  const shown = shownCoresPerSocket(vm, topology);
  if (!vm.vcpus || !limit || !most || shown === undefined) return undefined;
  if (typeof shown !== "number") return shown;
  const vcpus = vm.vcpus.value;
  const sockets = vcpus / shown;
  // Another rule reports more sockets than any edition uses.
  if (!Number.isInteger(sockets) || sockets <= most || sockets > limit.sockets) return undefined;
  const fewest = socketsWithin(most, vcpus, facts);
  // Sockets larger than a node of the host are no better.
  if (fewest === undefined || (host && vcpus / fewest > (topology?.nodeCapacity ?? coresPerNode(host)))) return undefined;
  const coresPerSocket = vcpus / fewest;
  return {
    data: { guest: limit.guest, vcpus, sockets, most, coresPerSocket },
    at: vm.coresPerSocket?.range ?? vm.vcpus.range,
    ...(vm.guestOs && { related: [{ message: "the guest is set here", range: vm.guestOs.range }] }),
    fixes: [setCoresPerSocket(coresPerSocket)],
  };
}
