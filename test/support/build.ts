import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

/** What a test file imports that runs the built command. */
const NEEDS_COMMAND = /support\/(?:cli|lsp|editor|plugin|vcenter)\.ts"|scripts\/|dist\/|integrations|VMLINT_/;

/** Builds the command once, where a test file of this run drives it as users do. */
export default async function build(project: TestProject): Promise<void> {
  const { testFiles } = await project.globTestFiles(process.argv.slice(2).filter((word) => word.endsWith(".test.ts")));
  if (!testFiles.some((file) => NEEDS_COMMAND.test(readFileSync(file, "utf8")))) return;
  execFileSync(process.execPath, [fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url))], { stdio: "inherit" });
}
