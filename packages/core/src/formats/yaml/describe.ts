import type { HostReference } from "../../model/inventory-host.ts";
import { grouped } from "../../model/maps.ts";
import { once, onceFor } from "../../model/memoize.ts";
import type { Problem } from "../../model/problem.ts";
import { ABSENT, known, type Range, type Setting, unknown } from "../../model/source.ts";
import {
  type Board,
  type BoardTypes,
  type Devices,
  type Disk,
  type DroppedArgument,
  type Hint,
  type Kubelet,
  NO_SETTINGS,
  type ScsiController,
  type SettingName,
  type Settings,
  type SettingTypes,
  type SettingValues,
  type Uuids,
  type VmSpec,
  type Waypoint,
  type WrittenOption,
} from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { entriesOf, get, isList, isNothing, itemsOf, rangeOf, settingOf, spanOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { addAffinity, isAdvanced, optionText, pinsVcpu } from "../advanced.ts";
import { ignoredOption, PASSED_ON } from "../api-keys.ts";
import { isOption, readBoard } from "../board.ts";
import { checkSettings } from "../check-settings.ts";
import { type GeneratorRecord, leavesOut, type Origin, treated, treatsBoard } from "../generator.ts";
import { ALL_SETTINGS, filledIn, INHERITED, leaveOpen, OF_EVERY_VM } from "../inherited.ts";
import { misnamed } from "../misnamed.ts";
import { VMX_SPELLINGS } from "../vmx/keys.ts";
import type { EditableValue, Field, Fields, Options, ReadVm } from "./kind.ts";

/** The facts that a reader found about a VM. */
export interface VmDescription {
  readonly format: string;
  /** The whole VM. */
  readonly root: Value;
  readonly name: Value;
  /** Returns the policies of the kubelet in the VM. */
  readonly kubelet?: () => Kubelet | undefined;
  readonly uuids?: () => Uuids;
  readonly hints?: () => readonly Hint[];
  readonly runsOn?: HostReference;
  readonly fields: Fields;
  /** The base of the fields' paths. */
  readonly base: Value;
  /** Finds the value of a field; by its path if missing. */
  readonly find?: (base: Value, path: readonly string[]) => Value;
  /** Options that the API gets in addition to the fields. */
  readonly options?: Options | undefined;
  readonly generator?: GeneratorRecord | undefined;
  /** Arguments that the generator treats by more than its record. */
  readonly dropped?: readonly DroppedArgument[];
  /** More defaults than the generator has. */
  readonly defaults?: SettingValues;
  /** Why missing settings are unknown, not absent: another object sets them. */
  readonly inherits?: string | undefined;
  /** The name of the template or image that it inherits from. */
  readonly from?: Value | undefined;
  /** The same for single settings. */
  readonly openSettings?: Partial<Readonly<Record<SettingName, string>>>;
  /** Why the settings of every VM are unknown if they are missing: it changes an existing VM. */
  readonly keeps?: string | undefined;
  /** Why any missing setting is unknown. */
  readonly open?: string | undefined;
  /** Why there may be more options than the text lists. */
  readonly moreOptions?: string | undefined;
  /** Settings that depend on more than one field. */
  readonly extraSettings?: Partial<{ readonly [K in SettingName]: Setting<SettingTypes[K]> }>;
  /** Settings from another object that apply if the VM does not set them, with the place of its reference. */
  readonly inherited?: { readonly settings: Settings; readonly at: Range; readonly by: string } | undefined;
  readonly scsi?: readonly ScsiType[];
  /** Whether another part of the text uses the value of a key, so that a fix must not change it. */
  readonly isReferenced?: (key: string) => boolean;
  readonly devices?: () => Devices;
  /** The paths of parts of the mainboard, and parts that the caller read itself. */
  readonly board?: { readonly [K in keyof BoardTypes]?: string };
  readonly extraBoard?: Board;
  /** Whether the software behind the format adds address space for passthrough devices. */
  readonly addsMmio?: boolean;
  /** Whether it is a template for machines, not a VM itself. */
  readonly template?: boolean;
  readonly isPoweredOff?: boolean;
  readonly hasUnknownCount?: boolean;
}

/** A controller, with the range of its type. */
export interface ScsiType {
  readonly controller: ScsiController;
  readonly spot?: EditableValue | undefined;
}

/** A field at a path of keys. */
export const field = <T>(
  path: string,
  readValue: read.Read<T>,
  write: (value: T) => string | undefined = (value) => String(value),
): Field<T> => ({ path: path.split("."), read: readValue, write });

const OPTION_NAMES = PASSED_ON.map(({ name }) => name);

/** Whether there may be more options, because a template replaces all of them or a key. */
const areOpen = ({ value, entries }: Options): boolean => isTemplate(textOf(value) ?? "") || entries.some(({ key }) => isTemplate(key));

const NO_DEVICES: Devices = { otherControllers: [], disks: [], nics: [] };

/** Besides the listed devices, a VM may have devices of its template, and devices that a template in the text adds or removes. */
function devicesOf({ root, open, keeps = open, inherits = keeps, devices }: VmDescription): Devices {
  const list = devices?.() ?? NO_DEVICES;
  const { text, branches, inserts } = root.source;
  // A template within one line only changes a value; over several lines it may add or remove devices.
  const isOpen = inserts.length > 0 || branches.some(([from, to]) => text.slice(from, to).includes("\n"));
  if (!isOpen) return inherits === undefined ? list : { missing: inherits, ...list };
  const { passthrough: _, ...rest } = list;
  return { missing: "a template may bring them in", ...rest };
}

/** The settings of a document with their ranges. */
interface StatedSetting {
  readonly settings: Record<SettingName, Setting<unknown>>;
  readonly statedValues: Map<SettingName, EditableValue>;
  /** The setting elsewhere that a value comes from, by the range of the value. */
  readonly ways: Map<Range, readonly Waypoint[]>;
  readonly advanced: VmSpec["advanced"];
}

function statedSettings(description: VmDescription): StatedSetting {
  const { base, fields, options, extraSettings = {}, inherited } = description;
  const statedValues = new Map<SettingName, EditableValue>();
  const settings: Record<SettingName, Setting<unknown>> = { ...NO_SETTINGS };
  const ways = new Map<Range, readonly Waypoint[]>();
  const take = (setting: SettingName, key: string, value: Value, readValue: read.Read<unknown>, write: EditableValue["write"]): void => {
    const read = settingOf(value, readValue, key);
    if (read.state === "absent") return;
    // A value from another file is checked by its own program.
    const state = read.state === "unknown" && value.source.text !== description.root.source.text ? unknown(read.reason, read.range) : read;
    settings[setting] = filledIn(setting, state, readValue);
    statedValues.set(setting, { value, write });
    if (value.setBy) ways.set(rangeOf(value), [value.setBy]);
  };
  const byKey = new Map(options?.entries.map(({ key, value }) => [key.toLowerCase(), value]));
  if (byKey.size > 0) {
    for (const { name: setting, key, lower, read: readValue } of options?.takesAll ? VMX_SPELLINGS : PASSED_ON) {
      const value = byKey.get(lower);
      if (value) take(setting, key, value, readValue, (newValue) => optionText(setting, newValue));
    }
  }
  const find = description.find ?? ((from, path) => path.reduce(get, from));
  for (const [setting, { path, read: readValue, write }] of Object.entries(fields) as [SettingName, Field<unknown>][]) {
    take(setting, path.at(-1) ?? setting, find(base, path), readValue, write as EditableValue["write"]);
  }
  for (const [setting, state] of Object.entries(extraSettings)) if (state.state !== "absent") settings[setting as SettingName] = state;
  for (const setting of inherited ? ALL_SETTINGS : []) {
    const state = inherited?.settings[setting] ?? ABSENT;
    if (!inherited || settings[setting].state !== "absent" || state.state === "absent") continue;
    // A new range object, which finds the trace later.
    const range: Range = [...inherited.at];
    settings[setting] = state.state === "known" ? known(state.value, range) : unknown(state.reason, range);
    ways.set(range, [{ message: inherited.by, range: state.range }]);
  }
  const advanced = once(
    () => new Map([...byKey].flatMap(([key, value]) => (isAdvanced(key) ? [[key, settingOf(value, read.text)] as const] : []))),
  );
  const [, pinned] = [...byKey].find(([key]) => pinsVcpu(key)) ?? [];
  if (pinned && settings.cpuAffinity.state === "absent") {
    addAffinity(settings, advanced());
    // The value belongs to several options.
    statedValues.set("cpuAffinity", { value: pinned, write: () => undefined });
  }
  return { settings, statedValues, ways, advanced };
}

/** Makes missing settings unknown if a template, the base of the VM or the existing VM may set them. */
function openUnstated(settings: StatedSetting["settings"], description: VmDescription, range: Range): void {
  const { root, options, inherits, keeps, open } = description;
  const defaults = defaultsOf(description);
  if (root.source.inserts.length > 0) leaveOpen(settings, ALL_SETTINGS, { reason: "a template may bring it in", range });
  const moreOptions = options && areOpen(options) ? "a template fills in the options" : description.moreOptions;
  if (moreOptions !== undefined) leaveOpen(settings, OPTION_NAMES, { reason: moreOptions, range });
  if (keeps !== undefined) leaveOpen(settings, OF_EVERY_VM, { reason: keeps, range });
  if (open !== undefined) leaveOpen(settings, ALL_SETTINGS, { reason: open, range });
  for (const [name, reason] of Object.entries(description.openSettings ?? {}))
    leaveOpen(settings, [name as SettingName], { reason, range });
  if (inherits !== undefined) leaveOpen(settings, INHERITED, { reason: inherits, range, defaults });
}

const defaultsOf = ({ generator, defaults }: VmDescription): SettingValues => ({ ...generator?.defaults, ...defaults });

/** Gives the settings the values that the generator sends. */
function treat(settings: StatedSetting["settings"], description: VmDescription, range: Range): readonly DroppedArgument[] {
  const { generator, keeps, inherits, dropped = [] } = description;
  if (!generator) return dropped;
  const board = treatsBoard(generator) ? boardOf({ ...description, generator: undefined }) : {};
  const origin = originOf(description);
  const reason = keeps ?? inherits ?? "";
  return [...treated(generator, { settings, board, origin, reason, range, argumentOf: argumentIn(description) }), ...dropped];
}

const originOf = ({ keeps, inherits }: VmDescription): Origin =>
  keeps !== undefined ? "existing" : inherits === undefined ? "new" : "clone";

/** Returns the path of the field for a part of a VM. */
const argumentIn =
  ({ fields, board = {} }: VmDescription) =>
  (name: SettingName | keyof BoardTypes): string | undefined =>
    fields[name as SettingName]?.path.join(".") ?? board[name as keyof BoardTypes];

/** A missing field may be inherited; options of templates are rarely set, so a missing one is absent. */
function boardOf(description: VmDescription): Board {
  const { base, options, board = {}, extraBoard, addsMmio, open, keeps = open, moreOptions, generator } = description;
  const find = description.find ?? ((from, path) => path.reduce(get, from));
  const isOpen =
    addsMmio ||
    keeps !== undefined ||
    moreOptions !== undefined ||
    !options ||
    areOpen(options) ||
    description.root.source.inserts.length > 0;
  const found = readBoard(({ key = "", read: readValue }, name) => {
    if (isOption(name)) {
      const option = options?.entries.find((entry) => entry.key.toLowerCase() === key.toLowerCase());
      return option ? settingOf(option.value, readValue) : isOpen ? undefined : ABSENT;
    }
    const path = generator && leavesOut(generator, name, originOf(description)) ? undefined : board[name];
    const setting = path === undefined ? ABSENT : settingOf(find(base, path.split(".")), readValue);
    return setting.state === "absent" ? undefined : setting;
  });
  return { ...found, ...extraBoard };
}

function optionsOf(description: VmDescription): readonly WrittenOption[] {
  const { options, base, fields, extraSettings = {} } = description;
  const defaults = defaultsOf(description);
  const find = description.find ?? ((from, path) => path.reduce(get, from));
  const parts: { readonly [K in keyof BoardTypes]?: Setting<unknown> } = options?.entries.length ? boardOf(description) : {};
  const stated = (name: SettingName | keyof BoardTypes): Setting<unknown> => {
    const field = fields[name as SettingName];
    const own = field && settingOf(find(base, field.path), field.read as read.Read<unknown>);
    return (own?.state === "absent" ? undefined : own) ?? extraSettings[name as SettingName] ?? parts[name as keyof BoardTypes] ?? ABSENT;
  };
  const argumentOf = argumentIn(description);
  return (options?.entries ?? []).map(({ key, keyRange: range, value }) => {
    const ofField = { list: options?.key ?? "", argumentOf, stated, defaults };
    const ignored = options?.takesAll ? undefined : ignoredOption(key, (readValue) => settingOf(value, readValue, key), ofField);
    return { key, range, ...(ignored && { ignored }) };
  });
}

/** The known keys of each mapping of fields. */
const keysOf = onceFor((fields: Fields) => {
  const paths = Object.values(fields).flatMap(({ path }) => path.map((key, at) => ({ parent: path.slice(0, at), key })));
  const levels = [...grouped(paths, ({ parent }) => parent.join("."))].map(([, at]) => at);
  return levels.map((level) => ({ parent: level[0]?.parent ?? [], keys: [...new Set(level.map(({ key }) => key))] }));
});

/** Formats whose keys count as written. Programs in Go read keys of other objects in any case (encoding/json). */
const EXACT: ReadonlySet<string> = new Set(["ansible", "pulumi", "capv"]);

const misnamedIn = ({ format, base, fields }: VmDescription): readonly Problem[] =>
  (EXACT.has(format) ? keysOf(fields) : []).flatMap(({ parent, keys }) => {
    const written = entriesOf(parent.reduce(get, base)).map(({ key, keyRange }) => ({ name: key, range: keyRange }));
    const misplaced = written.flatMap(({ name, range }): readonly Problem[] => {
      const nearest = keys.includes(name) ? undefined : pathsOf(fields).get(name);
      const key = [...parent, name].join(".");
      return nearest ? [{ ruleId: "spec/unknown-key", messageId: "near", data: { key, nearest }, range }] : [];
    });
    return [...misplaced, ...misnamed(written, keys)];
  });

/** The paths of settings by their last key, without keys of one word, which other objects have too. */
const pathsOf = onceFor((fields: Fields): ReadonlyMap<string, string> => {
  const byKey = grouped(
    Object.values(fields).filter(({ path }) => /[_A-Z]/.test(path.at(-1) ?? "")),
    ({ path }) => path.at(-1) ?? "",
  );
  return new Map(
    [...byKey].flatMap(([key, [only, ...others]]) => (only && others.length === 0 ? [[key, only.path.join(".")] as const] : [])),
  );
});

/** Returns the VM of the facts. */
export function describe(description: VmDescription): ReadVm {
  const { root, base, name, fields, options, scsi = [], keeps, generator } = description;
  const range = isNothing(name) ? firstOf(root) : rangeOf(name);
  const { settings, statedValues, ways, advanced } = statedSettings(description);
  const dropped = treat(settings, description, range);
  openUnstated(settings, description, range);
  for (const { controller, spot } of scsi)
    if (controller.type.state !== "absent" && spot?.value.setBy) ways.set(controller.type.range, [spot.value.setBy]);
  const clonedFrom = description.from && textOf(description.from);
  const scsiControllers = scsi.map(({ controller }) => controller);
  const traceTo = (at: Range): readonly Waypoint[] => ways.get(at) ?? [];
  const checked = checkSettings(settings as unknown as Settings, { scsiControllers, traceTo });
  const near = misnamedIn(description);
  const vm: VmSpec = {
    name: textOf(name) ?? "",
    format: description.format,
    platform: "esxi",
    range,
    // The reader of each setting has the right type, which the compiler loses.
    ...checked,
    ...(near.length > 0 && { problems: [...(checked.problems ?? []), ...near] }),
    defaults: defaultsOf(description),
    scsiControllers,
    devices: () => devicesOf(description),
    board: () => boardOf(description),
    advanced,
    directive: new Map(),
    configured: once(() => {
      const kubelet = description.kubelet?.();
      return { options: optionsOf(description), dropped, ...(kubelet && { kubelet }) };
    }),
    ...(generator && { generator }),
    ...(description.uuids && { uuids: description.uuids }),
    ...(description.hints && { hints: description.hints }),
    ...(description.runsOn && { runsOn: description.runsOn }),
    ...(ways.size > 0 && { traceTo }),
    ...(clonedFrom !== undefined && !isTemplate(clonedFrom) && { clonedFrom }),
    ...(description.template && { template: true }),
    ...(keeps !== undefined && { changes: true }),
    ...(description.isPoweredOff && { off: true }),
    ...((description.hasUnknownCount || root.source.decided) && { hasUnknownCount: true }),
  };
  const spots = scsi.flatMap(({ controller: { id }, spot }) => (spot ? [[id, spot] as const] : []));
  return {
    vm,
    span: spanOf(root),
    place: { fields, base, statedValues, options, scsi: new Map(spots), isReferenced: description.isReferenced },
  };
}

/** Returns why a list may have further disks, whose address is unknown. */
export function missingDisks(list: Value, disks: readonly Disk[]): Pick<Devices, "missing"> {
  if (!isNothing(list) && !isList(list)) return { missing: "the list of disks is not known" };
  return itemsOf(list).length > disks.length ? { missing: "the controller or unit of a disk is unknown" } : {};
}

/** Options as a mapping. */
export function optionMapping(parent: Value, key: string): Options {
  const value = get(parent, key);
  return { style: "mapping", key, value, entries: entriesOf(value) };
}

/** Options as a list of mappings with a key and a value. */
export function optionList(
  parent: Value,
  key: string,
  readEntry = (item: Value) => ({ key: get(item, "key"), value: get(item, "value") }),
): Options {
  const value = get(parent, key);
  const entries = itemsOf(value).flatMap((item) => {
    const entry = readEntry(item);
    const name = textOf(entry.key);
    return name === undefined ? [] : [{ key: name, keyRange: rangeOf(entry.key), value: entry.value }];
  });
  return { style: "list", key, value, entries };
}

/** The range for findings in a VM without a name. */
function firstOf(root: Value): Range {
  const [first] = entriesOf(root);
  if (first) return first.keyRange;
  const [start] = rangeOf(root);
  return [start, start];
}
