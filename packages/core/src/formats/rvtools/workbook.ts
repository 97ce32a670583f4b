import { DecodeUTF8, Unzip, UnzipInflate } from "fflate";
import { SaxesParser } from "saxes";

/** An export of 20,000 VMs has about 150 MB of XML in 15 MB; a larger file is not an export. */
const MOST_PACKED = 100_000_000;
const MOST_UNPACKED = 500_000_000;
/** The ratio limit for workbooks that unpack to more than `ALWAYS_FINE`. Real ones shrink to a tenth or a fiftieth. */
const MOST_RATIO = 400;
const ALWAYS_FINE = 10_000_000;
/** The packed bytes to unpack at a time. They give at most 64 MB, because DEFLATE shrinks to a 1032nd at best. */
const PACKED_CHUNK = 1 << 16;
/** The limits of an Excel sheet (Microsoft, "Excel specifications and limits"). */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const MOST_CHARACTERS_IN_CELL = 32_767;
/** An export of 100,000 VMs has about 25 million cells in the sheets that vmlint reads, and fewer texts. */
const MOST_CELLS = 30_000_000;
const MOST_CHARACTERS = 300_000_000;

/** Why a workbook is not read. */
export class WorkbookError extends Error {}

/** The cells of a row by column; empty cells are missing. */
export type Row = readonly (string | undefined)[];

/** Returns the rows of the wanted sheets of an .xlsx, indexed by row number minus one; `undefined` if the bytes are not a workbook. */
export function readWorkbook(bytes: Uint8Array, isWanted: (sheet: string) => boolean): ReadonlyMap<string, readonly Row[]> | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined;
  if (bytes.length > MOST_PACKED) throw new WorkbookError("it is larger than an export of 100,000 VMs");
  const index = unzip(bytes, (name) => /(?:^|\/)workbook\.xml(?:\.rels)?$/.test(name));
  const workbook = fileIn(index, /(?:^|\/)workbook\.xml$/);
  if (!workbook) return undefined;
  const targets = new Map<string, string>();
  for (const { name, attributes } of elements(fileIn(index, /\.rels$/)))
    if (name === "Relationship") targets.set(attributes.Id ?? "", (attributes.Target ?? "").replace(/^\/?(?:xl\/)?/, ""));
  const sheets = new Map<string, string>();
  for (const { name, attributes } of elements(workbook))
    if (name === "sheet" && isWanted(attributes.name ?? "")) sheets.set(targets.get(attributes.id ?? "") ?? "", attributes.name ?? "");
  const inWorkbook = (path: string) => path.replace(/^xl\//, "");
  const parts = unzip(bytes, (path) => sheets.has(inWorkbook(path)) || /(?:^|\/)sharedStrings\.xml$/.test(path));
  const shared = readShared(fileIn(parts, /sharedStrings\.xml$/));
  const size = { cells: 0, characters: 0 };
  return new Map(
    Object.entries(parts).flatMap(([path, content]) => {
      const name = sheets.get(inWorkbook(path));
      return name === undefined ? [] : [[name, readRows(content, shared, size)]];
    }),
  );
}

/** Unpacks the wanted files. It counts the bytes as they come, because an archive may state any size. */
function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): Readonly<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  const open = new Set<string>();
  let total = 0;
  const unpacking = new Unzip((file) => {
    if (!isWanted(file.name)) return;
    const parts: Uint8Array[] = [];
    open.add(file.name);
    file.ondata = (error, part, isLast) => {
      if (error) throw error;
      total += part.length;
      if (total > MOST_UNPACKED || (total > ALWAYS_FINE && total > bytes.length * MOST_RATIO))
        throw new WorkbookError("it unpacks to far more than an export has");
      parts.push(part);
      if (!isLast) return;
      files[file.name] = joined(parts);
      open.delete(file.name);
    };
    file.start();
  });
  unpacking.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += PACKED_CHUNK)
      unpacking.push(bytes.subarray(at, at + PACKED_CHUNK), at + PACKED_CHUNK >= bytes.length);
  } catch (error) {
    if (error instanceof WorkbookError) throw error;
    throw new WorkbookError(DAMAGED);
  }
  // The directory at the end is the last part that a cut archive loses.
  if (open.size > 0 || !hasDirectory(bytes)) throw new WorkbookError(DAMAGED);
  return files;
}

