import type { TextEdit } from "../../model/source.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";

/** A line of code with a comment at its end. */
interface CommentedLine {
  /** The length of the code. */
  readonly width: number;
  /** The column and the offset of the comment. */
  readonly column: number;
  readonly comment: number;
}

/** Returns edits that align the comments of changed lines as `terraform fmt` does, if all comments were aligned before. */
export function alignedComments(before: string, after: string): readonly TextEdit[] {
  if (!groupsOf(before).every(isAligned)) return [];
  return groupsOf(after)
    .filter((group) => !isAligned(group))
    .flatMap((group) => {
      const target = columnOf(group);
      return group
        .filter(({ column }) => column !== target)
        .map(
          ({ width, comment, column }): TextEdit => ({ range: [comment - column + width, comment], newText: " ".repeat(target - width) }),
        );
    });
}

/** Returns the column after the longest line and a blank (hclwrite, format.go: formatCells). */
const columnOf = (group: readonly CommentedLine[]): number => group.reduce((max, { width }) => Math.max(max, width), 0) + 1;

function isAligned(group: readonly CommentedLine[]): boolean {
  const target = columnOf(group);
  return group.every(({ column }) => column === target);
}

/** Returns groups of consecutive lines with comments. */
function groupsOf(text: string): readonly (readonly CommentedLine[])[] {
  const groups: CommentedLine[][] = [];
  let next = -1;
  for (const [comment, end] of parseHcl(text).comments) {
    const start = text.lastIndexOf("\n", comment) + 1;
    const { length: width } = text.slice(start, comment).trimEnd();
    // A comment that ends before its line does belongs to the code.
    if (width === 0 || text.startsWith("/*", comment)) continue;
    const line = { width, column: comment - start, comment };
    if (start === next) groups.at(-1)?.push(line);
    else groups.push([line]);
    next = text.indexOf("\n", end) + 1;
  }
  return groups;
}
