import { VmlintError } from "../model/errors.ts";
import type { TextEdit } from "../model/source.ts";

/**
 * Returns the text after edits that do not overlap. The later edit comes first if two insert at the same offset.
 *
 * @example
 * applyEdits("a = 1", [{ range: [4, 5], newText: "2" }]); // "a = 2"
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const isEdit = (edit: TextEdit | null | undefined): boolean =>
    typeof edit?.newText === "string" && Array.isArray(edit.range) && edit.range.length === 2 && edit.range.every(Number.isSafeInteger);
  if (typeof text !== "string" || !Array.isArray(edits) || !edits.every(isEdit))
    throw new VmlintError("USAGE", "applyEdits takes a text, and a list of edits with a range of two offsets and a new text.");
  // By the middle, so that an insertion at the start of a replaced range comes before it.
  const middle = ({ range: [from, to] }: TextEdit): number => from + to;
  const parts: string[] = [];
  let at = 0;
  for (const { range, newText } of edits.toReversed().sort((a, b) => middle(a) - middle(b))) {
    parts.push(text.slice(at, range[0]), newText);
    at = range[1];
  }
  return parts.join("") + text.slice(at);
}
