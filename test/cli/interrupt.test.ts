import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const TWICE = `numvcpus = "4"\nnumvcpus = "4"\n`;
const names = Array.from({ length: 1500 }, (_, i) => `${String(i).padStart(4, "0")}.vmx`);

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s while files are fixed ends with %i, and every file is the old or the new one", async (signal, expected) => {
  const cwd = folder(Object.fromEntries(names.map((name) => [name, TWICE])));
  const child = spawn(process.execPath, [COMMAND, "--fix", "--format", "json:report.json"], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  child.stderr.once("data", () => child.kill(signal));
  child.stderr.resume();
  const [code] = await once(child, "close");
  expect(code).toBe(expected);
  expect(readdirSync(cwd)).toEqual(names);
  const texts = names.map((name) => readFileSync(join(cwd, name), "utf8"));
  expect(texts.filter((text) => text !== TWICE && text !== `numvcpus = "4"\n`)).toEqual([]);
  expect(texts).toContain(TWICE);
  expect(texts[0]).not.toBe(TWICE);
});
