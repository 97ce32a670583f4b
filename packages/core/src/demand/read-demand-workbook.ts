import { ExportError, openArchive } from "../formats/rvtools/unzip.ts";
import { readWorkbook, type SheetTable } from "../formats/rvtools/workbook.ts";
import type { DemandColumns } from "../model/columns.ts";
import { type Collected, Collection, keyOf } from "./collect.ts";
import { configuredColumn, identityOf, metricOf } from "./columns.ts";
import type { Demand } from "./demand.ts";
import { demandOf } from "./demand-of.ts";
import { isDemandLayout, type Layout, layoutOf } from "./layout.ts";
import { type Convention, conventionOf } from "./numbers.ts";
import type { DemandOptions } from "./read-demand.ts";
import { tableReader } from "./table-reader.ts";

/**
 * Returns the demand in the sheets of a workbook (.xlsx), such as `VM Performance` of Live Optics, or why it is not read. `undefined` for a
 * workbook without such a sheet, and for other bytes.
 */
export function demandInWorkbook(
  path: string,
  bytes: Uint8Array,
  { columns, percent }: DemandOptions = {},
): readonly Demand[] | { readonly refused: string } | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined;
  const isKnown = { has: (title: string) => isTitle(title, columns) };
  try {
    const sheets = [...(readWorkbook(openArchive(bytes), () => isKnown) ?? [])].map(([name, table]) => {
      return { name, table, layout: layoutOf(table.titles, columns) };
    });
    const measuring = sheets.filter(({ layout }) => isDemandLayout(layout));
    if (measuring.length === 0) return undefined;
    const facts = sheets
      .filter(({ layout }) => !isDemandLayout(layout))
      .map(({ table, layout }) => collected(table, layout, "point", percent));
    const found: Demand[] = [];
    for (const { name, table, layout } of measuring) {
      const collection = collected(table, layout, conventionIn(table, layout), percent);
      if ("refused" in collection) return { refused: `sheet ${name}: ${collection.refused}` };
      for (const vm of collection.vms.values()) {
        addFacts(vm, facts);
        found.push(demandOf({ path, sheet: name }, vm, percent));
      }
    }
    return found;
  } catch (error) {
    if (error instanceof ExportError) return { refused: error.message.replace(/\.$/, "") };
    throw error;
  }
}

const isTitle = (title: string, columns: DemandColumns | undefined): boolean =>
  identityOf(title) !== undefined ||
  metricOf(title) !== undefined ||
  (columns !== undefined && configuredColumn(title, columns) !== undefined);

/** A number of days since the end of 1899, as sheets store times. */
const SERIAL = /^[45]\d{4}(?:\.\d+)?$/;

function collected(
  table: SheetTable,
  layout: Layout,
  convention: Convention,
  percent: number | undefined,
): Collection | { readonly refused: string } {
  const collection = new Collection(percent);
  const reader = tableReader(layout, convention, collection);
  for (const of of table.rows) {
    const cell = (at: number | undefined): string | undefined => {
      const title = at === undefined ? undefined : table.titles[at];
      const text = title === undefined ? undefined : of.cell(title)?.value.trim();
      return at === layout.identities.time && text !== undefined && SERIAL.test(text) ? dateOf(Number(text)) : text;
    };
    const refused = reader.take(cell, of.row);
    if (refused !== undefined) return { refused };
  }
  return collection;
}

const dateOf = (days: number): string => new Date(Math.round((days - 25_569) * 1440) * 60_000).toISOString();

/** Cells with numbers have a decimal point, however the sheet shows them; cells with texts have that of their language. */
function conventionIn({ rows, titles }: SheetTable, { metrics }: Layout): Convention {
  for (const row of rows)
    for (const { at } of metrics) {
      const found = conventionOf(row.cell(titles[at] ?? "")?.value ?? "");
      if (found) return found;
    }
  return "point";
}

/** Adds what other sheets say about the VM with the same ID and name. Live Optics has vCPUs and UUIDs in its sheet `VMs`. */
function addFacts(vm: Collected, sheets: readonly (Collection | { readonly refused: string })[]): void {
  if (vm.id === undefined) return;
  for (const sheet of sheets) {
    const same = "refused" in sheet ? undefined : sheet.vms.get(keyOf(vm));
    if (!same || same.isRepeated || same.name !== vm.name) continue;
    vm.uuid ??= same.uuid;
    vm.isOff ??= same.isOff;
    if (vm.vcpus.length === 0) vm.vcpus.push(...same.vcpus);
  }
}
