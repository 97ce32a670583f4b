import type { Located, Range } from "../../model/source.ts";

/** A table with column names in the first row. */
export interface Table {
  /** Whether it has a column. */
  readonly has: (column: string) => boolean;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** Returns the cell of the first of these columns that the table has; nothing if it is empty. */
  readonly cell: (...columns: readonly string[]) => Located<string> | undefined;
  /** The range of its first cell. */
  readonly range: Range;
}

/** Column names differ in case, and in `MB` and `MiB`, between versions of RVTools. */
const columnKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\bmb\b/, "mib")
    .replace(/\s+/g, " ");

/** Reads comma-separated values (RFC 4180), also with semicolons or tabs; the first row decides. */
export function readTable(text: string, start = 0, end = text.length): Table {
  const first = text.slice(start, Math.min(end, text.indexOf("\n", start) + 1 || end));
  const separator = [";", "\t", ","].reduce(
    (best, candidate) => (first.split(candidate).length > first.split(best).length ? candidate : best),
    ",",
  );
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
          const name = names.find((candidate) => columns.has(columnKey(candidate)));
          const cell = name === undefined ? undefined : cells[columns.get(columnKey(name)) ?? -1];
          return cell && cell.value.trim() !== "" ? cell : undefined;
        },
      });
    }
    isHeader = false;
  }
  return { has: (column) => columns.has(columnKey(column)), rows };
}

const EMPTY: Located<string> = { value: "", range: [0, 0] };

/** Returns the cells of each row. */
export function* rowsOf(text: string, start: number, end: number, separator: string): Iterable<readonly Located<string>[]> {
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
    // Wide tables have many empty cells, and only the range of the first cell matters.
    cells.push(raw === "" && cells.length > 0 ? EMPTY : { value: isQuoted ? raw.replaceAll('""', '"') : raw, range });
    at = close + (isQuoted ? 1 : 0);
    // Text after a closing quote is ignored.
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
