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
  return undefined;
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
