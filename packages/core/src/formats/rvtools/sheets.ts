import type { Cell } from "../../model/cell.ts";
import { type FileContext, folderOf, joinPath, nameOf } from "../../model/files.ts";
import { addTo, getOrInsert } from "../../model/maps.ts";
import { lastAnswer } from "../../model/memoize.ts";
import { type Range, rangeOfCell } from "../../model/source.ts";
import { bytesOfText } from "../archive.ts";
import { readTable, type Table, type TableRow, titleKey } from "../table/rows.ts";
import { decodeVmx } from "../vmx/encoding.ts";
import { type Archive, ExportError, openArchive } from "./unzip.ts";
import { readWorkbook } from "./workbook.ts";

/** The titles that find the rows of a VM. */
const KEYS = ["VM", "Host", "Folder", "VM ID", "VM UUID", "VI SDK Server"];

/** The sheets with facts about VMs and hosts, and the columns with these facts. */
const COLUMNS = {
  vCPU: [...KEYS, ..."CPUs|Sockets|Cores p/s|Reservation|Limit|Hot Add|Numa Hotadd Exposed".split("|")],
  vMemory: [...KEYS, ..."Size MiB|Memory Reservation Locked To Max|Swapped|Ballooned|Reservation|Limit|Hot Add".split("|")],
  vDisk: [...KEYS, ..."Capacity MiB|Thin|Eagerly Scrub|Controller|Label|Shared Bus|SCSI Unit #|Unit #".split("|")],
  vNetwork: [...KEYS, "Adapter"],
  vHost: [
    ..."Host|Name|VI SDK Server|Cluster|CPU Model|Speed|CPU MHz|HT Available|HT Active|# CPU|Cores per CPU|# Cores|# Memory".split("|"),
    ..."ESX Version|Host Power Policy|Current CPU power man. policy".split("|"),
  ],
  vInfo: [
    ...KEYS,
    ..."VI SDK UUID|SMBIOS UUID|Powerstate|Connection state|Template|SRM Placeholder|CPUs|Overall Cpu Readiness|Memory|Latency Sensitivity".split(
      "|",
    ),
    ..."HW version|VM Version|Cluster|OS according to the configuration file|OS".split("|"),
  ],
} as const satisfies Record<string, readonly string[]>;

export type Sheet = keyof typeof COLUMNS;

const SHEETS = Object.keys(COLUMNS) as readonly Sheet[];

const WANTED: ReadonlyMap<string, { readonly has: (title: string) => boolean }> = new Map(
  Object.entries(COLUMNS).map(([sheet, titles]) => {
    const keys = new Set(titles.map(titleKey));
    return [sheet.toLowerCase(), { has: (title) => keys.has(titleKey(title)) }];
  }),
);

/** The titles that mark a sheet, the first that fits: a CSV file may have any name. */
const MARKS: readonly (readonly [Sheet, readonly string[]])[] = [
  ["vInfo", ["VM", "Powerstate", "CPUs", "Memory"]],
  ["vCPU", ["VM", "Cores p/s"]],
  ["vMemory", ["VM", "Size MiB", "Limit"]],
  ["vDisk", ["VM", "Controller", "Capacity MiB"]],
  ["vNetwork", ["VM", "Adapter"]],
  ["vHost", ["Host", "# CPU", "Cores per CPU"]],
  ["vInfo", ["VM", "Powerstate", "CPUs"]],
];

const sheetOf = (table: Table): Sheet | undefined => MARKS.find(([, titles]) => titles.every((title) => table.has(title)))?.[0];

/** The tables of an export. */
export interface Sheets {
  readonly tables: { readonly [K in Sheet]?: Table };
  /** Set for a file with facts about the VMs of another file in its folder. */
  readonly isPart?: boolean;
}

/** Returns the tables of an export: a workbook, an archive of CSV files, or a CSV file and the files of the same export in its folder. */
export const sheetsIn = (text: string, context?: FileContext): Sheets | { readonly refused: string } =>
  text.startsWith("PK") ? sheetsOfArchive(text) : sheetsOfFolder(text, context);

/** An export lists hosts and VMs, and is unpacked once for both. */
const sheetsOfArchive = lastAnswer((text): Sheets | { readonly refused: string } => {
  try {
    const archive = openArchive(bytesOfText(text));
    const sheets = readWorkbook(archive, (name) => WANTED.get(name.toLowerCase()));
    return { tables: sheets ? Object.fromEntries([...sheets].map(([name, table]) => [sheetNamed(name), table])) : filesIn(archive) };
  } catch (error) {
    if (error instanceof ExportError) return { refused: error.message };
    throw error;
  }
});

const sheetNamed = (name: string): Sheet | undefined => SHEETS.find((sheet) => sheet.toLowerCase() === name.toLowerCase());

/** Not among core's types, and in every browser and in Node. */
declare const TextDecoder: new (label: string) => { readonly decode: (bytes: Uint8Array) => string };

/** Reads the CSV files of an archive. */
function filesIn({ names, unpack }: Archive): Sheets["tables"] {
  const tables: { [K in Sheet]?: Table } = {};
  for (const name of names) {
    if (!/\.csv$/i.test(name) || isOtherSheet(name)) continue;
    const parts: Uint8Array[] = [];
    unpack(name, (part) => parts.push(part));
    const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    const text = decodeVmx(bytes, (some, label) => new TextDecoder(label).decode(some));
    const sheet = sheetOf(readTable(headOf(text)));
    if (sheet && !tables[sheet]) tables[sheet] = tableAs(sheet, text);
  }
  return tables;
}

