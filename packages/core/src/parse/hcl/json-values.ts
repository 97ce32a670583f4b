import type { Range } from "../../model/source.ts";
import type { SyntaxError as Mistake } from "./ast.ts";
import * as char from "./characters.ts";
import { MAX_DEPTH } from "./reader.ts";

export type JsonValue =
  | { readonly kind: "object"; readonly members: readonly JsonMember[]; readonly range: Range }
  | { readonly kind: "array"; readonly items: readonly JsonValue[]; readonly range: Range }
  | JsonString
  /** A number as it is written, true, false or null. */
  | { readonly kind: "scalar"; readonly text: string; readonly range: Range }
  /** Where a value should be and none is. */
  | { readonly kind: "missing"; readonly range: Range };

export interface JsonString {
  readonly kind: "string";
  readonly value: string;
  readonly range: Range;
  /** Where a character of the value lies in the text. */
  readonly offsetOf: (index: number) => number;
}

export interface JsonMember {
  readonly name: JsonString;
  readonly value: JsonValue;
}

/**
 * Reads JSON (RFC 8259) with ranges. At the first error it stops; what stands before is kept. Our own, because the library at
 * hand (momoa 3.3) keeps nothing of a broken text and overflows on a deep one.
 */
export function readJsonValues(text: string): { readonly value: JsonValue; readonly errors: readonly Mistake[] } {
  const reader = new JsonReader(text);
  const value = reader.value();
  if (reader.peek() < text.length) reader.fail("Nothing is expected behind the value.");
  return { value, errors: reader.errors };
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANKS = /[ \t\n\r]*/y;
/** Characters that stand for themselves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids control characters in strings (RFC 8259, section 7).
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

class JsonReader {
  readonly errors: Mistake[] = [];
  private readonly text: string;
  private at: number;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
    this.at = text.charCodeAt(0) === char.BYTE_ORDER_MARK ? 1 : 0;
  }

  /** Goes behind blanks, and answers where that is. */
  peek(): number {
    this.skip(BLANKS);
    return this.at;
  }

  /** Reports the first error and goes to the end of the text. */
  fail(message: string): void {
    if (this.errors.length === 0) this.errors.push({ message, range: [this.at, this.at] });
    this.at = this.text.length;
  }

  value(): JsonValue {
    const start = this.peek();
    const code = this.text.charCodeAt(start);
    if (code === char.QUOTE) {
      const string = this.string();
      return this.errors.length > 0 ? { kind: "missing", range: string.range } : string;
    }
    if (code === char.OPEN_BRACE) return this.object();
    if (code === char.OPEN_BRACKET) return this.array();
    if (this.skip(SCALAR)) return { kind: "scalar", text: this.text.slice(start, this.at), range: [start, this.at] };
    this.fail("A JSON value is missing here.");
    return { kind: "missing", range: [start, start] };
  }

  private object(): JsonValue {
    const start = this.at;
    const members: JsonMember[] = [];
    this.bracketed(char.CLOSE_BRACE, () => {
      const member = this.member();
      if (member) members.push(member);
    });
    return { kind: "object", members, range: [start, this.at] };
  }

  private array(): JsonValue {
    const start = this.at;
    const items: JsonValue[] = [];
    this.bracketed(char.CLOSE_BRACKET, () => items.push(this.value()));
    return { kind: "array", items, range: [start, this.at] };
  }

  /** Reads from an opening bracket, over what stands between commas, to the closing one. */
  private bracketed(closer: number, read: () => void): void {
    this.at++;
    if (++this.depth > MAX_DEPTH) this.fail(`Nothing is read from here on: this lies in more than ${MAX_DEPTH} levels of brackets.`);
    else if (!this.take(closer)) {
      do read();
      while (this.take(char.COMMA));
      if (!this.take(closer)) this.fail(`A comma or ${String.fromCharCode(closer)} is missing here.`);
    }
    this.depth--;
  }

  private member(): JsonMember | undefined {
    if (this.text.charCodeAt(this.peek()) !== char.QUOTE) {
      this.fail('A property in " is missing here.');
      return undefined;
    }
    const name = this.string();
    if (!this.take(char.COLON)) this.fail(": is missing here.");
    return { name, value: this.value() };
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.peek()) !== code) return false;
    this.at++;
    return true;
  }

  private string(): JsonString {
    const start = this.at++;
    /** Where each escape lies in the value, and behind its end in the text. */
    const escapes: (readonly [index: number, end: number])[] = [];
    let value = "";
    for (let from = this.at; ; from = this.at) {
      this.skip(PLAIN);
      value += this.text.slice(from, this.at);
      const backslash = this.at;
      if (!this.skip(ESCAPE)) break;
      value += JSON.parse(`"${this.text.slice(backslash, this.at)}"`);
      escapes.push([value.length, this.at]);
    }
    if (this.text.charCodeAt(this.at) === char.QUOTE) this.at++;
    else this.fail('" is missing here, or a backslash stands before something else than b, f, n, r, t, u, /, \\ or ".');
    return { kind: "string", value, range: [start, this.at], offsetOf: (index) => offsetOf(index, start + 1, escapes) };
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}

function offsetOf(index: number, start: number, escapes: readonly (readonly [index: number, end: number])[]): number {
  let low = 0;
  let high = escapes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((escapes[middle]?.[0] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const [from, end] = escapes[low - 1] ?? [0, start];
  return end + index - from;
}
