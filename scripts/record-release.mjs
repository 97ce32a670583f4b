// npm run record-release: writes packages/core/release.json, the names, rules, data and fields of this version. Run at a release, after its version
// is set.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "vmlint-release-"));
const outfile = join(folder, "record.mjs");
await build({
  stdin: { contents: `export { current } from "./test/support/record.ts";`, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
  bundle: true,
  format: "esm",
  platform: "node",
  conditions: ["@vmlint/source"],
  // Core's CommonJS dependencies call `require`, also when they are bundled as a module.
  banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  outfile,
  logLevel: "warning",
});
const { current } = await import(pathToFileURL(outfile).href);
writeFileSync(new URL("../packages/core/release.json", import.meta.url), `${JSON.stringify(await current(), null, 2)}\n`);
rmSync(folder, { recursive: true });
