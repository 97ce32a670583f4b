import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The built command. */
export const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/vmlint.cjs", import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command in a folder, as a user would. */
export const vmlint = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): Run =>
  runCommand(COMMAND, cwd, args, env, input);

/** The same with another build of it. */
export function runCommand(
  command: string,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
): Run {
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  const run = spawnSync(process.execPath, [command, ...args], { cwd, env: { ...rest, ...env }, encoding: "utf8", input });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** A temporary folder with files in it, removed after the test. */
export function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), "vmlint-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
