import { VmlintError } from "./errors.ts";
import { type EsxiVersion, formatEsxi } from "./esxi.ts";
import { onceFor } from "./memoize.ts";
import { sequence } from "./sequence.ts";
import { list, valueWords } from "./words.ts";

/** A power policy of a host, in the words of the vSphere Client. */
export type PowerPolicy = "High performance" | "Balanced" | "Low power";

/** The hypervisor of a host, and the version of its stack. */
export interface HostPlatform {
  readonly platform: "esxi" | "kvm";
  readonly version?: string;
}

/** Options of the kubelet's static policy for CPUs (https://kubernetes.io/docs/concepts/policy/node-resource-managers/). */
export const CPU_MANAGER_OPTIONS = [
  "full-pcpus-only",
  "distribute-cpus-across-numa",
  "align-by-socket",
  "distribute-cpus-across-cores",
  "strict-cpu-reservation",
  "prefer-align-cpus-by-uncorecache",
] as const;

/** The facts of a host for KVM. */
export interface KvmHost {
  /** The CPU manager of the kubelet: its policy, the options that are on, and the CPUs that it gives to no pod. */
  readonly kubernetes?: { readonly cpuManager: string; readonly options?: readonly string[]; readonly reservedCpus?: number };
  /** The memory in huge pages, by the MiB of a page. */
  readonly hugePagesMiB?: Readonly<Record<string, number>>;
}

/** Returns what a host runs; `undefined` if it is unknown. */
export const runsOf = ({ runs, esxi }: Pick<HostModel, "runs" | "esxi">): HostPlatform | undefined =>
  runs ?? (esxi && { platform: "esxi", version: formatEsxi(esxi) });

/**
 * The machine a VM is checked against, as its firmware presents it to ESXi.
 *
 * @example
 * const { sockets, coresPerSocket }: HostModel = requireHost("2x20x2:768@8.0");
 */
export interface HostModel {
  /** The name in options and configurations. */
  readonly name: string;
  /** Processor packages. */
  readonly sockets: number;
  readonly coresPerSocket: number;
  /** 1 when hyper-threading is off or missing. */
  readonly threadsPerCore: number;
  /** Physical NUMA nodes of the whole host: more than `sockets` under SNC, CoD or NPS2/NPS4. */
  readonly numaNodes: number;
  /** DRAM, without the NVMe of memory tiering. */
  readonly memoryGiB?: number;
  /** NVMe that memory tiering adds to the memory. */
  readonly nvmeTierGiB?: number;
  /** Whether the NUMA nodes have unequal shares of the memory, or some memory is on a node without CPUs. */
  readonly unevenMemory?: boolean;
  /** Nominal core frequency. */
  readonly mhz?: number;
  /** The release if it runs ESXi. */
  readonly esxi?: EsxiVersion;
  /** The hypervisor of a host that runs no ESXi. */
  readonly runs?: HostPlatform;
  readonly kvm?: KvmHost;
  readonly cpu?: string;
  /** Cores that share one last-level cache, if fewer than in a NUMA node (an AMD CCX). */
  readonly coresPerL3?: number;
  /** Host option `Numa.PreferHT`. */
  readonly preferHt?: boolean;
  /** Host option `Numa.FollowCoresPerSocket`. */
  readonly followCoresPerSocket?: boolean;
  /** Set if the processors have hyper-threading and it is off. */
  readonly hyperthreadingOff?: true;
  /** The host's power policy. */
  readonly powerPolicy?: PowerPolicy;
  readonly source?: string;
  /** The logical CPUs of each NUMA node if the host reports them in an unusual order: ascending, threads of a core together. */
  readonly pcpusOfNode?: readonly (readonly number[])[];
  /** The core and the NUMA node of each logical CPU as Linux numbers them; missing if the host does not list them. */
  readonly linuxCpus?: readonly { readonly core: number; readonly node: number }[];
  /** Facts that the model assumes, in words. */
  readonly assumed?: readonly string[];
}

export const coresOf = (host: HostModel): number => host.sockets * host.coresPerSocket;

/** Returns a key of the facts that hosts of one kind share. Names, clocks and power policies may differ. */
export const hostKind = onceFor(({ name: _, assumed: __, source: ___, powerPolicy: ____, mhz: _____, ...rest }: HostModel): string =>
  JSON.stringify(rest),
);

