import type { Range } from "../../model/source.ts";

/**
 * The values of a JSON text in order: for each, its start, its end and the slot of its next sibling. A key precedes its value. It takes
 * twelve bytes per value, about as much as the text; a tree with ranges takes many times that.
 */
export interface Tape {
  readonly text: string;
  readonly slots: Int32Array;
  /** Slots in use. */
  readonly length: number;
  /** The first error: values before it are complete, and open ones end there. */
  readonly broken?: Broken & { readonly open: readonly number[] };
}

/** Slots of one value. */
export const START = 0;
export const END = 1;
export const NEXT = 2;
export const SIZE = 3;

/** The position and the reason of the first error. */
export interface Broken {
  readonly message: string;
  readonly offset: number;
}

const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const UNICODE = /[0-9a-fA-F]{4}/y;
const WORDS = ["true", "false", "null"];

/** The token that the parser expects. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "comma";

/**
 * Reads any number of JSON documents in sequence, as programs print them to a pipe. Linear at any depth. A list or object shorter than
 * `small` characters is checked, but its contents are not indexed.
 */
export function readTape(text: string, small = 0, [from, to]: Range = [0, text.length]): Tape {
  let slots = new Int32Array(Math.max(64, Math.min(to - from, 1 << 20)));
  let length = 0;
  const open: number[] = [];
  let expected: Expected = "value";

  const push = (start: number, end: number): void => {
    if (length + SIZE > slots.length) {
      const larger = new Int32Array(slots.length * 2);
      larger.set(slots);
      slots = larger;
    }
    slots[length + START] = start;
    slots[length + END] = end;
    slots[length + NEXT] = length + SIZE;
    length += SIZE;
  };
  const cut = (broken: Broken): Tape => {
    for (const slot of open) {
      slots[slot + END] = broken.offset;
      slots[slot + NEXT] = length;
    }
    return { text, slots, length, broken: { ...broken, open } };
  };

  for (let at = text.charCodeAt(from) === BYTE_ORDER_MARK ? from + 1 : from; ; ) {
    at = skipBlanks(text, at);
    if (at >= to) break;
    const code = text.charCodeAt(at);
    const container = open.at(-1);
    const closes =
      container === undefined ? 0 : text.charCodeAt(slots[container + START] as number) === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;

    if (expected === "colon") {
      if (code !== COLON) return cut(misplaced(text, at, 'a ":" behind the key'));
      expected = "value";
      at++;
    } else if (container !== undefined && code === closes && (expected === "comma" || expected.startsWith("first"))) {
      slots[container + END] = ++at;
      if (at - (slots[container + START] as number) < small) length = container + SIZE;
      slots[container + NEXT] = length;
      open.pop();
      expected = open.length > 0 ? "comma" : "value";
    } else if (expected === "comma") {
      if (code !== COMMA) return cut(misplaced(text, at, `"," or "${String.fromCharCode(closes)}"`));
      expected = closes === CLOSE_OBJECT ? "key" : "value";
      at++;
    } else if (expected === "key" || expected === "first key") {
      const end = code === QUOTE ? endOfText(text, at) : misplaced(text, at, "a key in quotes");
      if (typeof end !== "number") return cut(end);
      push(at, end);
      at = end;
      expected = "colon";
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      open.push(length);
      push(at, at);
      expected = code === OPEN_OBJECT ? "first key" : "first value";
      at++;
    } else {
      const end = code === QUOTE ? endOfText(text, at) : endOfWord(text, at);
      if (typeof end !== "number") return cut(end);
      push(at, end);
      at = end;
      expected = open.length > 0 ? "comma" : "value";
    }
  }
  const unclosed = open.length === 1 ? "a bracket" : `${open.length} brackets`;
  return open.length > 0 ? cut({ message: `it ends with ${unclosed} still open`, offset: text.length }) : { text, slots, length };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; ) code = text.charCodeAt(++at);
  return at;
}

/** Returns the offset behind the closing quote of a text. */
function endOfText(text: string, quote: number): number | Broken {
  for (let at = quote + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      const escaped = text[++at] ?? "";
      if (escaped === "u") {
        UNICODE.lastIndex = at + 1;
        if (!UNICODE.test(text)) return { message: "an escape that JSON does not have", offset: at - 1 };
        at += 4;
      } else if (!'"\\/bfnrt'.includes(escaped) || escaped === "") return { message: "an escape that JSON does not have", offset: at - 1 };
    } else if (code < 0x20) return { message: "a text that does not end on its line", offset: quote };
  }
  return { message: "a text that does not end", offset: quote };
}

function endOfWord(text: string, at: number): number | Broken {
  NUMBER.lastIndex = at;
  if (NUMBER.test(text)) return NUMBER.lastIndex;
  const word = WORDS.find((candidate) => text.startsWith(candidate, at));
  return word !== undefined ? at + word.length : misplaced(text, at, "a value");
}

const misplaced = (text: string, offset: number, expected: string): Broken => ({
  message: `${JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0))} where ${expected} belongs`,
  offset,
});
