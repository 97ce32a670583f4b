import { formatEsxi } from "../model/esxi.ts";
import type { HostModel } from "../model/host.ts";
import { plural } from "../model/words.ts";

/** The settings of a host in `hosts:` of a configuration. */
export type HostFacts = Readonly<Record<string, string | number | boolean>>;

/** Returns the settings that describe a host. The numbers of unusual pCPUs, uneven memory, and facts for KVM have no setting. */
export function factsOf(host: HostModel): HostFacts {
  const { esxi, sockets, coresPerSocket, threadsPerCore, numaNodes, memoryGiB, nvmeTierGiB, mhz, coresPerL3, cpu } = host;
  const facts = {
    esxi: esxi && formatEsxi(esxi),
    sockets,
    coresPerSocket,
    threadsPerCore,
    // Some processors show several nodes per socket by default.
    numaNodes: numaNodes !== sockets || cpu !== undefined ? numaNodes : undefined,
    memoryGiB,
    nvmeTierGiB,
    mhz,
    coresPerL3,
    preferHt: host.preferHt,
    followCoresPerSocket: host.followCoresPerSocket,
    cpu,
  };
  return Object.fromEntries(Object.entries(facts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** Whether `factsOf` describes a host completely. */
export const isDescribed = ({ pcpusOfNode, unevenMemory, runs }: HostModel): boolean =>
  pcpusOfNode === undefined && !unevenMemory && runs === undefined;

/** Returns a host in words: `2 sockets x 20 cores x 2 threads, 768 GiB, ESXi 8.0`. */
export const hostInWords = ({ sockets, coresPerSocket, threadsPerCore, memoryGiB, esxi }: HostModel): string =>
  [
    [plural(sockets, "socket"), plural(coresPerSocket, "core"), plural(threadsPerCore, "thread")].join(" x "),
    ...(memoryGiB === undefined ? [] : [`${memoryGiB} GiB`]),
    ...(esxi ? [`ESXi ${formatEsxi(esxi)}`] : []),
  ].join(", ");

/** Returns a name for a host from the name of its dump. */
export function hostNameOf(path: string): string {
  const base = path.replace(/^.*[\\/]/, "").replace(/\.(?:txt|json|xml|out|log)$/i, "");
  const word = base.replace(/[^\w-]+/g, "-").replace(/^-|-$/g, "");
  return /[A-Za-z]/.test(word) ? word : "lab";
}
