import { CHIPS_AND_CHEESE_NPS, DELL_NAPLES, DELL_NPS_R6515, DELL_NPS_R6525 } from "./cpu-sources.ts";
import type { CpuTable } from "./cpu-table.ts";

/*
 * Columns: name, cores, threads per core, base MHz, most sockets, cores that share an L3, possible NUMA nodes of a socket with the default
 * first, sources (see FIGURE_SOURCES). "-" means unknown.
 *
 * Cores and MHz: AMD's list (m), results that vendors sent to SPEC (s) and quattor's hardware library (q) agree for every model in two of
 * them, except the MHz of the 4464P, which is missing here. Cores per L3 are SPEC's "shared / N cores", equal in every result for a model;
 * the CPUID dumps of 7402P, 7713, 7742, 7763, 9124, 9654, 9655, 9754 and 9965 (InstLatx64) agree. SPEC has no 7001 with 64 MB and no 9754S:
 * L3 / 8 MB and L3 / 16 MB per group, like their siblings. The groups of 7251, 7261 and 7281 are missing (no source), as are 9135 and 9535
 * (SPEC's 16 MB groups contradict the 32 MB groups of every sibling).
 *
 * NPS: a mode is offered if it divides the core dies evenly (Dell's table for 7002; its 7003 models fit). The same rule on 9004 and 9005 is
 * derived. A 7001 has four dies, each a node of its own unless the firmware interleaves their memory.
 */
