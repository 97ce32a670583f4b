import { addTo } from "../model/maps.ts";
import type { Demand } from "./demand.ts";

/** A VM of an inventory, with the identifiers that exports share. */
export interface Joinable {
  readonly name: string;
  readonly id?: string | undefined;
  readonly server?: string | undefined;
}

/** The demand of each VM. */
export interface JoinedDemand<T> {
  readonly of: (vm: T) => Demand | undefined;
  /** Demand of names that no VM has. */
  readonly unknown: readonly Demand[];
  /** Demand of names that several VMs have, or that several rows of one export have. */
  readonly ambiguous: readonly Demand[];
}

/**
 * Joins demand with VMs: by the managed object ID and the vCenter, else by the exact name, else without capitals. Only a name that is
 * unique on both sides joins. Exports of several files may each have a part of the demand: the first that matches counts.
 */
export function joinDemand<T extends Joinable>(vms: readonly T[], demands: readonly Demand[]): JoinedDemand<T> {
  const joined = new Map<T, Demand>();
  const unknown: Demand[] = [];
  const ambiguous: Demand[] = [];
  const keys: readonly ((one: Joinable) => string | undefined)[] = [
    ({ id, server }) => (id !== undefined && server !== undefined ? `${id} ${server}`.toLowerCase() : undefined),
    ({ id, name }) => (id !== undefined ? `${id} ${name}`.toLowerCase() : undefined),
    ({ name }) => name,
    ({ name }) => name.toLowerCase(),
  ];
  const indexes = keys.map((key) => ({ key, vms: indexOf(vms, key), demands: indexOf(demands, (one) => pathed(one, key)) }));
  for (const demand of demands) {
    const found = indexes.find(({ key, vms }) => vms.has(key(demand) ?? ""));
    const [vm, another] = found?.vms.get(found.key(demand) ?? "") ?? [];
    const isRepeated = found && (found.demands.get(pathed(demand, found.key) ?? "")?.length ?? 0) > 1;
    if (!vm) unknown.push(demand);
    else if (another || isRepeated) ambiguous.push(demand);
    else if (!joined.has(vm)) joined.set(vm, demand);
  }
  return { of: (vm) => joined.get(vm), unknown, ambiguous };
}

/** Rows of two exports may be about the same VM. */
function pathed(demand: Demand, key: (one: Joinable) => string | undefined): string | undefined {
  const own = key(demand);
  return own === undefined ? undefined : `${demand.path}\n${own}`;
}

function indexOf<T>(items: readonly T[], key: (item: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const item of items) {
    const own = key(item);
    if (own !== undefined) addTo(index, own, item);
  }
  return index;
}
