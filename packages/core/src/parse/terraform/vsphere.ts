import { ABSENT, known, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type {
  Devices,
  Disk,
  DroppedArgument,
  OtherController,
  PassthroughDevice,
  Provisioning,
  ScsiController,
  ScsiType,
  Settings,
  SettingTypes,
} from "../../model/spec.ts";
import type { SettingReader } from "../hcl/project/reader.ts";
import { lowerCased, oneOf, orDefault, textOf, vmOf, wholeNumber } from "../hcl/project/vm.ts";
import type { Written } from "../hcl/project/written.ts";
import { isSequence } from "../hcl/value.ts";
import type { Read } from "../values.ts";
import * as read from "../values.ts";
import { isAtLeast, type Versions } from "./provider.ts";
import type { ResourceType } from "./resource-type.ts";

/** terraform-provider-vsphere v2.16.1, virtual_machine_config_structure.go. The names are those of its arguments. */
const ARGUMENTS = {
  vcpus: ["num_cpus", read.count],
  coresPerSocket: ["num_cores_per_socket", read.natural],
  coresPerNumaNode: ["num_cores_per_numa_node", read.natural],
  memoryMiB: ["memory", read.count],
  hardwareVersion: ["hardware_version", read.count],
  guestOs: ["guest_id", read.text],
  cpuHotAdd: ["cpu_hot_add_enabled", read.bool],
  memoryHotAdd: ["memory_hot_add_enabled", read.bool],
  latencySensitivity: ["latency_sensitivity", read.latency],
  cpuReservationMHz: ["cpu_reservation", read.natural],
  cpuLimitMHz: ["cpu_limit", read.limit],
  memoryReservationMiB: ["memory_reservation", read.natural],
  memoryReservationLocked: ["memory_reservation_locked_to_max", read.bool],
  memoryLimitMiB: ["memory_limit", read.limit],
} as const;

/** The same file: `Default` of each argument, sent for a clone too. What has none there is left to vCenter. */
const DEFAULTS: Partial<SettingTypes> = {
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

/** From this release on 0 cores per socket is "assigned at power-on"; before, it was not sent (commit c0a3a69b). */
const AUTOMATIC_SINCE = [2, 16, 0] as const;

const coresPerSocket =
  (provider: Versions): Read<number | "auto"> =>
  (text, range) => {
    const cores = read.natural(text, range);
    if (valueIfKnown(cores) !== 0) return cores;
    if (isAtLeast(provider, AUTOMATIC_SINCE)) return known("auto", range);
    return unknown("0 cores per socket is automatic only from version 2.16 of the provider on", range);
  };

const SCSI_TYPES: Readonly<Record<string, ScsiType>> = {
  pvscsi: "pvscsi",
  lsilogic: "lsilogic",
  "lsilogic-sas": "lsisas1068",
  buslogic: "buslogic",
};
export const scsiType = oneOf(SCSI_TYPES, "SCSI controller type");

/** All SCSI controllers of a VM have one type. */
function scsiControllers(written: Written, reader: SettingReader): readonly ScsiController[] {
  const { range } = written;
  const count = wholeNumber(written.get("scsi_controller_count"), 1) ?? 0;
  const type = orDefault<ScsiType>(reader.read(written.get("scsi_type"), scsiType, range), "pvscsi", range);
  return Array.from({ length: Math.min(count, 4) }, (_, bus) => ({ id: `scsi${bus}`, bus, type, range }));
}

/** How the flat `unit_number` counts over the controllers of a kind (virtual_machine_disk_subresource.go). */
const UNITS = { scsi: 15, sata: 30, ide: 2, nvme: 64 } as const;

type Kind = keyof typeof UNITS;
const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(UNITS, text);

/** Where a disk is; `undefined` where that is not known. */
function placeOf(disk: Written): Pick<Disk, "id" | "controller"> | undefined {
  const address = /^(scsi|sata|ide|nvme):(\d+):(\d+)$/.exec(textOf(disk.get("device_address"), "") ?? "");
  // The state has it from vCenter itself.
  if (address) return { id: `${address[1]}${address[2]}:${address[3]}`, controller: `${address[1]}${address[2]}` };
  const kind = textOf(disk.get("controller_type"), "scsi");
  const unitNumber = wholeNumber(disk.get("unit_number"), 0);
  if (!isKind(kind) || unitNumber === undefined) return undefined;
  const bus = Math.floor(unitNumber / UNITS[kind]);
  const unit = unitNumber % UNITS[kind];
  // The seventh is the SCSI controller's own.
  return { id: `${kind}${bus}:${kind === "scsi" && unit >= 7 ? unit + 1 : unit}`, controller: `${kind}${bus}` };
}

/** Thin where nothing is said; zeroed at once only where that is asked for too. */
function provisioningOf(disk: Written, reader: SettingReader): Setting<Provisioning> {
  const thin = orDefault(reader.read(disk.get("thin_provisioned"), read.bool, disk.range), true, disk.range);
  if (thin.state !== "known") return thin;
  if (thin.value) return known("thin", thin.range);
  const eager = orDefault(reader.read(disk.get("eagerly_scrub"), read.bool, disk.range), false, disk.range);
  return eager.state === "known" ? known(eager.value ? "eager" : "lazy", thin.range) : eager;
}

function devices(written: Written, reader: SettingReader): Devices {
  const { range } = written;
  const disks: Disk[] = [];
  const blocks = written.blocks("disk");
  let missing = blocks.missing;
  for (const disk of blocks.items) {
    const place = placeOf(disk);
    if (place) disks.push({ ...place, range: disk.range, provisioning: provisioningOf(disk, reader) });
    else missing ??= "the place of a disk is not known";
  }
  const otherControllers: OtherController[] = [];
  for (const [kind, fallback] of [
    ["ide", 2],
    ["nvme", 0],
    ["sata", 0],
  ] as const) {
    const count = wholeNumber(written.get(`${kind}_controller_count`), fallback);
    if (count === undefined) missing ??= `the number of ${kind} controllers is not known`;
    for (let bus = 0; bus < Math.min(count ?? 0, 4); bus++) otherControllers.push({ kind, bus, range });
  }
  const cards = written.blocks("network_interface");
  const nics = cards.items.map((nic, index) => ({
    index,
    type: orDefault(reader.read(nic.get("adapter_type"), lowerCased, nic.range), "vmxnet3", nic.range),
  }));
  const passthrough = cards.missing === undefined ? passthroughOf(written) : undefined;
  return { otherControllers, disks, nics, ...(passthrough && { passthrough }), ...(missing !== undefined && { missing }) };
}

/** PCI devices of the host; `undefined` where it is not known whether there are any. */
function passthroughOf(written: Written): readonly PassthroughDevice[] | undefined {
  const ids = written.get("pci_device_id");
  if (ids.kind === "null") return [];
  return isSequence(ids) ? ids.items.map((_, at) => ({ id: `pciPassthru${at}`, range: written.range })) : undefined;
}

/** The hardware version from which the provider sends a node size. */
const NODE_SIZE_SINCE = 20;

/** What the provider makes of settings that depend on each other. */
function settle(settings: Partial<Settings>): Partial<Settings> {
  const {
    memoryReservationLocked: locked = ABSENT,
    memoryMiB = ABSENT,
    memoryReservationMiB = ABSENT,
    hardwareVersion = ABSENT,
  } = settings;
  const changed: { memoryReservationLocked?: Setting<boolean>; coresPerNumaNode?: Setting<number> } = {};
  if (valueIfKnown(locked) === true) changed.memoryReservationLocked = lockedIfWhole(locked, memoryMiB, memoryReservationMiB);
  // A node size is dropped below hardware version 20, without a word.
  if ((valueIfKnown(hardwareVersion) ?? NODE_SIZE_SINCE) < NODE_SIZE_SINCE) changed.coresPerNumaNode = ABSENT;
  return changed;
}

/** What the provider leaves out of what it sends, without a word (the same file, expandVirtualMachineConfigSpec). */
function dropped({
  coresPerNumaNode,
  hardwareVersion,
  memoryReservationLocked,
  memoryMiB,
  memoryReservationMiB,
}: Settings): readonly DroppedArgument[] {
  const found: DroppedArgument[] = [];
  const version = valueIfKnown(hardwareVersion);
  if (coresPerNumaNode.state === "known" && version !== undefined && version < NODE_SIZE_SINCE && coresPerNumaNode.value > 0) {
    const { value, range } = coresPerNumaNode;
    found.push({ argument: ARGUMENTS.coresPerNumaNode[0], value: String(value), range, because: { hardwareVersion: version } });
  }
  if (memoryReservationLocked.state !== "known" || !memoryReservationLocked.value) return found;
  const memory = valueOr(memoryMiB, DEFAULTS.memoryMiB);
  const reservation = valueOr(memoryReservationMiB, DEFAULTS.memoryReservationMiB);
  if (memory === undefined || reservation === undefined || memory === reservation) return found;
  const because = { memoryMiB: memory, reservationMiB: reservation };
  found.push({ argument: ARGUMENTS.memoryReservationLocked[0], value: "true", range: memoryReservationLocked.range, because });
  return found;
}

/** `undefined` where it is unknown. */
const valueOr = <T>(setting: Setting<T>, fallback: T | undefined): T | undefined =>
  setting.state === "absent" ? fallback : valueIfKnown(setting);

/** Sent as false unless the reservation is all of the memory. */
function lockedIfWhole(locked: Setting<boolean>, memory: Setting<number>, reservation: Setting<number>): Setting<boolean> {
  if (locked.state !== "known") return locked;
  if (memory.state === "unknown" || reservation.state === "unknown") {
    return unknown("the provider locks the memory only where memory_reservation is all of it", locked.range);
  }
  const whole = (valueIfKnown(memory) ?? 1024) === (valueIfKnown(reservation) ?? 0);
  return known(whole, locked.range);
}

export const vsphereVirtualMachine: ResourceType = {
  provider: "vsphere",
  arguments: ARGUMENTS,
  scsi: { argument: "scsi_type", names: { pvscsi: "pvscsi", lsilogic: "lsilogic", lsisas1068: "lsilogic-sas", buslogic: "buslogic" } },
  automatic: (provider) => (isAtLeast(provider, AUTOMATIC_SINCE) ? "0" : undefined),
  vm(instance, provider) {
    const { written } = instance;
    const table = { ...ARGUMENTS, coresPerSocket: [ARGUMENTS.coresPerSocket[0], coresPerSocket(provider)] as const };
    return vmOf(instance, table, {
      settings: settle,
      defaults: DEFAULTS,
      hasRivals: true,
      dropped,
      extraConfig: written.get("extra_config"),
      scsi: (reader) => scsiControllers(written, reader),
      devices: (reader) => devices(written, reader),
      alias: written.get("name"),
    });
  },
};

const CLASS = {
  vcpus: ["cpus", read.count],
  memoryMiB: ["memory", read.count],
} as const;

/** A VM class of vSphere with Tanzu: its reservations are per cent (resource_vsphere_virtual_machine_class.go). */
export const vsphereVirtualMachineClass: ResourceType = {
  provider: "vsphere",
  arguments: CLASS,
  vm(instance) {
    const { written } = instance;
    const percent = written.get("memory_reservation");
    return vmOf(instance, CLASS, {
      settings({ memoryMiB }, reader) {
        const share = reader.read(percent, read.natural, written.range);
        if (share.state !== "known") return { memoryReservationMiB: share };
        if (memoryMiB.state === "unknown") return { memoryReservationMiB: unknown(memoryMiB.reason, share.range) };
        return memoryMiB.state === "known"
          ? { memoryReservationMiB: known(Math.floor((memoryMiB.value * share.value) / 100), share.range) }
          : {};
      },
      alias: written.get("name"),
    });
  },
};
