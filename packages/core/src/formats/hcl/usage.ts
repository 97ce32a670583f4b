import { addTo, getOrInsert } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import { lastWhere } from "../../model/search.ts";
import type { Range } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import type { Trace } from "../../syntax/hcl/value.ts";
import { dependentsIn } from "./dependents.ts";
import type { NamedFiles } from "./references.ts";
import type { SettingReader } from "./setting-reader.ts";

/** A VM with the block of its resource. */
export interface BlockVm {
  readonly vm: VmSpec;
  readonly reader: SettingReader;
  readonly block: Range;
}

/**
 * Returns a function that counts the uses of a literal: values of VMs, unchanged or computed, and other uses. For a range without literal,
 * it counts the VMs of the enclosing block.
 */
export function usageOf(vms: readonly BlockVm[], modules: () => Iterable<NamedFiles>): (range: Range) => number {
  const literals = once(() => byLiteral(vms));
  const traces = once(() => tracesByLiteral(vms));
  const dependents = once(() => dependentsIn(modules()));
  const blocks = once(() => byBlock(vms));
  const counts = new Map<number, number>();
  const usersAt = (start: number): number | undefined => {
    const users = literals().get(start);
    if (users === undefined) return undefined;
    return users + getOrInsert(counts, start, () => dependentsAt(start));
  };
  const dependentsAt = (start: number): number => {
    const ways = traces().get(start) ?? [];
    // A literal that is itself an argument has no other use.
    return ways.every(({ length }) => length === 1) ? 0 : dependents()(start, ways);
  };
  return ([start, end]) => {
    // An edit of a text leaves out its quotes.
    const users = end > start ? (usersAt(start) ?? usersAt(start - 1)) : undefined;
    if (users !== undefined) return users;
    // Blocks are sorted and do not overlap.
    const block = blocks()[lastWhere(blocks(), ({ range }) => range[0] <= start)];
    return block && end <= block.range[1] ? block.count : 0;
  };
}

/** Returns the traces by the offset of their literal. */
function tracesByLiteral(vms: readonly BlockVm[]): ReadonlyMap<number, readonly Trace[]> {
  const traces = new Map<number, Trace[]>();
  for (const { reader } of vms) {
    for (const { trace } of reader.reads) {
      const start = trace[0]?.range[0];
      if (start !== undefined) addTo(traces, start, trace);
    }
  }
  return traces;
}

interface UsedBlock {
  readonly range: Range;
  readonly count: number;
}

/** Counts values by the literals in their traces. Two reads of one argument, for two rules, count once. */
function byLiteral(vms: readonly BlockVm[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { vm, reader } of vms) {
    // Devices are read on demand.
    vm.devices();
    const uses = new Map<number, Set<number>>();
    for (const { trace } of reader.reads) {
      const use = trace.at(-1)?.range[0];
      if (use === undefined) continue;
      for (const { range } of trace) getOrInsert(uses, range[0], () => new Set()).add(use);
    }
    for (const [start, { size }] of uses) counts.set(start, (counts.get(start) ?? 0) + size);
  }
  return counts;
}

function byBlock(vms: readonly BlockVm[]): readonly UsedBlock[] {
  const counts = new Map<number, { readonly range: Range; count: number }>();
  for (const { block } of vms) {
    getOrInsert(counts, block[0], () => ({ range: block, count: 0 })).count++;
  }
  return [...counts.values()].sort((a, b) => a.range[0] - b.range[0]);
}
