import { readFileSync } from "node:fs";
import { VERSION } from "@vmlint/core";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test.each(["package.json", "packages/core/package.json", "packages/cli/package.json", "packages/vscode-ext/package.json"])(
  "%s has the one version",
  (path) => {
    expect(JSON.parse(read(path)).version).toBe(VERSION);
  },
);

test("the changelog lists it", () => {
  expect(read("CHANGELOG.md")).toContain(`## ${VERSION}`);
});
