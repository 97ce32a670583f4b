import type { Demand, DemandFigure, Figure, Recommendation, WaitFigure } from "../demand/demand.ts";
import { plural } from "../model/words.ts";
import { MOST_READY, perVcpu } from "../rules/readiness.ts";

/** The facts about a VM that its need depends on. */
export interface Present {
  readonly vcpus: number;
  /** The MHz of a core of its host. */
  readonly mhz?: number | undefined;
  readonly isOff?: boolean | undefined;
  /** The time that each vCPU waits for a core, from the inventory. */
  readonly ready?: Figure | undefined;
  /** The fewest vCPUs that its guest OS needs. */
  readonly guest?: { readonly guest: string; readonly vcpus: number } | undefined;
  /** Why it must keep its size, such as the maker of an appliance. */
  readonly fixed?: string | undefined;
}

/** A recommendation as a number of vCPUs. */
export interface Recommended extends Recommendation {
  readonly vcpus: number;
}

/** The highest demand, in vCPUs. */
export interface Peak {
  readonly vcpus: number;
  readonly figure: DemandFigure;
}

/** The fewest vCPUs that a VM needs, with the numbers behind it. */
export interface Need {
  readonly vcpus: number;
  readonly recommended: readonly Recommended[];
  /** The demand that the need never falls below. */
  readonly peak?: Peak | undefined;
  /** Per cent of the time that a vCPU waits: for a core, and for the other vCPUs of its VM. */
  readonly ready?: Figure | undefined;
  readonly costop?: Figure | undefined;
  /** The minutes that the longest export covers; missing if none says. */
  readonly windowMinutes?: number | undefined;
  /** The rule that decided, in one sentence, and the number that it used. */
  readonly because: string;
  readonly figure?: Figure | undefined;
}

/** Why no need can be stated. */
export interface NoNeed {
  readonly reason: string;
}

/**
 * Per cent of the time that a vCPU waits for the other vCPUs of its VM: the reference value of authors (virtualknightz.com 2014-05-09,
 * virtual-talks.com 2020-06-30). No source relates it to throughput.
 */
const MOST_COSTOP = 3;

/** The load of a VM includes weekly backups and jobs. A week of a clock change has an hour less. */
const LEAST_MINUTES = 7 * 24 * 60 - 120;

/** A recommended size in MHz drifts within 1 % from day to day, which is no vCPU more. */
const DRIFT = 0.99;

/**
 * Returns the fewest vCPUs that a VM needs, by all exports about it. It is never below the measured peak, or the percentile that the caller
 * names; never below the highest recommendation; and never below today's number while the vCPUs wait for cores, unless co-stop shows that
 * they wait for each other. It is never below the minimum of its guest OS.
 */
export function needOf(demands: readonly Demand[], present: Present): Need | NoNeed {
  const stop = stopOf(demands, present);
  if (stop !== undefined) return { reason: stop };
  const mhz = demands.find(({ mhzPerVcpu }) => mhzPerVcpu !== undefined)?.mhzPerVcpu ?? present.mhz;
  const recommended = demands
    .flatMap(({ recommendations }) => recommendations)
    .flatMap((one): readonly Recommended[] => {
      const vcpus = vcpusIn(one, present.vcpus, mhz);
      return vcpus === undefined ? [] : [{ ...one, vcpus }];
    });
  const peak = highestOf(demands.flatMap((one) => peakOf(one, present, one.mhzPerVcpu ?? mhz) ?? []));
  const impossible = peak && impossibleOf(peak, present, demands, mhz);
  if (impossible !== undefined) return { reason: impossible };
  const ready = worstOf([...demands.map((one) => eachOf(one.ready, present)), present.ready]);
  const costop = worstOf(demands.map((one) => eachOf(one.costop, present)));
  const most = Math.max(0, ...recommended.map(({ vcpus }) => vcpus));
  const floor = peak === undefined ? 0 : Math.max(1, Math.ceil(peak.vcpus));
  if (most === 0 && floor === 0) return { reason: noNumber(demands, mhz) };
  const windows = demands.flatMap(({ windowMinutes }) => windowMinutes ?? []);
  const numbers = { recommended, peak, ready, costop, ...(windows.length > 0 && { windowMinutes: Math.max(...windows) }) };
  const least = Math.max(most, floor, present.guest?.vcpus ?? 0);
  const waits = ready !== undefined && ready.value >= MOST_READY;
  const isCostop = costop !== undefined && costop.value >= MOST_COSTOP;
  if (least < present.vcpus && waits && !isCostop) {
    const because = `its vCPUs wait for cores ${ready.value} % of the time (limit ${MOST_READY} %), so it gets no fewer`;
    return { ...numbers, vcpus: present.vcpus, because, figure: ready };
  }
  const costopWords = isCostop ? `, and vCPUs wait for each other ${costop.value} % of the time` : "";
  if (present.guest && least > Math.max(most, floor))
    return { ...numbers, vcpus: least, because: `${present.guest.guest} needs at least ${plural(least, "vCPU")}` };
  if (peak === undefined || most >= floor) {
    const figure = recommended.find(({ vcpus }) => vcpus === most);
    return { ...numbers, vcpus: least, because: `the recommendation is ${most}${costopWords}`, figure };
  }
  const because = `the ${peakWords(peak.figure)} of demand is ${peak.vcpus} ${peak.vcpus === 1 ? "vCPU" : "vCPUs"}${costopWords}`;
  return { ...numbers, vcpus: least, because, figure: peak.figure };
}

const peakWords = ({ statistic = "peak" }: Figure): string => (statistic === "worst 20 seconds" ? "peak of 20 seconds" : statistic);

