import { ABSENT, type Range, type Setting, unknown, valueIfKnown } from "../model/source.ts";
import type { SettingName, SettingTypes } from "../model/spec.ts";
import * as read from "../syntax/values.ts";

type Keys = { readonly [K in SettingName]?: readonly [key: string, read: read.Read<SettingTypes[K]>] };

/** A setting with its key as documented and in lower case, and the reader of its value. */
export interface Spelling {
  readonly name: SettingName;
  readonly key: string;
  readonly lower: string;
  readonly read: read.Read<unknown>;
}

/** `Object.entries` loses the type of the keys. */
export const spellingsIn = (table: Keys): readonly Spelling[] =>
  Object.entries(table).map(([name, [key, read]]) => ({ name: name as SettingName, key, lower: key.toLowerCase(), read }));

/**
 * Settings that every format spells as ESXi advanced options (`extra_config`, `advanced_settings`, `vmw:ExtraConfig`).
 * Spellings from vSphere Resource Management, "Virtual NUMA Controls" and "Advanced Virtual NUMA Attributes"; cpuid.maxVCPUs: Broadcom KB 340275.
 */
export const ADVANCED = {
  coresPerNumaNode: ["numa.vcpu.coresPerNode", read.natural],
  threadsPerCore: ["cpuid.numSMT", read.count],
  latencySensitivity: ["sched.cpu.latencySensitivity", read.latency],
  cpuAffinity: ["sched.cpu.affinity", read.affinity],
  numaNodeAffinity: ["numa.nodeAffinity", read.numbers],
  memoryAffinity: ["sched.mem.affinity", read.affinity],
  cpuReservationMHz: ["sched.cpu.min", read.natural],
  cpuLimitMHz: ["sched.cpu.max", read.limit],
  memoryReservationMiB: ["sched.mem.min", read.natural],
  memoryReservationLocked: ["sched.mem.pin", read.bool],
  memoryLimitMiB: ["sched.mem.max", read.limit],
  preferHt: ["numa.vcpu.preferHT", read.flag],
  vnumaMinVcpus: ["numa.vcpu.min", read.count],
  maxVcpusPerVnumaNode: ["numa.vcpu.maxPerVirtualNode", read.count],
  maxVcpusPerPhysicalNode: ["numa.vcpu.maxPerMachineNode", read.count],
  maxVcpusPerClient: ["numa.vcpu.maxPerClient", read.count],
  followCoresPerSocket: ["numa.vcpu.followcorespersocket", read.flag],
  numaConsolidate: ["numa.consolidate", read.flag],
  numaAutosize: ["numa.autosize", read.flag],
  numaAutosizeOnce: ["numa.autosize.once", read.flag],
  storedNodeSize: ["numa.autosize.vcpu.maxPerVirtualNode", read.count],
  storedCookie: ["numa.autosize.cookie", read.natural],
  maxVcpusByHotAdd: ["cpuid.maxVCPUs", read.count],
  exposeVnumaOnHotAdd: ["numa.allowHotadd", read.flag],
  cpuShares: ["sched.cpu.shares", read.word],
  memoryShares: ["sched.mem.shares", read.word],
  balloonLimitMiB: ["sched.mem.maxmemctl", read.natural],
  hugePages: ["sched.mem.lpage.enable1GPage", read.bool],
  memoryTiering: ["sched.mem.enableTiering", read.bool],
  hyperthreadSharing: ["sched.cpu.htsharing", read.word],
  consolidateCaches: ["sched.cpu.vsmpConsolidate", read.flag],
  mmuVirtualization: ["monitor.virtual_mmu", read.word],
  cpuVirtualization: ["monitor.virtual_exec", read.word],
} as const satisfies Keys;

/** Returns the text of a flag: `numa.vcpu.followcorespersocket` is documented with 0 and 1, all other flags with words. */
export const flagText = (setting: string, value: boolean, yes = "TRUE", no = "FALSE"): string => {
  const [on, off] = setting === "followCoresPerSocket" ? ["1", "0"] : [yes, no];
  return value ? on : off;
};

/** Returns a value as the text of an option. */
export const optionText = (setting: string, value: unknown): string =>
  typeof value === "boolean" ? flagText(setting, value) : String(value);

/** The lower-case keys of a spec's `advanced` map. */
export const ADVANCED_PREFIXES = ["numa.", "sched.", "cpuid."] as const;

export const isAdvanced = (key: string): boolean => ADVANCED_PREFIXES.some((prefix) => key.startsWith(prefix));

/** Options by key, in lower case. */
type Options = ReadonlyMap<string, Setting<string>>;

/** Returns the number of the vCPU whose affinity a lower-case option sets. */
function pinnedBy(key: string): number | undefined {
  const [, vcpu] = /^sched\.vcpu(\d+)\.affinity$/.exec(key) ?? [];
  return vcpu === undefined ? undefined : Number(vcpu);
}

export const pinsVcpu = (key: string): boolean => pinnedBy(key) !== undefined;

/** Joins the affinities of single vCPUs into one setting. Its range is the first option, and no fix can edit it. */
export function affinityByVcpu(options: Options, vcpus: number | undefined): Setting<readonly number[] | "all"> {
  const numbers = new Set<number>();
  let range: Range | undefined;
  let pinned = 0;
  for (const [key, option] of options) {
    const vcpu = pinnedBy(key);
    if (vcpu === undefined || option.state === "absent" || (vcpus !== undefined && vcpu >= vcpus)) continue;
    const optionNumbers = option.state === "known" ? read.affinity(option.value, option.range) : option;
    if (optionNumbers.state !== "known") return optionNumbers;
    range ??= [...optionNumbers.range];
    if (optionNumbers.value === "all") continue;
    pinned++;
    for (const pcpu of optionNumbers.value) numbers.add(pcpu);
  }
  if (!range) return ABSENT;
  if (vcpus === undefined) return unknown("it is set for each vCPU, and the number of vCPUs is unknown", range);
  if (pinned === vcpus) return { state: "known", value: [...numbers].sort((a, b) => a - b), range };
  return pinned === 0 ? ABSENT : unknown("some of its vCPUs are pinned and some are not", range);
}

/** Reads the joined affinity from the options of a VM whose other settings are already read. */
export function addAffinity(settings: Record<SettingName, Setting<unknown>>, options: Options): void {
  if (settings.cpuAffinity.state === "absent")
    settings.cpuAffinity = affinityByVcpu(options, valueIfKnown(settings.vcpus as Setting<number>));
}
