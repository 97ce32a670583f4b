import { VmlintError } from "../model/errors.ts";
import type { TextEdit } from "../model/source.ts";

/**
 * Returns the text after edits that do not overlap. The later edit comes first if two insert at the same offset.
 *
 * @example
 * applyEdits("a = 1", [{ range: [4, 5], newText: "2" }]); // "a = 2"
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const isEdit = ({ range, newText }: TextEdit): boolean =>
    typeof newText === "string" && Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger);
  if (
    typeof text !== "string" ||
    !Array.isArray(edits) ||
    !edits.every((edit) => typeof edit === "object" && edit !== null && isEdit(edit))
  )
    throw new VmlintError("USAGE", "applyEdits takes a text, and a list of edits with a range of two offsets and a new text.");
  const parts: string[] = [];
  let at = 0;
  for (const { range, newText } of edits.toReversed().sort((a, b) => a.range[0] - b.range[0])) {
    parts.push(text.slice(at, range[0]), newText);
    at = range[1];
  }
  return parts.join("") + text.slice(at);
}
