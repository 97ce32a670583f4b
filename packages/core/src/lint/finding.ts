import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Rule } from "../rules/define.ts";
import { kindsOf } from "../rules/presets.ts";
import { HOMEPAGE } from "../version.ts";
import type { Target } from "./target.ts";

/** Turned off, or not enabled. */
export function isOptedOut(rule: Rule, { severities, selects }: Target): boolean {
  const severity = severities?.[rule.id];
  return severity === "off" || (severity === undefined && !(selects?.(rule) ?? !rule.optIn));
}

/** Off, or about another workload than the declared one. */
export function isSilent(rule: Rule, target: Target): boolean {
  const { workload } = target;
  return isOptedOut(rule, target) || (workload !== undefined && !kindsOf(rule).includes(workload.kind));
}

/** Returns the host and the cluster of a finding. */
export const hostIn = ({ host, cluster }: Target = {}): Pick<Diagnostic, "host" | "cluster" | "assumedOfHost"> => ({
  host: host?.name ?? null,
  ...(cluster && { cluster }),
  ...(host?.assumed && { assumedOfHost: host.assumed }),
});

/** Returns a finding with the cells of its places, if a table describes its VM. In an editor, a cell of another file is at the row of the VM. */
export function inCell(diagnostic: Diagnostic, vm: VmSpec | undefined): Diagnostic {
  if (!vm?.cellAt) return diagnostic;
  const { cellAt, range } = vm;
  const cell = cellAt(diagnostic.range);
  const related = diagnostic.related.map((place) => {
    const of = place.path === undefined ? cellAt(place.range) : undefined;
    return of ? { ...place, cell: of } : place;
  });
  return { ...diagnostic, ...(cell && { cell }), ...(cell?.path !== undefined && { range }), related };
}

/** Returns the severity of a finding after the configuration. */
export function shownSeverity(rule: Rule, own: Severity, { severities }: Target): Severity {
  const given = severities?.[rule.id] ?? "off";
  return given === "off" ? own : given;
}

export const page = (rule: Rule) => ({
  docsUrl: rule.docsUrl ?? docsUrl(rule.id),
  ...(rule.ignorable === false && { ignorable: false as const }),
});

/** Returns the address of a built-in rule's page; empty until vmlint has a site. */
export const docsUrl = (ruleId: string): string => (HOMEPAGE === undefined ? "" : `${HOMEPAGE}/rules/${ruleId}`);

/** Returns the address of a rule's page, or the command that prints it. */
export const pageOrCommand = (ruleId: string, url: string): string => url || `vmlint explain ${ruleId}`;

/** The order of findings inside a file. */
export const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  a.range[0] - b.range[0] || Number(a.ruleId > b.ruleId) - Number(a.ruleId < b.ruleId);
