// npm run record-rules: writes packages/core/rules.json, the rules as they are released. Run at a release, after its version is set.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "vmlint-rules-"));
const outfile = join(folder, "rules.mjs");
await build({
  stdin: {
    contents: `export { rules, VERSION } from "@vmlint/core"; export { recordOf } from "./test/support/record.ts";`,
    resolveDir: fileURLToPath(new URL("..", import.meta.url)),
  },
  bundle: true,
  format: "esm",
  platform: "node",
  conditions: ["@vmlint/source"],
  outfile,
  logLevel: "warning",
});
const { rules, VERSION, recordOf } = await import(pathToFileURL(outfile).href);
writeFileSync(new URL("../packages/core/rules.json", import.meta.url), `${JSON.stringify(recordOf(VERSION, rules), null, 2)}\n`);
rmSync(folder, { recursive: true });
