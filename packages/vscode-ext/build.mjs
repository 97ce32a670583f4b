import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noticesOf } from "../../scripts/papers.mjs";
import { split } from "../../scripts/split.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the extension into `dist`, for desktop and for the Web; `plugins` may change what is bundled. Tells which file needs which, and what they are made of. */
export async function bundle(plugins = [], dist = here("dist")) {
  const common = { external: ["vscode"], target: "es2023", legalComments: "none", plugins };
  // The web extension host reads one file, and appends ".js" to any other ending.
  const web = await build({
    ...common,
    bundle: true,
    minify: true,
    conditions: ["@vmlint/source"],
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
  const write = (name, schema) => writeFileSync(here(`schemas/${name}`), `${JSON.stringify(schema)}\n`);
  const schemaOf = (name) => JSON.parse(readFileSync(here(`../core/schemas/${name}`), "utf8"));
  for (const name of readdirSync(here("../core/schemas"))) write(name, schemaOf(name));
  // A package.json holds a configuration below one of its keys.
  const { $schema, $defs, ...vmlint } = schemaOf("vmlint.schema.json");
  write("package.schema.json", { $schema, type: "object", properties: { vmlint }, $defs });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { inputs } = await bundle();
  copyShared();
  writeFileSync(here("THIRD-PARTY.txt"), noticesOf(inputs));
}
