import { known, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { Devices, Disk, OtherController, ScsiType, SettingName, SettingTypes } from "../../model/spec.ts";
import { DISKS_OF_PACKAGE } from "../inherited.ts";
import { latency, type Read, sharing } from "../values.ts";
import {
  ARGUMENT_NAMES,
  CONTROLLERS,
  DEFAULT_ADAPTER,
  DEFAULT_SCSI_TYPE,
  DEFAULTS,
  dropsNodeSize,
  inCamelCase,
  lockedIfWhole,
  MOST_CONTROLLERS,
  placeOfUnit,
  SCSI_TYPES,
} from "../vsphere-provider.ts";
import { describe, field, missingDisks, optionMapping, type ScsiType as Scsi } from "../yaml/describe.ts";
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
 * the provider inside it count.
 */
const coresPerSocket: Read<number | "auto"> = (text, range) => {
  const cores = units.natural(text, range);
  return valueIfKnown(cores) === 0 ? unknown("0 cores per socket is automatic only in newer releases of the provider", range) : cores;
};

const argument = <K extends keyof typeof ARGUMENT_NAMES>(
  name: K,
  read: Read<SettingTypes[K]>,
  write?: (value: SettingTypes[K]) => string | undefined,
) => field(inCamelCase(ARGUMENT_NAMES[name]), read, write);

const FIELDS: Fields = {
  vcpus: argument("vcpus", units.count),
  coresPerSocket: argument("coresPerSocket", coresPerSocket, units.writeCores("mistake")),
  coresPerNumaNode: argument("coresPerNumaNode", units.natural),
  memoryMiB: argument("memoryMiB", units.count),
  hardwareVersion: argument("hardwareVersion", units.count),
  guestOs: argument("guestOs", known),
  cpuHotAdd: argument("cpuHotAdd", units.bool),
  memoryHotAdd: argument("memoryHotAdd", units.bool),
  latencySensitivity: argument("latencySensitivity", latency),
  cpuReservationMHz: argument("cpuReservationMHz", units.natural),
  cpuLimitMHz: argument("cpuLimitMHz", units.limit, units.writeLimit),
  memoryReservationMiB: argument("memoryReservationMiB", units.natural),
  memoryLimitMiB: argument("memoryLimitMiB", units.limit, units.writeLimit),
};

/** What is not sent is no field of the VM. */
const { coresPerNumaNode: _, ...WITHOUT_NODE_SIZE } = FIELDS;

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
    fields: dropsNodeSize(settingOf(find(base, ["hardwareVersion"]), units.count)) ? WITHOUT_NODE_SIZE : FIELDS,
    base,
    find,
    options: optionMapping(base, "extraConfig"),
    defaults: DEFAULTS,
    sendsDefaults: true,
    more: { ...settled(find, base), ...ignored(root, base, find) },
    scsi: scsiOf(find, base),
    devices: () => devicesOf(find, base, leftAlone(root, "disks")),
  });
  // The key of a resource is its name, and the first of what belongs to it.
  const span = [keyRange[0], read.span[1]] as const;
  return isNothing(get(base, "name")) ? { ...read, span, vm: { ...read.vm, name: key, range: keyRange } } : { ...read, span };
}

/** Why a property is not brought back to its default once the VM is made (Pulumi, options/ignorechanges); `undefined` where it is. */
const leftAlone = (root: Value, property: string): string | undefined =>
  itemsOf(at(root, ["options", "ignoreChanges"])).some((item) => textOf(item) === property || textOf(item) === "*")
    ? "ignoreChanges leaves it what it was made to be"
    : undefined;

/** Settings that are not written, and whose changes are ignored. */
function ignored(root: Value, base: Value, find: Find): Partial<{ [K in SettingName]: Setting<never> }> {
  const found: Partial<{ [K in SettingName]: Setting<never> }> = {};
  for (const [name, { path }] of Object.entries(FIELDS) as [SettingName, { readonly path: readonly string[] }][]) {
    const reason = leftAlone(root, path.join("."));
    if (reason !== undefined && isNothing(find(base, path))) found[name] = unknown(reason, rangeOf(at(root, ["options", "ignoreChanges"])));
  }
  return found;
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

function settled(find: Find, base: Value): Partial<{ [K in SettingName]: Setting<SettingTypes[K]> }> {
  const locked = settingOf(find(base, ["memoryReservationLockedToMax"]), units.bool);
  const memory = settingOf(find(base, ["memory"]), units.count);
  const reservation = settingOf(find(base, ["memoryReservation"]), units.natural);
  return { memoryReservationLocked: lockedIfWhole(locked, memory, reservation, "memoryReservation") };
}

/** All SCSI controllers of a VM have one type, and share their buses or not. */
function scsiOf(find: Find, base: Value): readonly Scsi[] {
  const count = countOf(find(base, ["scsiControllerCount"]), CONTROLLERS.scsi) ?? 0;
  const value = find(base, ["scsiType"]);
  const range = isMapping(base) ? (entriesOf(base)[0]?.keyRange ?? rangeOf(base)) : rangeOf(base);
  const written = settingOf(value, units.scsiOf(SCSI_TYPES));
  const shared = sharing(settingOf(find(base, ["scsiBusSharing"]), known));
  const type: Setting<ScsiType> = written.state === "absent" ? known(DEFAULT_SCSI_TYPE, range) : written;
  const spot = written.state === "absent" || count > 1 ? undefined : { value, write: units.writeScsi(SCSI_TYPES) };
  return Array.from({ length: Math.min(count, MOST_CONTROLLERS) }, (_, bus) => ({
    controller: { id: `scsi${bus}`, bus, type, ...shared, range },
    spot,
  }));
}

const countOf = (value: Value, fallback: number): number | undefined =>
  isNothing(value) ? fallback : valueIfKnown(settingOf(value, units.natural));

function devicesOf(find: Find, base: Value, kept: string | undefined): Devices {
  const list = find(base, ["disks"]);
  const disks = itemsOf(list).flatMap((disk): Disk[] => {
    const kind = isNothing(get(disk, "controllerType")) ? "scsi" : (textOf(find(disk, ["controllerType"])) ?? "");
    const number = countOf(find(disk, ["unitNumber"]), 0);
    const place = number === undefined || !isMapping(disk) ? undefined : placeOfUnit(kind, number);
    return place ? [{ ...place, range: rangeOf(disk) }] : [];
  });
  let { missing = kept } = missingDisks(list, disks);
  if (!isNothing(find(base, ["ovfDeploy"]))) missing ??= DISKS_OF_PACKAGE;
  const otherControllers = (["ide", "nvme", "sata"] as const).flatMap((kind): OtherController[] => {
    const count = countOf(find(base, [`${kind}ControllerCount`]), CONTROLLERS[kind]);
    if (count === undefined) missing ??= `the number of ${kind} controllers is not known`;
    return Array.from({ length: Math.min(count ?? 0, MOST_CONTROLLERS) }, (_, bus) => ({ kind, bus, range: rangeOf(base) }));
  });
  const nics = itemsOf(find(base, ["networkInterfaces"])).map((nic, index) => {
    const type = settingOf(find(nic, ["adapterType"]), units.lowerCased);
    return { index, type: type.state === "absent" ? known(DEFAULT_ADAPTER, rangeOf(nic)) : type };
  });
  return { otherControllers, disks, nics, ...(missing !== undefined && { missing }) };
}
