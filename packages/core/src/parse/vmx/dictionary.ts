import type { Range } from "../../model/source.ts";

/** One `name = "value"` line. */
export interface Entry {
  /** Lower-cased: ESXi's keys are case-insensitive in practice. */
  readonly key: string;
  readonly keyRange: Range;
  /** The value between its quotes, or the bare word; still escaped. */
  readonly valueRange: Range;
}

/**
 * The lines of a .vmx file, by place. A run over thousands of files asks for a few dozen keys of each, so nothing is cut
 * out of the text, and no object made, until it is asked for.
 */
export interface Dictionary {
  readonly text: string;
  /** How many distinct keys there are; entries are numbered in file order. */
  readonly size: number;
  /** The number of a key's first entry, -1 when it is not set. */
  readonly indexOf: (key: Key) => number;
  readonly entry: (index: number) => Entry;
  readonly valueRange: (index: number) => Range;
  /** Whether the key of an entry begins or ends with a text in lower case. */
  readonly keyStartsWith: (index: number, prefix: string) => boolean;
  readonly keyEndsWith: (index: number, suffix: string) => boolean;
  /** Later entries of a key that was already set, in file order. */
  readonly duplicates: readonly Entry[];
  /** Comments, from `#` to the end of the line. */
  readonly comments: readonly Range[];
  /** Lines that define nothing; VMware's reader passes over them in silence. */
  readonly malformed: readonly Range[];
}

const NUL = 0;
const TAB = 9;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const EQUALS = 61;
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
export function readDictionary(text: string): Dictionary {
  const table = new KeyTable(text);
  const duplicates: Entry[] = [];
  const comments: Range[] = [];
  const malformed: Range[] = [];
  const length = text.length;

  // The engine's own search finds line ends and closing quotes; only names are walked character by character.
  let cr = next(text, "\r", 0);
  let nul = next(text, "\0", 0);
  for (let lineStart = text.charCodeAt(0) === BOM ? 1 : 0, end = 0; lineStart < length; lineStart = end + 1) {
    if (cr < lineStart) cr = next(text, "\r", lineStart);
    if (nul < lineStart) nul = next(text, "\0", lineStart);
    end = Math.min(next(text, "\n", lineStart), cr);

    const keyStart = skipBlanks(text, lineStart, end);
    if (keyStart === end) continue;
    if (text.charCodeAt(keyStart) === HASH) {
      comments.push([keyStart, end]);
      continue;
    }
    const keyEnd = wordEnd(text, keyStart, end, EQUALS);
    let at = skipBlanks(text, keyEnd, end);
    let isPair = keyEnd > keyStart && at < end && text.charCodeAt(at) === EQUALS;
    if (isPair) {
      let valueStart = skipBlanks(text, at + 1, end);
      const quoted = valueStart < end && text.charCodeAt(valueStart) === QUOTE;
      if (quoted) valueStart++;
      const valueEnd = quoted ? next(text, '"', valueStart) : wordEnd(text, valueStart, end, NUL);
      at = skipBlanks(text, quoted ? valueEnd + 1 : valueEnd, end);
      const comment = at < end && text.charCodeAt(at) === HASH;
      isPair = (valueEnd < end || !quoted) && nul >= valueEnd && (at >= end || comment);
      if (isPair) {
        if (!table.add(keyStart, keyEnd, valueStart, valueEnd)) duplicates.push(entryAt(text, keyStart, keyEnd, valueStart, valueEnd));
        if (comment) comments.push([at, end]);
      }
    }
    if (!isPair) {
      const templated = templatedPair(text, lineStart, end);
      if (templated === undefined) malformed.push([lineStart, end]);
      else if (templated && !table.add(...templated)) duplicates.push(entryAt(text, ...templated));
    }
  }
  table.finish();
  return {
    text,
    size: table.size,
    indexOf: (key) => table.indexOf(key),
    entry: (index) => table.entry(index),
    valueRange: (index) => table.valueRange(index),
    keyStartsWith: (index, prefix) => table.keyHas(index, prefix, 0),
    keyEndsWith: (index, suffix) => table.keyHas(index, suffix, table.keyLength(index) - suffix.length),
    duplicates,
    comments,
    malformed,
  };
}

/** Where a mark is found next; the end of the text when it is not. */
function next(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at++;
  return at;
}

/** The end of a name or an unquoted value: a blank, `#`, NUL or `stop`. */
function wordEnd(text: string, from: number, end: number, stop: number): number {
  let at = from;
  for (; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c === SPACE || c === TAB || c === HASH || c === NUL || c === stop) break;
  }
  return at;
}

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

export const keyOf = (text: string): Key => ({ text, hash: hashOf(text, 0, text.length) });

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + lower(text.charCodeAt(i))) | 0;
  return hash ^ (hash >>> 15);
}

/** ASCII only, as keys are. */
const lower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

function same(a: string, aStart: number, b: string, bStart: number, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (lower(a.charCodeAt(aStart + i)) !== lower(b.charCodeAt(bStart + i))) return false;
  }
  return true;
}

/** Chains of the hash table. A file of 100 lines has about one key in each; a larger one has longer chains. */
const CHAINS = 128;

/** Numbers an entry: key start and end, value start and end, hash of the key, number + 1 of the next in its chain. */
const FIELDS = 6;

/** Where a table is built before it is cut to size: growing one anew for every file took longer than reading the file. */
let scratch = new Int32Array(CHAINS + FIELDS * 1024);

/** Where each key is, by a hash of its lower-cased text: a Map of strings takes several times as long to fill. */
class KeyTable {
  size = 0;
  private readonly text: string;
  /** Number + 1 of the first entry of each chain, 0 = none; then the entries. */
  private table = scratch.fill(0, 0, CHAINS);

  constructor(text: string) {
    this.text = text;
  }

  /** False when the key was set before. */
  add(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): boolean {
    const hash = hashOf(this.text, keyStart, keyEnd);
    if (this.find(hash, this.text, keyStart, keyEnd - keyStart) >= 0) return false;
    const at = CHAINS + this.size * FIELDS;
    if (at === this.table.length) {
      scratch = new Int32Array(at * 2);
      scratch.set(this.table);
      this.table = scratch;
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

  /** Takes the table out of the shared buffer. */
  finish(): void {
    this.table = this.table.slice(0, CHAINS + this.size * FIELDS);
  }

  indexOf({ text, hash }: Key): number {
    return this.find(hash, text, 0, text.length);
  }

  entry(index: number): Entry {
    return entryAt(this.text, this.field(index, 0), this.field(index, 1), this.field(index, 2), this.field(index, 3));
  }

  valueRange(index: number): Range {
    return [this.field(index, 2), this.field(index, 3)];
  }

  keyLength(index: number): number {
    return this.field(index, 1) - this.field(index, 0);
  }

  keyHas(index: number, part: string, at: number): boolean {
    return at >= 0 && at + part.length <= this.keyLength(index) && same(this.text, this.field(index, 0) + at, part, 0, part.length);
  }

  private field(index: number, field: 0 | 1 | 2 | 3 | 4 | 5): number {
    return this.table[CHAINS + index * FIELDS + field] ?? 0;
  }

  private find(hash: number, source: string, start: number, length: number): number {
    let index = (this.table[hash & (CHAINS - 1)] ?? 0) - 1;
    while (index >= 0) {
      const matches = this.field(index, 4) === hash && this.keyLength(index) === length;
      if (matches && same(this.text, this.field(index, 0), source, start, length)) return index;
      index = this.field(index, 5) - 1;
    }
    return -1;
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
