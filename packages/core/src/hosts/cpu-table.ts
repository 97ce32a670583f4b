import tables from "./cpus.json" with { type: "json" };

/** Firmware settings that show a socket as several NUMA nodes: sub-NUMA clusters, nodes per socket, cluster on die. */
export type NodeSetting = "snc" | "nps" | "cod";

/** Processors of one generation, one per line, as text that is parsed on first use. */
export interface CpuTable {
  readonly family: string;
  readonly setting?: NodeSetting;
  /** The keys of the sources of the nodes per socket; empty without one. */
  readonly modeSources: readonly string[];
  /** Why the default count of a model is uncertain. */
  readonly doubt?: string;
  readonly rows: readonly string[];
}

/*
 * The file names its columns. Cores per L3 are missing for Intel, whose L3 is the node's. NUMA nodes have the default first, and "?" where further counts are
 * unknown. The letters of sources are the keys of FIGURE_SOURCES.
 *
 * Intel's figures and generations are its own (a). 273 of these 520 rows were also compared with results that vendors sent to SPEC (s:
 * cores and MHz) and 487 with quattor's hardware library (q: cores, threads, MHz): the only difference is the 4210R with
 * 20 cores only in quattor. The MHz of the 8260C are missing: Broadcom's study has 2.40, cpu-world 2.3. Rows without (a) are processors that Intel's
 * dataset lacks: at least two SPEC results agree, with hyper-threading on.
 *
 * Modes apply to a family of Intel's if its source covers the model:
 * - cod: E5-2600 v3 with at least 10 cores (Dell); E5-2600 v4 with more than 10, because smaller ones have one ring (Mynavi).
 * - snc on Scalable: two clusters; four on the four tiles of a Sapphire Rapids with more than 32 cores, which do not fit one die
 * (Wikipedia), or with four DSA devices (a), one per tile and one in total on a single die (ServeTheHome). No source lists the dies of
 * other models ("?"). Below 12 cores Sapphire Rapids has no clusters (Cisco), and no source covers the rest.
 * - snc on Xeon 6900P: three, one per compute die, on by default; two on 6700P above 48 cores, which need two dies. Microsoft: "Sixth
 * generation Intel Xeon CPUs come with sub-NUMA clustering (SNC2 or SNC3) enabled by default". Cisco's firmware makes it a setting, and no
 * source shows the default of other firmware.
 *
 * Missing on purpose: Platinum 9200 (two dies in one package) and Xeon Max (memory-only NUMA nodes).
 *
 * AMD's cores and MHz: its list (m), results that vendors sent to SPEC (s) and quattor's hardware library (q) agree for every model in two
 * of them, except the MHz of the 4464P, which is missing here. Cores per L3 are SPEC's "shared / N cores", equal in every result for a
 * model; the CPUID dumps of 7402P, 7713, 7742, 7763, 9124, 9654, 9655, 9754 and 9965 (InstLatx64) agree. SPEC has no 7001 with 64 MB and no
 * 9754S: L3 / 8 MB and L3 / 16 MB per group, like their siblings. The groups of 7251, 7261 and 7281 are missing (no source), as are 9135 and
 * 9535 (SPEC's 16 MB groups contradict the 32 MB groups of every sibling).
 *
 * NPS: a mode is offered if it divides the core dies evenly (Dell's table for 7002; its 7003 models fit). The same rule on 9004 and 9005 is
 * derived. A 7001 has four dies, each a node of its own unless the firmware interleaves their memory.
 */
export const CPU_TABLES = tables as Readonly<Record<"Intel" | "AMD", readonly CpuTable[]>>;
