import type { Problem } from "./problem.ts";
import type { Setting } from "./source.ts";
import type { SettingName, Settings } from "./spec.ts";

/** The largest supported value of a setting, its unit, and the source of the number. */
interface Ceiling {
  readonly most: number;
  readonly what: string;
}

/** More than four times the 960 vCPUs of the largest VM (ESXi 9.0), and small enough to draw each of them. */
const CPUS = 4096;

/** x86 processors address at most 52 bits, 4 PiB (AMD64 Architecture Programmer's Manual, volume 2). */
const MEBIBYTES = 2 ** 32;

/** The API's largest 32-bit number, which some programs write for "no limit". */
const INTEGER = 2 ** 32;

/** Counts and sizes. Loops and arrays are as long as the first four of them. */
const CEILINGS: { readonly [K in SettingName]?: Ceiling } = {
  vcpus: { most: CPUS, what: "vCPUs" },
  coresPerSocket: { most: CPUS, what: "cores per socket" },
  coresPerNumaNode: { most: CPUS, what: "cores per NUMA node" },
  threadsPerCore: { most: CPUS, what: "threads per core" },
  maxVcpusByHotAdd: { most: CPUS, what: "vCPUs by hot add" },
  memoryMiB: { most: MEBIBYTES, what: "MiB of memory" },
  memoryReservationMiB: { most: MEBIBYTES, what: "MiB of reserved memory" },
  memoryLimitMiB: { most: MEBIBYTES, what: "MiB as the memory limit" },
  cpuReservationMHz: { most: INTEGER, what: "MHz of CPU reservation" },
  cpuLimitMHz: { most: INTEGER, what: "MHz as the CPU limit" },
  vnumaMinVcpus: { most: INTEGER, what: "vCPUs as the minimum for virtual NUMA" },
  maxVcpusPerVnumaNode: { most: INTEGER, what: "vCPUs per virtual NUMA node" },
  maxVcpusPerPhysicalNode: { most: INTEGER, what: "vCPUs per physical NUMA node" },
  maxVcpusPerClient: { most: INTEGER, what: "vCPUs per NUMA client" },
  storedNodeSize: { most: INTEGER, what: "vCPUs as the stored node size" },
};

/** Returns the largest supported value of a setting; infinity for a setting without a ceiling. */
export const mostOf = (name: SettingName): number => CEILINGS[name]?.most ?? Infinity;

const NAMES = Object.keys(CEILINGS) as readonly SettingName[];

/** Returns the settings of a VM, with every number above its ceiling unknown and reported. */
export function withinCeilings(settings: Settings): { readonly settings: Settings; readonly problems?: readonly Problem[] } {
  const within: Record<string, Setting<unknown>> = {};
  const problems: Problem[] = [];
  for (const name of NAMES) {
    const setting: Setting<unknown> = settings[name];
    const ceiling = CEILINGS[name];
    if (!ceiling || setting.state !== "known" || typeof setting.value !== "number" || setting.value <= ceiling.most) continue;
    const { value, range } = setting;
    const { most, what: title } = ceiling;
    within[name] = { state: "unknown", reason: `${value} ${title} are more than any ESXi host has`, range };
    problems.push({ ruleId: "spec/too-large", messageId: "large", data: { setting: name, value, what: title, most }, range });
  }
  return problems.length === 0 ? { settings } : { settings: { ...settings, ...within } as Settings, problems };
}
