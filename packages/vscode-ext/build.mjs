import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the extension into `dist`, for desktop and for the Web; `plugins` may change what is bundled. */
export async function bundle(plugins = [], dist = here("dist")) {
  const common = {
    bundle: true,
    format: "cjs",
    external: ["vscode"],
    conditions: ["@vmlint/source"],
    target: "es2023",
    minify: true,
    logLevel: "warning",
    plugins,
  };
  // The web extension host appends ".js" to any other ending; the other host takes ".cjs" for CommonJS without asking.
  await build({ ...common, entryPoints: [here("src/desktop.ts")], platform: "node", outfile: `${dist}/extension.cjs` });
  await build({ ...common, entryPoints: [here("src/extension.ts")], platform: "browser", outfile: `${dist}/extension.web.js` });
}

/** What a package carries by itself and the repository keeps once: the licence, and the schemas that other extensions read. */
function copyShared() {
  copyFileSync(here("../../LICENSE"), here("LICENSE"));
  mkdirSync(here("schemas"), { recursive: true });
  cpSync(here("../core/schemas"), here("schemas"), { recursive: true });
  // A package.json holds a configuration below one of its keys.
  const { $schema, $defs, ...vmlint } = JSON.parse(readFileSync(here("schemas/vmlint.schema.json"), "utf8"));
  const inPackage = { $schema, type: "object", properties: { vmlint }, $defs };
  writeFileSync(here("schemas/package.schema.json"), `${JSON.stringify(inPackage)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  copyShared();
}
