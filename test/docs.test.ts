import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rules } from "@vmlint/core";
import { ruleMarkdown, rulesIndex } from "@vmlint/core/docs";
import { expect, test } from "vitest";
import * as SOURCES from "../packages/core/src/model/sources.ts";

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

test("each source leads to a page that its vendor still has, in English if it has one", () => {
  const sources = Object.values(SOURCES);
  const moved = /^https?:\/\/(?:docs|pubs|kb|core|communities)\.vmware\.com/;
  expect(sources.filter(({ url = "" }) => moved.test(url)).map(({ key }) => key)).toEqual([]);
  expect(sources.filter(({ title }) => title.includes("(read in ")).map(({ key }) => key)).toEqual([]);
  expect(sources.length).toBeGreaterThan(100);
});

test("the sources without a living page do not become more", () => {
  expect(Object.values(SOURCES).filter(({ title }) => title.includes("no living page found")).length).toBeLessThanOrEqual(6);
});
