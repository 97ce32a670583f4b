import type { Diagnostic } from "../model/diagnostic.ts";
import { folderOf, nameOf, pathFrom } from "../model/files.ts";

/** The findings of a text that are not known, by a baseline. */
export type LeaveKnown = (text: string, findings: readonly Diagnostic[]) => readonly Diagnostic[];

/** What a baseline says of the files by their paths. Throws as `parseBaseline` where it cannot be read. */
export async function readKnown(baseline: string, path: string): Promise<(path: string) => LeaveKnown> {
  const { leftOf, hideKnown, parseBaseline } = await import("../baseline/index.ts");
  const known = parseBaseline(baseline, nameOf(path));
  return (file) => {
    const name = pathFrom(folderOf(path), file);
    const own = known.filter((one) => one.path === name);
    return (text, findings) => hideKnown(name, text, findings, leftOf(own)).diagnostics;
  };
}
