import type { HostModel } from "../model/host.ts";
import { coresOf } from "../model/host.ts";

/**
 * The vCPU counts of SAP HANA in production on a host: half a socket or whole ones, counted in cores, or in threads where
 * the VM prefers them (Dell, "CPU and memory sizes for SAP HANA VMs": half, one, two and three sockets; "1.5 or 2.5 sockets
 * are not allowed"). Half a socket only where two VMs may share one.
 */
export function hanaSizes(host: HostModel, preferHt: boolean): readonly number[] {
  const units = preferHt ? [host.coresPerSocket, host.coresPerSocket * host.threadsPerCore] : [host.coresPerSocket];
  const sizes = units.flatMap((unit) => [
    ...(unit % 2 === 0 && sharesSockets(host) ? [unit / 2] : []),
    ...Array.from({ length: host.sockets }, (_, i) => (i + 1) * unit),
  ]);
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** Whether so many vCPUs are half a socket. */
export const isHalfSocket = (vcpus: number, host: HostModel): boolean => vcpus * 2 === host.coresPerSocket;

/** GiB of the host that belong to so many cores: half a socket of two gets 25 %, of four 12.5 % (the same table). */
export const shareGiB = (vcpus: number, host: HostModel): number | undefined =>
  host.memoryGiB === undefined ? undefined : (host.memoryGiB * vcpus) / coresOf(host);

/** Xeon Scalable of the 4th generation (Sapphire Rapids), by its model's number: the second digit is 4. */
const SAPPHIRE_RAPIDS = /sapphire rapids|\b(?:platinum|gold|silver|bronze)\s+[3-9]4\d\d|\bmax\s+94\d\d/i;

/** Whether the host's processors are Sapphire Rapids; `undefined` where they are not named. */
export const isSapphireRapids = ({ cpu }: HostModel): boolean | undefined => (cpu === undefined ? undefined : SAPPHIRE_RAPIDS.test(cpu));

/**
 * Whether two VMs of SAP HANA in production may share a socket: on Sapphire Rapids only with SNC-2 (VMware, "Half-Socket VM support
 * for SAP HANA on vSphere 8 and 4th Gen Intel Xeon Scalable processors", 2024). A processor that is not named is taken for another.
 */
export const sharesSockets = (host: HostModel): boolean => !isSapphireRapids(host) || host.numaNodes !== host.sockets;
