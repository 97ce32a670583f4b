import type { CpuPreference } from "../../platforms/kvm/stacks/kubevirt.ts";

/*
 * The instancetypes and preferences that KubeVirt ships: kubevirt/common-instancetypes, 7c1e305b6d5ac7d80c45d993028dc22d257877c9
 * (after 1.7.0), Apache-2.0.
 */

/** The values of an instancetype that shape a guest. */
export interface Instancetype {
  readonly vcpus: number;
  readonly memoryMiB: number | undefined;
  readonly maxSockets: number | undefined;
  readonly dedicated: boolean;
  readonly isolatesEmulator: boolean;
  readonly hostNodes: boolean;
  readonly pageMiB: number | undefined;
  /** Whether it has vCPUs and memory only, so that fields of the VM can replace it. */
  readonly isPlain: boolean;
}

/** vCPUs by size; series n1 has other sizes. */
const SIZES: Readonly<Record<string, number>> = {
  nano: 1,
  micro: 1,
  small: 1,
  medium: 1,
  "2xmedium": 2,
  large: 2,
  xlarge: 4,
  "2xlarge": 8,
  "4xlarge": 16,
  "8xlarge": 32,
};
const N1_SIZES: Readonly<Record<string, number>> = { medium: 4, large: 4, xlarge: 8, "2xlarge": 16, "4xlarge": 32, "8xlarge": 64 };

/** The MiB of the sizes that do not follow the vCPUs. */
const SMALL_MIB: Readonly<Record<string, number>> = { nano: 512, micro: 1024, small: 2048, "2xmedium": 4096 };

/** The values of all sizes, with GiB for each vCPU. */
interface Series extends Omit<Instancetype, "vcpus" | "memoryMiB" | "maxSockets"> {
  readonly gib: number;
  readonly limitsSockets?: true;
}
const SHARED = { dedicated: false, isolatesEmulator: false, hostNodes: false, pageMiB: undefined, isPlain: false };
const OWN = { ...SHARED, dedicated: true, isolatesEmulator: true };
const SERIES: Readonly<Record<string, Series>> = {
  u1: { ...SHARED, gib: 4, isPlain: true },
  o1: { ...SHARED, gib: 4 },
  cx1: { ...OWN, gib: 2, hostNodes: true, pageMiB: 2, limitsSockets: true },
  d1: { ...OWN, gib: 4 },
  m1: { ...SHARED, gib: 8, pageMiB: 2 },
  n1: { ...OWN, gib: 2, pageMiB: 1024 },
  rt1: { ...OWN, gib: 4, hostNodes: true, pageMiB: 1024 },
};

/** Returns a shipped instancetype; `undefined` for another name. */
export function shippedInstancetype(name: string): Instancetype | undefined {
  const [, seriesName = "", size = "", large] = /^([a-z]+1)\.(\w+?)(1gi)?$/.exec(name) ?? [];
  const series = Object.hasOwn(SERIES, seriesName) ? SERIES[seriesName] : undefined;
  const sizes = seriesName === "n1" ? N1_SIZES : SIZES;
  const vcpus = Object.hasOwn(sizes, size) ? sizes[size] : undefined;
  const isSmall = Object.hasOwn(SMALL_MIB, size);
  if (!series || vcpus === undefined || (large && !["cx1", "m1"].includes(seriesName))) return undefined;
  // Other series do not begin as small.
  if (isSmall && !["u1", "o1", "d1", "rt1"].includes(seriesName)) return undefined;
  const { gib, limitsSockets, ...rest } = series;
  const memoryMiB = name === "n1.medium" ? 4096 : isSmall ? SMALL_MIB[size] : vcpus * gib * 1024;
  return { ...rest, vcpus, memoryMiB, maxSockets: limitsSockets && vcpus, ...(large && { pageMiB: 1024 }) };
}

const SPREAD = { topology: "spread", across: "SocketsCoresThreads" };
const DPDK: CpuPreference = { ...SPREAD, ratio: 4 };
const NONE: CpuPreference = {};

/** Preferences of Linux, and of no system, without a CPU topology. */
const WITHOUT_TOPOLOGY =
  /^(?:alpine|centos\.stream(?:9|10)(?:\.desktop)?|cirros|debian|fedora(?:\.arm64|\.s390x(?:\.secex)?)?|legacy|linux(?:\.efi|\.virtiotransitional)?|opensuse\.(?:leap|tumbleweed)|oraclelinux|rhel\.(?:7|8|9)(?:\.desktop)?|rhel\.(?:9|10)(?:\.arm64|\.s390x(?:\.secex)?)?|sles|ubuntu)$/;
const WINDOWS = /^windows\.(2k3|2k8|2k12|2k16|2k19|2k22|2k25|7|10|11|xp)(?:\.virtio)?$/;

/** Returns the CPU preferences of a shipped preference; `undefined` for another name. Up to 1.7.0, windows.10 and windows.11 prefer sockets. */
export function shippedPreference(name: string): CpuPreference | undefined {
  if (/^(?:rhel\.[89]|centos\.stream9)\.dpdk$/.test(name)) return DPDK;
  if (name === "rhel.9.realtime") return { ...SPREAD, ratio: 2 };
  const [, windows] = WINDOWS.exec(name) ?? [];
  if (windows !== undefined) return { topology: windows === "10" || windows === "11" ? "cores" : "sockets" };
  return WITHOUT_TOPOLOGY.test(name) ? NONE : undefined;
}

/** The ids of ESXi's guests for systems that vmlint knows limits of, by the names in preferences and in templates of OpenShift. */
const GUESTS: Readonly<Record<string, string>> = {
  "2k12": "windows8srv-64",
  "2k16": "windows9srv-64",
  "2k19": "windows2019srv-64",
  "2k22": "windows2022srv-64",
  "2k25": "windows2025srv-64",
  "10": "windows9-64",
  "11": "windows11-64",
};

/** Returns the guest system that a preference or an annotation names: `windows.2k22`, `windows2k22`. */
export function guestOsOf(name: string): string | undefined {
  const [, release = ""] = /^windows\.?(2k\d\d|1[01])(?:\.virtio)?$/.exec(name) ?? [];
  return Object.hasOwn(GUESTS, release) ? GUESTS[release] : undefined;
}
