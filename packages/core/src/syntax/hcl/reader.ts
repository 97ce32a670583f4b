import { beforeLineEnd, type Range } from "../../model/source.ts";
import { DEEPEST, excessOf, TOO_DEEP, tooLarge } from "../extent.ts";
import { type SyntaxError as Mistake, rangeOf, type Span } from "./ast.ts";
import { BYTE_ORDER_MARK, CLOSE_BRACE, CR, END, endOfName, HASH, LF, SLASH, SPACE, STAR, TAB } from "./characters.ts";
import type { Indentation } from "./indentation.ts";

/** The innermost open bracket. */
interface Bracket {
  /** Whether newlines are blanks in it: in ( ), [ ], ${ } and `{ for }`, but not in an object or block. */
  crossesLines: boolean;
  /** Its offset. */
  readonly start: number;
  /** The indentation of the line that opens it. */
  readonly indent: number;
  /** Whether the lines in it are no deeper than the line that opens it. */
  readonly isFlush: boolean;
  /** Whether no enclosing bracket treats newlines as blanks; a line of a block or object never closes such a bracket. */
  readonly isPlain: boolean;
  readonly outer: Bracket | undefined;
}

/** In a broken text, failed attempts may read this many times its length, which keeps parsing linear. */
const HOPE = 4;

/**
 * The text and the position of the parser. Without a layout it follows the specification and stops at the first error. With a layout, it
 * continues after errors with the help of indentation.
 */
export class Reader {
  readonly text: string;
  readonly layout: Indentation | undefined;
  /** The indentation of a broken text, also during attempts without a layout. */
  lines: Indentation | undefined;
  /** The current position. */
  at: number;
  /** The end of the text, or of the current heredoc. */
  end: number;
  readonly comments: Range[] = [];
  readonly errors: Mistake[] = [];
  private bracket: Bracket = { crossesLines: false, start: 0, indent: -1, isFlush: false, isPlain: true, outer: undefined };
  /** Whether the indentation must confirm brackets within an item. */
  private isCareful = false;
  /** Whether a top-level item ended without its brace, so that the following text may be inside of it. */
  private isAdrift = false;
  private depth = 0;
  /** The number of items with a level of their own. */
  private parts = 0;
  /** The deepest level in the current item. */
  private deepest = 0;
  /** The start of an unclosed comment. No comment can close after it. */
  private unclosedComment = Number.POSITIVE_INFINITY;
  /** The number of characters that failed attempts may still read. */
  private hope: number;

