import type { Source } from "../model/sources.ts";

/** Firmware settings that show a socket as several NUMA nodes: sub-NUMA clusters, nodes per socket, cluster on die. */
export type NodeSetting = "snc" | "nps" | "cod";

/** Processors of one generation, one per line, as text that is parsed on first use. */
export interface CpuTable {
  readonly family: string;
  readonly vendor: "Intel" | "AMD";
  readonly brand: "Xeon" | "EPYC";
  readonly setting?: NodeSetting;
  /** The sources of the nodes per socket; empty without one. */
  readonly modeSources: readonly Source[];
  /** Why the default count of a model is uncertain. */
  readonly doubt?: string;
  readonly rows: string;
}
