import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the command once before the tests that drive it as users do. */
export default function build(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url))], { stdio: "inherit" });
}
