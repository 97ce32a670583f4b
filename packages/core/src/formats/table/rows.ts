import type { Cell } from "../../model/cell.ts";
import { onceEach } from "../../model/memoize.ts";
import { lastWhere } from "../../model/search.ts";
import { cellOfRange, type Located, type Range } from "../../model/source.ts";

/** A table with column titles in its first row. */
export interface Table {
  /** Whether it has a column. */
  readonly has: (column: string) => boolean;
  readonly rows: readonly TableRow[];
  /** Why the table is not read. */
  readonly broken?: string;
  /** Returns the cell at a range of this table; missing for tables without rows and columns, such as JSON. */
  readonly cellAt?: ((range: Range) => Cell | undefined) | undefined;
  /** Returns the cells of a row that are not empty, by its number. */
  readonly rowAt?: (row: number) => readonly Cell[];
}

export interface TableRow {
  /** Returns the cell of the first of these columns that the table has; nothing if it is empty. */
  readonly cell: (...columns: readonly string[]) => Located<string> | undefined;
  /** The range of its first cell. */
  readonly range: Range;
}

/** The limits of an Excel sheet (Microsoft, "Excel specifications and limits"). Exports have fewer than 200 columns. */
export const MOST_COLUMNS = 16_384;
export const MOST_CHARACTERS_IN_CELL = 32_767;

export const brokenTable = (broken: string): Table => ({ has: () => false, rows: [], broken });

/** Column titles differ in case, in spaces, and in `MB` and `MiB`, between versions of RVTools. */
export const titleKey = onceEach((title) => {
  const [, sheet, name] = DATABASE_NAME.exec(title.trim()) ?? [];
  const key = (name ?? title)
    .toLowerCase()
    .replace(/\bmb\b/, "mib")
    .replace(/[\s/]+/g, "");
  return (name !== undefined && (sheet === "Host" && key === "name" ? "host" : DATABASE_WORDS[key])) || key;
});

/** The name of a column in RVTools' database, which `-DBColumnNames` writes since version 3.11.6 (RVTools documentation, 2024-05-14). */
const DATABASE_NAME = /^[vV](Info|CPU|Memory|Disk|Network|Host)(?=[A-Z])(\w+)$/;

/** The names that are more than the title without spaces (sbroenne/RvToolsMerge and statelessplatform/RVToolsOutputAnalyser read them). */
const DATABASE_WORDS: Readonly<Record<string, string>> = {
  vmname: "vm",
  objectid: "vmid",
  uuid: "vmuuid",
  version: "hwversion",
  corespersocket: "coresps",
  numcpu: "#cpu",
  numcpucores: "#cores",
  memorysize: "#memory",
  cpumhz: "speed",
  fullname: "esxversion",
};

/** How a text is read as a table. */
interface Options {
  readonly start?: number | undefined;
  /** The name of its sheet, for findings. */
  readonly sheet?: string;
  /** The file of the sheet, if it is not the text that is checked. */
  readonly path?: string;
  /** Returns the range of a cell by its row and column, if the table is not the text that is checked. */
  readonly rangeOf?: (row: number, column: number) => Range;
}

