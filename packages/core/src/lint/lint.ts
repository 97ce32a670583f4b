import type { Format } from "../formats/format.ts";
import { defaultFormat } from "../formats/index.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import type { Beside } from "../model/files.ts";
import { checkHost } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Problem } from "../model/problem.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";
import { guessingChecker } from "./check-guess.ts";
import type { VmChecker } from "./check-vm.ts";
import { byPlace, hostIn, page } from "./finding.ts";
import type { LintedVm, Severities, Target } from "./target.ts";

export interface LintOptions {
  /** The file's bytes, where there is one for each character of the text: see `Format.parse`. */
  readonly bytes?: Uint8Array | undefined;
  /** Where the text lies, and what may be read there: see `Format.parse`. */
  readonly beside?: Beside | undefined;
  /** How the text is written; `defaultFormat` when not said. */
  readonly format?: Format | undefined;
  readonly target?: Target | ((vm: VmSpec) => Target) | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** The severities of rules about a text in which there is no VM. */
  readonly severities?: (() => Severities) | undefined;
  /** Which VMs the result lists; all when not said. */
  readonly keeps?: ((vm: LintedVm) => boolean) | undefined;
}

export interface LintResult {
  readonly vms: readonly LintedVm[];
  /** How many VMs there are, where not all are listed. */
  readonly vmCount?: number | undefined;
  /** Sorted by place, then by rule. */
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
  /** Why the file is no VM definition; nothing else is then reported. */
  readonly foreign: string | undefined;
  /** Fixes that would change more than what their findings are about; missing where there are none. */
  readonly withheld?: readonly Withheld[] | undefined;
}

/** A fix that is not proposed: other values are taken from the place that it would change. */
export interface Withheld {
  readonly diagnostic: Diagnostic;
  readonly safety: Fix["safety"];
  /** The file with that place; missing where it is the finding's own. */
  readonly path?: string;
}

/** Checks one text by itself; suppressions are left to the caller. */
export function lintText(text: string, options: LintOptions = {}): LintResult {
  const { format = defaultFormat, bytes, beside } = options;
  const parsed = (options.keeps && format.parseEach?.(text)) ?? format.parse(text, bytes, beside);
  const result = lintParsed(parsed, options);
  return parsed.users ? forAll(result, parsed.users) : result;
}

/** How safe the safest of some fixes is. */
export const safest = (fixes: readonly Fix[]): Fix["safety"] | undefined =>
  (fixes.find(({ safety }) => safety === "safe") ?? fixes[0])?.safety;

/** Findings with those of their fixes that are proposed for every VM that they would change. */
function forAll(result: LintResult, users: (range: Range) => number): LintResult {
  const keyOf = (ruleId: string, { title, edits }: Fix): string => JSON.stringify([ruleId, title, edits]);
  const proposed = new Map<string, number>();
  for (const { ruleId, fixes } of result.diagnostics)
    for (const key of fixes.map((fix) => keyOf(ruleId, fix))) proposed.set(key, (proposed.get(key) ?? 0) + 1);
  const withheld: Withheld[] = [];
  const diagnostics = result.diagnostics.map((one) => {
    const count = (fix: Fix): number => proposed.get(keyOf(one.ruleId, fix)) ?? 0;
    const found = { ...one, fixes: one.fixes.filter((fix) => fix.edits.every(({ range }) => users(range) <= count(fix))) };
    const safety = safest(one.fixes);
    // Where there is another that is as safe, nobody misses these.
    if (safety && safety !== safest(found.fixes)) withheld.push({ diagnostic: found, safety });
    return found;
  });
  return { ...result, diagnostics, ...(withheld.length > 0 && { withheld }) };
}

/** The second half of `lint`, for what was parsed elsewhere. */
export function lintParsed(
  { vms, problems, foreign }: Parsed<Iterable<VmSpec>>,
  { target = {}, rules = builtin, keeps = () => true, severities }: Omit<LintOptions, "bytes" | "beside" | "format">,
): LintResult {
  const diagnostics: Diagnostic[] = [];
  const skipped: Skip[] = [];
  const kept: LintedVm[] = [];
  let vmCount = 0;
  let first: LintedVm | undefined;

  const say = ({ related = [], fix, range, ...problem }: Problem): void => {
    const rule = rules.find(({ id }) => id === problem.ruleId);
    const own = rule?.severities?.[problem.messageId] ?? rule?.severity;
    const given = first ? first.target.severities : severities?.();
    const severity = given?.[problem.ruleId] ?? own;
    if (!rule || severity === undefined || severity === "off") return;
    const fixes = fix ? [{ ...fix, safety: "safe" as const }] : [];
    const found = { ...problem, severity, message: rule.word(problem), related };
    // Of several VMs in one file it is about none in particular.
    const only = vmCount === 1 ? first : undefined;
    diagnostics.push({ ...found, range, fixes, vm: only?.spec.name ?? null, ...hostIn(only?.target), ...page(rule) });
  };
  const problemsOfAll = [...problems];
  const isNew = unsaid();
  const check = checkerOf(rules);
  for (const spec of vms) {
    const vm = { spec, target: typeof target === "function" ? target(spec) : target };
    vmCount++;
    first ??= vm;
    if (vm.target.host) checkHost(vm.target.host);
    if (keeps(vm)) kept.push(vm);
    // A comment in the file is about all shapes of a machine.
    if (!spec.choiceOf) for (const problem of vm.target.problems ?? []) problemsOfAll.push(problem);
    if (spec.problems) problemsOfAll.push(...spec.problems);
    for (const said of check(vm)) {
      if ("reason" in said) skipped.push(said);
      else if (isNew(spec, said)) diagnostics.push(said);
    }
  }
  problemsOfAll.forEach(say);
  diagnostics.sort(byPlace);
  return { vms: kept, vmCount, diagnostics, skipped, foreign };
}

/** What is found in several shapes of one machine, which come one behind the other, is said once, of the first of them. */
function unsaid(): (vm: VmSpec, diagnostic: Diagnostic) => boolean {
  let machine: VmSpec | undefined;
  let said = new Set<string>();
  return (vm, { ruleId, message, range, host }) => {
    if (machine !== (vm.choiceOf ?? vm)) [machine, said] = [vm.choiceOf ?? vm, new Set()];
    const before = said.size;
    return said.add([ruleId, host, ...range, message].join("\n")).size > before;
  };
}

const checkers = new WeakMap<readonly Rule[], VmChecker>();

const checkerOf = (rules: readonly Rule[]): VmChecker => getOrInsert(checkers, rules, () => guessingChecker(rules));
