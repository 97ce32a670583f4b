import { type PlainVm, readPlain, settingAt } from "../formats/plain.ts";
import { joinConsequences } from "../lint/join-consequences.ts";
import { lintParsed } from "../lint/lint.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import type { Change, SettingName, SettingTypes } from "../model/spec.ts";
import { refuse, shape } from "./arguments.ts";
import { AGAINST, type AgainstOptions, targetFor } from "./library-target.ts";

/**
 * Options of `lintVm`.
 *
 * @example
 * const options: LintVmOptions = { host: "2x20x2:768@8.0", workload: { kind: "mssql" } };
 */
export interface LintVmOptions extends AgainstOptions {}

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

/**
 * Checks a VM that no text describes. Disks, controllers and network cards are taken as unknown. A value of the wrong type is a finding.
 *
 * @example
 * const { findings } = lintVm({ name: "sql01", vcpus: 22, memoryMiB: 262_144 }, { host: "2x20x2:768@8.0" });
 */
export function lintVm(vm: PlainVm, options: LintVmOptions = {}): LintVmResult {
  if (typeof vm !== "object" || vm === null || Array.isArray(vm)) refuse("lintVm takes a VM as an object, such as { vcpus: 22 }.");
  OPTIONS(options, "lintVm");
  const { rules } = options;
  const { diagnostics, skipped } = lintParsed(readPlain(vm), { target: targetFor(options, "lintVm"), rules });
  return { findings: joinConsequences(diagnostics, rules).map(findingOf), skipped };
}

const OPTIONS = shape(AGAINST);

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
