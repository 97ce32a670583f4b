import { hostOfText } from "../../hosts/host-of-text.ts";
import type { HostModel } from "../../model/host.ts";
import { getOrInsert } from "../../model/maps.ts";
import { nearest } from "../../model/nearest.ts";
import type { Problem } from "../../model/problem.ts";
import { known, type Located, mistyped, type Range, type Setting, valueIfKnown } from "../../model/source.ts";
import { type Devices, type OtherController, SPEC_SETTINGS } from "../../model/spec.ts";
import { WORKLOAD_FIELD_NAMES } from "../../model/workload.ts";
import * as read from "../../syntax/values.ts";
import {
  entriesOf,
  get,
  isList,
  isMapping,
  isNothing,
  itemsOf,
  rangeOf,
  scoped,
  settingOf,
  textOf,
  type Value,
} from "../../syntax/yaml/tree.ts";
import { WORKLOAD_WORDS, wrongValue } from "../directive.ts";
import { SCSI_TYPES, scsiType } from "../vmx/devices.ts";
import { VMX_KEYS } from "../vmx/keys.ts";
import { describe, field, optionMapping, type ScsiType } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";

export const API_VERSION = "vmlint.dev/v1";

const DEVICES = ["scsiControllers", "otherControllers", "disks", "nics", "passthrough", "advanced"];
const KEYS = {
  top: ["apiVersion", "kind", "metadata", "host", "workload", "spec"],
  list: ["apiVersion", "kind", "items"],
  metadata: ["name", "labels", "annotations"],
  workload: WORKLOAD_FIELD_NAMES,
  spec: [...SPEC_SETTINGS, ...DEVICES],
  scsiControllers: ["bus", "type"],
  otherControllers: ["kind", "bus"],
  disks: ["bus", "provisioning", "ioFilters"],
  nics: ["index", "type"],
  passthrough: ["id"],
};

/** Returns the settings by their own names, with the types of .vmx; lists in brackets. */
const FIELDS = Object.fromEntries(
  SPEC_SETTINGS.map((name) => [
    name,
    field<unknown>(name, (name === "coresPerSocket" ? coresPerSocket : VMX_KEYS[name][1]) as read.Read<unknown>, (value) =>
      Array.isArray(value) ? `[${value.join(", ")}]` : String(value),
    ),
  ]),
) as Fields;

/** Reads one VM, or the VMs of a list; problems go to `report`. */
function readSpecs(root: Value, report: (problem: Problem) => void): readonly ReadVm[] | undefined {
  const version = get(root, "apiVersion");
  if (!textOf(version)?.startsWith("vmlint.dev/")) return undefined;
  if (textOf(version) !== API_VERSION) {
    report(problem("spec/type", "type", { key: "apiVersion", value: textOf(version) ?? "", expected: API_VERSION }, rangeOf(version)));
    return [];
  }
  const kind = get(root, "kind");
  if (textOf(kind) === "VirtualMachineList") return readList(root, report);
  if (textOf(kind) === "VirtualMachine") return [readVm(root, report)];
  const range = isNothing(kind) ? rangeOf(version) : rangeOf(kind);
  report(problem("spec/type", "type", { key: "kind", value: textOf(kind) ?? "", expected: "VirtualMachine or VirtualMachineList" }, range));
  return [];
}

function readList(root: Value, report: (problem: Problem) => void): readonly ReadVm[] {
  checkKeys(root, KEYS.list, "", report);
  const list = get(root, "items");
  if (!isList(list)) checkType("items", list, "a list", report);
  if (isNothing(list) && !root.source.marked)
    report(problem("spec/type", "type", { key: "items", value: "", expected: "a list" }, rangeOf(get(root, "kind"))));
  return itemsOf(list).flatMap((item) => {
    if (isMapping(item)) return readVm(item, report);
    checkType("items[]", item, "a mapping", report);
    return [];
  });
}

