import { nearest } from "../../model/nearest.ts";
import type { Problem } from "../../model/parsed.ts";
import { type Located, type Range, type Setting, valueIfKnown } from "../../model/source.ts";
import type { Devices, OtherController, SettingName } from "../../model/spec.ts";
import { WORKLOAD_FIELD_NAMES } from "../../model/workload.ts";
import { WORKLOAD_WORDS, wrongValue } from "../directive.ts";
import * as read from "../values.ts";
import { SCSI_TYPES, scsiType } from "../vmx/devices.ts";
import { VMX_KEYS } from "../vmx/keys.ts";
import { describe, field, optionMapping, type ScsiType } from "./describe.ts";
import type { Fields, Kind, ReadVm } from "./kind.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, rangeOf, scoped, settingOf, textOf, type Value } from "./tree.ts";

export const API_VERSION = "vmlint.dev/v1";

/** The settings a spec names directly: the words of `vmlint topology --format json`. All others are under `advanced`. */
export const SPEC_SETTINGS = [
  "vcpus",
  "coresPerSocket",
  "coresPerNumaNode",
  "threadsPerCore",
  "memoryMiB",
  "hardwareVersion",
  "guestOs",
  "cpuHotAdd",
  "memoryHotAdd",
  "latencySensitivity",
  "cpuAffinity",
  "numaNodeAffinity",
  "cpuReservationMHz",
  "cpuLimitMHz",
  "memoryReservationMiB",
  "memoryReservationLocked",
] as const satisfies readonly SettingName[];

const DEVICES = ["scsiControllers", "otherControllers", "disks", "nics", "passthrough", "advanced"];
const KEYS = {
  top: ["apiVersion", "kind", "metadata", "host", "workload", "spec"],
  metadata: ["name", "labels", "annotations"],
  workload: WORKLOAD_FIELD_NAMES,
  spec: [...SPEC_SETTINGS, ...DEVICES],
};

/** The settings by their own names, as .vmx types them; lists in brackets. */
const FIELDS = Object.fromEntries(
  SPEC_SETTINGS.map((name) => [
    name,
    field<unknown>(name, (name === "coresPerSocket" ? coresPerSocket : VMX_KEYS[name][1]) as read.Read<unknown>, (value) =>
      Array.isArray(value) ? `[${value.join(", ")}]` : String(value),
    ),
  ]),
) as Fields;

/** One VM, or the VMs of a list; what is wrong with them goes to `report`. */
function readSpecs(root: Value, report: (problem: Problem) => void): readonly ReadVm[] | undefined {
  const version = get(root, "apiVersion");
  if (!textOf(version)?.startsWith("vmlint.dev/")) return undefined;
  if (textOf(version) !== API_VERSION) {
    report(problem("spec/type", "type", { key: "apiVersion", value: textOf(version) ?? "", expected: API_VERSION }, rangeOf(version)));
    return [];
  }
  const kind = get(root, "kind");
  if (textOf(kind) === "VirtualMachineList")
    return itemsOf(get(root, "items"))
      .filter(isMapping)
      .map((item) => readVm(item, report));
  if (textOf(kind) === "VirtualMachine") return [readVm(root, report)];
  const where = isNothing(kind) ? rangeOf(version) : rangeOf(kind);
  report(problem("spec/type", "type", { key: "kind", value: textOf(kind) ?? "", expected: "VirtualMachine or VirtualMachineList" }, where));
  return [];
}

function readVm(written: Value, report: (problem: Problem) => void): ReadVm {
  const root = scoped(written);
  const [metadata, workload, spec] = [get(root, "metadata"), get(root, "workload"), get(root, "spec")];
  for (const [value, keys, at] of [
    [root, KEYS.top, ""],
    [metadata, KEYS.metadata, "metadata."],
    [workload, KEYS.workload, "workload."],
    [spec, KEYS.spec, "spec."],
  ] as const) {
    checkKeys(value, keys, at, report);
  }

  const options = optionMapping(spec, "advanced");
  const found = describe({
    format: "vmlint",
    root,
    name: get(metadata, "name"),
    fields: FIELDS,
    base: spec,
    options,
    scsi: readScsi(get(spec, "scsiControllers"), report),
    devices: () => readDevices(spec),
  });
  for (const [name, { value }] of found.place.stated) {
    const setting = found.vm.settings[name];
    const key = options.entries.find((entry) => entry.value.node === value.node)?.key ?? name;
    if (setting.state === "unknown" && setting.expected !== undefined) report(mistake(key, value, setting.expected));
  }
  return { ...found, vm: { ...found.vm, directive: readDirective(root, report) } };
}

