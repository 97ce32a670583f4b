import { rowsOf, separatorOf } from "../formats/table/rows.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Located } from "../model/source.ts";
import { type Identity, identityOf, type Metric, type MetricColumn, metricOf, type Statistic } from "./columns.ts";
import type { Demand, Figure, Recommendation } from "./demand.ts";
import { type Convention, contradicts, conventionOf, minutesIn, numberIn } from "./numbers.ts";

/** Reads an export of demand part by part: the memory grows with the VMs, not with the text. */
export interface DemandReader {
  readonly push: (text: string) => void;
  /** Returns the demand of each VM, or why the file is not read. */
  readonly end: () => readonly Demand[] | { readonly refused: string };
}

interface Column extends MetricColumn {
  readonly at: number;
  readonly title: string;
}

/** The columns of an export. */
interface Layout {
  readonly separator: string;
  readonly identities: Readonly<Partial<Record<Identity, number>>>;
  readonly metrics: readonly Column[];
}

/** The columns that make a file an export of demand. An inventory may have other numbers, too. */
const MAIN: readonly Metric[] = ["demand", "recommended", "recommendedMHz", "remove", "add"];

/** Whether the row of titles of a text belongs to an export of demand or of recommendations: it names VMs, and has a number about them. */
export function isDemand(text: string): boolean {
  const layout = layoutOf(/^[^\r\n]*/.exec(text)?.[0] ?? "");
  return layout?.identities.name !== undefined && layout.metrics.some(({ metric }) => MAIN.includes(metric));
}

