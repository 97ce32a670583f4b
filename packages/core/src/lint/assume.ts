import { possibleTopologies, TOPOLOGY_SETTINGS } from "../esxi/possible.ts";
import { isOfTemplate } from "../formats/inherited.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { ABSENT, known, type Range, type Setting } from "../model/source.ts";
import type { AssumedValue, SettingName, VmSpec } from "../model/spec.ts";
import { capitalized } from "../model/words.ts";
import type { Rule } from "../rules/define.ts";
import type { LintedVm, Target } from "./target.ts";

/** A VM with its target, and with the settings that `templates:` and `assume:` of the configuration state of it. */
export const lintedVm = (spec: VmSpec, target: Target): LintedVm => ({ spec: withAssumptions(spec, target), target });

/** The VM as its own text states it. */
export const writtenVm = (spec: VmSpec): VmSpec => spec.assumed?.original ?? spec;

function withAssumptions(spec: VmSpec, { assumptions }: Target): VmSpec {
  if (!assumptions) return spec;
  const template = templateOf(spec, assumptions.templates);
  const changed: Partial<Record<SettingName, Setting<unknown>>> = {};
  const origins = new Map<SettingName, string>();
  const state = (name: SettingName, { value, origin }: AssumedValue): void => {
    const setting = spec.settings[name];
    changed[name] = value === undefined ? ABSENT : known(value, setting.state === "unknown" ? setting.range : spec.range);
    origins.set(name, origin);
  };
  for (const [name, assumed] of template ?? []) if (isOpenToTemplate(name, spec)) state(name, assumed);
  for (const [name, assumed] of assumptions.settings) if (!origins.has(name) && isOpen(name, spec)) state(name, assumed);
  if (origins.size === 0) return spec;
  return { ...spec, settings: { ...spec.settings, ...changed } as VmSpec["settings"], assumed: { original: spec, origins } };
}

/** The settings of the last template that has the name; the name may be a path in the inventory. */
function templateOf({ clonedFrom }: VmSpec, templates: NonNullable<Target["assumptions"]>["templates"]) {
  if (clonedFrom === undefined) return undefined;
  const names = [clonedFrom, clonedFrom.slice(clonedFrom.lastIndexOf("/") + 1)];
  return templates.findLast(({ matches }) => names.some(matches))?.settings;
}

/** Whether a clone has a setting from its template. */
function isOpenToTemplate(name: SettingName, { settings, defaults }: VmSpec): boolean {
  const setting = settings[name];
  return setting.state === "unknown" ? isOfTemplate(setting.reason) : setting.state === "absent" && defaults[name] === undefined;
}

/** Whether the text of a VM leaves a setting open. A .vmx leaves none open: a setting that it does not have has ESXi's default. */
function isOpen(name: SettingName, { settings, defaults, configured }: VmSpec): boolean {
  const setting = settings[name];
  if (setting.state === "unknown") return setting.expected === undefined;
  return setting.state === "absent" && configured !== undefined && defaults[name] === undefined;
}

/** The assumed settings that a finding of a rule may rest on, each with where the configuration states it. */
export function assumptionsBehind(rule: Rule, { spec, target: { host, workload } }: LintedVm, at: Range) {
  const { assumed } = spec;
  if (!assumed) return [];
  const result = rule.needs.includes("topology") && host ? possibleTopologies(assumed.original, host, workload) : undefined;
  const decides = (name: SettingName): boolean =>
    TOPOLOGY_SETTINGS.some((one) => one === name) &&
    (!result?.ok || result.deciding.includes(name) || assumed.original.settings[name].state !== "unknown");
  return [...assumed.origins]
    .filter(([name]) => rule.reads.includes(name) || (result && decides(name)))
    .map(([name, origin]) => ({ range: at, message: `${capitalized(SETTING_WORDS[name])}: ${origin}` }));
}
