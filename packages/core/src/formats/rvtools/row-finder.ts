import { addTo } from "../../model/maps.ts";
import type { Table, TableRow } from "../table/rows.ts";
import type { Sheet, Sheets } from "./sheets.ts";

/**
 * Returns a function that finds the rows of a VM in other sheets: by ID and vCenter, otherwise by name if the name, or name and host, are
 * unique. `undefined` if the sheet is missing or the rows are ambiguous.
 */
export function rowFinder(vInfo: Table, sheets: Sheets): (info: TableRow) => (sheet: Sheet) => readonly TableRow[] | undefined {
  const counts = new Map<string, number>();
  for (const row of vInfo.rows) for (const key of byName(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const indexes = new Map<Sheet, ReadonlyMap<string, readonly TableRow[]>>();
  const indexOf = (sheet: Sheet): ReadonlyMap<string, readonly TableRow[]> | undefined => {
    const table = sheets[sheet];
    const rowIndex = indexes.get(sheet);
    if (!table || rowIndex) return rowIndex;
    const index = new Map<string, TableRow[]>();
    for (const row of table.rows) for (const key of [...byId(row), ...byName(row)]) addTo(index, key, row);
    indexes.set(sheet, index);
    return index;
  };
  return (info) => (sheet) => {
    const index = indexOf(sheet);
    if (!index) return undefined;
    const id = sheets[sheet]?.has("VM ID") ? byId(info)[0] : undefined;
    if (id !== undefined) return index.get(id) ?? [];
    const sure = byName(info).find((key) => counts.get(key) === 1);
    return sure === undefined ? undefined : (index.get(sure) ?? []);
  };
}

/** The most reliable key first: several vCenters may use the same ID. */
const byId = (row: TableRow): readonly string[] => {
  const id = row.cell("VM ID")?.value;
  return id === undefined ? [] : [`id ${id} ${row.cell("VI SDK Server")?.value ?? ""}`];
};

const byName = (row: TableRow): readonly string[] => {
  const name = row.cell("VM")?.value;
  return name === undefined ? [] : [`name ${name}`, `name ${name} on ${row.cell("Host")?.value ?? ""}`];
};
