import { type Diagnostic, SEVERITIES } from "../model/diagnostic.ts";
import { addTo } from "../model/maps.ts";
import type { FileResult } from "./result.ts";

/** A finding with its file. */
export interface FindingInFile {
  readonly file: FileResult;
  readonly diagnostic: Diagnostic;
}

/** Equal findings: one message about several VMs. The first stands for all. */
export type Entry = readonly [FindingInFile, ...FindingInFile[]];

/** Returns the findings of a run, the most severe first, with equal findings in one entry. */
export function entriesOf(results: readonly FileResult[]): readonly Entry[] {
  const groups = new Map<string, FindingInFile[]>();
  for (const severity of SEVERITIES) {
    for (const file of results) {
      for (const diagnostic of file.diagnostics)
        if (diagnostic.severity === severity) addTo(groups, keyOf(diagnostic), { file, diagnostic });
    }
  }
  return [...groups.values()] as unknown as readonly Entry[]; // addTo never leaves a group empty.
}

/** Findings that differ only in their VM and place are equal. */
const keyOf = ({ severity, ruleId, message, host, fixes, related }: Diagnostic): string =>
  [severity, ruleId, host, message, ...fixes.map(({ title }) => title), ...related.map((place) => place.message)].join("\n");
