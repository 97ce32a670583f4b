import { withinCeilings } from "../../model/ceilings.ts";
import { once } from "../../model/memoize.ts";
import { ABSENT, known, type Range, type Setting, unknown } from "../../model/source.ts";
import {
  type Devices,
  type Disk,
  type Hint,
  NO_SETTINGS,
  type ScsiController,
  type SettingName,
  type Settings,
  type SettingTypes,
  type SettingValues,
  type Uuids,
  type VmSpec,
  type Waypoint,
} from "../../model/spec.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { entriesOf, get, isList, isNothing, itemsOf, rangeOf, settingOf, spanOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { ADVANCED, addAffinity, isAdvanced, optionText, pinsVcpu, spellingsIn } from "../advanced.ts";
import { ALL_SETTINGS, INHERITED, leaveOpen } from "../inherited.ts";
import type { Field, Fields, Options, ReadVm, Spot } from "./kind.ts";

/** What a family's reader found of a VM. */
export interface Described {
  readonly format: string;
  /** All of the VM. */
  readonly root: Value;
  readonly name: Value;
  readonly uuids?: () => Uuids;
  readonly hints?: () => readonly Hint[];
  readonly fields: Fields;
  /** What the fields' paths start from. */
  readonly base: Value;
  /** How a field's value is found; by its path where this is missing. */
  readonly find?: (base: Value, path: readonly string[]) => Value;
  readonly options?: Options | undefined;
  /** What counts where a field and an option say the same; the field where this is missing. */
  readonly both?: (field: Setting<unknown>, option: Setting<unknown>) => Setting<unknown>;
  readonly defaults?: SettingValues;
  /** Whether they are sent in fields of the request: an option of the same setting is then ignored, written or not. */
  readonly sendsDefaults?: boolean;
  /** Why a setting that is not stated is unknown and not absent: another object states it. */
  readonly inherits?: string | undefined;
  /** The same of single settings, of which it is not the whole truth. */
  readonly unsaid?: Partial<Readonly<Record<SettingName, string>>>;
  /** Why any setting that is not stated is unknown: it changes a VM that is there. */
  readonly keeps?: string | undefined;
  /** Why options may be there that are not written. */
  readonly moreOptions?: string | undefined;
  /** Settings that one field does not decide. */
  readonly more?: Partial<{ readonly [K in SettingName]: Setting<SettingTypes[K]> }>;
  /** Settings that another object gives the VM where its own says nothing, and where it names that object. */
  readonly given?: { readonly settings: Settings; readonly at: Range; readonly by: string } | undefined;
  readonly scsi?: readonly ScsiType[];
  /** Whether something else in the text takes the value of a key, which is then not changed. */
  readonly taken?: (key: string) => boolean;
  readonly devices?: () => Devices;
  /** Machines are made after it; it is none itself. */
  readonly template?: boolean;
  readonly off?: boolean;
  readonly uncounted?: boolean;
}

/** A controller, and where its type is written. */
export interface ScsiType {
  readonly controller: ScsiController;
  readonly spot?: Spot | undefined;
}

/** A field at a path of keys. */
export const field = <T>(
  path: string,
  readValue: read.Read<T>,
  write: (value: T) => string | undefined = (value) => String(value),
): Field<T> => ({ path: path.split("."), read: readValue, write });

/** Keys of a .vmx that VMware has fields for and takes as options too. */
const AS_OPTIONS = { cpuHotAdd: ["vcpu.hotadd", read.bool], memoryHotAdd: ["mem.hotadd", read.bool] } as const;
const OPTIONS = spellingsIn({ ...AS_OPTIONS, ...ADVANCED });

const OPTION_NAMES = OPTIONS.map(({ name }) => name);

/** Whether options may be there that are not written: a template in place of all of them, or of a key. */
const areOpen = ({ value, entries }: Options): boolean => isTemplate(textOf(value) ?? "") || entries.some(({ key }) => isTemplate(key));

const NO_DEVICES: Devices = { otherControllers: [], disks: [], nics: [] };

/** Beside those that were found, there may be the ones of what the VM is made from, and those that a template writes or leaves out. */
function devicesOf({ root, keeps, inherits = keeps, devices }: Described): Devices {
  const found = devices?.() ?? NO_DEVICES;
  const { text, branches, inserts } = root.source;
  // Inside of one line a template decides about a value, and about lines where it spans several.
  const isOpen = inserts.length > 0 || branches.some(([from, to]) => text.slice(from, to).includes("\n"));
  if (!isOpen) return inherits === undefined ? found : { missing: inherits, ...found };
  const { passthrough: _, ...listed } = found;
  return { missing: "a template may bring them in", ...listed };
}

/** Settings as a document says them, with where each is written. */
interface StatedSetting {
  readonly settings: Record<SettingName, Setting<unknown>>;
  readonly stated: Map<SettingName, Spot>;
  /** What set a value elsewhere, by the value's range. */
  readonly ways: Map<Range, readonly Waypoint[]>;
  readonly advanced: VmSpec["advanced"];
}

