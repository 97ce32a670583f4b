import type { Severity, SkipReason } from "../../model/diagnostic.ts";
import { getOrInsert } from "../../model/maps.ts";
import { byReason } from "../counts.ts";
import type { FileResult } from "../result.ts";

/** Returns the number of findings and skipped checks of each rule, with the reasons. */
export function statsText(results: readonly FileResult[]): string {
  const found = new Map<string, Map<Severity | SkipReason, number>>();
  const add = (ruleId: string, outcome: Severity | SkipReason, count: number): void => {
    const counts = getOrInsert(found, ruleId, () => new Map());
    counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  };
  for (const { diagnostics } of results) for (const { ruleId, severity } of diagnostics) add(ruleId, severity, 1);
  for (const { ruleId, reason, count } of byReason(results)) add(ruleId, reason, count);
  const width = Math.max(0, ...[...found.keys()].map(({ length }) => length));
  const rows = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return rows
    .map(([id, counts]) => `${id.padEnd(width)}  ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}\n`)
    .join("");
}
