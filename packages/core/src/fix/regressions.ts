import { SEVERITIES, type Skip, type SkipReason } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { type FoundDiagnostic, type SelectedFix, vmOf } from "./apply.ts";

/** The check result of some texts: their findings, with the fixes that may be applied, and the skipped checks. */
export interface CheckState {
  readonly diagnostics: readonly FoundDiagnostic[];
  readonly skipped: readonly Skip[];
}

export interface State extends CheckState {
  readonly texts: ReadonlyMap<string, string>;
}

/** The rules that got worse after fixes. */
export interface Regressions {
  /** Rules with new findings, by VM; the own rule of a finding if its fix does not solve it. */
  readonly newFindings: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rules that can no longer check the VM. */
  readonly skipped: readonly string[];
  /** With several fixes at once: whether one fix may hide the harm of another. */
  readonly isUnsure: boolean;
}

/** A finding whose fixes would all do harm. */
export interface RejectedFix {
  readonly diagnostic: FoundDiagnostic;
  readonly newFindings: readonly string[];
  readonly skipped: readonly string[];
}

export const isNone = ({ newFindings, skipped, isUnsure }: Regressions): boolean => newFindings.size + skipped.length === 0 && !isUnsure;

/** Returns the rules that report more on texts than before, by VM, because positions move. */
export function regressionsOf(before: CheckState, after: CheckState, fixed: readonly SelectedFix[]): Regressions {
  const fixedRules = new Set(fixed.map(({ diagnostic }) => diagnostic.ruleId));
  // A crash of a rule, or a missing declaration, is not the fault of a fix. For the rule of the fixed finding it counts, because its
  // absence then proves nothing.
  const counted = ({ skipped }: CheckState) => skipped.filter(({ reason, ruleId }) => !UNCAUSED.has(reason) || fixedRules.has(ruleId));
  const [skipsBefore, skipsAfter] = [countBy(counted(before), ruleOf), countBy(counted(after), ruleOf)];
  const countsBefore = countBy(before.diagnostics.flatMap(levelsOf), (level) => level);
  /** Counts one finding against the allowed number of its rule, VM and severity; returns how many remain. */
  const leftAfter = (diagnostic: FoundDiagnostic): number => {
    const levels = levelsOf(diagnostic);
    for (const level of levels) countsBefore.set(level, (countsBefore.get(level) ?? 0) - 1);
    return Math.min(...levels.map((level) => countsBefore.get(level) ?? 0));
  };
  for (const { diagnostic } of fixed) leftAfter(diagnostic);
  const newFindings = new Map<string, Set<string>>();
  let isUnsure = false;
  for (const diagnostic of after.diagnostics) {
    const { ruleId, otherHost } = diagnostic;
    // A fix is judged on the host of the VM.
    if (otherHost !== undefined) continue;
    if (leftAfter(diagnostic) >= 0) continue;
    // A check that could not run before may report new findings now.
    if ((skipsAfter.get(ruleId) ?? 0) >= (skipsBefore.get(ruleId) ?? 0))
      getOrInsert(newFindings, vmOf(diagnostic), () => new Set()).add(ruleId);
    else isUnsure ||= fixed.length > 1;
  }
  const skipped = [...skipsAfter].filter(([ruleId, count]) => count > (skipsBefore.get(ruleId) ?? 0));
  return { newFindings, skipped: skipped.map(([ruleId]) => ruleId), isUnsure };
}

/** Reasons for skipped checks that no text change can cause. */
const UNCAUSED: ReadonlySet<SkipReason> = new Set([
  "rule-failed",
  "no-host",
  "other-platform",
  "no-esxi-version",
  "host-incomplete",
  "no-workload",
  "workload-incomplete",
]);

const ruleOf = ({ ruleId }: { readonly ruleId: string }): string => ruleId;

/** Returns a key for the severity of a finding and for each severity below it, so that a worse finding is a new one. */
const levelsOf = (diagnostic: FoundDiagnostic): readonly string[] =>
  SEVERITIES.slice(SEVERITIES.indexOf(diagnostic.severity)).map((level) => [diagnostic.ruleId, vmOf(diagnostic), level].join("\n"));

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
