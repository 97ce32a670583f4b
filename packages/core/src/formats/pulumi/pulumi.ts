import { type FileContext, folderOf, joinPath } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { sequence } from "../../model/sequence.ts";
import { known, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { Board, Devices, Disk, OtherController, ScsiType, SettingName, SettingTypes } from "../../model/spec.ts";
import { latency, type Read, sharing } from "../../syntax/values.ts";
import {
  at,
  type Entry,
  entriesOf,
  get,
  isList,
  isMapping,
  isNothing,
  itemsOf,
  rangeOf,
  readDocuments,
  scoped,
  settingOf,
  textOf,
  type Value,
} from "../../syntax/yaml/tree.ts";
import { ALL_SETTINGS, DISKS_OF_PACKAGE } from "../inherited.ts";
import {
  ARGUMENT_NAMES,
  BOARD_ARGUMENTS,
  CONTROLLERS,
  DEFAULT_ADAPTER,
  DEFAULT_FIRMWARE,
  DEFAULT_SCSI_TYPE,
  dropsNodeSize,
  inCamelCase,
  lockedIfWhole,
  MOST_CONTROLLERS,
  PROVIDER,
  placeOfUnit,
  SCSI_TYPES,
} from "../vsphere-provider.ts";
import { describe, field, missingDisks, optionMapping, type ScsiType as Scsi } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";

/*
 * pulumi-vsphere 4.17: terraform-provider-vsphere's arguments in camel case, blocks in the plural. Its schema has no defaults, so the
 * defaults of the embedded provider apply.
 */
const coresPerSocket: Read<number | "auto"> = (text, range) => {
  const cores = units.natural(text, range);
  return valueIfKnown(cores) === 0 ? unknown("0 cores per socket is automatic only in newer releases of the provider", range) : cores;
};

const argument = <K extends keyof typeof ARGUMENT_NAMES>(
  name: K,
  readValue: Read<SettingTypes[K]>,
  write?: (value: SettingTypes[K]) => string | undefined,
) => field(inCamelCase(ARGUMENT_NAMES[name]), readValue, write);

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

const BOARD = Object.fromEntries(
  Object.entries(BOARD_ARGUMENTS).map(([name, argument]) => [name, inCamelCase(argument)]),
) as typeof BOARD_ARGUMENTS;

/** The default of the firmware is sent; a TPM is a mapping or a list of one. */
function boardOf(find: Find, base: Value, kept: string | undefined): Board {
  const tpm = find(base, ["vtpm"]);
  const range = rangeOf(base);
  return {
    ...(isNothing(find(base, ["firmware"])) && kept === undefined && { firmware: known(DEFAULT_FIRMWARE, range) }),
    ...((isMapping(tpm) || itemsOf(tpm).length > 0) && { tpm: known(true, rangeOf(tpm)) }),
  };
}

/** Fields that the provider does not send do not exist for the VM. */
const { coresPerNumaNode: _, ...WITHOUT_NODE_SIZE } = FIELDS;

const TYPE = /^vsphere:(?:index:|index\/virtualMachine:)?VirtualMachine$/;

/** Reads VMs of a Pulumi program in YAML. */
export const pulumi: Kind = {
  name: "pulumi",
  sign: /\btype["']?[ \t]*:[ \t]*["']?vsphere:(?:index[:/])?[vV]irtualMachine/,
  lack: "no resource in it creates a VM. (A resource with get only reads one; for a stack, use the output of pulumi stack export.)",
  read: (root, _, { context }) => {
    const program: Program = { root, stacks: once(() => stacksOf(root, context)), references: once(() => referencesIn(root.source.text)) };
    const resources = entriesOf(get(root, "resources")).filter(({ value }) => isVm(value));
    return resources.length > 0 ? resources.map((entry) => readResource(entry, program)) : undefined;
  },
};

/** A resource with `get` already exists and is only read (Pulumi YAML reference, resources). */
const isVm = (resource: Value): boolean => TYPE.test(textOf(get(resource, "type")) ?? "") && isNothing(get(resource, "get"));

function readResource({ value, key, keyRange }: Entry, program: Program): ReadVm {
  const root = scoped(value);
  const base = get(root, "properties");
  const find = (from: Value, path: readonly string[]): Value => resolve(path.reduce(get, from), program);
  const isOpen = isExpression(base);
  const isReferenced = (property: string): boolean => program.references().has(`${key}\n${property}`);
  const vm = describe({
    format: "pulumi",
    root,
    name: get(base, "name"),
    fields: dropsNodeSize(settingOf(find(base, ["hardwareVersion"]), units.count)) ? WITHOUT_NODE_SIZE : FIELDS,
    base,
    find: (from, path) => single(find(from, path)),
    options: optionMapping(base, "extraConfig"),
    moreOptions: isExpression(get(base, "extraConfig")) ? COMPUTED : undefined,
    openSettings: isOpen ? Object.fromEntries(ALL_SETTINGS.map((name) => [name, COMPUTED])) : {},
    generator: PROVIDER,
    extraSettings: { ...derivedSettings(find, base), ...ignored(root, base, find) },
    scsi: isOpen ? [] : scsiOf(find, base, isReferenced),
    isReferenced,
    board: BOARD,
    extraBoard: isOpen ? {} : boardOf(find, base, leftAlone(root, "firmware")),
    devices: () =>
      isOpen ? { otherControllers: [], disks: [], nics: [], missing: COMPUTED } : devicesOf(find, base, leftAlone(root, "disks")),
  });
  // The key of a resource is its name and the start of its range.
  const span = [keyRange[0], vm.span[1]] as const;
  return isNothing(get(base, "name")) ? { ...vm, span, vm: { ...vm.vm, name: key, range: keyRange } } : { ...vm, span };
}

/** Returns the resource properties that expressions use, by resource and property: `${a.numCpus}`, `${a["numCpus"]}`. */
const referencesIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(
      text.matchAll(/\$\{\s*([^\s{}.[\]]+)\s*(?:\.\s*(\w+)|\[\s*["'](\w+)["'])/g),
      ([, name, property, quoted]) => `${name}\n${property ?? quoted}`,
    ),
  );

const single = (value: Value): Value => (isList(value) ? { ...value, unsure: "it is a list" } : value);

const COMPUTED = "an expression gives it";

/** Whether a text or a function takes the place of a mapping. */
const isExpression = (value: Value): boolean =>
  isMapping(value) ? entriesOf(value).some(({ key }) => /^fn::/i.test(key)) : !isNothing(value);

/** Returns why a property of an existing VM keeps its value (Pulumi, options/ignorechanges); `undefined` if it gets its default. */
const leftAlone = (root: Value, property: string): string | undefined =>
  itemsOf(at(root, ["options", "ignoreChanges"])).some((item) => textOf(item) === property || textOf(item) === "*")
    ? "ignoreChanges keeps its first value"
    : undefined;

/** Settings that are not set, and whose changes are ignored. */
function ignored(root: Value, base: Value, find: Find): Partial<{ [K in SettingName]: Setting<never> }> {
  const settings: Partial<{ [K in SettingName]: Setting<never> }> = {};
  for (const [name, { path }] of Object.entries(FIELDS) as [SettingName, { readonly path: readonly string[] }][]) {
    const reason = leftAlone(root, path.join("."));
    if (reason !== undefined && isNothing(find(base, path)))
      settings[name] = unknown(reason, rangeOf(at(root, ["options", "ignoreChanges"])));
  }
  return settings;
}

type Find = (from: Value, path: readonly string[]) => Value;

/** A program with its files. */
interface Program {
  readonly root: Value;
  readonly stacks: () => readonly Stack[];
  readonly references: () => ReadonlySet<string>;
}

/** The configuration of one stack; unknown if its file is unreadable. */
interface Stack {
  readonly file: string;
  readonly root: Value | undefined;
}

const PROJECT = /^Pulumi\.ya?ml$/;
const STACK = /^Pulumi\..+\.(?:ya?ml|json)$/;

/**
 * Stack files are next to the project file or in its `stackConfigDir`, formerly `config` (Pulumi, project file reference). `main` may name
 * another program file in or below that folder.
 */
function stacksOf(root: Value, context: FileContext | undefined): readonly Stack[] {
  if (!context) return [];
  const { path, files } = context;
  const programFolder = folderOf(path);
  const readYaml = (folder: string, name: string) => readDocuments(files.read(joinPath(folder, name)) ?? "[");
  const nameIn = (folder: string) => files.list(folder).find((name) => PROJECT.test(name));
  const home = [programFolder, joinPath(programFolder, "..")].find((folder) => nameIn(folder) !== undefined) ?? programFolder;
  const project = readYaml(home, nameIn(home) ?? "")[0]?.root ?? root;
  const folder = joinPath(home, textOf(get(project, "stackConfigDir")) ?? textOf(get(project, "config")) ?? ".");
  const names = files.list(folder).filter((name) => STACK.test(name));
  return names.flatMap((file) => readYaml(folder, file).map(({ root, errors }) => ({ file, root: errors.length > 0 ? undefined : root })));
}

/** Why a configuration value may differ from its default: a stack sets it, or uses an environment that may. */
function setByStack(name: string, value: Value, stacks: readonly Stack[]): string | undefined {
  const bare = (key: string): string => key.slice(key.indexOf(":") + 1);
  const sets = (key: string, other: Value): boolean => bare(key) === bare(name) && textOf(other) !== textOf(value);
  const stack = stacks.find(
    ({ root }) =>
      !root || !isNothing(get(root, "environment")) || entriesOf(get(root, "config")).some(({ key, value }) => sets(key, value)),
  );
  return stack && `${stack.file} may set ${name}`;
}

/** Returns a variable of the program, or the default of a configuration value; outputs of resources are unknown. */
function resolve(value: Value, { root, stacks }: Program): Value {
  const name = /^\$\{([A-Za-z_][\w:-]*)\}$/.exec(textOf(value)?.trim() ?? "")?.[1];
  if (name === undefined) return value;
  const config = [get(get(root, "config"), name), get(get(root, "configuration"), name)].find((entry) => !isNothing(entry));
  const isKnown = (candidate: Value): boolean => !isNothing(candidate) && !isMapping(candidate);
  const variable = at(root, ["variables", name]);
  const fallback = config && [get(config, "default"), get(config, "value"), config].find(isKnown);
  const result = isKnown(variable) ? variable : fallback;
  if (!result || textOf(result)?.includes("${")) return value;
  const byStack = result === fallback ? setByStack(name, result, stacks()) : undefined;
  // An empty default is a place for a value, not a mistake.
  const isEmpty = result === fallback && textOf(result)?.trim() === "";
  const unsure = byStack ?? (isEmpty ? "the default of its variable is empty" : undefined);
  return unsure === undefined ? { ...result, usedAt: rangeOf(value) } : { ...value, unsure };
}

function derivedSettings(find: Find, base: Value): Partial<{ [K in SettingName]: Setting<SettingTypes[K]> }> {
  const locked = settingOf(find(base, ["memoryReservationLockedToMax"]), units.bool);
  const memory = settingOf(find(base, ["memory"]), units.count);
  const reservation = settingOf(find(base, ["memoryReservation"]), units.natural);
  return { memoryReservationLocked: lockedIfWhole(locked, memory, reservation, "memoryReservation") };
}

/** All SCSI controllers of a VM have the same type and bus sharing. */
function scsiOf(find: Find, base: Value, isReferenced: (property: string) => boolean): readonly Scsi[] {
  const count = countOf(find(base, ["scsiControllerCount"]), CONTROLLERS.scsi) ?? 0;
  const value = find(base, ["scsiType"]);
  const range = isMapping(base) ? (entriesOf(base)[0]?.keyRange ?? rangeOf(base)) : rangeOf(base);
  const writtenType = settingOf(value, units.scsiOf(SCSI_TYPES));
  const shared = sharing(settingOf(find(base, ["scsiBusSharing"]), known));
  const type: Setting<ScsiType> = writtenType.state === "absent" ? known(DEFAULT_SCSI_TYPE, range) : writtenType;
  const isOne = writtenType.state !== "absent" && count === 1 && !isReferenced("scsiType");
  const spot = isOne ? { value, write: units.writeScsi(SCSI_TYPES) } : undefined;
  return sequence(Math.min(count, MOST_CONTROLLERS), (bus) => ({
    controller: { id: `scsi${bus}`, bus, type, ...shared, range },
    spot,
  }));
}

const countOf = (value: Value, fallback: number): number | undefined =>
  isNothing(value) ? fallback : valueIfKnown(settingOf(value, units.natural));

function devicesOf(find: Find, base: Value, reason: string | undefined): Devices {
  const list = find(base, ["disks"]);
  const disks = itemsOf(list).flatMap((disk): Disk[] => {
    const kind = isNothing(get(disk, "controllerType")) ? "scsi" : (textOf(find(disk, ["controllerType"])) ?? "");
    const number = countOf(find(disk, ["unitNumber"]), 0);
    const place = number === undefined || !isMapping(disk) ? undefined : placeOfUnit(kind, number);
    return place ? [{ ...place, range: rangeOf(disk) }] : [];
  });
  let { missing = reason } = missingDisks(list, disks);
  if (!isNothing(find(base, ["ovfDeploy"]))) missing ??= DISKS_OF_PACKAGE;
  const otherControllers = (["ide", "nvme", "sata"] as const).flatMap((kind): OtherController[] => {
    const count = countOf(find(base, [`${kind}ControllerCount`]), CONTROLLERS[kind]);
    if (count === undefined) missing ??= `the number of ${kind} controllers is not known`;
    return sequence(Math.min(count ?? 0, MOST_CONTROLLERS), (bus) => ({ kind, bus, range: rangeOf(base) }));
  });
  const nics = itemsOf(find(base, ["networkInterfaces"])).map((nic, index) => {
    const type = settingOf(find(nic, ["adapterType"]), units.lowerCased);
    return { index, type: type.state === "absent" ? known(DEFAULT_ADAPTER, rangeOf(nic)) : type };
  });
  return { otherControllers, disks, nics, ...(missing !== undefined && { missing }) };
}
