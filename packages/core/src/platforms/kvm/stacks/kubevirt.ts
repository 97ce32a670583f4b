/*
 * KubeVirt (https://github.com/kubevirt/kubevirt, d923fdb815cd, after 1.9.0-rc.2): the CPU topology of a definition.
 */

/** Sockets, cores of a socket, and threads of a core. */
export interface CpuShape {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

/** The counts that `spec.domain` states. */
interface DomainCpu extends Partial<CpuShape> {
  /** `resources.limits.cpu` and `resources.requests.cpu`. */
  readonly limit?: number | undefined;
  readonly request?: number | undefined;
}

/** Without topology the limit, else the request, becomes sockets (converter/vcpu/vcpu.go, GetCPUTopology). */
export function shapeOfDomain({ sockets = 0, cores = 0, threads = 0, limit, request }: DomainCpu): CpuShape {
  const isStated = sockets > 0 || cores > 0 || threads > 0;
  const fromResources = Math.ceil(limit || request || 1);
  return { sockets: isStated ? sockets || 1 : fromResources, cores: cores || 1, threads: threads || 1 };
}

/** `spec.cpu` of a preference. */
export interface CpuPreference {
  readonly topology?: string;
  readonly across?: string;
  readonly ratio?: number;
}

/** The ratio of cores to sockets if a preference spreads vCPUs and states none. */
const DEFAULT_RATIO = 2;

/**
 * Returns the topology of an instancetype's vCPUs (pkg/instancetype/apply/cpu.go, and preference/validation/cpu.go for the refusal), or the
 * number that does not divide them. The deprecated names, such as `preferCores`, mean the same.
 */
export function shapeOfInstancetype(vcpus: number, { topology = "", across, ratio = DEFAULT_RATIO }: CpuPreference): CpuShape | number {
  const name = topology.replace(/^prefer/, "").toLowerCase();
  const one = { sockets: 1, cores: 1, threads: 1 };
  if (vcpus === 1) return one;
  if (name === "cores") return { ...one, cores: vcpus };
  if (name === "threads") return { ...one, threads: vcpus };
  if (name !== "spread") return { ...one, sockets: vcpus };
  const [divisor, shape] =
    across === "CoresThreads"
      ? [ratio, { sockets: 1, cores: vcpus / ratio, threads: ratio }]
      : across === "SocketsCoresThreads"
        ? [ratio * 2, { sockets: vcpus / 2 / ratio, cores: ratio, threads: 2 }]
        : [ratio, { sockets: vcpus / ratio, cores: ratio, threads: 1 }];
  return vcpus % divisor === 0 ? shape : divisor;
}

/** The most vCPUs by hot plug that the default ratio makes. */
const MOST_BY_RATIO = 512;

/** `liveUpdateConfiguration` of the cluster. */
export interface LiveUpdate {
  readonly maxCpuSockets?: number | undefined;
  readonly maxHotplugRatio?: number | undefined;
}

/** The most sockets after hot plug (pkg/defaults/defaults.go, setupCPUHotplug). */
export function maxSockets({ sockets, cores, threads }: CpuShape, { maxCpuSockets, maxHotplugRatio = 4 }: LiveUpdate): number {
  if (maxCpuSockets) return Math.max(maxCpuSockets, sockets);
  const perSocket = cores * threads;
  const byRatio = sockets * maxHotplugRatio;
  return Math.max(byRatio * perSocket > MOST_BY_RATIO ? Math.floor(MOST_BY_RATIO / perSocket) : byRatio, sockets);
}

/** The parts of a definition that admission compares. */
export interface AdmittedVm {
  readonly shape: CpuShape;
  readonly maxSockets: number | undefined;
  readonly dedicated: boolean;
  readonly hostNodes: boolean;
  readonly pageMiB: number | undefined;
  readonly memoryMiB: number | undefined;
  readonly limit: number | undefined;
  readonly request: number | undefined;
}

/** Why admission refuses a definition: the message of vmlint with its data, the sentence of KubeVirt, and the field with the mistake. */
export interface Refusal {
  readonly messageId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly field: "numa" | "sockets" | "threads" | "memory" | "cpuLimit" | "cpuRequest";
}

/** The most threads of a core with dedicated CPUs. */
const MOST_THREADS = 2;

/** Returns the first reason of admission (validating-webhook/admitters/vmi-create-admitter.go). */
export function refusalOf(vm: AdmittedVm): Refusal | undefined {
  const { shape, hostNodes, dedicated, pageMiB, memoryMiB } = vm;
  const vcpus = shape.sockets * shape.cores * shape.threads;
  if (hostNodes && !dedicated)
    return { messageId: "shared", data: {}, message: "dedicatedCpuPlacement must be set to true", field: "numa" };
  if (hostNodes && pageMiB === undefined)
    return { messageId: "smallPages", data: {}, message: "memory.hugepages must be requested", field: "numa" };
  if (vm.maxSockets !== undefined && shape.sockets > vm.maxSockets) {
    const message = "Number of sockets in CPU topology is greater than the maximum sockets allowed";
    return { messageId: "sockets", data: { sockets: shape.sockets, maxSockets: vm.maxSockets }, message, field: "sockets" };
  }
  if (dedicated && shape.threads > MOST_THREADS) {
    const message = "Not more than two threads must be provided when DedicatedCPUPlacement is true";
    return { messageId: "threads", data: { threads: shape.threads }, message, field: "threads" };
  }
  if (pageMiB !== undefined && memoryMiB !== undefined && (memoryMiB < pageMiB || memoryMiB % pageMiB !== 0)) {
    const message = "guest memory is not a multiple of the page size memory.hugepages.pageSize";
    return { messageId: "pages", data: { memoryMiB, pageMiB }, message, field: "memory" };
  }
  return dedicated ? refusedCpus(vm, vcpus) : undefined;
}

/** A pod with dedicated CPUs requests as many as the guest has. */
function refusedCpus({ limit, request }: AdmittedVm, vcpus: number): Refusal | undefined {
  const amount = limit ?? request;
  if (amount === undefined || (amount === vcpus && (request === undefined || request === amount))) return undefined;
  const message = "requested CPUs must be a whole number, equal to the limit and to the vCPUs when DedicatedCPUPlacement is true";
  const other = amount === vcpus ? request : amount;
  return {
    messageId: "cpus",
    data: { vcpus, cpus: other },
    message,
    field: limit === undefined || amount === vcpus ? "cpuRequest" : "cpuLimit",
  };
}
