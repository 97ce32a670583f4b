import type { Format } from "../formats/format.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import type { FileContext } from "../model/files.ts";
import { checkHost } from "../model/host.ts";
import { getOrInsert, grouped } from "../model/maps.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Problem } from "../model/problem.ts";
import type { VariantOfVm, VmSpec } from "../model/spec.ts";
import { names } from "../model/words.ts";
import type { Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";
import { lintedVm } from "./assume.ts";
import { importChecker } from "./check-import.ts";
import { clusterChecker } from "./check-on-cluster.ts";
import { type CountingChecker, sharingChecker } from "./equal-vms.ts";
import { byPlace, hostIn, inCell, page } from "./finding.ts";
import type { LintedVm, Severities, Target } from "./target.ts";

export interface LintOptions {
  /** The bytes of the file, if each character is one byte: see `Format.parse`. */
  readonly bytes?: Uint8Array | undefined;
  /** The location of the text, with access to other files: see `Format.parse`. */
  readonly context?: FileContext | undefined;
  /** The format of the text; `defaultFormat` by default. */
  readonly format?: Format | undefined;
  readonly target?: Target | ((vm: VmSpec) => Target) | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** Returns the severities for findings of a text without VMs. */
  readonly severities?: (() => Severities) | undefined;
  /** Selects the VMs for the result; all by default. */
  readonly keeps?: ((vm: LintedVm) => boolean) | undefined;
}

export interface LintResult {
  readonly vms: readonly LintedVm[];
  /** The number of VMs, if the list is not complete. */
  readonly vmCount?: number | undefined;
  /** The number of checks that ran: each rule that applies to a VM is one. */
  readonly ran?: number | undefined;
  /** Sorted by place, then by rule. */
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
  /** Why the file does not define a VM; the result is then empty. */
  readonly foreign: string | undefined;
  /** Fixes that would change more than their findings cover; missing if there are none. */
  readonly withheld?: readonly Withheld[] | undefined;
}

/** A fix that is not proposed, because other values come from the place that it would change. */
export interface Withheld {
  readonly diagnostic: Diagnostic;
  readonly safety: Fix["safety"];
  /** The path of the file with that place, if it is not the finding's own. */
  readonly path?: string;
}

/** How safe the safest of some fixes is. */
export function safest(fixes: readonly Fix[]): Fix["safety"] | undefined {
  const [first] = fixes;
  return (fixes.find(({ safety }) => safety === "safe") ?? first)?.safety;
}

/** The second half of `lint`, for an already parsed text. */
export function lintParsed(
  { vms, problems, foreign }: Parsed<Iterable<VmSpec>>,
  { target = {}, rules = builtin, keeps = () => true, severities }: Omit<LintOptions, "bytes" | "beside" | "format">,
): LintResult {
  const diagnostics: Diagnostic[] = [];
  const skipped: Skip[] = [];
  const kept: LintedVm[] = [];
  let vmCount = 0;
  const ran = { count: 0 };
  let first: LintedVm | undefined;

  const say = ({ related = [], fix, range, ...problem }: Problem, of?: LintedVm): void => {
    const rule = rules.find(({ id }) => id === problem.ruleId);
    if (!rule) return;
    const given = first ? first.target.severities : severities?.();
    const severity = given?.[problem.ruleId] ?? rule.severities?.[problem.messageId] ?? rule.severity;
    if (severity === "off") return;
    const fixes = fix ? [{ ...fix, safety: "safe" as const }] : [];
    const found = { ...problem, severity, message: rule.word(problem), related };
    // With several VMs in a file, a problem of the text has no particular VM.
    const only = vmCount === 1 ? first : undefined;
    const about = only ?? of;
    const vm = about?.spec.name ?? null;
    diagnostics.push(inCell({ ...found, range, fixes, vm, ...hostIn(about?.target), ...page(rule) }, about?.spec));
  };
  const problemsOfAll: (readonly [problem: Problem, of?: LintedVm])[] = problems.map((problem) => [problem]);
  const isNew = firstOccurrences();
  const variants = findingsOfVariants();
  const check = checkerOf(rules);
  for (const spec of vms) {
    const vm = lintedVm(spec, typeof target === "function" ? target(spec) : target);
    vmCount++;
    first ??= vm;
    if (vm.target.host) checkHost(vm.target.host);
    if (keeps(vm)) kept.push(vm);
    for (const problem of vm.target.problems ?? []) problemsOfAll.push([problem]);
    for (const problem of spec.problems ?? []) problemsOfAll.push([problem, vm]);
    for (const result of check(vm, ran)) {
      if ("reason" in result) skipped.push(result);
      else if (spec.variant) variants.add(spec, spec.variant, result);
      else if (isNew(spec, result)) diagnostics.push(inCell(result, spec));
    }
  }
  diagnostics.push(...variants.findings());
  // Several VMs may use one value, and several options of a package have the same items.
  const places = grouped(problemsOfAll, ([{ ruleId, messageId, range }]) => [ruleId, messageId, ...range].join("\n"));
  for (const [[problem, of] = [], ...others] of places.values()) if (problem) say(problem, others.length === 0 ? of : undefined);
  diagnostics.sort(byPlace);
  return { vms: kept, vmCount, ran: ran.count, diagnostics, skipped, foreign };
}

/** Returns a filter that keeps a finding of several deployment options only for the first. */
function firstOccurrences(): (vm: VmSpec, diagnostic: Diagnostic) => boolean {
  let machine: VmSpec | undefined;
  let messages = new Set<string>();
  return (vm, { ruleId, message, range, host }) => {
    if (machine !== (vm.choiceOf ?? vm)) [machine, messages] = [vm.choiceOf ?? vm, new Set()];
    const before = messages.size;
    return messages.add([ruleId, host, ...range, message].join("\n")).size > before;
  };
}

/** Joins the findings that several variants of a VM share. If only some variants have a finding, it lists them. */
function findingsOfVariants() {
  const found = new Map<VmSpec, Map<string, { readonly diagnostic: Diagnostic; readonly names: string[]; readonly of: number }>>();
  const add = (vm: VmSpec, { name, of }: VariantOfVm, diagnostic: Diagnostic): void => {
    const { ruleId, messageId, severity, message, range, host } = diagnostic;
    const ofVm = getOrInsert(found, vm.choiceOf ?? vm, () => new Map());
    const key = [ruleId, messageId, severity, host, ...range, message].join("\n");
    getOrInsert(ofVm, key, () => ({ diagnostic, names: [], of })).names.push(name);
  };
  const findings = (): readonly Diagnostic[] =>
    [...found.values()].flatMap((ofVm) =>
      [...ofVm.values()].map(({ diagnostic, names: all, of }) => {
        const variants = [...new Set(all)];
        return variants.length === of
          ? { ...diagnostic, variants }
          : { ...diagnostic, variants, message: `With ${names(variants)}: ${diagnostic.message}` };
      }),
    );
  return { add, findings };
}

const checkers = new WeakMap<readonly Rule[], CountingChecker>();

const checkerOf = (rules: readonly Rule[]): CountingChecker =>
  getOrInsert(checkers, rules, () => {
    const check = sharingChecker(clusterChecker(rules));
    const checkImport = importChecker(rules);
    return (vm, ran) => [...check(vm, ran), ...checkImport(vm, ran)];
  });
