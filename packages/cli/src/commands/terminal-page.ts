import { type Palette, padded, widthOf, wrapped } from "@vmlint/core/program";

/** Renders a page of a rule for a terminal: headings, lists, tables and code as people read them. Pages are plain Markdown of vmlint. */
export function terminalPage(markdown: string, palette: Palette): string {
  const out: string[] = [];
  const lines = markdown.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
    if (heading !== undefined) out.push(...wrapped(plain(heading, palette), palette.width).map(palette.bold));
    else if (line.startsWith("```")) {
      for (i++; i < lines.length && !lines[i]?.startsWith("```"); i++) out.push(...code(lines[i] ?? "", palette));
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

/** A line of an example, indented. One without blanks, such as JSON, is broken where the terminal ends. */
function code(line: string, { width, dim }: Palette): readonly string[] {
  const most = width ?? Number.POSITIVE_INFINITY;
  const indent = 4 + line.length - line.trimStart().length;
  return wrapped(`    ${line}`, width, Math.min(indent + 2, most / 2)).flatMap((part) => {
    const parts = [part.slice(0, most)];
    for (let at = most; at < part.length; at += most - 6) parts.push(`      ${part.slice(at, at + most - 6)}`);
    return parts.map((one) => dim(one).trimEnd());
  });
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
  const hanging = 2 + widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  return cells
    .map((row) => `  ${row.map((cell, column) => (column === row.length - 1 ? cell : padded(cell, widths[column] ?? 0))).join("  ")}`)
    .flatMap((row, i) => wrapped(row, palette.width, hanging).map((line) => (i === 0 ? palette.bold(line) : line)));
}
