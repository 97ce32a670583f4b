import type { Demand, Figure, Recommendation } from "../demand/demand.ts";
import { plural } from "../model/words.ts";
import { MOST_READY } from "../rules/readiness.ts";

/** The facts about a VM that its need depends on. */
export interface Present {
  readonly vcpus: number;
  /** The MHz of a core of its host. */
  readonly mhz?: number | undefined;
  readonly isOff?: boolean | undefined;
  /** Per cent of the time that each vCPU waits for a core, from the inventory. */
  readonly readyPercent?: number | undefined;
  /** Why it must keep its size, such as the maker of an appliance. */
  readonly fixed?: string | undefined;
}

/** A recommendation as a number of vCPUs. */
export interface Recommended extends Recommendation {
  readonly vcpus: number;
}

/** The fewest vCPUs that a VM needs, with the numbers behind it. */
export interface Need {
  readonly vcpus: number;
  readonly recommended: readonly Recommended[];
  /** The demand that the need never falls below, in vCPUs. */
  readonly peakVcpus?: number | undefined;
  readonly peak?: Figure | undefined;
  /** Per cent of the time that a vCPU waits: for a core, and for the other vCPUs of its VM. */
  readonly ready?: number | undefined;
  readonly costop?: number | undefined;
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
 * Returns the fewest vCPUs that a VM needs. It is never below the measured peak, or the percentile that the caller names; never below the
 * highest recommendation; and never below today's number while the vCPUs wait for cores, unless co-stop shows that they wait for each other.
 */
export function needOf(demand: Demand, present: Present, percent?: number): Need | NoNeed {
  const stop = stopOf(demand, present);
  if (stop !== undefined) return { reason: stop };
  const mhz = demand.mhzPerVcpu ?? present.mhz;
  const recommended = demand.recommendations.flatMap((one): readonly Recommended[] => {
    const vcpus = vcpusIn(one, present.vcpus, mhz);
    return vcpus === undefined ? [] : [{ ...one, vcpus }];
  });
  const peak = percent === undefined ? demand.peak : demand.percentileOf(percent);
  const peakVcpus = peak && mhz !== undefined && mhz > 0 ? Math.round((peak.value / mhz) * 10) / 10 : undefined;
  const [ready, costop] = [demand.ready?.value ?? present.readyPercent, demand.costop?.value];
  const most = Math.max(0, ...recommended.map(({ vcpus }) => vcpus));
  const floor = peakVcpus === undefined ? 0 : Math.max(1, Math.ceil(peakVcpus));
  if (most === 0 && floor === 0) return { reason: noNumber(demand, mhz, percent) };
  const numbers = { recommended, peakVcpus, peak, ready, costop };
  const least = Math.max(most, floor);
  const waits = ready !== undefined && ready >= MOST_READY;
  const isCostop = costop !== undefined && costop >= MOST_COSTOP;
  if (least < present.vcpus && waits && !isCostop) {
    const because = `its vCPUs wait for cores ${ready} % of the time (limit ${MOST_READY} %), so it gets no fewer`;
    return { ...numbers, vcpus: present.vcpus, because };
  }
  const figure = most >= floor ? recommended.find(({ vcpus }) => vcpus === most) : peak;
  const because = `${most >= floor ? `the recommendation is ${most}` : `the ${peak?.statistic ?? "peak"} of demand is ${peakVcpus} vCPUs`}${isCostop ? `, and vCPUs wait for each other ${costop} % of the time` : ""}`;
  return { ...numbers, vcpus: least, because, figure };
}

function stopOf(demand: Demand, { vcpus, isOff, fixed }: Present): string | undefined {
  const { windowMinutes, isReclaimable } = demand;
  if (isOff ?? demand.isOff) return "it is powered off, so its demand is none";
  if (fixed !== undefined) return fixed;
  if (isReclaimable) return "the export calls it reclaimable (a recommended size of 0): decide if anybody needs it";
  const [first, ...later] = demand.vcpus;
  const last = later.at(-1);
  if (first && last) return `its vCPUs changed from ${first.value} to ${last.value} in row ${last.row}, within the export`;
  if (first && first.value !== vcpus)
    return `the export has ${plural(first.value, "vCPU")} in row ${first.row}, and the VM has ${vcpus}: export again`;
  if (windowMinutes !== undefined && windowMinutes < LEAST_MINUTES)
    return `the export covers ${plural(Math.max(1, Math.round(windowMinutes / 1440)), "day")}: a week is the least`;
  return undefined;
}

function vcpusIn({ form, value }: Recommendation, current: number, mhz: number | undefined): number | undefined {
  if (form === "vcpus") return Number.isInteger(value) ? value : undefined;
  if (form === "change") return current + value > 0 ? current + value : undefined;
  return mhz === undefined || mhz <= 0 ? undefined : Math.max(1, Math.ceil((value / mhz) * DRIFT));
}

function noNumber({ average, peak, recommendations, unread }: Demand, mhz: number | undefined, percent: number | undefined): string {
  if (unread[0] !== undefined) return `a number could not be read: ${unread[0]}`;
  if ((peak || recommendations.length > 0) && mhz === undefined)
    return "the MHz of a vCPU are unknown: export Total Capacity (GHz), or add the host";
  if (peak && percent !== undefined) return `the export has no ${percent}th percentile`;
  if (average) return "the export has only averages, which hide peaks: export the maximum of CPU Demand";
  return "the export has no demand and no recommendation for it: it may have the right size, or was never scored";
}
