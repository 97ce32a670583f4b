import { known, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { Devices, Disk, OtherController, ScsiType, SettingName, SettingTypes } from "../../model/spec.ts";
import { latency, type Read } from "../values.ts";
import { describe, field, optionMapping, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";
import {
  at,
  type Entry,
  entriesOf,
  get,
  isMapping,
  isNothing,
  itemsOf,
  rangeOf,
  scoped,
  settingOf,
  textOf,
  type Value,
} from "../yaml/tree.ts";
import * as units from "../yaml/units.ts";

/*
 * pulumi-vsphere 4.17: terraform-provider-vsphere's arguments in camel case, blocks in the plural. Its schema has no defaults; those of
 * the provider inside it count (virtual_machine_config_structure.go), for a clone too.
 */
const coresPerSocket: Read<number | "auto"> = (text, range) => {
  const cores = units.natural(text, range);
  return valueIfKnown(cores) === 0 ? unknown("0 cores per socket is automatic only in newer releases of the provider", range) : cores;
};

const FIELDS: Fields = {
  vcpus: field("numCpus", units.count),
  coresPerSocket: field("numCoresPerSocket", coresPerSocket, units.writeCores("mistake")),
  coresPerNumaNode: field("numCoresPerNumaNode", units.natural),
  memoryMiB: field("memory", units.count),
  hardwareVersion: field("hardwareVersion", units.count),
  guestOs: field("guestId", known),
  cpuHotAdd: field("cpuHotAddEnabled", units.bool),
  memoryHotAdd: field("memoryHotAddEnabled", units.bool),
  latencySensitivity: field("latencySensitivity", latency),
  cpuReservationMHz: field("cpuReservation", units.natural),
  cpuLimitMHz: field("cpuLimit", units.limit, units.writeLimit),
  memoryReservationMiB: field("memoryReservation", units.natural),
  memoryLimitMiB: field("memoryLimit", units.limit, units.writeLimit),
};

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

const TYPE = /^vsphere:(?:index:|index\/virtualMachine:)?VirtualMachine$/;

/** VMs of a Pulumi program in YAML. */
export const pulumi: Kind = {
  name: "pulumi",
  sign: /\btype["']?[ \t]*:[ \t]*["']?vsphere:(?:index[:/])?[vV]irtualMachine/,
  read: (program) => {
    const found = entriesOf(get(program, "resources")).filter(({ value }) => TYPE.test(textOf(get(value, "type")) ?? ""));
    return found.length > 0 ? found.map((entry) => readResource(entry, program)) : undefined;
  },
};

function readResource({ value, key, keyRange }: Entry, program: Value): ReadVm {
  const root = scoped(value);
  const base = get(root, "properties");
  const find = (from: Value, path: readonly string[]): Value => resolve(path.reduce(get, from), program);
  const read = describe({
    format: "pulumi",
    root,
    name: get(base, "name"),
    fields: FIELDS,
    base,
    find,
    options: optionMapping(base, "extraConfig"),
    defaults: DEFAULTS,
    more: settled(find, base),
    scsi: scsiOf(find, base),
    devices: () => devicesOf(find, base),
  });
  // The key of a resource is its name, and the first of what belongs to it.
  const span = [keyRange[0], read.span[1]] as const;
  return isNothing(get(base, "name")) ? { ...read, span, vm: { ...read.vm, name: key, range: keyRange } } : { ...read, span };
}

type Find = (from: Value, path: readonly string[]) => Value;

/** A variable of the program, or a configuration value by its default; a resource's output is known when it runs. */
function resolve(value: Value, program: Value): Value {
  const name = /^\$\{([A-Za-z_][\w:-]*)\}$/.exec(textOf(value)?.trim() ?? "")?.[1];
  if (name === undefined) return value;
  const config = [get(get(program, "config"), name), get(get(program, "configuration"), name)].find((entry) => !isNothing(entry));
  const candidates = [at(program, ["variables", name]), ...(config ? [get(config, "default"), get(config, "value"), config] : [])];
  const found = candidates.find((candidate) => !isNothing(candidate) && !isMapping(candidate));
  return found && !textOf(found)?.includes("${") ? { ...found, usedAt: rangeOf(value) } : value;
}

/** "Effective only when memory equals memoryReservation": else the provider sends false. */
function settled(find: Find, base: Value): Partial<{ [K in SettingName]: Setting<SettingTypes[K]> }> {
  const locked = settingOf(find(base, ["memoryReservationLockedToMax"]), units.bool);
  const memory = settingOf(find(base, ["memory"]), units.count);
  const reservation = settingOf(find(base, ["memoryReservation"]), units.natural);
  if (valueIfKnown(locked) !== true || locked.state !== "known") return { memoryReservationLocked: locked };
  if (memory.state === "unknown" || reservation.state === "unknown")
    return { memoryReservationLocked: unknown("the provider locks the memory only where memoryReservation is all of it", locked.range) };
  const isWhole = (valueIfKnown(memory) ?? DEFAULTS.memoryMiB) === (valueIfKnown(reservation) ?? 0);
  return { memoryReservationLocked: known(isWhole, locked.range) };
}

const SCSI: Readonly<Record<string, ScsiType>> = {
  pvscsi: "pvscsi",
  lsilogic: "lsilogic",
  "lsilogic-sas": "lsisas1068",
  buslogic: "buslogic",
};

const MOST_CONTROLLERS = 4;

/** All SCSI controllers of a VM have one type. */
function scsiOf(find: Find, base: Value): readonly Scsi[] {
  const count = countOf(find(base, ["scsiControllerCount"]), 1) ?? 0;
  const value = find(base, ["scsiType"]);
  const range = isMapping(base) ? (entriesOf(base)[0]?.keyRange ?? rangeOf(base)) : rangeOf(base);
  const written = settingOf(value, units.scsiOf(SCSI));
  const type: Setting<ScsiType> = written.state === "absent" ? known("pvscsi", range) : written;
  const spot = written.state === "absent" || count > 1 ? undefined : { value, write: units.writeScsi(SCSI) };
  return Array.from({ length: Math.min(count, MOST_CONTROLLERS) }, (_, bus) => ({
    controller: { id: `scsi${bus}`, bus, type, range },
    spot,
  }));
}

const countOf = (value: Value, fallback: number): number | undefined =>
  isNothing(value) ? fallback : valueIfKnown(settingOf(value, units.natural));

/** How the flat `unitNumber` counts over the controllers of a kind (virtual_machine_disk_subresource.go). */
const UNITS: Readonly<Record<string, number>> = { scsi: 15, sata: 30, ide: 2, nvme: 64 };

function devicesOf(find: Find, base: Value): Devices {
  const disks = itemsOf(find(base, ["disks"])).flatMap((disk): Disk[] => {
    const kind = isNothing(get(disk, "controllerType")) ? "scsi" : (textOf(find(disk, ["controllerType"])) ?? "");
    const number = countOf(find(disk, ["unitNumber"]), 0);
    const size = UNITS[kind];
    if (size === undefined || number === undefined) return [];
    const unit = number % size;
    const controller = `${kind}${Math.floor(number / size)}`;
    // The seventh is the SCSI controller's own.
    return [{ id: `${controller}:${kind === "scsi" && unit >= 7 ? unit + 1 : unit}`, controller, range: rangeOf(disk) }];
  });
  const others = [
    ["ide", 2],
    ["nvme", 0],
    ["sata", 0],
  ] as const;
  const otherControllers = others.flatMap(([kind, fallback]): OtherController[] => {
    const count = Math.min(countOf(find(base, [`${kind}ControllerCount`]), fallback) ?? 0, MOST_CONTROLLERS);
    return Array.from({ length: count }, (_, bus) => ({ kind, bus, range: rangeOf(base) }));
  });
  const nics = itemsOf(find(base, ["networkInterfaces"])).map((nic, index) => {
    const type = settingOf(find(nic, ["adapterType"]), units.lowerCased);
    return { index, type: type.state === "absent" ? known("vmxnet3", rangeOf(nic)) : type };
  });
  return { otherControllers, disks, nics };
}
