import type { Fix } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { lastWhere } from "../model/search.ts";
import type { TextEdit } from "../model/source.ts";

/** The ranges edited by fixes that can be applied together. */
export class EditedRanges {
  /** By file, in text order. Ranges do not overlap, so their ends have the same order. */
  readonly #edits = new Map<string | undefined, TextEdit[]>();

  /** Whether a fix conflicts with the fixes before it. */
  conflictsWith({ edits }: Fix): boolean {
    return edits.some((edit) => {
      const overlapping = this.#of(edit);
      for (let i = firstEndingAt(edit.range[0], overlapping); i < overlapping.length; i++) {
        const other = overlapping[i] as TextEdit;
        if (other.range[0] > edit.range[1]) return false;
        if (overlap(edit, other)) return true;
      }
      return false;
    });
  }

  /** Adds the edits of a fix that does not conflict. */
  add({ edits }: Fix): void {
    for (const edit of edits) {
      const overlapping = this.#of(edit);
      let at = firstEndingAt(edit.range[0], overlapping);
      while (overlapping[at]?.range[1] === edit.range[0]) at++;
      overlapping.splice(at, 0, edit);
    }
  }

  #of({ path }: TextEdit): TextEdit[] {
    return getOrInsert(this.#edits, path, () => []);
  }
}

/** Returns the index of the first range that ends at or after an offset. */
const firstEndingAt = (offset: number, edits: readonly TextEdit[]): number => lastWhere(edits, ({ range }) => range[1] < offset) + 1;

/** Two insertions at the same offset conflict, because their order would be arbitrary. */
function overlap({ range: [start, end] }: TextEdit, { range: [otherStart, otherEnd] }: TextEdit): boolean {
  const isInsertion = start === end || otherStart === otherEnd;
  return isInsertion ? start <= otherEnd && otherStart <= end : start < otherEnd && otherStart < end;
}