function layoutOf(line: string): Layout | undefined {
  const start = line.startsWith("\ufeff") ? 1 : 0;
  const separator = separatorOf(line);
  const [titles] = rowsOf(line, start, line.length, separator);
  if (!titles) return undefined;
  const identities: Partial<Record<Identity, number>> = {};
  const metrics: Column[] = [];
  for (const [at, { value: title }] of titles.entries()) {
    const identity = identityOf(title);
    if (identity !== undefined) identities[identity] ??= at;
    const metric = metricOf(title);
    if (metric) metrics.push({ ...metric, at, title: title.trim() });
  }
  return { separator, identities, metrics };
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
export function demandReader(path: string): DemandReader {
  let rest = "";
  let layout: Layout | undefined;
  let convention: Convention | undefined;
  let row = 1;
  let refused: string | undefined;
  const vms = new Map<string, Collected>();
  const times = new Map<string, number | undefined>();

  const readRows = (text: string): void => {
    if (!layout || !convention) return;
    for (const cells of rowsOf(text, 0, text.length, layout.separator)) {
      row += 1;
      if (cells.length === 1 && cells[0]?.value === "") continue;
      const wrong = collect(vms, times, { cells, row, layout, convention });
      if (wrong) refused ??= `it writes numbers as 1,546.6 and as 1.546,6: row ${row} has "${wrong}"`;
    }
  };
  const take = (isLast: boolean): void => {
    if (!layout) {
      const end = rest.indexOf("\n");
      if (end < 0 && !isLast) return;
      layout = layoutOf(end < 0 ? rest : rest.slice(0, end).replace(/\r$/, ""));
      rest = end < 0 ? "" : rest.slice(end + 1);
    }
    if (!convention) {
      if (rest.length < HEAD && !isLast) return;
      convention = layout && conventionIn(rest.slice(0, HEAD), layout);
    }
    const end = isLast ? rest.length : lastRowEnd(rest);
    readRows(rest.slice(0, end));
    rest = rest.slice(end);
  };
  return {
    push: (text) => {
      rest += text;
      if (refused === undefined) take(false);
    },
    end: () => {
      take(true);
      if (refused !== undefined) return { refused };
      return Array.from(vms.values(), (vm) => demandOf(path, vm));
    },
  };
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
function conventionIn(text: string, { separator, metrics }: Layout): Convention {
  for (const cells of rowsOf(text, 0, lastRowEnd(text) || text.length, separator)) {
    for (const { at } of metrics) {
      const found = conventionOf(cells[at]?.value ?? "");
      if (found) return found;
    }
  }
  return separator === ";" ? "comma" : "point";
}

interface Collected {
  readonly name: string;
  readonly id: string | undefined;
  readonly server: string | undefined;
  readonly rows: [first: number, last: number];
  readonly times: { first: number | undefined; latest: number; previous: number; step: number; rises: boolean; falls: boolean };
  /** Whether two rows are about the same time, so that two VMs have its name. */
  isRepeated: boolean;
  isOff: boolean | undefined;
  /** By column: its values, and the highest with its row. */
  readonly columns: Map<Column, Values>;
  readonly vcpus: Figure[];
  mhzPerVcpu: number | undefined;
  readonly unread: string[];
}

interface Values {
  /** All values of a column that needs its percentiles. */
  readonly all: number[];
  last: number;
  highest: number;
  row: number;
  lastRow: number;
}

/** A copy without the text that it is a part of, which would stay in memory. */
const own = (text: string): string => [...text].join("");

interface Row {
  readonly cells: readonly Located<string>[];
  readonly row: number;
  readonly layout: Layout;
  readonly convention: Convention;
}

/** Adds a row to its VM; all VMs of an export share their times. Returns a number that contradicts the convention of the file. */
function collect(
  vms: Map<string, Collected>,
  times: Map<string, number | undefined>,
  { cells, row, layout, convention }: Row,
): string | undefined {
  const textAt = (at: number | undefined): string | undefined => (at === undefined ? undefined : cells[at]?.value.trim()) || undefined;
  const { identities, metrics } = layout;
  const name = textAt(identities.name);
  if (name === undefined) return undefined;
  const [id, server] = [textAt(identities.id), textAt(identities.server)];
  const key = id === undefined && server === undefined ? name : [id ?? name, server ?? ""].join("\n");
  let vm = vms.get(key);
  if (!vm) {
    vm = collected({ name: own(name), id: id && own(id), server: server && own(server) }, row);
    vms.set(own(key), vm);
  } else if (identities.time === undefined) vm.isRepeated = true;
  vm.rows[1] = row;
  const time = textAt(identities.time);
  if (time !== undefined) addTime(vm, times.get(time) ?? minutesOnce(times, own(time)));
  const power = textAt(identities.power);
  if (power !== undefined) vm.isOff = /off|suspended/i.test(power);
  let capacity: number | undefined;
  for (const column of metrics) {
    const text = cells[column.at]?.value ?? "";
    if (contradicts(text, convention)) return text;
    const number = numberIn(text, convention);
    if (number === undefined) continue;
    if (Number.isNaN(number) || number < 0) {
      // Home-made tables write what is removed as a negative number.
      if (Number.isNaN(number) && vm.unread.length < 3) vm.unread.push(own(`row ${row}, ${column.title}: "${text}"`));
      continue;
    }
    const value = number * column.factor;
    if (column.metric === "capacity") capacity = value;
    else if (column.metric === "vcpus") addVcpus(vm, { value, row, title: column.title });
    else addValue(vm, column, value, row);
  }
  const vcpus = vm.vcpus.at(-1)?.value;
  if (capacity !== undefined && vcpus !== undefined && vcpus > 0) vm.mhzPerVcpu = capacity / vcpus;
  return undefined;
}

function minutesOnce(times: Map<string, number | undefined>, time: string): number | undefined {
  const minutes = minutesIn(time);
  times.set(time, minutes);
  return minutes;
}

const collected = (identity: Pick<Collected, "name" | "id" | "server">, row: number): Collected => ({
  ...identity,
  rows: [row, row],
  times: { first: undefined, latest: 0, previous: 0, step: Infinity, rises: false, falls: false },
  isRepeated: false,
  isOff: undefined,
  columns: new Map(),
  vcpus: [],
  mhzPerVcpu: undefined,
  unread: [],
});

/** The end of summer time repeats an hour. */
const CLOCK_CHANGE = 60;

/** Rows of one VM are in the order of time, from either end; rows of two VMs are not. */
function addTime(vm: Collected, minutes: number | undefined): void {
  if (minutes === undefined) return;
  const { times } = vm;
  if (times.first === undefined) times.first = times.latest = minutes;
  else {
    const step = minutes - times.previous;
    if (step !== 0) times.step = Math.min(times.step, Math.abs(step));
    if (step > 0) times.rises = true;
    if (step < -CLOCK_CHANGE) times.falls = true;
    vm.isRepeated ||= times.rises && times.falls;
    times.first = Math.min(times.first, minutes);
    times.latest = Math.max(times.latest, minutes);
  }
  times.previous = minutes;
}

function addVcpus({ vcpus }: Collected, figure: Figure): void {
  if (vcpus.at(-1)?.value !== figure.value) vcpus.push(figure);
}

function addValue({ columns }: Collected, column: Column, value: number, row: number): void {
  const values = getOrInsert(columns, column, () => ({ all: [], last: value, highest: -1, row, lastRow: row }));
  if (column.metric !== "demand" || column.statistic !== "average") values.all.push(value);
  values.last = value;
  values.lastRow = row;
  if (value <= values.highest) return;
  values.highest = value;
  values.row = row;
}

function demandOf(path: string, vm: Collected): Demand {
  const { name, id, server, rows, times, isOff, vcpus, mhzPerVcpu, unread } = vm;
  const columns = [...vm.columns];
  const of = (metric: Metric, ...statistics: readonly (Statistic | undefined)[]) =>
    statistics.flatMap((statistic) => columns.filter(([column]) => column.metric === metric && column.statistic === statistic))[0];
  const highest = (found: readonly [Column, Values] | undefined): Figure | undefined =>
    found && { value: found[1].highest, statistic: found[0].statistic, row: found[1].row, title: found[0].title };
  const percentile = (found: readonly [Column, Values] | undefined, percent: number): Figure | undefined =>
    found && found[1].all.length > 1
      ? {
          value: percentileOf(found[1].all, percent),
          statistic: `${percent}th percentile`,
          row: rows[0],
          lastRow: rows[1],
          title: found[0].title,
        }
      : highest(found);
  const peaks = of("demand", "peak");
  const stated = columns.find(([{ metric, statistic }]) => metric === "demand" && statistic?.endsWith("percentile"));
  const ready = of("worstReady", "peak", undefined, "average") ?? of("ready", "peak", undefined, "average");
  const recommendations = recommendationsOf(of);
  return {
    path,
    name,
    id,
    server,
    rows: [rows[0], rows[1]],
    windowMinutes: times.first === undefined || times.step === Infinity ? undefined : times.latest - times.first + times.step,
    isOff,
    vcpus,
    mhzPerVcpu,
    peak: highest(peaks),
    average: highest(of("demand", "average", undefined)),
    percentileOf: (percent) =>
      peaks && peaks[1].all.length > 1
        ? percentile(peaks, percent)
        : stated && stated[0].statistic === `${percent}th percentile`
          ? highest(stated)
          : undefined,
    ready: percentile(ready, 95),
    costop: percentile(of("costop", "peak", undefined, "average"), 95),
    recommendations: recommendations.filter(({ value }) => value !== 0),
    isRepeated: vm.isRepeated,
    isReclaimable: recommendations.some(({ value, form }) => value === 0 && form !== "change"),
    unread,
  };
}

/** Returns the nearest rank: the smallest value that so many per cent do not exceed. */
function percentileOf(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** Returns what an export recommends, in the unit of its column; its last rows count. */
function recommendationsOf(
  of: (metric: Metric, ...statistics: readonly (Statistic | undefined)[]) => readonly [Column, Values] | undefined,
) {
  const latest = (metric: Metric): Figure | undefined => {
    const found = of(metric, undefined, "peak", "average");
    const value = found?.[1].last;
    return found && value !== undefined ? { value, row: found[1].lastRow, title: found[0].title } : undefined;
  };
  const [recommended, mhz, remove, add] = [latest("recommended"), latest("recommendedMHz"), latest("remove"), latest("add")];
  const change = remove && remove.value > 0 ? { ...remove, value: -remove.value } : add && add.value > 0 ? add : undefined;
  const all: readonly (Recommendation | undefined)[] = [
    recommended && { ...recommended, form: "vcpus" },
    change && { ...change, form: "change" },
    mhz && { ...mhz, form: "mhz" },
  ];
  return all.filter((one) => one !== undefined);
}
