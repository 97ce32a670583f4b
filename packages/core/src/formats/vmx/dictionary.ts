import type { Range } from "../../model/source.ts";
import { unescapeVmx } from "../../syntax/template-marker.ts";

/** One `name = "value"` line. */
export interface Entry {
  /** Lower-cased: ESXi's keys are case-insensitive in practice. */
  readonly key: string;
  readonly keyRange: Range;
  /** The value between its quotes, or the bare word; still escaped. */
  readonly valueRange: Range;
}

/**
 * Returns the characters of a text as numbers; 255 stands for all characters beyond Latin-1, because the grammar only uses ASCII. For a
 * file with one byte per character, these are its bytes. Typed arrays are faster to read than strings, and one array type is faster than
 * two.
 */
export type Codes = Uint8Array;

export function codesOf(text: string): Codes {
  const codes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = Math.min(text.charCodeAt(i), 255);
  return codes;
}

export const entryAt = (text: string, keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): Entry => ({
  key: text.slice(keyStart, keyEnd).toLowerCase(),
  keyRange: [keyStart, keyEnd],
  valueRange: [valueStart, valueEnd],
});

/** A key to look up, hashed once for all files. */
export interface Key {
  /** In lower case. */
  readonly text: string;
  readonly hash: number;
}

/** Unpredictable, so that no file has thousands of keys with one hash. */
export const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

/** FNV-1a, with a start of its own. */
export const hashed = (hash: number, code: number): number => Math.imul(hash ^ code, 16_777_619);

export function keyOf(text: string): Key {
  let hash = SEED;
  for (let i = 0; i < text.length; i++) hash = hashed(hash, text.charCodeAt(i));
  return { text, hash: spread(hash) };
}

/** Mixes the high bits, which hold the start of a name, into the low bits that select a chain. */
export const spread = (hash: number): number => hash ^ (hash >>> 15);

/** ASCII only, as keys are. */
export const lower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

const DOLLAR = 36;
const LESS = 60;
const AT = 64;
const BRACE = 123;
const BAR = 124;

/** Reusable memory for dictionaries: new buffers for each of thousands of files cost more than the scan. */
export interface Buffers {
  readonly entries: Int32Array;
  readonly chains: Int32Array;
}

const FIELDS = 6;

export const newBuffers = (): Buffers => ({ entries: new Int32Array(FIELDS * 256), chains: new Int32Array(128) });

/**
 * The lines of a .vmx file by number. A run over thousands of files reads a few dozen keys of each, so texts and objects are only created
 * on demand. Keys are found by a hash of their lower-cased text: filling a Map of strings takes several times as long.
 */
export class Dictionary {
  readonly text: string;
  /** How many distinct keys there are; entries are numbered in file order. */
  size = 0;
  /** Later entries of a key that was already set, in file order. */
  readonly duplicates: Entry[] = [];
  /** Comments, from `#` to the end of the line. */
  readonly comments: Range[] = [];
  /** Lines that define nothing; VMware's reader silently ignores them. */
  readonly malformed: Range[] = [];
  /** Why the rest of the text is not read. */
  excess: string | undefined;
  /** Whether a template may insert further lines. */
  open = false;
  private readonly codes: Codes;
  /** Five numbers per entry, and the number + 1 of the next entry in its chain; grows. */
  private entries: Int32Array;
  /** By hash, the number + 1 of the first entry of a chain, 0 = none; grows with the entries. */
  private chains: Int32Array;

  constructor(text: string, codes: Codes, { entries, chains }: Buffers) {
    this.text = text;
    this.codes = codes;
    this.entries = entries;
    this.chains = chains.fill(0);
  }

