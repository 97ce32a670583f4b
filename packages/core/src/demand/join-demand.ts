import { addTo } from "../model/maps.ts";
import type { Demand } from "./demand.ts";

/** A VM of an inventory, with the identifiers that exports share. */
export interface Joinable {
  readonly name: string;
  readonly id?: string | undefined;
  readonly server?: string | undefined;
  readonly uuid?: string | undefined;
}

/** The demand of each VM. */
export interface JoinedDemand<T> {
  /** Returns the demand of a VM in each export. */
  readonly of: (vm: T) => readonly Demand[];
  /** Demand of names that no VM has. */
  readonly unknown: readonly Demand[];
  /** Demand of names that several VMs, or several rows of one export, have. */
  readonly ambiguous: readonly Demand[];
}

const KEYS: readonly ((one: Joinable) => string | undefined)[] = [
  ({ id, server }) => (id !== undefined && server !== undefined ? `${id} ${server}`.toLowerCase() : undefined),
  ({ uuid }) => uuid?.toLowerCase().replace(/[^\da-f]/g, "") || undefined,
  ({ id, name }) => (id !== undefined ? `${id} ${name}`.toLowerCase() : undefined),
  ({ name }) => name,
  ({ name }) => name.toLowerCase(),
];

/**
 * Joins demand with VMs: by the managed object ID and the vCenter, the instance UUID, the ID and the name, the exact name, or the name without
 * capitals, the first that a VM has. Only what is unique on both sides joins.
 */
export function joinDemand<T extends Joinable>(vms: readonly T[], demands: readonly Demand[]): JoinedDemand<T> {
  const joined = new Map<T, Demand[]>();
  const unknown: Demand[] = [];
  const ambiguous: Demand[] = [];
  const indexes = KEYS.map((key) => ({ key, vms: indexOf(vms, key) }));
  for (const demand of demands) {
    const found = indexes.map((index) => index.vms.get(index.key(demand) ?? "") ?? []).find(({ length }) => length > 0);
    const [vm, another] = found ?? [];
    if (!vm || isOther(vm, demand)) {
      // A host has many groups of worlds that are no VM.
      if (!demand.isSystem) unknown.push(demand);
    } else if (another || demand.isRepeated) ambiguous.push(demand);
    else addTo(joined, vm, demand);
  }
  for (const [vm, all] of joined) {
    const twice = all.filter((one) => all.some((other) => other !== one && other.path === one.path && other.sheet === one.sheet));
    ambiguous.push(...twice);
    if (twice.length > 0)
      joined.set(
        vm,
        all.filter((one) => !twice.includes(one)),
      );
  }
  return { of: (vm) => joined.get(vm) ?? [], unknown, ambiguous };
}

/** Whether a VM has the same name but another ID in the same vCenter. */
const isOther = (vm: Joinable, { id, server }: Demand): boolean =>
  id !== undefined && vm.id !== undefined && server !== undefined && sameText(server, vm.server) && !sameText(id, vm.id);

const sameText = (a: string, b: string | undefined): boolean => a.toLowerCase() === b?.toLowerCase();

function indexOf<T>(items: readonly T[], key: (item: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const item of items) {
    const own = key(item);
    if (own !== undefined) addTo(index, own, item);
  }
  return index;
}
