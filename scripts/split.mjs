// Splits a program at its dynamic imports. Code that several files need is written once.

import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles an entry and its dynamic imports into CommonJS files in `dist`. The entry's file holds all its static imports.
 * With `first`, a second file holds the entry's own dynamic imports. Returns the metafile of esbuild.
 * esbuild can split only ES modules, but Node and VS Code load CommonJS faster, so each file is converted afterwards.
 */
export async function split({ dist, name, entry, first = false, target, ...options }) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    minify: true,
    conditions: ["@vmlint/source"],
    legalComments: "none",
    logLevel: "warning",
    ...options,
    target,
    entryPoints: { [name]: entry },
    platform: "node",
    format: "esm",
    splitting: true,
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    metafile: true,
    write: false,
  });
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const parts = new Map(outputFiles.map(({ path, text }) => [basename(path), requiring(text)]));
  const groups = neededTogether(metafile.outputs, `${name}.cjs`, first);
  const homeOf = new Map(groups.flatMap((names) => names.map((part) => [part, names])));
  const files = [...groups, ...[...parts.keys()].filter((part) => !homeOf.has(part)).map((part) => [part])];
  await Promise.all(files.map((names) => writeJoined(names, { parts, homeOf, dist, target })));
  return metafile;
}

/**
 * require() finds files and Node's own modules faster than the loader of ES modules. An import with a computed name, such as a
 * plugin, stays an import because it may be an ES module.
 */
const requiring = (text) => text.replace(/\bimport\(("[^"]+")\)/g, "Promise.resolve().then(()=>require($1))");

/** Returns the files that the entry always needs, and with `first` the additional files that its dynamic imports need. */
function neededTogether(outputs, entryName, first) {
  const importsOf = (path, kind) => outputs[path].imports.filter((one) => one.kind === kind && one.path in outputs).map((one) => one.path);
  const entry = Object.keys(outputs).find((path) => basename(path) === entryName);
  const known = new Set();
  return [[entry], ...(first ? [importsOf(entry, "dynamic-import")] : [])].map((start) => {
    const needed = new Set(start);
    // The loop also visits names that are added to the set during the loop.
    for (const path of needed) for (const other of importsOf(path, "import-statement")) if (!known.has(other)) needed.add(other);
    for (const path of needed) known.add(path);
    return [...needed].map((path) => basename(path));
  });
}

/**
 * Writes several files as the first one, because opening thirty files takes longer than running them. It exports the exports of
 * the first, and each other file under its own name.
 */
async function writeJoined([home, ...others], { parts, homeOf, dist, target }) {
  const named = others.map((part, i) => `export * as part${i + 1} from "./${part}";`);
  await build({
    stdin: { contents: [`export * from "./${home}";`, ...named].join("\n"), resolveDir: dist },
    outfile: join(dist, home),
    bundle: true,
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    platform: "node",
    format: "cjs",
    target,
    plugins: [linked([home, ...others], { parts, homeOf })],
  });
}

/** Finds what parts import of each other: in the same file, in another, or as one of several in another. */
const linked = (names, { parts, homeOf }) => ({
  name: "linked",
  setup({ onLoad, onResolve }) {
    const placeOf = (part) => homeOf.get(part) ?? [part];
    onResolve({ filter: /^\.\/.*\.cjs$/ }, ({ path }) => {
      const part = path.slice("./".length);
      if (names.includes(part)) return { path: part, namespace: "here" };
      return placeOf(part)[0] === part ? { path, external: true } : { path: part, namespace: "there" };
    });
    // Everything else that can be bundled is.
    onResolve({ filter: /^[^.]/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: "here" }, ({ path: part }) => ({ contents: parts.get(part), loader: "js" }));
    onLoad({ filter: /.*/, namespace: "there" }, ({ path: part }) => ({
      contents: `module.exports = require("./${placeOf(part)[0]}").part${placeOf(part).indexOf(part)};`,
      loader: "js",
    }));
  },
});
