import type { LintedVm, LintResult } from "../lint.ts";
import type { Range, Setting } from "../model/source.ts";
import type { SettingName } from "../model/spec.ts";
import type { Format } from "../parse/format.ts";
import type { Language } from "../parse/language.ts";
import { deriveTopology, type TopologyResult } from "../topology/derive.ts";

/** A text that is open in an editor, with what was found in it. */
export interface OpenDocument {
  readonly text: string;
  readonly result: LintResult;
  readonly format: Format;
  readonly language?: Language | undefined;
}

/** How a VM lies on its host; `undefined` where it has none. */
export const layoutOf = ({ spec, target: { host, workload } }: LintedVm): TopologyResult | undefined =>
  host && deriveTopology(spec, host, workload);

/** The VM whose text an offset is in: the last that begins before it, as one VM follows the other. */
export const vmAt = ({ result: { vms } }: OpenDocument, offset: number): LintedVm | undefined =>
  vms.findLast(({ spec }) => startOf(spec.range, spec.settings) <= offset) ?? vms[0];

/** A VM begins where its name or its first setting stands. */
function startOf([start]: Range, settings: LintedVm["spec"]["settings"]): number {
  return Math.min(start, ...Object.values(settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range[0]])));
}

export interface SettingAt {
  readonly name: SettingName;
  readonly setting: Exclude<Setting<unknown>, { state: "absent" }>;
  readonly vm: LintedVm;
}

/** The setting whose value stands at an offset. */
export function settingAt({ result: { vms } }: OpenDocument, offset: number): SettingAt | undefined {
  for (const vm of vms) {
    for (const [name, setting] of Object.entries(vm.spec.settings)) {
      if (setting.state === "absent" || offset < setting.range[0] || offset > setting.range[1]) continue;
      return { name: name as SettingName, setting, vm };
    }
  }
  return undefined;
}
