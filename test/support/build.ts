import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the command of these sources is built. */
    readonly build: string;
  }
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The sources of the built command. */
const SOURCES = [
  "packages/core/src",
  "packages/cli/src",
  "scripts/build.mjs",
  "scripts/papers.mjs",
  "scripts/split.mjs",
  "package-lock.json",
];

/** Names the folder of the command built from the current sources. The first test that needs it builds it; later runs reuse it. */
export default function build(project: TestProject): void {
  const sources = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of filesIn(join(ROOT, source))) sources.update(file).update(readFileSync(file));
  }
  project.provide("build", join(ROOT, "node_modules/.cache/vmlint-tests", sources.digest("hex").slice(0, 16)));
}

function filesIn(path: string): readonly string[] {
  try {
    const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
    return names.filter((name) => /\.[a-z]+$/.test(name)).map((name) => join(path, name));
  } catch {
    return [path];
  }
}
