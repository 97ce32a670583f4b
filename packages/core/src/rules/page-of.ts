import type { Rule, RulePage } from "./define.ts";
import * as builtin from "./pages.ts";

const pages: Readonly<Record<string, () => RulePage>> = builtin;

/** Returns the page of a rule. A rule without texts has a page with its id. */
export const pageOf = ({ id, page }: Rule): RulePage => page ?? pages[pageName(id)]?.() ?? { ...EMPTY, summary: id };

/** Returns the name of a built-in rule in generated lists. With its family, it is no word of the language, as `type` of `vmx/type` would be. */
export const pageName = (id: string): string => id.replace(/[-/](.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the summary of the rule with an id; `undefined` if there is no such rule. */
export function summaryIn(rules: readonly Rule[], id: string): string | undefined {
  const rule = rules.find((one) => one.id === id);
  return rule && pageOf(rule).summary;
}

const EMPTY = { why: "", whenNot: "", sources: [], bad: [], good: [] };