function saidIn(found: Described): StatedSetting {
  const { base, fields, options, more = {}, given } = found;
  const stated = new Map<SettingName, Spot>();
  const settings: Record<SettingName, Setting<unknown>> = { ...NO_SETTINGS };
  const ways = new Map<Range, readonly Waypoint[]>();
  const take = (setting: SettingName, value: Value, readValue: read.Read<unknown>, write: Spot["write"]): void => {
    const state = settingOf(value, readValue);
    if (state.state === "absent") return;
    const option = settings[setting];
    settings[setting] = option.state === "absent" || !found.both ? state : found.both(state, option);
    stated.set(setting, { value, write });
    if (value.setBy) ways.set(rangeOf(value), [value.setBy]);
  };
  const byKey = new Map(options?.entries.map(({ key, value }) => [key.toLowerCase(), value]));
  if (byKey.size > 0) {
    for (const { name: setting, lower, read: readValue } of OPTIONS) {
      const value = found.sendsDefaults && setting in (found.defaults ?? {}) ? undefined : byKey.get(lower);
      if (value) take(setting, value, readValue, (wanted) => optionText(setting, wanted));
    }
  }
  const find = found.find ?? ((from, path) => path.reduce(get, from));
  for (const [setting, { path, read: readValue, write }] of Object.entries(fields) as [SettingName, Field<unknown>][]) {
    take(setting, find(base, path), readValue, write as Spot["write"]);
  }
  for (const [setting, state] of Object.entries(more)) if (state.state !== "absent") settings[setting as SettingName] = state;
  for (const setting of given ? ALL_SETTINGS : []) {
    const state = given?.settings[setting] ?? ABSENT;
    if (!given || settings[setting].state !== "absent" || state.state === "absent") continue;
    // A range of its own, by which its way is found again.
    const range: Range = [...given.at];
    settings[setting] = state.state === "known" ? known(state.value, range) : unknown(state.reason, range);
    ways.set(range, [{ message: given.by, range: state.range }]);
  }
  const advanced = once(
    () => new Map([...byKey].flatMap(([key, value]) => (isAdvanced(key) ? [[key, settingOf(value, read.text)] as const] : []))),
  );
  const [, pinned] = [...byKey].find(([key]) => pinsVcpu(key)) ?? [];
  if (pinned && settings.cpuAffinity.state === "absent") {
    addAffinity(settings, advanced());
    // It is the value of several options.
    stated.set("cpuAffinity", { value: pinned, write: () => undefined });
  }
  return { settings, stated, ways, advanced };
}

/** What is not said is unknown where a template, what the VM is made from, or the VM that is there may say it. */
function leaveUnsaid(settings: StatedSetting["settings"], found: Described, range: Range): void {
  const { root, options, defaults, inherits, keeps } = found;
  if (root.source.inserts.length > 0) leaveOpen(settings, ALL_SETTINGS, { reason: "a template may bring it in", range });
  const moreOptions = options && areOpen(options) ? "a template fills in the options" : found.moreOptions;
  if (moreOptions !== undefined) leaveOpen(settings, OPTION_NAMES, { reason: moreOptions, range });
  if (keeps !== undefined) leaveOpen(settings, ALL_SETTINGS, { reason: keeps, range });
  for (const [name, reason] of Object.entries(found.unsaid ?? {})) leaveOpen(settings, [name as SettingName], { reason, range });
  if (inherits !== undefined) leaveOpen(settings, INHERITED, { reason: inherits, range, defaults });
}

/** Makes a VM of what was found. */
export function describe(found: Described): ReadVm {
  const { root, base, name, fields, options, scsi = [], keeps } = found;
  const range = isNothing(name) ? firstOf(root) : rangeOf(name);
  const { settings, stated, ways, advanced } = saidIn(found);
  leaveUnsaid(settings, found, range);
  for (const { controller, spot } of scsi)
    if (controller.type.state !== "absent" && spot?.value.setBy) ways.set(controller.type.range, [spot.value.setBy]);
  const vm: VmSpec = {
    name: textOf(name) ?? "",
    format: found.format,
    platform: "esxi",
    range,
    // Each was read by the reader of its own name.
    ...withinCeilings(settings as unknown as Settings),
    defaults: found.defaults ?? {},
    scsiControllers: scsi.map(({ controller }) => controller),
    devices: () => devicesOf(found),
    advanced,
    directive: new Map(),
    configured: () => ({ options: (options?.entries ?? []).map(({ key, keyRange: range }) => ({ key, range })), dropped: [] }),
    ...(found.uuids && { uuids: found.uuids }),
    ...(found.hints && { hints: found.hints }),
    ...(ways.size > 0 && { way: (at: Range) => ways.get(at) ?? [] }),
    ...(found.template && { template: true }),
    ...(keeps !== undefined && { changes: true }),
    ...(found.off && { off: true }),
    ...((found.uncounted || root.source.decided) && { uncounted: true }),
  };
  const spots = scsi.flatMap(({ controller: { id }, spot }) => (spot ? [[id, spot] as const] : []));
  return { vm, span: spanOf(root), place: { fields, base, stated, options, scsi: new Map(spots), taken: found.taken } };
}

/** Why there may be other disks than those of a list that have a known place. */
export function missingDisks(list: Value, placed: readonly Disk[]): Pick<Devices, "missing"> {
  if (!isNothing(list) && !isList(list)) return { missing: "the list of disks is not known" };
  return itemsOf(list).length > placed.length ? { missing: "the place of a disk is not known" } : {};
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

/** Where to point in a VM without a name. */
function firstOf(root: Value): Range {
  const [first] = entriesOf(root);
  if (first) return first.keyRange;
  const [start] = rangeOf(root);
  return [start, start];
}
