import { BATCH } from "../formats/host-statistics/recognise.ts";
import { rowsOf, separatorOf } from "../formats/table/rows.ts";
import type { DemandColumns } from "../model/columns.ts";
import { Collection } from "./collect.ts";
import type { Demand } from "./demand.ts";
import { demandOf } from "./demand-of.ts";
import { esxtopExport } from "./esxtop.ts";
import { isDemandLayout, layoutOf } from "./layout.ts";
import { type Convention, conventionOf } from "./numbers.ts";
import type { RowReader } from "./row-reader.ts";
import { statisticsExport } from "./statistics.ts";
import { tableReader } from "./table-reader.ts";

/** Reads an export of demand part by part: the memory grows with the VMs, not with the text. */
export interface DemandReader {
  readonly push: (text: string) => void;
  /** Returns the demand of each VM, or why the file is not read. */
  readonly end: () => readonly Demand[] | { readonly refused: string };
}

/** Windows PowerShell writes the type of its objects above the titles. */
const TYPE_LINE = /^\ufeff?#TYPE [^\n]*\n/;

/** The row of titles, and where the rows begin. */
function titlesIn(text: string): { readonly titles: readonly string[]; readonly separator: string; readonly end: number } | undefined {
  const start = TYPE_LINE.exec(text)?.[0].length ?? (text.startsWith("\ufeff") ? 1 : 0);
  const line = /[^\n]*/.exec(text.slice(start))?.[0] ?? "";
  const separator = separatorOf(line);
  const [titles] = rowsOf(line, 0, line.length, separator);
  return titles && { titles: titles.map(({ value }) => value.trim()), separator, end: start + line.length + 1 };
}

/** Whether the beginning of a text belongs to an export of demand or of recommendations: it names VMs, and has a number about them. */
export function isDemand(text: string, columns?: DemandColumns): boolean {
  if (BATCH.test(text)) return true;
  const { titles = [] } = titlesIn(text) ?? {};
  return statisticsExport(titles, new Collection(undefined)) !== undefined || isDemandLayout(layoutOf(titles, columns));
}

/** How an export is read. */
export interface DemandOptions {
  /** The names of the columns of home-made tables. */
  readonly columns?: DemandColumns | undefined;
  /** The percentile of hourly peaks that the need covers; by default the highest. */
  readonly percent?: number | undefined;
}

/** How much text decides whether numbers have a decimal point or a decimal comma. */
const HEAD = 1 << 16;

/**
 * Returns a reader for an export of demand or of recommendations, as comma-separated values.
 *
 * @example
 * const reader = demandReader("demand.csv");
 * reader.push('"Name","CPU|Demand (MHz)|Max"\n"sql01","31,002.1"\n');
 * const demands = reader.end();
 */
export function demandReader(path: string, { columns, percent }: DemandOptions = {}): DemandReader {
  let rest = "";
  let row = 1;
  let refused: string | undefined;
  let started: { readonly rows: RowReader; readonly separator: string } | undefined;
  const collection = new Collection(percent);

  const start = (isLast: boolean): void => {
    const head = titlesIn(rest);
    if (!head || (!isLast && rest.length < head.end + HEAD)) return;
    const { titles, separator, end } = head;
    const layout = layoutOf(titles, columns);
    const numbers = layout.metrics.map(({ at }) => at);
    const convention = conventionIn(rest.slice(end, end + HEAD), separator, numbers);
    const rows = esxtopExport(titles, collection) ?? statisticsExport(titles, collection) ?? tableReader(layout, convention, collection);
    if ("refused" in rows) refused = rows.refused;
    else started = { rows, separator };
    if (TYPE_LINE.test(rest)) row += 1;
    rest = rest.slice(end);
  };
  const readRows = ({ rows, separator }: NonNullable<typeof started>, text: string): void => {
    for (const cells of rowsOf(text, 0, text.length, separator)) {
      row += 1;
      if (cells.length === 1 && cells[0]?.value === "") continue;
      const wrong = rows.take((at) => (at === undefined ? undefined : cells[at]?.value.trim()) || undefined, row);
      if (wrong !== undefined) refused ??= wrong;
    }
  };
  const take = (isLast: boolean): void => {
    if (!started) start(isLast);
    if (!started || refused !== undefined) return;
    const end = isLast ? rest.length : lastRowEnd(rest);
    readRows(started, rest.slice(0, end));
    rest = rest.slice(end);
  };
  return {
    push: (text) => {
      rest += text;
      if (refused === undefined) take(false);
    },
    end: () => {
      if (refused === undefined) take(true);
      if (refused !== undefined) return { refused };
      return Array.from(collection.vms.values(), (vm) => demandOf({ path }, vm, percent));
    },
  };
}

/** Returns the demand in a text, which is read part by part, or why it is not read; `undefined` for texts of other kinds. */
export function demandInText(
  path: string,
  parts: Iterable<string>,
  options: DemandOptions = {},
): readonly Demand[] | { readonly refused: string } | undefined {
  if (!/\.(?:csv|tsv|txt)$/i.test(path)) return undefined;
  let reader: DemandReader | undefined;
  for (const part of parts) {
    if (!reader && !isDemand(part, options.columns)) return undefined;
    reader ??= demandReader(path, options);
    reader.push(part);
  }
  return reader?.end();
}

/** Returns the offset behind the last row that is complete: a quoted cell may contain the end of a line. */
function lastRowEnd(text: string): number {
  let quotes = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) quotes++;
    else if (code === 10 && quotes % 2 === 0) end = at + 1;
  }
  return end;
}

/** Files with semicolons are of languages with decimal commas, unless a number shows the convention. */
function conventionIn(text: string, separator: string, numbers: readonly number[]): Convention {
  for (const cells of rowsOf(text, 0, lastRowEnd(text) || text.length, separator))
    for (const at of numbers) {
      const found = conventionOf(cells[at]?.value ?? "");
      if (found) return found;
    }
  return separator === ";" ? "comma" : "point";
}
