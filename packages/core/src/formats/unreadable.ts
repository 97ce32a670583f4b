import type { Parsed } from "../model/parsed.ts";
import { beforeLineEnd, type Range } from "../model/source.ts";
import { isOutOfMemory } from "../syntax/extent.ts";

const LFS_POINTER = "version https://git-lfs.github.com/spec/";

/** Returns a result for a Git LFS pointer, whose file was not fetched; `undefined` for any other text. */
export const ifPointer = (text: string): Parsed | undefined =>
  text.startsWith(LFS_POINTER)
    ? { vms: [], problems: [{ ruleId: "vmx/unreadable", messageId: "lfs", data: {}, range: [0, LFS_POINTER.length] }] }
    : undefined;

/** Returns the result for a file that is cut off, invalid or too large: one finding. */
export function unreadable(language: string, message: string, range: Range = [0, 0]): Parsed {
  return { vms: [], problems: [{ ruleId: "inventory/unreadable", messageId: "broken", data: { language, message }, range }] };
}

/** Returns the result for a text with an error at an offset. */
export const brokenAt = (language: string, { message, offset }: { message: string; offset: number }, text: string): Parsed =>
  unreadable(language, message, beforeLineEnd([offset, Math.min(offset + 1, text.length)], text));

/** Calls a reader. If memory runs out, the file is unreadable, and others are read. */
export function inMemory<T>(read: () => T, without: (message: string) => T): T {
  try {
    return read();
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    return without("more memory is needed than there is");
  }
}

/** Precedes the reason why an archive has no text, in place of its text. Reports quote the first line, which is empty. */
const REFUSED = "\n\u0018";

/** Returns the bytes in place of the text of an archive that is cut off, invalid or too large. */
export const refused = (language: string, message: string): Uint8Array =>
  Uint8Array.from(`${REFUSED}${language}: ${message}`, (character) => character.charCodeAt(0));

/** Returns the result for such bytes; `undefined` for any other text. */
export function ifRefused(text: string): Parsed | undefined {
  if (!text.startsWith(REFUSED)) return undefined;
  const colon = text.indexOf(": ");
  return unreadable(text.slice(REFUSED.length, colon), text.slice(colon + 2));
}
