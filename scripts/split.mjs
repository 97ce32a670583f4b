// Splits a program into the files that its dynamic imports ask for: what several of them need exists once.

import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles an entry and what it loads dynamically into CommonJS files in `dist`. The entry's own file holds all that it imports statically.
 * With `first` one more file holds all that the entry imports dynamically itself. Hands back what esbuild says of the files.
 * esbuild splits ES modules alone, and Node and VS Code load CommonJS faster: each file is turned into that afterwards.
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

/** require() finds files and Node's own modules without Node's loader of ES modules. What is named at run time, a plugin, may be one. */
const requiring = (text) => text.replace(/\bimport\(("[^"]+")\)/g, "Promise.resolve().then(()=>require($1))");

/** The names of the files that the entry cannot do without, and of those that what it loads dynamically needs too. */
function neededTogether(outputs, entryName, first) {
  const importsOf = (path, kind) => outputs[path].imports.filter((one) => one.kind === kind && one.path in outputs).map((one) => one.path);
  const entry = Object.keys(outputs).find((path) => basename(path) === entryName);
  const known = new Set();
  return [[entry], ...(first ? [importsOf(entry, "dynamic-import")] : [])].map((start) => {
    const needed = new Set(start);
    // A set is walked with what is added on the way.
    for (const path of needed) for (const other of importsOf(path, "import-statement")) if (!known.has(other)) needed.add(other);
    for (const path of needed) known.add(path);
    return [...needed].map((path) => basename(path));
  });
}

/**
 * Writes parts as one file, the first one's: thirty files take longer to find than to run. What it exports is the first one's, and each
 * of the others under a name of its own, for the files that need one of them alone.
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
