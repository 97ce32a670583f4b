import type { SettingName, SettingTypes } from "../model/spec.ts";
import * as read from "./values.ts";

type Keys = { readonly [K in SettingName]?: readonly [key: string, read: read.Read<SettingTypes[K]>] };

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
} as const satisfies Keys;

/** The keys a spec's `advanced` map carries, in lower case. */
export const ADVANCED_PREFIXES = ["numa.", "sched.", "cpuid."] as const;

export const isAdvanced = (key: string): boolean => ADVANCED_PREFIXES.some((prefix) => key.startsWith(prefix));
