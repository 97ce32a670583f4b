import { applyEdits } from "../lint/apply-edits.ts";
import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import { allowedFixes, type Chosen, editsOf, type FixOptions } from "./apply.ts";
import { EditedRanges } from "./edited-ranges.ts";
import type { FixSteps } from "./fix-steps.ts";
import { isNone, type Regressions, type RejectedFix, regressionsOf, type State } from "./regressions.ts";

/** The result of one pass over the fixes of a text. */
export interface Pass {
  readonly chosen: readonly Chosen[];
  readonly next: State;
  readonly refused: readonly RejectedFix[];
}

/** A finding, with the state of its fixes. */
interface Trial {
  readonly diagnostic: Diagnostic;
  /** The fixes to try next. */
  left: readonly Fix[];
  chosen?: Fix;
  readonly harms: Omit<RejectedFix, "diagnostic">[];
}

interface Attempt extends Chosen {
  readonly trial: Trial;
}

/**
 * Chooses for each finding the first fix that does no harm together with the chosen fixes. Tries the fixes of one VM in order, and all VMs
 * at once.
 */
export function* proveFixes(state: State, options: FixOptions): FixSteps<Pass> {
  const trials = state.diagnostics.map((diagnostic): Trial => ({ diagnostic, left: allowedFixes(diagnostic, options), harms: [] }));
  const edited = new EditedRanges();
  let next = state;
  function* settle(round: readonly Attempt[]): FixSteps<void> {
    const text = applyEdits(state.text, editsOf([...chosenOf(trials), ...round]));
    const after = { text, ...(yield text) };
    const harm = regressionsOf(next, after, round);
    if (!isNone(harm)) {
      for (const part of apart(round, harm)) yield* settle(part);
      return;
    }
    next = after;
    for (const { trial, fix } of round) {
      trial.chosen = fix;
      edited.add(fix);
    }
  }
  for (let open: readonly Trial[] = trials; ; ) {
    const found = new Set(next.diagnostics.map(wordsOf));
    // Earlier fixes may have solved the finding or changed its fixes.
    open = open.filter(({ diagnostic, chosen, left }) => !chosen && left.length > 0 && found.has(wordsOf(diagnostic)));
    const round = roundOf(open, edited);
    if (round.length === 0) return { chosen: chosenOf(trials), next, refused: refusedOf(trials) };
    yield* settle(round);
  }
}

const chosenOf = (trials: readonly Trial[]): readonly Chosen[] =>
  trials.flatMap(({ diagnostic, chosen }) => (chosen ? [{ diagnostic, fix: chosen }] : []));

/** Returns a key that identifies a finding with the same fixes after its position changes. */
const wordsOf = ({ ruleId, vm, message, fixes }: Diagnostic): string =>
  JSON.stringify([ruleId, vm, message, fixes.map(({ title }) => title)]);

/** The next fix of each VM. */
function roundOf(open: readonly Trial[], edited: EditedRanges): readonly Attempt[] {
  const round: Attempt[] = [];
  const vms = new Set<string | null>();
  const among = new EditedRanges();
  for (const trial of open) {
    const { diagnostic } = trial;
    if (vms.has(diagnostic.vm)) continue;
    trial.left = trial.left.filter((fix) => !edited.conflictsWith(fix));
    const [fix, ...left] = trial.left;
    if (!fix) continue;
    vms.add(diagnostic.vm);
    if (among.conflictsWith(fix)) continue;
    among.add(fix);
    trial.left = left;
    round.push({ trial, diagnostic, fix });
  }
  return round;
}

/**
 * Returns the parts of a harmful round to try one after the other; an empty list if each fix alone is known to be harmful, which it
 * records.
 */
function apart(round: readonly Attempt[], { found, skipped, isUnsure }: Regressions): readonly (readonly Attempt[])[] {
  const isHarmful = ({ diagnostic: { vm } }: Attempt): boolean => found.has(vm);
  const isEach = round.length === 1 || (skipped.length === 0 && !isUnsure && round.every(isHarmful));
  if (isEach) {
    const all = [...found.values()].flatMap((rules) => [...rules]);
    for (const { trial, diagnostic } of round) {
      const own = round.length === 1 ? new Set(all) : (found.get(diagnostic.vm) ?? []);
      trial.harms.push({ found: [...own], skipped });
    }
    return [];
  }
  const harmful = round.filter(isHarmful);
  if (harmful.length > 0 && harmful.length < round.length) return [round.filter((one) => !isHarmful(one)), harmful];
  const half = Math.ceil(round.length / 2);
  return [round.slice(0, half), round.slice(half)];
}

function refusedOf(trials: readonly Trial[]): readonly RejectedFix[] {
  return trials.flatMap(({ diagnostic, chosen, harms }) => {
    if (chosen || harms.length === 0) return [];
    const all = (pick: (one: Trial["harms"][number]) => readonly string[]) => [...new Set(harms.flatMap(pick))];
    return [{ diagnostic, found: all(({ found }) => found), skipped: all(({ skipped }) => skipped) }];
  });
}