/** `auto`: chosen by ESXi at power-on. */
function coresPerSocket(text: string, range: Range): Setting<number | "auto"> {
  return text.toLowerCase() === "auto" ? { state: "known", value: "auto", range } : read.count(text, range);
}

function checkKeys(value: Value, keys: readonly string[], at: string, report: (problem: Problem) => void): void {
  if (!isNothing(value) && !isMapping(value)) report(mistake(at.slice(0, -1) || "the document", value, "a mapping"));
  const seen = new Set<string>();
  for (const { key, keyRange } of entriesOf(value)) {
    if (!keys.includes(key))
      report(problem("spec/unknown-key", "unknown", { key: `${at}${key}`, nearest: nearest(key, keys) ?? null }, keyRange));
    else if (seen.has(key)) report(problem("spec/unknown-key", "twice", { key: `${at}${key}` }, keyRange));
    seen.add(key);
  }
}

function readScsi(list: Value, report: (problem: Problem) => void): readonly ScsiType[] {
  return itemsOf(list).flatMap((item): ScsiType[] => {
    const bus = valueIfKnown(settingOf(get(item, "bus"), read.natural));
    const type = settingOf(get(item, "type"), scsiType);
    if (bus === undefined) report(mistake("scsiControllers[].bus", item, "a whole number of 0 or more"));
    if (type.state === "unknown" && !isNothing(get(item, "type"))) {
      report(mistake("scsiControllers[].type", get(item, "type"), `one of ${Object.keys(SCSI_TYPES).join(", ")}`));
    }
    const spot = type.state === "absent" ? undefined : { value: get(item, "type"), write: String };
    return bus === undefined ? [] : [{ controller: { id: `scsi${bus}`, bus, type, range: rangeOf(item) }, spot }];
  });
}

function readDevices(spec: Value): Devices {
  const number = (item: Value, key: string): number | undefined => valueIfKnown(settingOf(get(item, key), read.natural));
  return {
    otherControllers: itemsOf(get(spec, "otherControllers")).flatMap((item): OtherController[] => {
      const kind = textOf(get(item, "kind"));
      const bus = number(item, "bus");
      return bus !== undefined && (kind === "nvme" || kind === "sata" || kind === "ide") ? [{ kind, bus, range: rangeOf(item) }] : [];
    }),
    disks: itemsOf(get(spec, "disks")).flatMap((item) => {
      const id = textOf(get(item, "bus"));
      if (id === undefined) return [];
      const ioFilters = itemsOf(get(item, "ioFilters")).flatMap((filter) => textOf(filter) ?? []);
      const written = settingOf(get(item, "provisioning"), provisioning);
      return [{ id, controller: id.split(":")[0] ?? "", range: rangeOf(item), provisioning: written, ioFilters }];
    }),
    nics: itemsOf(get(spec, "nics")).map((item, i) => ({
      index: number(item, "index") ?? i,
      type: settingOf(get(item, "type"), lowerCased),
    })),
    passthrough: itemsOf(get(spec, "passthrough")).map((item, i) => ({
      id: textOf(get(item, "id")) ?? `passthrough ${i + 1}`,
      range: rangeOf(item),
    })),
  };
}

const provisioning = read.oneOf("thin", "lazy", "eager");

const lowerCased: read.Read<string> = (text, range) => ({ state: "known", value: text.toLowerCase(), range });

/** Host and workload, as a `# vmlint:` comment would name them. */
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
      const said = valueIfKnown(settingOf(value, read.text));
      if (said === undefined) return [];
      const allowed = wrongValue(word, said);
      if (!allowed) return [[word, { value: word === "host" ? said : said.toLowerCase(), range: rangeOf(value) }]];
      report(problem("spec/directive", "value", { word, value: said, allowed }, rangeOf(value)));
      return [];
    }),
  );
}

/** vmlint's own kind of document. */
export const spec: Kind = { name: "vmlint", sign: /^[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?vmlint\.dev\//m, read: readSpecs };

const mistake = (key: string, value: Value, expected: string): Problem =>
  problem("spec/type", "type", { key, value: value.source.text.slice(...rangeOf(value)), expected }, rangeOf(value));

const problem = (ruleId: string, messageId: string, data: Problem["data"], range: Range): Problem => ({ ruleId, messageId, data, range });
