import type { HostModel } from "../model/host.ts";
import { plural } from "../model/words.ts";

/** Returns sentences about assumptions about hosts, and about VMs without a host, counted by the reason. They lack their full stops. */
export function inventoryNotes(used: Iterable<HostModel>, missingVms: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const assumed = new Map<string, string[]>();
  for (const { name, assumed: assumptions = [] } of used)
    for (const assumption of assumptions) assumed.set(assumption, [...(assumed.get(assumption) ?? []), name]);
  const missing = Array.from(missingVms, ([why, vms]) => [why, vms.size] as const).sort(([, a], [, b]) => b - a);
  const rest = missing.slice(MOST_LINES);
  const vms = rest.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...Array.from(assumed, ([assumption, names]) => `${hosts(names)}: assumed ${assumption}`),
    ...missing.slice(0, MOST_LINES).map(([why, count]) => `${plural(count, "VM")}: ${why}`),
    ...(vms > 0 ? [`${plural(vms, "VM")} on ${plural(rest.length, "other host")}: the inventory does not have these hosts, either`] : []),
  ];
}

/** More would bury the report. */
const MOST_LINES = 10;

const hosts = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0 ? `host ${first}` : `host ${first} and ${others.length} more`;
