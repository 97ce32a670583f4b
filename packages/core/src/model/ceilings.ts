import type { SettingName } from "./spec.ts";

/** The smallest and the largest supported value of a setting, and its unit. */
interface Ceiling {
  readonly least: number;
  readonly most: number;
  readonly what: string;
}

/** More than four times the 960 vCPUs of the largest VM (ESXi 9.0), and small enough to draw each of them. */
const CPUS = 4096;

/** x86 processors address at most 52 bits, 4 PiB (AMD64 Architecture Programmer's Manual, volume 2). */
const MEBIBYTES = 2 ** 32;

/** The API's largest 32-bit number, which some programs write for "no limit". */
const INTEGER = 2 ** 32;

/** Of ESXi 9.0; limits/hardware.ts has its sources. */
export const NEWEST_HARDWARE = 22;

/** A later version may come within about five years: 13 came with ESXi 6.5 in 2016, and 22 with 9.0 in 2025. A higher one is a mistake. */
export const LAST_HARDWARE = NEWEST_HARDWARE + 5;

/** Counts and sizes. Loops and arrays are as long as the first four of them. */
const CEILINGS: { readonly [K in SettingName]?: Ceiling } = {
  vcpus: { least: 1, most: CPUS, what: "vCPUs" },
  coresPerSocket: { least: 1, most: CPUS, what: "cores per socket" },
  coresPerNumaNode: { least: 0, most: CPUS, what: "cores per NUMA node" },
  threadsPerCore: { least: 1, most: CPUS, what: "threads per core" },
  maxVcpusByHotAdd: { least: 1, most: CPUS, what: "vCPUs by hot add" },
  memoryMiB: { least: 1, most: MEBIBYTES, what: "MiB of memory" },
  memoryReservationMiB: { least: 0, most: MEBIBYTES, what: "MiB of reserved memory" },
  memoryLimitMiB: { least: 0, most: MEBIBYTES, what: "MiB as the memory limit" },
  cpuReservationMHz: { least: 0, most: INTEGER, what: "MHz of CPU reservation" },
  cpuLimitMHz: { least: 0, most: INTEGER, what: "MHz as the CPU limit" },
  vnumaMinVcpus: { least: 1, most: INTEGER, what: "vCPUs as the minimum for virtual NUMA" },
  maxVcpusPerVnumaNode: { least: 1, most: INTEGER, what: "vCPUs per virtual NUMA node" },
  maxVcpusPerPhysicalNode: { least: 1, most: INTEGER, what: "vCPUs per physical NUMA node" },
  maxVcpusPerClient: { least: 1, most: INTEGER, what: "vCPUs per NUMA client" },
  storedNodeSize: { least: 1, most: INTEGER, what: "vCPUs as the stored node size" },
};

/** Returns the ceiling of a setting; `undefined` for a setting without one. */
export const ceilingOf = (name: SettingName): Ceiling | undefined => CEILINGS[name];

/** Returns the largest supported value of a setting; infinity for a setting without a ceiling. */
export const mostOf = (name: SettingName): number => CEILINGS[name]?.most ?? Infinity;
