import { type Decode, decodeVmx, encodingOf } from "../formats/vmx/encoding.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import { lastWhere } from "../model/search.ts";
import type { TextEdit } from "../model/source.ts";

/**
 * Returns the bytes of a file after text edits. All other bytes stay the same: encoding, byte order mark, line ends and invalid bytes.
 * `undefined` if the result would not decode to the edited text.
 */
export function editBytes(bytes: Uint8Array, edits: readonly TextEdit[], decode: Decode): Uint8Array | undefined {
  const text = decodeVmx(bytes, decode);
  const encoding = encodingOf(bytes, decode);
  const byteAt = byteFinder(bytes, text, encoding, decode);
  const parts: Uint8Array[] = [];
  let end = bytes.length;
  for (const { range, newText } of edits.toSorted((a, b) => b.range[0] - a.range[0])) {
    const encoded = encode(newText, encoding);
    if (!encoded) return undefined;
    const from = byteAt(range[1]);
    parts.push(bytes.subarray(from, end), encoded);
    end = byteAt(range[0]);
  }
  parts.push(bytes.subarray(0, end));
  const result = concatenate(parts.reverse());
  return decodeVmx(result, decode) === applyEdits(text, edits) ? result : undefined;
}

/** Formats only write ASCII, which is one byte per character in every encoding of VMware except UTF-16. */
function encode(text: string, encoding: string): Uint8Array | undefined {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  if (codes.some((code) => code > 127)) return undefined;
  if (encoding === "utf-16le") return Uint8Array.from(codes.flatMap((code) => [code, 0]));
  if (encoding === "utf-16be") return Uint8Array.from(codes.flatMap((code) => [0, code]));
  return Uint8Array.from(codes);
}

/** The longest character of any encoding in bytes, including shift sequences. */
const LONGEST = 8;

/** Returns a function that finds the first byte of a character. */
function byteFinder(bytes: Uint8Array, text: string, encoding: string, decode: Decode): (offset: number) => number {
  if (encoding.startsWith("utf-16")) return (offset) => 2 + 2 * offset;
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes.length - mark === text.length) return (offset) => mark + offset;
  const lines = linesOf(bytes, text, mark);
  // Decodes growing prefixes of a line until one equals the text before the offset. This works for every encoding.
  return (offset) => {
    const { byte, end, start } = lines(offset);
    const beginning = (to: number): string => decode(bytes.subarray(byte, to), encoding);
    const head = text.slice(start, offset);
    let [low, high] = [byte, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (beginning(middle).length < head.length) low = middle + 1;
      else high = middle;
    }
    // A cut character also decodes to one character; none is longer than LONGEST bytes.
    const last = Math.min(low + LONGEST, bytes.length);
    while (low < last && beginning(low) !== head) low++;
    return low;
  };
}

const LINE_FEED = 10;

interface Line {
  readonly byte: number;
  /** The end of the line in bytes. */
  readonly end: number;
  /** The offset of the line in the text. */
  readonly start: number;
}

/**
 * Returns a function that finds the line of an offset. Lines end at a line feed, which is one byte in every encoding and never part of
 * another character.
 */
function linesOf(bytes: Uint8Array, text: string, mark: number): (offset: number) => Line {
  const inBytes = [mark];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) inBytes.push(at);
  const inText = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) inText.push(at);
  const whole: Line = { byte: mark, end: bytes.length, start: 0 };
  return (offset) => {
    if (inBytes.length !== inText.length) return whole;
    const line = lastWhere(inText, (start) => start <= offset);
    return { byte: inBytes[line] as number, end: inBytes[line + 1] ?? bytes.length, start: inText[line] as number };
  };
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
