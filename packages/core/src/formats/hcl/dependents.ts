import type { Trace } from "../../syntax/hcl/value.ts";
import { type Index, isTraversal, type NamedFiles, type ReferencePlace, referencesIn, traversalOf } from "./references.ts";

/** How much else depends on the literal at a place than the arguments that `traces` lead to, all of them from there. */
export type Dependents = (start: number, traces: readonly Trace[]) => number;

/**
 * Follows a literal through the names that it is handed on by, in what the files say: nothing is evaluated, so that it makes no difference
 * what is known. A condition, a key, a part of a text or of a calculation is no way to hand it on: something else comes of it there.
 */
export function dependentsIn(all: Iterable<NamedFiles>): Dependents {
  const index = referencesIn(all);
  return (start, traces) => {
    const origins = index.literals.get(start);
    if (!origins) return 0;
    const way = wayOf(traces);
    // A name that the literal is given on its way may be one by which it was passed over before.
    for (let known = -1; ; ) {
      const count = dependentsOf(origins, way, index);
      const found = way.names.size + way.keyed.size;
      if (found === known) return count;
      known = found;
    }
  };
}

/** How a literal comes to where it is used. */
interface Way {
  /** Where the names of its ways stand. */
  readonly passed: ReadonlySet<number>;
  /** What parts of objects are called that hold it. */
  readonly names: Set<string>;
  /** The names of collections whose keys are computed. */
  readonly keyed: Set<string>;
}

function wayOf(traces: readonly Trace[]): Way {
  const passed = new Set<number>();
  // What `each` and iterators call the element.
  const names = new Set(["value"]);
  for (const { what, range } of traces.flat()) {
    if (typeof what === "string" || !isTraversal(what)) continue;
    passed.add(range[0]);
    for (const name of traversalOf(what).path) if (name !== undefined) names.add(name);
  }
  return { passed, names, keyed: new Set() };
}

/** Walks once over all names that hand on what is at the origins, and adds to the way what it learns of them. */
function dependentsOf(origins: readonly ReferencePlace[], { passed, names, keyed }: Way, { references }: Index): number {
  const reached = new Set<string>();
  let count = 0;
  const reach = ({ to, isArgument, keys, isKeyed }: ReferencePlace, at?: number): void => {
    if (to === undefined) {
      if (!(isArgument && at !== undefined && passed.has(at))) count++;
      return;
    }
    reached.add(to);
    if (isKeyed) keyed.add(to);
    for (const key of keys) names.add(key);
  };
  for (const origin of origins) reach(origin);
  // A set is walked with what is added on the way.
  for (const binding of reached) {
    for (const { start, path, place } of references.get(binding) ?? []) {
      const others = path.filter((name) => name !== undefined && !names.has(name)).length;
      if (others <= (keyed.has(binding) ? 1 : 0)) reach(place, start);
    }
  }
  return count;
}
