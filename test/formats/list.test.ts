import { readdirSync, readFileSync } from "node:fs";
import { formats, formatsOf, NOTHING_GIVEN } from "@vmlint/core/program";
import { expect, test } from "vitest";

const folder = new URL("../../packages/core/src/formats/", import.meta.url);

/** A file of `formats`, with all its imports. */
function reachedFrom(file: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file.pathname)) return seen;
  seen.add(file.pathname);
  const targets = readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g);
  for (const [, target = ""] of targets) if (new URL(target, file).href.startsWith(folder.href)) reachedFrom(new URL(target, file), seen);
  return seen;
}

test("every folder of formats leads to the list", () => {
  const reached = [...reachedFrom(new URL("index.ts", folder))].map((path) => path.slice(folder.pathname.length).split("/")[0]);
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !reached.includes(name))).toEqual([]);
});

test.each(formats)("$name is found by its endings, and reads a text without a VM", async (entry) => {
  const path = `a${entry.extensions[0]}`;
  expect(formatsOf(path)).toContain(entry);
  const format = await entry.load();
  expect(format.read({ paths: [path], text: "", inputs: NOTHING_GIVEN }).vms).toEqual([]);
  if (format.unpack) expect(entry.isPacked).toBe(true);
  // The guide has a page for it, or names its ending on the page of another.
  const pages = readdirSync(new URL("../../docs/guide/formats/", import.meta.url)).filter((name) => name.endsWith(".md"));
  const guide = pages.map((name) => readFileSync(new URL(`../../docs/guide/formats/${name}`, import.meta.url), "utf8")).join("\n");
  expect(guide.toLowerCase()).toContain(entry.extensions[0]?.slice(1));
});
