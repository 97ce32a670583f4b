import { getOrInsert } from "../model/maps.ts";
import { type TitledColumn, valueIn } from "./collect.ts";
import type { Metric, Statistic } from "./columns.ts";
import { conventionOf } from "./numbers.ts";
import type { KindOfExport } from "./row-reader.ts";

/** The counters of vCenter that tell a need ("CPU Counters" of the vSphere API), and their units. */
const COUNTERS: Readonly<Record<string, readonly [metric: Metric, unit: string, statistic?: Statistic]>> = {
  "cpu.usagemhz.maximum": ["demand", "MHz", "peak"],
  "cpu.usagemhz.average": ["demand", "MHz", "average"],
  "cpu.demand.average": ["demand", "MHz", "average"],
  "cpu.ready.summation": ["readySum", "millisecond"],
  "cpu.costop.summation": ["costopSum", "millisecond"],
};

/** A sample of vCenter: an average of 20 seconds hides no peak that matters, an average of five minutes does. */
const SAMPLE_SECONDS = 20;

/** Reads `Get-Stat | Export-Csv` of PowerCLI: each row is one value of one counter. */
export const statisticsExport: KindOfExport = (titles, collection) => {
  const at = (title: string): number => titles.findIndex((one) => one.trim().toLowerCase() === title);
  const [metric, value, entity] = [at("metricid"), at("value"), at("entity")];
  if (metric < 0 || value < 0 || entity < 0) return undefined;
  const [id, instance, seconds, unit, time] = [at("entityid"), at("instance"), at("intervalsecs"), at("unit"), at("timestamp")];
  // Without them, rows of a vCPU look like rows of the VM, two VMs of one name look like one VM, and milliseconds mean nothing.
  const missing = Object.entries({ EntityId: id, Instance: instance, IntervalSecs: seconds, Unit: unit }).find(([, found]) => found < 0);
  if (missing) return { refused: `it has values of Get-Stat without the column ${missing[0]}` };
  const columns = new Map<string, TitledColumn | undefined>();
  return {
    take: (cell, row) => {
      const [name, counter, text] = [cell(entity), cell(metric)?.toLowerCase(), cell(value)];
      // The rows of an instance are about one vCPU.
      if (name === undefined || counter === undefined || text === undefined || cell(instance) !== undefined) return undefined;
      const interval = Number(cell(seconds));
      const column = getOrInsert(columns, `${counter} ${cell(unit)} ${interval}`, () => columnOf(counter, cell(unit), interval));
      if (!column && !(counter in COUNTERS)) return undefined;
      const vm = collection.vm({ name, id: cell(id)?.replace(/^VirtualMachine-/, ""), server: undefined }, row);
      if (!column) {
        if (vm.unread.length === 0)
          vm.unread.push(`row ${row}, ${counter}: ${cell(unit) ?? "no unit"} is not its unit, or its interval is missing`);
        return undefined;
      }
      vm.minutesOfRow = interval / 60;
      const stamp = cell(time);
      const minutes = stamp === undefined ? undefined : collection.minutes(stamp);
      if (minutes !== undefined) vm.times.first = Math.min(vm.times.first ?? minutes, minutes);
      if (minutes !== undefined) vm.times.latest = Math.max(vm.times.latest, minutes);
      const number = valueIn(vm, column, { text, row, convention: conventionOf(text) ?? "point" });
      if (number !== undefined) collection.add(vm, column, number, row);
      return undefined;
    },
  };
};

function columnOf(counter: string, unit: string | undefined, seconds: number): TitledColumn | undefined {
  const [metric, ownUnit, statistic] = COUNTERS[counter] ?? [];
  if (metric === undefined || unit?.toLowerCase() !== ownUnit?.toLowerCase() || !(seconds > 0)) return undefined;
  const isSample = statistic === "average" && seconds <= SAMPLE_SECONDS;
  return {
    metric,
    // Milliseconds mean something only against the interval (Broadcom KB 387750). A row without an instance adds up all vCPUs
    // (vmtoday.com, 2013-01-28; public readers divide it by the vCPUs).
    factor: ownUnit === "millisecond" ? 1 / (seconds * 10) : 1,
    ...(statistic !== undefined && { statistic: isSample ? "worst 20 seconds" : statistic }),
    title: counter,
  };
}
