import { type Rule, rules } from "@vmlint/core";
import { pageOf, type RulePage } from "@vmlint/core/docs";

/** Returns the page of the built-in rule with an id. */
export function pageNamed(id: string): RulePage {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return pageOf(rule);
}

/** Returns all examples of a rule, the bad ones first. */
export function examplesOf(rule: Rule): RulePage["good"] {
  const { bad, good } = pageOf(rule);
  return [...bad, ...good];
}