  constructor(text: string, layout?: Indentation) {
    this.text = text;
    this.layout = layout;
    this.lines = layout;
    this.hope = HOPE * text.length;
    this.end = text.length;
    this.at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  /** Skips blanks and comments, and returns the code of the next character, or END. */
  peek(): number {
    for (;;) {
      if (this.at >= this.end) return END;
      const code = this.text.charCodeAt(this.at);
      if (code > SLASH) return code;
      if (code === SPACE || code === TAB || code === CR) this.at++;
      else if (code === LF) {
        if (!this.bracket.crossesLines || this.endsHere()) return LF;
        this.at++;
      } else if (!((code === HASH || code === SLASH) && this.skipComment(code))) return code;
    }
  }

  /** Returns the code of a character after the current one. */
  ahead(distance = 1): number {
    return this.text.charCodeAt(this.at + distance);
  }

  /** Whether indentation shows that the item ends at a newline that is otherwise a blank. */
  private endsHere(): boolean {
    return this.layout?.endsAt(this.at, this.bracket.indent) === true;
  }

  /** Skips a line comment up to its newline, which may end an attribute. A repeated attempt does not record it twice. */
  private skipComment(code: number): boolean {
    const start = this.at;
    const next = this.ahead();
    if (code === SLASH && next === STAR) this.skipInlineComment();
    else if (code === HASH || next === SLASH) this.skipLine();
    else return false;
    if (start >= (this.comments.at(-1)?.[1] ?? 0)) this.comments.push([start, this.at]);
    return true;
  }

  private skipInlineComment(): void {
    const start = this.at;
    const end = start < this.unclosedComment ? this.text.indexOf("*/", start + 2) : -1;
    if (end >= 0) {
      this.at = Math.min(end + 2, this.end);
    } else {
      this.unclosedComment = Math.min(start, this.unclosedComment);
      this.skipLine();
      this.error("This comment is not closed: */ is missing.", start);
    }
  }

  /** Moves to the end of the line. */
  skipLine(): void {
    const newline = this.text.indexOf("\n", this.at);
    const hasReturn = newline > this.at && this.text.charCodeAt(newline - 1) === CR;
    this.at = newline < 0 ? this.text.length : hasReturn ? newline - 1 : newline;
  }

  /** Skips blank lines and comments, and returns the result of `peek`. */
  skipNewlines(): number {
    for (;;) {
      const code = this.peek();
      if (code !== LF) return code;
      this.at++;
    }
  }

  /** Skips blanks and consumes the next character if it is this one. */
  take(code: number): boolean {
    if (this.peek() !== code) return false;
    this.at++;
    return true;
  }

  /** Consumes a closing bracket or punctuation mark, or reports that it is missing. */
  expect(code: number): boolean {
    if (this.take(code)) return true;
    this.error(`${String.fromCharCode(code)} is missing here.`);
    return false;
  }

  /** Consumes a name at the current position; "" if there is none. */
  name(): string {
    const start = this.at;
    this.at = endOfName(this.text, start);
    return this.text.slice(start, this.at);
  }

  /** Whether the next token is exactly this word. */
  isWord(word: string): boolean {
    this.peek();
    return this.text.startsWith(word, this.at) && endOfName(this.text, this.at) === this.at + word.length;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.at += word.length;
    return true;
  }

  /** Whether the next token after newlines is exactly this word. Consumes nothing. */
  isWordBelow(word: string): boolean {
    const { at } = this;
    this.skipNewlines();
    const isNext = this.isWord(word);
    this.at = at;
    return isNext;
  }

  /** Consumes an opening bracket of some length. The caller must close it. */
  open(length: number, crossesLines: boolean): void {
    const { at, bracket, layout } = this;
    const isFlush = layout !== undefined && this.isOutermost && layout.unclearCloser(at) !== undefined;
    this.bracket = {
      crossesLines,
      start: at,
      indent: layout?.indentAt(at) ?? 0,
      isFlush,
      isPlain: bracket.isPlain && !bracket.crossesLines,
      outer: bracket,
    };
    this.at += length;
  }

  /** Whether no bracket is known to be open at the current position. */
  private get isOutermost(): boolean {
    return this.bracket.outer === undefined && !this.isAdrift;
  }

  /** Moves behind a brace that may close the one at the current position or an outer one. */
  skipUnclear(): boolean {
    const closer = this.isOutermost ? undefined : this.layout?.unclearCloser(this.at);
    if (closer === undefined) return false;
    this.error("It is not clear which } closes this: the lines below are no deeper.");
    this.at = closer + 1;
    return true;
  }

  /** Newlines are blanks from here to the end of the innermost bracket. */
  crossLines(): void {
    this.bracket.crossesLines = true;
  }

  close(): void {
    const { start, outer, isPlain } = this.bracket;
    if (this.isCareful && isPlain && this.lines?.isPlausible([start, this.at], false) === false)
      this.error("This closes another bracket.", this.at - 1);
    this.bracket = outer ?? this.bracket;
  }

  /**
   * Moves to the next item of the open block or object, or consumes its closing brace. With a layout, it skips a brace that is indented too
   * far, and a line that is indented too little belongs to an outer block.
   */
  takeCloser(): "item" | "closed" | "unclosed" | "stray" {
    const { at } = this;
    const code = this.skipNewlines();
    const depth = this.layout?.depthAt(this.at, this.bracket.indent) ?? (code === CLOSE_BRACE ? 0 : 1);
    if (code === END || depth < 0 || (depth === 0 && code !== CLOSE_BRACE && !this.bracket.isFlush)) {
      this.at = at;
      if (this.bracket.outer?.outer === undefined) this.isAdrift = true;
      this.error("} is missing here.");
      return "unclosed";
    }
    if (code !== CLOSE_BRACE) return "item";
    this.at++;
    if (depth === 0) return "closed";
    this.error("This } closes nothing.", this.at - 1, this.at);
    return "stray";
  }

  /**
   * Reads an item by the specification in a text with errors elsewhere. Undefined, with nothing consumed, if the item is incomplete or, by
   * the layout, ends with the brace of another item.
   */
  attempt<T extends Span>(read: (reader: Reader) => T | undefined): T | undefined {
    if (!this.layout || this.hope <= 0) return undefined;
    const strict = new Reader(this.text);
    strict.lines = this.layout;
    strict.isCareful = !this.isOutermost;
    strict.at = this.at;
    strict.depth = this.depth;
    strict.parts = this.parts;
    strict.unclosedComment = this.unclosedComment;
    const result = read(strict);
    const [error] = strict.errors;
    this.unclosedComment = strict.unclosedComment;
    if (error || !result || !this.layout.isPlausible(rangeOf(result), this.isOutermost)) {
      this.hope -= (error?.range[0] ?? strict.at) - this.at;
      return undefined;
    }
    this.at = strict.at;
    this.deepest = Math.max(this.deepest, strict.deepest);
    this.parts = strict.parts;
    for (const comment of strict.comments) this.comments.push(comment);
    return result;
  }

  /** Moves behind an unreadable item from `start`: its line and the lines that belong to it. */
  recover(start: number): void {
    this.skipLine();
    if (this.layout) this.at = this.layout.endOfItem(start, this.at);
  }

  /** Goes one level down, for an item that can contain others of its kind. Pass the result to the matching call that goes up. */
  descend(): number {
    const excess = excessOf(++this.parts, "expressions");
    if (excess !== undefined) this.stop(tooLarge(excess));
    const before = this.deepest;
    this.deepest = this.depth++;
    this.deepen();
    return before;
  }

  ascend(before: number): void {
    this.depth--;
    this.deepest = Math.max(this.deepest, before);
  }

  /** Whether parsing stopped because the text is too deep or too large. */
  isStopped = false;

  /** Nests the items since the last descent one level deeper, like the left operand of an operator. */
  deepen(): void {
    if (++this.deepest > DEEPEST) this.stop(TOO_DEEP);
  }

  private stop(message: string): void {
    this.error(message);
    this.at = this.text.length;
    this.isStopped = true;
  }

  /** Records at most one error per offset, because later ones follow from the first. */
  error(message: string, start: number = this.at, end: number = start): void {
    if (this.isStopped) return;
    const range = beforeLineEnd([start, Math.min(Math.max(start, end), this.text.length)], this.text);
    if (this.errors.at(-1)?.range[0] !== range[0]) this.errors.push({ message, range });
    if (!this.layout) this.at = this.text.length;
  }
}
