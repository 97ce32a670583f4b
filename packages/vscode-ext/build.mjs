import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noticesOf } from "../../scripts/papers.mjs";
import { split } from "../../scripts/split.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the extension into `dist`, for desktop and for the Web; `plugins` may change what is bundled. Tells which file needs which, and what they are made of. */
export async function bundle(plugins = [], dist = here("dist")) {
  const common = { external: ["vscode"], target: "es2023", plugins };
  // The web extension host reads one file, and appends ".js" to any other ending.
  const web = await build({
    ...common,
    bundle: true,
    minify: true,
    conditions: ["@vmlint/bundled", "@vmlint/source"],
    logLevel: "warning",
    metafile: true,
    format: "cjs",
    entryPoints: [here("src/start.ts")],
    platform: "browser",
    outfile: `${dist}/extension.web.js`,
  });
  const { outputs, inputs } = await split({
    ...common,
    name: "extension",
    entry: here("src/desktop.ts"),
    thread: here("src/check-thread.ts"),
    first: true,
    dist: `${dist}/node`,
  });
  return { outputs, inputs: Object.keys({ ...web.metafile.inputs, ...inputs }) };
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
  const { inputs } = await bundle();
  copyShared();
  writeFileSync(here("THIRD-PARTY.txt"), noticesOf(inputs));
}
