import type { Evidence } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { completePage } from "./complete-page.ts";
import type { BuiltinPage, Rule, RulePage } from "./define.ts";
import { rules as builtinRules } from "./index.ts";
import * as builtin from "./pages.ts";

const pages: Readonly<Record<string, () => BuiltinPage>> = builtin;

/** Returns the page of a rule. A rule without texts has a page with its id. */
export const pageOf = ({ id, page, messageIds }: Rule): RulePage =>
  page ?? getOrInsert(made, id, () => completePage(pages[pageName(id)]?.() ?? { ...EMPTY, summary: id }, messageIds[0]));

const made = new Map<string, RulePage>();

/** Returns the name of a built-in rule in generated lists. With its family, it is no word of the language, as `type` of `vmx/type` would be. */
export const pageName = (id: string): string => id.replace(/[-/](.)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the page of the rule with an id; `undefined` if there is no such rule. */
export type PageById = (id: string) => RulePage | undefined;

/** Returns a function for the pages of rules. */
export function pagesOf(rules: readonly Rule[] = builtinRules): PageById {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return (id) => {
    const rule = byId.get(id);
    return rule && pageOf(rule);
  };
}

/** Returns the evidence of a page as structured reports contain it. */
export const evidenceOf = ({ evidence }: Pick<RulePage, "evidence"> = {}): Evidence | null =>
  evidence ? { figure: evidence.figure, source: evidence.source.title, against: evidence.against ?? null } : null;

const EMPTY = { why: "", whenNot: "", sources: [], bad: [], good: [] };
