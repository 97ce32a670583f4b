import { applyEdits } from "../../../lint/apply-edits.ts";
import { LineIndex, type TextEdit } from "../../../model/source.ts";

/** A line that a fix removes or adds. */
interface ChangedLine {
  readonly sign: "-" | "+";
  /** One-based, in the old text; an added line has the number of the next old line. */
  readonly line: number;
  readonly text: string;
}

/** Returns the lines of a text that some edits remove and add, in order. */
export function changedLines(text: string, edits: readonly TextEdit[]): readonly ChangedLine[] {
  const lines = new LineIndex(text);
  const sorted = edits.toSorted((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  const blocks: { readonly first: number; last: number; readonly edits: TextEdit[] }[] = [];
  for (const edit of sorted) {
    const first = lines.at(edit.range[0]).line;
    const last = lines.at(edit.range[1]).line;
    const block = blocks.at(-1);
    if (block && first <= block.last) {
      block.last = Math.max(block.last, last);
      block.edits.push(edit);
    } else blocks.push({ first, last, edits: [edit] });
  }
  return blocks.flatMap(({ first, last, edits: within }) => {
    const start = lines.start(first) ?? 0;
    const end = lines.start(last + 1) ?? text.length;
    const local = within.map(({ range: [from, to], newText }): TextEdit => ({ range: [from - start, to - start], newText }));
    const after = applyEdits(text.slice(start, end), local);
    const [old, now] = [linesIn(text.slice(start, end)), linesIn(after)];
    let same = 0;
    while (same < old.length && same < now.length && old[same] === now[same]) same++;
    let tail = 0;
    while (tail < old.length - same && tail < now.length - same && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
    const of = (sign: "-" | "+", all: readonly string[]) =>
      all
        .slice(same, all.length - tail)
        .map((line, i): ChangedLine => ({ sign, line: first + same + 1 + (sign === "-" ? i : 0), text: line }));
    return [...of("-", old), ...of("+", now)];
  });
}

const linesIn = (text: string): readonly string[] => {
  const all = text.split(/\r\n|\r|\n/);
  return all.at(-1) === "" ? all.slice(0, -1) : all;
};
