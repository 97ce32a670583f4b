import { atLeast, type EsxiVersion, esxi } from "../model/esxi.ts";

export interface HardwareLimits {
  /** First ESXi release that runs it. */
  readonly since: EsxiVersion;
  readonly vcpus: number;
  readonly coresPerSocket: number;
  readonly memoryGiB: number;
}

/** What an ESX 9.0 host itself reports for a hardware version, where it differs from the documentation. */
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
 * Reported: VirtualMachineConfigOption of an ESX 9.0 host (vm-operator test data). The two contradict each other for
 * 11 to 19; a limit is certain only above both.
 */
const HARDWARE: Readonly<Record<number, HardwareVersion>> = {
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

/** The most any hardware version vmlint knows gives a VM: above it a count is a mistake, not a topology. */
export const MAX_VCPUS = Math.max(...Object.values(HARDWARE).map(({ documented }) => documented.vcpus));

/** Virtual hardware from which ESXi 8.0 and later choose the cores per socket themselves. */
export const AUTO_TOPOLOGY_HARDWARE = 20;

/** Limits that a VM certainly breaks: beyond both the documented and the reported figure. */
export function certainLimits(hardwareVersion: number): HardwareLimits | undefined {
  const entry = HARDWARE[hardwareVersion];
  if (!entry) return undefined;
  const { documented, reported } = entry;
  return {
    since: documented.since,
    vcpus: Math.max(documented.vcpus, reported?.vcpus ?? 0),
    coresPerSocket: Math.max(documented.coresPerSocket, reported?.coresPerSocket ?? 0),
    memoryGiB: Math.max(documented.memoryGiB, reported?.memoryGiB ?? 0),
  };
}

/** Cores per socket that a VM may be told to use: the lower of the two figures, 64 when the version is not stated. */
export const safeCoresPerSocket = (hardwareVersion: number | undefined): number =>
  HARDWARE[hardwareVersion ?? 0]?.documented.coresPerSocket ?? 64;

/** Whether a release runs a hardware version; `undefined` when the version is not one ESXi ever had. */
export function runs(release: EsxiVersion, hardwareVersion: number): boolean | undefined {
  const entry = HARDWARE[hardwareVersion];
  return entry && atLeast(release, entry.documented.since);
}

/** The newest hardware version that a release runs. */
export const newestHardware = (release: EsxiVersion): number =>
  Math.max(
    ...Object.keys(HARDWARE)
      .map(Number)
      .filter((version) => runs(release, version)),
    4,
  );
