import type { Collected, TitledColumn, Values } from "./collect.ts";
import type { Metric, Statistic } from "./columns.ts";
import type { Demand, DemandFigure, Figure, Recommendation } from "./demand.ts";

type Entry = readonly [TitledColumn, Values];

/** The metrics of demand, the first that an export has, and their units. */
const DEMANDS = [
  ["demand", "MHz"],
  ["busy", "vCPUs"],
  ["busyPercent", "%"],
] as const satisfies readonly (readonly [Metric, DemandFigure["unit"]])[];

/** Returns the demand of a VM after the last row of an export. `place` is the file, and the sheet of a workbook. It keeps no row. */
export function demandOf(place: Pick<Demand, "path" | "sheet">, vm: Collected, percent: number | undefined): Demand {
  const { name, id, server, uuid, rows, isOff, mhzPerVcpu, unread, isRepeated } = vm;
  const columns: readonly Entry[] = [...vm.columns];
  const of = (metric: Metric, ...statistics: readonly (Statistic | undefined)[]): Entry | undefined =>
    statistics.flatMap((statistic) => columns.filter(([column]) => column.metric === metric && column.statistic === statistic))[0];
  const highest = ([{ statistic, title }, { highest: value, row }]: Entry): Figure => ({ ...place, value, statistic, row, title });
  const percentile = ([{ title }, { all }]: Entry, percent: number): Figure | undefined =>
    all && all.length > 1
      ? { ...place, value: all.percentile(percent), statistic: `${percent}th percentile`, row: rows[0], lastRow: rows[1], title }
      : undefined;
  const measured = (...statistics: readonly (Statistic | undefined)[]): readonly [Entry, DemandFigure["unit"]] | undefined =>
    DEMANDS.flatMap(([metric, unit]): (readonly [Entry, DemandFigure["unit"]])[] => {
      const found = of(metric, ...statistics);
      return found ? [[found, unit]] : [];
    })[0];
  const peaks = measured("worst 20 seconds", "peak");
  const averages = measured("average", undefined);
  const waiting = (...metrics: readonly Metric[]): Demand["ready"] => {
    const all = metrics.map((metric) => of(metric, "worst 20 seconds", "peak", undefined, "average"));
    const found = all.find((one) => one !== undefined);
    return found && { ...(percentile(found, 95) ?? highest(found)), isSum: found[0].metric.endsWith("Sum") };
  };
  const recommendations = recommendationsOf(place, of);
  const ofPeaks = percent !== undefined && peaks && percentile(peaks[0], percent);
  const stated = percent === undefined ? undefined : measured(`${percent}th percentile`);
  return {
    ...place,
    name,
    id,
    server,
    uuid,
    rows: [rows[0], rows[1]],
    windowMinutes: windowOf(vm),
    isOff,
    isSystem: vm.isSystem,
    vcpus: vm.vcpus.map((figure) => ({ ...place, ...figure })),
    mhzPerVcpu,
    peak: peaks && { ...highest(peaks[0]), unit: peaks[1] },
    average: averages && { ...highest(averages[0]), unit: averages[1] },
    percentile: ofPeaks ? { ...ofPeaks, unit: peaks[1] } : stated && { ...highest(stated[0]), unit: stated[1] },
    ready: waiting("worstReady", "ready", "readySum"),
    costop: waiting("costop", "costopSum"),
    recommendations: recommendations.filter(({ value }) => value !== 0),
    isRepeated,
    isReclaimable: recommendations.some(({ value, form }) => value === 0 && form !== "change"),
    unread,
  };
}

/** The minutes from the first to the last row, or the sum of all rows if the export states the minutes of a row. */
function windowOf({ times, minutesOfRow, columns }: Collected): number | undefined {
  if (times.first !== undefined && times.step !== Infinity) return times.latest - times.first + (minutesOfRow ?? times.step);
  return minutesOfRow === undefined ? undefined : minutesOfRow * Math.max(0, ...Array.from(columns.values(), ({ count }) => count));
}

/** Returns what an export recommends, in the unit of its column; its last rows count. */
function recommendationsOf(
  place: Pick<Demand, "path" | "sheet">,
  of: (metric: Metric, ...statistics: readonly (Statistic | undefined)[]) => Entry | undefined,
): readonly Recommendation[] {
  const latest = (metric: Metric): Figure | undefined => {
    const found = of(metric, undefined, "peak", "average");
    return found && { ...place, value: found[1].last, row: found[1].lastRow, title: found[0].title };
  };
  const [recommended, mhz, remove, add] = [latest("recommended"), latest("recommendedMHz"), latest("remove"), latest("add")];
  const removed = remove && { ...remove, value: remove.value === 0 ? 0 : -remove.value };
  const all: readonly (Recommendation | undefined)[] = [
    recommended && { ...recommended, form: "vcpus" },
    removed && { ...removed, form: "change" },
    add && { ...add, form: "change" },
    mhz && { ...mhz, form: "mhz" },
  ];
  return all.filter((one) => one !== undefined);
}