/** Returns the highest demand of an export. Without the percentile that the caller names, its peak counts. */
function peakOf(demand: Demand, present: Present, mhz: number | undefined): Peak | undefined {
  const figure = demand.percentile ?? demand.peak;
  if (!figure) return undefined;
  const { unit, value } = figure;
  const vcpus =
    unit === "vCPUs" ? value : unit === "%" ? (value * present.vcpus) / 100 : mhz === undefined || mhz <= 0 ? undefined : value / mhz;
  return vcpus === undefined ? undefined : { vcpus: roundedUp(vcpus), figure };
}

/** One digit, never below the number. */
const roundedUp = (value: number): number => Math.ceil(Math.round(value * 1e6) / 1e5) / 10;

const highestOf = (peaks: readonly Peak[]): Peak | undefined => [...peaks].sort((a, b) => b.vcpus - a.vcpus)[0];

/** A core may run faster than its nominal speed, and an export may use another speed, but not by so much. */
const MOST_TIMES = 2;

/** A guest system alone takes more than this part of the capacity of a VM, and GHz below a title of MHz give less. */
const LEAST_PART = 0.001;

/** The speeds of cores, in MHz. */
const SPEEDS = [500, 6000] as const;

/** Returns why a peak cannot be, such as one in another unit than its title says. */
function impossibleOf({ vcpus, figure }: Peak, present: Present, demands: readonly Demand[], mhz: number | undefined): string | undefined {
  const at = `${placeOf(figure)}: ${figure.title}`;
  if (vcpus > MOST_TIMES * present.vcpus)
    return `its peak would be ${vcpus} vCPUs, more than ${plural(present.vcpus, "vCPU")} can use: check the unit (${at})`;
  if (figure.unit === "MHz" && mhz !== undefined && figure.value < LEAST_PART * mhz * present.vcpus)
    return `its peak would be ${figure.value} MHz, less than a guest system takes: check the unit (${at})`;
  const swapped = demands.find(({ peak, average }) => peak && average && peak.unit === average.unit && peak.value < average.value);
  return swapped && `its highest peak is below its highest average: check the columns of ${swapped.path}`;
}

/** Returns the place of a number: `demand.csv, rows 2 to 169`. */
export const placeOf = ({ path, sheet, row, lastRow }: Figure): string =>
  `${path}, ${sheet === undefined ? "" : `${sheet} `}${lastRow === undefined ? `row ${row}` : `rows ${row} to ${lastRow}`}`;

/** Returns the waiting time of each vCPU. */
const eachOf = (figure: WaitFigure | undefined, { vcpus }: Present): Figure | undefined =>
  figure?.isSum ? { ...figure, value: perVcpu(figure.value, vcpus) } : figure;

const worstOf = (figures: readonly (Figure | undefined)[]): Figure | undefined =>
  figures.flatMap((one) => one ?? []).sort((a, b) => b.value - a.value)[0];

function stopOf(demands: readonly Demand[], { vcpus, isOff, fixed }: Present): string | undefined {
  if (isOff ?? demands.some((one) => one.isOff)) return "it is powered off, so its demand is none";
  if (fixed !== undefined) return fixed;
  if (demands.some(({ isReclaimable }) => isReclaimable))
    return "the export calls it reclaimable (a recommended size of 0): decide if anybody needs it";
  for (const { vcpus: stated, unread, path, mhzPerVcpu = SPEEDS[0] } of demands) {
    const [first, ...later] = stated;
    const last = later.at(-1);
    if (first && last) return `its vCPUs changed from ${first.value} to ${last.value} in ${placeOf(last)}, within the export`;
    if (first && first.value !== vcpus)
      return `the export has ${plural(first.value, "vCPU")} in ${placeOf(first)}, and the VM has ${vcpus}: export again`;
    if (mhzPerVcpu < SPEEDS[0] || mhzPerVcpu > SPEEDS[1])
      return `the capacity in ${path} gives ${Math.round(mhzPerVcpu)} MHz for a vCPU, which no core has: check its unit`;
    if (unread[0] !== undefined) return `a number could not be read: ${path}, ${unread[0]}`;
  }
  const windows = demands.map(({ windowMinutes = Infinity }) => windowMinutes);
  const longest = Math.max(...windows);
  return longest < LEAST_MINUTES ? `the export covers ${durationWords(longest)}: a week is the least` : undefined;
}

const durationWords = (minutes: number): string =>
  minutes < 90
    ? plural(Math.max(1, Math.round(minutes)), "minute")
    : minutes < 2160
      ? plural(Math.round(minutes / 60), "hour")
      : plural(Math.round(minutes / 1440), "day");

function vcpusIn({ form, value }: Recommendation, current: number, mhz: number | undefined): number | undefined {
  if (form === "vcpus") return value;
  if (form === "change") return current + value > 0 ? current + value : undefined;
  return mhz === undefined || mhz <= 0 ? undefined : Math.max(1, Math.ceil((value / mhz) * DRIFT));
}

function noNumber(demands: readonly Demand[], mhz: number | undefined): string {
  if (mhz === undefined && demands.some(({ peak, recommendations }) => peak || recommendations.some(({ form }) => form === "mhz")))
    return "the MHz of a vCPU are unknown: export Total Capacity (GHz), or add the host";
  if (demands.some(({ recommendations }) => recommendations.length > 0))
    return "the recommended change removes all vCPUs: check its sign and its column";
  if (demands.some(({ average }) => average)) return "the export has only averages, which hide peaks: export the maximum of CPU Demand";
  return "the export has no demand and no recommendation for it: it may have the right size, or was never scored";
}
