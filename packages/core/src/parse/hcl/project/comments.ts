import { rangeIn, type SourceFile, type Sources } from "../../../model/files.ts";
import { lastAnswer } from "../../../model/once.ts";
import type { TextEdit } from "../../../model/parsed.ts";
import { parseHcl } from "../parse.ts";

/** A line of code with a comment behind it, in characters of its file. */
interface Commented {
  readonly start: number;
  readonly codeEnd: number;
  readonly comment: number;
  /** Where the line below begins. */
  readonly next: number;
}

/** Edits, and those that keep the comments behind what they change in the column that `terraform fmt` gives them. */
export function withComments(edits: readonly TextEdit[], sources: Sources): readonly TextEdit[] {
  const groups = new Map<readonly Commented[], SourceFile>();
  for (const { range, newText } of edits) {
    const file = sources.at(range[0]);
    if (!file || file.path.endsWith(".json") || newText.length === range[1] - range[0]) continue;
    const [at, end] = [range[0] - file.start, range[1] - file.start];
    const group = MAY_BE_COMMENT.test(file.text.slice(end, end + 500)) && commentsOf(file.text).get(lineStart(file.text, at));
    if (group) groups.set(group, file);
  }
  return [...edits, ...[...groups].flatMap(([group, file]) => movedIn(group, edits, file))];
}

const MAY_BE_COMMENT = /^.*(?:#|\/\/)/;

/** They are aligned to the longest line (hclwrite, format.go: formatCells), unless they were not before. */
function movedIn(group: readonly Commented[], edits: readonly TextEdit[], file: SourceFile): readonly TextEdit[] {
  const lines = group.map(({ start, codeEnd, comment }) => {
    const [from, to] = rangeIn(file, [start, codeEnd]);
    const inside = edits.filter(({ range }) => from <= range[0] && range[1] <= to);
    const grown = inside.reduce((sum, { range, newText }) => sum + newText.length - (range[1] - range[0]), 0);
    return { width: codeEnd - start, column: comment - start, comment, grown };
  });
  const width = Math.max(...lines.map((line) => line.width));
  if (lines.some(({ column }) => column !== width + 1)) return [];
  const more = Math.max(...lines.map((line) => line.width + line.grown)) - width;
  return lines
    .map(({ comment, grown }): TextEdit => {
      const blanks = more - grown;
      return { range: rangeIn(file, [comment + Math.min(0, blanks), comment]), newText: " ".repeat(Math.max(0, blanks)) };
    })
    .filter(({ range, newText }) => newText.length !== range[1] - range[0]);
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** By where a line begins, it and those around it that follow each other. */
const commentsOf = lastAnswer((text: string): ReadonlyMap<number, readonly Commented[]> => {
  const groups = new Map<number, Commented[]>();
  let group: Commented[] = [];
  for (const [comment, end] of parseHcl(text).comments) {
    const start = lineStart(text, comment);
    const code = text.slice(start, comment).trimEnd();
    // One that could end before its line does is a part of the code.
    if (code === "" || text.startsWith("/*", comment)) continue;
    if (group.at(-1)?.next !== start) group = [];
    group.push({ start, codeEnd: start + code.length, comment, next: text.indexOf("\n", end) + 1 });
    groups.set(start, group);
  }
  return groups;
});