const DAMAGED = "its archive is damaged or cut off";

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether an archive ends with its directory: a record of 22 bytes, and a comment of up to 65,535 (PKWARE, APPNOTE.TXT, 4.3.16). */
function hasDirectory(bytes: Uint8Array): boolean {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 65_535); at--)
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 5 && bytes[at + 3] === 6) return true;
  return false;
}

const fileIn = (files: Readonly<Record<string, Uint8Array>>, name: RegExp): Uint8Array | undefined =>
  Object.entries(files).find(([path]) => name.test(path))?.[1];

interface Handlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** The bytes to decode at a time, because a whole sheet may exceed the longest string. */
const CHUNK = 1 << 20;

/** Reads XML by local names: `<x:row>` is a row. */
function readXml(bytes: Uint8Array, { open, text, close }: Handlers): void {
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const plain: Record<string, string> = {};
    for (const key in attributes) plain[local(key)] = attributes[key] as string;
    open(local(name), plain);
  });
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  if (close) parser.on("closetag", ({ name }) => close(local(name)));
  parser.on("error", () => {
    throw new WorkbookError("one of its sheets is not complete XML");
  });
  let decoded = "";
  const decoder = new DecodeUTF8((part) => {
    decoded = part;
  });
  const decode = (from: number): string => {
    try {
      decoder.push(bytes.subarray(from, from + CHUNK), from + CHUNK >= bytes.length);
    } catch {
      throw new WorkbookError("one of its sheets is not UTF-8");
    }
    return decoded;
  };
  for (let at = 0; at < bytes.length; at += CHUNK) parser.write(decode(at));
  parser.close();
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

function elements(
  bytes: Uint8Array = new Uint8Array(),
): readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] {
  const elements: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] = [];
  if (bytes.length > 0) readXml(bytes, { open: (name, attributes) => elements.push({ name, attributes }) });
  return elements;
}

/** Texts that several cells share, without their pronunciation (`rPh`). */
function readShared(bytes: Uint8Array | undefined): readonly string[] {
  const strings: string[] = [];
  if (!bytes) return strings;
  let isInside = false;
  let current = "";
  let spoken = false;
  readXml(bytes, {
    open: (name) => {
      if (name === "si") current = "";
      else if (name === "rPh") spoken = true;
      isInside = name === "t" && !spoken;
    },
    text: (text) => {
      if (isInside) current += text;
    },
    close: (name) => {
      isInside = false;
      if (name === "rPh") spoken = false;
      else if (name === "si" && strings.push(current) > MOST_CELLS) throw new WorkbookError("it has more texts than an export has cells");
    },
  });
  return strings;
}

/** The size of the rows that were read, which a file of a few kB may make large: cells far to the right, or one long text in many cells. */
interface Size {
  cells: number;
  characters: number;
}

function readRows(bytes: Uint8Array, shared: readonly string[], size: Size): readonly Row[] {
  const rows: (string | undefined)[][] = [];
  let row: (string | undefined)[] = [];
  let number = 0;
  let column = 0;
  let type = "";
  let value = "";
  let isValue = false;
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === "row") {
        number = Number(attributes.r ?? number + 1);
        if (!(Number.isInteger(number) && number > 0 && number <= MOST_ROWS))
          throw new WorkbookError("one of its sheets has more rows than a sheet can have");
        row = [];
        column = 0;
      } else if (name === "c") {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        if (!(column > 0 && column <= MOST_COLUMNS)) throw new WorkbookError("one of its sheets has more columns than a sheet can have");
        type = attributes.t ?? "";
        value = "";
      }
      isValue = name === "v" || (name === "t" && type === "inlineStr");
    },
    text: (text) => {
      if (isValue) value += text;
    },
    close: (name) => {
      isValue = false;
      // Declared rows without cells use no memory.
      if (name === "row" && row.length > 0) {
        rows[number - 1] = row;
        size.cells += row.length;
        if (size.cells > MOST_CELLS || size.characters > MOST_CHARACTERS)
          throw new WorkbookError("it has far more cells or text than an export has");
      }
      // A column without a name in the first row is not part of the table.
      if (name !== "c" || value === "" || type === "e" || (number > 1 && column > (rows[0]?.length ?? 0))) return;
      const text = type === "s" ? (shared[Number(value)] ?? "") : value;
      if (text.length > MOST_CHARACTERS_IN_CELL) throw new WorkbookError("one of its cells has more text than a cell can have");
      size.characters += text.length;
      row[column - 1] = text;
    },
  });
  return rows;
}

/** Returns the column of a cell reference: `AB12` is in column 28. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? "") column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}
