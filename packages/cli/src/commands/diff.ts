import type { Severity } from "@vmlint/core";
import { type Paint, type Palette, plural, printable } from "@vmlint/core/program";
import { jsonAnswer, usage } from "../args/command-output.ts";
import { type Report, readReport } from "./report-file.ts";

type Finding = Report["diagnostics"][number];

/** The difference of two reports. */
interface ReportDiff {
  readonly added: readonly Finding[];
  readonly gone: readonly Finding[];
  readonly unchanged: number;
  /** Rules of gone findings whose checks were skipped more often than before. */
  readonly skipped: readonly { readonly ruleId: string; readonly more: number }[];
}

/** Compares two reports of `--format json`. A finding keeps its identity if its line or the host of its VM changes. */
export function diffReports([older, newer, ...others]: readonly string[], cwd: string): ReportDiff {
  if (older === undefined || newer === undefined || others.length > 0)
    throw usage("vmlint diff takes two reports, the older one first: vmlint diff old.json new.json.");
  const [before, after] = [readReport(older, cwd), readReport(newer, cwd)];
  // Findings with the same words first. Other findings may have new numbers.
  const exact = without(before.diagnostics, after.diagnostics, ({ message, ...one }) => `${keyOf(one)}\n${message}`);
  const rest = without(exact.before, exact.after, keyOf);
  const goneRules = new Set(rest.before.map(({ ruleId }) => ruleId));
  const skips = ({ skipped }: Report, rule: string): number =>
    skipped.reduce((sum, { ruleId, count }) => sum + (ruleId === rule ? count : 0), 0);
  const skipped = [...goneRules].sort().map((ruleId) => ({ ruleId, more: skips(after, ruleId) - skips(before, ruleId) }));
  return {
    added: rest.after,
    gone: rest.before,
    unchanged: after.diagnostics.length - rest.after.length,
    skipped: skipped.filter(({ more }) => more > 0),
  };
}

const keyOf = ({ path, ruleId, vm }: Omit<Finding, "message">): string => JSON.stringify([path, ruleId, vm]);

/** Takes away pairs of findings with the same key. */
function without(before: readonly Finding[], after: readonly Finding[], key: (finding: Finding) => string) {
  const counts = new Map<string, number>();
  for (const finding of before) counts.set(key(finding), (counts.get(key(finding)) ?? 0) + 1);
  const pairs = new Map<string, number>();
  const take = (left: Map<string, number>, name: string): boolean => {
    const count = left.get(name) ?? 0;
    if (count > 0) left.set(name, count - 1);
    return count > 0;
  };
  const added = after.filter((finding) => {
    const name = key(finding);
    const isPaired = take(counts, name);
    if (isPaired) pairs.set(name, (pairs.get(name) ?? 0) + 1);
    return !isPaired;
  });
  return { before: before.filter((finding) => !take(pairs, key(finding))), after: added };
}

export const diffJson = ({ added, gone, unchanged, skipped }: ReportDiff): string =>
  jsonAnswer({ added: added.map(brief), gone: gone.map(brief), unchanged, skipped });

const brief = ({ path, range, ruleId, severity, message, vm = null }: Finding) => ({
  path,
  line: range?.start.line ?? null,
  ruleId,
  severity,
  message,
  vm,
});

export function diffText({ added, gone, unchanged, skipped }: ReportDiff, palette: Palette): string {
  const paint: Readonly<Record<Severity, Paint>> = { error: palette.red, warning: palette.yellow, info: palette.blue, hint: palette.dim };
  const lineOf = ({ path, range, ruleId, severity, message, vm }: Finding): string => {
    const place = `${path}${range ? `:${range.start.line}` : ""}${vm ? `  ${vm}` : ""}`;
    return `  ${paint[severity](severity)} ${ruleId} ${printable(place)}\n    ${printable(message)}\n`;
  };
  const part = (title: string, findings: readonly Finding[]): string =>
    findings.length === 0 ? "" : `${palette.bold(title)}\n${findings.map(lineOf).join("")}\n`;
  const notes = skipped.map(
    ({ ruleId, more }) => `${ruleId} was skipped for ${plural(more, "more check")} than before: a finding may be gone for this reason.\n`,
  );
  const sum = `${plural(added.length, "new finding")}, ${gone.length} gone, ${unchanged} unchanged.\n`;
  return `${part("New", added)}${part("Gone", gone)}${sum}${notes.join("")}`;
}
