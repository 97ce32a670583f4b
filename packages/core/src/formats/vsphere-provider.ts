import { known, type Setting, unknown, valueIfKnown } from "../model/source.ts";
import { TERRAFORM_PROVIDER } from "../model/sources.ts";
import type { BoardTypes, Disk, ScsiType, SettingName, SettingValues } from "../model/spec.ts";
import type { GeneratorRecord } from "./generator.ts";

/*
 * terraform-provider-vsphere v2.16.1, which Terraform runs and Pulumi embeds. Unless another file is named, the source is
 * virtual_machine_config_structure.go.
 */

/** The arguments in Terraform's names. */
export const ARGUMENT_NAMES = {
  vcpus: "num_cpus",
  coresPerSocket: "num_cores_per_socket",
  coresPerNumaNode: "num_cores_per_numa_node",
  memoryMiB: "memory",
  hardwareVersion: "hardware_version",
  guestOs: "guest_id",
  cpuHotAdd: "cpu_hot_add_enabled",
  memoryHotAdd: "memory_hot_add_enabled",
  latencySensitivity: "latency_sensitivity",
  cpuReservationMHz: "cpu_reservation",
  cpuLimitMHz: "cpu_limit",
  memoryReservationMiB: "memory_reservation",
  memoryReservationLocked: "memory_reservation_locked_to_max",
  memoryLimitMiB: "memory_limit",
  cpuShares: "cpu_share_level",
  memoryShares: "memory_share_level",
  mmuVirtualization: "ept_rvi_mode",
  cpuVirtualization: "hv_mode",
} as const satisfies Partial<Record<SettingName, string>>;

/** The same for parts of the mainboard; a TPM is a block. */
export const BOARD_ARGUMENTS: { readonly [K in keyof BoardTypes]?: string } = {
  firmware: "firmware",
  secureBoot: "efi_secure_boot_enabled",
  iommu: "vvtd_enabled",
  nestedVirtualization: "nested_hv_enabled",
  performanceCounters: "cpu_performance_counters_enabled",
  vbs: "vbs_enabled",
};

/** Sent for a clone too. */
export const DEFAULT_FIRMWARE = "bios";

/** Returns the same name in Pulumi. */
export const inCamelCase = (argument: string): string => argument.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * `Default` of each argument, also sent for a clone; vCenter decides the arguments without one. vSphere ignores a key of the extra
 * configuration that is also a field of the request, so it ignores the keys of all these arguments.
 */
export const DEFAULTS: SettingValues = {
  vcpus: 1,
  coresPerSocket: 1,
  memoryMiB: 1024,
  cpuHotAdd: false,
  memoryHotAdd: false,
  latencySensitivity: "normal",
  cpuReservationMHz: 0,
  cpuLimitMHz: "unlimited",
  memoryReservationMiB: 0,
  memoryLimitMiB: "unlimited",
};

/** `virtualMachineHardwareVersionValidRanges`: no release of ESXi has these versions. */
export const PROVIDER: GeneratorRecord = {
  name: "The vSphere provider",
  source: TERRAFORM_PROVIDER,
  refuses: [],
  defaults: DEFAULTS,
  treats: [{ part: "hardwareVersion", does: "refuses", versions: [1, 2, 3, 5, 6, 12, 16] }],
};

/** Names of the types of SCSI controllers. */
export const SCSI_TYPES: Readonly<Record<string, ScsiType>> = {
  pvscsi: "pvscsi",
  lsilogic: "lsilogic",
  "lsilogic-sas": "lsisas1068",
  buslogic: "buslogic",
};

export const DEFAULT_SCSI_TYPE: ScsiType = "pvscsi";

/** Of network cards. */
export const DEFAULT_ADAPTER = "vmxnet3";

/** The default number of controllers of each kind (resource_vsphere_virtual_machine.go). */
export const CONTROLLERS = { scsi: 1, ide: 2, nvme: 0, sata: 0 } as const;

/** A VM has no more controllers of a kind (vSphere, Configuration Maximums). */
export const MOST_CONTROLLERS = 4;

/** The flat unit number of a disk runs over all controllers of a kind (virtual_machine_disk_subresource.go). */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["scsi", 15],
  ["sata", 30],
  ["ide", 2],
  ["nvme", 64],
]);

/** Returns the controller of a disk; `undefined` for an unknown kind. */
export function placeOfUnit(kind: string, unitNumber: number): Pick<Disk, "id" | "controller"> | undefined {
  const size = UNITS.get(kind);
  if (size === undefined) return undefined;
  const controller = `${kind}${Math.floor(unitNumber / size)}`;
  const unit = unitNumber % size;
  // The seventh unit belongs to the SCSI controller.
  return { id: `${controller}:${kind === "scsi" && unit >= 7 ? unit + 1 : unit}`, controller };
}

/**
 * The provider sends a node size from this hardware version on, and silently drops it below (getVirtualNuma). Without a version it refuses
 * it (`RequiredWith`).
 */
const NODE_SIZE_SINCE = 20;

/** Whether a node size is certainly not sent. */
export const dropsNodeSize = (hardwareVersion: Setting<number>): boolean =>
  hardwareVersion.state !== "unknown" && (valueIfKnown(hardwareVersion) ?? 0) < NODE_SIZE_SINCE;

/** Whether memory is locked: sent as false unless the reservation, whose argument is named, is all of the memory (the same function). */
export function lockedIfWhole(
  locked: Setting<boolean>,
  memory: Setting<number>,
  reservation: Setting<number>,
  argument: string,
): Setting<boolean> {
  if (locked.state !== "known" || !locked.value) return locked;
  if (memory.state === "unknown" || reservation.state === "unknown")
    return unknown(`the provider locks the memory only if ${argument} covers all memory`, locked.range);
  const isWhole = (valueIfKnown(memory) ?? DEFAULTS.memoryMiB) === (valueIfKnown(reservation) ?? DEFAULTS.memoryReservationMiB);
  return known(isWhole, locked.range);
}
