import { SEVERITIES, type Severity } from "../../../model/diagnostic.ts";
import { plural } from "../../../model/words.ts";
import type { Counts } from "../../counts.ts";
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

/** Returns a badge for each severity with its number: `5 errors`, `9 infos`. */
export const countBadges = (counts: Counts): string =>
  SEVERITIES.flatMap((severity) =>
    counts[severity] > 0 ? [`<span class="badge ${severity}">${plural(counts[severity], severity)}</span>`] : [],
  ).join(" ");

/** Returns a link that sends no referrer. */
export const link = (text: string, url: string): string =>
  url === "" ? escapeXml(text) : `<a href="${escapeXml(url)}" rel="noreferrer">${escapeXml(text)}</a>`;

/** Returns rows, those after the first `most` below one line that opens them. */
export function folded(rows: readonly string[], word: string, most: number): readonly string[] {
  const rest = rows.slice(most);
  if (rest.length === 0) return rows;
  return [...rows.slice(0, most), `<details class="rest"><summary>${plural(rest.length, `more ${word}`)}</summary>`, ...rest, "</details>"];
}

/** Returns a table of VMs whose titles sort it, by the script of the page. The cells are HTML. */
export function sortedTable(
  label: string,
  titles: readonly string[],
  { rows, numeric }: { readonly rows: readonly (readonly string[])[]; readonly numeric: ReadonlySet<string> },
): readonly string[] {
  const classOf = (title = ""): string => (numeric.has(title) ? ' class="number"' : "");
  const head = titles.map((title) => `<th${classOf(title)} scope="col"><button type="button">${title}</button></th>`);
  return [
    `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="vms">`,
    `<thead><tr>${head.join("")}</tr></thead><tbody>`,
    ...rows.map((cells) => `<tr>${cells.map((cell, i) => `<td${classOf(titles[i])}>${cell}</td>`).join("")}</tr>`),
    "</tbody></table></div>",
  ];
}