/** Reads comma-separated values (RFC 4180), also with semicolons or tabs; the first row decides. A row is split when one of its cells is read. */
export function readTable(text: string, { start = 0, sheet = "", path, rangeOf }: Options = {}): Table {
  const first = text.slice(start, text.indexOf("\n", start) + 1 || text.length);
  const separator = separatorOf(first);
  const titles: string[] = [];
  const columns = new Map<string, number>();
  const rows: CsvRow[] = [];
  let row = 0;
  let broken: string | undefined;
  const stop = (reason: string): void => {
    broken = reason;
  };
  for (const cells of rowsOf(text, start, text.length, separator, { stop, mostColumns: MOST_COLUMNS })) {
    const [{ value, range } = EMPTY] = cells;
    if (++row === 1) {
      titles.push(...cells.map((cell) => cell.value.replace(/^\ufeff/, "").trim()));
      for (const [i, title] of titles.entries()) if (!columns.has(titleKey(title))) columns.set(titleKey(title), i);
    } else if (cells.length > 1 || value !== "") rows.push({ row, start: text[range[0] - 1] === '"' ? range[0] - 1 : range[0] });
  }
  if (broken !== undefined) return brokenTable(broken);
  let last: { readonly start: number; readonly cells: readonly Located<string>[] } | undefined;
  const cellsOf = (at: number): readonly Located<string>[] => {
    if (last?.start !== at)
      for (const cells of rowsOf(text, at, text.length, separator)) {
        last = { start: at, cells };
        break;
      }
    return last?.cells ?? [];
  };
  const placed = (cell: Located<string>, of: CsvRow, column: number): Located<string> =>
    rangeOf ? { value: cell.value, range: rangeOf(of.row, column + 1) } : cell;
  const shown = ({ row: number, start: from }: CsvRow): readonly Cell[] =>
    cellsOf(from).flatMap(({ value }, i) => {
      const title = titles[i] ?? "";
      return title === "" || value.trim() === ""
        ? []
        : { ...(path !== undefined && { path }), sheet, row: number, column: i + 1, title, value };
    });
  return {
    has: (column) => columns.has(titleKey(column)),
    rows: rows.map((of) => ({
      get range() {
        return placed(cellsOf(of.start)[0] ?? EMPTY, of, 0).range;
      },
      cell: (...names) => {
        const name = names.find((candidate) => columns.has(titleKey(candidate)));
        const column = name === undefined ? undefined : columns.get(titleKey(name));
        const cell = column === undefined ? undefined : cellsOf(of.start)[column];
        return cell && column !== undefined && cell.value.trim() !== "" ? placed(cell, of, column) : undefined;
      },
    })),
    cellAt: (range) => {
      const [at] = range;
      if (cellOfRange(range)[0] !== (rangeOf ? cellOfRange(rangeOf(0, 0))[0] : 0)) return undefined;
      const of = rows[lastWhere(rows, (one) => (rangeOf ? rangeOf(one.row, 0)[0] : one.start) <= at)];
      const cells = of && cellsOf(of.start);
      const column =
        of && cells ? (rangeOf ? at - rangeOf(of.row, 0)[0] - 1 : cells.findIndex(({ range }) => range[0] <= at && at <= range[1])) : -1;
      return of && shown(of).find((cell) => cell.column === column + 1);
    },
    rowAt: (number) => {
      const of = rows[lastWhere(rows, (one) => one.row <= number)];
      return of?.row === number ? shown(of) : [];
    },
  };
}

/** A row of a text, and its offset. */
interface CsvRow {
  readonly row: number;
  readonly start: number;
}

const EMPTY: Located<string> = { value: "", range: [0, 0] };

/** Returns the separator of a table, by its first row. */
export const separatorOf = (first: string): string =>
  [",", ";", "\t"].reduce((best, candidate) => (countOf(candidate, first) > countOf(best, first) ? candidate : best));

function countOf(separator: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) count++;
  return count;
}

/** Called with the reason if a table is cut off or too large; no row follows. */
interface Ends {
  readonly stop?: (reason: string) => void;
  readonly mostColumns?: number;
}

/** Returns the cells of each row. */
export function* rowsOf(
  text: string,
  start: number,
  end: number,
  separator: string,
  { stop = () => undefined, mostColumns = Infinity }: Ends = {},
): Iterable<readonly Located<string>[]> {
  let cells: Located<string>[] = [];
  let at = start;
  while (at < end) {
    const isQuoted = text[at] === '"';
    let close = at;
    if (isQuoted) {
      close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) return stop("a quote is not closed");
      close = Math.min(close, end);
    } else while (close < end && text[close] !== separator && text[close] !== "\n" && text[close] !== "\r") close++;
    const range: Range = isQuoted ? [at + 1, close] : [at, close];
    if (cells.length >= mostColumns) return stop(`more than ${mostColumns} columns`);
    if (range[1] - range[0] > MOST_CHARACTERS_IN_CELL) return stop(`more than ${MOST_CHARACTERS_IN_CELL} characters in a cell`);
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
