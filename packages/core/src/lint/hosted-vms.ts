import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { LintedVm } from "./target.ts";

/** A VM that has a host. */
export interface HostedVm extends LintedVm {
  readonly target: LintedVm["target"] & { readonly host: HostModel };
}

/**
 * The most VMs that ESXi runs on one machine (secondary: umatechnology.org, "How Many Virtual Machines Can I Run on VMware ESXi": 1024 per
 * host). More VMs with the same host are a cluster, so they have no cross-VM checks.
 */
export const MOST_VMS = 1024;

/** Counts the VMs of each host; a host with more VMs than a machine runs needs no further ones. */
export interface HostCounts {
  readonly add: (vms: readonly LintedVm[]) => void;
  readonly isFull: (host: string) => boolean;
}

/** Returns counts of the VMs that no declared machine runs. */
export function hostCounts(): HostCounts {
  const counts = new Map<string, number>();
  return {
    add: (vms) => {
      for (const { target } of vms) {
        if (!target.host || target.machine !== undefined) continue;
        const host = sameHost(target.host);
        counts.set(host, (counts.get(host) ?? 0) + 1);
      }
    },
    // One more than the limit shows that it is a cluster.
    isFull: (host) => (counts.get(host) ?? 0) > MOST_VMS,
  };
}

/**
 * Returns the hosts of VMs, each once; null if a run needs the VMs however many the host has: on a declared machine, observed, or counted
 * because their host is missing.
 */
export const hostKeys = (vms: readonly LintedVm[]): readonly (string | null)[] => [
  ...new Set(
    vms.flatMap((vm) => {
      const { host, machine } = vm.target;
      if (!host) return namesHost(vm) ? [null] : [];
      return [machine !== undefined || vm.spec.observed ? null : sameHost(host)];
    }),
  ),
];

/** Whether a VM names its host. */
const namesHost = ({ spec: { runsOn } }: LintedVm): boolean => (runsOn?.id ?? runsOn?.name) !== undefined;

/** Returns a function that picks the VMs for cross-VM rules, file by file: VMs with a host, but not a whole cluster. */
export function hostedVms(): (vms: readonly LintedVm[]) => readonly HostedVm[] {
  const counts = hostCounts();
  const isWanted = (vm: LintedVm): vm is HostedVm => {
    const { host, machine } = vm.target;
    if (!host || machine !== undefined) return host !== undefined;
    const isFull = counts.isFull(sameHost(host));
    counts.add([vm]);
    return !isFull;
  };
  return (vms) => vms.filter(isWanted);
}

const keys = new WeakMap<HostModel, string>();

/** Returns a machine for all VMs whose hosts have the same name and facts; its name differs from every declared machine. */
export function sameHost(host: HostModel): string {
  return getOrInsert(keys, host, () => JSON.stringify(host));
}

/** Returns a key for the cluster of a VM; `undefined` without other hosts. */
export const clusterOf = ({ host, otherHosts = [] }: LintedVm["target"]): string | undefined =>
  host && otherHosts.length > 0 ? [host, ...otherHosts].map(sameHost).sort().join("\n") : undefined;

/** Whether two VMs share a declared machine or a cluster. */
export function mayMeet(one: LintedVm["target"], other: LintedVm["target"]): boolean {
  const cluster = clusterOf(one);
  return (one.machine !== undefined && one.machine === other.machine) || (cluster !== undefined && cluster === clusterOf(other));
}
