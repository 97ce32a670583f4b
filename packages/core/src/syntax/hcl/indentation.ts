import { addTo } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import { lastWhere } from "../../model/search.ts";
import type { Range } from "../../model/source.ts";
import { BACKSLASH, CLOSE_BRACE, CR, endOfName, HASH, isCloser, isOpener, LF, OPEN_BRACE, QUOTE, SLASH, SPACE, TAB } from "./characters.ts";

/**
 * `name =`, `type {`, `type "label" {`: the start of a line that is not inside of a bracketed expression, except that "for" can be.
 * Compiled for the first broken text, because Unicode properties take time to look up (characters.ts).
 */
const itemPattern = once(
  () => /(?!for\b)[\p{ID_Start}_][\p{ID_Continue}-]*(?:[ \t]+[\p{ID_Start}_][\p{ID_Continue}-]*|[ \t]*"[^"\n]*")*[ \t]*(?:\{|=(?![=>]))/uy,
);

/** A line with only a comment. */
const COMMENT = /(?:#|\/\/)/y;

/** A line that closes the braces of a block or an object, and may open others. */
const CLOSES_BRACE = /^\}[ \t\r]*(?:,[ \t\r]*\{?[ \t\r]*)?(?:(?:#|\/\/).*)?$/;

/** A bracket that closes on another line, possibly with a comment after it. */
const OPENS_AT_END = /[([{][ \t\r]*(?:(?:#|\/\/).*)?$/;

/** The indentation of a broken text. While a closing bracket is missing, indentation shows which lines belong together. */
export class Indentation {
  private readonly text: string;
  private readonly starts: number[] = [0];
  /** The number of leading blanks by line; -1 for a blank line or one with only a comment. */
  private readonly indents: number[] = [];
  /** Whether the text indents its blocks; otherwise indentation means nothing. */
  private readonly isIndented: boolean;
  /** By marker, the lines that may open or close a heredoc with it. */
  private readonly markers = new Map<string, MarkerLine[]>();
  /** By line, the marker of the heredoc it opens. */
  private readonly heredocs = new Map<number, string>();
  /** Maps a line that ends in an open bracket to the aligned line that closes it, and back. */
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

  /** Whether most lines that open a bracket are followed by a deeper one. The unclosed bracket of the broken text does not matter then. */
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
   * Pairs opening and closing lines. A closing line has the indentation of its opening line, with at most one unclosed line between them.
   * In other cases it is misaligned, and closes the last open one.
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

  /** Returns the indentation of the line at a position. */
  indentAt(position: number): number {
    return this.indents[this.lineAt(position)] ?? 0;
  }

  /**
   * Returns how much deeper a line is than `indent`; undefined if the position is not the start of its line, or the text is not indented.
   */
  depthAt(position: number, indent: number): number | undefined {
    const line = this.lineAt(position);
    const own = this.indents[line] ?? 0;
    return this.isIndented && this.firstOf(line) === position ? own - indent : undefined;
  }

  /** Whether an open bracket ends at a newline, for a line indented by `indent`. */
  endsAt(newline: number, indent: number): boolean {
    const line = this.lineAt(newline) + 1;
    const own = this.indents[line] ?? -1;
    if (own < 0) return false;
    if (this.isIndented && own < indent) return true;
    const item = itemPattern();
    item.lastIndex = this.firstOf(line);
    return item.test(this.text);
  }

  /** Whether the next non-blank line is deeper than the line of a position. */
  isFollowedByDeeper(position: number): boolean {
    const line = this.lineAt(position);
    return this.isIndented && (this.indents[this.afterBlanks(line + 1)] ?? -1) > (this.indents[line] ?? 0);
  }

  /**
   * Whether an item may span a range of lines: not if it ends at a brace that aligns with another opening line and so belongs to an outer
   * block. A brace that aligns with nothing may be its own.
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
   * Returns the position of the brace that may close the one at a position, if the lines below are no deeper. It may instead close an outer
   * block.
   */
  unclearCloser(position: number): number | undefined {
    const line = this.lineAt(position);
    const closer = this.closers.get(line);
    const isUnclear = closer !== undefined && this.endsLine(position) && !this.isFollowedByDeeper(position);
    return isUnclear && this.afterBlanks(line + 1) !== closer ? this.firstOf(closer) : undefined;
  }

  /** Whether only a comment follows the character at a position on its line. */
  private endsLine(position: number): boolean {
    let at = position + 1;
    while (isBlank(this.text.charCodeAt(at))) at++;
    const code = this.text.charCodeAt(at);
    return code === LF || code === HASH || code === SLASH;
  }

  /**
   * Returns the end of a broken item from `start`, read up to `end`. It includes deeper lines if the item spans several lines, if its line
   * opens a bracket at its end, or if another line closes one.
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
   * Returns the start of the line that closes the heredoc opened at a position; infinity if another heredoc with this marker opens before.
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

  /** Returns the last line of the heredoc that a line opens; the line itself without a heredoc. */
  private endOfLiteral(line: number): number {
    const marker = this.heredocs.get(line);
    return (marker === undefined ? undefined : this.closerOfHeredoc(line, marker)) ?? line;
  }

  /** Returns the first non-blank character of a line. */
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

  /** Whether a line opens the brace of a block or an object, and no other bracket that stays open. */
  private opensBrace(line: number): boolean {
    if (!this.opensAtEnd(line)) return false;
    let open = 0;
    let last = 0;
    for (let at = this.firstOf(line), end = this.endOf(line); at < end; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) {
        at = this.endOfString(at, end);
        // Then the open bracket is part of the string.
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
