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
