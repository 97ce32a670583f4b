import { COLUMNS, headlineOf, type Migration, migrationRows, notesOf, sums } from "./migration-report.ts";
import { escapeXml } from "./picture/svg-text.ts";
import { pageHead } from "./reporters/html/elements.ts";
import { markdownText } from "./reporters/markdown.ts";
import { reportSheet, workbookBytes } from "./workbook-file.ts";

/** Returns a table of all VMs in Markdown. */
export function migrationMarkdown(migration: Migration): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `## ${markdownText(headlineOf(migration))}`,
    "",
    ...sums(migration.vms).map((line) => `- ${markdownText(line)}`),
    "",
    row(COLUMNS),
    row(COLUMNS.map(() => "---")),
    ...migrationRows(migration).map((cells) => row(cells.map(markdownText))),
    "",
    ...notesOf(migration.importer).map((line) => `<sub>${markdownText(line)}</sub>\n`),
  ].join("\n");
}

/** Returns a page with a table of all VMs. It loads nothing. */
export function migrationHtml(migration: Migration): string {
  const title = escapeXml(headlineOf(migration));
  const cells = (tag: "td" | "th", all: readonly string[]): string => all.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join("");
  return [
    ...pageHead(`vmlint migrate: ${title}`),
    "<body>",
    `<header>\n<h1>${title}</h1>\n<ul class="counts">${sums(migration.vms)
      .map((line) => `<li>${escapeXml(line)}</li>`)
      .join("")}</ul>\n</header>`,
    '<main>\n<div class="scroll" tabindex="0" role="region" aria-label="VMs">\n<table>',
    `<thead><tr>${cells("th", COLUMNS)}</tr></thead>`,
    "<tbody>",
    ...migrationRows(migration).map((row) => `<tr>${cells("td", row)}</tr>`),
    "</tbody>\n</table>\n</div>\n</main>",
    `<footer>${notesOf(migration.importer)
      .map((line) => `<p>${escapeXml(line)}</p>`)
      .join("")}</footer>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** Returns a workbook: the sums with the sources, and all VMs. */
export function migrationWorkbook(migration: Migration): Uint8Array {
  const summary = [headlineOf(migration), ...sums(migration.vms), ...notesOf(migration.importer)].map((line) => [line]);
  const widths = [18, 28, 36, 24, 34, 34, 80, 50];
  const columns = COLUMNS.map((title, i) => [`${i > 3 ? "*" : ""}${title[0]?.toUpperCase()}${title.slice(1)}`, widths[i] ?? 20] as const);
  return workbookBytes([
    reportSheet("Summary", { "*Summary": 120 }, summary),
    reportSheet("VMs", Object.fromEntries(columns), migrationRows(migration)),
  ]);
}
