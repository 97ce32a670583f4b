import { atLeast, type EsxiVersion, esxi, maybeAtLeast } from "../model/esxi.ts";
import type { ScsiType } from "../model/spec.ts";

interface HardwareLimits {
  /** The first ESXi release that supports it. */
  readonly since: EsxiVersion;
  readonly vcpus: number;
  readonly coresPerSocket: number;
  readonly memoryGiB: number;
}

/** A figure of a hardware version with a single limit. */
export type Limit = Exclude<keyof HardwareLimits, "since">;

/** The figures that an ESX 9 host reports for a hardware version, if they differ from the documentation. */
type ReportedLimits = Partial<Omit<HardwareLimits, "since">>;

interface HardwareVersion {
  readonly documented: HardwareLimits;
  readonly reported?: ReportedLimits;
}

const version = (
  since: EsxiVersion,
  vcpus: number,
  coresPerSocket: number,
  memoryGiB: number,
  reported?: ReportedLimits,
): HardwareVersion => ({ documented: { since, vcpus, coresPerSocket, memoryGiB }, ...(reported && { reported }) });

/**
 * Limits by virtual hardware version. Documented: vSphere 8.0 "Hardware Features Available with Virtual Machine
 * Compatibility Settings" (22: vinfrastructure.it, confirmed by the dump). First release: govmomi, hardware_version.go.
 * Memory of 7: 256 GB there, 255 GB in the same page of 6.7; the larger is kept. 4: the page of 6.7.
 * Reported: VirtualMachineConfigOption of an ESX 9 host (vm-operator test data). The two contradict each other for
 * 11 to 19; a limit is certain only above both. For 11 and 13 the page of 6.5 has the reported 128 cores per socket,
 * and later pages have 64.
 */
const HARDWARE: Readonly<Record<number, HardwareVersion>> = {
  4: version(esxi(3, 0), 4, 1, 64),
  7: version(esxi(4, 0), 8, 8, 256),
  8: version(esxi(5, 0), 32, 32, 1011),
  9: version(esxi(5, 1), 64, 64, 1011),
  10: version(esxi(5, 5), 64, 64, 1011),
  11: version(esxi(6, 0), 128, 64, 4080, { coresPerSocket: 128 }),
  13: version(esxi(6, 5), 128, 64, 6128, { coresPerSocket: 128 }),
  14: version(esxi(6, 7), 128, 64, 6128, { coresPerSocket: 128 }),
  15: version(esxi(6, 7, 2), 256, 64, 6128, { coresPerSocket: 128 }),
  17: version(esxi(7, 0), 256, 64, 6128, { vcpus: 768, coresPerSocket: 128, memoryGiB: 24560 }),
  18: version(esxi(7, 0, 1), 768, 64, 24560, { coresPerSocket: 128 }),
  19: version(esxi(7, 0, 2), 768, 64, 24560, { coresPerSocket: 128 }),
  20: version(esxi(8, 0), 768, 256, 24560),
  21: version(esxi(8, 0, 2), 768, 256, 24560),
  22: version(esxi(9, 0), 960, 960, 24560),
};

/** The hardware versions of ESXi releases, oldest first; the missing numbers belong to Workstation and Fusion. */
export const HARDWARE_VERSIONS: readonly number[] = Object.keys(HARDWARE).map(Number);

/** The newest release that sources describe. */
export const NEWEST_RELEASE: EsxiVersion = Object.values(HARDWARE)
  .map(({ documented }) => documented.since)
  .reduce((newest, since) => (atLeast(since, newest) ? since : newest));

/** The largest limit of any known hardware version: a higher count is a mistake. */
export const MAX_VCPUS = Math.max(...Object.values(HARDWARE).map(({ documented }) => documented.vcpus));

/** From this hardware version on, ESXi 8.0 and later choose the cores per socket. */
export const AUTO_TOPOLOGY_HARDWARE = 20;

/**
 * If an ESX 9 host and the documentation disagree, hosts from this release on probably follow the reported figures. The reporting host has
 * an unnamed release later than 9.0 (CONFIG_OPTION_9). 9.0 is included, because a false alarm is worse than a miss.
 */
const REPORTED_SINCE = esxi(9, 0);

/** The first release whose page has 11 and 13, the only versions with two figures on older hosts; the smaller one applies there. */
const SMALLER_SINCE = esxi(6, 7);

/** A limit that a VM exceeds. It is certain if the value is above both figures. */
export interface Excess {
  readonly documented: number;
  /** The reported limit of an ESX 9 host, if it is higher. */
  readonly reported: number | null;
  /** The larger figure. */
  readonly most: number;
  readonly certain: boolean;
}

/**
 * Returns the limit of a hardware version that `value` exceeds on a host of `release`; `undefined` if it does not, or the limit is unknown.
 */
export function excess(limit: Limit, value: number, hardwareVersion: number, release?: EsxiVersion): Excess | undefined {
  const entry = HARDWARE[hardwareVersion];
  if (!entry) return undefined;
  const documented = entry.documented[limit];
  const reported = entry.reported?.[limit] ?? null;
  const maximum = reported ?? documented;
  const certain = value > maximum;
  const trusted = release !== undefined && (atLeast(release, REPORTED_SINCE) || !atLeast(release, SMALLER_SINCE));
  const doubtful = value > documented && !trusted;
  return certain || doubtful ? { documented, reported, most: maximum, certain } : undefined;
}

/** Returns the oldest hardware version that allows `value` by both figures and runs on a host of `release`. */
export const hardwareFor = (limit: Limit, value: number, release?: EsxiVersion): number | null =>
  HARDWARE_VERSIONS.find((version) => !excess(limit, value, version) && (!release || runs(release, version))) ?? null;

