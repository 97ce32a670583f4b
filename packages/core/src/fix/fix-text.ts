import { applyEdits } from "../apply-edits.ts";
import type { Diagnostic, Skip } from "../model/diagnostic.ts";
import type { TextEdit } from "../model/parsed.ts";
import { allowedFixes, applyFixes, type Chosen, editsOf, type FixOptions, isInTheWay } from "./apply.ts";

/** After so many passes a text is left as it is. */
export const MOST_PASSES = 10;

/** What is known of a text: what may be fixed in it, and what was skipped. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
}

/** What speaks against a fix: rules. */
interface Harm {
  /** Those that would have more to say; the finding's own, where the fix does not settle it. */
  readonly found: readonly string[];
  /** Those that could no longer be checked. */
  readonly skipped: readonly string[];
}

/** A finding whose fixes would each do harm. */
export interface Refused extends Harm {
  readonly diagnostic: Diagnostic;
}

export interface FixedText {
  readonly text: string;
  /** The edits of each pass, on the text that the pass before it left. */
  readonly passes: readonly (readonly TextEdit[])[];
  readonly applied: readonly Chosen[];
  readonly refused: readonly Refused[];
  /** False when there was still something to fix after the last pass. */
  readonly finished: boolean;
}

/**
 * Fixes a text until nothing is left to fix. A fix counts only when the text, linted again, no longer has its finding, has no
 * new one, and no check that ran before is skipped: so fixes that fight are refused instead of going round in circles, and
 * fixing what is fixed changes nothing.
 */
export function fixText(text: string, check: (text: string) => Checked, options: FixOptions = {}): FixedText {
  const passes: (readonly TextEdit[])[] = [];
  const applied: Chosen[] = [];
  let state: State = { text, ...check(text) };
  for (;;) {
    const { chosen, next, refused } = pass(state, check, options);
    if (chosen.length === 0) return { text: state.text, passes, applied, refused, finished: true };
    if (passes.length === MOST_PASSES) return { text: state.text, passes, applied, refused, finished: false };
    passes.push(editsOf(chosen));
    applied.push(...chosen);
    state = next;
  }
}

interface State extends Checked {
  readonly text: string;
}

interface Pass {
  readonly chosen: readonly Chosen[];
  readonly next: State;
  readonly refused: readonly Refused[];
}

function pass(state: State, check: (text: string) => Checked, options: FixOptions): Pass {
  const safe = applyFixes(state.text, state.diagnostics);
  if (safe.applied.length > 0) {
    const next = { text: safe.text, ...check(safe.text) };
    if (isNone(harm(state, next, safe.applied))) return { chosen: safe.applied, next, refused: [] };
  }
  return oneByOne(state, check, options);
}

/** Of each finding the first fix that does no harm to what was chosen before it. */
function oneByOne(state: State, check: (text: string) => Checked, options: FixOptions): Pass {
  const refused: Refused[] = [];
  let chosen: readonly Chosen[] = [];
  let next = state;
  for (const diagnostic of state.diagnostics) {
    // What was chosen before may have settled it, or changed what is to be done.
    if (!next.diagnostics.some((other) => saysTheSame(other, diagnostic))) continue;
    const harms: Harm[] = [];
    for (const fix of allowedFixes(diagnostic, options)) {
      const one = { diagnostic, fix };
      if (chosen.some((other) => isInTheWay(other, one))) continue;
      const text = applyEdits(state.text, editsOf([...chosen, one]));
      const after = { text, ...check(text) };
      const done = harm(next, after, [one]);
      if (!isNone(done)) {
        harms.push(done);
        continue;
      }
      [chosen, next] = [[...chosen, one], after];
      harms.length = 0;
      break;
    }
    if (harms.length > 0) {
      const all = (pick: (one: Harm) => readonly string[]) => [...new Set(harms.flatMap(pick))];
      refused.push({ diagnostic, found: all((one) => one.found), skipped: all((one) => one.skipped) });
    }
  }
  return { chosen, next, refused };
}

/** Whether two findings are one, wherever it stands in either text, and have the same fixes. */
const saysTheSame = (a: Diagnostic, b: Diagnostic): boolean =>
  a.ruleId === b.ruleId &&
  a.vm === b.vm &&
  a.message === b.message &&
  a.fixes.length === b.fixes.length &&
  a.fixes.every(({ title }, i) => title === b.fixes[i]?.title);

const isNone = ({ found, skipped }: Harm): boolean => found.length + skipped.length === 0;

/** By which rules a text is not better than before. Their findings are told apart by their VM, since places move. */
function harm(before: Checked, after: Checked, fixed: readonly Chosen[]): Harm {
  const [skipsBefore, skipsAfter] = [tally(before.skipped, ruleOf), tally(after.skipped, ruleOf)];
  const most = tally(before.diagnostics, ruleAndVm);
  for (const { diagnostic } of fixed) most.set(ruleAndVm(diagnostic), (most.get(ruleAndVm(diagnostic)) ?? 0) - 1);
  const found = new Set<string>();
  for (const diagnostic of after.diagnostics) {
    const { ruleId } = diagnostic;
    const left = (most.get(ruleAndVm(diagnostic)) ?? 0) - 1;
    most.set(ruleAndVm(diagnostic), left);
    // A check that could not run before and can now may say what it likes.
    const ranBefore = (skipsAfter.get(ruleId) ?? 0) >= (skipsBefore.get(ruleId) ?? 0);
    if (left < 0 && ranBefore) found.add(ruleId);
  }
  const skipped = [...skipsAfter].filter(([ruleId, count]) => count > (skipsBefore.get(ruleId) ?? 0));
  return { found: [...found], skipped: skipped.map(([ruleId]) => ruleId) };
}

const ruleOf = ({ ruleId }: { readonly ruleId: string }): string => ruleId;
const ruleAndVm = ({ ruleId, vm }: Diagnostic): string => `${ruleId}\n${vm ?? ""}`;

function tally<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
