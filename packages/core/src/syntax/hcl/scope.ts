import type { Functions } from "./functions/define.ts";
import { unknownValue, type Value } from "./value.ts";

/** What stands for a family of names and is no value itself: `var`, `local`, `each`, `data.vsphere_host`. */
export interface Namespace {
  readonly kind: "namespace";
  readonly get: (name: string) => Value | Namespace;
  /** All of it as one value, for what is written without a name behind it. */
  readonly whole: () => Value;
}

/** Where an expression is evaluated: what its names mean, and what work is left. */
export interface Scope {
  /** Where its file begins in the text of all files: what is added to its ranges. */
  readonly offset: number;
  readonly name: (name: string) => Value | Namespace;
  readonly functions: Functions;
  readonly meter: Meter;
  /** What a splat is applied to. */
  readonly item?: Value;
}

/** A namespace whose members are looked up one by one. */
export const namespace = (name: string, get: (name: string) => Value | Namespace): Namespace => ({
  kind: "namespace",
  get,
  whole: () => unknownValue(`${name} is not a value by itself`),
});

/** The same scope with more names, as inside of a `for` or a `dynamic` block. */
export const withNames = (scope: Scope, names: ReadonlyMap<string, Value | Namespace>): Scope => ({
  ...scope,
  name: (name) => names.get(name) ?? scope.name(name),
});

const MAX_DEPTH = 250;

/** Counts the work of all evaluations that belong together, so that no file can keep us busy. */
export class Meter {
  #left: number;
  readonly #all: Meter | undefined;
  #depth = 0;
  /** How often something was unknown; `try` compares it to see whether it can be sure. */
  unknowns = 0;

  /** With `all`, the work counts there, too: many evaluations have more together than each of them, and less than all of them. */
  constructor(steps = 1_000_000, all?: Meter) {
    this.#left = steps;
    this.#all = all;
  }

  /** Takes `steps` of what is left; false when there are no more. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left > 0 && (this.#all?.spend(steps) ?? true);
  }

  /** Goes one level down, if that is allowed; `leave` goes up again. */
  enter(): boolean {
    if (this.#depth >= MAX_DEPTH || !this.spend(1)) return false;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }
}
