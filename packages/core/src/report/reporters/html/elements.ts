import type { Severity } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/words.ts";
import { escapeXml } from "../../picture/svg-text.ts";

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
