import { strToU8 } from "fflate";
import type { FileContext } from "../../model/files.ts";
import type { ReadBytes } from "../format.ts";
import { readTable, type Table } from "../table/rows.ts";
import { type Row, readWorkbook, WorkbookError } from "./workbook.ts";

/** The sheets with facts about VMs and hosts. */
const WANTED = ["vInfo", "vCPU", "vMemory", "vDisk", "vNetwork", "vHost"] as const;

export type Sheet = (typeof WANTED)[number];

export type Sheets = Partial<Record<Sheet, Table>>;

const sheetNamed = (name: string): Sheet | undefined => WANTED.find((sheet) => sheet.toLowerCase() === name.trim().toLowerCase());

/** Separates the sheets of a workbook in its text form. */
const MARK = "\u001d";
/** Precedes the reason why there is no text. */
const REFUSED = "\u0018";

/** More bytes than the largest supported workbook. */
const ALL = 2 ** 27;

/**
 * Returns a workbook as text, with each sheet as comma-separated values. Row numbers of the first sheet, which lists the VMs, are line
 * numbers.
 */
export function unpackWorkbook(readBytes: ReadBytes): Uint8Array | undefined {
  try {
    const sheets = readWorkbook(readBytes(0, ALL), (name) => sheetNamed(name) !== undefined);
    if (!sheets) return undefined;
    const sheetByName = new Map([...sheets].map(([name, rows]) => [sheetNamed(name), rows]));
    const info = sheetByName.get("vInfo");
    if (!info) return undefined;
    const missing = WANTED.flatMap((name) =>
      name === "vInfo" || !sheetByName.has(name) ? [] : [`${MARK}${name}\n${asText(sheetByName.get(name) ?? [])}`],
    );
    return strToU8([asText(info), ...missing].join(""));
  } catch (error) {
    if (error instanceof WorkbookError) return strToU8(REFUSED + error.message);
    throw error;
  }
}

/** Returns rows as comma-separated values. A line break in a cell would shift all lines below. */
function asText(rows: readonly Row[]): string {
  const lines: string[] = [];
  for (let i = 0; i < rows.length; i++) lines.push(lineOf(rows[i] ?? []));
  return `${lines.join("\n")}\n`;
}

/** A row without cells is an empty line. */
function lineOf(row: Row): string {
  const cells: string[] = [];
  for (let i = 0; i < row.length; i++) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they mark sheets here.
    const plain = (row[i] ?? "").replace(/[\r\n\u001d\u0018]+/g, " ");
    cells.push(/[",;\t]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain);
  }
  return cells.join(",");
}

/** Returns the tables of an export: from a workbook as text, or from the VM file (RVTools_tabvInfo.csv) and the files next to it. */
export function sheetsIn(text: string, context?: FileContext): Sheets | { readonly refused: string } {
  if (text.startsWith(REFUSED)) return { refused: text.slice(REFUSED.length) };
  const tables: { [K in Sheet]?: Table } = {};
  let start = 0;
  let name: Sheet | undefined = "vInfo";
  while (start < text.length) {
    const mark = text.indexOf(MARK, start);
    const end = mark < 0 ? text.length : mark;
    if (name) tables[name] = readTable(text, start, end);
    if (mark < 0) break;
    const line = text.indexOf("\n", mark);
    // A CSV file can hold the mark, too, even in its last line.
    if (line < 0) break;
    name = sheetNamed(text.slice(mark + MARK.length, line));
    start = line + 1;
  }
  if (!context || !/tabvInfo\.csv$/i.test(context.path)) return tables;
  for (const other of WANTED) {
    const content = other === "vInfo" ? undefined : context.files.read(context.path.replace(/vInfo(?=\.csv$)/i, other));
    if (content !== undefined) tables[other] = readTable(content);
  }
  return tables;
}
