import { SEVERITIES, type Severity, type Skip, type SkipReason } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { plural } from "../model/words.ts";
import type { FileResult } from "./result.ts";
import { vmKeys } from "./subject.ts";

export type Counts = Record<Severity, number>;

/** Results with findings, of one file or several. */
interface WithFindings {
  readonly diagnostics: readonly { readonly severity: Severity }[];
}

export function countBySeverity(results: readonly WithFindings[]): Counts {
  const counts: Counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { diagnostics } of results) for (const { severity } of diagnostics) counts[severity]++;
  return counts;
}

/** Returns counts by severity such as `2 errors` and `1 info`, most severe first. */
export function foundWords(results: readonly WithFindings[]): readonly { readonly severity: Severity; readonly words: string }[] {
  const counts = countBySeverity(results);
  const present = SEVERITIES.filter((severity) => counts[severity] > 0);
  return present.map((severity) => ({ severity, words: plural(counts[severity], severity) }));
}

/** Counts the VMs and the hosts with findings, each once. A finding about a host is not one of its VMs. */
export function subjectsFound(results: readonly FileResult[]) {
  const [vms, hosts] = [new Set<string>(), new Set<string>()];
  for (const { path, diagnostics } of results)
    for (const diagnostic of diagnostics) {
      if (diagnostic.vm === null && diagnostic.subject) hosts.add(diagnostic.subject.name);
      else for (const vm of vmKeys(path, diagnostic)) vms.add(vm);
    }
  return { vmsWithFindings: vms.size, hostsWithFindings: hosts.size };
}

export const checkedVms = (results: readonly FileResult[]): number => results.reduce((total, { vmCount }) => total + vmCount, 0);

export const checkedFiles = (results: readonly FileResult[]): number => results.filter(({ isContext = false }) => !isContext).length;

/** Returns the number of checked VMs and files: `14 VMs (12 files)`. */
export const scopeWords = (results: readonly FileResult[]): string =>
  `${plural(checkedVms(results), "VM")} (${plural(checkedFiles(results), "file")})`;

/** Returns the verdict of a run without findings. */
export const verdictWithout = (results: readonly FileResult[], isOpen: boolean): string =>
  checkedVms(results) === 0 ? "No checks ran" : isOpen ? "Nothing found so far" : "Nothing to report";

/** Whether a run has a finding of at least this severity. */
export function foundAtLeast(results: readonly WithFindings[], threshold: Severity): boolean {
  const counts = countBySeverity(results);
  return SEVERITIES.slice(0, SEVERITIES.indexOf(threshold) + 1).some((severity) => counts[severity] > 0);
}

/** Counts skipped checks by rule and reason, in the order of their first occurrence. */
export function byReason(results: readonly FileResult[]): (Skip & { count: number })[] {
  const rules = new Map<string, Map<SkipReason, Skip & { count: number }>>();
  for (const { ruleId, reason, count } of skipCounts(results)) {
    const reasons = getOrInsert(rules, ruleId, () => new Map());
    getOrInsert(reasons, reason, () => ({ ruleId, reason, count: 0 })).count += count;
  }
  return [...rules.values()].flatMap((reasons) => [...reasons.values()]);
}

/** Returns the distinct skipped checks with their numbers. */
function skipCounts(results: readonly FileResult[]): readonly (Skip & { readonly count: number })[] {
  // With a cache, many results share the same list, and comparing objects is faster than comparing names.
  const lists = new Map<readonly Skip[], number>();
  for (const { skipped } of results) lists.set(skipped, (lists.get(skipped) ?? 0) + 1);
  const objects = new Map<Skip, number>();
  for (const [list, count] of lists) for (const skip of list) objects.set(skip, (objects.get(skip) ?? 0) + count);
  return [...objects].map(([skip, count]) => ({ ...skip, count }));
}

/** Returns a line with the number of suppressed findings; an empty list if there are none. */
export function suppressedLine(results: readonly FileResult[]): string[] {
  const all = results.flatMap(({ suppressed = [] }) => suppressed);
  const parts = (["comment", "config", "baseline"] as const)
    .map((by) => [all.filter((item) => item.by === by).length, HIDDEN[by]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  return parts.length > 0 ? [`${plural(all.length, "finding")} hidden: ${parts.join(", ")}.`] : [];
}

/** `fixed`: the fixes that a run applied, or named as refused. `isShown`: a diff shows every fix. */
interface FixedRun {
  readonly fixed?: "safe" | "all" | undefined;
  readonly isShown?: boolean | undefined;
}

/** Returns a line that counts the findings with a fix, and names the options that show and apply these; an empty list if there are none. */
export function fixLine(results: readonly FileResult[], { fixed, isShown }: FixedRun = {}): string[] {
  const fixable = results.flatMap(({ diagnostics }) => diagnostics.filter(({ fixes }) => fixes.length > 0));
  const safe = fixable.filter(({ fixes }) => fixes.some(({ safety }) => safety === "safe")).length;
  const reshaping = fixable.length - safe;
  // After --fix, each remaining safe fix was refused.
  const left = fixed === "all" ? 0 : fixed === "safe" ? reshaping : fixable.length;
  if (left === 0) return [];
  const it = (count: number): string => (count === 1 ? "it" : "them");
  const changes = `${reshaping === 1 ? "changes" : "change"} how the VM runs`;
  const count = `${left} ${left === 1 ? "fix" : "fixes"}`;
  const what = reshaping === 0 ? count : reshaping === left ? `${count} ${changes}` : `${count}, and ${reshaping} of them ${changes}`;
  const how = [
    ...(isShown ? [] : [`--diff shows ${it(left)}`]),
    ...(left === reshaping ? [] : [`--fix applies ${reshaping === 0 ? it(left) : safe === 1 ? "the other one" : `the other ${safe}`}`]),
    ...(reshaping === 0 ? [] : [`--fix-unsafe applies ${left === reshaping ? it(left) : "all"}`]),
  ];
  return [`${what}: ${how.join(", ")}.`];
}

const HIDDEN = { comment: "by comment", config: "by suppress: in the configuration", baseline: "in the baseline" } as const;
