import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { noticesOf } from "../../scripts/papers.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the extension into `dist`, for desktop and for the Web; `plugins` may change what is bundled. Tells which file needs which, and what they are made of. */
export async function bundle(plugins = [], dist = here("dist")) {
  const common = {
    bundle: true,
    format: "cjs",
    external: ["vscode"],
    conditions: ["@vmlint/source"],
    target: "es2023",
    minify: true,
    logLevel: "warning",
    metafile: true,
    plugins,
  };
  // The web extension host reads one file, and appends ".js" to any other ending.
  const web = await build({ ...common, entryPoints: [here("src/start.ts")], platform: "browser", outfile: `${dist}/extension.web.js` });
  const { outputs, inputs } = await bundleForNode(common, `${dist}/node`);
  return { outputs, inputs: Object.keys({ ...web.metafile.inputs, ...inputs }) };
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
    write: false,
  });
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const options = { format: "cjs", target: common.target, minify: true, supported: { "dynamic-import": false } };
  const files = outputFiles.map(async ({ path, text }) => [basename(path), (await transform(text, options)).code]);
  for (const [name, code] of joined(new Map(await Promise.all(files)), neededTogether(metafile.outputs))) {
    writeFileSync(`${dist}/${name}`, code);
  }
  return metafile;
}

/** The names of the files that the entry cannot do without, and of those that what it loads with the first document needs too. */
function neededTogether(outputs) {
  const importsOf = (path, kind) => outputs[path].imports.filter((one) => one.kind === kind && one.path in outputs).map((one) => one.path);
  const entry = Object.keys(outputs).find((path) => basename(path) === "extension.cjs");
  const known = new Set();
  return [[entry], importsOf(entry, "dynamic-import")].map((first) => {
    const needed = new Set(first);
    // A set is walked with what is added on the way.
    for (const path of needed) for (const other of importsOf(path, "import-statement")) if (!known.has(other)) needed.add(other);
    for (const path of needed) known.add(path);
    return [...needed].map((path) => basename(path));
  });
}

/** Puts the files of each group into the first of them: thirty take longer to find than to run. */
function joined(files, groups) {
  const homeOf = new Map(groups.flatMap((names) => names.map((name) => [name, names[0]])));
  const linked = (name) =>
    files.get(name).replace(/\brequire\("\.\/([^"/]+\.cjs)"\)/g, (whole, other) => {
      const home = homeOf.get(other);
      if (home === undefined) return whole;
      return home === homeOf.get(name) ? `part("${other}")` : `require("./${home}").part("${other}")`;
    });
  const others = [...files.keys()].filter((name) => !homeOf.has(name));
  return [...others.map((name) => [name, linked(name)]), ...groups.map((names) => [names[0], oneFile(names, linked)])];
}

/** Files as functions of one, where `part` is what `require` is to Node. In brackets, V8 compiles each at once and not after a first look. */
const oneFile = (names, codeOf) => `"use strict";
const code={${names.map((name) => `"${name}":(function(module,exports){${codeOf(name)}})`).join(",\n")}},made={};
function part(name){if(!made[name]){made[name]={exports:{}};code[name](made[name],made[name].exports)}return made[name].exports}
Object.assign(exports,part("${names[0]}"),{part});
`;

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
