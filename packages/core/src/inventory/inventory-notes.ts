import type { HostModel } from "../model/host.ts";
import { plural } from "../model/words.ts";

/** How VMs and hosts were joined. */
export interface Joins {
  /** The VMs that are checked on the hosts of their cluster, by the cluster. */
  readonly anyOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The hosts with another name in the rows of VMs. */
  readonly taken: ReadonlySet<string>;
  /** Whether any VM is on its own host. */
  readonly areJoined: boolean;
}

/** Returns sentences about assumptions about hosts, and about VMs without a host, counted by the reason. They lack their full stops. */
export function inventoryNotes(
  used: Iterable<HostModel>,
  missingVms: ReadonlyMap<string, ReadonlySet<string>>,
  { anyOf, taken, areJoined }: Joins,
): readonly string[] {
  const assumed = new Map<string, string[]>();
  for (const { name, assumed: assumptions = [] } of used)
    for (const assumption of assumptions) assumed.set(assumption, [...(assumed.get(assumption) ?? []), name]);
  const missing = Array.from(missingVms, ([why, vms]) => [why, vms.size] as const).sort(([, a], [, b]) => b - a);
  const clusters = Array.from(anyOf, ([cluster, vms]) => [cluster, vms.size] as const).sort(([, a], [, b]) => b - a);
  const onClusters = clusters.reduce((sum, [, count]) => sum + count, 0);
  const names = clusters.slice(0, MOST_NAMES).map(([cluster, count]) => `${cluster} (${plural(count, "VM")})`);
  const rest = missing.slice(MOST_LINES);
  const vms = rest.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...Array.from(assumed, ([assumption, names]) => `${hosts(names)}: assumed ${assumption}`),
    ...(onClusters > 0
      ? [`${plural(onClusters, "VM")}: the inventory lacks the host, so the hosts of the cluster count: ${listed(names, clusters.length)}`]
      : []),
    ...(onClusters > 0 && !areJoined ? ["no VM names a host of the inventory, so the hosts probably have other names there"] : []),
    ...(taken.size > 0 ? [listed([...taken].slice(0, MOST_NAMES), taken.size)] : []),
    ...missing.slice(0, MOST_LINES).map(([why, count]) => `${plural(count, "VM")}: ${why}`),
    ...(vms > 0 ? [`${plural(vms, "VM")} on ${plural(rest.length, "other host")}: the inventory does not have these hosts, either`] : []),
  ];
}

/** More would bury the report. */
const MOST_LINES = 10;

const MOST_NAMES = 5;

const listed = (shown: readonly string[], all: number): string =>
  `${shown.join(", ")}${all > shown.length ? ` and ${all - shown.length} more` : ""}`;

const hosts = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0 ? `host ${first}` : `host ${first} and ${others.length} more`;
