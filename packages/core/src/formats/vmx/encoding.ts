/** Decodes bytes by a WHATWG encoding label; throws on a label it does not know. `TextDecoder` does this. */
export type Decode = (bytes: Uint8Array, label: string) => string;

/** VMware's (ICU's) names where WHATWG has another for the same encoding. */
const LABELS: Readonly<Record<string, string>> = { "windows-949-2000": "euc-kr", "ibm-943_p15a-2003": "shift_jis" };

/** The word comes before the look back at its line: nearly every file of other formats is then passed over at the cost of a search. */
const DECLARATION = /\.encoding(?<=^[ \t]*\.encoding)[ \t]*=[ \t]*"?([^"\r\n#]+?)"?[ \t]*(?:#.*)?$/im;

/** How far into a file `.encoding` is looked for; by convention it is the first line. */
const HEAD = 4096;

/**
 * The text of a .vmx file. Keys and topology values are ASCII in every encoding VMware writes, so a wrong guess
 * can only spoil a display name, never a setting. Lone bytes that fit no encoding become U+FFFD.
 *
 * @example
 * const text = decodeVmx(bytes, (some, label) => new TextDecoder(label).decode(some));
 */
export function decodeVmx(bytes: Uint8Array, decode: Decode): string {
  const marked = markOf(bytes);
  if (marked !== undefined) return decode(bytes, marked);
  const text = decode(bytes, "utf-8");
  const declared = declaredIn(text);
  if (declared === undefined) return text;
  try {
    return decode(bytes, declared);
  } catch {
    return decode(bytes, UNKNOWN);
  }
}

/** The encoding by which `decodeVmx` reads a file. */
export function encodingOf(bytes: Uint8Array, decode: Decode): string {
  const encoding = markOf(bytes) ?? declaredIn(decode(bytes.subarray(0, HEAD * MOST_BYTES), "utf-8")) ?? "utf-8";
  try {
    decode(bytes.subarray(0, 0), encoding);
    return encoding;
  } catch {
    return UNKNOWN;
  }
}

/** What a file is read as whose declared encoding is not known: every byte is some character of it. */
const UNKNOWN = "windows-1252";

/** Of a character in UTF-8. */
const MOST_BYTES = 4;

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** The encoding a file names, where it is another than UTF-8. */
function declaredIn(text: string): string | undefined {
  const declared = DECLARATION.exec(text.slice(0, HEAD))?.[1]?.trim().toLowerCase();
  return declared === undefined || declared === "utf-8" ? undefined : (LABELS[declared] ?? declared);
}
