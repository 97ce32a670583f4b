import { escapeXml } from "../picture/svg-text.ts";

const SPACES: Readonly<Record<string, string>> = { "\t": "&#9;", "\n": "&#10;", "\r": "&#13;" };

/** A value as an attribute: a parser would make blanks of its line breaks. */
const attribute = (value: string | number): string => escapeXml(String(value)).replace(/[\t\n\r]/g, (c) => SPACES[c] ?? c);

/** A start tag without its end: `<error line="3"`. */
const open = (name: string, attributes: Readonly<Record<string, string | number>>): string =>
  [`<${name}`, ...Object.entries(attributes).map(([key, value]) => `${key}="${attribute(value)}"`)].join(" ");

/** An element with others in it, or empty. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): readonly string[] {
  return children.length === 0
    ? [`${open(name, attributes)}/>`]
    : [`${open(name, attributes)}>`, ...children.map((line) => `  ${line}`), `</${name}>`];
}

/** An element with a text in it, which keeps its lines. */
export const textElement = (name: string, attributes: Readonly<Record<string, string | number>>, text: string): string =>
  `${open(name, attributes)}>${escapeXml(text).replaceAll("\r", "&#13;")}</${name}>`;

export const XML = '<?xml version="1.0" encoding="UTF-8"?>';
