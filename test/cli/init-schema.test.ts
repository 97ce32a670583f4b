import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { folder } from "../support/folder.ts";

// A release sets it; these sources have no repository yet.
vi.mock("../../packages/core/src/version.ts", async (original) => ({
  ...(await original<object>()),
  REPOSITORY: "https://github.com/example/vmlint",
}));

const { main } = await import("../../packages/cli/src/main.ts");
const { outside } = await import("../../packages/cli/src/process-io.ts");

test.each([
  [["init"], "vmlint.yaml", "vmlint"],
  [["init", "--spec"], "vm.yaml", "vm-spec"],
])("vmlint %j leads editors to the schema of the release", async (words, file, schema) => {
  const cwd = folder({ "a.vmx": 'numvcpus = "4"\n' });
  expect(await main(words, outside({ cwd, env: {}, isTerminal: false, print: () => {} }))).toBe(0);
  const [first] = readFileSync(join(cwd, file), "utf8").split("\n");
  expect(first).toBe(`# yaml-language-server: $schema=https://github.com/example/vmlint/releases/latest/download/${schema}.schema.json`);
});
