import { COLUMNS, headlineOf, type Migration, migrationRows, notesOf, sums } from "./migration-report.ts";
import { escapeXml } from "./picture/svg-text.ts";
import { pageHead } from "./reporters/html/elements.ts";
import { markdownText } from "./reporters/markdown.ts";

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
