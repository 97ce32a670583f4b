import type { Demand } from "../demand/demand.ts";
import { joinDemand } from "../demand/join-demand.ts";
import type { LintedVm } from "../lint/target.ts";
import { type RightSized, type RightSizeOptions, rightSizer } from "./right-size.ts";

/** The answer of `vmlint size --estate`. */
export interface RightSizing {
  readonly vms: readonly RightSized[];
  /** Demand of names that no VM has, and of names that several have. */
  readonly unknown: readonly Demand[];
  readonly ambiguous: readonly Demand[];
}

/** A VM of an estate, with the file that lists it. */
export interface EstateVm {
  readonly path: string;
  readonly vm: LintedVm;
}

/** Joins the VMs of an estate with their demand, and sizes each. Templates have no demand, so they are left out. */
export function rightSizeEstate(vms: Iterable<EstateVm>, demands: readonly Demand[], options?: RightSizeOptions): RightSizing {
  const left = Array.from(vms).filter(({ vm: { spec } }) => !spec.template);
  const keys = left.map(({ vm: { spec } }) => ({ name: spec.name, uuid: spec.uuids?.().instance, ...spec.managed?.() }));
  const { of, unknown, ambiguous } = joinDemand(keys, demands);
  const sizeOf = rightSizer(options);
  // Each VM is dropped once it has its size: an estate has many.
  left.reverse();
  const sized = keys.flatMap((key) => {
    const one = left.pop();
    return one ? sizeOf({ ...one, demands: of(key) }) : [];
  });
  return { vms: sized, unknown, ambiguous };
}
