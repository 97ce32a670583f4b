import { agreed } from "../advice/agreement.ts";
import { type Diagnostic, SEVERITIES, type Severity, type Skip } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import type { WorkloadGuess, WorkloadKind } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { type Ran, type VmChecker, vmChecker, withoutAdvice } from "./check-vm.ts";
import type { LintedVm, Target } from "./target.ts";

/**
 * Returns a checker that works like `vmChecker` and checks VMs with a guessed workload a second time with it. Additional findings are at
 * most an info, and have the guess.
 */
export function guessingChecker(rules: readonly Rule[]): VmChecker {
  const unless = new Map(rules.map((rule) => [rule.id, rule.unless]));
  const check = vmChecker(rules);
  const quickCheck = vmChecker(rules, withoutAdvice);
  const targets = new WeakMap<NonNullable<Target["selects"]> | Rule[], Map<WorkloadKind, Pick<Target, "selects" | "workload">>>();
  const probably = ({ target, spec, ...rest }: LintedVm, { kind }: WorkloadGuess): LintedVm => {
    const { selects = isNotOptIn } = target;
    const byKind = getOrInsert(targets, selects, () => new Map());
    const changed = getOrInsert(byKind, kind, () => ({
      workload: { kind },
      selects: (rule: Rule) => selects(rule) || speaksFor(rule, kind),
    }));
    return { ...rest, spec, target: { ...target, ...changed } };
  };
  const resultsOf = (vm: LintedVm, checker: VmChecker, ran: Ran = { count: 0 }): readonly (Diagnostic | Skip)[] => {
    const { guess } = vm.target;
    if (!guess) return [...checker(vm, ran)];
    const silent = new Set<Rule>();
    const first = { count: 0, silent };
    const plain = [...checker(vm, first)];
    ran.count += first.count;
    return withGuess(plain, [...checker(probably(vm, guess), { count: 0, leavesOut: silent })], guess, unless);
  };
  return (vm, ran) => {
    const { spec } = vm;
    const results = resultsOf(withoutEdits(vm), check, ran);
    const found = agreed(results.filter(isFinding), spec, (changed, withFixes) =>
      resultsOf(withoutEdits({ ...vm, spec: changed }), withFixes ? check : quickCheck).filter(isFinding),
    );
    return [...results.filter((one) => !isFinding(one)), ...found];
  };
}

/** Every fix is kept until the advice of all findings agrees; then its edits are written. */
const withoutEdits = (vm: LintedVm): LintedVm => ({ ...vm, spec: { ...vm.spec, edit: () => [] } });

const isFinding = (result: Diagnostic | Skip): result is Diagnostic => !("reason" in result);

const isNotOptIn = (rule: Rule): boolean => !rule.optIn;

/** Whether a general rule is part of a workload's preset, because it matters more there. */
const speaksFor = ({ presets = [], optIn }: Rule, kind: WorkloadKind): boolean => !optIn && presets.some((preset) => preset === kind);

/** Joins the findings of a VM with the additional findings for its guessed workload. */
function withGuess(
  plain: readonly (Diagnostic | Skip)[],
  probable: readonly (Diagnostic | Skip)[],
  guess: WorkloadGuess,
  unless: ReadonlyMap<string, Rule["unless"]>,
): readonly (Diagnostic | Skip)[] {
  const known = new Set(plain.flatMap((one) => ("reason" in one ? [] : [placeOf(one)])));
  const more = probable.flatMap((one) => ("reason" in one || known.has(placeOf(one)) ? [] : [guessed(one, guess)]));
  const unanswered = new Set(probable.flatMap((one) => ("reason" in one ? [one.ruleId] : [])));
  const isReplaced = ({ ruleId, severity }: Diagnostic): boolean =>
    more.some((one) => unless.get(ruleId)?.includes(one.ruleId) && SEVERITIES.indexOf(one.severity) <= SEVERITIES.indexOf(severity));
  const left = plain.filter((one) => ("reason" in one ? one.reason !== "no-workload" || unanswered.has(one.ruleId) : !isReplaced(one)));
  return [...left, ...more];
}

const placeOf = ({ ruleId, range }: Diagnostic): string => `${ruleId} ${range.join()}`;

const guessed = (diagnostic: Diagnostic, guess: WorkloadGuess): Diagnostic => ({
  ...diagnostic,
  severity: atMostInfo(diagnostic.severity),
  guess,
});

export const atMostInfo = (severity: Severity): Severity => (severity === "hint" ? "hint" : "info");
