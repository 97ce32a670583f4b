import { once, onceFor } from "../../model/memoize.ts";
import type { Problem } from "../../model/problem.ts";
import { ABSENT, known, mistyped, type Range, type Setting, withText } from "../../model/source.ts";
import {
  type Board,
  type BoardTypes,
  type Devices,
  type Directive,
  type DroppedArgument,
  type Hint,
  type IgnoredOption,
  NO_SETTINGS,
  type Platform,
  type ScsiController,
  type SettingName,
  type Settings,
  type SettingValues,
  type VmSpec,
  type WrittenOption,
} from "../../model/spec.ts";
import { isMapping, type Mapping, type Value } from "../../syntax/hcl/value.ts";
import type { Read } from "../../syntax/values.ts";
import * as read from "../../syntax/values.ts";
import { addAffinity, isAdvanced, pinsVcpu } from "../advanced.ts";
import { ignoredOption, PASSED_ON } from "../api-keys.ts";
import { isOption, readBoard } from "../board.ts";
import { checkSettings } from "../check-settings.ts";
import { type GeneratorRecord, treated, treatsBoard } from "../generator.ts";
import { filledIn, leaveOpen } from "../inherited.ts";
import { misnamed } from "../misnamed.ts";
import { VMX_SPELLINGS } from "../vmx/keys.ts";
import type { ReadVm } from "../yaml/kind.ts";
import { namesOf } from "./origins.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import { type Arguments, type SettingReader, settingReader } from "./setting-reader.ts";

/** One instance of a VM's resource. */
export interface VmInstance {
  readonly address: string;
  readonly format: string;
  readonly resourceInstance: ResourceInstance;
  /** The blocks that define it, as ranges of the joined files. */
  readonly ownBlocks: readonly Range[];
  readonly directive: Directive;
  readonly hasUnknownCount?: boolean;
  readonly resource?: string;
  /** Whether it shows an existing VM, so that its options are the lines of the .vmx. */
  readonly exists?: boolean;
}

/** A VM with its editor. */
export interface ReadResource {
  readonly vm: VmSpec;
  readonly reader: SettingReader;
  /** Returns the values to replace for changes, if the settings differ from the values in the text. */
  readonly replacements?: ReadVm["replacements"];
}

/** Settings that a resource type derives beyond the plain arguments. */
interface Parts {
  readonly generator?: GeneratorRecord;
  readonly settings?: (settings: Settings, reader: SettingReader) => Partial<Settings>;
  /** More defaults than the generator has. */
  readonly defaults?: SettingValues;
  /** Settings that come from elsewhere if the resource does not set them, with the reason. */
  readonly inherits?: { readonly names: readonly SettingName[]; readonly reason: string } | undefined;
  /** Options that the API gets in addition to the arguments: a map from key to value, and the name of the list. */
  readonly extraConfig?: Value;
  readonly list?: string;
  readonly scsi?: (reader: SettingReader) => readonly ScsiController[];
  readonly devices?: (reader: SettingReader) => Devices;
  /** The parts of the mainboard with arguments of their own. */
  readonly board?: (reader: SettingReader) => Board;
  /** The arguments of `board`. */
  readonly boardArguments?: { readonly [K in keyof BoardTypes]?: string };
  /** Arguments that are set but not sent. */
  readonly dropped?: (settings: Settings) => readonly DroppedArgument[];
  /** Maps that contain such options, which are already settings of the VM. */
  readonly advanced?: readonly Value[];
  readonly alias?: Value;
  /** The mistakes in its arguments. */
  readonly problems?: readonly Problem[];
  /** The name of the template that it is a clone of. */
  readonly from?: Value | undefined;
  readonly hints?: () => readonly Hint[];
  /** The BIOS UUID, which only a plan or state has. */
  readonly biosUuid?: Value;
  readonly platform?: Platform;
  /** The power state: a boolean or the name of a state; on if missing. */
  readonly power?: Value;
  /** The managed object reference of its host. */
  readonly host?: Value;
  /** A value that refers to its cluster by name, such as its resource pool. */
  readonly cluster?: Value;
}

const argumentsOf = onceFor((table: Arguments) => Object.values(table).map(([argument]) => argument));

const nearIn = ({ written }: ResourceInstance, table: Arguments): readonly Problem[] => misnamed(written?.() ?? [], argumentsOf(table));

const isOff = (power: Value | undefined): boolean =>
  power?.kind === "bool" ? !power.value : power?.kind === "string" && /^(?:false|off|suspended)$/.test(power.value);

const NO_DEVICES: Devices = { otherControllers: [], disks: [], nics: [] };

function settingsIn(table: Arguments, instance: ResourceInstance, reader: SettingReader): Record<SettingName, Setting<unknown>> {
  const settings: Record<SettingName, Setting<unknown>> = { ...NO_SETTINGS };
  for (const name of Object.keys(table) as SettingName[]) {
    const entry = table[name];
    const value = entry && instance.get(entry[0]);
    if (!value || value.kind === "null") continue;
    const setting: Setting<unknown> = reader.read(value, entry[1], instance.range);
    settings[name] = filledIn(name, withText(setting, { key: entry[0] }), entry[1] as Read<unknown>);
  }
  return settings;
}

