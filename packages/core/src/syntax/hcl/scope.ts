import type { Functions } from "./functions/define-function.ts";
import { unknownValue, type Value } from "./value.ts";

/** A family of names that is not a value itself: `var`, `local`, `each`, `data.vsphere_host`. */
export interface Namespace {
  readonly kind: "namespace";
  readonly get: (name: string) => Value | Namespace;
  /** The namespace as one value, for an expression without a member. */
  readonly whole: () => Value;
}

/** The environment of an evaluation: its names, and its remaining work. */
export interface Scope {
  /** The start of its file in the joined files, which is added to ranges. */
  readonly offset: number;
  readonly name: (name: string) => Value | Namespace;
  readonly functions: Functions;
  readonly meter: Meter;
  /** The element of a splat. */
  readonly item?: Value;
}

/** A namespace that looks up its members one by one. */
export const namespace = (name: string, get: (name: string) => Value | Namespace): Namespace => ({
  kind: "namespace",
  get,
  whole: () => unknownValue(`${name} is not a value by itself`),
});

/** Returns the scope with more names, as inside of a `for` or a `dynamic` block. */
export const withNames = (scope: Scope, names: ReadonlyMap<string, Value | Namespace>): Scope => ({
  ...scope,
  name: (name) => names.get(name) ?? scope.name(name),
});

const MAX_DEPTH = 250;

/** Counts the work of related evaluations, so that no file can block vmlint. */
export class Meter {
  #left: number;
  readonly #all: Meter | undefined;
  #depth = 0;
  /** The number of unknown values so far; `try` compares it to check whether it can be certain. */
  unknowns = 0;

  /** With `all`, the work counts there, too: many evaluations have more together than each of them, and less than all of them. */
  constructor(steps = 1_000_000, all?: Meter) {
    this.#left = steps;
    this.#all = all;
  }

  /** Uses `steps` of the remaining work; returns false if not enough is left. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left > 0 && (this.#all?.spend(steps) ?? true);
  }

  /** Goes one level down if that is allowed; `leave` goes up again. */
  enter(): boolean {
    if (this.#depth >= MAX_DEPTH || !this.spend(1)) return false;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }
}