export const threadsOf = (host: HostModel): number => coresOf(host) * host.threadsPerCore;

export const coresPerNode = (host: HostModel): number => coresOf(host) / host.numaNodes;

/** Returns the logical CPUs of a NUMA node: the reported ones, otherwise consecutive shares. */
export function pcpusOf(host: HostModel, node: number): readonly number[] {
  const size = coresPerNode(host) * host.threadsPerCore;
  return host.pcpusOfNode?.[node] ?? sequence(size, (i) => node * size + i);
}

/** Matches texts meant as a short form: a number and an x, without a processor after it. */
const LIKE_SHORT_FORM = /^\s*[-+.\d]+\s*[x\u00d7*]\s*(?:[-+.\d]|$)/i;

/** `2x Xeon Gold 6148:768@8.0` differs from a short form by its letters, `2x 7742` and `2x 73F3` by the digits of a model. */
const PROCESSORS = /^\s*\d{1,3}\s*[x\u00d7*]\s*(?:[a-z]|\d{4}(?!\d*\s*[x\u00d7*]\s*\d)|\d{1,2}[a-wyz]\d)/i;

/** Whether a text means a number of processors, rather than a short form. */
export const isCountedProcessors = (text: string): boolean => PROCESSORS.test(text);

/** Whether a text means a description of hwloc, `pack:4 numa:1 core:10 pu:2`: it has words with numbers, which names do not have. */
export const isDescription = (text: string): boolean => /(^|[\s\]])[a-z]\w*:\d/i.test(text);

/** The parts of a short form, valid or not. */
const PARTS = /^([^x]*)x([^x/:@]*)(?:x([^/:@]*))?(?:\/([^:@]*))?(?::([^@]*))?(?:@(.*))?$/;

const PART_NAMES = ["sockets", "cores per socket", "threads per core", "NUMA nodes per socket", "GiB of memory"];

/** The NUMA nodes and all parts after them are optional. */
const FIRST_OPTIONAL = 3;

/** More than x86 processors can address (52 bits of a physical address: AMD64 Architecture Programmer's Manual, volume 2). */
const MAX_MEMORY_GIB = 2 ** 22;

/** Returns a sentence about the error in a host model; `undefined` for a valid one. */
export function invalidHost(host: HostModel): string | undefined {
  for (const field of ["sockets", "coresPerSocket", "threadsPerCore", "numaNodes"] as const) {
    if (!(Number.isInteger(host[field]) && host[field] > 0)) return `${field} must be a positive whole number`;
  }
  // 16 sockets, 1,024 threads: above every host maximum VMware has published, and small enough to draw.
  if (threadsOf(host) > 4096) return `${threadsOf(host)} logical CPUs are more than any ESXi release supports`;
  if (coresOf(host) % host.numaNodes !== 0) {
    return `${coresOf(host)} cores do not divide into ${host.numaNodes} NUMA nodes`;
  }
  for (const field of ["memoryGiB", "nvmeTierGiB", "mhz"] as const) {
    const value: unknown = host[field];
    if (value !== undefined && !(typeof value === "number" && value > 0)) return `${field} must be more than 0`;
  }
  if (host.memoryGiB !== undefined && host.memoryGiB > MAX_MEMORY_GIB) return `${host.memoryGiB} GiB are more than any processor addresses`;
  if (host.esxi !== undefined && !isVersion(host.esxi)) return "esxi must be a version, as parseEsxi gives it";
  return host.pcpusOfNode === undefined ? undefined : invalidNumbering(host, host.pcpusOfNode);
}

const isVersion = (version: EsxiVersion | null): boolean =>
  Number.isInteger(version?.major) && Number.isInteger(version?.minor) && (version?.update === null || Number.isInteger(version?.update));

/** Valid numberings, because checking one takes longer than the rest. */
const numbered = new WeakSet<object>();

const isTable = (value: unknown): boolean => Array.isArray(value) && value.every(Array.isArray);

