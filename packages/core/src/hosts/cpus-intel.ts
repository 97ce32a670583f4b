import { SQL_CAPACITY } from "../model/sources.ts";
import {
  ANANDTECH_BROADWELL,
  CISCO_M7,
  CISCO_M8,
  COMPARISON_8592V,
  DELL_COD,
  FUJITSU_COD,
  OCI_ICE_LAKE,
  PHORONIX_SNC3,
  SEMIACCURATE_GNR,
  SPEC_SNC_PURLEY,
  STH_SPR,
  WIKIPEDIA_SPR,
} from "./cpu-sources.ts";
import type { CpuTable } from "./cpu-table.ts";

/*
 * Columns: name, cores, threads per core, base MHz, most sockets, cores that share an L3 (none here: the node's), possible NUMA nodes of a
 * socket with the default first ("?": further counts are unknown), sources (see FIGURE_SOURCES). "-" means unknown.
 *
 * Figures and generations are Intel's own (a). 273 of these 520 rows were also compared with results that vendors sent to SPEC (s:
 * cores and MHz) and 487 with quattor's hardware library (q: cores, threads, MHz): the only difference is the 4210R with
 * 20 cores only in quattor. The MHz of the 8260C are missing: Broadcom's study has 2.40, cpu-world 2.3. Rows without (a) are processors that Intel's
 * dataset lacks: at least two SPEC results agree, with hyper-threading on.
 *
 * Modes apply to a family if its source covers the model:
 * - cod: E5-2600 v3 with at least 10 cores (Dell); E5-2600 v4 with more than 10, because smaller ones have one ring (Mynavi).
 * - snc on Scalable: two clusters; four on the four tiles of a Sapphire Rapids with more than 32 cores, which do not fit one die
 * (Wikipedia), or with four DSA devices (a), one per tile and one in total on a single die (ServeTheHome). No source lists the dies of
 * other models ("?"). Below 12 cores Sapphire Rapids has no clusters (Cisco), and no source covers the rest.
 * - snc on Xeon 6900P: three, one per compute die, on by default; two on 6700P above 48 cores, which need two dies. Microsoft: "Sixth
 * generation Intel Xeon CPUs come with sub-NUMA clustering (SNC2 or SNC3) enabled by default". Cisco's firmware makes it a setting, and no
 * source shows the default of other firmware.
 *
 * Missing on purpose: Platinum 9200 (two dies in one package) and Xeon Max (memory-only NUMA nodes).
 */
