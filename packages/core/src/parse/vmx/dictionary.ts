import type { Range } from "../../model/source.ts";

/** One `name = "value"` line. */
export interface Entry {
  /** Lower-cased: ESXi's keys are case-insensitive in practice. */
  readonly key: string;
  readonly keyRange: Range;
  /** The value between its quotes, or the bare word; still escaped. */
  readonly valueRange: Range;
}

const NUL = 0;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const DOLLAR = 36;
const LESS = 60;
const EQUALS = 61;
const BRACE = 123;
const BAR = 124;
const BOM = 0xfeff;

/** Jinja and Packer `{{ }}` `{% %}`, Terraform and shell `${ }` `$( )`, machine-controller `<< >>`. */
const TEMPLATE = /\{\{|\{%|\$\{|\$\(|<<.*>>/;
const TEMPLATE_PAIR = /^[ \t]*([^\0 \t#="{]+)[ \t]*=[ \t]*(.*?)[ \t]*$/;

/** Whether a value holds a template marker, so that its text is not what ESXi will see. */
export const isTemplate = (value: string): boolean => TEMPLATE.test(value);

/**
 * Splits a .vmx file into its lines by the grammar of open-vm-tools' reader (dictll.c): blank, comment,
 * `name = value`, or a line that defines nothing. LF, CRLF and a lone CR end a line.
 */
export function readDictionary(text: string, codes: Codes = codesOf(text), buffer: Int32Array = newBuffer()): Dictionary {
  const dictionary = new Dictionary(text, codes, buffer);
  const { duplicates, comments, malformed } = dictionary;
  const length = text.length;

  // One pass, character by character, hashing names on the way. Past the end every code is NUL, at which each loop stops.
  let at = text.charCodeAt(0) === BOM ? 1 : 0;
  while (at < length) {
    const lineStart = at;
    let c = code(codes, at);
    while (c === SPACE || c === TAB) c = code(codes, ++at);
    const keyStart = at;
    let hash = 0;
    // Letters, digits, "." and ":" are the first two ranges; the rest of the characters a name may hold are rare.
    while (NAME[c] !== 0) {
      hash = (Math.imul(hash, 31) + (NAME[c] as number)) | 0;
      c = code(codes, ++at);
    }
    const keyEnd = at;
    while (c === SPACE || c === TAB) c = code(codes, ++at);

    let isPair = false;
    let comment = keyEnd === keyStart && c === HASH;
    const blank = keyEnd === keyStart && (c === LF || c === CR || at >= length);
    let valueStart = at;
    let valueEnd = at;
    if (keyEnd > keyStart && c === EQUALS) {
      c = code(codes, ++at);
      while (c === SPACE || c === TAB) c = code(codes, ++at);
      const quoted = c === QUOTE;
      if (quoted) c = code(codes, ++at);
      valueStart = at;
      if (quoted) while (c > QUOTE || (c > NUL && c !== QUOTE && c !== LF && c !== CR)) c = code(codes, ++at);
      else while (c > HASH || (c > NUL && !endsWord(c))) c = code(codes, ++at);
      valueEnd = at;
      isPair = !quoted || c === QUOTE;
      if (quoted && isPair) c = code(codes, ++at);
      while (c === SPACE || c === TAB) c = code(codes, ++at);
      comment = isPair && c === HASH;
      isPair &&= comment || c === LF || c === CR || at >= length;
    }
    const commentStart = at;
    while (at < length && c !== LF && c !== CR) c = code(codes, ++at);

    if (isPair) {
      const isNew = dictionary.add(spread(hash), keyStart, keyEnd, valueStart, valueEnd);
      if (!isNew) duplicates.push(entryAt(text, keyStart, keyEnd, valueStart, valueEnd));
    } else if (!blank && !comment) {
      const templated = templatedPair(text, lineStart, at);
      if (templated === undefined) malformed.push([lineStart, at]);
      else if (templated && !dictionary.add(keyOf(text.slice(templated[0], templated[1]).toLowerCase()).hash, ...templated))
        duplicates.push(entryAt(text, ...templated));
    }
    if (comment) comments.push([commentStart, at]);
    at++;
  }
  return dictionary;
}

/**
 * The characters of a text as numbers, those beyond Latin-1 as 255: the grammar knows only ASCII. A file that has one byte
 * for each character has them already: its bytes. Typed arrays are faster to read than strings, and one kind of them than two.
 */
export type Codes = Uint8Array;

function codesOf(text: string): Codes {
  const codes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = Math.min(text.charCodeAt(i), 255);
  return codes;
}

const code = (codes: Codes, at: number): number => (at < codes.length ? (codes[at] as number) : NUL);

/** Ends a name and an unquoted value. */
const endsWord = (c: number): boolean => c === SPACE || c === TAB || c === HASH || c === LF || c === CR;

type Offsets = readonly [keyStart: number, keyEnd: number, valueStart: number, valueEnd: number];

/** Offsets of a pair that is malformed only because a template is still in it; `null` = a template line without one. */
function templatedPair(text: string, start: number, end: number): Offsets | null | undefined {
  const line = text.slice(start, end);
  if (!isTemplate(line)) return undefined;
  const pair = TEMPLATE_PAIR.exec(line);
  if (!pair) return null;
  const [, name = "", value = ""] = pair;
  const keyStart = start + line.indexOf(name);
  const valueStart = start + line.indexOf(value, line.indexOf("=") + 1);
  return [keyStart, keyStart + name.length, valueStart, valueStart + value.length];
}

const entryAt = (text: string, keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): Entry => ({
  key: text.slice(keyStart, keyEnd).toLowerCase(),
  keyRange: [keyStart, keyEnd],
  valueRange: [valueStart, valueEnd],
});

/** A key to look for, hashed once for any number of files. */
export interface Key {
  /** In lower case. */
  readonly text: string;
  readonly hash: number;
}

export function keyOf(text: string): Key {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return { text, hash: spread(hash) };
}

/** Brings the high bits, which hold the start of a name, into the low ones that choose a chain. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

/** ASCII only, as keys are. */
const lower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

/** By code: the character in lower case where a name may hold it, 0 where it ends one. */
const NAME = Uint8Array.from({ length: 256 }, (_, c) => (c === NUL || c === EQUALS || endsWord(c) ? 0 : lower(c)));

/** Chains of the hash table. A file of 100 lines has about one key in each; a larger one has longer chains. */
const CHAINS = 128;

/** Room for the table of a dictionary, to be used for one after another: a new one for each of thousands of files costs more than the scan. */
export const newBuffer = (): Int32Array => new Int32Array(CHAINS + FIELDS * 256);

/** Numbers an entry: key start and end, value start and end, hash of the key, number + 1 of the next in its chain. */
const FIELDS = 6;

/**
 * The lines of a .vmx file, by place. A run over thousands of files asks for a few dozen keys of each, so nothing is cut
 * out of the text, and no object made, until it is asked for. Keys are found by a hash of their lower-cased text: a Map of
 * strings takes several times as long to fill.
 */
export class Dictionary {
  readonly text: string;
  /** How many distinct keys there are; entries are numbered in file order. */
  size = 0;
  /** Later entries of a key that was already set, in file order. */
  readonly duplicates: Entry[] = [];
  /** Comments, from `#` to the end of the line. */
  readonly comments: Range[] = [];
  /** Lines that define nothing; VMware's reader passes over them in silence. */
  readonly malformed: Range[] = [];
  private readonly codes: Codes;
  /** Number + 1 of the first entry of each chain, 0 = none; then the entries. */
  private table: Int32Array;

  constructor(text: string, codes: Codes, buffer: Int32Array) {
    this.text = text;
    this.codes = codes;
    this.table = buffer.fill(0, 0, CHAINS);
  }

  /** False when the key was set before. */
  add(hash: number, keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): boolean {
    for (let index = this.first(hash); index >= 0; index = this.next(index)) {
      if (this.field(index, 4) === hash && this.isSame(index, keyStart, keyEnd)) return false;
    }
    const at = CHAINS + this.size * FIELDS;
    if (at === this.table.length) {
      const larger = new Int32Array(at * 2);
      larger.set(this.table);
      this.table = larger;
    }
    const chain = hash & (CHAINS - 1);
    this.table[at] = keyStart;
    this.table[at + 1] = keyEnd;
    this.table[at + 2] = valueStart;
    this.table[at + 3] = valueEnd;
    this.table[at + 4] = hash;
    this.table[at + 5] = this.table[chain] ?? 0;
    this.table[chain] = ++this.size;
    return true;
  }

  /** The number of a key's first entry, -1 when it is not set. */
  indexOf({ text, hash }: Key): number {
    for (let index = this.first(hash); index >= 0; index = this.next(index)) {
      if (this.hash(index) === hash && this.keyIs(index, text)) return index;
    }
    return -1;
  }

  entry(index: number): Entry {
    return entryAt(this.text, this.field(index, 0), this.field(index, 1), this.field(index, 2), this.field(index, 3));
  }

  keyRange(index: number): Range {
    return [this.field(index, 0), this.field(index, 1)];
  }

  /** The hash of an entry's key. */
  hash(index: number): number {
    return this.field(index, 4);
  }

  /** Whether an entry has a key, in lower case. */
  keyIs(index: number, key: string): boolean {
    return this.keyLength(index) === key.length && this.keyHas(index, key, 0);
  }

  /** Whether an entry has a value, in lower case. */
  valueIs(index: number, value: string): boolean {
    const start = this.field(index, 2);
    return this.field(index, 3) - start === value.length && this.isAt(start, value);
  }

  /** Whether the value of an entry reads as it stands: no escape in it, and no sign of a template. */
  isPlain(index: number): boolean {
    for (let at = this.field(index, 2); at < this.field(index, 3); at++) {
      const c = code(this.codes, at);
      if (c === BRACE || c === BAR || c === DOLLAR || c === LESS) return false;
    }
    return true;
  }

  valueRange(index: number): Range {
    return [this.field(index, 2), this.field(index, 3)];
  }

  private keyLength(index: number): number {
    return this.field(index, 1) - this.field(index, 0);
  }

  /** Whether the key of an entry begins with a text in lower case. */
  keyStartsWith(index: number, prefix: string): boolean {
    return this.keyHas(index, prefix, 0);
  }

  /** Whether a text in lower case stands in a key, at an offset from its start. */
  private keyHas(index: number, part: string, at: number): boolean {
    if (at < 0 || at + part.length > this.keyLength(index)) return false;
    return this.isAt(this.field(index, 0) + at, part);
  }

  private isAt(start: number, part: string): boolean {
    for (let i = 0; i < part.length; i++) {
      if (lower(code(this.codes, start + i)) !== part.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The entries whose key ends with a text in lower case. */
  endingWith(suffix: string): readonly number[] {
    const found: number[] = [];
    const last = suffix.charCodeAt(suffix.length - 1);
    for (let index = 0; index < this.size; index++) {
      const isCandidate = lower(code(this.codes, this.field(index, 1) - 1)) === last;
      if (isCandidate && this.keyHas(index, suffix, this.keyLength(index) - suffix.length)) found.push(index);
    }
    return found;
  }

  private isSame(index: number, keyStart: number, keyEnd: number): boolean {
    if (this.keyLength(index) !== keyEnd - keyStart) return false;
    const start = this.field(index, 0);
    for (let i = 0; i < keyEnd - keyStart; i++) {
      if (lower(code(this.codes, start + i)) !== lower(code(this.codes, keyStart + i))) return false;
    }
    return true;
  }

  private first(hash: number): number {
    return (this.table[hash & (CHAINS - 1)] ?? 0) - 1;
  }

  private next(index: number): number {
    return this.field(index, 5) - 1;
  }

  private field(index: number, field: 0 | 1 | 2 | 3 | 4 | 5): number {
    return this.table[CHAINS + index * FIELDS + field] ?? 0;
  }
}

/** `|XX` is the byte XX; an incomplete escape stays as it is (escape.c). */
export function unescapeVmx(text: string): string {
  if (!text.includes("|")) return text;
  return text.replace(/\|([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The inverse: the quote, the bar, and every control character except TAB. */
export function escapeVmx(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
    /["|\x00-\x08\x0a-\x1f\x7f]/g,
    (c) => `|${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** The value of an entry as ESXi reads it. */
export const entryValue = (text: string, entry: Entry): string => unescapeVmx(text.slice(entry.valueRange[0], entry.valueRange[1]));
