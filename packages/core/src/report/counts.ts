import { SEVERITIES, type Severity, type Skip, type SkipReason } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { type SettingName, SPEC_SETTINGS } from "../model/spec.ts";
import { names, plural } from "../model/words.ts";
import type { FileResult } from "./result.ts";

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

export const wordOf = (severity: Severity): string => (severity === "info" ? "note" : severity);

/** Returns counts by severity such as `2 errors` and `1 note`, most severe first. */
export function foundWords(results: readonly WithFindings[]): readonly { readonly severity: Severity; readonly words: string }[] {
  const counts = countBySeverity(results);
  const found = SEVERITIES.filter((severity) => counts[severity] > 0);
  return found.map((severity) => ({ severity, words: plural(counts[severity], wordOf(severity)) }));
}

export const checkedVms = (results: readonly FileResult[]): number => results.reduce((total, { vmCount }) => total + vmCount, 0);

export const checkedFiles = (results: readonly FileResult[]): number => results.filter(({ isConfig = false }) => !isConfig).length;

/** Returns the number of checked VMs and files: `14 VMs (12 files)`. */
export const scopeWords = (results: readonly FileResult[]): string =>
  `${plural(checkedVms(results), "VM")} (${plural(checkedFiles(results), "file")})`;

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

/** Returns why a check was skipped, and how to enable it. */
const ADVICE: Readonly<Record<SkipReason, string>> = {
  "no-host": "no host is known. Use --host, or add hosts: to vmlint.yaml",
  "no-esxi-version": "the ESXi version of the host is missing. Add esxi: to the host, or @8.0 to the short form",
  "host-incomplete": "facts about the host are missing. Add cpu:, mhz: or memoryGiB: (nodes with unequal memory stay unknown)",
  "no-workload": "no workload is declared. Add workload: to vmlint.yaml, or a # vmlint: comment",
  "workload-incomplete": "facts about the workload are missing. Declare edition, version and licensing",
  "unknown-value": "a value is unknown (data source, variable, template or contradiction)",
  "not-esxi": "the rule is for ESXi, and the VM is for another platform",
  "no-power-on": "ESXi will not power on the VM. See vmlint topology",
  "layout-unknown": "no source documents this layout. See vmlint topology",
  "placement-unknown": "list the VMs that share a host under runs:, or use --together",
  "rule-failed": "the rule failed",
};

/** Returns one line for each reason of skipped checks, with the way to enable them. */
export function skipLines(results: readonly FileResult[]): string[] {
  const totals = new Map<SkipReason, number>();
  for (const { reason, count } of byReason(results)) totals.set(reason, (totals.get(reason) ?? 0) + count);
  const lines = [...totals].map(([reason, count]) => `${plural(count, CHECKS[reason] ?? "check")} skipped: ${ADVICE[reason]}.`);
  return [...lines, ...neededLines(results)];
}

/** Most lines about settings that skipped checks need. */
const MOST_NEEDED = 3;

/** The settings that would bring most of the skipped checks back, and how to state them. */
function neededLines(results: readonly FileResult[]): readonly string[] {
  const counts = new Map<string, { readonly needs: readonly SettingName[]; count: number }>();
  for (const { needs = [], count } of skipCounts(results)) {
    if (needs.length > 0) getOrInsert(counts, needs.join(), () => ({ needs, count: 0 })).count += count;
  }
  const most = [...counts.values()].sort((a, b) => b.count - a.count || a.needs.length - b.needs.length).slice(0, MOST_NEEDED);
  return most.map(({ needs, count }) => {
    const canAssume = needs.every((name) => SPEC_SETTINGS.some((one) => one === name));
    const words = names(canAssume ? needs : needs.map((name) => SETTING_WORDS[name]));
    const how = canAssume ? `: set ${needs.length > 1 ? "them" : "it"} under assume: in vmlint.yaml` : "";
    return `${plural(count, "check")} ${count === 1 ? "needs" : "need"} ${words}${how}.`;
  });
}

const CHECKS: Partial<Record<SkipReason, string>> = { "placement-unknown": "capacity check" };

/** Returns a line with the number of suppressed findings; an empty list if there are none. */
export function suppressedLine(results: readonly FileResult[]): string[] {
  const all = results.flatMap(({ suppressed = [] }) => suppressed);
  const parts = (["comment", "config", "baseline"] as const)
    .map((by) => [all.filter((one) => one.by === by).length, HIDDEN[by]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  return parts.length > 0 ? [`${plural(all.length, "finding")} hidden: ${parts.join(", ")}.`] : [];
}

const HIDDEN = { comment: "by comment", config: "by suppress: in the configuration", baseline: "in the baseline" } as const;