function readVm(item: Value, report: (problem: Problem) => void): ReadVm {
  const root = scoped(item);
  const [metadata, workload, spec] = [get(root, "metadata"), get(root, "workload"), get(root, "spec")];
  for (const [value, keys, at] of [
    [root, KEYS.top, ""],
    [metadata, KEYS.metadata, "metadata."],
    [workload, KEYS.workload, "workload."],
    [spec, KEYS.spec, "spec."],
  ] as const) {
    checkKeys(value, keys, at, report);
  }

  const options = { ...optionMapping(spec, "advanced"), takesAll: true } as const;
  if (!isMapping(options.value)) checkType("advanced", options.value, "a mapping", report);
  const devices = readDevices(spec, report);
  const vm = describe({
    format: "vmlint",
    root,
    name: get(metadata, "name"),
    fields: FIELDS,
    base: spec,
    options,
    scsi: readScsi(spec, report),
    devices: () => devices,
  });
  const directive = readDirective(root, report);
  const named = directive.get("host")?.value;
  const host = named === undefined ? undefined : described(named);
  return { ...vm, vm: { ...vm.vm, directive, ...(host !== undefined && { host }) } };
}

/** `auto`: chosen by ESXi at power-on. */
function coresPerSocket(text: string, range: Range): Setting<number | "auto"> {
  if (text.toLowerCase() === "auto") return known("auto", range);
  const cores = read.count(text, range);
  return cores.state === "known" ? cores : mistyped("a positive whole number, or auto", range);
}

function checkKeys(value: Value, keys: readonly string[], at: string, report: (problem: Problem) => void): void {
  if (!isMapping(value)) checkType(at.slice(0, -1) || "the document", value, "a mapping", report);
  // A value that overrides a mapping of `<<` is checked once.
  const keysByNode = new Map<object, Set<string>>();
  for (const { of, key, keyRange } of entriesOf(value)) {
    const before = getOrInsert(keysByNode, of, () => new Set());
    if (!keys.includes(key))
      report(problem("spec/unknown-key", "unknown", { key: `${at}${key}`, nearest: nearest(key, keys) ?? null }, keyRange));
    else if (before.has(key)) report(problem("spec/unknown-key", "twice", { key: `${at}${key}` }, keyRange));
    before.add(key);
  }
}

/** Reports a value of the wrong type, unless a template may still change it. */
function checkType(key: string, value: Value, expected: string, report: (problem: Problem) => void): void {
  const setting = settingOf(value, (_, range) => mistyped(expected, range));
  if (setting.state === "unknown" && setting.expected !== undefined) report(mistake(key, value, expected));
}

/** Reads a list of devices, each a mapping with known keys. */
function devicesIn(spec: Value, key: keyof typeof KEYS, report: (problem: Problem) => void): readonly Device[] {
  const list = get(spec, key);
  const items = itemsOf(list);
  if (items.length === 0 && !isList(list)) checkType(key, list, "a list", report);
  return items.map((item) => {
    checkKeys(item, KEYS[key], `${key}[].`, report);
    const readKey = <T>(name: string, reader: read.Read<T>): Setting<T> => {
      const value = get(item, name);
      const setting = settingOf(value, reader);
      if (setting.state === "unknown" && setting.expected !== undefined) report(mistake(`${key}[].${name}`, value, setting.expected));
      return setting;
    };
    const required: Device["required"] = (name, reader, expected) => {
      const setting = readKey(name, reader);
      if (setting.state === "absent" && isMapping(item)) report(mistake(`${key}[].${name}`, item, expected));
      return valueIfKnown(setting);
    };
    return { item, read: readKey, required };
  });
}

/** An item of a list; its problems are reported during reading. */
interface Device {
  readonly item: Value;
  readonly read: <T>(name: string, reader: read.Read<T>) => Setting<T>;
  /** Returns the value of a required key; `undefined` if it is unknown. */
  readonly required: <T>(name: string, reader: read.Read<T>, expected: string) => T | undefined;
}

const BUS = "a whole number of 0 or more";

