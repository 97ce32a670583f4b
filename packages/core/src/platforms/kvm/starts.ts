import { type HostModel, threadsOf } from "../../model/host.ts";
import type { KvmFacts } from "../../model/spec.ts";

/** The kubelet's options for CPUs that a pod has alone (https://kubernetes.io/docs/concepts/policy/node-resource-managers/). */
const WHOLE_CORES = "full-pcpus-only";
export const SPREAD_OVER_NODES = "distribute-cpus-across-numa";
export const SPREAD_OVER_CORES = "distribute-cpus-across-cores";

/** Why no node like a host runs a VM. */
export type Obstacle =
  | { readonly kind: "shared"; readonly policy: string }
  | { readonly kind: "fewCpus"; readonly cpus: number; readonly free: number }
  | { readonly kind: "partOfCore"; readonly cpus: number; readonly threads: number }
  | { readonly kind: "fewPages"; readonly memoryMiB: number; readonly pageMiB: number; readonly totalMiB: number };

/** Returns the first reason that the facts of a host are enough for. */
export function obstacleOn(
  host: HostModel,
  { dedicated, moreCpus, pageMiB }: Pick<KvmFacts, "dedicated" | "moreCpus" | "pageMiB">,
  { vcpus, memoryMiB }: { readonly vcpus: number; readonly memoryMiB: number | undefined },
): Obstacle | undefined {
  const { kubernetes, hugePagesMiB } = host.kvm ?? {};
  const cpus = vcpus + moreCpus;
  const free = threadsOf(host) - (kubernetes?.reservedCpus ?? 0);
  if (dedicated && kubernetes && kubernetes.cpuManager !== "static") return { kind: "shared", policy: kubernetes.cpuManager };
  if (dedicated && kubernetes && cpus > free) return { kind: "fewCpus", cpus, free };
  if (dedicated && kubernetes?.options?.includes(WHOLE_CORES) && cpus % host.threadsPerCore !== 0)
    return { kind: "partOfCore", cpus, threads: host.threadsPerCore };
  if (pageMiB === undefined || memoryMiB === undefined || !hugePagesMiB) return undefined;
  const totalMiB = hugePagesMiB[pageMiB] ?? 0;
  return memoryMiB > totalMiB ? { kind: "fewPages", memoryMiB, pageMiB, totalMiB } : undefined;
}
