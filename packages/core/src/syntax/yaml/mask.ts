import type { Range } from "../../model/source.ts";
import { isControl } from "../template-marker.ts";

/** A text whose templates were made harmless: as long as it was, so that every offset still holds. */
export interface Masked {
  readonly text: string;
  /** Whether there were any. */
  readonly marked: boolean;
  /** Whether it is a template as a whole, and no YAML before it is filled in; a playbook with templates in quotes is YAML. */
  readonly template: boolean;
  /** From an `if` or a `for` to its end: what stands there may be there, once, often or never. */
  readonly branches: readonly Range[];
  /** Lines that bring in more keys: `{{ toYaml .Values.x }}`, `{% include "y" %}`. */
  readonly inserts: readonly Range[];
}

const isAny = (): boolean => true;

/** `<<: *base` is YAML's own, and angle brackets never span lines. */
const isAngled = (mark: string): boolean => /^<<[ \t]*[\w.][\w. -]*>>/.test(mark);

/** Code of ytt is all of a line, or all behind a key or a dash; what is written together, such as `#@overlay/match`, is about the next one. */
const isCode = (mark: string, text: string, start: number): boolean => /^#@[ \t]/.test(mark) && isBare(text, start);

/**
 * Jinja, Go templates (Helm), the marks of machine-controller's examples, the directives of Terraform's templates
 * (language/expressions/strings): others write `%{http_code}` or `%{_bindir}` for values; and ytt's comments (carvel.dev/ytt, Syntax).
 */
const MARKS = [
  ["{{", "}}", isAny],
  ["{%", "%}", isAny],
  ["{#", "#}", isAny],
  ["<<", ">>", isAngled],
  ["%{", "}", isControl],
  ["#@", "\n", isCode],
] as const;

const OPENS = /^(?:\{[{%][-+]?|%\{~?|#@)\s*(?:if|for|with|range|block|define|macro|call|filter|def)\b/;
const CLOSES = /^(?:\{[{%][-+]?|%\{~?|#@)\s*end/;
/** What is never a value, alone on a line. */
const STATEMENT = /^(?:\{%|%\{|#@)/;
/** What brings in keys, not a value. */
const INSERTS = /^\{[{%][-+]?\s*(?:include|import|template|toYaml|tpl)\b/;

/** Puts blanks in place of lines that are template alone, and a word of the same length in place of a template in a line. */
export function maskTemplates(text: string): Masked {
  const marks = findMarks(text);
  if (marks.length === 0) return { text, marked: false, template: false, branches: [], inserts: [] };
  const parts: string[] = [];
  const branches: Range[] = [];
  const inserts: Range[] = [];
  const open: number[] = [];
  let done = 0;
  let template = false;
  for (let i = 0; i < marks.length; i++) {
    const [start, end] = marks[i] as Range;
    const mark = text.slice(start, Math.min(end, start + 80));
    if (OPENS.test(mark)) open.push(start);
    else if (CLOSES.test(mark)) {
      const from = open.pop();
      if (from !== undefined) branches.push([from, end]);
    }
    const isLine = isAlone(text, start, end) && (isControl(mark) || INSERTS.test(mark) || STATEMENT.test(mark) || !isValue(text, start));
    // A text over several lines takes its indentation from the first of them, which is to be there.
    const blank = isLine && !leadsText(text, start);
    template ||= isLine || STATEMENT.test(mark) || isBare(text, start);
    if (blank && !isControl(mark)) inserts.push([start, end]);
    parts.push(text.slice(done, start), filled(text.slice(start, end), blank ? " " : "T"));
    done = end;
  }
  parts.push(text.slice(done));
  return { text: parts.join(""), marked: true, template, branches, inserts };
}

function findMarks(text: string): readonly Range[] {
  const found: Range[] = [];
  // No opening is looked for behind the last closing of its kind: the search stays linear.
  const last = MARKS.map(([, close]) => text.lastIndexOf(close));
  const next = MARKS.map(([open]) => text.indexOf(open));
  for (let at = 0; ; ) {
    let kind = -1;
    for (let i = 0; i < MARKS.length; i++) {
      const [open] = MARKS[i] as (typeof MARKS)[number];
      if ((next[i] ?? -1) >= 0 && (next[i] ?? 0) < at) next[i] = text.indexOf(open, at);
      const place = next[i] ?? -1;
      if (place >= 0 && place + open.length <= (last[i] ?? -1) && (kind < 0 || place < (next[kind] ?? 0))) kind = i;
    }
    if (kind < 0) return found;
    const [open, close, isMark] = MARKS[kind] as (typeof MARKS)[number];
    const start = next[kind] ?? 0;
    at = start + open.length;
    if (!isMark(text.slice(start, start + 200), text, start)) continue;
    // A line end is no part of what ends with the line.
    at = text.indexOf(close, at) + close.trim().length;
    found.push([start, at]);
  }
}

/** Whether nothing else is on the lines of a mark. Other marks count as something, unless they are blank by then. */
function isAlone(text: string, start: number, end: number): boolean {
  let before = start - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  let after = end;
  while (text[after] === " " || text[after] === "\t") after++;
  const isEnd = (c: string | undefined) => c === undefined || c === "\n" || c === "\r";
  return isEnd(text[before]) && isEnd(text[after]);
}

/** A key or a dash, and behind it what begins a text over several lines. */
const OPENS_TEXT = /(?:[:-]|![^\s]*)[ \t]+[|>][-+\d]{0,2}[ \t]*(?:#.*)?$/;

/** Whether a mark is on the first line of a text over several lines. */
function leadsText(text: string, start: number): boolean {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(0, line).trimEnd();
  const opening = before.slice(before.lastIndexOf("\n") + 1);
  // What begins it is short, whatever the line is.
  return OPENS_TEXT.test(opening.slice(-100)) && opening.search(/\S/) < start - line;
}

/** Whether a line stands where a value does: behind a key, a dash or a comma. */
function isValue(text: string, start: number): boolean {
  let before = start - 1;
  while (before >= 0 && /\s/.test(text[before] as string)) before--;
  return before >= 0 && ":-,[{|>".includes(text[before] as string);
}

/** Whether a mark begins a value, without quotes around it. */
function isBare(text: string, start: number): boolean {
  let before = start - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  const character = text[before] ?? "\n";
  return "\n\r,[{".includes(character) || (before < start - 1 && ":-".includes(character));
}

/** Blanks stay, so that lines do and what is behind their indentation. */
const filled = (mark: string, by: string): string => mark.replace(/\S/g, by);
