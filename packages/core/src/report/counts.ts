import { SEVERITIES, type Severity, type Skip, type SkipReason } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { plural } from "../model/words.ts";
import type { FileResult } from "./result.ts";

export type Counts = Record<Severity, number>;

/** Findings, of one file or of several. */
interface Found {
  readonly diagnostics: readonly { readonly severity: Severity }[];
}

export function countBySeverity(results: readonly Found[]): Counts {
  const counts: Counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { diagnostics } of results) for (const { severity } of diagnostics) counts[severity]++;
  return counts;
}

/** A severity as people call it. */
export const wordOf = (severity: Severity): string => (severity === "info" ? "note" : severity);

/** What was found, `2 errors` and `1 note`, the gravest first. */
export function foundWords(results: readonly Found[]): readonly { readonly severity: Severity; readonly words: string }[] {
  const counts = countBySeverity(results);
  const found = SEVERITIES.filter((severity) => counts[severity] > 0);
  return found.map((severity) => ({ severity, words: plural(counts[severity], wordOf(severity)) }));
}

/** How many VMs were checked. */
export const checkedVms = (results: readonly FileResult[]): number => results.reduce((total, { vmCount }) => total + vmCount, 0);

/** How many files were checked. */
export const checkedFiles = (results: readonly FileResult[]): number => results.filter(({ isConfig = false }) => !isConfig).length;

/** What was checked: `14 VMs (12 files)`. */
export const scopeWords = (results: readonly FileResult[]): string =>
  `${plural(checkedVms(results), "VM")} (${plural(checkedFiles(results), "file")})`;

/** Whether a run found something at or above a severity. */
export function foundAtLeast(results: readonly Found[], threshold: Severity): boolean {
  const counts = countBySeverity(results);
  return SEVERITIES.slice(0, SEVERITIES.indexOf(threshold) + 1).some((severity) => counts[severity] > 0);
}

/** Skipped checks by rule and reason, in the order rules and reasons were first met. */
export function byReason(results: readonly FileResult[]): (Skip & { count: number })[] {
  // Of the same skips there is one list where a cache has them, and mostly one object: quicker to tell than a name.
  const lists = new Map<readonly Skip[], number>();
  for (const { skipped } of results) lists.set(skipped, (lists.get(skipped) ?? 0) + 1);
  const objects = new Map<Skip, number>();
  for (const [list, count] of lists) for (const skip of list) objects.set(skip, (objects.get(skip) ?? 0) + count);
  const rules = new Map<string, Map<SkipReason, Skip & { count: number }>>();
  for (const [{ ruleId, reason }, count] of objects) {
    const reasons = getOrInsert(rules, ruleId, () => new Map());
    getOrInsert(reasons, reason, () => ({ ruleId, reason, count: 0 })).count += count;
  }
  return [...rules.values()].flatMap((reasons) => [...reasons.values()]);
}

const ADVICE: Readonly<Record<SkipReason, readonly [one: string, many: string, advice: string]>> = {
  "no-host": ["check needs a host", "checks need a host", "pass --host or add hosts: to vmlint.yaml"],
  "no-esxi-version": [
    "check needs the host's ESXi version",
    "checks need the host's ESXi version",
    "add @8.0 to the short form or esxi: to the host",
  ],
  "host-incomplete": [
    "check needs more of the host",
    "checks need more of the host",
    "add its cpu:, mhz: or memoryGiB:, unless its NUMA nodes have unequal memory",
  ],
  "no-workload": ["check needs a workload", "checks need a workload", "add workload: to vmlint.yaml or a # vmlint: comment"],
  "workload-incomplete": [
    "check needs more of the workload",
    "checks need more of the workload",
    "declare its edition, version and licensing",
  ],
  "unknown-value": [
    "check met a value that is not known yet",
    "checks met values that are not known yet",
    "vmlint does not guess templates or contradictions",
  ],
  "not-esxi": ["check is for ESXi alone", "checks are for ESXi alone", "the file was written for Workstation or Fusion"],
  "no-power-on": ["check met a VM that cannot start", "checks met VMs that cannot start", "see vmlint topology"],
  "layout-unknown": [
    "check met a layout that no source decides",
    "checks met layouts that no source decides",
    "vmlint topology says what is open",
  ],
  "placement-unknown": [
    "check would speak if the VMs of a host shared one machine",
    "checks would speak if the VMs of a host shared one machine",
    "name them under runs: of the host, or pass --together",
  ],
  "rule-failed": ["check failed", "checks failed", "the plugin that its rule is from is at fault"],
};

/** One line for each reason checks were skipped, with what to do about it. */
export function skipLines(results: readonly FileResult[]): string[] {
  const totals = new Map<SkipReason, number>();
  for (const { reason, count } of byReason(results)) totals.set(reason, (totals.get(reason) ?? 0) + count);
  return [...totals].map(([reason, count]) => {
    const [one, many, advice] = ADVICE[reason];
    return `${count} ${count === 1 ? one : many}: ${advice}.`;
  });
}

/** How many findings are hidden, and by what; nothing where none are. */
export function suppressedLine(results: readonly FileResult[]): string[] {
  const all = results.flatMap(({ suppressed = [] }) => suppressed);
  const parts = (["comment", "config", "baseline"] as const)
    .map((by) => [all.filter((one) => one.by === by).length, HIDDEN[by]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  return parts.length > 0 ? [`${plural(all.length, "finding")} hidden: ${parts.join(", ")}.`] : [];
}

const HIDDEN = { comment: "by comment", config: "by suppress: in the configuration", baseline: "in the baseline" } as const;
