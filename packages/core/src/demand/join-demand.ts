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
  /** Demand of names that several VMs or several exports have. */
  readonly ambiguous: readonly Demand[];
}

/**
 * Joins demand with VMs: by the managed object ID and the vCenter, else by the exact name, else without capitals. Only a name that is
 * unique on both sides joins: of two exports with the same VM, the second is ambiguous.
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
  const indexes = keys.map((key) => ({ key, vms: indexOf(vms, key) }));
  for (const demand of demands) {
    const found = indexes.map((index) => index.vms.get(index.key(demand) ?? "") ?? []).find(({ length }) => length > 0);
    const [vm, another] = found ?? [];
    if (!vm) unknown.push(demand);
    else if (another || demand.isRepeated || joined.has(vm)) ambiguous.push(demand);
    else joined.set(vm, demand);
  }
  return { of: (vm) => joined.get(vm), unknown, ambiguous };
}

function indexOf<T>(items: readonly T[], key: (item: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const item of items) {
    const own = key(item);
    if (own !== undefined) addTo(index, own, item);
  }
  return index;
}
