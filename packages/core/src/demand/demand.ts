import type { Statistic } from "./columns.ts";

/** A number of an export, with its cell. */
export interface Figure {
  readonly path: string;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** In MHz, per cent or vCPUs. */
  readonly value: number;
  readonly statistic?: Statistic | undefined;
  readonly row: number;
  /** Set for a number that several rows give. */
  readonly lastRow?: number | undefined;
  readonly title: string;
}

/** The demand of all vCPUs together. */
export interface DemandFigure extends Figure {
  /** Per cent are of all vCPUs. */
  readonly unit: "MHz" | "vCPUs" | "%";
}

/** Per cent of the time that a vCPU waits. */
export interface WaitFigure extends Figure {
  /** Whether it is added up over all vCPUs. */
  readonly isSum: boolean;
}

/** A recommendation for a VM: a number of vCPUs, a change of this number, or a capacity in MHz. */
export interface Recommendation extends Figure {
  readonly form: "vcpus" | "change" | "mhz";
}

/** All that one export measured or recommends of a VM. */
export interface Demand {
  readonly path: string;
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  readonly name: string;
  /** Managed object ID, unique in its vCenter. */
  readonly id?: string | undefined;
  readonly server?: string | undefined;
  /** The instance UUID of its vCenter. */
  readonly uuid?: string | undefined;
  readonly rows: readonly [first: number, last: number];
  /** The minutes that its rows cover; missing if the export does not say. */
  readonly windowMinutes?: number | undefined;
  readonly isOff?: boolean | undefined;
  /** Set for a group of worlds that ESXi itself runs. */
  readonly isSystem?: boolean | undefined;
  /** The vCPUs that the export states: more than one number if they changed in its window. */
  readonly vcpus: readonly Figure[];
  /** The MHz of one vCPU, by its total capacity. */
  readonly mhzPerVcpu?: number | undefined;
  /** The highest row of each statistic. */
  readonly peak?: DemandFigure | undefined;
  readonly average?: DemandFigure | undefined;
  /** The percentile that the caller named: of the peaks in its rows, or as a column states it. */
  readonly percentile?: DemandFigure | undefined;
  /** Waiting for a core: the worst vCPU if the export measures each. For several rows, the 95th percentile. */
  readonly ready?: WaitFigure | undefined;
  /** Waiting for the other vCPUs. */
  readonly costop?: WaitFigure | undefined;
  readonly recommendations: readonly Recommendation[];
  /** Whether two rows are about the same time, so that two VMs have this name. */
  readonly isRepeated: boolean;
  /** Whether the export calls the VM reclaimable, with a recommended size of 0. */
  readonly isReclaimable: boolean;
  /** Numbers that cannot be, as `row 12, CPU|Demand: "abc" is no number`. */
  readonly unread: readonly string[];
}
