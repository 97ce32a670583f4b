/** Decodes bytes by a WHATWG encoding label; throws on a label it does not know. `TextDecoder` does this. */
export type Decode = (bytes: Uint8Array, label: string) => string;

/** VMware's (ICU's) names where WHATWG has another for the same encoding. */
const LABELS: Readonly<Record<string, string>> = { "windows-949-2000": "euc-kr", "ibm-943_p15a-2003": "shift_jis" };

const DECLARATION = /^[ \t]*\.encoding[ \t]*=[ \t]*"?([^"\r\n#]+?)"?[ \t]*(?:#.*)?$/im;

/** How far into a file `.encoding` is looked for; by convention it is the first line. */
const HEAD = 4096;

/**
 * The text of a .vmx file. Keys and topology values are ASCII in every encoding VMware writes, so a wrong guess
 * can only spoil a display name, never a setting. Lone bytes that fit no encoding become U+FFFD.
 */
export function decodeVmx(bytes: Uint8Array, decode: Decode): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, "utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, "utf-16be");
  const text = decode(bytes, "utf-8");
  const declared = DECLARATION.exec(text.slice(0, HEAD))?.[1]?.trim().toLowerCase();
  if (declared === undefined || declared === "utf-8") return text;
  try {
    return decode(bytes, LABELS[declared] ?? declared);
  } catch {
    return decode(bytes, "windows-1252");
  }
}
