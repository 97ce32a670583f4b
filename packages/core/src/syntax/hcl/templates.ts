import { type Expression, missing, type Span, type TemplatePart } from "./ast.ts";
import * as char from "./characters.ts";
import { type ForIntro, forIntro, type ReadExpression } from "./for-intro.ts";
import type { Reader } from "./reader.ts";

/** Reads a string from its opening quote to its closing one. */
export function quoted(reader: Reader, expression: ReadExpression): Expression {
  const start = reader.at++;
  const parts = plain(reader) ?? nest(reader, segments(reader, undefined, expression));
  if (reader.ahead(0) !== char.QUOTE) {
    reader.error('" is missing here.');
    return missing(start, reader.at);
  }
  reader.at++;
  return { kind: "template", start, end: reader.at, parts, heredoc: false };
}

/** The character codes that are literal in a string, no matter which character follows. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) => Number(code >= char.SPACE && !'"\\$%'.includes(String.fromCharCode(code))));

/** Fast path for most strings: ASCII without escapes or interpolation. Undefined, with nothing consumed, for any other string. */
function plain(reader: Reader): readonly TemplatePart[] | undefined {
  const { text, at: start } = reader;
  let at = start;
  while (PLAIN[text.charCodeAt(at)] === 1) at++;
  if (text.charCodeAt(at) !== char.QUOTE) return undefined;
  reader.at = at;
  return at === start ? [] : [{ kind: "text", start, end: at, value: text.slice(start, at) }];
}

/** Reads `<<MARKER` or `<<-MARKER` and the lines below it, up to the line with only the marker. */
export function heredoc(reader: Reader, expression: ReadExpression): Expression {
  const start = reader.at;
  const isFlush = reader.ahead(2) === char.MINUS;
  reader.at += isFlush ? 3 : 2;
  const marker = reader.name();
  const opened = reader.at;
  reader.skipLine();
  if (marker === "" || reader.at > opened) reader.error("<< is followed by a name, and that by a new line.", opened);
  const end = reader.lines?.endOfHeredoc(start, marker);
  if (end === undefined || end < reader.end) {
    const outerEnd = reader.end;
    reader.end = end ?? outerEnd;
    reader.at = reader.text.indexOf("\n", reader.at) + 1 || reader.text.length;
    const found = segments(reader, marker, expression);
    reader.end = outerEnd;
    if (isFlush) unindent(found);
    const parts = nest(reader, found);
    if (reader.peek() !== char.END) {
      reader.at += marker.length;
      return { kind: "template", start, end: reader.at, parts, heredoc: true };
    }
  }
  reader.error(`This heredoc is not closed: no line below it holds ${marker} alone.`, start, opened);
  return missing(start, reader.at);
}

/** Returns the parts of a text that is a template as a whole. */
export const templateParts = (reader: Reader, expression: ReadExpression): readonly TemplatePart[] =>
  nest(reader, segments(reader, NO_MARKER, expression));

/** A marker that never matches a line. */
const NO_MARKER = "";

/** An element of a template before directives are nested. */
type Segment = Text | Extract<TemplatePart, { kind: "interpolation" }> | Directive;

interface Text extends Span {
  readonly kind: "text";
  /** Removes blanks for trim marks and for the indentation of a heredoc. */
  value: string;
}

type Directive = { readonly kind: "directive" } & Span &
  (
    | { readonly word: "if"; readonly condition: Expression }
    | ({ readonly word: "for" } & ForIntro)
    | { readonly word: "else" | "endif" | "endfor" }
  );

/** Reads up to the closing quote or the marker line, or to the end of the text or of an unclosed string. */
function segments(reader: Reader, marker: string | undefined, expression: ReadExpression): Segment[] {
  const segments: Segment[] = [];
  let trimsNext = false;
  for (;;) {
    const start = reader.at;
    const value = text(reader, marker);
    if (reader.at > start) {
      segments.push({ kind: "text", start, end: reader.at, value: trimsNext ? value.trimStart() : value });
      trimsNext = false;
      continue;
    }
    const code = reader.ahead(0);
    if ((code !== char.DOLLAR && code !== char.PERCENT) || reader.ahead() !== char.OPEN_BRACE) return segments;
    const last = segments.at(-1);
    if (reader.ahead(2) === char.TILDE && last?.kind === "text") last.value = trimEnd(last.value, marker);
    segments.push(sequence(reader, expression));
    trimsNext = reader.ahead(-2) === char.TILDE && reader.ahead(-1) === char.CLOSE_BRACE;
  }
}

