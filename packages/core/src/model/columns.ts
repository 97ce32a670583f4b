/** A fact about a VM that a table may have a column for. */
export const COLUMN_FACTS = [
  "name",
  "host",
  "cluster",
  "power",
  "vcpus",
  "coresPerSocket",
  "coresPerNumaNode",
  "memoryMiB",
  "memoryGiB",
  "hardwareVersion",
  "guestOs",
  "cpuHotAdd",
  "memoryHotAdd",
  "latencySensitivity",
  "cpuReservationMHz",
  "cpuLimitMHz",
  "memoryReservationMiB",
  "memoryLimitMiB",
] as const;

export type ColumnFact = (typeof COLUMN_FACTS)[number];

/** The column of each fact, by its title. */
export type Columns = { readonly [F in ColumnFact]?: string | undefined };

/** A fact about the demand of a VM that a table may have a column for. */
export const DEMAND_FACTS = [
  "name",
  "id",
  "server",
  "uuid",
  "power",
  "time",
  "vcpus",
  "recommendedVcpus",
  "recommendedMHz",
  "vcpusToRemove",
  "vcpusToAdd",
  "peakMHz",
  "peakGHz",
  "peakVcpus",
  "peakPercent",
  "averageMHz",
  "capacityMHz",
  "capacityGHz",
  "readyPercent",
  "costopPercent",
] as const;

export type DemandFact = (typeof DEMAND_FACTS)[number];

/** The column of each fact about demand, by its title. */
export type DemandColumns = { readonly [F in DemandFact]?: string | undefined };
