import { nearest } from "../model/nearest.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Problem } from "../model/problem.ts";
import { known, mistyped, type Range, type Setting, withText } from "../model/source.ts";
import {
  NO_SETTINGS,
  type OtherController,
  type Platform,
  type Provisioning,
  type ScsiType,
  type SettingName,
  type Settings,
  type SettingTypes,
  type VmSpec,
} from "../model/spec.ts";
import { checkSettings } from "./check-settings.ts";
import { DEVICES, isUnknown, readPlainDevices, type Unknown, wrongType } from "./plain-devices.ts";
import { readerOf } from "./vmx/keys.ts";

// VMs as plain objects.

/**
 * A VM as a plain object. A setting that is left out is absent: ESXi's default applies. Devices that are left out are unknown.
 *
 * @example
 * const vm: PlainVm = { vcpus: 22, coresPerSocket: { unknown: "the template sets it" }, nics: [{ type: "vmxnet3" }] };
 */
export type PlainVm = { readonly [K in SettingName]?: SettingTypes[K] | Unknown | undefined } & {
  readonly name?: string;
  readonly platform?: Platform;
  /** Each with its bus number; `type` is the type of a SCSI controller. */
  readonly controllers?: readonly {
    readonly kind: "scsi" | OtherController["kind"];
    readonly bus: number;
    readonly type?: ScsiType | Unknown;
    /** Whether VMs share the bus. */
    readonly shared?: boolean;
  }[];
  /** Each with the controller and unit that it is attached to: `scsi0:1`. */
  readonly disks?: readonly { readonly bus: string; readonly provisioning?: Provisioning | Unknown }[];
  readonly nics?: readonly { readonly type?: string | Unknown }[];
};

const NAMES = Object.keys(NO_SETTINGS) as readonly SettingName[];

/** A parsed plain VM. Each part has a range of its own, which leads to its path. */
export interface ParsedPlain extends Parsed {
  readonly pathAt: (range: Range) => readonly (string | number)[];
}

/** Reads a plain VM. A program in JavaScript may pass values of any type. */
export function readPlain({ name = "", platform = "esxi", controllers, disks, nics, ...values }: PlainVm): ParsedPlain {
  const paths: (readonly (string | number)[])[] = [[]];
  // Position 0 is the VM as a whole.
  const placeOf = (...path: readonly (string | number)[]): Range => {
    const at = path.length === 0 ? 0 : paths.push(path) - 1;
    return [at, at === 0 ? 0 : at + 1];
  };
  const pathAt = ([start]: Range) => paths[start] ?? [];
  const stated = Object.entries(values).filter(([, value]) => value !== undefined);
  const isSetting = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(NO_SETTINGS, key);
  const read = stated.filter(isSetting).map(([key, value]) => {
    const text = typeof value === "object" && value !== null ? "" : String(value);
    return [key, withText(settingOf(key as SettingName, value, placeOf(key)), { key, text })];
  });
  const settings: Settings = { ...NO_SETTINGS, ...Object.fromEntries(read) };
  const unknownKeys = stated
    .filter((entry) => !isSetting(entry))
    .map(([key]): Problem => {
      const data = { key, nearest: nearest(key, [...NAMES, ...DEVICES]) ?? null };
      return { ruleId: "spec/unknown-key", messageId: "unknown", data, range: placeOf() };
    });
  const heads = [
    ...(typeof name === "string" ? [] : [wrongType("name", name, "a text", placeOf("name"))]),
    ...(isPlatform(platform) ? [] : [wrongType("platform", platform, `one of ${PLAIN_PLATFORMS.join(", ")}`, placeOf("platform"))]),
  ];
  const { scsiControllers, devices, problems } = readPlainDevices({ controllers, disks, nics }, placeOf);
  const vm: VmSpec = {
    name: typeof name === "string" ? name : "",
    format: "plain",
    platform: isPlatform(platform) ? platform : "unknown",
    range: placeOf(),
    ...checkSettings(settings),
    defaults: { vcpus: 1 },
    scsiControllers,
    devices: () => devices,
    advanced: () => new Map(),
    directive: new Map(),
  };
  return { vms: [asChanges(vm)], problems: [...unknownKeys, ...heads, ...problems], pathAt };
}

const PLAIN_PLATFORMS = ["esxi", "desktop", "other", "unknown"] satisfies readonly Platform[];

const isPlatform = (value: unknown): value is Platform => PLAIN_PLATFORMS.some((one) => one === value);

/** A value as text; "\\0", which no setting has, for a value with parts. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.every((one) => typeof one === "number") ? value.join() : "\0";
  return value !== null && (typeof value === "object" || typeof value === "function") ? "\0" : String(value);
}

/** The VM with fixes that are written as settings, in place of edits of a text. */
export const asChanges = (vm: VmSpec): VmSpec => ({
  ...vm,
  edit: (changes) => changes.map((change) => ({ range: vm.range, newText: JSON.stringify(change) })),
});

function settingOf(name: SettingName, value: unknown, range: Range): Setting<unknown> {
  if (isUnknown(value)) return { state: "unknown", reason: value.unknown, range };
  if (name === "coresPerSocket" && value === "auto") return known(value, range);
  const read = readerOf(name);
  const setting = read(textOf(value), range);
  const isOfType =
    setting.state === "known" && typeof setting.value === typeof value && Array.isArray(setting.value) === Array.isArray(value);
  if (isOfType || (setting.state === "unknown" && setting.expected !== undefined)) return setting;
  const other = read("\0", range);
  return mistyped((other.state === "unknown" && other.expected) || "a text", range);
}
