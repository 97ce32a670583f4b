import { VmlintError } from "../../model/errors.ts";
import { isZip, textOfBytes } from "../archive.ts";

/** Decodes bytes by a WHATWG encoding label; throws on a label it does not know. `TextDecoder` does this. */
export type Decode = (bytes: Uint8Array, label: string) => string;

/** VMware's (ICU's) names of encodings that WHATWG names differently. */
const LABELS: Readonly<Record<string, string>> = { "windows-949-2000": "euc-kr", "ibm-943_p15a-2003": "shift_jis" };

/** The word comes before the lookbehind, so that files of other formats only cost a text search. */
const DECLARATION = /\.encoding(?<=^[ \t]*\.encoding)[ \t]*=[ \t]*"?([^"\r\n#]+?)"?[ \t]*(?:#.*)?$/im;

/** The part of a file to search for `.encoding`, which by convention is in the first line. */
const HEAD = 4096;

/**
 * Returns the text of a .vmx file. Keys and topology values are ASCII in every encoding VMware writes, so a wrong guess can only affect a
 * display name. Invalid bytes become U+FFFD.
 *
 * @example
 * const text = decodeVmx(bytes, (some, label) => new TextDecoder(label).decode(some));
 */
export function decodeVmx(bytes: Uint8Array, decode: Decode): string {
  if (!ArrayBuffer.isView(bytes) || typeof decode !== "function")
    throw new VmlintError("USAGE", "decodeVmx takes bytes (Uint8Array), and a function that decodes bytes by a label.");
  if (isZip(bytes)) return textOfBytes(bytes);
  const byteOrderMark = markOf(bytes);
  if (byteOrderMark !== undefined) return decode(bytes, byteOrderMark);
  const text = decode(bytes, "utf-8");
  const name = declaredIn(text);
  if (name === undefined) return text;
  try {
    return decode(bytes, name);
  } catch {
    return decode(bytes, UNKNOWN);
  }
}

/** Returns the encoding that `decodeVmx` uses for a file. */
export function encodingOf(bytes: Uint8Array, decode: Decode): string {
  const encoding = markOf(bytes) ?? declaredIn(decode(bytes.subarray(0, HEAD * MOST_BYTES), "utf-8")) ?? "utf-8";
  try {
    decode(bytes.subarray(0, 0), encoding);
    return encoding;
  } catch {
    return UNKNOWN;
  }
}

/** Used if the declared encoding is unknown, because it maps every byte to a character. */
const UNKNOWN = "windows-1252";

/** The longest character in UTF-8. */
const MOST_BYTES = 4;

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Returns the declared encoding if it is not UTF-8. */
function declaredIn(text: string): string | undefined {
  const name = DECLARATION.exec(text.slice(0, HEAD))?.[1]?.trim().toLowerCase();
  return name === undefined || name === "utf-8" ? undefined : (LABELS[name] ?? name);
}
