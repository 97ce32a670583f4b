import type { Severity } from "../model/diagnostic.ts";
import type { WorkloadKind } from "../model/workload.ts";

/** Presets by amount of output; each contains the previous one. */
export const LEVELS = { recommended: "warning", strict: "info", all: "hint" } as const satisfies Readonly<Record<string, Severity>>;

/** Presets with all rules for one workload, of any severity. */
const WORKLOADS = ["mssql", "oracle", "hana", "latency", "vdi", "ft", "imdg", "exchange"] as const satisfies readonly WorkloadKind[];

/** Turns off findings that depend on a guessed workload. */
export const NO_GUESSES = "no-guesses";

/** Notes about exports of VMs that run. By default, such VMs also get these. */
export const INVENTORY = "inventory";

/** The presets for `extends:`. */
export const PRESETS = [...(Object.keys(LEVELS) as (keyof typeof LEVELS)[]), ...WORKLOADS, INVENTORY, NO_GUESSES] as const;
export type Preset = (typeof PRESETS)[number];
