import type { HostModel } from "../model/host.ts";
import { coresOf } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import type { Workload } from "../model/workload.ts";

/** The least of SAP HANA in production: "a half socket (represented by at least 8 physical cores)" (VMware, 12 TB SAP HANA VMs, 2021). */
export const LEAST_HANA_VCPUS = 8;

/**
 * Returns the vCPU counts to propose for SAP HANA in production on a host: half a socket or whole sockets, in cores, or in threads if the VM
 * prefers them (Dell, "CPU and memory sizes for SAP HANA VMs": half, one, two and three sockets; "1.5 or 2.5 sockets are not allowed").
 * Half a socket is only included if two VMs may share one.
 */
export function hanaSizes(host: HostModel, preferHt: boolean): readonly number[] {
  const units = preferHt ? unitsOf(host) : [host.coresPerSocket];
  const sizes = units.flatMap((unit) => [
    ...(unit % 2 === 0 && sharesSockets(host) ? [unit / 2] : []),
    ...sequence(host.sockets, (i) => (i + 1) * unit),
  ]);
  return [...new Set(sizes)].filter((size) => size >= LEAST_HANA_VCPUS).sort((a, b) => a - b);
}

/**
 * Whether a vCPU count is half a socket or whole sockets, in cores or in threads. The largest supported VM has 448 vCPUs on 8 sockets of 28
 * cores (VMware, 12 TB SAP HANA VMs, 2021).
 */
export const isHanaSize = (vcpus: number, host: HostModel): boolean =>
  (isHalfSocket(vcpus, host) && sharesSockets(host)) || unitsOf(host).some((unit) => vcpus % unit === 0 && vcpus / unit <= host.sockets);

/** Whether a workload is SAP HANA of a supported size, which may use threads. */
export const isSupportedHana = (workload: Workload | undefined, vcpus: number, host: HostModel): boolean =>
  workload?.kind === "hana" && isHanaSize(vcpus, host);

const unitsOf = ({ coresPerSocket, threadsPerCore }: HostModel): readonly number[] => [coresPerSocket, coresPerSocket * threadsPerCore];

/** Whether a vCPU count is half a socket. */
export const isHalfSocket = (vcpus: number, host: HostModel): boolean => vcpus * 2 === host.coresPerSocket;

/**
 * Returns the GiB of the host that belong to a number of cores, at most all: half a socket of two gets 25 %, of four 12.5 % (Dell's table).
 */
export const shareGiB = (vcpus: number, host: HostModel): number | undefined =>
  host.memoryGiB === undefined ? undefined : host.memoryGiB * Math.min(1, vcpus / coresOf(host));

/** Xeon Scalable of the 4th generation (Sapphire Rapids): the second digit of its model number is 4. */
const SAPPHIRE_RAPIDS = /sapphire rapids|\b(?:platinum|gold|silver|bronze)\s+[3-9]4\d\d|\bmax\s+94\d\d/i;

/** Whether the processors of the host are Sapphire Rapids; `undefined` if they are not declared. */
export const isSapphireRapids = ({ cpu }: HostModel): boolean | undefined => (cpu === undefined ? undefined : SAPPHIRE_RAPIDS.test(cpu));

/**
 * Whether two VMs of SAP HANA in production may share a socket: on Sapphire Rapids only with SNC-2 (VMware, "Half-Socket VM support for SAP
 * HANA on vSphere 8 and 4th Gen Intel Xeon Scalable processors", 2024). An undeclared processor is assumed not to be Sapphire Rapids.
 */
export const sharesSockets = (host: HostModel): boolean => !isSapphireRapids(host) || host.numaNodes === 2 * host.sockets;
