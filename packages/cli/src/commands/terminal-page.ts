import { type Palette, padded, widthOf, wrapped } from "@vmlint/core";

/** Renders a page of a rule for a terminal: headings, lists, tables and code as people read them. Pages are plain Markdown of vmlint. */
export function terminalPage(markdown: string, palette: Palette): string {
  const out: string[] = [];
  const lines = markdown.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
    if (heading !== undefined) out.push(palette.bold(plain(heading, palette)));
    else if (line.startsWith("```")) {
      for (i++; i < lines.length && !lines[i]?.startsWith("```"); i++) out.push(`    ${palette.dim(lines[i] ?? "")}`.trimEnd());
    } else if (line.startsWith("|")) {
      const rows: string[] = [];
      for (; lines[i]?.startsWith("|"); i++) rows.push(lines[i] ?? "");
      i--;
      out.push(...table(rows, palette));
    } else {
      const hanging = /^(?:[-*]|\d+\.) /.exec(line)?.[0].length ?? 0;
      out.push(...wrapped(words(line), palette.width, hanging).map((one) => painted(one, palette)));
    }
  }
  return out.join("\n");
}

/** Links as their text and address: a terminal without links shows both. */
const words = (text: string): string =>
  text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, url: string) => (label === url ? url : `${label} (${url})`));

const painted = (text: string, { bold, cyan }: Palette): string =>
  text.replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => bold(strong)).replace(/`([^`]+)`/g, (_, code: string) => cyan(code));

const plain = (text: string, palette: Palette): string => painted(words(text), palette);

/** The columns of a table, without its rule. */
function table(rows: readonly string[], palette: Palette): readonly string[] {
  const cells = rows
    .filter((row) => !/^\|[\s|:-]+\|$/.test(row))
    .map((row) =>
      row
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => words(cell.trim().replaceAll("\\|", "|").replace(/`/g, ""))),
    );
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ""))));
  return cells
    .map((row) => `  ${row.map((cell, column) => (column === row.length - 1 ? cell : padded(cell, widths[column] ?? 0))).join("  ")}`)
    .map((row, i) => (i === 0 ? palette.bold(row) : row));
}
