import { getOrInsert } from "../model/maps.ts";
import type { Metric, MetricColumn } from "./columns.ts";
import type { Layout } from "./layout.ts";
import { type Convention, contradicts, minutesIn, numberIn } from "./numbers.ts";
import { Samples } from "./samples.ts";

/** A column with its title. Rows of one export share it. */
export interface TitledColumn extends MetricColumn {
  readonly title: string;
}

/** All that the rows of an export say about a VM so far. */
export interface Collected {
  readonly name: string;
  readonly id: string | undefined;
  readonly server: string | undefined;
  uuid: string | undefined;
  readonly rows: [first: number, last: number];
  readonly times: { first: number | undefined; latest: number; previous: number; step: number; rises: boolean; falls: boolean };
  /** The minutes that each row stands for, if the export states them. */
  minutesOfRow: number | undefined;
  /** Whether two rows are about the same time, so that two VMs have its name. */
  isRepeated: boolean;
  isOff: boolean | undefined;
  isSystem?: boolean;
  readonly columns: Map<TitledColumn, Values>;
  /** Its vCPUs, again after each change. */
  readonly vcpus: { readonly value: number; readonly row: number; readonly title: string }[];
  mhzPerVcpu: number | undefined;
  /** Cells that hold no possible number. */
  readonly unread: string[];
}

/** The values of a column about one VM. */
export interface Values {
  /** Missing if no percentile is needed, and for averages, whose percentiles mean nothing. */
  readonly all: Samples | undefined;
  count: number;
  last: number;
  lastRow: number;
  highest: number;
  row: number;
}

/** A copy without the text that it is a part of, which would stay in memory. */
export const own = (text: string): string => [...text].join("");

/** Returns the key of a VM in an export: its ID, else its name. */
export const keyOf = ({ name, id, server }: Pick<Collected, "name" | "id" | "server">): string =>
  id === undefined && server === undefined ? name : [id ?? name, server ?? ""].join("\n");

/** Metrics whose 95th percentile counts. */
const WAITS: ReadonlySet<Metric> = new Set(["worstReady", "ready", "readySum", "costop", "costopSum"]);

/** Metrics whose percentile the caller may name. */
const DEMANDS: ReadonlySet<Metric> = new Set(["demand", "busy", "busyPercent"]);

/** Collects the rows of an export by VM. All rows share their times and titles; only percentiles need all values. */
export class Collection {
  readonly vms = new Map<string, Collected>();
  readonly percent: number | undefined;
  readonly #times = new Map<string, number | undefined>();

  constructor(percent: number | undefined) {
    this.percent = percent;
  }

  /** Returns a VM, which is new at its first row. */
  vm(identity: Pick<Collected, "name" | "id" | "server">, row: number): Collected {
    const { name, id, server } = identity;
    const key = keyOf(identity);
    const known = this.vms.get(key);
    if (known) {
      known.rows[1] = row;
      return known;
    }
    const vm = collected({ name: own(name), id: id && own(id), server: server && own(server) }, row);
    this.vms.set(own(key), vm);
    return vm;
  }

  /** Adds a value to a column of a VM. */
  add({ columns }: Collected, column: TitledColumn, value: number, row: number): void {
    const { metric, statistic } = column;
    const isSampled = statistic !== "average" && (WAITS.has(metric) || (this.percent !== undefined && DEMANDS.has(metric)));
    const values = getOrInsert(columns, column, () => ({
      all: isSampled ? new Samples() : undefined,
      ...{ count: 0, last: value, lastRow: row, highest: -1, row },
    }));
    values.all?.push(value);
    values.count += 1;
    values.last = value;
    values.lastRow = row;
    if (value <= values.highest) return;
    values.highest = value;
    values.row = row;
  }

