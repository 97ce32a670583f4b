// node scripts/pack-core.mjs [FOLDER]: packs @vmlint/core as it is published, and prints the path of the tarball. Entries for the packages
// of this repository lead to sources, which are not published: the packed package.json leaves them out.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { copyPapers } from "./papers.mjs";

const CORE = fileURLToPath(new URL("../packages/core/", import.meta.url));

/** Packs the built package into a folder. Returns the path of the tarball. */
export function packCore(folder) {
  const { exports, scripts: _, devDependencies: __, ...manifest } = JSON.parse(readFileSync(join(CORE, "package.json"), "utf8"));
  const entries = Object.entries(exports).filter(([, entry]) => entry.default !== undefined);
  const published = Object.fromEntries(entries.map(([path, { types, default: code }]) => [path, { types, default: code }]));
  const stage = mkdtempSync(join(tmpdir(), "vmlint-core-"));
  try {
    for (const name of manifest.files) cpSync(join(CORE, name), join(stage, name), { recursive: true });
    inlineJson(join(stage, "dist"));
    writeFileSync(join(stage, "package.json"), `${JSON.stringify({ ...manifest, exports: published }, null, 2)}\n`);
    // The README of core is its own.
    copyPapers(stage, ["LICENSE"]);
    cpSync(join(CORE, "README.md"), join(stage, "README.md"));
    const options = { cwd: stage, encoding: "utf8", shell: process.platform === "win32" };
    return join(resolve(folder), execFileSync("npm", ["pack", "--silent", "--pack-destination", resolve(folder)], options).trim());
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Makes JSON files modules of JavaScript. Node before 20.18 has no JSON modules, or warns of them. */
function inlineJson(folder) {
  for (const file of readdirSync(folder, { recursive: true }).map((name) => join(folder, name))) {
    if (file.endsWith(".json")) {
      writeFileSync(`${file}.js`, `export default ${readFileSync(file, "utf8").trim()};\n`);
      rmSync(file);
    }
    if (file.endsWith(".js")) writeFileSync(file, readFileSync(file, "utf8").replace(/\.json" with \{ type: "json" \}/g, '.json.js"'));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // `npm pack` and `npm publish` would take package.json as it is.
  if (process.env.npm_lifecycle_event === "prepack") throw new Error("Pack with node scripts/pack-core.mjs.");
  execFileSync("npx", ["tsc", "-b"], { cwd: CORE, stdio: "inherit", shell: process.platform === "win32" });
  console.log(packCore(process.argv[2] ?? "."));
}
