import { type Diagnostic, SEVERITIES, type Skip, type SkipReason } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Chosen } from "./apply.ts";

/** What is known of a text: what may be fixed in it, and what was skipped. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
}

export interface State extends Checked {
  readonly text: string;
}

/** What speaks against fixes: rules. */
export interface Regressions {
  /** Those that would have more to say, by VM; the finding's own, where a fix does not settle it. */
  readonly found: ReadonlyMap<string | null, ReadonlySet<string>>;
  /** Those that could no longer be checked. */
  readonly skipped: readonly string[];
  /** Of several fixes at once: whether one could hide what another brings. */
  readonly isUnsure: boolean;
}

/** A finding whose fixes would each do harm. */
export interface Refused {
  readonly diagnostic: Diagnostic;
  readonly found: readonly string[];
  readonly skipped: readonly string[];
}

export const isNone = ({ found, skipped, isUnsure }: Regressions): boolean => found.size + skipped.length === 0 && !isUnsure;

/** By which rules a text is not better than before. Their findings are told apart by their VM, since places move. */
export function regressionsOf(before: Checked, after: Checked, fixed: readonly Chosen[]): Regressions {
  const own = new Set(fixed.map(({ diagnostic }) => diagnostic.ruleId));
  // That a rule fails is its own fault, and what it lacks of the declarations no fix takes away; whether a fix settles a finding of the
  // rule can then no longer be told.
  const counted = ({ skipped }: Checked) => skipped.filter(({ reason, ruleId }) => !UNCAUSED.has(reason) || own.has(ruleId));
  const [skipsBefore, skipsAfter] = [tally(counted(before), ruleOf), tally(counted(after), ruleOf)];
  const most = tally(before.diagnostics.flatMap(levelsOf), (level) => level);
  /** Takes a finding off what there may be: how many more of its rule and VM may still come, of its severity or one below it. */
  const leftAfter = (diagnostic: Diagnostic): number => {
    const levels = levelsOf(diagnostic);
    for (const level of levels) most.set(level, (most.get(level) ?? 0) - 1);
    return Math.min(...levels.map((level) => most.get(level) ?? 0));
  };
  for (const { diagnostic } of fixed) leftAfter(diagnostic);
  const found = new Map<string | null, Set<string>>();
  let isUnsure = false;
  for (const diagnostic of after.diagnostics) {
    const { ruleId, vm } = diagnostic;
    if (leftAfter(diagnostic) >= 0) continue;
    // A check that could not run before and can now may say what it likes.
    if ((skipsAfter.get(ruleId) ?? 0) >= (skipsBefore.get(ruleId) ?? 0)) getOrInsert(found, vm, () => new Set()).add(ruleId);
    else isUnsure ||= fixed.length > 1;
  }
  const skipped = [...skipsAfter].filter(([ruleId, count]) => count > (skipsBefore.get(ruleId) ?? 0));
  return { found, skipped: skipped.map(([ruleId]) => ruleId), isUnsure };
}

/** Why a rule is skipped that no text can change. */
const UNCAUSED: ReadonlySet<SkipReason> = new Set([
  "rule-failed",
  "no-host",
  "no-esxi-version",
  "host-incomplete",
  "no-workload",
  "workload-incomplete",
]);

const ruleOf = ({ ruleId }: { readonly ruleId: string }): string => ruleId;

/** What a finding counts as, by rule and VM: one of its severity and of each below it, so that one that gets worse is one more. */
const levelsOf = ({ ruleId, vm, severity }: Diagnostic): readonly string[] =>
  SEVERITIES.slice(SEVERITIES.indexOf(severity)).map((level) => [ruleId, vm ?? "", level].join("\n"));

function tally<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
