import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { LintedVm } from "./target.ts";

/** A VM that has a host. */
export interface HostedVm extends LintedVm {
  readonly target: LintedVm["target"] & { readonly host: HostModel };
}

/**
 * Most VMs that ESXi runs on one machine (secondary: umatechnology.org, "How Many Virtual Machines Can I Run on VMware
 * ESXi": 1024 per host). More of one host are a cluster, of which nothing is to be said.
 */
export const MOST_VMS = 1024;

/** Picks the VMs that rules over several need, of one file after another: those with a host, but never a cluster of them. */
export function hostedVms(): (vms: readonly LintedVm[]) => readonly HostedVm[] {
  const counts = new Map<string, number>();
  const isWanted = (vm: LintedVm): vm is HostedVm => {
    const { host, machine } = vm.target;
    if (host === undefined || machine !== undefined) return host !== undefined;
    const count = (counts.get(sameHost(host)) ?? 0) + 1;
    counts.set(sameHost(host), count);
    // One too many shows that the others are a cluster.
    return count <= MOST_VMS + 1;
  };
  return (vms) => vms.filter(isWanted);
}

const keys = new WeakMap<HostModel, string>();

/** A machine for all VMs whose hosts have the same name and the same facts; no declared machine is called so. */
export function sameHost(host: HostModel): string {
  return getOrInsert(keys, host, () => JSON.stringify(host));
}
