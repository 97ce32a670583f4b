import { SEVERITIES, type Severity } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { WORKLOAD_KINDS, type WorkloadKind } from "../model/workload.ts";
import type { Rule, RuleMeta } from "./define.ts";
import { INVENTORY, LEVELS, NO_GUESSES, PRESETS, type Preset } from "./preset-names.ts";

type Meta = Pick<RuleMeta, "severity" | "severities" | "about" | "presets" | "optIn"> & Pick<Rule, "over">;

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** Returns the workloads that a rule is about; all of them if `about` is missing. */
export const kindsOf = ({ about }: Pick<RuleMeta, "about">): readonly WorkloadKind[] =>
  about === undefined ? WORKLOAD_KINDS : typeof about === "string" ? [about] : about;

/** Whether a rule is in a preset: by its highest severity, its workload, or its own list. For a rule with `optIn`, only the list counts. */
export function isIn(rule: Meta, preset: Preset): boolean {
  if ((rule.presets ?? []).some((level) => level === preset || (level in LEVELS && preset in LEVELS && isBelow(level, preset))))
    return true;
  if (rule.optIn || preset === NO_GUESSES) return false;
  if (!(preset in LEVELS)) return rule.about !== undefined && kindsOf(rule).includes(preset as WorkloadKind);
  // Parser problems are not optional.
  if (rule.over === "text") return true;
  const gravest = Math.min(rank(rule.severity), ...Object.values(rule.severities ?? {}).map(rank));
  return gravest <= rank(LEVELS[preset as keyof typeof LEVELS]);
}

/** Whether one preset contains another, among presets by amount of output. */
const isBelow = (level: Preset, preset: Preset): boolean => PRESETS.indexOf(level) < PRESETS.indexOf(preset);

/** The presets of VMs of an inventory without `extends:`. */
export const INVENTORY_PRESETS: readonly Preset[] = ["recommended", INVENTORY];

/** Returns whether a rule is in any of the presets, and remembers the answer. */
export function selects(presets: readonly Preset[] = ["recommended"]): (rule: Rule) => boolean {
  const cached = new WeakMap<Rule, boolean>();
  return (rule) => getOrInsert(cached, rule, () => presets.some((preset) => isIn(rule, preset)));
}