/** The row of titles. */
const headOf = (text: string): string => /^[^\r\n]*/.exec(text)?.[0] ?? "";

const tableAs = (sheet: Sheet, text: string, path?: string): Table =>
  readTable(text, {
    sheet,
    ...(path !== undefined && { path }),
    rangeOf: (row, column) => rangeOfCell(SHEETS.indexOf(sheet) + 1, row, column),
  });

/** Whether a file is named after a sheet without facts for vmlint. */
const isOtherSheet = (name: string): boolean =>
  /(?<!r)v(?:tools|partition|snapshot|cd|usb|source|switch|port|dvswitch|dvport|sc_vmk|hba|nic|license|fileinfo|health|datastore|multipath|rp|metadata|cluster|floppy)[^a-z]/i.test(
    nameOf(name),
  );

/** Reads a CSV file, with the other files of its export in its folder: they differ only in the name of the sheet, or they are the only ones. */
function sheetsOfFolder(text: string, context?: FileContext): Sheets {
  const own = readTable(text, { sheet: "vInfo" });
  const sheet = own.broken === undefined ? sheetOf(own) : "vInfo";
  const folder = context ? folderOf(context.path) : "";
  const others = (context?.files.list(folder) ?? []).flatMap((name) => {
    const path = joinPath(folder, name);
    if (!context || path === context.path || !/\.csv$/i.test(name) || isOtherSheet(name)) return [];
    const content = context.files.read(path);
    const kind = content === undefined ? undefined : sheetOf(readTable(headOf(content)));
    return content === undefined || !kind ? [] : [{ path, kind, content, isNear: stemOf(path) === stemOf(context.path) }];
  });
  if (sheet !== "vInfo") return { tables: sheet === "vHost" ? { vHost: own } : {}, isPart: others.some(({ kind }) => kind === "vInfo") };
  const isOnly = !others.some(({ kind }) => kind === "vInfo");
  const tables: { [K in Sheet]?: Table } = { vInfo: own };
  for (const { path, kind, content } of others.filter(({ isNear }) => isOnly || isNear).sort((a, b) => Number(b.isNear) - Number(a.isNear)))
    if (!tables[kind]) tables[kind] = tableAs(kind, content, path);
  return { tables };
}

/** The path of a file without the name of its sheet. */
const stemOf = (path: string): string => path.toLowerCase().replace(/v?(?:info|cpu|memory|disk|network|host)(?=[^/]*$)/, "");

/** Returns a function that finds the cell at a range of an export. */
export const cellsIn =
  ({ tables }: Sheets) =>
  (range: Range): Cell | undefined => {
    for (const table of Object.values(tables)) {
      const cell = table.cellAt?.(range);
      if (cell) return cell;
    }
    return undefined;
  };

/** Returns a function that finds the row of a cell: the columns that vmlint reads. */
export const wholeRows =
  ({ tables }: Sheets) =>
  ({ sheet, row }: Cell): readonly Cell[] => {
    const wanted = WANTED.get(sheet.toLowerCase());
    return (tables[sheet as Sheet]?.rowAt?.(row) ?? []).filter(({ title }) => wanted?.has(title));
  };

/** The columns that identify a VM, the surest first. Only a unique name joins. */
const JOINS: readonly (readonly string[])[] = [["VM ID"], ["VM UUID"], ["VM", "Folder"], ["VM", "Host"], ["VM"]];

/** Returns the key of a row; nothing if one of its cells is empty. Several vCenters may use the same IDs. */
function keyOf(row: TableRow, titles: readonly string[]): string | undefined {
  const words = titles.map((title) => row.cell(title)?.value.trim().toLowerCase() ?? (title === SERVER ? "" : undefined));
  return words.includes(undefined) ? undefined : words.join("\n");
}

const SERVER = "VI SDK Server";

/** Returns a function that finds the rows of a VM in another sheet; `undefined` if the sheet is missing or the rows are ambiguous. */
export function rowFinder({ tables }: Sheets): (info: TableRow, sheet: Sheet) => readonly TableRow[] | undefined {
  const indexes = new Map<string, ReadonlyMap<string, readonly TableRow[]>>();
  const rowsIn = (sheet: Sheet, titles: readonly string[], key: string): readonly TableRow[] => {
    const index = getOrInsert(indexes, [sheet, ...titles].join("\n"), () => {
      const made = new Map<string, TableRow[]>();
      for (const row of tables[sheet]?.rows ?? []) {
        const own = keyOf(row, titles);
        if (own !== undefined) addTo(made, own, row);
      }
      return made;
    });
    return index.get(key) ?? [];
  };
  return (info, sheet) => {
    const [table, vInfo] = [tables[sheet], tables.vInfo];
    if (sheet === "vInfo") return [info];
    for (const join of JOINS) {
      const areThere = (title: string): boolean => table?.has(title) === true && vInfo?.has(title) === true;
      const titles = [...join, SERVER].filter(areThere);
      const key = join.every(areThere) ? keyOf(info, titles) : undefined;
      if (key === undefined || rowsIn("vInfo", titles, key).length !== 1) continue;
      const found = rowsIn(sheet, titles, key);
      // A VM may have moved between two sheets of an export, but its ID stays.
      if (found.length > 0 || join.length === 1) return found;
    }
    return undefined;
  };
}
