import { isOfTemplate, OF_EVERY_VM, WITHOUT_OPTIONS } from "../formats/inherited.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { ABSENT, known, type Range, type Setting, valueIfKnown } from "../model/source.ts";
import type { AssumedValue, Observed, SettingName, VmSpec } from "../model/spec.ts";
import { capitalized } from "../model/words.ts";
import { possibleTopologies, TOPOLOGY_SETTINGS } from "../platforms/esxi/possible.ts";
import type { Rule } from "../rules/define.ts";
import type { LintedVm, Target } from "./target.ts";

/** A VM with its target, with the measurements of its host, and with the settings that `templates:` and `assume:` of the configuration state. */
export const lintedVm = (spec: VmSpec, target: Target): LintedVm => ({
  spec: withAssumptions(withMeasurements(spec, target), target),
  target,
});

/** The VM as its own text states it. */
export const writtenVm = (spec: VmSpec): VmSpec => spec.written ?? spec;

/** Adds the measurements of a running VM; measurements in its own text win. */
function withMeasurements(spec: VmSpec, { running }: Target): VmSpec {
  if (!running) return spec;
  const { range, observed, measured } = spec;
  const { readyPercent, observed: reported } = running;
  const vcpus = valueIfKnown(spec.settings.vcpus) ?? spec.defaults.vcpus;
  // Other numbers are of another time, or of another VM.
  const isOfVm = reported?.numaClients?.reduce((sum, count) => sum + count, 0) === vcpus;
  return {
    ...spec,
    written: spec,
    ...(readyPercent !== undefined && { measured: { readyPercent: { value: readyPercent, range }, ...measured } }),
    ...(reported && isOfVm && { observed: { range, ...observed, value: joined(observed?.value, reported) } }),
  };
}

/** Joins the reports of a VM's own text and of its host. Its own text wins. */
function joined(own: Observed | undefined, reported: Observed): Observed {
  if (!own) return reported;
  return own.numaClients ? own : { ...reported, ...own, source: `${own.source} and ${reported.source}` };
}

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
  const stated = { ...spec.settings, ...changed } as VmSpec["settings"];
  const made = { settings: stated, ...spec.remade?.(stated) };
  for (const name of origins.keys()) if (made.settings[name] !== stated[name]) origins.delete(name);
  return { ...spec, ...made, assumed: { without: spec, origins }, written: writtenVm(spec) };
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
  const { assumed, changes, settings } = spec;
  const isOption = (name: SettingName): boolean => settings[name].state === "absent" && !OF_EVERY_VM.includes(name);
  const dependsOnOptions = changes && (rule.needs.includes("topology") || rule.reads.some(isOption));
  const unstated = dependsOnOptions ? [{ range: at, message: WITHOUT_OPTIONS }] : [];
  if (!assumed) return unstated;
  const result = rule.needs.includes("topology") && host ? possibleTopologies(assumed.without, host, workload) : undefined;
  const decides = (name: SettingName): boolean =>
    TOPOLOGY_SETTINGS.some((one) => one === name) &&
    (!result?.ok || result.deciding.includes(name) || assumed.without.settings[name].state !== "unknown");
  const stated = [...assumed.origins]
    .filter(([name]) => rule.reads.includes(name) || (result && decides(name)))
    .map(([name, origin]) => ({ range: at, message: `${capitalized(SETTING_WORDS[name])}: ${origin}` }));
  return [...stated, ...unstated];
}