const controllerType: typeof scsiType = (text, range) => {
  const type = scsiType(text, range);
  return type.state === "unknown" ? mistyped(`one of ${Object.keys(SCSI_TYPES).join(", ")}`, range) : type;
};

function readScsi(spec: Value, report: (problem: Problem) => void): readonly ScsiType[] {
  return devicesIn(spec, "scsiControllers", report).flatMap(({ item, required }): ScsiType[] => {
    const bus = required("bus", read.natural, BUS);
    const type = settingOf(get(item, "type"), controllerType, "scsiControllers[].type");
    const spot = type.state === "absent" ? undefined : { value: get(item, "type"), write: String };
    return bus === undefined ? [] : [{ controller: { id: `scsi${bus}`, bus, type, range: rangeOf(item) }, spot }];
  });
}

const KIND = read.oneOf("nvme", "sata", "ide");

function readDevices(spec: Value, report: (problem: Problem) => void): Devices {
  return {
    otherControllers: devicesIn(spec, "otherControllers", report).flatMap(({ item, required }): OtherController[] => {
      const kind = required("kind", KIND, "one of nvme, sata, ide");
      const bus = required("bus", read.natural, BUS);
      return bus === undefined || kind === undefined ? [] : [{ kind, bus, range: rangeOf(item) }];
    }),
    disks: devicesIn(spec, "disks", report).flatMap(({ item, read: readKey, required }) => {
      const id = required("bus", read.text, "a disk address such as scsi0:0");
      const ioFilters = itemsOf(get(item, "ioFilters")).flatMap((filter) => textOf(filter) ?? []);
      const provisioningText = readKey("provisioning", provisioning);
      return id === undefined
        ? []
        : [{ id, controller: id.split(":")[0] ?? "", range: rangeOf(item), provisioning: provisioningText, ioFilters }];
    }),
    nics: devicesIn(spec, "nics", report).map(({ read: readKey }, i) => ({
      index: valueIfKnown(readKey("index", read.natural)) ?? i,
      type: readKey("type", lowerCased),
    })),
    passthrough: devicesIn(spec, "passthrough", report).map(({ item }, i) => ({
      id: textOf(get(item, "id")) ?? `passthrough ${i + 1}`,
      range: rangeOf(item),
    })),
  };
}

const provisioning = read.oneOf("thin", "lazy", "eager");

const lowerCased: read.Read<string> = (text, range) => ({ state: "known", value: text.toLowerCase(), range });

/** Returns the host that a text describes by itself, or what is wrong with it. */
function described(text: string): HostModel | string | undefined {
  try {
    return hostOfText(text)?.host;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Host and workload, as in a `# vmlint:` comment. */
function readDirective(root: Value, report: (problem: Problem) => void): ReadonlyMap<string, Located<string>> {
  const workload = get(root, "workload");
  const words: readonly (readonly [word: string, value: Value])[] = [
    ["host", get(root, "host")],
    ...[...WORKLOAD_WORDS].map(
      ([word, field]) => [word, isMapping(workload) || field !== "kind" ? get(workload, field) : workload] as const,
    ),
  ];
  return new Map(
    words.flatMap(([word, value]): [string, Located<string>][] => {
      const directiveValue = valueIfKnown(settingOf(value, read.text));
      if (directiveValue === undefined) return [];
      const allowed = wrongValue(word, directiveValue);
      if (!allowed) return [[word, { value: word === "host" ? directiveValue : directiveValue.toLowerCase(), range: rangeOf(value) }]];
      report(problem("spec/directive", "value", { word, value: directiveValue, allowed }, rangeOf(value)));
      return [];
    }),
  );
}

/** The kind of document that vmlint itself defines. */
export const spec: Kind = { name: "vmlint", sign: /^[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?vmlint\.dev\//m, read: readSpecs };

const mistake = (key: string, value: Value, expected: string): Problem =>
  problem("spec/type", "type", { key, value: value.source.text.slice(...rangeOf(value)), expected }, rangeOf(value));

const problem = (ruleId: string, messageId: string, data: Problem["data"], range: Range): Problem => ({ ruleId, messageId, data, range });
