import { SEVERITIES, type Severity } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { WORKLOAD_KINDS, type WorkloadKind } from "../model/workload.ts";
import type { Rule, RuleMeta } from "./define.ts";
import { LEVELS, NO_GUESSES, PRESETS, type Preset } from "./preset-names.ts";

type Meta = Pick<RuleMeta, "severity" | "severities" | "about" | "presets" | "optIn"> & Pick<Rule, "over">;

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** The workloads a rule speaks of; all of them where it says none. */
export const kindsOf = ({ about }: Pick<RuleMeta, "about">): readonly WorkloadKind[] =>
  about === undefined ? WORKLOAD_KINDS : typeof about === "string" ? [about] : about;

/** Whether a rule is in a preset: by its gravest message, by the workload it is about, or because it says so. None has one that is `optIn`. */
export function isIn(rule: Meta, preset: Preset): boolean {
  if (rule.optIn || preset === NO_GUESSES) return false;
  if (rule.presets?.includes(preset)) return true;
  if (!(preset in LEVELS)) return rule.about !== undefined && kindsOf(rule).includes(preset as WorkloadKind);
  // What a parser found is no matter of taste.
  if (rule.over === "text") return true;
  const gravest = Math.min(rank(rule.severity), ...Object.values(rule.severities ?? {}).map(rank));
  return (
    gravest <= rank(LEVELS[preset as keyof typeof LEVELS]) || (rule.presets ?? []).some((own) => own in LEVELS && isBelow(own, preset))
  );
}

/** Whether a preset by level is part of another. */
const isBelow = (own: Preset, preset: Preset): boolean => PRESETS.indexOf(own) < PRESETS.indexOf(preset);

/** Whether a rule is in one of the presets; each rule is looked up once. */
export function selects(presets: readonly Preset[] = ["recommended"]): (rule: Rule) => boolean {
  const known = new WeakMap<Rule, boolean>();
  return (rule) => getOrInsert(known, rule, () => presets.some((preset) => isIn(rule, preset)));
}
