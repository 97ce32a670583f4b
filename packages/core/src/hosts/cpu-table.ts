import type { Source } from "../model/sources.ts";

/** Firmware settings that show a socket as several NUMA nodes: sub-NUMA clusters, nodes per socket, cluster on die. */
export type NodeSetting = "snc" | "nps" | "cod";

/** Processors of one generation, one a line, as text: it is read when a processor is first asked for. */
export interface CpuTable {
  readonly family: string;
  readonly vendor: "Intel" | "AMD";
  readonly brand: "Xeon" | "EPYC";
  readonly setting?: NodeSetting;
  /** Say which nodes per socket the models show; empty where no source read does. */
  readonly modeSources: readonly Source[];
  /** Why the count that a model shows unasked is not sure. */
  readonly doubt?: string;
  readonly rows: string;
}
