import { DISABLE } from "../formats/directive.ts";
import { LineIndex, type Located, type Range } from "../model/source.ts";
import { isDate } from "../model/words.ts";
import { excessOf, tooLarge } from "../syntax/extent.ts";

/** A comment or an entry of `suppress:` that hides findings. */
export interface Suppression {
  readonly by: "comment" | "config";
  /** Rule ids; an empty list hides every rule. */
  readonly rules: readonly Located<string>[];
  readonly reason: string | null;
  /** The last day it applies. */
  readonly until: string | null;
  /** The range of the comment or entry. */
  readonly range: Range;
  /** The offsets that it covers. */
  readonly within: Range;
  /** The VMs that it covers; all if missing. */
  readonly isVm?: (name: string) => boolean;
}

export const EVERYWHERE: Range = [0, Number.POSITIVE_INFINITY];

/** A problem with a comment, as a message of suppression/unknown. */
interface CommentProblem {
  readonly messageId: "word" | "date";
  readonly data: Readonly<Record<string, unknown>>;
  readonly range: Range;
}

export interface Comments {
  readonly suppressions: readonly Suppression[];
  readonly misunderstood: readonly CommentProblem[];
  /** Why no comment is read, and where reading stopped. */
  readonly excess?: { readonly message: string; readonly range: Range } | undefined;
}

const COMMENT = new RegExp(String.raw`^[#/*\s]*(${DISABLE}\S*)`);
const REASON = /(?:^|\s)--(?:\s+(.*?)\s*)?$/s;

/** Reads `vmlint-disable-line RULE, RULE until=2026-12-31 -- reason` from the comments of a text in any format. */
export function readComments(text: string, ranges: readonly Range[]): Comments {
  const suppressions: Suppression[] = [];
  const misunderstood: CommentProblem[] = [];
  const lines = new LineIndex(text);
  // Some comment ranges include the end of the line.
  const comments = ranges.map(([start, end]): Range => [start, start + text.slice(start, end).trimEnd().length]);
  const afterComments = lineAfter(linesAlone(text, comments, lines));
  let parts = 0;
  for (const [start, end] of comments) {
    const comment = text.slice(start, end).replace(/\s*\*\/$/, "");
    const [intro = "", word = ""] = COMMENT.exec(comment) ?? [];
    if (!word) continue;
    const range: Range = [start + intro.length - word.length, start + comment.length];
    for (const _ of comment.matchAll(/[\s,]+/g)) parts++;
    const excess = excessOf(parts, "mistakes");
    if (excess !== undefined) return { suppressions: [], misunderstood: [], excess: { message: tooLarge(excess), range } };
    const covered = coveredBy(word, [lines.at(start).line, lines.at(end).line], lines, afterComments);
    if (!covered) {
      misunderstood.push({ messageId: "word", data: { word }, range: [range[0], start + intro.length] });
      continue;
    }
    const reason = REASON.exec(comment.slice(intro.length));
    const words = comment.slice(0, reason ? intro.length + reason.index : undefined);
    const rules: Located<string>[] = [];
    let until: string | null = null;
    let wrong = false;
    for (const { 0: word, index } of words.matchAll(/[^\s,]+/g)) {
      if (index < intro.length) continue;
      const place: Range = [start + index, start + index + word.length];
      const date = /^until=(.*)$/.exec(word)?.[1];
      if (date === undefined) rules.push({ value: word, range: place });
      else if (isDate(date)) until = date;
      else {
        misunderstood.push({ messageId: "date", data: { date }, range: place });
        wrong = true;
      }
    }
    if (!wrong) suppressions.push({ by: "comment", rules, reason: reason?.[1] || null, until, range, within: covered });
  }
  return { suppressions, misunderstood };
}

/** Whether a line contains only comments. */
function linesAlone(text: string, comments: readonly Range[], lines: LineIndex): (line: number) => boolean {
  const commented = new Set<number>();
  let rest = "";
  for (const [start, end] of comments) {
    for (let line = lines.at(start).line; line <= lines.at(end).line; line++) commented.add(line);
    rest += text.slice(rest.length, start) + " ".repeat(end - start);
  }
  rest += text.slice(rest.length);
  return (line) => commented.has(line) && rest.slice(lines.start(line), lines.start(line + 1)).trim() === "";
}

/** Returns the first line from another on that is not only comments. Thousands of comments may precede one line. */
function lineAfter(isAlone: (line: number) => boolean): (line: number) => number {
  let [from, to] = [0, 0];
  return (line) => {
    if (line < from || line >= to) {
      [from, to] = [line, line];
      while (isAlone(to)) to++;
    }
    return to;
  };
}

/** Returns the offsets that a comment covers. A comment for the next line skips lines that contain only comments. */
function coveredBy(word: string, [first, last]: Range, lines: LineIndex, afterComments: (line: number) => number): Range | undefined {
  const linesAt = (from: number, to: number): Range => [
    lines.start(from) ?? Number.POSITIVE_INFINITY,
    lines.start(to + 1) ?? Number.POSITIVE_INFINITY,
  ];
  switch (word.slice(DISABLE.length)) {
    case "-file":
      return EVERYWHERE;
    case "-line":
      return linesAt(first, last);
    case "-next-line": {
      const next = afterComments(last + 1);
      return linesAt(next, next);
    }
    default:
      return undefined;
  }
}
