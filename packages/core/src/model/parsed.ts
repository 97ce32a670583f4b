import type { Problem } from "./problem.ts";
import type { Range } from "./source.ts";
import type { VmSpec } from "./spec.ts";

/** What every parser returns. It never throws on what a user wrote: a VM it half understood still comes back. */
export interface Parsed<Vms extends Iterable<VmSpec> = readonly VmSpec[]> {
  readonly vms: Vms;
  readonly problems: readonly Problem[];
  /** Set when the file is not a VM definition at all: why. Nothing else is then reported about it. */
  readonly foreign?: string;
  /** How many values come from a place, or how many VMs what is around it makes. Missing where it is never more than one. */
  readonly users?: ((range: Range) => number) | undefined;
}
