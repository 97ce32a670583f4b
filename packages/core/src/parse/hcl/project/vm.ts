import { once } from "../../../model/once.ts";
import { ABSENT, known, type Range, type Setting } from "../../../model/source.ts";
import {
  type Devices,
  type Directive,
  NO_SETTINGS,
  type Platform,
  type ScsiController,
  type SettingName,
  type Settings,
  type SettingTypes,
  type VmSpec,
} from "../../../model/spec.ts";
import { ADVANCED, isAdvanced } from "../../advanced.ts";
import type { Read } from "../../values.ts";
import * as read from "../../values.ts";
import { isMapping, type Value } from "../value.ts";
import { type Arguments, type SettingReader, settingReader } from "./reader.ts";
import type { Written } from "./written.ts";

/** One VM as it is written. */
export interface Instanced {
  readonly address: string;
  readonly format: string;
  readonly written: Written;
  /** The blocks that write it, in the row of all files. */
  readonly own: readonly Range[];
  readonly directive: Directive;
}

/** A VM and how its values are edited. */
export interface ReadResource {
  readonly vm: VmSpec;
  readonly reader: SettingReader;
}

/** What a resource type adds to the arguments that are settings as they are. */
interface Parts {
  readonly settings?: (settings: Settings, reader: SettingReader) => Partial<Settings>;
  readonly defaults?: Partial<SettingTypes>;
  /** ESXi advanced options: a map from key to value. */
  readonly extraConfig?: Value;
  readonly scsi?: (reader: SettingReader) => readonly ScsiController[];
  readonly devices?: (reader: SettingReader) => Devices;
  /** Maps with such options among their keys, which are settings of the VM already. */
  readonly advanced?: readonly Value[];
  readonly alias?: Value;
  readonly platform?: Platform;
}

const NO_DEVICES: Devices = { otherControllers: [], disks: [], nics: [] };

/** Makes a VM of a resource, by the table of its type. */
export function vmOf({ address, format, written, own, directive }: Instanced, table: Arguments, parts: Parts): ReadResource {
  const reader = settingReader(own);
  const settings: Record<SettingName, Setting<unknown>> = { ...NO_SETTINGS };
  for (const [name, entry] of Object.entries(table)) {
    const [argument, readValue] = entry as readonly [string, Read<unknown>];
    const value = written.get(argument);
    if (value.kind !== "null") settings[name as SettingName] = reader.read(value, readValue, written.range);
  }
  Object.assign(settings, parts.settings?.(settings as Settings, reader));
  const extra = extraSettings(parts.extraConfig, reader, written.range);
  for (const [name, setting] of Object.entries(extra.settings)) {
    if (settings[name as SettingName] === ABSENT) settings[name as SettingName] = setting;
  }
  const alias = parts.alias?.kind === "string" ? parts.alias.value : undefined;
  const vm: VmSpec = {
    name: address,
    format,
    platform: parts.platform ?? "esxi",
    range: written.range,
    // Each was read by the reader of its own name.
    settings: settings as Settings,
    defaults: parts.defaults ?? {},
    scsiControllers: parts.scsi?.(reader) ?? [],
    devices: once(() => parts.devices?.(reader) ?? NO_DEVICES),
    advanced: parts.advanced ? () => joinedAdvanced(parts.advanced ?? [], reader, written.range) : extra.advanced,
    directive,
    ...(alias !== undefined && { alias }),
    way: reader.way,
  };
  return { vm, reader };
}

interface Extra {
  readonly settings: Partial<Record<SettingName, Setting<unknown>>>;
  readonly advanced: VmSpec["advanced"];
}

const NO_EXTRA: Extra = { settings: {}, advanced: () => new Map() };
const ENTRIES = new Map(
  Object.entries(ADVANCED).map(
    ([name, [key, readValue]]) => [key.toLowerCase(), [name as SettingName, readValue as Read<unknown>]] as const,
  ),
);

/** The settings among ESXi's advanced options; every one of them is unknown where the options are. */
function extraSettings(value: Value | undefined, reader: SettingReader, at: Range): Extra {
  if (!value || value.kind === "null") return NO_EXTRA;
  if (!isMapping(value)) {
    const unclear = reader.read(value.kind === "unknown" ? value : { ...value }, read.text, at);
    const setting: Setting<never> = unclear.state === "unknown" ? unclear : { state: "unknown", reason: "it is not a map", range: at };
    return { settings: Object.fromEntries(Object.keys(ADVANCED).map((name) => [name, setting])), advanced: () => new Map() };
  }
  const byKey = new Map([...value.entries].map(([key, item]) => [key.toLowerCase(), item]));
  const wanted = [...byKey].filter(([key]) => isAdvanced(key));
  const settings: Partial<Record<SettingName, Setting<unknown>>> = {};
  for (const [key, item] of wanted) {
    const [name, readValue] = ENTRIES.get(key) ?? [];
    if (name && readValue && item.kind !== "null") settings[name] = reader.read(item, readValue, at);
  }
  return { settings, advanced: () => new Map(wanted.map(([key, item]) => [key, reader.read(item, read.text, at)])) };
}

const joinedAdvanced = (values: readonly Value[], reader: SettingReader, at: Range): ReadonlyMap<string, Setting<string>> =>
  new Map(values.flatMap((value) => [...extraSettings(value, reader, at).advanced()]));

/** A whole number that an argument holds; `undefined` where it is unknown, `fallback` where it is left out. */
export function wholeNumber(value: Value, fallback: number): number | undefined {
  if (value.kind === "null") return fallback;
  const number =
    value.kind === "number" ? value.value : value.kind === "string" && /^\d+$/.test(value.value) ? Number(value.value) : undefined;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** A text that an argument holds; `undefined` where it is unknown, `fallback` where it is left out. */
export function textOf(value: Value, fallback: string): string | undefined {
  return value.kind === "null" ? fallback : value.kind === "string" ? value.value : undefined;
}

/** A setting, or what the provider sets where the argument is left out. */
export const orDefault = <T>(setting: Setting<T>, value: T, range: Range): Setting<T> =>
  setting.state === "absent" ? known(value, range) : setting;

/** What one of the names maps to, in any case; others are unknown. */
export const oneOf =
  <T>(values: Readonly<Record<string, T>>, what: string): Read<T> =>
  (text, range) => {
    const value = Object.hasOwn(values, text.toLowerCase()) ? values[text.toLowerCase()] : undefined;
    return value === undefined
      ? { state: "unknown", reason: `"${text.slice(0, 40)}" is no ${what} vmlint knows`, range }
      : known(value, range);
  };

export const lowerCased: Read<string> = (text, range) => known(text.toLowerCase(), range);
