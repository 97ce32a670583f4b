import type { Fix } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { lastWhere } from "../model/search.ts";
import type { TextEdit } from "../model/source.ts";

/** The places that fixes change which can be applied together. */
export class EditedRanges {
  /** By file, in the order of the text: as they do not overlap, they end in that order, too. */
  readonly #edits = new Map<string | undefined, TextEdit[]>();

  /** Whether a fix cannot be applied to the same text as those before it. */
  conflictsWith({ edits }: Fix): boolean {
    return edits.some((edit) => {
      const edited = this.#of(edit);
      for (let i = firstEndingAt(edit.range[0], edited); i < edited.length; i++) {
        const other = edited[i] as TextEdit;
        if (other.range[0] > edit.range[1]) return false;
        if (overlap(edit, other)) return true;
      }
      return false;
    });
  }

  /** Only what none of them is in the way of. */
  add({ edits }: Fix): void {
    for (const edit of edits) {
      const edited = this.#of(edit);
      let at = firstEndingAt(edit.range[0], edited);
      while (edited[at]?.range[1] === edit.range[0]) at++;
      edited.splice(at, 0, edit);
    }
  }

  #of({ path }: TextEdit): TextEdit[] {
    return getOrInsert(this.#edits, path, () => []);
  }
}

/** The first of some places in the order of a text that ends at an offset, or behind it. */
const firstEndingAt = (offset: number, edits: readonly TextEdit[]): number => lastWhere(edits, ({ range }) => range[1] < offset) + 1;

/** Two insertions at one place do: which goes first would be chance. */
function overlap({ range: [start, end] }: TextEdit, { range: [otherStart, otherEnd] }: TextEdit): boolean {
  const isInsertion = start === end || otherStart === otherEnd;
  return isInsertion ? start <= otherEnd && otherStart <= end : start < otherEnd && otherStart < end;
}
