import type { TextEdit } from "../model/source.ts";
import { applyFixes, editsOf, type FixOptions, type SelectedFix } from "./apply.ts";
import { type FixSteps, runSteps } from "./fix-steps.ts";
import { type Pass, proveFixes } from "./prove-fixes.ts";
import { type CheckState, isNone, type RejectedFix, regressionsOf, type State } from "./regressions.ts";

/** After so many passes a text is left as it is. */
export const MOST_PASSES = 10;

export interface FixedText {
  readonly text: string;
  /** The edits of each pass, on the text that the pass before it left. */
  readonly passes: readonly (readonly TextEdit[])[];
  readonly applied: readonly SelectedFix[];
  readonly rejected: readonly RejectedFix[];
  /** False when there was still something to fix after the last pass. */
  readonly finished: boolean;
}

/**
 * Fixes a text until nothing is left to fix. A fix counts only when the text, linted again, no longer has its finding, has no
 * new one, and no check that ran before is skipped: so fixes that fight are refused instead of going round in circles, and
 * fixing what is fixed changes nothing.
 */
export function fixText(text: string, check: (text: string) => CheckState, options: FixOptions = {}): FixedText {
  return runSteps(fixing(text, options), check);
}

/** The same as work that can wait for its answers: those about several texts of a project are then found at once. */
export function* fixing(text: string, options: FixOptions = {}): FixSteps<FixedText> {
  const passes: (readonly TextEdit[])[] = [];
  let applied: readonly SelectedFix[] = [];
  let state: State = { text, ...(yield text) };
  for (;;) {
    const { fixes, next, rejected } = yield* pass(state, options);
    if (fixes.length === 0) return { text: state.text, passes, applied, rejected, finished: true };
    if (passes.length === MOST_PASSES) return { text: state.text, passes, applied, rejected, finished: false };
    passes.push(editsOf(fixes));
    applied = [...applied, ...fixes];
    state = next;
  }
}

function* pass(state: State, options: FixOptions): FixSteps<Pass> {
  const safe = applyFixes(state.text, state.diagnostics);
  if (safe.applied.length > 0) {
    const next = { text: safe.text, ...(yield safe.text) };
    if (isNone(regressionsOf(state, next, safe.applied))) return { fixes: safe.applied, next, rejected: [] };
  }
  return yield* proveFixes(state, options);
}