/** The step of a VM's memory ("must be a multiple of 4MB": vSphere 6.0 and 6.5 VM Administration, VMware Cloud on AWS). */
export const MEMORY_STEP_MIB = 4;

/**
 * The first hardware version with a device or a feature: the pages "Hardware Features Available with Virtual Machine
 * Compatibility Settings" of vSphere 6.7 (4 to 15) and 8.0; virtual hyper-threading also by the ESX 9 dumps;
 * fixed automatic NUMA affinity: VM Operator, api/v1alpha6.
 */
export const FIRST_HARDWARE = {
  pvscsi: 7,
  vmxnet3: 7,
  sata: 10,
  nvme: 13,
  virtualTopology: AUTO_TOPOLOGY_HARDWARE,
  hyperthreading: 20,
  fixedAutoAffinity: 23,
} as const;

/**
 * Whether a VM has virtual hyper-threading: older hosts and older virtual hardware do not ("Virtual Hyperthreading", vSphere 8.0).
 * Undeclared versions may be new enough.
 */
export const hasVirtualThreads = (release: EsxiVersion | undefined, hardwareVersion: number = FIRST_HARDWARE.hyperthreading): boolean =>
  (!release || atLeast(release, esxi(8, 0))) && hardwareVersion >= FIRST_HARDWARE.hyperthreading;

/** Most threads of a virtual core ("vHT supports a maximum HT size of 2"; `numCpuSimultaneousThreads` 1 to 2). */
export const MOST_THREADS = 2;

/**
 * The most SCSI controllers of a VM in every hardware version, and the most SATA and NVMe controllers if the version supports them (the
 * same pages).
 */
export const MAX_CONTROLLERS = 4;

/** The most network cards of a VM (the pages of 6.5 and 6.7, which include version 4; for 10 and later also the ESX 9 dumps). */
export const maxCards = (hardwareVersion = Number.POSITIVE_INFINITY): number => (hardwareVersion <= 4 ? 4 : 10);

/** The unit that belongs to the SCSI controller itself (`scsiCtlrUnitNumber` of every type in the ESX 9 dumps). */
export const SCSI_CONTROLLER_UNIT = 7;

/** The most disks per controller, by the ESX 9 dumps; an undeclared version or SCSI type counts with the larger figure. */
export function maxDisks(
  kind: "scsi" | "nvme" | "sata",
  scsiType: ScsiType | undefined,
  hardwareVersion = Number.POSITIVE_INFINITY,
): number {
  if (kind === "sata") return 30;
  if (kind === "nvme") return hardwareVersion >= 21 ? 64 : 15;
  return hardwareVersion >= 14 && (scsiType === undefined || scsiType === "pvscsi") ? 64 : 15;
}

/** Returns the most cores per socket to propose: the lower figure, or 64 without a version. */
export const safeCoresPerSocket = (hardwareVersion: number | undefined): number =>
  HARDWARE[hardwareVersion ?? 0]?.documented.coresPerSocket ?? 64;

/** The most virtual sockets of a VM (vSphere 6.7 and 7.0 VM Administration; no guest of 11 to 21 has more in the ESX 9 dumps). */
export const MAX_SOCKETS = 128;

/** In these dumps, version 22 has one guest with 448, without further documentation. */
const MAX_SOCKETS_UNTIL = 21;

/** The most virtual NUMA nodes of a VM, by the ESX 9 dumps of 20 to 22. */
export const MAX_VNUMA_NODES = 64;

/** Whether a VM has more sockets than its hardware version is known to allow. */
export const tooManySockets = (vcpus: number, coresPerSocket: number, hardwareVersion: number): boolean =>
  hardwareVersion <= MAX_SOCKETS_UNTIL && vcpus / coresPerSocket > MAX_SOCKETS;

/**
 * Whether a release supports a hardware version; `undefined` if it depends on an unstated update, and for versions without a source:
 * versions of desktop products, which ESXi does not run before the next version (for 12 and 16 the descriptors of an ESX 9 host show that
 * it creates and runs both, "Workstation 12" and "Workstation 15"), and future versions.
 */
export function runs(release: EsxiVersion, hardwareVersion: number): boolean | undefined {
  const listed = HARDWARE[hardwareVersion];
  if (listed) return atLeast(release, listed.documented.since) || (maybeAtLeast(release, listed.documented.since) ? undefined : false);
  const since = firstRelease(HARDWARE_VERSIONS.find((version) => version > hardwareVersion) ?? Math.max(...HARDWARE_VERSIONS));
  return !since || maybeAtLeast(release, since) ? undefined : false;
}

/** Whether advice may include an upgrade to a hardware version: the host is not known to refuse it. */
export const mayRun = (release: EsxiVersion | undefined, hardwareVersion: number): boolean =>
  release === undefined || runs(release, hardwareVersion) !== false;

/** Returns the first release that supports a hardware version; `undefined` without a source. */
export const firstRelease = (hardwareVersion: number): EsxiVersion | undefined => HARDWARE[hardwareVersion]?.documented.since;

/** Returns the newest hardware version that a release supports with any update. */
export const newestHardware = (release: EsxiVersion): number => Math.max(...HARDWARE_VERSIONS.filter((version) => runs(release, version)));

/** Returns how many releases with newer virtual hardware there are between a hardware version and a release. Updates of a release are one. */
export function releasesBehind(release: EsxiVersion, hardwareVersion: number): number {
  const nameOf = (version: number): string | undefined => {
    const since = firstRelease(version);
    return since && `${since.major}.${since.minor}`;
  };
  const newer = HARDWARE_VERSIONS.filter((version) => version > hardwareVersion && runs(release, version) === true).map(nameOf);
  return new Set(newer.filter((name) => name !== nameOf(hardwareVersion))).size;
}
