import type { Fix } from "../model/diagnostic.ts";
import type { TextEdit } from "../model/source.ts";
import { allowedFixes, editsOf, type FixOptions, type FoundDiagnostic, type SelectedFix, vmOf } from "./apply.ts";
import { EditedRanges } from "./edited-ranges.ts";
import { isNone, type Regressions, type RejectedFix, regressionsOf, type State } from "./regressions.ts";

/** The result of one pass over the fixes of some texts. */
export interface Pass {
  readonly fixes: readonly SelectedFix[];
  readonly next: State;
  readonly rejected: readonly RejectedFix[];
}

/** A finding, with the state of its fixes. */
interface Trial {
  readonly diagnostic: FoundDiagnostic;
  /** The fixes to try next. */
  remaining: readonly Fix[];
  selected?: Fix;
  readonly harms: Omit<RejectedFix, "diagnostic">[];
}

interface Attempt extends SelectedFix {
  readonly trial: Trial;
}

/**
 * Chooses for each finding the first fix that does no harm together with the chosen fixes. Tries the fixes of one VM in order, and all VMs
 * at once.
 */
export function proveFixes(state: State, check: (edits: readonly TextEdit[]) => State, options: FixOptions): Pass {
  const trials = state.diagnostics.map((diagnostic): Trial => ({ diagnostic, remaining: allowedFixes(diagnostic, options), harms: [] }));
  const edits = new EditedRanges();
  let next = state;
  function settle(round: readonly Attempt[]): void {
    const after = check(editsOf([...chosenOf(trials), ...round]));
    const harm = regressionsOf(next, after, round);
    if (!isNone(harm)) {
      for (const part of splitRound(round, harm)) settle(part);
      return;
    }
    next = after;
    for (const { trial, fix } of round) {
      trial.selected = fix;
      edits.add(fix);
    }
  }
  for (let open: readonly Trial[] = trials; ; ) {
    const messages = new Set(next.diagnostics.map(wordsOf));
    // Earlier fixes may have solved the finding or changed its fixes.
    open = open.filter(({ diagnostic, selected, remaining }) => !selected && remaining.length > 0 && messages.has(wordsOf(diagnostic)));
    const round = roundOf(open, edits);
    if (round.length === 0) return { fixes: chosenOf(trials), next, rejected: refusedOf(trials) };
    settle(round);
  }
}

const chosenOf = (trials: readonly Trial[]): readonly SelectedFix[] =>
  trials.flatMap(({ diagnostic, selected }) => (selected ? [{ diagnostic, fix: selected }] : []));

/** Returns a key that identifies a finding with the same fixes after its position changes. */
const wordsOf = ({ ruleId, vm, message, fixes }: FoundDiagnostic): string =>
  JSON.stringify([ruleId, vm, message, fixes.map(({ title }) => title)]);

/** The next fix of each VM. */
function roundOf(open: readonly Trial[], edits: EditedRanges): readonly Attempt[] {
  const round: Attempt[] = [];
  const vms = new Set<string>();
  const among = new EditedRanges();
  for (const trial of open) {
    const { diagnostic } = trial;
    if (vms.has(vmOf(diagnostic))) continue;
    trial.remaining = trial.remaining.filter((fix) => !edits.conflictsWith(fix));
    const [fix, ...rest] = trial.remaining;
    if (!fix) continue;
    vms.add(vmOf(diagnostic));
    if (among.conflictsWith(fix)) continue;
    among.add(fix);
    trial.remaining = rest;
    round.push({ trial, diagnostic, fix });
  }
  return round;
}

/**
 * Returns the parts of a harmful round to try one after the other; an empty list if each fix alone is known to be harmful, which it
 * records.
 */
function splitRound(round: readonly Attempt[], { newFindings, skipped, isUnsure }: Regressions): readonly (readonly Attempt[])[] {
  const isHarmful = ({ diagnostic }: Attempt): boolean => newFindings.has(vmOf(diagnostic));
  const isEach = round.length === 1 || (skipped.length === 0 && !isUnsure && round.every(isHarmful));
  if (isEach) {
    const newRules = [...newFindings.values()].flatMap((rules) => [...rules]);
    for (const { trial, diagnostic } of round) {
      const rules = round.length === 1 ? new Set(newRules) : (newFindings.get(vmOf(diagnostic)) ?? []);
      trial.harms.push({ newFindings: [...rules], skipped });
    }
    return [];
  }
  const harmful = round.filter(isHarmful);
  if (harmful.length > 0 && harmful.length < round.length) return [round.filter((attempt) => !isHarmful(attempt)), harmful];
  const half = Math.ceil(round.length / 2);
  return [round.slice(0, half), round.slice(half)];
}

function refusedOf(trials: readonly Trial[]): readonly RejectedFix[] {
  return trials.flatMap(({ diagnostic, selected, harms }) => {
    if (selected || harms.length === 0) return [];
    const collect = (pick: (harm: Trial["harms"][number]) => readonly string[]) => [...new Set(harms.flatMap(pick))];
    return [{ diagnostic, newFindings: collect(({ newFindings }) => newFindings), skipped: collect(({ skipped }) => skipped) }];
  });
}