/** Creates a VM from a resource, by the table of its type. */
export function vmOf(
  { address, format, resourceInstance, ownBlocks, directive, hasUnknownCount, resource, exists = false }: VmInstance,
  table: Arguments,
  parts: Parts,
): ReadResource {
  const reader = settingReader(ownBlocks);
  const names = Object.keys(table) as SettingName[];
  const settings = settingsIn(table, resourceInstance, reader);
  const statedSettings = { ...settings } as unknown as Settings;
  Object.assign(settings, parts.settings?.(statedSettings, reader));
  const { generator, inherits } = parts;
  const defaults = { ...generator?.defaults, ...parts.defaults };
  const argumentOf = (name: SettingName | keyof BoardTypes) =>
    table[name as SettingName]?.[0] ?? parts.boardArguments?.[name as keyof BoardTypes];
  const { range } = resourceInstance;
  const origin = inherits ? "clone" : "new";
  const board = generator && treatsBoard(generator) ? parts.board?.(reader) : {};
  const reason = inherits?.reason ?? "";
  const treatedArguments = generator ? treated(generator, { settings, board, origin, reason, range, argumentOf }) : [];
  const extra = extraSettings(parts.extraConfig, reader, resourceInstance.range, exists ? EVERY_KEY : OPTIONS);
  for (const [name, setting] of Object.entries(extra.settings)) {
    if (settings[name as SettingName] === ABSENT) settings[name as SettingName] = setting;
  }
  const advanced = parts.advanced ? () => joinedAdvanced(parts.advanced ?? [], reader, resourceInstance.range) : extra.advanced;
  const options = [parts.extraConfig, ...(parts.advanced ?? [])].flatMap((value) => (value && isMapping(value) ? value : []));
  if (options.some(pinsVcpus)) addAffinity(settings, advanced());
  if (resourceInstance.keeps) {
    for (const name of names) {
      const kept = resourceInstance.keeps(table[name]?.[0] ?? "");
      if (kept !== undefined) leaveOpen(settings, [name], { reason: kept, range });
    }
  }
  if (inherits) leaveOpen(settings, inherits.names, { reason, range, defaults });
  const dropped = once(() => [...treatedArguments, ...(parts.dropped?.(statedSettings) ?? [])]);
  const ignoredFor: IgnoredFor = (board) => (key, value) => {
    if (parts.list === undefined) return undefined;
    const ignored = ignoredOption(key, (readValue) => reader.read(value, readValue, [0, 0]), {
      list: parts.list,
      argumentOf,
      // The range of a default is that of the resource.
      stated: (name) => ({ ...board, ...statedSettings })[name as SettingName] ?? ABSENT,
      defaults,
    });
    // A dropped argument does not set the field.
    return dropped().some(({ argument }) => argument === ignored?.argument) ? undefined : ignored;
  };
  const scsiControllers = parts.scsi?.(reader) ?? [];
  const checked = checkSettings(settings as unknown as Settings, { scsiControllers, traceTo: reader.traceTo });
  const problems = [...(checked.problems ?? []), ...reader.problems, ...(parts.problems ?? nearIn(resourceInstance, table))];
  const vm: VmSpec = {
    name: address,
    format,
    platform: parts.platform ?? "esxi",
    range: resourceInstance.range,
    // The reader of each setting has the right type, which the compiler loses.
    ...checked,
    ...(problems.length > 0 && { problems }),
    defaults,
    scsiControllers,
    devices: once(() => parts.devices?.(reader) ?? NO_DEVICES),
    ...(parts.board && {
      board: once(() => ({ ...optionBoard(parts.extraConfig, reader, resourceInstance.range), ...parts.board?.(reader) })),
    }),
    advanced,
    directive,
    configured: once(() => ({
      options: options.flatMap((mapping) => optionsIn(mapping, ignoredFor(parts.board?.(reader) ?? {}))),
      dropped: dropped(),
      ...(table.vcpus && { vcpusFrom: namesOf(resourceInstance.get(table.vcpus[0])) }),
    })),
    ...identityOf(parts),
    ...(parts.hints && { hints: parts.hints }),
    ...((hasUnknownCount || parts.power?.kind === "unknown") && { hasUnknownCount: true }),
    ...(isOff(parts.power) && { off: true }),
    ...(resource !== undefined && { resource }),
    traceTo: reader.traceTo,
    ...(generator && { generator }),
  };
  return { vm, reader };
}

/** Returns the names of the VM, its template, its host and its cluster in other files. */
function identityOf(parts: Parts): Pick<VmSpec, "alias" | "clonedFrom" | "uuids" | "runsOn"> {
  const textIn = (value: Value | undefined) => (value?.kind === "string" ? value.value : undefined);
  const alias = textIn(parts.alias);
  const clonedFrom = textIn(parts.from);
  const bios = read.uuid(textIn(parts.biosUuid));
  const host = textIn(parts.host);
  const cluster = parts.cluster?.kind === "unknown" ? parts.cluster.refersTo : undefined;
  return {
    ...(alias !== undefined && { alias }),
    ...(clonedFrom !== undefined && { clonedFrom }),
    ...(bios !== undefined && { uuids: () => ({ bios }) }),
    ...((host || cluster !== undefined) && { runsOn: { ...(host && { id: host }), ...(cluster !== undefined && { cluster }) } }),
  };
}

