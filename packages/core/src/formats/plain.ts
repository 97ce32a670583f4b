import { nearest } from "../model/nearest.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Problem } from "../model/problem.ts";
import { known, mistyped, type Range, type Setting, withText } from "../model/source.ts";
import { NO_SETTINGS, type Platform, type SettingName, type Settings, type SettingTypes, type VmSpec } from "../model/spec.ts";
import { checkSettings } from "./check-settings.ts";
import { readerOf } from "./vmx/keys.ts";

// VMs as plain objects.

/**
 * A setting that has a value which the caller does not know.
 *
 * @example
 * const later: Unknown = { unknown: "it is known once the VM is there" };
 */
export interface Unknown {
  /** Why. */
  readonly unknown: string;
}

/**
 * A VM as a plain object. A setting that is left out is absent: ESXi's default applies.
 *
 * @example
 * const vm: PlainVm = { vcpus: 22, coresPerSocket: { unknown: "the template sets it" } };
 */
export type PlainVm = { readonly [K in SettingName]?: SettingTypes[K] | Unknown | undefined } & {
  readonly name?: string;
  readonly platform?: Platform;
};

const NAMES = Object.keys(NO_SETTINGS) as readonly SettingName[];

/** Each setting has a place of its own, so that a finding's place tells the setting; 0 is the VM as a whole. */
const placeOf = (name: string): Range => {
  const at = NAMES.indexOf(name as SettingName) + 1;
  return at === 0 ? [0, 0] : [at, at + 1];
};

/** Returns the setting with this range; `undefined` for the VM as a whole. */
export const settingAt = ([start]: Range): SettingName | undefined => NAMES[start - 1];

/** Reads a plain VM. A program in JavaScript may pass values of any type. */
export function readPlain({ name = "", platform = "esxi", ...values }: PlainVm): Parsed {
  const stated = Object.entries(values).filter(([, value]) => value !== undefined);
  const isSetting = ([key]: readonly [string, unknown]): boolean => key in NO_SETTINGS;
  const read = stated.filter(isSetting).map(([key, value]) => {
    const text = typeof value === "object" ? "" : String(value);
    return [key, withText(settingOf(key as SettingName, value), { key, text })];
  });
  const settings: Settings = { ...NO_SETTINGS, ...Object.fromEntries(read) };
  const unknownKeys = stated
    .filter((entry) => !isSetting(entry))
    .map(([key]): Problem => {
      const data = { key, nearest: nearest(key, NAMES) ?? null };
      return { ruleId: "spec/unknown-key", messageId: "unknown", data, range: placeOf(key) };
    });
  const vm: VmSpec = {
    name: String(name),
    format: "plain",
    platform,
    range: placeOf(""),
    ...checkSettings(settings),
    defaults: { vcpus: 1 },
    scsiControllers: [],
    devices: () => ({ otherControllers: [], disks: [], nics: [], missing: "a plain VM has no devices" }),
    advanced: () => new Map(),
    directive: new Map(),
    edit: (changes) => changes.map((change) => ({ range: placeOf(""), newText: JSON.stringify(change) })),
  };
  return { vms: [vm], problems: unknownKeys };
}

function settingOf(name: SettingName, value: unknown): Setting<unknown> {
  const range = placeOf(name);
  if (isUnknown(value)) return { state: "unknown", reason: value.unknown, range };
  if (name === "coresPerSocket" && value === "auto") return known(value, range);
  const read = readerOf(name);
  const setting = read(Array.isArray(value) ? value.join() : String(value), range);
  const isOfType =
    setting.state === "known" && typeof setting.value === typeof value && Array.isArray(setting.value) === Array.isArray(value);
  if (isOfType || (setting.state === "unknown" && setting.expected !== undefined)) return setting;
  const other = read("\0", range);
  return mistyped((other.state === "unknown" && other.expected) || "a text", range);
}

const isUnknown = (value: unknown): value is Unknown => typeof value === "object" && value !== null && "unknown" in value;
