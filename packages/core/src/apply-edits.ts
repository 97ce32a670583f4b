import type { TextEdit } from "./model/parsed.ts";

/** The text after the edits of one fix. Edits of one fix never overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.range[0] - a.range[0])
    .reduce((result, { range, newText }) => result.slice(0, range[0]) + newText + result.slice(range[1]), text);
}