/** `$` or `%` with one more character before a line end is a separate literal (HCL's scanner again). */
function trimEnd(value: string, marker: string | undefined): string {
  const lineEnd = marker === undefined ? undefined : /(?<=[$%].)\r?\n$/s.exec(value);
  return lineEnd ? value.slice(0, lineEnd.index) : value.trimEnd();
}

/**
 * Reads literal text: `$${` and `%%{` become `${` and `%{`, and a backslash escapes in a quoted string, but not in a heredoc. In a heredoc
 * each line, with its line end, is a separate literal (HCL, hclsyntax/scan_tokens.rl: heredocTemplate, bareTemplate), which is the unit of
 * trim marks.
 */
function text(reader: Reader, marker: string | undefined): string {
  const { text, at: start } = reader;
  if (marker !== undefined && text.charCodeAt(start - 1) === char.LF && isMarkerLine(text, start, marker)) return "";
  let value = "";
  /** The start of the pending literal characters. */
  let run = start;
  let invalid = -1;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === char.DOLLAR || code === char.PERCENT) {
      const next = text.charCodeAt(at + 1);
      if (next === char.OPEN_BRACE) break;
      if (next !== code || text.charCodeAt(at + 2) !== char.OPEN_BRACE) continue;
      value += text.slice(run, at);
      run = at + 1;
      at += 2;
    } else if (marker !== undefined) {
      if (code !== char.LF) continue;
      at++;
      break;
    } else if (code === char.QUOTE || code === char.LF) {
      break;
    } else if (code === char.BACKSLASH) {
      const escaped = escapeAt(text, at);
      if (!escaped) invalid = at;
      value += text.slice(run, at) + (escaped?.value ?? "\\");
      run = at + (escaped?.length ?? 1);
      at = run - 1;
    }
  }
  reader.at = Math.min(at, text.length);
  value += text.slice(run, reader.at);
  if (invalid >= 0)
    reader.error('A backslash is followed by n, r, t, ", \\, u and 4 hexadecimal digits, or U and 8.', invalid, invalid + 2);
  // The specification's information model has strings in normal form C.
  return value.normalize();
}

