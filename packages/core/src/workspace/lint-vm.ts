import { EMPTY_CONFIG, requireHost, targetOf } from "../config/config.ts";
import { lintParsed } from "../lint/lint.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import type { Range, Setting } from "../model/source.ts";
import { type Change, NO_SETTINGS, type Platform, type SettingName, type Settings, type SettingTypes, type VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";

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
export type PlainVm = { readonly [K in SettingName]?: SettingTypes[K] | Unknown } & {
  readonly name?: string;
  readonly platform?: Platform;
};

/**
 * Options of `lintVm`.
 *
 * @example
 * const options: LintVmOptions = { host: "2x20x2:768@8.0", workload: { kind: "mssql" } };
 */
export interface LintVmOptions {
  readonly host?: HostModel | string | undefined;
  readonly workload?: Workload | undefined;
  readonly rules?: readonly Rule[] | undefined;
}

/**
 * A finding about a plain VM: it names a setting in place of a range.
 *
 * @example
 * const isAbout = ({ setting }: VmFinding) => setting === "coresPerSocket";
 */
export interface VmFinding extends Omit<Diagnostic, "range" | "related" | "fixes"> {
  /** The setting to look at; missing for a finding about the VM as a whole. */
  readonly setting?: SettingName;
  readonly fixes: readonly VmFix[];
}

/**
 * A fix as the settings that it gives the VM.
 *
 * @example
 * const changed = { ...vm, ...(finding.fixes[0] as VmFix).settings };
 */
export interface VmFix extends Omit<Fix, "edits"> {
  readonly settings: Partial<SettingTypes>;
}

/**
 * The result of `lintVm`.
 *
 * @example
 * const { findings, skipped }: LintVmResult = lintVm({ vcpus: 22 });
 */
export interface LintVmResult {
  readonly findings: readonly VmFinding[];
  readonly skipped: readonly Skip[];
}

const NAMES = Object.keys(NO_SETTINGS) as readonly SettingName[];

/** Each setting has a place of its own, so that a finding's place tells the setting; 0 is the VM as a whole. */
const placeOf = (name: SettingName): Range => [NAMES.indexOf(name) + 1, NAMES.indexOf(name) + 2];
const settingAt = ([start]: Range): SettingName | undefined => NAMES[start - 1];

/**
 * Checks a VM that no text describes. Disks, controllers and network cards are taken as unknown.
 *
 * @example
 * const { findings } = lintVm({ name: "sql01", vcpus: 22, memoryMiB: 262_144 }, { host: "2x20x2:768@8.0" });
 */
export function lintVm(vm: PlainVm, { host, workload, rules }: LintVmOptions = {}): LintVmResult {
  const spec = specOf(vm);
  const against = targetOf(EMPTY_CONFIG, typeof host === "string" ? requireHost(host) : host);
  const target = { ...against(spec, () => ""), workload };
  const { diagnostics, skipped } = lintParsed({ vms: [spec], problems: [] }, { target, rules });
  return { findings: diagnostics.map(findingOf), skipped };
}

function specOf({ name = "", platform = "esxi", ...values }: PlainVm): VmSpec {
  const settings: Record<string, Setting<unknown>> = { ...NO_SETTINGS };
  for (const [setting, value] of Object.entries(values)) {
    const range = placeOf(setting as SettingName);
    settings[setting] = isUnknown(value) ? { state: "unknown", reason: value.unknown, range } : { state: "known", value, range };
  }
  return {
    name,
    format: "plain",
    platform,
    range: [0, 0],
    settings: settings as Settings,
    defaults: { vcpus: 1 },
    scsiControllers: [],
    devices: () => ({ otherControllers: [], disks: [], nics: [], missing: "a plain VM has no devices" }),
    advanced: () => new Map(),
    directive: new Map(),
    edit: (changes) => changes.map((change) => ({ range: [0, 0], newText: JSON.stringify(change) })),
  };
}

const isUnknown = (value: unknown): value is Unknown => typeof value === "object" && value !== null && "unknown" in value;

function findingOf({ range, related: _, fixes, ...rest }: Diagnostic): VmFinding {
  const setting = settingAt(range);
  return {
    ...rest,
    ...(setting !== undefined && { setting }),
    fixes: fixes.map(({ title, safety, edits }) => {
      const changes = edits.map(({ newText }): Change => JSON.parse(newText));
      return { title, safety, settings: Object.fromEntries(changes.map((change) => [change.setting, change.value])) };
    }),
  };
}
