import type { Located, Range } from "../../model/source.ts";

/** A table whose first row names its columns. */
export interface Table {
  /** Whether it has a column. */
  readonly has: (column: string) => boolean;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** The cell of a column, by the first of these names that the table has; nothing where it is empty. */
  readonly cell: (...columns: readonly string[]) => Located<string> | undefined;
  /** Of its first cell. */
  readonly range: Range;
}

/** Names of columns vary in case, and in `MB` and `MiB`, by the version of RVTools. */
const columnKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\bmb\b/, "mib")
    .replace(/\s+/g, " ");

/** Reads comma-separated values (RFC 4180), between semicolons or tabs too; the separator is that of the first row. */
export function readTable(text: string, start = 0, end = text.length): Table {
  const first = text.slice(start, Math.min(end, text.indexOf("\n", start) + 1 || end));
  const separator = [";", "\t", ","].reduce((best, one) => (first.split(one).length > first.split(best).length ? one : best), ",");
  const columns = new Map<string, number>();
  const rows: TableRow[] = [];
  let isHeader = true;
  for (const cells of rowsOf(text, start, end, separator)) {
    if (isHeader) for (const [i, { value }] of cells.entries()) if (!columns.has(columnKey(value))) columns.set(columnKey(value), i);
    const [{ value = "", range = [start, start] as Range } = {}] = cells;
    if (!isHeader && (cells.length > 1 || value !== "")) {
      rows.push({
        range,
        cell: (...names) => {
          const name = names.find((one) => columns.has(columnKey(one)));
          const found = name === undefined ? undefined : cells[columns.get(columnKey(name)) ?? -1];
          return found && found.value.trim() !== "" ? found : undefined;
        },
      });
    }
    isHeader = false;
  }
  return { has: (column) => columns.has(columnKey(column)), rows };
}

function* rowsOf(text: string, start: number, end: number, separator: string): Iterable<readonly Located<string>[]> {
  let cells: Located<string>[] = [];
  let at = start;
  while (at < end) {
    const isQuoted = text[at] === '"';
    let close = at;
    if (isQuoted) {
      close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0 || close > end) close = end;
    } else while (close < end && text[close] !== separator && text[close] !== "\n" && text[close] !== "\r") close++;
    const range: Range = isQuoted ? [at + 1, close] : [at, close];
    const raw = text.slice(...range);
    cells.push({ value: isQuoted ? raw.replaceAll('""', '"') : raw, range });
    at = close + (isQuoted ? 1 : 0);
    // What stands behind a closing quote is no part of a cell.
    while (at < end && text[at] !== separator && text[at] !== "\n") at++;
    if (at < end && text[at] === separator) {
      at++;
      if (at < end) continue;
    }
    at++;
    yield cells;
    cells = [];
  }
}
