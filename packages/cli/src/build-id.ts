import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the hash of this build's code. It is in a file next to the command, or inside a single-file executable. */
export function buildId(): string {
  const sea = process.getBuiltinModule?.("node:sea");
  return sea?.isSea() ? sea.getAsset("build.id", "utf8") : readFileSync(join(__dirname, "build.id"), "utf8");
}
