import { beforeLineEnd, type Range } from "../../model/source.ts";
import { type SyntaxError as Mistake, rangeOf, type Span } from "./ast.ts";
import { BYTE_ORDER_MARK, CLOSE_BRACE, CR, END, endOfName, HASH, LF, SLASH, SPACE, STAR, TAB } from "./characters.ts";
import type { Indentation } from "./indentation.ts";

/**
 * How deep expressions, blocks and template directives may lie in each other, and how long a chain of operators may be:
 * what walks the tree can then do so by recursion. Files people write stay far below.
 */
export const MAX_DEPTH = 200;

/** The innermost bracket that is open. */
interface Bracket {
  /** Whether newlines are blanks in it: in ( ), [ ], ${ } and `{ for }`, but not in an object or block. */
  crossesLines: boolean;
  /** Where it is. */
  readonly start: number;
  /** How far the line is indented that opens it. */
  readonly indent: number;
  /** Whether the lines in it are no deeper than the one that opens it. */
  readonly isFlush: boolean;
  /** Whether it lies in none that is crossed by lines: those are closed by what a line of a block or object never is. */
  readonly isPlain: boolean;
  readonly outer: Bracket | undefined;
}

/** In a broken text, so many times its length is read in vain, in the hope that an item is whole: it keeps reading linear. */
const HOPE = 4;

/**
 * A text and how far it is read: what all parts of the parser share. Without a layout it is read as the specification says,
 * and reading ends at the first error. With one, it goes on behind errors, by how the lines are laid out.
 */
export class Reader {
  readonly text: string;
  readonly layout: Indentation | undefined;
  /** The lines of a text that is known to be broken, also while an item of it is read without a layout. */
  lines: Indentation | undefined;
  /** Where reading goes on. */
  at: number;
  /** Where reading ends: with the text, or with the heredoc that is being read. */
  end: number;
  readonly comments: Range[] = [];
  readonly errors: Mistake[] = [];
  private bracket: Bracket = { crossesLines: false, start: 0, indent: -1, isFlush: false, isPlain: true, outer: undefined };
  /** Whether brackets within an item count only where the lines bear them out. */
  private isCareful = false;
  /** Something outermost ended without its brace, so that what follows may lie in it. */
  private isAdrift = false;
  private depth = 0;
  /** The depth of the deepest part of what is being read. */
  private deepest = 0;
  /** Where an unclosed comment begins, behind which none can be closed. */
  private unclosedComment = Number.POSITIVE_INFINITY;
  /** How many characters may still be read in vain. */
  private hope: number;

