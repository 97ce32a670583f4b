import type { Severity } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/words.ts";
import { escapeXml } from "../../picture/svg-text.ts";
import { STYLE } from "./style.ts";

/** Returns the beginning of a page that loads nothing, up to its body. The title is HTML; `script` is the hash of the script it runs. */
export const pageHead = (title: string, script?: string): readonly string[] => [
  "<!doctype html>",
  '<html lang="en">',
  "<head>",
  '<meta charset="utf-8"/>',
  '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ${
    script === undefined ? "" : `script-src '${script}'; `
  }img-src data:; base-uri 'none'; form-action 'none'"/>`,
  '<link rel="icon" href="data:,"/>',
  `<title>${title}</title>`,
  `<style>${STYLE}</style>`,
  "</head>",
];

export const badge = (severity: Severity): string => `<span class="badge ${severity}">${severity}</span>`;

/** Returns a link that sends no referrer. */
export const link = (text: string, url: string): string =>
  url === "" ? escapeXml(text) : `<a href="${escapeXml(url)}" rel="noreferrer">${escapeXml(text)}</a>`;

/** Returns rows, those after the first `most` below one line that opens them. */
export function folded(rows: readonly string[], word: string, most: number): readonly string[] {
  const rest = rows.slice(most);
  if (rest.length === 0) return rows;
  return [...rows.slice(0, most), `<details class="rest"><summary>${plural(rest.length, `more ${word}`)}</summary>`, ...rest, "</details>"];
}