export const INTEL_CPUS: readonly CpuTable[] = [
  {
    family: "Xeon E7 (Westmere-EX)",
    vendor: "Intel",
    brand: "Xeon",
    modeSources: [],
    rows: `
E7-2803 6 2 1730 2 - - aq
E7-2820 8 2 2000 2 - - aq
E7-2830 8 2 2130 2 - - aq
E7-2850 10 2 2000 2 - - aq
E7-2860 10 2 2260 2 - - aq
E7-2870 10 2 2400 2 - - aq
E7-4807 6 2 1860 4 - - aq
E7-4820 8 2 2000 4 - - aq
E7-4830 8 2 2130 4 - - aq
E7-4850 10 2 2000 4 - - aq
E7-4860 10 2 2260 4 - - aq
E7-4870 10 2 2400 4 - - aq
E7-8830 8 2 2130 8 - - aq
E7-8837 8 1 2660 8 - - aq
E7-8850 10 2 2000 8 - - aq
E7-8860 10 2 2260 8 - - aq
E7-8867L 10 2 2130 8 - - aq
E7-8870 10 2 2400 8 - - aq`,
  },
  {
    family: "Xeon E7 v2 (Ivy Bridge-EX)",
    vendor: "Intel",
    brand: "Xeon",
    modeSources: [],
    rows: `
E7-2850 v2 12 2 2300 2 - - aq
E7-2870 v2 15 2 2300 2 - - aq
E7-2880 v2 15 2 2500 2 - - aq
E7-2890 v2 15 2 2800 2 - - aq
E7-4809 v2 6 2 1900 4 - - aq
E7-4820 v2 8 2 2000 4 - - aq
E7-4830 v2 10 2 2200 4 - - aq
E7-4850 v2 12 2 2300 4 - - aq
E7-4860 v2 12 2 2600 4 - - aq
E7-4870 v2 15 2 2300 4 - - aq
E7-4880 v2 15 2 2500 4 - - aq
E7-4890 v2 15 2 2800 4 - - aq
E7-8850 v2 12 2 2300 8 - - aq
E7-8857 v2 12 1 3000 8 - - aq
E7-8870 v2 15 2 2300 8 - - aq
E7-8880 v2 15 2 2500 8 - - aq
E7-8880L v2 15 2 2200 8 - - aq
E7-8890 v2 15 2 2800 8 - - aq
E7-8891 v2 10 2 3200 8 - - aq
E7-8893 v2 6 2 3400 8 - - aq`,
  },
  {
    family: "Xeon E7 v3 (Haswell-EX)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "cod",
    modeSources: [],
    rows: `
E7-4809 v3 8 2 2000 4 - - aq
E7-4820 v3 10 2 1900 4 - - aq
E7-4830 v3 12 2 2100 4 - - aq
E7-4850 v3 14 2 2200 4 - - aq
E7-8860 v3 16 2 2200 8 - - aq
E7-8867 v3 16 2 2500 8 - - aq
E7-8870 v3 18 2 2100 8 - - aq
E7-8880 v3 18 2 2300 8 - - aq
E7-8880L v3 18 2 2000 8 - - aq
E7-8890 v3 18 2 2500 8 - - aq
E7-8891 v3 10 2 2800 8 - - aq
E7-8893 v3 4 2 3200 8 - - aq`,
  },
  {
    family: "Xeon E7 v4 (Broadwell-EX)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "cod",
    modeSources: [],
    rows: `
E7-4809 v4 8 2 2100 4 - - aq
E7-4820 v4 10 2 2000 4 - - aq
E7-4830 v4 14 2 2000 4 - - aq
E7-4850 v4 16 2 2100 4 - - aq
E7-8860 v4 18 2 2200 8 - - aq
E7-8867 v4 18 2 2400 8 - - aq
E7-8870 v4 20 2 2100 8 - - aq
E7-8880 v4 22 2 2200 8 - - aq
E7-8890 v4 24 2 2200 8 - - aq
E7-8891 v4 10 2 2800 8 - - aq
E7-8893 v4 4 2 3200 8 - - aq
E7-8894 v4 24 2 2400 8 - - aq`,
  },
  {
    family: "Xeon E5 (Sandy Bridge)",
    vendor: "Intel",
    brand: "Xeon",
    modeSources: [],
    rows: `
E5-1428L 6 2 1800 1 - - aq
E5-1620 4 2 3600 - - - aq
E5-1650 6 2 3200 - - - aq
E5-1660 6 2 3300 - - - aq
E5-2403 4 1 1800 2 - - aq
E5-2407 4 1 2200 2 - - aq
E5-2418L 4 2 2000 - - - a
E5-2420 6 2 1900 2 - - aq
E5-2428L 6 2 1800 - - - a
E5-2430 6 2 2200 2 - - aq
E5-2430L 6 2 2000 2 - - aq
E5-2440 6 2 2400 2 - - aq
E5-2448L 8 2 1800 - - - a
E5-2450 8 2 2100 2 - - aq
E5-2450L 8 2 1800 2 - - aq
E5-2470 8 2 2300 2 - - aq
E5-2603 4 1 1800 2 - - aq
E5-2609 4 1 2400 2 - - aq
E5-2620 6 2 2000 2 - - aq
E5-2630 6 2 2300 2 - - aq
E5-2630L 6 2 2000 2 - - aq
E5-2637 2 2 3000 2 - - aq
E5-2640 6 2 2500 2 - - aq
E5-2643 4 2 3300 2 - - aq
E5-2648L 8 2 1800 - - - a
E5-2650 8 2 2000 2 - - aq
E5-2650L 8 2 1800 2 - - aq
E5-2658 8 2 2100 2 - - a
E5-2660 8 2 2200 2 - - aq
E5-2665 8 2 2400 2 - - aq
E5-2667 6 2 2900 2 - - aq
E5-2670 8 2 2600 2 - - aq
E5-2680 8 2 2700 2 - - aq
E5-2687W 8 2 3100 2 - - aq
E5-2690 8 2 2900 2 - - aq
E5-4603 4 2 2000 4 - - aq
E5-4607 6 2 2200 4 - - aq
E5-4610 6 2 2400 4 - - aq
E5-4617 6 1 2900 4 - - aq
E5-4620 8 2 2200 4 - - aq
E5-4640 8 2 2400 4 - - aq
E5-4650 8 2 2700 4 - - aq
E5-4650L 8 2 2600 4 - - aq`,
  },
  {
    family: "Xeon E5 v2 (Ivy Bridge)",
    vendor: "Intel",
    brand: "Xeon",
    modeSources: [],
    rows: `
E5-1428L v2 6 2 2200 1 - - a
E5-1620 v2 4 2 3700 1 - - aq
E5-1650 v2 6 2 3500 1 - - aq
E5-1660 v2 6 2 3700 1 - - aq
E5-2403 v2 4 1 1800 2 - - aq
E5-2407 v2 4 1 2400 2 - - aq
E5-2418L v2 6 2 2000 2 - - a
E5-2420 v2 6 2 2200 2 - - aq
E5-2428L v2 8 2 1800 2 - - a
E5-2430 v2 6 2 2500 2 - - aq
E5-2430L v2 6 2 2400 2 - - aq
E5-2440 v2 8 2 1900 2 - - aq
E5-2448L v2 10 2 1800 2 - - a
E5-2450 v2 8 2 2500 2 - - aq
E5-2450L v2 10 2 1700 2 - - aq
E5-2470 v2 10 2 2400 2 - - aq
E5-2603 v2 4 1 1800 2 - - aq
E5-2609 v2 4 1 2500 2 - - aq
E5-2618L v2 6 2 2000 2 - - a
E5-2620 v2 6 2 2100 2 - - aq
E5-2628L v2 8 2 1900 2 - - a
E5-2630 v2 6 2 2600 2 - - aq
E5-2630L v2 6 2 2400 2 - - aq
E5-2637 v2 4 2 3500 2 - - aq
E5-2640 v2 8 2 2000 2 - - aq
E5-2643 v2 6 2 3500 2 - - aq
E5-2648L v2 10 2 1900 2 - - a
E5-2650 v2 8 2 2600 2 - - aq
E5-2650L v2 10 2 1700 2 - - aq
E5-2658 v2 10 2 2400 2 - - a
E5-2660 v2 10 2 2200 2 - - aq
E5-2667 v2 8 2 3300 2 - - aq
E5-2670 v2 10 2 2500 2 - - aq
E5-2680 v2 10 2 2800 2 - - aq
E5-2687W v2 8 2 3400 2 - - aq
E5-2690 v2 10 2 3000 2 - - aq
E5-2695 v2 12 2 2400 2 - - aq
E5-2697 v2 12 2 2700 2 - - aq
E5-4603 v2 4 2 2200 4 - - aq
E5-4607 v2 6 2 2600 4 - - aq
E5-4610 v2 8 2 2300 4 - - aq
E5-4620 v2 8 2 2600 4 - - aq
E5-4624L v2 10 2 1900 4 - - a
E5-4627 v2 8 1 3300 4 - - aq
E5-4640 v2 10 2 2200 4 - - aq
E5-4650 v2 10 2 2400 4 - - aq
E5-4657L v2 12 2 2400 4 - - aq`,
  },
  {
    family: "Xeon E5 v3 (Haswell)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "cod",
    modeSources: [DELL_COD],
    rows: `
E5-1428L v3 8 2 2000 1 - - a
E5-1620 v3 4 2 3500 1 - - aq
E5-1630 v3 4 2 3700 1 - - aq
E5-1650 v3 6 2 3500 1 - - aq
E5-1660 v3 8 2 3000 1 - - aq
E5-1680 v3 8 2 3200 1 - - aq
E5-2408L v3 4 2 1800 2 - - a
E5-2418L v3 6 2 2000 2 - - a
E5-2428L v3 8 2 1800 2 - - a
E5-2438L v3 10 2 1800 2 - - a
E5-2603 v3 6 1 1600 2 - - aq
E5-2608L v3 6 2 2000 2 - - a
E5-2609 v3 6 1 1900 2 - - aq
E5-2618L v3 8 2 2300 2 - - a
E5-2620 v3 6 2 2400 2 - - aq
E5-2623 v3 4 2 3000 2 - - aq
E5-2628L v3 10 2 2000 2 - 1,2 a
E5-2630 v3 8 2 2400 2 - - aq
E5-2630L v3 8 2 1800 2 - - aq
E5-2637 v3 4 2 3500 2 - - aq
E5-2640 v3 8 2 2600 2 - - aq
E5-2643 v3 6 2 3400 2 - - aq
E5-2648L v3 12 2 1800 2 - 1,2 a
E5-2650 v3 10 2 2300 2 - 1,2 aq
E5-2650L v3 12 2 1800 2 - 1,2 aq
E5-2658 v3 12 2 2200 2 - 1,2 a
E5-2658A v3 12 2 2200 2 - 1,2 a
E5-2660 v3 10 2 2600 2 - 1,2 aq
E5-2667 v3 8 2 3200 2 - - aq
E5-2670 v3 12 2 2300 2 - 1,2 aq
E5-2680 v3 12 2 2500 2 - 1,2 aq
E5-2683 v3 14 2 2000 2 - 1,2 aq
E5-2687W v3 10 2 3100 2 - 1,2 aq
E5-2690 v3 12 2 2600 2 - 1,2 aq
E5-2695 v3 14 2 2300 2 - 1,2 aq
E5-2697 v3 14 2 2600 2 - 1,2 aq
E5-2698 v3 16 2 2300 2 - 1,2 aq
E5-2699 v3 18 2 2300 2 - 1,2 aq
E5-4610 v3 10 2 1700 4 - - aq
E5-4620 v3 10 2 2000 4 - - aq
E5-4627 v3 10 1 2600 4 - - aq
E5-4640 v3 12 2 1900 4 - - aq
E5-4648 v3 12 2 1700 4 - - a
E5-4650 v3 12 2 2100 4 - - aq
E5-4655 v3 6 2 2900 4 - - aq
E5-4660 v3 14 2 2100 4 - - aq
E5-4667 v3 16 2 2000 4 - - aq
E5-4669 v3 18 2 2100 4 - - aq`,
  },
  {
    family: "Xeon E5 v4 (Broadwell)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "cod",
    modeSources: [FUJITSU_COD, ANANDTECH_BROADWELL],
    rows: `
E5-1620 v4 4 2 3500 1 - - aq
E5-1630 v4 4 2 3700 1 - - aq
E5-1650 v4 6 2 3600 1 - - aq
E5-1660 v4 8 2 3200 1 - - aq
E5-1680 v4 8 2 3400 1 - - aq
E5-2603 v4 6 1 1700 2 - - aq
E5-2608L v4 8 2 1600 2 - - a
E5-2609 v4 8 1 1700 2 - - aq
E5-2618L v4 10 2 2200 2 - - a
E5-2620 v4 8 2 2100 2 - - aq
E5-2623 v4 4 2 2600 2 - - aq
E5-2628L v4 12 2 1900 2 - 1,2 a
E5-2630 v4 10 2 2200 2 - - aq
E5-2630L v4 10 2 1800 2 - - aq
E5-2637 v4 4 2 3500 2 - - aq
E5-2640 v4 10 2 2400 2 - - aq
E5-2643 v4 6 2 3400 2 - - aq
E5-2648L v4 14 2 1800 2 - 1,2 a
E5-2650 v4 12 2 2200 2 - 1,2 asq
E5-2650L v4 14 2 1700 2 - 1,2 aq
E5-2658 v4 14 2 2300 2 - 1,2 a
E5-2660 v4 14 2 2000 2 - 1,2 aq
E5-2667 v4 8 2 3200 2 - - aq
E5-2680 v4 14 2 2400 2 - 1,2 aq
E5-2683 v4 16 2 2100 2 - 1,2 aq
E5-2687W v4 12 2 3000 2 - 1,2 aq
E5-2690 v4 14 2 2600 2 - 1,2 aq
E5-2695 v4 18 2 2100 2 - 1,2 aq
E5-2697 v4 18 2 2300 2 - 1,2 aq
E5-2697A v4 16 2 2600 2 - 1,2 aq
E5-2698 v4 20 2 2200 2 - 1,2 aq
E5-2699 v4 22 2 2200 2 - 1,2 aq
E5-2699A v4 22 2 2400 2 - 1,2 asq
E5-2699R v4 22 2 2200 2 - 1,2 a
E5-4610 v4 10 2 1800 4 - - aq
E5-4620 v4 10 2 2100 4 - - aq
E5-4627 v4 10 1 2600 4 - - aq
E5-4628L v4 14 2 1800 4 - - a
E5-4640 v4 12 2 2100 4 - - aq
E5-4650 v4 14 2 2200 4 - - aq
E5-4655 v4 8 2 2500 4 - - aq
E5-4660 v4 16 2 2200 4 - - aq
E5-4667 v4 18 2 2200 4 - - aq
E5-4669 v4 22 2 2200 4 - - aq`,
  },
  {
    family: "Xeon Scalable, 1st generation (Skylake)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [SPEC_SNC_PURLEY],
    rows: `
Bronze 3104 6 1 1700 2 - - asq
Bronze 3106 8 1 1700 2 - - asq
Gold 5115 10 2 2400 4 - - asq
Gold 5117 14 2 2000 - - 1,2 s
Gold 5118 12 2 2300 4 - 1,2 asq
Gold 5119T 14 2 1900 4 - 1,2 asq
Gold 5120 14 2 2200 4 - 1,2 asq
Gold 5120T 14 2 2200 4 - 1,2 asq
Gold 5122 4 2 3600 4 - - asq
Gold 6126 12 2 2600 4 - 1,2 asq
Gold 6126F 12 2 2600 2 - 1,2 asq
Gold 6126T 12 2 2600 4 - 1,2 asq
Gold 6128 6 2 3400 4 - - asq
Gold 6130 16 2 2100 4 - 1,2 asq
Gold 6130F 16 2 2100 2 - 1,2 asq
Gold 6130T 16 2 2100 4 - 1,2 asq
Gold 6132 14 2 2600 4 - 1,2 asq
Gold 6134 8 2 3200 4 - - asq
Gold 6134M 8 2 3200 - - - sq
Gold 6136 12 2 3000 4 - 1,2 asq
Gold 6138 20 2 2000 4 - 1,2 asq
Gold 6138F 20 2 2000 2 - 1,2 asq
Gold 6138P 20 2 2000 2 - 1,2 aq
Gold 6138T 20 2 2000 4 - 1,2 asq
Gold 6140 18 2 2300 4 - 1,2 asq
Gold 6140M 18 2 2300 - - 1,2 sq
Gold 6142 16 2 2600 4 - 1,2 asq
Gold 6142F 16 2 2600 2 - 1,2 asq
Gold 6142M 16 2 2600 - - 1,2 sq
Gold 6144 8 2 3500 4 - - asq
Gold 6146 12 2 3200 4 - 1,2 asq
Gold 6148 20 2 2400 4 - 1,2 asq
Gold 6148F 20 2 2400 2 - 1,2 asq
Gold 6150 18 2 2700 4 - 1,2 asq
Gold 6152 22 2 2100 4 - 1,2 asq
Gold 6154 18 2 3000 4 - 1,2 asq
Platinum 8153 16 2 2000 8 - 1,2 asq
Platinum 8156 4 2 3600 8 - - asq
Platinum 8158 12 2 3000 8 - 1,2 asq
Platinum 8160 24 2 2100 8 - 1,2 asq
Platinum 8160F 24 2 2100 2 - 1,2 asq
Platinum 8160M 24 2 2100 - - 1,2 sq
Platinum 8160T 24 2 2100 8 - 1,2 asq
Platinum 8164 26 2 2000 8 - 1,2 asq
Platinum 8168 24 2 2700 8 - 1,2 asq
Platinum 8170 26 2 2100 8 - 1,2 asq
Platinum 8170M 26 2 2100 - - 1,2 sq
Platinum 8176 28 2 2100 8 - 1,2 asq
Platinum 8176F 28 2 2100 2 - 1,2 asq
Platinum 8176M 28 2 2100 - - 1,2 sq
Platinum 8180 28 2 2500 8 - 1,2 asq
Platinum 8180M 28 2 2500 - - 1,2 sq
Silver 4108 8 2 1800 2 - - asq
Silver 4109T 8 2 2000 2 - - asq
Silver 4110 8 2 2100 2 - - asq
Silver 4112 4 2 2600 2 - - asq
Silver 4114 10 2 2200 2 - - asq
Silver 4114T 10 2 2200 2 - - asq
Silver 4116 12 2 2100 2 - 1,2 asq
Silver 4116T 12 2 2100 2 - 1,2 asq`,
  },
  {
    family: "Xeon Scalable, 2nd generation (Cascade Lake)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [SPEC_SNC_PURLEY],
    rows: `
Bronze 3204 6 1 1900 2 - - asq
Bronze 3206R 8 1 1900 2 - - asq
Gold 5215 10 2 2500 4 - - asq
Gold 5215L 10 2 2500 4 - - asq
Gold 5215M 10 2 2500 - - - s
Gold 5217 8 2 3000 4 - - asq
Gold 5218 16 2 2300 4 - 1,2 asq
Gold 5218B 16 2 2300 4 - 1,2 asq
Gold 5218N 16 2 2300 4 - 1,2 asq
Gold 5218R 20 2 2100 2 - 1,2 asq
Gold 5218T 16 2 2100 4 - 1,2 asq
Gold 5220 18 2 2200 4 - 1,2 asq
Gold 5220R 24 2 2200 2 - 1,2 asq
Gold 5220S 18 2 2700 4 - 1,2 asq
Gold 5220T 18 2 1900 4 - 1,2 asq
Gold 5222 4 2 3800 4 - - asq
Gold 6208U 16 2 2900 1 - 1,2 asq
Gold 6209U 20 2 2100 1 - 1,2 asq
Gold 6210U 20 2 2500 1 - 1,2 asq
Gold 6212U 24 2 2400 1 - 1,2 asq
Gold 6222V 20 2 1800 4 - 1,2 asq
Gold 6226 12 2 2700 4 - 1,2 asq
Gold 6226R 16 2 2900 2 - 1,2 asq
Gold 6230 20 2 2100 4 - 1,2 asq
Gold 6230N 20 2 2300 4 - 1,2 asq
Gold 6230R 26 2 2100 2 - 1,2 asq
Gold 6230T 20 2 2100 4 - 1,2 asq
Gold 6234 8 2 3300 4 - - asq
Gold 6238 22 2 2100 4 - 1,2 asq
Gold 6238L 22 2 2100 4 - 1,2 asq
Gold 6238M 22 2 2100 - - 1,2 s
Gold 6238R 28 2 2200 2 - 1,2 asq
Gold 6238T 22 2 1900 4 - 1,2 asq
Gold 6240 18 2 2600 4 - 1,2 asq
Gold 6240L 18 2 2600 4 - 1,2 asq
Gold 6240M 18 2 2600 - - 1,2 s
Gold 6240R 24 2 2400 2 - 1,2 asq
Gold 6240Y 18 2 2600 4 - 1,2 asq
Gold 6242 16 2 2800 4 - 1,2 asq
Gold 6242R 20 2 3100 2 - 1,2 asq
Gold 6244 8 2 3600 4 - - asq
Gold 6246 12 2 3300 4 - 1,2 asq
Gold 6246R 16 2 3400 2 - 1,2 asq
Gold 6248 20 2 2500 4 - 1,2 asq
Gold 6248R 24 2 3000 2 - 1,2 asq
Gold 6250 8 2 3900 4 - - asq
Gold 6250L 8 2 3900 4 - - aq
Gold 6252 24 2 2100 4 - 1,2 asq
Gold 6252N 24 2 2300 4 - 1,2 asq
Gold 6254 18 2 3100 4 - 1,2 asq
Gold 6256 12 2 3600 4 - 1,2 asq
Gold 6258R 28 2 2700 2 - 1,2 asq
Gold 6262V 24 2 1900 4 - 1,2 asq
Platinum 8253 16 2 2200 8 - 1,2 asq
Platinum 8256 4 2 3800 8 - - asq
Platinum 8260 24 2 2400 8 - 1,2 asq
Platinum 8260C 24 2 - - - 1,2 b
Platinum 8260L 24 2 2400 8 - 1,2 asq
Platinum 8260M 24 2 2400 - - 1,2 s
Platinum 8260Y 24 2 2400 8 - 1,2 asq
Platinum 8268 24 2 2900 8 - 1,2 asq
Platinum 8270 26 2 2700 8 - 1,2 asq
Platinum 8276 28 2 2200 8 - 1,2 asq
Platinum 8276L 28 2 2200 8 - 1,2 asq
Platinum 8276M 28 2 2200 - - 1,2 s
Platinum 8280 28 2 2700 8 - 1,2 asq
Platinum 8280L 28 2 2700 8 - 1,2 asq
Platinum 8280M 28 2 2700 - - 1,2 s
Silver 4208 8 2 2100 2 - - asq
Silver 4209T 8 2 2200 2 - - asq
Silver 4210 10 2 2200 2 - - asq
Silver 4210R 10 2 2400 2 - - as
Silver 4210T 10 2 2300 2 - - asq
Silver 4214 12 2 2200 2 - 1,2 asq
Silver 4214R 12 2 2400 2 - 1,2 asq
Silver 4214Y 12 2 2200 2 - 1,2 asq
Silver 4215 8 2 2500 2 - - asq
Silver 4215R 8 2 3200 2 - - asq
Silver 4216 16 2 2100 2 - 1,2 asq`,
  },
  {
    family: "Xeon Scalable, 3rd generation (Cooper Lake)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [],
    rows: `
Gold 5318H 18 2 2500 4 - - asq
Gold 5320H 20 2 2400 4 - - asq
Gold 6328H 16 2 2800 4 - - asq
Gold 6328HL 16 2 2800 4 - - asq
Gold 6330H 24 2 2000 4 - - asq
Gold 6348H 24 2 2300 4 - - asq
Platinum 8353H 18 2 2500 8 - - asq
Platinum 8354H 18 2 3100 8 - - asq
Platinum 8356H 8 2 3900 8 - - asq
Platinum 8360H 24 2 3000 8 - - asq
Platinum 8360HL 24 2 3000 8 - - asq
Platinum 8376H 28 2 2600 8 - - asq
Platinum 8376HL 28 2 2600 8 - - asq
Platinum 8380H 28 2 2900 8 - - asq
Platinum 8380HL 28 2 2900 8 - - asq`,
  },
  {
    family: "Xeon Scalable, 3rd generation (Ice Lake)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [OCI_ICE_LAKE],
    rows: `
Gold 5315Y 8 2 3200 2 - - asq
Gold 5317 12 2 3000 2 - 1,2 asq
Gold 5318N 24 2 2100 2 - 1,2 asq
Gold 5318S 24 2 2100 2 - 1,2 asq
Gold 5318Y 24 2 2100 2 - 1,2 asq
Gold 5320 26 2 2200 2 - 1,2 asq
Gold 5320T 20 2 2300 2 - 1,2 asq
Gold 6312U 24 2 2400 1 - 1,2 asq
Gold 6314U 32 2 2300 1 - 1,2 asq
Gold 6326 16 2 2900 2 - 1,2 asq
Gold 6330 28 2 2000 2 - 1,2 asq
Gold 6330N 28 2 2200 2 - 1,2 asq
Gold 6334 8 2 3600 2 - - asq
Gold 6336Y 24 2 2400 2 - 1,2 asq
Gold 6338 32 2 2000 2 - 1,2 asq
Gold 6338N 32 2 2200 2 - 1,2 asq
Gold 6338T 24 2 2100 2 - 1,2 asq
Gold 6342 24 2 2800 2 - 1,2 asq
Gold 6346 16 2 3100 2 - 1,2 asq
Gold 6348 28 2 2600 2 - 1,2 asq
Gold 6354 18 2 3000 2 - 1,2 asq
Platinum 8351N 36 2 2400 1 - 1,2 asq
Platinum 8352M 32 2 2300 2 - 1,2 asq
Platinum 8352S 32 2 2200 2 - 1,2 asq
Platinum 8352V 36 2 2100 2 - 1,2 asq
Platinum 8352Y 32 2 2200 2 - 1,2 asq
Platinum 8358 32 2 2600 2 - 1,2 asq
Platinum 8358P 32 2 2600 2 - 1,2 asq
Platinum 8360Y 36 2 2400 2 - 1,2 asq
Platinum 8362 32 2 2800 2 - 1,2 asq
Platinum 8368 38 2 2400 2 - 1,2 asq
Platinum 8368Q 38 2 2600 2 - 1,2 asq
Platinum 8380 40 2 2300 2 - 1,2 asq
Silver 4309Y 8 2 2800 2 - - asq
Silver 4310 12 2 2100 2 - 1,2 asq
Silver 4310T 10 2 2300 2 - - asq
Silver 4314 16 2 2400 2 - 1,2 asq
Silver 4316 20 2 2300 2 - 1,2 asq`,
  },
  {
    family: "Xeon Scalable, 4th generation (Sapphire Rapids)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [CISCO_M7, WIKIPEDIA_SPR, STH_SPR],
    rows: `
Bronze 3408U 8 1 1800 1 - - asq
Gold 5403N 12 2 2000 1 - 1,2? aq
Gold 5411N 24 2 1900 1 - 1,2? asq
Gold 5412U 24 2 2100 1 - 1,2? asq
Gold 5415+ 8 2 2900 2 - - asq
Gold 5416S 16 2 2000 2 - 1,2? asq
Gold 5418N 24 2 1800 2 - 1,2? asq
Gold 5418Y 24 2 2000 2 - 1,2? asq
Gold 5420+ 28 2 2000 2 - 1,2? asq
Gold 5423N 20 2 2100 1 - 1,2? asq
Gold 5433N 20 2 2300 1 - 1,2? asq
Gold 6403N 24 2 1900 1 - 1,2? asq
Gold 6414U 32 2 2000 1 - 1,2? asq
Gold 6416H 18 2 2200 4 - 1,2? asq
Gold 6418H 24 2 2100 4 - 1,2? asq
Gold 6421N 32 2 1800 1 - 1,2? asq
Gold 6423N 28 2 2000 1 - 1,2? asq
Gold 6426Y 16 2 2500 2 - 1,2? asq
Gold 6428N 32 2 1800 2 - 1,2? asq
Gold 6430 32 2 2100 2 - 1,2? asq
Gold 6433N 32 2 2000 1 - 1,2? asq
Gold 6433NE 32 2 2000 1 - 1,2? aq
Gold 6434 8 2 3700 2 - - asq
Gold 6434H 8 2 3700 8 - - asq
Gold 6438M 32 2 2200 2 - 1,2? asq
Gold 6438N 32 2 2000 2 - 1,2? asq
Gold 6438Y+ 32 2 2000 2 - 1,2? asq
Gold 6442Y 24 2 2600 2 - 1,2? asq
Gold 6443N 32 2 2000 1 - 1,2? asq
Gold 6444Y 16 2 3600 2 - 1,2? asq
Gold 6448H 32 2 2400 4 - 1,2? asq
Gold 6448Y 32 2 2100 2 - 1,2? asq
Gold 6454S 32 2 2200 2 - 1,2,4 asq
Gold 6458Q 32 2 3100 2 - 1,2? asq
Platinum 8444H 16 2 2900 8 - 1,2,4 asq
Platinum 8450H 28 2 2000 8 - 1,2,4 asq
Platinum 8452Y 36 2 2000 2 - 1,2,4 asq
Platinum 8454H 32 2 2100 8 - 1,2,4 asq
Platinum 8458P 44 2 2700 2 - 1,2,4 asq
Platinum 8460H 40 2 2200 8 - 1,2,4 asq
Platinum 8460Y+ 40 2 2000 2 - 1,2,4 asq
Platinum 8461V 48 2 2200 1 - 1,2,4 asq
Platinum 8462Y+ 32 2 2800 2 - 1,2? asq
Platinum 8468 48 2 2100 2 - 1,2,4 asq
Platinum 8468H 48 2 2100 8 - 1,2,4 asq
Platinum 8468V 48 2 2400 2 - 1,2,4 asq
Platinum 8470 52 2 2000 2 - 1,2,4 asq
Platinum 8470N 52 2 1700 2 - 1,2,4 asq
Platinum 8470Q 52 2 2100 2 - 1,2,4 asq
Platinum 8471N 52 2 1800 1 - 1,2,4 asq
Platinum 8480+ 56 2 2000 2 - 1,2,4 asq
Platinum 8480CL 56 2 2000 - - 1,2,4 s
Platinum 8490H 60 2 1900 8 - 1,2,4 asq
Silver 4410T 10 2 2700 2 - - asq
Silver 4410Y 12 2 2000 2 - 1,2? asq
Silver 4416+ 20 2 2000 2 - 1,2? asq`,
  },
  {
    family: "Xeon Scalable, 5th generation (Sapphire Rapids)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [],
    rows: `
Bronze 3508U 8 1 2100 1 - - asq
Silver 4509Y 8 2 2600 2 - - asq
Silver 4510 12 2 2400 2 - - asq
Silver 4510T 12 2 2000 2 - - asq`,
  },
  {
    family: "Xeon Scalable, 5th generation (Emerald Rapids)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [COMPARISON_8592V],
    rows: `
Gold 5512U 28 2 2100 1 - - asq
Gold 5515+ 8 2 3200 2 - - asq
Gold 5520+ 28 2 2200 2 - - asq
Gold 6526Y 16 2 2800 2 - - asq
Gold 6530 32 2 2100 2 - - asq
Gold 6534 8 2 3900 2 - - asq
Gold 6538N 32 2 2100 2 - - asq
Gold 6538Y+ 32 2 2200 2 - - asq
Gold 6542Y 24 2 2900 2 - - asq
Gold 6544Y 16 2 3600 2 - - asq
Gold 6548N 32 2 2800 2 - - asq
Gold 6548Y+ 32 2 2500 2 - - asq
Gold 6554S 36 2 2200 2 - - asq
Gold 6558Q 32 2 3200 2 - - asq
Platinum 8558 48 2 2100 2 - - asq
Platinum 8558P 48 2 2700 2 - - asq
Platinum 8558U 48 2 2000 1 - - asq
Platinum 8562Y+ 32 2 2800 2 - - asq
Platinum 8568Y+ 48 2 2300 2 - - asq
Platinum 8570 56 2 2100 2 - - asq
Platinum 8571N 52 2 2400 1 - - asq
Platinum 8580 60 2 2000 2 - - asq
Platinum 8581V 60 2 2000 1 - - asq
Platinum 8592+ 64 2 1900 2 - - asq
Platinum 8592V 64 2 2000 2 - 1,2 asq
Platinum 8593Q 64 2 2200 2 - - asq
Silver 4514Y 16 2 2000 2 - - asq
Silver 4516Y+ 24 2 2200 2 - - asq`,
  },
  {
    family: "Xeon 6900P (Granite Rapids)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [PHORONIX_SNC3],
    rows: `
6952P 96 2 2100 2 - 3,1 aq
6960P 72 2 2700 2 - 3,1 asq
6972P 96 2 2400 2 - 3,1 asq
6979P 120 2 2100 2 - 3,1 asq
6980P 128 2 2000 2 - 3,1 asq`,
  },
  {
    family: "Xeon 6700P and 6500P (Granite Rapids)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [CISCO_M8, SEMIACCURATE_GNR, SQL_CAPACITY],
    doubt: "Microsoft calls that the default of this generation, Cisco a setting of the firmware",
    rows: `
6505P 12 2 2200 - - - s
6507P 8 2 3500 - - - s
6511P 16 2 2300 - - - s
6515P 16 2 2300 - - - s
6517P 16 2 3200 - - - s
6520P 24 2 2400 - - - s
6521P 24 2 2600 - - - s
6527P 24 2 3000 - - - s
6530P 32 2 2300 - - - s
6714P 8 2 4000 - - - s
6724P 16 2 3600 - - - s
6730P 32 2 2500 - - - s
6731P 32 2 2500 - - - s
6736P 36 2 2000 - - - s
6737P 32 2 2900 - - - s
6740P 48 2 2100 - - - s
6741P 48 2 2500 - - - s
6747P 48 2 2700 - - - s
6760P 64 2 2200 - - 2,1 s
6761P 64 2 2500 - - 2,1 s
6767P 64 2 2400 - - 2,1 s
6781P 80 2 2000 - - 2,1 s
6787P 86 2 2000 - - 2,1 s`,
  },
  {
    family: "Xeon 6700E (Sierra Forest)",
    vendor: "Intel",
    brand: "Xeon",
    setting: "snc",
    modeSources: [],
    rows: `
6710E 64 1 2400 2 - - asq
6731E 96 1 2200 1 - - asq
6740E 96 1 2400 2 - - asq
6746E 112 1 2000 2 - - asq
6756E 128 1 1800 2 - - asq
6766E 144 1 1900 2 - - asq
6780E 144 1 2200 2 - - asq`,
  },
];
