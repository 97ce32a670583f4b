import { type Comparison, columnsOf, comparisonRows } from "./comparison.ts";
import { escapeXml } from "./picture/svg-text.ts";
import { pageHead } from "./reporters/html/elements.ts";
import { markdownText } from "./reporters/markdown.ts";
import { reportSheet, workbookBytes } from "./workbook-file.ts";

/** Returns a table of all VMs in Markdown. */
export function comparisonMarkdown(comparison: Comparison): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `## ${markdownText(comparison.headline)}`,
    "",
    ...comparison.sums.map((line) => `- ${markdownText(line)}`),
    "",
    row(columnsOf(comparison)),
    row(columnsOf(comparison).map(() => "---")),
    ...comparisonRows(comparison).map((cells) => row(cells.map(markdownText))),
    "",
    ...notesOf(comparison).map((line) => `<sub>${markdownText(line)}</sub>\n`),
  ].join("\n");
}

/** Returns a page with a table of all VMs. It loads nothing. */
export function comparisonHtml(comparison: Comparison): string {
  const title = escapeXml(comparison.headline);
  const cells = (tag: "td" | "th", all: readonly string[]): string => all.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join("");
  return [
    ...pageHead(`vmlint: ${title}`),
    "<body>",
    `<header>\n<h1>${title}</h1>\n<ul class="counts">${comparison.sums
      .map((line) => `<li>${escapeXml(line)}</li>`)
      .join("")}</ul>\n</header>`,
    '<main>\n<div class="scroll" tabindex="0" role="region" aria-label="VMs">\n<table>',
    `<thead><tr>${cells("th", columnsOf(comparison))}</tr></thead>`,
    "<tbody>",
    ...comparisonRows(comparison).map((row) => `<tr>${cells("td", row)}</tr>`),
    "</tbody>\n</table>\n</div>\n</main>",
    `<footer>${notesOf(comparison)
      .map((line) => `<p>${escapeXml(line)}</p>`)
      .join("")}</footer>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** Returns a workbook: the sums with the sources, and all VMs. */
export function comparisonWorkbook(comparison: Comparison): Uint8Array {
  const summary = [comparison.headline, ...comparison.sums, ...notesOf(comparison)].map((line) => [line]);
  const widths = [18, 28, 36, 24, 34, 34, 80, 50];
  const columns = columnsOf(comparison).map(
    (title, i) => [`${i > 3 ? "*" : ""}${title[0]?.toUpperCase()}${title.slice(1)}`, widths[i] ?? 20] as const,
  );
  return workbookBytes([
    reportSheet("Summary", { "*Summary": 120 }, summary),
    reportSheet("VMs", Object.fromEntries(columns), comparisonRows(comparison)),
  ]);
}

const notesOf = ({ notes, sources }: Comparison): readonly string[] => [
  ...notes,
  ...sources.map(({ title, url }) => (url ? `${title}, ${url}` : title)),
];
