import type { Statistic } from "./columns.ts";

/** A number of an export, with its cell. */
export interface Figure {
  /** In MHz, per cent or vCPUs. */
  readonly value: number;
  readonly statistic?: Statistic | undefined;
  readonly row: number;
  /** Set for a number that several rows give. */
  readonly lastRow?: number | undefined;
  readonly title: string;
}

/** A recommendation for a VM: a number of vCPUs, a change of this number, or a capacity in MHz. */
export interface Recommendation extends Figure {
  readonly form: "vcpus" | "change" | "mhz";
}

/** All that one export measured or recommends of a VM. */
export interface Demand {
  readonly path: string;
  readonly name: string;
  /** Managed object ID, unique in its vCenter. */
  readonly id?: string | undefined;
  readonly server?: string | undefined;
  readonly rows: readonly [first: number, last: number];
  /** The minutes that its rows cover; missing if the export does not say. */
  readonly windowMinutes?: number | undefined;
  readonly isOff?: boolean | undefined;
  /** The vCPUs that the export states: more than one number if they changed in its window. */
  readonly vcpus: readonly Figure[];
  /** The MHz of one vCPU, by its total capacity. */
  readonly mhzPerVcpu?: number | undefined;
  /** The demand of all vCPUs together, in MHz: the highest row of each statistic, and the percentiles of the highest statistic. */
  readonly peak?: Figure | undefined;
  readonly average?: Figure | undefined;
  readonly percentileOf: (percent: number) => Figure | undefined;
  /** Per cent of the time that a vCPU waits for a core: the worst vCPU if the export measures each. For several rows, the 95th percentile. */
  readonly ready?: Figure | undefined;
  readonly costop?: Figure | undefined;
  readonly recommendations: readonly Recommendation[];
  /** Whether two rows are about the same time, so that two VMs have this name. */
  readonly isRepeated: boolean;
  /** Whether the export calls the VM reclaimable, with a recommended size of 0. */
  readonly isReclaimable: boolean;
  /** Numbers that could not be read, as `row 12, CPU|Demand: "abc"`. */
  readonly unread: readonly string[];
}
