import type { VmSpec } from "../model/spec.ts";
import { appliesTo, type Rule } from "../rules/define.ts";
import { casesFor } from "./cases.ts";
import type { HostedVm } from "./hosted-vms.ts";

/** With more combinations, VMs with unknown settings count as missing. */
const MOST_COMBINATIONS = 64;

/**
 * Returns a VM with each combination of possible values of its unknown settings, for the settings that a rule reads. A combination is
 * `undefined` if the rule does not apply to the VM then. Returns `undefined` if there are too many combinations, or if the VM is not final.
 */
export function possibleSpecs(rule: Rule, { spec, target }: HostedVm): readonly (VmSpec | undefined)[] | undefined {
  // Several texts define its final shape, or none states how many there are.
  if (spec.changes || spec.hasUnknownCount) return undefined;
  const specs = casesFor({ spec, target }, rule.reads, undefined)?.map(({ vm }) => vm);
  const applies = specs?.map((one) => appliesTo(rule, one, target.workload));
  return applies?.every((one) => one !== undefined) ? specs?.map((one, i) => (applies[i] ? one : undefined)) : undefined;
}

/** Returns every choice of one item from each list; `undefined` if there are too many. */
export function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] | undefined {
  if (lists.reduce((product, { length }) => product * length, 1) > MOST_COMBINATIONS) return undefined;
  return lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap((one) => list.map((item) => [...one, item])), [[]]);
}
