import type { Diagnostic } from "../model/diagnostic.ts";
import { folderOf, nameOf, pathFrom } from "../model/files.ts";

/** Removes the findings of a text that are in the baseline. */
export type BaselineFilter = (text: string, findings: readonly Diagnostic[]) => readonly Diagnostic[];

/** Returns a filter by path for a baseline. Throws like `parseBaseline` if it is invalid. */
export async function readBaselineFilter(baseline: string, path: string): Promise<(path: string) => BaselineFilter> {
  const { leftOf, hideBaselineFindings, parseBaseline } = await import("../baseline/index.ts");
  const known = parseBaseline(baseline, nameOf(path));
  return (file) => {
    const name = pathFrom(folderOf(path), file);
    const own = known.filter((one) => one.path === name);
    return (text, findings) => hideBaselineFindings(name, text, findings, leftOf(own)).diagnostics;
  };
}
