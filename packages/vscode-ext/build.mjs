import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the extension into `dist`, for desktop and for the Web; `plugins` may change what is bundled. Tells which file needs which. */
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
  // The web extension host reads one file, and appends ".js" to any other ending.
  await build({ ...common, entryPoints: [here("src/start.ts")], platform: "browser", outfile: `${dist}/extension.web.js` });
  return bundleForNode(common, dist);
}

/**
 * In files that are loaded when they are needed. esbuild splits modules of ECMAScript alone, and that host takes ".cjs" for CommonJS
 * without asking: each file is turned into that afterwards.
 */
async function bundleForNode(common, dist) {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: { extension: here("src/desktop.ts") },
    format: "esm",
    splitting: true,
    platform: "node",
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    chunkNames: "parts/[name]-[hash]",
    metafile: true,
    write: false,
  });
  rmSync(`${dist}/parts`, { recursive: true, force: true });
  mkdirSync(`${dist}/parts`, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, { format: "cjs", target: common.target, minify: true, supported: { "dynamic-import": false } });
    writeFileSync(path, code);
  }
  return metafile;
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
