import type { Cell } from "../../model/cell.ts";
import { lastWhere } from "../../model/search.ts";
import { cellOfRange, type Located, type Range, rangeOfCell } from "../../model/source.ts";
import { MOST_CHARACTERS_IN_CELL, MOST_COLUMNS, type Table, type TableRow, titleKey } from "../table/rows.ts";
import { type Push, readXml } from "./sheet-xml.ts";
import { type Archive, ExportError } from "./unzip.ts";

/** The limit of an Excel sheet (Microsoft, "Excel specifications and limits"). */
const MOST_ROWS = 1_048_576;
/** An export of 100,000 VMs has about 8 million cells in the columns that vmlint reads, and fewer texts. */
const MOST_CELLS = 20_000_000;
const MOST_CHARACTERS = 100_000_000;

/** The titles that are read of a sheet. */
type Titles = Pick<ReadonlySet<string>, "has">;

/** Returns the titles that are read of a sheet by its name; nothing for a sheet that is not read. */
export type Wanted = (sheet: string) => Titles | undefined;

/** A sheet of a workbook. */
export interface SheetTable extends Table {
  readonly titles: readonly string[];
  readonly rows: readonly (TableRow & { readonly row: number })[];
}

/** Reads the wanted columns of a workbook. No sheet is ever in memory as a whole. `undefined` if the archive is not a workbook. */
export function readWorkbook({ unpack, names }: Archive, wanted: Wanted): ReadonlyMap<string, SheetTable> | undefined {
  const partNamed = (pattern: RegExp): string => names.find((name) => pattern.test(name)) ?? "";
  const workbook = partNamed(/(?:^|\/)workbook\.xml$/);
  if (workbook === "") return undefined;
  const targets = new Map<string, string>();
  const sheets: { readonly name: string; readonly part: string; readonly titles: Titles }[] = [];
  const open: Parameters<typeof readXml>[0]["open"] = (element, attribute) => {
    if (element === "Relationship") targets.set(attribute("Id") ?? "", (attribute("Target") ?? "").replace(/^\/?(?:xl\/)?/, ""));
    const name = element === "sheet" ? (attribute("name") ?? "").trim() : "";
    const titles = wanted(name);
    const target = titles && targets.get(attribute("r:id") ?? attribute("id") ?? "");
    if (titles && target)
      sheets.push({ name, titles, part: partNamed(new RegExp(`(?:^|/)${target.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)) });
    return false;
  };
  unpack(partNamed(/workbook\.xml\.rels$/), readXml({ open }));
  unpack(workbook, readXml({ open }));
  const shared: string[] = [];
  if (sheets.length > 0) unpack(partNamed(/(?:^|\/)sharedStrings\.xml$/), readShared(shared));
  const pool = new Pool();
  return new Map(
    sheets.map(({ name, part, titles }, at) => {
      const sheet = new Sheet(name, at + 1, pool);
      unpack(part, sheet.read(shared, titles));
      return [name, sheet];
    }),
  );
}

/** One copy of each text of a workbook: a cell is a number. */
class Pool {
  readonly #texts: string[] = [""];
  readonly #numbers = new Map<string, number>([["", 0]]);
  #cells = 0;
  #characters = 0;

  add(text: string): number {
    if (++this.#cells > MOST_CELLS) throw new ExportError(FAR);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (text.length > MOST_CHARACTERS_IN_CELL) throw new ExportError("one of its cells has more text than a cell can have");
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) throw new ExportError(FAR);
    const copy = copied(text);
    this.#numbers.set(copy, this.#texts.length);
    return this.#texts.push(copy) - 1;
  }

  text(number = 0): string {
    return this.#texts[number] ?? "";
  }
}

const FAR = "it has far more cells or text than an export has";

/** A slice would keep the whole part of the file in memory; engines copy shorter ones. */
const copied = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));

interface Column {
  readonly column: number;
  readonly title: string;
  /** A text of the pool for each row. */
  readonly cells: number[];
}

/** A sheet: the wanted columns of the rows that are not empty. */
class Sheet implements SheetTable {
  readonly rows: SheetRow[] = [];
  readonly #byTitle = new Map<string, Column>();
  readonly #name: string;
  readonly #pool: Pool;
  readonly number: number;

  constructor(name: string, number: number, pool: Pool) {
    this.#name = name;
    this.#pool = pool;
    this.number = number;
  }

  get titles(): readonly string[] {
    return Array.from(this.#byTitle.values(), ({ title }) => title);
  }

  has(title: string): boolean {
    return this.#byTitle.has(titleKey(title));
  }

  cell(index: number, row: number, titles: readonly string[]): Located<string> | undefined {
    for (const title of titles) {
      const column = this.#byTitle.get(titleKey(title));
      if (!column) continue;
      const value = this.#pool.text(column.cells[index]);
      return value.trim() === "" ? undefined : { value, range: rangeOfCell(this.number, row, column.column) };
    }
    return undefined;
  }

  cellAt = (range: Range): Cell | undefined => {
    const [sheet, row, column] = cellOfRange(range);
    return sheet === this.number ? this.rowAt(row).find((cell) => cell.column === column) : undefined;
  };

  rowAt = (row: number): readonly Cell[] => {
    const index = lastWhere(this.rows, (one) => one.row <= row);
    if (this.rows[index]?.row !== row) return [];
    return Array.from(this.#byTitle.values(), ({ column, title, cells }) => {
      return { sheet: this.#name, row, column, title, value: this.#pool.text(cells[index]) };
    }).filter(({ value }) => value !== "");
  };

  /** Returns what reads the XML of the sheet. Titles of the owner may be above the row with the column titles. */
  read(shared: readonly string[], wanted: Titles): Push {
    let columns: (Column | undefined)[] | undefined;
    let header: string[] = [];
    let [row, column, index] = [0, 0, -1];
    let [type, value] = ["", ""];
    const startRow = (number: number): void => {
      [row, column, index, header] = [number, 0, -1, []];
      if (!(Number.isInteger(row) && row > 0 && row <= MOST_ROWS))
        throw new ExportError("one of its sheets has more rows than a sheet can have");
    };
    const endRow = (): void => {
      if (columns || header.filter((title) => wanted.has(title)).length < 2) return;
      columns = header.map((title, at) => (wanted.has(title) ? this.#add(at, title) : undefined));
    };
    const endCell = (): void => {
      if (value === "" || type === "e") return;
      const text = type === "s" ? (shared[Number(value)] ?? "") : value;
      const cells = columns?.[column]?.cells;
      if (!columns) header[column] = text;
      if (!cells) return;
      if (index < 0) index = this.rows.push(new SheetRow(this, this.rows.length, row)) - 1;
      // Most cells repeat the cell above.
      const above = cells[index - 1];
      while (cells.length < index) cells.push(0);
      cells[index] = above !== undefined && this.#pool.text(above) === text ? above : this.#pool.add(text);
    };
    return readXml({
      open: (name, attribute) => {
        if (name === "row") startRow(Number(attribute("r") ?? row + 1));
        else if (name === "c") {
          const at = attribute("r");
          column = at === undefined ? column + 1 : columnOf(at);
          if (!(column > 0 && column <= MOST_COLUMNS)) throw new ExportError("one of its sheets has more columns than a sheet can have");
          [type, value] = columns && !columns[column] ? ["e", ""] : [attribute("t") ?? "", ""];
        }
        return type !== "e" && (name === "v" || (name === "t" && type === "inlineStr"));
      },
      text: (text) => {
        value += text;
      },
      close: (name) => {
        if (name === "c") endCell();
        else if (name === "row") endRow();
      },
    });
  }

  #add(column: number, title: string): Column | undefined {
    if (this.has(title)) return undefined;
    const added = { column, title: copied(title.trim()), cells: [] };
    this.#byTitle.set(titleKey(title), added);
    return added;
  }
}

class SheetRow implements TableRow {
  readonly #sheet: Sheet;
  readonly #index: number;
  readonly row: number;

  constructor(sheet: Sheet, index: number, row: number) {
    this.#sheet = sheet;
    this.#index = index;
    this.row = row;
  }

  cell(...titles: readonly string[]): Located<string> | undefined {
    return this.#sheet.cell(this.#index, this.row, titles);
  }

  get range(): readonly [number, number] {
    return rangeOfCell(this.#sheet.number, this.row, 1);
  }
}

/** Reads texts that several cells share, without their pronunciation (`rPh`). */
function readShared(strings: string[]): Push {
  let current = "";
  let isSpoken = false;
  return readXml({
    open: (name) => {
      if (name === "si") current = "";
      else if (name === "rPh") isSpoken = true;
      return name === "t" && !isSpoken;
    },
    text: (text) => {
      current += text;
    },
    close: (name) => {
      if (name === "rPh") isSpoken = false;
      else if (name === "si" && strings.push(copied(current)) > MOST_CELLS) throw new ExportError(FAR);
    },
  });
}

/** Returns the column of a cell reference: `AB12` is in column 28. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column;
}