/** Whether a line contains only a heredoc's marker. */
function isMarkerLine(text: string, start: number, marker: string): boolean {
  if (marker === NO_MARKER) return false;
  let at = start;
  while (text.charCodeAt(at) === char.SPACE || text.charCodeAt(at) === char.TAB) at++;
  if (!text.startsWith(marker, at)) return false;
  at += marker.length;
  while (text.charCodeAt(at) === char.SPACE || text.charCodeAt(at) === char.TAB || text.charCodeAt(at) === char.CR) at++;
  return at === text.length || text.charCodeAt(at) === char.LF;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** Returns the value of an escape at an offset; undefined for an invalid one. */
function escapeAt(text: string, at: number): { readonly value: string; readonly length: number } | undefined {
  const letter = text.charAt(at + 1);
  const value = ESCAPES.get(letter);
  if (value !== undefined) return { value, length: 2 };
  const digits = letter === "u" ? 4 : letter === "U" ? 8 : 0;
  const hexadecimal = text.slice(at + 2, at + 2 + digits);
  if (digits === 0 || hexadecimal.length < digits || !/^[\da-f]*$/i.test(hexadecimal)) return undefined;
  const code = Number.parseInt(hexadecimal, 16);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? { value: String.fromCodePoint(code), length: digits + 2 } : undefined;
}

/** Reads `${ }` or `%{ }`. In an indented broken text it ends with the line, so that the next one is not affected. */
function sequence(reader: Reader, expression: ReadExpression): Segment {
  const start = reader.at;
  const isDirective = reader.ahead(0) === char.PERCENT;
  reader.open(reader.ahead(2) === char.TILDE ? 3 : 2, reader.layout === undefined);
  const content = isDirective ? directive(reader, expression) : expression(reader);
  if (reader.peek() === char.TILDE && reader.ahead() === char.CLOSE_BRACE) reader.at++;
  const isClosed = reader.expect(char.CLOSE_BRACE);
  reader.close();
  const end = reader.at;
  if (!content || !isClosed) return { kind: "interpolation", start, end, value: missing(start, end) };
  return "word" in content ? { ...content, start, end } : { kind: "interpolation", start, end, value: content };
}

function directive(reader: Reader, expression: ReadExpression): Directive | undefined {
  reader.peek();
  const start = reader.at;
  const span: Span = { start, end: start };
  if (reader.isWord("for")) {
    const intro = forIntro(reader, expression);
    return intro && { kind: "directive", ...span, word: "for", ...intro };
  }
  const word = reader.name();
  if (word === "if") return { kind: "directive", ...span, word, condition: expression(reader) };
  if (word === "else" || word === "endif" || word === "endfor") return { kind: "directive", ...span, word };
  reader.error("%{ is followed by if, else, endif, for or endfor.", start);
  return undefined;
}

/**
 * Removes the common leading blanks of the lines of a heredoc. Blank lines do not count (HCL, hclsyntax/parser_template.go:
 * flushHeredocTemplateParts).
 */
function unindent(segments: readonly Segment[]): void {
  const indented: Text[] = [];
  let least = Number.POSITIVE_INFINITY;
  let startsLine = true;
  for (const segment of segments) {
    const value = segment.kind === "text" ? segment.value : "";
    if (startsLine && !isBlank(value)) {
      least = Math.min(least, value.length - value.trimStart().length);
      if (segment.kind === "text") indented.push(segment);
    }
    startsLine = value.endsWith("\n");
  }
  for (const text of indented) text.value = text.value.slice(least);
}

const isBlank = (line: string): boolean => line.endsWith("\n") && line.trim() === "";

/** Nests the elements between directives. */
function nest(reader: Reader, segments: readonly Segment[]): readonly TemplatePart[] {
  return partsOf(reader, joined(segments).values(), undefined).parts;
}

/** Joins adjacent texts. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const all: Segment[] = [];
  for (const segment of segments) {
    const last = all.at(-1);
    if (segment.kind !== "text" || last?.kind !== "text") all.push(segment);
    else all[all.length - 1] = { ...last, end: segment.end, value: last.value + segment.value };
  }
  return all;
}

/** The directives that close each kind of directive. */
const ENDS: Readonly<Record<Directive["word"], readonly string[]>> = {
  if: ["else", "endif"],
  else: ["endif"],
  for: ["endfor"],
  endif: [],
  endfor: [],
};

interface Parts {
  readonly parts: TemplatePart[];
  /** The directive that ends them. */
  readonly end: Directive | undefined;
}

function partsOf(reader: Reader, rest: Iterator<Segment, undefined>, opener: Directive | undefined): Parts {
  const parts: TemplatePart[] = [];
  for (let segment = rest.next().value; segment && !reader.isStopped; segment = rest.next().value) {
    if (segment.kind !== "directive") parts.push(segment);
    else if (opener && ENDS[opener.word].includes(segment.word)) return { parts, end: segment };
    else parts.push(directivePart(reader, rest, segment));
  }
  return { parts, end: undefined };
}

function directivePart(reader: Reader, rest: Iterator<Segment, undefined>, opener: Directive): TemplatePart {
  const { word, start } = opener;
  const before = reader.descend();
  const first = partsOf(reader, rest, opener);
  const second = first.end?.word === "else" ? partsOf(reader, rest, first.end) : { parts: [], end: first.end };
  reader.ascend(before);
  const end = second.end?.end;
  if (end !== undefined && opener.word === "if") {
    const { condition } = opener;
    // biome-ignore lint/suspicious/noThenProperty: a syntax node, which is never awaited.
    return { kind: "if", start, end, condition, then: first.parts, otherwise: second.parts };
  }
  if (end !== undefined && opener.word === "for") {
    const { keyName, valueName, collection } = opener;
    return { kind: "for", start, end, keyName, valueName, collection, body: first.parts };
  }
  reader.error(ENDS[word].length > 0 ? `This %{ ${word} } is not closed.` : `This %{ ${word} } closes nothing.`, start, opener.end);
  return { kind: "interpolation", start, end: opener.end, value: missing(start, opener.end) };
}