export const AMD_CPUS: readonly CpuTable[] = [
  {
    family: "EPYC 7001 (Naples)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [DELL_NAPLES],
    rows: `
7251 8 2 2100 2 - 4,1 mq
7261 8 2 2500 2 - 4,1 mq
7281 16 2 2100 2 - 4,1 mq
7301 16 2 2200 2 2 4,1 mq
7351 16 2 2400 2 2 4,1 mq
7351P 16 2 2400 1 2 4,1 mq
7371 16 2 3100 2 2 4,1 msq
7401 24 2 2000 2 3 4,1 mq
7401P 24 2 2000 1 3 4,1 mq
7451 24 2 2300 2 3 4,1 mq
7501 32 2 2000 2 4 4,1 msq
7551 32 2 2000 2 4 4,1 msq
7551P 32 2 2000 1 4 4,1 mq
7601 32 2 2200 2 4 4,1 mq`,
  },
  {
    family: "EPYC 7002 (Rome)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [DELL_NPS_R6525],
    rows: `
7232P 8 2 3100 1 2 1,2 msq
7252 8 2 3100 2 2 1,2 msq
7262 8 2 3200 2 1 1,2,4 msq
7272 12 2 2900 2 3 1,2 msq
7282 16 2 2800 2 4 1,2 msq
7302 16 2 3000 2 2 1,2,4 msq
7302P 16 2 3000 1 2 1,2,4 msq
7352 24 2 2300 2 3 1,2,4 msq
7402 24 2 2800 2 3 1,2,4 msq
7402P 24 2 2800 1 3 1,2,4 msq
7452 32 2 2350 2 4 1,2,4 msq
7502 32 2 2500 2 4 1,2,4 msq
7502P 32 2 2500 1 4 1,2,4 msq
7532 32 2 2400 2 2 1,2,4 msq
7542 32 2 2900 2 4 1,2,4 msq
7552 48 2 2200 2 4 1,2 msq
7642 48 2 2300 2 3 1,2,4 msq
7662 64 2 2000 2 4 1,2,4 msq
7702 64 2 2000 2 4 1,2,4 msq
7702P 64 2 2000 1 4 1,2,4 msq
7742 64 2 2250 2 4 1,2,4 msq
7F32 8 2 3700 2 1 1,2,4 msq
7F52 16 2 3500 2 1 1,2,4 msq
7F72 24 2 3200 2 2 1,2 msq
7H12 64 2 2600 2 4 1,2,4 msq`,
  },
  {
    family: "EPYC 7003 (Milan)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [DELL_NPS_R6515, DELL_NPS_R6525],
    rows: `
7203 8 2 2800 2 2 1,2,4 sq
7203P 8 2 2800 1 2 1,2,4 sq
72F3 8 2 3700 2 1 1,2,4 msq
7303 16 2 2400 2 4 1,2,4 sq
7303P 16 2 2400 1 4 1,2,4 sq
7313 16 2 3000 2 4 1,2,4 msq
7313P 16 2 3000 1 4 1,2,4 msq
7343 16 2 3200 2 4 1,2,4 msq
7373X 16 2 3050 2 2 1,2,4 msq
73F3 16 2 3500 2 2 1,2,4 msq
7413 24 2 2650 2 6 1,2,4 msq
7443 24 2 2850 2 6 1,2,4 msq
7443P 24 2 2850 1 6 1,2,4 msq
7453 28 2 2750 2 7 1,2,4 msq
7473X 24 2 2800 2 3 1,2,4 msq
74F3 24 2 3200 2 3 1,2,4 msq
7513 32 2 2600 2 8 1,2,4 msq
7543 32 2 2800 2 4 1,2,4 msq
7543P 32 2 2800 1 4 1,2,4 msq
7573X 32 2 2800 2 4 1,2,4 msq
75F3 32 2 2950 2 4 1,2,4 msq
7643 48 2 2300 2 6 1,2,4 msq
7643P 48 2 2300 1 6 1,2,4 sq
7663 56 2 2000 2 7 1,2,4 msq
7663P 56 2 2000 1 7 1,2,4 sq
7713 64 2 2000 2 8 1,2,4 msq
7713P 64 2 2000 1 8 1,2,4 msq
7763 64 2 2450 2 8 1,2,4 msq
7773X 64 2 2200 2 8 1,2,4 msq`,
  },
  {
    family: "EPYC 4004 (Raphael)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [],
    rows: `
4124P 4 2 3800 1 4 - sq
4244P 6 2 3800 1 6 - sq
4344P 8 2 3800 1 8 - sq
4364P 8 2 4500 1 8 - sq
4464P 12 2 - 1 6 - sq
4484PX 12 2 4400 1 6 - sq
4564P 16 2 4500 1 8 - sq
4584PX 16 2 4200 1 8 - sq`,
  },
  {
    family: "EPYC 4005 (Grado)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [],
    rows: `
4245P 6 2 - 1 6 - s
4345P 8 2 - 1 8 - s
4565P 16 2 - 1 8 - s
4585PX 16 2 - 1 8 - s`,
  },
  {
    family: "EPYC 8004 (Siena)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [],
    rows: `
8024P 8 2 2400 1 4 - sq
8024PN 8 2 2050 1 4 - sq
8124P 16 2 2450 1 4 - sq
8124PN 16 2 2000 1 4 - sq
8224P 24 2 2550 1 6 - sq
8224PN 24 2 2000 1 6 - sq
8324P 32 2 2650 1 4 - sq
8324PN 32 2 2050 1 4 - sq
8434P 48 2 2500 1 6 - sq
8434PN 48 2 2000 1 6 - sq
8534P 64 2 2300 1 8 - sq
8534PN 64 2 2000 1 8 - sq`,
  },
  {
    family: "EPYC 9004 (Genoa, Genoa-X, Bergamo)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [DELL_NPS_R6525],
    rows: `
9124 16 2 3000 2 4 1,2,4 msq
9174F 16 2 4100 2 2 1,2,4 msq
9184X 16 2 3550 2 2 1,2,4 msq
9224 24 2 2500 2 6 1,2,4 msq
9254 24 2 2900 2 6 1,2,4 msq
9274F 24 2 4050 2 3 1,2,4 msq
9334 32 2 2700 2 8 1,2,4 msq
9354 32 2 3250 2 4 1,2,4 msq
9354P 32 2 3250 1 4 1,2,4 msq
9374F 32 2 3850 2 4 1,2,4 msq
9384X 32 2 3100 2 4 1,2,4 msq
9454 48 2 2750 2 6 1,2,4 msq
9454P 48 2 2750 1 6 1,2,4 msq
9474F 48 2 3600 2 6 1,2,4 msq
9534 64 2 2450 2 8 1,2,4 msq
9554 64 2 3100 2 8 1,2,4 msq
9554P 64 2 3100 1 8 1,2,4 msq
9634 84 2 2250 2 7 1,2,4 msq
9654 96 2 2400 2 8 1,2,4 msq
9654P 96 2 2400 1 8 1,2,4 msq
9684X 96 2 2550 2 8 1,2,4 msq
9734 112 2 2200 2 7 1,2,4 msq
9754 128 2 2250 2 8 1,2,4 msq
9754S 128 1 2250 2 8 1,2,4 mq`,
  },
  {
    family: "EPYC 9005 (Turin)",
    vendor: "AMD",
    brand: "EPYC",
    setting: "nps",
    modeSources: [CHIPS_AND_CHEESE_NPS, DELL_NPS_R6525],
    rows: `
9015 8 2 3600 2 4 1,2 sq
9115 16 2 2600 2 8 1,2 sq
9135 16 2 3650 2 - - sq
9175F 16 2 4200 2 1 1,2,4 sq
9255 24 2 3200 2 6 1,2,4 sq
9275F 24 2 4100 2 3 1,2,4 sq
9335 32 2 3000 2 8 1,2,4 sq
9355 32 2 3550 2 4 1,2,4 sq
9355P 32 2 3550 1 4 1,2,4 sq
9365 36 2 3400 2 6 1,2 sq
9375F 32 2 3800 2 4 1,2,4 sq
9455 48 2 3150 2 6 1,2,4 sq
9455P 48 2 3150 1 6 1,2,4 sq
9475F 48 2 3650 2 6 1,2,4 sq
9535 64 2 2400 2 - - sq
9555 64 2 3200 2 8 1,2,4 sq
9555P 64 2 3200 1 8 1,2,4 sq
9565 72 2 3150 2 6 1,2,4 sq
9575F 64 2 3300 2 8 1,2,4 sq
9645 96 2 2300 2 12 1,2,4 sq
9655 96 2 2600 2 8 1,2,4 sq
9655P 96 2 2600 1 8 1,2,4 sq
9745 128 2 2400 2 16 1,2,4 sq
9755 128 2 2700 2 8 1,2,4 sq
9825 144 2 2200 2 12 1,2,4 sq
9845 160 2 2100 2 16 1,2 sq
9965 192 2 2250 2 16 1,2,4 sq`,
  },
];
