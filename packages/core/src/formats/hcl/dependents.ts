import type { Trace } from "../../syntax/hcl/value.ts";
import { type Index, isTraversal, type NamedFiles, type ReferencePlace, referencesIn, traversalOf } from "./references.ts";

/** Returns how many more uses the literal at an offset has, besides the arguments that `traces` lead to. */
type Dependents = (start: number, traces: readonly Trace[]) => number;

/**
 * Follows a literal through all names that pass it on. Nothing is evaluated, so the result does not depend on unknown values. A condition,
 * a key, a part of a text or a calculation does not pass the literal on; it is one use.
 */
export function dependentsIn(groups: Iterable<NamedFiles>): Dependents {
  const index = referencesIn(groups);
  return (start, traces) => {
    const origins = index.literals.get(start);
    if (!origins) return 0;
    const way = wayOf(traces);
    // A new name of the literal may match references that the previous pass skipped.
    for (let previous = -1; ; ) {
      const count = dependentsOf(origins, way, index);
      const total = way.names.size + way.keyed.size;
      if (total === previous) return count;
      previous = total;
    }
  };
}

/** The names and collections that a literal passes through. */
interface LiteralFlow {
  /** The offsets of names in its traces. */
  readonly passed: ReadonlySet<number>;
  /** The keys of objects that contain it. */
  readonly names: Set<string>;
  /** The names of collections with computed keys. */
  readonly keyed: Set<string>;
}

function wayOf(traces: readonly Trace[]): LiteralFlow {
  const passed = new Set<number>();
  // The names for the element in `each` and in iterators.
  const names = new Set(["value"]);
  for (const { what, range } of traces.flat()) {
    if (typeof what === "string" || !isTraversal(what)) continue;
    passed.add(range[0]);
    for (const name of traversalOf(what).path) if (name !== undefined) names.add(name);
  }
  return { passed, names, keyed: new Set() };
}

/** Visits all references to names of the literal once, and adds new names and collections. */
function dependentsOf(origins: readonly ReferencePlace[], { passed, names, keyed }: LiteralFlow, { references }: Index): number {
  const bindings = new Set<string>();
  let count = 0;
  const reach = ({ to, isArgument, keys, isKeyed }: ReferencePlace, at?: number): void => {
    if (to === undefined) {
      if (!(isArgument && at !== undefined && passed.has(at))) count++;
      return;
    }
    bindings.add(to);
    if (isKeyed) keyed.add(to);
    for (const key of keys) names.add(key);
  };
  for (const origin of origins) reach(origin);
  // Iterating over a set includes elements that are added meanwhile.
  for (const binding of bindings) {
    for (const { start, path, place } of references.get(binding) ?? []) {
      const otherNames = path.filter((name) => name !== undefined && !names.has(name)).length;
      if (otherNames <= (keyed.has(binding) ? 1 : 0)) reach(place, start);
    }
  }
  return count;
}