  /** False when the key was set before. */
  add(hash: number, keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): boolean {
    for (let index = this.first(hash); index >= 0; index = this.next(index)) {
      if (this.hash(index) === hash && this.isSame(index, keyStart, keyEnd)) return false;
    }
    const at = this.size * FIELDS;
    if (at + FIELDS > this.entries.length) this.grow();
    this.entries[at] = keyStart;
    this.entries[at + 1] = keyEnd;
    this.entries[at + 2] = valueStart;
    this.entries[at + 3] = valueEnd;
    this.entries[at + 4] = hash;
    this.link(this.size++);
    return true;
  }

  private link(index: number): void {
    const chain = this.hash(index) & (this.chains.length - 1);
    this.entries[index * FIELDS + 5] = this.chains[chain] ?? 0;
    this.chains[chain] = index + 1;
  }

  private grow(): void {
    const larger = new Int32Array(this.entries.length * 4);
    larger.set(this.entries);
    this.entries = larger;
    this.chains = new Int32Array(this.chains.length * 4);
    for (let index = 0; index < this.size; index++) this.link(index);
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

  /** In lower case. */
  key(index: number): string {
    return this.text.slice(this.field(index, 0), this.field(index, 1)).toLowerCase();
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

  /** Whether the value of an entry is plain: no escape, and no template. */
  isPlain(index: number): boolean {
    for (let at = this.field(index, 2); at < this.field(index, 3); at++) {
      const c = this.codes[at];
      if (c === BRACE || c === BAR || c === DOLLAR || c === LESS || c === AT) return false;
    }
    return true;
  }

  valueRange(index: number): Range {
    return [this.field(index, 2), this.field(index, 3)];
  }

  private keyLength(index: number): number {
    return this.field(index, 1) - this.field(index, 0);
  }

  /** Whether a key contains a lower-case text at an offset from its start. */
  private keyHas(index: number, part: string, at: number): boolean {
    if (at < 0 || at + part.length > this.keyLength(index)) return false;
    return this.isAt(this.field(index, 0) + at, part);
  }

  private isAt(start: number, part: string): boolean {
    for (let i = 0; i < part.length; i++) {
      if (lower(this.codes[start + i] ?? 0) !== part.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The entries whose key begins with one of some texts in lower case. */
  startingWith(prefixes: readonly string[]): readonly number[] {
    const lines: number[] = [];
    for (let index = 0; index < this.size; index++) {
      const first = lower(this.codes[this.field(index, 0)] ?? 0);
      for (const prefix of prefixes) if (prefix.charCodeAt(0) === first && this.keyHas(index, prefix, 0)) lines.push(index);
    }
    return lines;
  }

  /** The entries whose key ends with a text in lower case. */
  endingWith(suffix: string): readonly number[] {
    const lines: number[] = [];
    const last = suffix.charCodeAt(suffix.length - 1);
    for (let index = 0; index < this.size; index++) {
      const isCandidate = lower(this.codes[this.field(index, 1) - 1] ?? 0) === last;
      if (isCandidate && this.keyHas(index, suffix, this.keyLength(index) - suffix.length)) lines.push(index);
    }
    return lines;
  }

  private isSame(index: number, keyStart: number, keyEnd: number): boolean {
    if (this.keyLength(index) !== keyEnd - keyStart) return false;
    const start = this.field(index, 0);
    for (let i = 0; i < keyEnd - keyStart; i++) {
      if (lower(this.codes[start + i] ?? 0) !== lower(this.codes[keyStart + i] ?? 0)) return false;
    }
    return true;
  }

  private first(hash: number): number {
    return (this.chains[hash & (this.chains.length - 1)] ?? 0) - 1;
  }

  private next(index: number): number {
    return this.field(index, 5) - 1;
  }

  private field(index: number, field: 0 | 1 | 2 | 3 | 4 | 5): number {
    return this.entries[index * FIELDS + field] ?? 0;
  }
}

/** The value of an entry as ESXi reads it. */
export const entryValue = (text: string, entry: Entry): string => unescapeVmx(text.slice(entry.valueRange[0], entry.valueRange[1]));
