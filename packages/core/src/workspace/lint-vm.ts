import { EMPTY_CONFIG, requireHost, targetOf, withWorkload } from "../config/config.ts";
import { type PlainVm, readPlain, settingAt } from "../formats/plain.ts";
import { joinConsequences } from "../lint/join-consequences.ts";
import { lintParsed } from "../lint/lint.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import type { HostModel } from "../model/host.ts";
import type { Change, SettingName, SettingTypes, VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";

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

/**
 * Checks a VM that no text describes. Disks, controllers and network cards are taken as unknown. A value of the wrong type is a finding.
 *
 * @example
 * const { findings } = lintVm({ name: "sql01", vcpus: 22, memoryMiB: 262_144 }, { host: "2x20x2:768@8.0" });
 */
export function lintVm(vm: PlainVm, { host, workload, rules }: LintVmOptions = {}): LintVmResult {
  if (typeof vm !== "object" || vm === null) throw new VmlintError("USAGE", "lintVm takes a VM as an object, such as { vcpus: 22 }.");
  const against = targetOf(EMPTY_CONFIG, typeof host === "string" ? requireHost(host) : host);
  const target = (spec: VmSpec) =>
    withWorkload(
      against(spec, () => ""),
      workload,
    );
  const { diagnostics, skipped } = lintParsed(readPlain(vm), { target, rules });
  return { findings: joinConsequences(diagnostics, rules).map(findingOf), skipped };
}

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
