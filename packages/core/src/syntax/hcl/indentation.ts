import { addTo } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import { lastWhere } from "../../model/search.ts";
import type { Range } from "../../model/source.ts";
import { BACKSLASH, CLOSE_BRACE, CR, endOfName, HASH, isCloser, isOpener, LF, OPEN_BRACE, QUOTE, SLASH, SPACE, TAB } from "./characters.ts";

/**
 * `name =`, `type {`, `type "label" {`: how a line begins that is no part of a bracketed expression. A "for" can be. Made for the first
 * broken text: looking up which characters a name may have takes time (characters.ts).
 */
const itemPattern = once(
  () => /(?!for\b)[\p{ID_Start}_][\p{ID_Continue}-]*(?:[ \t]+[\p{ID_Start}_][\p{ID_Continue}-]*|[ \t]*"[^"\n]*")*[ \t]*(?:\{|=(?![=>]))/uy,
);

/** A line that holds a comment alone. */
const COMMENT = /(?:#|\/\/)/y;

/** A line that closes the braces of a block or an object, maybe to open others. */
const CLOSES_BRACE = /^\}[ \t\r]*(?:,[ \t\r]*\{?[ \t\r]*)?(?:(?:#|\/\/).*)?$/;

/** A bracket that closes on another line, maybe with a comment behind it. */
const OPENS_AT_END = /[([{][ \t\r]*(?:(?:#|\/\/).*)?$/;

/**
 * The lines of a text that is known to be broken, and what lines up with what: while a closing bracket is not written yet,
 * how far lines are indented says what belongs together.
 */
export class Indentation {
  private readonly text: string;
  private readonly starts: number[] = [0];
  /** By line, how many blanks it begins with; -1 for a line that is blank or holds a comment alone. */
  private readonly indents: number[] = [];
  /** Whether blocks are indented at all in this text; where they are not, indents say nothing. */
  private readonly isIndented: boolean;
  /** By name, the lines that may open a heredoc with it as the marker, or close one. */
  private readonly markers = new Map<string, MarkerLine[]>();
  /** By line, the marker of the heredoc it opens. */
  private readonly heredocs = new Map<number, string>();
  /** By the line that opens a bracket at its end, the line that closes one and lines up with it, and the other way round. */
  private readonly closers = new Map<number, number>();
  private readonly openers = new Map<number, number>();

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
    for (let line = 0; line < this.starts.length; line++) this.indents.push(this.measure(line));
    this.isIndented = this.areIndented();
    if (this.isIndented) this.pair();
  }

  private measure(line: number): number {
    const start = this.starts[line] ?? 0;
    const end = this.endOf(line);
    let at = start;
    while (at < end && isBlank(this.text.charCodeAt(at))) at++;
    if (at === end) return -1;
    COMMENT.lastIndex = at;
    if (COMMENT.test(this.text)) return -1;
    this.noteMarker(line, this.text.slice(at, end).trimEnd());
    return at - start;
  }

  private noteMarker(line: number, content: string): void {
    const start = content.lastIndexOf("<<") + 2;
    const name = content.slice(start < 2 ? 0 : content[start] === "-" ? start + 1 : start);
    if (name === "" || endOfName(name, 0) < name.length) return;
    const marker = { line, opens: start >= 2 };
    if (marker.opens) this.heredocs.set(line, name);
    addTo(this.markers, name, marker);
  }

  /** Whether most lines that open a bracket are followed by a deeper one; where one is never closed, that one counts for nothing. */
  private areIndented(): boolean {
    let opened = 0;
    let votes = 0;
    let opener = -1;
    for (const [line, indent] of this.indents.entries()) {
      if (indent < 0) continue;
      const closes = isCloser(this.codeAt(line));
      if (opener >= 0 && !closes) votes += indent > opener ? 1 : -1;
      opener = this.opensAtEnd(line) ? indent : -1;
      opened += Number(opener >= 0) - Number(closes);
    }
    return votes + Math.max(0, opened) >= 0;
  }

  /**
   * Pairs lines that open a bracket with lines that close one. A closing line is as far indented as its own, maybe with one between them
   * that is not closed. With more between them, or none so far indented, it was not typed in line, and closes the last.
   */
  private pair(): void {
    const open: number[] = [];
    const indentOfOpen = (fromLast: number) => this.indents[open.at(-fromLast) ?? -1] ?? -1;
    for (let line = 0; line < this.indents.length; line = this.endOfLiteral(line) + 1) {
      const indent = this.indents[line] ?? -1;
      if (indent < 0) continue;
      let opener: number | undefined;
      if (CLOSES_BRACE.test(this.text.slice(this.firstOf(line), this.endOf(line)))) {
        const isOutOfLine = indentOfOpen(2) > indent;
        if (!isOutOfLine && indentOfOpen(2) === indent && indentOfOpen(1) > indent) open.pop();
        if (indentOfOpen(1) >= indent) opener = open.pop();
      } else {
        while (indentOfOpen(1) > indent) open.pop();
      }
      if (opener !== undefined) {
        this.closers.set(opener, line);
        this.openers.set(line, opener);
      }
      if (this.opensBrace(line)) open.push(line);
    }
  }

  /** How far the line of a position is indented. */
  indentAt(position: number): number {
    return this.indents[this.lineAt(position)] ?? 0;
  }

  /**
   * How much deeper a line is than one that is indented by `indent`. Undefined where this means nothing: the position is not
   * where its line begins, or the text is not indented.
   */
  depthAt(position: number, indent: number): number | undefined {
    const line = this.lineAt(position);
    const own = this.indents[line] ?? 0;
    return this.isIndented && this.firstOf(line) === position ? own - indent : undefined;
  }

  /** Whether what is open across the newline at a position, on a line indented by `indent`, ends there. */
  endsAt(newline: number, indent: number): boolean {
    const line = this.lineAt(newline) + 1;
    const own = this.indents[line] ?? -1;
    if (own < 0) return false;
    if (this.isIndented && own < indent) return true;
    const item = itemPattern();
    item.lastIndex = this.firstOf(line);
    return item.test(this.text);
  }

  /** Whether the next line that is not blank is deeper than the line of a position. */
  isFollowedByDeeper(position: number): boolean {
    const line = this.lineAt(position);
    return this.isIndented && (this.indents[this.afterBlanks(line + 1)] ?? -1) > (this.indents[line] ?? 0);
  }

  /**
   * Whether an item may extend over a range of lines: not to a brace that stands alone and lines up with something else. Such a brace was
   * taken from a block around it. Where there is none, a brace that lines up with nothing may be its own.
   */
  isPlausible([start, end]: Range, isOutermost: boolean): boolean {
    const first = this.lineAt(start);
    const last = this.lineAt(end);
    if (!this.isIndented || first === last || this.text.charCodeAt(end - 1) !== CLOSE_BRACE || this.firstOf(last) + 1 < end) return true;
    const isPair = this.closers.get(first) === last;
    if (isOutermost) return isPair || this.indents[first] === this.indents[last] || !(this.closers.has(first) || this.openers.has(last));
    if (!this.opensBrace(first)) return true;
    return isPair && (this.isFollowedByDeeper(start) || this.afterBlanks(first + 1) === last);
  }

  /**
   * Where the brace is that may close the one at a position, while the lines below the position are no deeper: it closes either them or
   * what is around them.
   */
  unclearCloser(position: number): number | undefined {
    const line = this.lineAt(position);
    const closer = this.closers.get(line);
    const isUnclear = closer !== undefined && this.endsLine(position) && !this.isFollowedByDeeper(position);
    return isUnclear && this.afterBlanks(line + 1) !== closer ? this.firstOf(closer) : undefined;
  }

  /** Whether nothing but a comment follows the character at a position on its line. */
  private endsLine(position: number): boolean {
    let at = position + 1;
    while (isBlank(this.text.charCodeAt(at))) at++;
    const code = this.text.charCodeAt(at);
    return code === LF || code === HASH || code === SLASH;
  }

  /**
   * Where the lines end that belong to a broken item, which began at `start` and was read to `end`: deeper lines follow when
   * the item was read over several lines, when its line opens a bracket at its end, or when another line closes one.
   */
  endOfItem(start: number, end: number): number {
    const first = this.lineAt(start);
    const indent = this.indents[first] ?? 0;
    const read = this.lineAt(end);
    let last = read;
    let line = this.afterBlanks(read + 1);
    for (; this.isIndented && (this.indents[line] ?? -1) > indent; line = this.afterBlanks(line + 1)) last = line;
    if (last > first && this.indents[line] === indent && isCloser(this.codeAt(line))) return this.endOf(line);
    return read > first || this.opensAtEnd(first) ? this.endOf(last) : end;
  }

  /**
   * Where the line begins that closes a heredoc which is opened on the line of a position; infinity when none does, before
   * another one with the same marker is opened.
   */
  endOfHeredoc(position: number, marker: string): number {
    const line = this.closerOfHeredoc(this.lineAt(position), marker);
    return line === undefined ? Number.POSITIVE_INFINITY : (this.starts[line] ?? 0);
  }

  private closerOfHeredoc(opener: number, marker: string): number | undefined {
    const lines = this.markers.get(marker) ?? [];
    const next = lines[lastWhere(lines, ({ line }) => line <= opener) + 1];
    return next && !next.opens ? next.line : undefined;
  }

  /** The last line of the heredoc that a line opens; the line itself where it opens none. */
  private endOfLiteral(line: number): number {
    const marker = this.heredocs.get(line);
    return (marker === undefined ? undefined : this.closerOfHeredoc(line, marker)) ?? line;
  }

  /** Where the first character of a line is that is no blank. */
  private firstOf(line: number): number {
    return (this.starts[line] ?? 0) + (this.indents[line] ?? 0);
  }

  private afterBlanks(line: number): number {
    let next = line;
    while (this.indents[next] === -1) next++;
    return next;
  }

  private opensAtEnd(line: number): boolean {
    return OPENS_AT_END.test(this.text.slice(this.starts[line], this.endOf(line)));
  }

  /** Whether a line opens the braces of a block or an object, and nothing else that it does not close. */
  private opensBrace(line: number): boolean {
    if (!this.opensAtEnd(line)) return false;
    let open = 0;
    let last = 0;
    for (let at = this.firstOf(line), end = this.endOf(line); at < end; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) {
        at = this.endOfString(at, end);
        // What opens at the end then stands in the string.
        if (at >= end) return false;
      } else if (isCloser(code)) open = Math.max(0, open - 1);
      else if (isOpener(code)) {
        open++;
        last = code;
      } else if (code === HASH) break;
    }
    return open === 1 && last === OPEN_BRACE;
  }

  private endOfString(start: number, end: number): number {
    let at = start + 1;
    while (at < end && this.text.charCodeAt(at) !== QUOTE) at += this.text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    return at;
  }

  private codeAt(line: number): number {
    return this.text.charCodeAt(this.firstOf(line));
  }

  private endOf(line: number): number {
    const next = this.starts[line + 1];
    return next === undefined ? this.text.length : next - 1;
  }

  private lineAt(position: number): number {
    return lastWhere(this.starts, (start) => start <= position);
  }
}

interface MarkerLine {
  readonly line: number;
  readonly opens: boolean;
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB || code === CR;
