import { once } from "../../model/memoize.ts";
import { withoutCommands } from "../printable.ts";

/** Characters that XML forbids, including unpaired surrogates, and characters that change the text direction (Unicode UAX #9). */
const FORBIDDEN =
  /[^\t\n\r\u0020-\u007e\u00a0-\u061b\u061d-\u200d\u2010-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Returns a string as text or attribute of XML or HTML. */
export const escapeXml = (text: string): string =>
  withoutCommands(
    text
      .replace(FORBIDDEN, "\ufffd")
      .replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)
      .replace(/^(\s*):(?=:)/gm, "$1&#58;"),
    "#&#35;",
  );

/**
 * Character widths in em, at least as wide as in DejaVu Sans, the widest font of the stack. The layout cannot measure text, and a box may
 * be too wide but not too narrow.
 */
const WIDTHS: readonly (readonly [pattern: RegExp, em: number])[] = [
  [/[ ijlIJ.,:;'|!()[\]/\\-]/, 0.4],
  [/[frt]/, 0.42],
  [/[a-ln-vx-z0-9"$*?_\u00b7\u2007\u2013]/, 0.64],
  [/[A-LN-VX-Z]/, 0.79],
  [/[w&#+<>=~^{}`]/, 0.84],
  [/[\u0020-\u007e]/, 1],
  [/[\u00a0-\u024f\u0370-\u052f]/, 1],
];
const WIDE = 1.4;

const emByPattern = (character: string): number => WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? WIDE;

/** Nearly all characters are ASCII, and a drawing measures each text many times. */
const asciiEms = once(() => Array.from({ length: 128 }, (_, code) => emByPattern(String.fromCharCode(code))));

const em = (character: string): number => asciiEms()[character.charCodeAt(0)] ?? emByPattern(character);

/** The factor for bold letters. */
export const BOLD = 1.12;

/** Returns an upper bound for the width of a text in pixels. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += em(character);
  return Math.ceil(width * size);
}

/** Returns the text if it fits a width, else its beginning and an ellipsis. */
export function clip(text: string, size: number, maxWidth: number): string {
  if (widthOf(text, size) <= maxWidth) return text;
  let head = "";
  for (const character of text) {
    if (widthOf(`${head}${character}…`, size) > maxWidth) break;
    head += character;
  }
  return `${head.trimEnd()}…`;
}

/** Wraps a text at spaces and after plus signs; cuts the last line if the rest is too long. */
export function wrap(text: string, size: number, width: number, lines: number): readonly string[] {
  const rows: string[] = [""];
  for (const word of text.match(/\s*[^\s+]*\+?/g) ?? []) {
    const last = rows.length - 1;
    const longer = `${rows[last]}${word}`;
    if (widthOf(longer.trim(), size) <= width || rows[last] === "") rows[last] = longer;
    else rows.push(word);
  }
  const shown = rows.slice(0, lines);
  if (rows.length > lines) shown[lines - 1] = `${shown[lines - 1] ?? ""} …`;
  return shown.map((row) => clip(row.trim(), size, width));
}
