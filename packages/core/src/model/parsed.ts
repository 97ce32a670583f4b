import type { Problem } from "./problem.ts";
import type { Range } from "./source.ts";
import type { VmSpec } from "./spec.ts";

/** The result of every parser. Parsers never throw on the text of a user, and return even a partly understood VM. */
export interface Parsed<Vms extends Iterable<VmSpec> = readonly VmSpec[]> {
  readonly vms: Vms;
  readonly problems: readonly Problem[];
  /** Set with the reason if the file does not define a VM. The result then has no problems. */
  readonly foreign?: string;
  /** Returns how many values come from a range, or how many VMs the enclosing block creates. Missing if it is never more than one. */
  readonly countUsers?: ((range: Range) => number) | undefined;
}