function invalidNumbering(host: HostModel, nodes: readonly (readonly number[])[]): string | undefined {
  const size = coresPerNode(host) * host.threadsPerCore;
  if (!isTable(nodes) || nodes.length !== host.numaNodes || nodes.some((pcpus) => pcpus.length !== size))
    return `its NUMA nodes must have ${size} logical CPUs each`;
  if (numbered.has(nodes)) return undefined;
  const cpus = new Set(nodes.flat());
  if (cpus.size !== threadsOf(host) || Math.max(...cpus) !== cpus.size - 1) return "its NUMA nodes must hold every logical CPU once";
  const coresOfNodes = nodes.flatMap((pcpus) => [...new Set(pcpus.map((pcpu) => Math.floor(pcpu / host.threadsPerCore)))]);
  if (coresOfNodes.length !== coresOf(host)) return "a core has its threads in two NUMA nodes";
  numbered.add(nodes);
  return undefined;
}

const REQUIRED = ["name", "sockets", "coresPerSocket", "threadsPerCore", "numaNodes"] as const;

/** Throws HOST_UNKNOWN if a program passes an invalid host, such as a name. */
export function checkHost(host: HostModel): void {
  const refuse = (what: string, why: string): never => {
    throw new VmlintError("HOST_UNKNOWN", `${what} is no host: ${why}. requireHost finds a host by its name or short form.`);
  };
  if (typeof host !== "object" || host === null) refuse(valueWords(host), "it is no object");
  const missing = REQUIRED.filter((field) => host[field] === undefined);
  if (missing.length > 0) refuse("This object", `${list(missing, "and")} ${missing.length === 1 ? "is" : "are"} missing`);
  if (typeof host.name !== "string") refuse("This object", "name must be a text");
  const wrong = invalidHost(host);
  if (wrong !== undefined) refuse(host.name, wrong);
}

/** Returns the short form of a host without the facts that it cannot express; `undefined` if it would have another meaning. */
export function shortFormOf(host: HostModel, esxi?: string): string | undefined {
  const { sockets, coresPerSocket, threadsPerCore, numaNodes, memoryGiB, unevenMemory } = host;
  if (numaNodes % sockets !== 0 || host.pcpusOfNode) return undefined;
  const nodes = numaNodes === sockets ? "" : `/${numaNodes / sockets}`;
  const memory = memoryGiB === undefined || unevenMemory ? "" : `:${Math.round(memoryGiB)}`;
  return `${sockets}x${coresPerSocket}x${threadsPerCore}${nodes}${memory}${esxi === undefined ? "" : `@${esxi}`}`;
}

/** A split short form: the host with its version as text, or an error, or the correct notation. */
type ShortForm = { readonly host: HostModel; readonly esxi?: string } | { readonly wrong: string } | { readonly spelling: string };

/** Splits `SOCKETSxCORESxTHREADS[/NODESPERSOCKET][:MEMORYGiB][@ESXI]`; `undefined` for any other text. */
export function parseShortForm(text: string): ShortForm | undefined {
  if (!LIKE_SHORT_FORM.test(text)) return undefined;
  const parts = partsOf(text);
  if (wrongPart(parts) === undefined) return { host: hostOf(text, parts), ...(parts[5] !== undefined && { esxi: parts[5] }) };
  const spelling = trimmed(
    trimmed(text.split(/[x\u00d7*]/i))
      .join("x")
      .split(/([/:@])/),
  ).join("");
  const wrong = wrongPart(partsOf(spelling));
  return wrong === undefined ? { spelling } : { wrong };
}

const trimmed = (texts: readonly string[]): readonly string[] => texts.map((text) => text.trim());

type Parts = readonly (string | undefined)[];

const partsOf = (text: string): Parts => PARTS.exec(text)?.slice(1) ?? [];

function wrongPart(parts: Parts): string | undefined {
  for (const [i, name] of PART_NAMES.entries()) {
    const part = parts[i];
    if (part === undefined && i >= FIRST_OPTIONAL) continue;
    if (!part) return `the ${name} are missing`;
    if (!/^0*[1-9]\d*$/.test(part)) return `the ${name} must be a whole number above 0, not "${part}"`;
  }
  return parts[5] === "" ? "the ESXi version is missing" : undefined;
}

function hostOf(name: string, parts: Parts): HostModel {
  const [sockets = 0, coresPerSocket = 0, threadsPerCore = 0] = parts.map(Number);
  const [nodes, memory] = parts.slice(FIRST_OPTIONAL);
  const numaNodes = sockets * Number(nodes ?? 1);
  return { name, sockets, coresPerSocket, threadsPerCore, numaNodes, ...(memory !== undefined && { memoryGiB: Number(memory) }) };
}
