import { excessOf } from "../../syntax/extent.ts";
import { isControl, isTemplate } from "../../syntax/template-marker.ts";
import { type Buffers, type Codes, codesOf, Dictionary, entryAt, hashed, keyOf, lower, newBuffers, SEED, spread } from "./dictionary.ts";

const NUL = 0;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const EQUALS = 61;
const BOM = 0xfeff;

/** Ends a name and an unquoted value. */
const endsWord = (c: number): boolean => c === SPACE || c === TAB || c === HASH || c === LF || c === CR;

/** By character code: the lower-case character if a name may contain it, 0 if it ends a name. */
const NAME = Uint8Array.from({ length: 256 }, (_, c) => (c === NUL || c === EQUALS || endsWord(c) ? 0 : lower(c)));

/**
 * Splits a .vmx file into its lines by the grammar of open-vm-tools' reader (dictll.c): blank, comment, `name = value`, or a line that
 * defines nothing. LF, CRLF and a lone CR end a line.
 */
export function readDictionary(text: string, codes: Codes = codesOf(text), buffers: Buffers = newBuffers()): Dictionary {
  const dictionary = new Dictionary(text, codes, buffers);
  const { duplicates, comments, malformed } = dictionary;
  const length = text.length;

  // One pass by character, which also hashes names. The position after the end reads as NUL, which stops each loop.
  let at = text.charCodeAt(0) === BOM ? 1 : 0;
  while (at < length && dictionary.excess === undefined) {
    const lineStart = at;
    let c = codes[at] ?? NUL;
    while (c === SPACE || c === TAB) c = codes[++at] ?? NUL;
    const keyStart = at;
    let hash = SEED;
    while (NAME[c] !== 0) {
      hash = hashed(hash, NAME[c] as number);
      c = codes[++at] ?? NUL;
    }
    const keyEnd = at;
    while (c === SPACE || c === TAB) c = codes[++at] ?? NUL;

    let isPair = false;
    let comment = keyEnd === keyStart && c === HASH;
    const blank = keyEnd === keyStart && (c === LF || c === CR || at >= length);
    let valueStart = at;
    let valueEnd = at;
    if (keyEnd > keyStart && c === EQUALS) {
      c = codes[++at] ?? NUL;
      while (c === SPACE || c === TAB) c = codes[++at] ?? NUL;
      const quoted = c === QUOTE;
      if (quoted) c = codes[++at] ?? NUL;
      valueStart = at;
      if (quoted) while (c > QUOTE || (c > NUL && c !== QUOTE && c !== LF && c !== CR)) c = codes[++at] ?? NUL;
      else while (c > HASH || (c > NUL && !endsWord(c))) c = codes[++at] ?? NUL;
      valueEnd = at;
      isPair = !quoted || c === QUOTE;
      if (quoted && isPair) c = codes[++at] ?? NUL;
      while (c === SPACE || c === TAB) c = codes[++at] ?? NUL;
      comment = isPair && c === HASH;
      isPair &&= comment || c === LF || c === CR || at >= length;
    }
    const commentStart = at;
    while (at < length && c !== LF && c !== CR) c = codes[++at] ?? NUL;

    if (isPair) {
      const isNew = dictionary.add(spread(hash), keyStart, keyEnd, valueStart, valueEnd);
      if (!isNew) duplicates.push(entryAt(text, keyStart, keyEnd, valueStart, valueEnd));
    } else if (!blank && !comment) {
      const templated = templatedPair(text, lineStart, at);
      if (templated === null && !isControl(text.slice(lineStart, at).trimStart())) dictionary.open = true;
      if (templated === undefined) malformed.push([lineStart, at]);
      else if (templated && !dictionary.add(keyOf(text.slice(templated[0], templated[1]).toLowerCase()).hash, ...templated))
        duplicates.push(entryAt(text, ...templated));
    }
    if (comment) comments.push([commentStart, at]);
    dictionary.excess = excessOf(malformed.length + duplicates.length, "mistakes");
    at++;
  }
  return dictionary;
}

type Offsets = readonly [keyStart: number, keyEnd: number, valueStart: number, valueEnd: number];

/** Returns the offsets of a pair that is only malformed because of a template; `null` = a template line without one. */
function templatedPair(text: string, start: number, end: number): Offsets | null | undefined {
  const line = text.slice(start, end);
  if (!isTemplate(line)) return undefined;
  const equals = line.indexOf("=");
  const name = line.slice(0, Math.max(equals, 0)).trim();
  if (name === "" || /[\s#"{]/.test(name)) return null;
  const value = line.slice(equals + 1).trim();
  const keyStart = start + line.indexOf(name);
  const valueStart = start + line.indexOf(value, equals + 1);
  return [keyStart, keyStart + name.length, valueStart, valueStart + value.length];
}
