import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rules } from "@vmlint/core";
import { ruleMarkdown, rulesIndex } from "@vmlint/core/docs";
import { expect, test } from "vitest";

const pages = new URL("../packages/core/docs/rules/", import.meta.url);

test.each(rules)("$id: its page is current (npm run gen)", async (rule) => {
  await expect(await ruleMarkdown(rule)).toMatchFileSnapshot(fileURLToPath(new URL(`${rule.id}.md`, pages)));
});

test("the index of rules is current (npm run gen)", async () => {
  await expect(rulesIndex(rules)).toMatchFileSnapshot(fileURLToPath(new URL("../rules.md", pages)));
});

test("there is no page without a rule", () => {
  const found = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  const named = found.map((file) => file.replaceAll("\\", "/").replace(/\.md$/, ""));
  expect(named.filter((name) => !rules.some(({ id }) => id === name))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});
