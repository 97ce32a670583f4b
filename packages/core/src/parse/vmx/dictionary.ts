import type { Range } from "../../model/source.ts";

/** One `name = "value"` line. Offsets are kept, text is cut out only where it is needed. */
export interface Entry {
  /** Lower-cased: ESXi's keys are case-insensitive in practice. */
  readonly key: string;
  readonly keyRange: Range;
  /** The value between its quotes, or the bare word; still escaped. */
  readonly valueRange: Range;
  /** The value holds a template marker, so the text is not the value ESXi will see. */
  readonly template: boolean;
}

export interface Dictionary {
  readonly text: string;
  /** By key, the first entry of each. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Later entries of a key that was already set, in file order. */
  readonly duplicates: readonly Entry[];
  /** Comments, from `#` to the end of the line. */
  readonly comments: readonly Range[];
  /** Lines that define nothing; VMware's reader passes over them in silence. */
  readonly malformed: readonly Range[];
}

const NUL = 0;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const EQUALS = 61;
const BOM = 0xfeff;

/** Jinja and Packer `{{ }}` `{% %}`, Terraform and shell `${ }` `$( )`, machine-controller `<< >>`. */
const TEMPLATE = /\{\{|\{%|\$\{|\$\(|<<.*>>/;
const TEMPLATE_PAIR = /^[ \t]*([^\0 \t#="{]+)[ \t]*=[ \t]*(.*?)[ \t]*$/;

/**
 * Splits a .vmx file into its lines by the grammar of open-vm-tools' reader (dictll.c): blank, comment,
 * `name = value`, or a line that defines nothing. LF, CRLF and a lone CR end a line.
 */
export function readDictionary(text: string): Dictionary {
  const entries = new Map<string, Entry>();
  const duplicates: Entry[] = [];
  const comments: Range[] = [];
  const malformed: Range[] = [];
  const length = text.length;

  const add = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number, template: boolean) => {
    const entry: Entry = {
      key: text.slice(keyStart, keyEnd).toLowerCase(),
      keyRange: [keyStart, keyEnd],
      valueRange: [valueStart, valueEnd],
      template,
    };
    if (entries.has(entry.key)) duplicates.push(entry);
    else entries.set(entry.key, entry);
  };

  const addMalformed = (start: number, end: number) => {
    const line = text.slice(start, end);
    if (!TEMPLATE.test(line)) return void malformed.push([start, end]);
    const pair = TEMPLATE_PAIR.exec(line);
    if (!pair) return;
    const [, name = "", value = ""] = pair;
    const keyStart = start + line.indexOf(name);
    const valueStart = start + line.indexOf(value, line.indexOf("=") + 1);
    add(keyStart, keyStart + name.length, valueStart, valueStart + value.length, true);
  };

  let at = text.charCodeAt(0) === BOM ? 1 : 0;
  while (at < length) {
    const lineStart = at;
    let c = text.charCodeAt(at);
    while (c === SPACE || c === TAB) c = text.charCodeAt(++at);
    const keyStart = at;
    // charCodeAt past the end is NaN, which equals nothing: every loop below also stops there.
    while (at < length && c !== LF && c !== CR && c !== SPACE && c !== TAB && c !== HASH && c !== EQUALS && c !== NUL) {
      c = text.charCodeAt(++at);
    }
    const keyEnd = at;
    while (c === SPACE || c === TAB) c = text.charCodeAt(++at);

    let wellFormed = false;
    let valueStart = at;
    let valueEnd = at;
    if (keyEnd > keyStart && c === EQUALS) {
      c = text.charCodeAt(++at);
      while (c === SPACE || c === TAB) c = text.charCodeAt(++at);
      const quoted = c === QUOTE;
      if (quoted) c = text.charCodeAt(++at);
      valueStart = at;
      if (quoted) {
        while (at < length && c !== QUOTE && c !== LF && c !== CR && c !== NUL) c = text.charCodeAt(++at);
      } else {
        while (at < length && c !== SPACE && c !== TAB && c !== HASH && c !== LF && c !== CR && c !== NUL) c = text.charCodeAt(++at);
      }
      valueEnd = at;
      const closed = !quoted || c === QUOTE;
      if (quoted && closed) c = text.charCodeAt(++at);
      while (c === SPACE || c === TAB) c = text.charCodeAt(++at);
      wellFormed = closed;
    } else if (keyEnd === keyStart) {
      wellFormed = true;
    }
    const commentStart = c === HASH && wellFormed ? at : -1;
    const restIsEmpty = at >= length || c === LF || c === CR || commentStart >= 0;
    while (at < length && c !== LF && c !== CR) c = text.charCodeAt(++at);

    if (!wellFormed || !restIsEmpty) addMalformed(lineStart, at);
    else {
      if (keyEnd > keyStart) {
        add(keyStart, keyEnd, valueStart, valueEnd, TEMPLATE.test(text.slice(valueStart, valueEnd)));
      }
      if (commentStart >= 0) comments.push([commentStart, at]);
    }
    at += c === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
  }
  return { text, entries, duplicates, comments, malformed };
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
