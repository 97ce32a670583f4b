import type { Severity } from "../model/diagnostic.ts";
import type { WorkloadKind } from "../model/workload.ts";

/** Presets by how much they say, each with all of the one before it. */
export const LEVELS = { recommended: "warning", strict: "info", all: "hint" } as const satisfies Readonly<Record<string, Severity>>;

/** Presets that add what is said of one workload, whatever its severity. */
const WORKLOADS = ["mssql", "oracle", "hana", "latency", "vdi", "ft", "imdg"] as const satisfies readonly WorkloadKind[];

/** Turns off what vmlint says of a VM whose workload it only guesses. */
export const NO_GUESSES = "no-guesses";

/** What `extends:` of a configuration takes. */
export const PRESETS = [...(Object.keys(LEVELS) as (keyof typeof LEVELS)[]), ...WORKLOADS, NO_GUESSES] as const;
export type Preset = (typeof PRESETS)[number];
