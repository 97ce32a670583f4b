import type { EsxiVersion } from "./esxi.ts";

/** The ESXi machine a VM is checked against, as its firmware shows it to ESXi. */
export interface HostModel {
  /** Short name it is asked for by. */
  readonly name: string;
  /** Processor packages. */
  readonly sockets: number;
  readonly coresPerSocket: number;
  /** 1 when hyper-threading is off or missing. */
  readonly threadsPerCore: number;
  /** Physical NUMA nodes of the whole host: more than `sockets` under SNC, CoD or NPS2/NPS4. */
  readonly numaNodes: number;
  readonly memoryGiB?: number;
  /** Nominal core frequency. */
  readonly mhz?: number;
  readonly esxi?: EsxiVersion;
  readonly cpu?: string;
  /** Cores that share one last-level cache, where that is fewer than a NUMA node's (an AMD CCX). */
  readonly coresPerL3?: number;
  /** Host option `Numa.PreferHT`. */
  readonly preferHt?: boolean;
  /** Host option `Numa.FollowCoresPerSocket`. */
  readonly followCoresPerSocket?: boolean;
  readonly source?: string;
  /**
   * Logical CPUs of each NUMA node, where the host itself says so and they are not simply the first, second ... share of
   * all: ascending, threads of a core together.
   */
  readonly pcpusOfNode?: readonly (readonly number[])[];
  /** What the model rests on although nobody stated it, in words. */
  readonly assumed?: readonly string[];
}

export const coresOf = (host: HostModel): number => host.sockets * host.coresPerSocket;

export const threadsOf = (host: HostModel): number => coresOf(host) * host.threadsPerCore;

export const coresPerNode = (host: HostModel): number => coresOf(host) / host.numaNodes;

const SHORT_FORM = /^(\d+)x(\d+)x(\d+)(?:\/(\d+))?(?::(\d+))?(?:@(.+))?$/;

/** What is wrong with a host model, in words; `undefined` when nothing is. */
export function invalidHost(host: HostModel): string | undefined {
  for (const field of ["sockets", "coresPerSocket", "threadsPerCore", "numaNodes"] as const) {
    if (!(Number.isInteger(host[field]) && host[field] > 0)) return `${field} must be a positive whole number`;
  }
  // 16 sockets, 1,024 threads: above every host maximum VMware has published, and small enough to draw.
  if (threadsOf(host) > 4096) return `${threadsOf(host)} logical CPUs are more than any ESXi release supports`;
  if (coresOf(host) % host.numaNodes !== 0) {
    return `${coresOf(host)} cores do not divide into ${host.numaNodes} NUMA nodes`;
  }
  if (host.memoryGiB !== undefined && !(host.memoryGiB > 0)) return "memoryGiB must be more than 0";
  return host.pcpusOfNode && invalidNumbering(host, host.pcpusOfNode);
}

function invalidNumbering(host: HostModel, nodes: readonly (readonly number[])[]): string | undefined {
  const size = coresPerNode(host) * host.threadsPerCore;
  const all = new Set(nodes.flat());
  if (nodes.length !== host.numaNodes || nodes.some((pcpus) => pcpus.length !== size))
    return `its NUMA nodes must have ${size} logical CPUs each`;
  if (all.size !== threadsOf(host) || Math.max(...all) !== all.size - 1) return "its NUMA nodes must hold every logical CPU once";
  const coresOfNodes = nodes.flatMap((pcpus) => [...new Set(pcpus.map((pcpu) => Math.floor(pcpu / host.threadsPerCore)))]);
  return coresOfNodes.length === coresOf(host) ? undefined : "a core has its threads in two NUMA nodes";
}

/** The short form of a host, which leaves out what it has no place for; `undefined` where it would say something else. */
export function shortFormOf(host: HostModel, esxi?: string): string | undefined {
  const { sockets, coresPerSocket, threadsPerCore, numaNodes, memoryGiB } = host;
  if (numaNodes % sockets !== 0 || host.pcpusOfNode) return undefined;
  const nodes = numaNodes === sockets ? "" : `/${numaNodes / sockets}`;
  const memory = memoryGiB === undefined ? "" : `:${Math.round(memoryGiB)}`;
  return `${sockets}x${coresPerSocket}x${threadsPerCore}${nodes}${memory}${esxi === undefined ? "" : `@${esxi}`}`;
}

/** Splits `SOCKETSxCORESxTHREADS[/NODESPERSOCKET][:MEMORYGiB][@ESXI]`; the version is still text. */
export function parseShortForm(text: string): { readonly host: HostModel; readonly esxi?: string } | undefined {
  const match = SHORT_FORM.exec(text);
  if (!match) return undefined;
  const sockets = Number(match[1]);
  const host = {
    name: text,
    sockets,
    coresPerSocket: Number(match[2]),
    threadsPerCore: Number(match[3]),
    numaNodes: sockets * Number(match[4] ?? 1),
    ...(match[5] !== undefined && { memoryGiB: Number(match[5]) }),
  };
  return { host, ...(match[6] !== undefined && { esxi: match[6] }) };
}