  minutes(time: string): number | undefined {
    if (this.#times.has(time)) return this.#times.get(time);
    const minutes = minutesIn(time);
    this.#times.set(own(time), minutes);
    return minutes;
  }
}

const collected = (identity: Pick<Collected, "name" | "id" | "server">, row: number): Collected => ({
  ...identity,
  uuid: undefined,
  rows: [row, row],
  times: { first: undefined, latest: 0, previous: 0, step: Infinity, rises: false, falls: false },
  minutesOfRow: undefined,
  isRepeated: false,
  isOff: undefined,
  columns: new Map(),
  vcpus: [],
  mhzPerVcpu: undefined,
  unread: [],
});

/** Returns the cell of a column, without spaces around it; `undefined` if it is empty. */
export type CellText = (at: number | undefined) => string | undefined;

/** Adds a row with one column for each metric. Returns a number that contradicts the convention of the file. */
export function collectRow(
  collection: Collection,
  cell: CellText,
  { row, layout, convention }: { readonly row: number; readonly layout: Layout; readonly convention: Convention },
): string | undefined {
  const { identities, metrics } = layout;
  const name = cell(identities.name);
  if (name === undefined) return undefined;
  const count = collection.vms.size;
  const vm = collection.vm({ name, id: cell(identities.id), server: cell(identities.server) }, row);
  if (identities.time === undefined && collection.vms.size === count) vm.isRepeated = true;
  const time = cell(identities.time);
  if (time !== undefined) addTime(vm, collection.minutes(time));
  const [uuid, power] = [cell(identities.uuid), cell(identities.power)];
  if (uuid !== undefined) vm.uuid ??= own(uuid);
  if (power !== undefined) vm.isOff = /off|suspended/i.test(power);
  let capacity: number | undefined;
  for (const column of metrics) {
    const text = cell(column.at);
    if (text === undefined) continue;
    if (contradicts(text, convention)) return text;
    const value = valueIn(vm, column, { text, row, convention });
    if (value === undefined) continue;
    if (column.metric === "capacity") capacity = value;
    else if (column.metric === "vcpus") addVcpus(vm, { value, row, title: column.title });
    else collection.add(vm, column, value, row);
  }
  const vcpus = vm.vcpus.at(-1)?.value;
  if (capacity !== undefined && vcpus !== undefined && vcpus > 0) vm.mhzPerVcpu = capacity / vcpus;
  return undefined;
}

/** Returns the number of a cell in the unit of its metric. A number that cannot be is kept as unread: its unit or its sign is wrong. */
export function valueIn(
  vm: Collected,
  column: TitledColumn,
  { text, row, convention }: { readonly text: string; readonly row: number; readonly convention: Convention },
): number | undefined {
  const number = numberIn(text, convention);
  if (number === undefined) return undefined;
  const value = number * column.factor;
  const wrong = wrongOf(column, value);
  if (wrong === undefined) return value;
  if (vm.unread.length < 3) vm.unread.push(own(`row ${row}, ${column.title}: "${text}" ${wrong}`));
  return undefined;
}

const WHOLE: ReadonlySet<string> = new Set(["vcpus", "recommended", "remove", "add"]);

/** Returns why a number is not of its column. */
function wrongOf({ metric }: MetricColumn, value: number): string | undefined {
  if (Number.isNaN(value)) return "is no number";
  if (value < 0) return "is negative";
  if (value > 100 && (metric === "ready" || metric === "worstReady" || metric === "costop" || metric === "busyPercent"))
    return "is more than 100 %";
  return WHOLE.has(metric) && !Number.isInteger(value) ? "is no whole number" : undefined;
}

/** The end of summer time repeats an hour. */
const CLOCK_CHANGE = 60;

/** Rows of one VM are in the order of time, from either end; rows of two VMs are not. */
function addTime(vm: Collected, minutes: number | undefined): void {
  if (minutes === undefined) return;
  const { times } = vm;
  if (times.first !== undefined) {
    const step = minutes - times.previous;
    if (step > 0) times.rises = true;
    if (step < -CLOCK_CHANGE) times.falls = true;
    vm.isRepeated ||= times.rises && times.falls;
  }
  spanTime(vm, minutes);
}

/** Extends the window of a VM by a time. */
export function spanTime({ times }: Collected, minutes: number): void {
  if (times.first === undefined) times.first = times.latest = minutes;
  else {
    const step = minutes - times.previous;
    if (step !== 0) times.step = Math.min(times.step, Math.abs(step));
    times.first = Math.min(times.first, minutes);
    times.latest = Math.max(times.latest, minutes);
  }
  times.previous = minutes;
}

function addVcpus({ vcpus }: Collected, figure: Collected["vcpus"][number]): void {
  if (vcpus.at(-1)?.value !== figure.value) vcpus.push(figure);
}
