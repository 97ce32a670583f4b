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

/** Returns a function that picks the VMs for cross-VM rules, file by file: VMs with a host, but not a whole cluster. */
export function hostedVms(): (vms: readonly LintedVm[]) => readonly HostedVm[] {
  const counts = new Map<string, number>();
  const isWanted = (vm: LintedVm): vm is HostedVm => {
    const { host, machine } = vm.target;
    if (host === undefined || machine !== undefined) return host !== undefined;
    const count = (counts.get(sameHost(host)) ?? 0) + 1;
    counts.set(sameHost(host), count);
    // One more than the limit shows that it is a cluster.
    return count <= MOST_VMS + 1;
  };
  return (vms) => vms.filter(isWanted);
}

const keys = new WeakMap<HostModel, string>();

/** Returns a machine for all VMs whose hosts have the same name and facts; its name differs from every declared machine. */
export function sameHost(host: HostModel): string {
  return getOrInsert(keys, host, () => JSON.stringify(host));
}