  constructor(text: string, layout?: Indentation) {
    this.text = text;
    this.layout = layout;
    this.lines = layout;
    this.hope = HOPE * text.length;
    this.end = text.length;
    this.at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  /** Goes to the next character that is no blank and no comment, and answers its code, or END. */
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

  /** The code of a character behind the current one. */
  ahead(distance = 1): number {
    return this.text.charCodeAt(this.at + distance);
  }

  /** Whether the lines bear out that a newline ends what is being read, though it counts as a blank. */
  private endsHere(): boolean {
    return this.layout?.endsAt(this.at, this.bracket.indent) === true;
  }

  /** A line comment leaves its newline to be read: it may end an attribute. One that is read again counts once. */
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

  /** Goes to where the line ends. */
  skipLine(): void {
    const newline = this.text.indexOf("\n", this.at);
    const hasReturn = newline > this.at && this.text.charCodeAt(newline - 1) === CR;
    this.at = newline < 0 ? this.text.length : hasReturn ? newline - 1 : newline;
  }

  /** Goes behind blank lines and comments; answers what `peek` does. */
  skipNewlines(): number {
    for (;;) {
      const code = this.peek();
      if (code !== LF) return code;
      this.at++;
    }
  }

  /** Takes the next character, not counting blanks, if it is this one. */
  take(code: number): boolean {
    if (this.peek() !== code) return false;
    this.at++;
    return true;
  }

  /** Takes a closing bracket or punctuation mark, or reports that it is missing. */
  expect(code: number): boolean {
    if (this.take(code)) return true;
    this.error(`${String.fromCharCode(code)} is missing here.`);
    return false;
  }

  /** Takes a name that begins at the current position; "" when none does. */
  name(): string {
    const start = this.at;
    this.at = endOfName(this.text, start);
    return this.text.slice(start, this.at);
  }

  /** Whether a word, and no longer name, stands next. */
  isWord(word: string): boolean {
    this.peek();
    return this.text.startsWith(word, this.at) && endOfName(this.text, this.at) === this.at + word.length;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.at += word.length;
    return true;
  }

  /** Whether a word, and no longer name, stands next when newlines do not count. Takes nothing. */
  isWordBelow(word: string): boolean {
    const { at } = this;
    this.skipNewlines();
    const isNext = this.isWord(word);
    this.at = at;
    return isNext;
  }

  /** Takes an opening bracket of some length. What is opened must be closed. */
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

  /** Nothing is open around the current position, as far as one can tell. */
  private get isOutermost(): boolean {
    return this.bracket.outer === undefined && !this.isAdrift;
  }

  /** Goes behind the brace that may close the one at the current position, and may as well close one around it. */
  skipUnclear(): boolean {
    const closer = this.isOutermost ? undefined : this.layout?.unclearCloser(this.at);
    if (closer === undefined) return false;
    this.error("It is not clear which } closes this: the lines below are no deeper.");
    this.at = closer + 1;
    return true;
  }

  /** Newlines count as blanks from here to the end of the innermost bracket. */
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
   * Goes to the next item of the block or object that is open, or takes the brace that closes it. Where a layout says so, a
   * brace that is indented too far is passed over, and a line that is indented too little belongs to something outside.
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
   * Reads an item as the specification says, in a text that is broken elsewhere. Undefined, and nothing taken, when it is not
   * whole, or ends where the layout says that it took the end of another.
   */
  attempt<T extends Span>(read: (reader: Reader) => T | undefined): T | undefined {
    if (!this.layout || this.hope <= 0) return undefined;
    const strict = new Reader(this.text);
    strict.lines = this.layout;
    strict.isCareful = !this.isOutermost;
    strict.at = this.at;
    strict.depth = this.depth;
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
    for (const comment of strict.comments) this.comments.push(comment);
    return result;
  }

  /** Goes behind an item that cannot be read, and began at `start`: behind its line and the lines that belong to it. */
  recover(start: number): void {
    this.skipLine();
    if (this.layout) this.at = this.layout.endOfItem(start, this.at);
  }

  /**
   * Goes one level down, where something that can hold another of its kind is read. What goes down must come up, with
   * what this answers.
   */
  descend(): number {
    const before = this.deepest;
    this.deepest = this.depth++;
    this.deepen();
    return before;
  }

  ascend(before: number): void {
    this.depth--;
    this.deepest = Math.max(this.deepest, before);
  }

  /** Whether reading ended because what is being read lies too deep. */
  get isTooDeep(): boolean {
    return this.deepest > MAX_DEPTH;
  }

  /** All that was read since the last descent becomes part of another one, as does the left operand of an operator. */
  deepen(): void {
    if (++this.deepest <= MAX_DEPTH) return;
    this.error(`Too deep; the rest is not read: more than ${MAX_DEPTH} levels of brackets, blocks or operators.`);
    this.at = this.text.length;
  }

  /** One error for each place: what follows from an error is not another. */
  error(message: string, start: number = this.at, end: number = start): void {
    const range = beforeLineEnd([start, Math.min(Math.max(start, end), this.text.length)], this.text);
    if (this.errors.at(-1)?.range[0] !== range[0]) this.errors.push({ message, range });
    if (!this.layout) this.at = this.text.length;
  }
}
