import type { Range } from "../../model/source.ts";
import { isControl } from "../template-marker.ts";

/** A text with its templates masked, at the same length, so that all offsets stay valid. */
export interface Masked {
  readonly text: string;
  /** Whether there were any. */
  readonly marked: boolean;
  /** Whether the whole text is a template, which is not YAML before rendering; a playbook with quoted templates is YAML. */
  readonly template: boolean;
  /** From an `if` or a `for` to its end: the contents may occur once, several times or not. */
  readonly branches: readonly Range[];
  /** Lines that insert keys: `{{ toYaml .Values.x }}`, `{% include "y" %}`. */
  readonly inserts: readonly Range[];
}

const isAny = (): boolean => true;

/** `<<: *base` is YAML's own, and angle brackets never span lines. */
const isAngled = (mark: string): boolean => /^<<[ \t]*[\w.][\w. -]*>>/.test(mark);

/**
 * Code of ytt is a whole line, or the rest of a line after a key or a dash; words attached to the mark, such as `#@overlay/match`, refer to
 * the next line.
 */
const isCode = (mark: string, text: string, start: number): boolean => /^#@[ \t]/.test(mark) && isBare(text, start);

/**
 * Jinja, Go templates (Helm), the marks of machine-controller's examples, the directives of Terraform's templates
 * (language/expressions/strings), because values may contain `%{http_code}` or `%{_bindir}`, and ytt's comments (carvel.dev/ytt, Syntax).
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
/** Code that is never a value, on a line of its own. */
const STATEMENT = /^(?:\{%|%\{|#@)/;
/** Code that inserts keys rather than a value. */
const INSERTS = /^\{[{%][-+]?\s*(?:include|import|template|toYaml|tpl)\b/;

/** Replaces lines of pure template code with blanks, and inline templates with placeholder words of the same length. */
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
    // A block text takes its indentation from its first line, which must not be blank.
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
  const masked: Range[] = [];
  // Stops after the last closing mark of its kind, which keeps the search linear.
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
    if (kind < 0) return masked;
    const [open, close, isMark] = MARKS[kind] as (typeof MARKS)[number];
    const start = next[kind] ?? 0;
    at = start + open.length;
    if (!isMark(text.slice(start, start + 200), text, start)) continue;
    // A mark that ends with its line does not include the line end.
    at = text.indexOf(close, at) + close.trim().length;
    masked.push([start, at]);
  }
}

/** Whether a mark is the only text on its lines. Other marks are text, unless they are already blank. */
function isAlone(text: string, start: number, end: number): boolean {
  let before = start - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  let after = end;
  while (text[after] === " " || text[after] === "\t") after++;
  const isEnd = (c: string | undefined) => c === undefined || c === "\n" || c === "\r";
  return isEnd(text[before]) && isEnd(text[after]);
}

/** A key or a dash with the indicator of a block text. */
const OPENS_TEXT = /(?:[:-]|![^\s]*)[ \t]+[|>][-+\d]{0,2}[ \t]*(?:#.*)?$/;

/** Whether a mark is on the first line of a block text. */
function leadsText(text: string, start: number): boolean {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(0, line).trimEnd();
  const opening = before.slice(before.lastIndexOf("\n") + 1);
  // The indicator is short, even if the line is long.
  return OPENS_TEXT.test(opening.slice(-100)) && opening.search(/\S/) < start - line;
}

/** Whether a line is in the position of a value: after a key, a dash or a comma. */
function isValue(text: string, start: number): boolean {
  let before = start - 1;
  while (before >= 0 && /\s/.test(text[before] as string)) before--;
  return before >= 0 && ":-,[{|>".includes(text[before] as string);
}

/** Whether a mark begins a value without quotes. */
function isBare(text: string, start: number): boolean {
  let before = start - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  const character = text[before] ?? "\n";
  return "\n\r,[{".includes(character) || (before < start - 1 && ":-".includes(character));
}

/** Keeps blanks, so that lines and indentation stay. */
const filled = (mark: string, by: string): string => mark.replace(/\S/g, by);
