import { type PlainVm, readPlain } from "../formats/plain.ts";
import { joinConsequences } from "../lint/join-consequences.ts";
import { lintParsed } from "../lint/lint.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Range, Setting } from "../model/source.ts";
import type { Change, ScsiType, SettingName, SettingTypes } from "../model/spec.ts";
import { isRecord, refuse, shape } from "./arguments.ts";
import { AGAINST, type AgainstOptions, targetFor } from "./library-target.ts";

/**
 * Options of `lintVm`.
 *
 * @example
 * const options: LintVmOptions = { host: "2x20x2:768@8.0", workload: { kind: "mssql" } };
 */
export interface LintVmOptions extends AgainstOptions {}

/**
 * A finding about a VM that no text describes: it names a setting and an attribute in place of a range.
 *
 * @example
 * const isAbout = ({ setting, path }: VmFinding) => setting === "coresPerSocket" || path[0] === "disks";
 */
export interface VmFinding extends Omit<Diagnostic, "range" | "related" | "fixes"> {
  /** The setting to look at; missing for a finding about a device, or about the VM as a whole. */
  readonly setting?: SettingName;
  /** The keys that lead to the attribute: `["disks", 0, "provisioning"]`; empty for a finding about the VM as a whole. */
  readonly path: readonly (string | number)[];
  readonly fixes: readonly VmFix[];
}

/**
 * A fix as the settings that it gives the VM, with the names and units of vmlint.
 *
 * @example
 * const changed = { ...vm, ...(finding.fixes[0] as VmFix).settings };
 */
export interface VmFix extends Omit<Fix, "edits"> {
  readonly settings: Partial<SettingTypes>;
  /** The types that it gives SCSI controllers, by id: `{ scsi0: "pvscsi" }`. */
  readonly controllers?: Readonly<Record<string, ScsiType>>;
}

/**
 * The result of `lintVm` and `lintResource`.
 *
 * @example
 * const { findings, skipped }: LintVmResult = lintVm({ vcpus: 22 });
 */
export interface LintVmResult {
  readonly findings: readonly VmFinding[];
  readonly skipped: readonly Skip[];
}

const OPTIONS = shape(AGAINST);

/**
 * Checks a VM that no text describes. Memory is in MiB, frequencies are in MHz. A value of the wrong type and an unknown name are
 * findings. Disks, controllers and network cards that are left out are unknown. Throws USAGE, HOST_UNKNOWN or RULE_UNKNOWN for options that do
 * not fit.
 *
 * @example
 * const { findings } = lintVm({ name: "sql01", vcpus: 22, memoryMiB: 262_144 }, { host: "2x20x2:768@8.0" });
 */
export function lintVm(vm: PlainVm, options: LintVmOptions = {}): LintVmResult {
  if (!isRecord(vm)) refuse("lintVm takes a VM as an object, such as { vcpus: 22 }.");
  OPTIONS(options, "lintVm");
  const { pathAt, ...parsed } = readPlain(vm);
  return lintedSettings(parsed, { rules: options.rules, target: targetFor(options, "lintVm"), pathAt });
}

interface SettingsRun extends Pick<AgainstOptions, "rules"> {
  readonly target: ReturnType<typeof targetFor>;
  readonly pathAt: (range: Range) => readonly (string | number)[];
}

/** Checks VMs whose ranges stand for attributes of a program. */
export function lintedSettings(parsed: Parsed, { rules, target, pathAt }: SettingsRun): LintVmResult {
  const { diagnostics, skipped } = lintParsed(parsed, { target, rules });
  const places = parsed.vms.flatMap(({ settings }) =>
    (Object.entries(settings) as [SettingName, Setting<unknown>][]).flatMap(([name, setting]) =>
      setting.state === "absent" ? [] : [[setting.range.join(), name] as const],
    ),
  );
  const settingAt = new Map(places);
  const findings = joinConsequences(diagnostics, rules).map(({ range, related: _, fixes, ...rest }): VmFinding => {
    const setting = settingAt.get(range.join());
    return { ...rest, ...(setting !== undefined && { setting }), path: pathAt(range), fixes: fixes.map(fixOf) };
  });
  return { findings, skipped };
}

function fixOf({ title, safety, edits }: Fix): VmFix {
  const changes = edits.map(({ newText }): Change => JSON.parse(newText));
  const settings = changes.flatMap((change) => (change.setting === "scsiType" ? [] : [[change.setting, change.value] as const]));
  const controllers = changes.flatMap((change) => (change.setting === "scsiType" ? [[change.controller, change.value] as const] : []));
  return {
    title,
    safety,
    settings: Object.fromEntries(settings),
    ...(controllers.length > 0 && { controllers: Object.fromEntries(controllers) }),
  };
}
