import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import type { Range } from "../model/source.ts";
import type { OpenDocument } from "./document.ts";

/** One fix that can be chosen at a place. */
export interface Action {
  readonly title: string;
  readonly fix: Fix;
  readonly finding: Diagnostic;
}

const touches = ([start, end]: Range, [from, to]: Range): boolean => start <= to && from <= end;

/** The fixes of the findings that a selection touches. */
export const actionsAt = ({ result }: OpenDocument, selection: Range): readonly Action[] =>
  result.diagnostics
    .filter(({ range }) => touches(range, selection))
    .flatMap((finding) => finding.fixes.map((fix) => ({ title: titleOf(fix), fix, finding })));

/** An unsafe fix says so where it is chosen: it changes how the VM runs. */
const titleOf = ({ title, safety }: Fix): string => (safety === "safe" ? title : `${title} (changes how the VM runs)`);

/** The safe fixes of a document that do not touch each other, as one list of edits. */
export function safeFixes({ result }: OpenDocument): readonly Fix[] {
  const taken: Fix[] = [];
  for (const { fixes } of result.diagnostics) {
    const fix = fixes.find(({ safety }) => safety === "safe");
    if (fix && !taken.some((other) => other.edits.some((a) => fix.edits.some((b) => touches(a.range, b.range))))) taken.push(fix);
  }
  return taken;
}
