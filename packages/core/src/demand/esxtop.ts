import { BATCH } from "../formats/host-statistics/recognise.ts";
import { spanTime, type TitledColumn } from "./collect.ts";
import { numberIn } from "./numbers.ts";
import type { KindOfExport } from "./row-reader.ts";

/**
 * The counters of a group of worlds, added up over its worlds: 100 % of `% Used` is one core at its nominal speed ("Interpreting esxtop
 * Statistics", CPU panel). The name of a VM may have any characters.
 */
const COUNTER = /^\\\\[^\\]*\\Group Cpu\((\d+):(.*)\)\\(% Used|% Ready|% CoStop)$/;

const COLUMNS: Readonly<Record<string, TitledColumn>> = {
  "% Used": { metric: "busy", factor: 0.01, statistic: "peak", title: "% Used" },
  "% Ready": { metric: "readySum", factor: 1, title: "% Ready" },
  "% CoStop": { metric: "costopSum", factor: 1, title: "% CoStop" },
};

/** Groups of ESXi's own worlds, such as `system`, and `hostd.66694` before ESXi 7 (rach-sharp/esxtopd, `esxtop-data.csv`). */
const SYSTEM = /^(?:idle|system|helper|drivers|ft|host|vmotion|user|minfree|init)$|\.\d{5,}$/;

/** Reads a batch of `esxtop -b`: each column is a counter of a group, and each row a sample. */
export const esxtopExport: KindOfExport = (titles, collection) => {
  if (!BATCH.test(titles[0] ?? "")) return undefined;
  const counters = titles.flatMap((title, at) => {
    const [, id, name = "", counter = ""] = COUNTER.exec(title) ?? [];
    const column = COLUMNS[counter];
    return id === undefined || !column ? [] : [{ at, column, vm: collection.vm({ name, id: `group ${id}`, server: undefined }, 1) }];
  });
  for (const { vm } of counters) vm.isSystem = SYSTEM.test(vm.name);
  return {
    take: (cell, row) => {
      // A rate needs two samples, and the first one has no sample before it.
      if (row < 3) return undefined;
      const minutes = timeOf(cell(0) ?? "");
      let last: unknown;
      for (const { at, column, vm } of counters) {
        const value = numberIn(cell(at) ?? "", "point");
        if (value === undefined || !(value >= 0)) continue;
        if (last !== vm && minutes !== undefined) spanTime(vm, minutes);
        last = vm;
        vm.rows[0] = Math.max(3, vm.rows[0]);
        vm.rows[1] = row;
        collection.add(vm, column, value * column.factor, row);
      }
      return undefined;
    },
  };
};

/** `07/21/2026 09:00:05`: month, day and year, as all PDH files have them. */
function timeOf(text: string): number | undefined {
  const [, month, day, year, hour, minute, second] = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2}):(\d{2})/.exec(text) ?? [];
  return year === undefined
    ? undefined
    : Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 60_000;
}
