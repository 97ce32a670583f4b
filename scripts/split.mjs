// Splits a program at its dynamic imports. Code that several files need is written once.

import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles an entry and its dynamic imports into CommonJS files in `dist`. The entry's file holds all its static imports.
 * With `thread`, its file holds the static imports of another entry, which runs in a thread; the rest loads them from there.
 * With `first`, a file holds the entry's own dynamic imports. Returns the metafile of esbuild.
 * esbuild can split only ES modules, but Node and VS Code load CommonJS faster, so each file is converted afterwards.
 */
export async function split({ dist, name, entry, thread, first = false, target, ...options }) {
  const { metafile, outputFiles } = await build({
    bundle: true,
    minify: true,
    conditions: ["@vmlint/source"],
    legalComments: "none",
    logLevel: "warning",
    ...options,
    target,
    entryPoints: { [name]: entry, ...(thread && { thread }) },
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
  const groups = neededTogether(metafile.outputs, [name, ...(thread ? ["thread"] : [])], first);
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

/**
 * Returns the files that each entry always needs, and with `first` the additional files that the first one's dynamic imports need. Files
 * of both entries are apart, because an entry may import modules that the other cannot.
 */
function neededTogether(outputs, names, first) {
  const importsOf = (path, kind) => outputs[path].imports.filter((one) => one.kind === kind && one.path in outputs).map((one) => one.path);
  const neededBy = (paths) => {
    const needed = new Set(paths);
    // The loop also visits names that are added to the set during the loop.
    for (const path of needed) for (const other of importsOf(path, "import-statement")) needed.add(other);
    return [...needed];
  };
  const entries = names.map((name) => Object.keys(outputs).find((path) => basename(path) === `${name}.cjs`));
  const [own, ofThread = []] = entries.map((entry) => neededBy([entry]));
  const later = first ? neededBy(importsOf(entries[0], "dynamic-import")) : [];
  const known = new Set();
  return [own.filter((path) => ofThread.includes(path)), own, ofThread, later].flatMap((needed) => {
    const group = needed.filter((path) => !known.has(path));
    for (const path of group) known.add(path);
    return group.length > 0 ? [group.map((path) => basename(path))] : [];
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
