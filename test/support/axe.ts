import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** Returns the violations that axe finds in a page: the rule and the elements. */
export async function axeViolations(page: Page | Frame): Promise<readonly string[]> {
  // A debugger may evaluate what the policy of a page forbids its scripts.
  await page.evaluate(`{ ${AXE} }`);
  const violations = await page.evaluate<readonly Violation[]>(
    "axe.run({ resultTypes: ['violations'] }).then((found) => found.violations)",
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}