interface ExtraSettings {
  readonly settings: Partial<Record<SettingName, Setting<unknown>>>;
  readonly advanced: VmSpec["advanced"];
}

const NO_EXTRA: ExtraSettings = { settings: {}, advanced: () => new Map() };
const OPTIONS = new Map(PASSED_ON.map((option) => [option.lower, option]));
const EVERY_KEY: typeof OPTIONS = new Map(VMX_SPELLINGS.map((option) => [option.lower, option]));

/** Returns the settings among ESXi's advanced options; if the options are unknown, so is each of these settings. */
function extraSettings(value: Value | undefined, reader: SettingReader, at: Range, spellings = OPTIONS): ExtraSettings {
  if (!value || value.kind === "null") return NO_EXTRA;
  if (!isMapping(value)) {
    const text = reader.read(value.kind === "unknown" ? value : { ...value }, read.text, at);
    const setting: Setting<never> = text.state === "unknown" ? text : { state: "unknown", reason: "it is not a map", range: at };
    return { settings: Object.fromEntries(PASSED_ON.map(({ name }) => [name, setting])), advanced: () => new Map() };
  }
  const byKey = new Map([...value.entries].map(([key, item]) => [key.toLowerCase(), item]));
  const entries = [...byKey].filter(([key]) => isAdvanced(key) || spellings.has(key));
  const settings: Partial<Record<SettingName, Setting<unknown>>> = {};
  for (const [key, item] of entries) {
    const option = spellings.get(key);
    if (option && item.kind !== "null") settings[option.name] = withText(reader.read(item, option.read, at), { key: option.key });
  }
  return { settings, advanced: () => new Map(entries.map(([key, item]) => [key, reader.read(item, read.text, at)])) };
}

/** Options of a template are rarely set, so a missing one is absent. */
function optionBoard(value: Value | undefined, reader: SettingReader, at: Range): Board {
  if (value && !isMapping(value) && value.kind !== "null") return {};
  const byKey = new Map(value && isMapping(value) ? [...value.entries].map(([key, item]) => [key.toLowerCase(), item]) : []);
  return readBoard(({ key = "", read: readValue }, name) => {
    const item = byKey.get(key.toLowerCase());
    return isOption(name) ? (item ? reader.read(item, readValue, at) : ABSENT) : undefined;
  });
}

const pinsVcpus = ({ entries }: Mapping): boolean => [...entries.keys()].some((key) => pinsVcpu(key.toLowerCase()));

type IgnoredFor = (board: Board) => (key: string, value: Value) => IgnoredOption | undefined;

/** Returns the options in a map. */
const optionsIn = ({ entries, keys, trace }: Mapping, ignoredFor: ReturnType<IgnoredFor>): readonly WrittenOption[] =>
  [...entries].flatMap(([key, value]) => {
    const range = keys.get(key) ?? value.trace[0]?.range ?? trace[0]?.range;
    if (value.kind === "null" || !range) return [];
    const ignored = ignoredFor(key, value);
    return [{ key, range, ...(ignored && { ignored }) }];
  });

const joinedAdvanced = (values: readonly Value[], reader: SettingReader, at: Range): ReadonlyMap<string, Setting<string>> =>
  new Map(values.flatMap((value) => [...extraSettings(value, reader, at).advanced()]));

/** Returns a whole number argument; `undefined` if it is unknown, `fallback` if it is missing. */
export function wholeNumber(value: Value, fallback: number): number | undefined {
  if (value.kind === "null") return fallback;
  const number =
    value.kind === "number" ? value.value : value.kind === "string" && /^\d+$/.test(value.value) ? Number(value.value) : undefined;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Returns a text argument; `undefined` if it is unknown, `fallback` if it is missing. */
export function textOf(value: Value, fallback: string): string | undefined {
  return value.kind === "null" ? fallback : value.kind === "string" ? value.value : undefined;
}

/** Returns a setting, or the value that the provider sets for a missing argument. */
export const orDefault = <T>(setting: Setting<T>, value: T, range: Range): Setting<T> =>
  setting.state === "absent" ? known(value, range) : setting;

/** Returns a reader for a table of names in any case; other names are unknown. */
export const oneOf =
  <T>(values: Readonly<Record<string, T>>): Read<T> =>
  (text, range) => {
    const value = Object.hasOwn(values, text.toLowerCase()) ? values[text.toLowerCase()] : undefined;
    return value === undefined ? mistyped(`one of ${Object.keys(values).join(", ")}`, range) : known(value, range);
  };

export const lowerCased: Read<string> = (text, range) => known(text.toLowerCase(), range);
