// npm run mutate -- [rules/mssql | rules/mssql/web.ts | lint/cases.ts:12 | platforms/esxi | fix | cli/files/write-file.ts ...]: breaks each condition of these files in turn,
// and prints the mutants that no test fails on. It runs only the tests that need one process. Without paths: rules and platforms.
// --list names the surviving mutants, --every 3 takes every third mutant of a file (--from 1: from the second on), --tests test/esxi runs only tests whose path has this text.
import { fork } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { excusingNone, reasonOf } from "./mutate/equivalent.mjs";
import { instrumented, mutantsOf } from "./mutate/mutants.mjs";
import { notTyped } from "./mutate/types.mjs";

setPriority(10);
const root = fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "packages/core/src");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean" },
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    tests: { type: "string", default: "" },
  },
});

/** Files without conditions about the shape of a VM, such as the lists that `npm run gen` writes. */
const NO_CONDITIONS = /^rules\/(alone|index|together|suppressions|define|presets|plugin)\.ts$/;
const paths = positionals.map((path) => path.replace(/\/$/, ""));
/** Whether a path is for a mutant: a folder, a file, or a line of a file as `lint/cases.ts:12`. */
const isFor = (path, file, line) => file === path || file.startsWith(`${path}/`) || `${file}:${line}` === path;
/** The folders with mutants, each with its tests. The folders rules and platforms share their tests. */
const SHAPES = ["test/rules.test.ts", "test/docs.test.ts", ...in_("test/rules"), ...in_("test/esxi"), ...in_("test/size")];
const TESTS_OF = {
  rules: SHAPES,
  platforms: SHAPES,
  lint: [
    ...SHAPES,
    ...["lint", "suppress", "inventory", "workspace", "fix", "migrate", "advice", "workloads", "config"].flatMap((name) =>
      in_(`test/${name}`),
    ),
    ...["formats", "formats/terraform", "formats/plans", "formats/packer"].flatMap((name) => in_(`test/${name}`)),
  ],
  fix: in_("test/fix"),
  config: in_("test/config"),
  suppress: in_("test/suppress"),
  baseline: in_("test/baseline"),
  "syntax/hcl": in_("test/syntax/hcl"),
  "formats/hcl": [...in_("test/syntax/hcl"), ...in_("test/formats/terraform"), ...in_("test/formats/packer")],
  "formats/ansible": in_("test/formats").filter((file) => /ansible(?:-files|-expressions)?\.test/.test(file)),
  model: ["test/model/files.test.ts", "test/model/sources.test.ts"],
  cli: ["disk", "write-file", "find-files"].map((name) => `test/cli/${name}.test.ts`),
};
const SHAPE_FOLDERS = ["rules", "platforms"];
/** The files of the command that tests reach without a process. */
const COMMAND_FILES = ["write-file", "disk", "find-files"].map((name) => `cli/files/${name}.ts`);
const areaOf = (path) => Object.keys(TESTS_OF).find((folder) => path === folder || path.startsWith(`${folder}/`));
const areas = new Set(paths.length > 0 ? paths.map(areaOf) : SHAPE_FOLDERS);
if (areas.has(undefined)) {
  console.error(`paths begin with one of ${Object.keys(TESTS_OF).join(", ")}`);
  process.exit(2);
}
const pathOf = (file) => (file.startsWith("cli/") ? join(root, "packages/cli/src", file.slice("cli/".length)) : join(src, file));
const filesIn = (folder) =>
  folder === "cli"
    ? COMMAND_FILES
    : readdirSync(join(src, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
const sourcesIn = (folders) =>
  folders
    .flatMap(filesIn)
    .filter((file) => file.endsWith(".ts") && !NO_CONDITIONS.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(pathOf(file), "utf8");
      return { file, text, all: mutantsOf(file, text) };
    });
const sources = sourcesIn([...areas]);
const everyMutant = () => sourcesIn(Object.keys(TESTS_OF)).flatMap(({ all }) => all);
const stale = SHAPE_FOLDERS.every((folder) => areas.has(folder)) ? excusingNone(everyMutant()) : [];
if (stale.length > 0) {
  console.error(`scripts/mutate/equivalent.mjs has patterns that no mutant meets:\n${stale.join("\n")}`);
  process.exit(1);
}

const mutants = [];
const texts = new Map();
const chosen = sources
  .map(({ all, ...source }) => ({
    ...source,
    all: all.filter(({ file, line }) => paths.length === 0 || paths.some((path) => isFor(path, file, line))),
  }))
  .filter(({ all }) => all.length > 0);
const files = chosen.map(({ file }) => file);
for (const { file, text, all } of chosen) {
  const own = all
    .filter((_, i) => i % Number(values.every) === Number(values.from))
    .map((mutant, i) => ({ ...mutant, id: mutants.length + i }));
  mutants.push(...own);
  texts.set(pathOf(file), instrumented(text, own));
}

const TESTS = [...new Set([...areas].flatMap((area) => TESTS_OF[area]))].filter((file) =>
  values.tests.split(",").some((part) => file.includes(part)),
);
function in_(folder) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".test.ts"))
    .sort()
    .map((file) => `${folder}/${file}`)
    .filter((file) => !/support\/(?:lsp|terminal)\.ts|\b(?:vi|inject)\b.* from "vitest"/.test(readFileSync(join(root, file), "utf8")));
}

/** A cache of the code would keep answers of one mutant for the next. These caches are empty for each mutant. */
function withFreshCaches(path, text) {
  if (!path.startsWith(src)) return text;
  const fresh = text.replaceAll("new WeakMap", "new FreshWeakMap").replace(/^(const \w+ = new )(Map<.*>\(\);)$/gm, "$1Fresh$2");
  const memoize = JSON.stringify(join(root, "scripts/mutate/memoize.mjs"));
  return fresh === text ? text : `import { FreshMap, FreshWeakMap } from ${memoize};\n${fresh}`;
}

/** Marks the parts of the load that only compute tables of tests: they need no new process. */
const withLoadMarks = (path, text) =>
  path.startsWith(join(root, "test")) ? `globalThis.MUTANT_IN_TEST = true;\n${text}\nglobalThis.MUTANT_IN_TEST = false;` : text;

const scratch = mkdtempSync(join(tmpdir(), "vmlint-mutate-"));
const bundle = join(scratch, "tests.mjs");
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const mutated = {
  name: "mutants",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: join(root, "scripts/mutate/vitest.mjs") }));
    onResolve({ filter: /\/memoize\.ts$/ }, () => ({ path: join(root, "scripts/mutate/memoize.mjs") }));
    onResolve({ filter: /support\/cli\.ts$/ }, () => ({ path: join(root, "scripts/mutate/command.mjs") }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = withLoadMarks(path, withFreshCaches(path, texts.get(path) ?? readFileSync(path, "utf8")));
      return {
        contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
        loader: "ts",
        resolveDir: dirname(path),
      };
    });
  },
};
const bundling = {
  bundle: true,
  platform: "node",
  target: "node20",
  conditions: ["@vmlint/source"],
  logLevel: "error",
  plugins: [mutated],
};

await build({
  stdin: {
    contents: [
      'import fc from "fast-check";',
      "// The same values in each run, so that a mutant is told from chance. A smaller counterexample would only take time.",
      "fc.configureGlobal({ seed: 1, numRuns: 25, endOnFailure: true });",
      ...TESTS.map((file) => `import ${JSON.stringify(join(root, file))};`),
      'export { tests } from "vitest";',
    ].join("\n"),
    resolveDir: root,
  },
  outfile: bundle,
  ...bundling,
  format: "esm",
  banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
});
await build({
  entryPoints: [join(root, "packages/cli/src/bin.ts")],
  outfile: join(scratch, "command.cjs"),
  ...bundling,
  format: "cjs",
  banner: { js: readFileSync(join(root, "scripts/mutate/command-banner.cjs"), "utf8") },
});

/** One process, so that a second core stays free. A mutant that fills the memory ends only this process. */
let worker;
const start = (active) => {
  const args = [pathToFileURL(bundle).href, String(active), String(mutants.length), join(root, "test/support/command-thread.cjs")];
  worker = fork(new URL("mutate/worker.mjs", import.meta.url), args, { stdio: ["ignore", "inherit", "ignore", "ipc"] });
  return answered("unloadable", 300_000);
};

/** Returns the next message of the process, or `otherwise` after `patience` milliseconds or the end of the process. */
const answered = (otherwise, patience) =>
  new Promise((resolve) => {
    const done = (said) => {
      clearTimeout(timer);
      worker.off("message", done).off("exit", nothing);
      resolve(said);
    };
    const nothing = () => done({ kind: otherwise });
    const timer = setTimeout(nothing, patience);
    worker.on("message", done).on("exit", nothing);
  });

/** Sends a message and returns the answer. No answer in time means an endless loop. */
const answer = (message, patience) => {
  worker.send(message);
  return answered("endless", patience);
};

const loaded = await start(-1);
if (loaded.kind !== "loaded") throw new Error(loaded.error);
const { measured } = await answer({ kind: "measure" }, 3_600_000);
// Some tests need a process of their own, a hook, or a built package.
const unusable = measured.filter(({ error }) => error !== undefined);
for (const test of unusable) test.met = [];
const total = measured.reduce((sum, { time }) => sum + time, 0);
console.error(
  `${mutants.length} mutants in ${files.length} files; ${measured.length} tests take ${(total / 1000).toFixed(1)} s, ${unusable.length} of them fail without a mutant and do not count`,
);

const whileLoading = new Set(loaded.met);
const meets = measured.map(({ met }) => new Set(met));
/** Tests that meet something of a file, for what is met while loading. */
const ofFile = new Map(files.map((file) => [file, new Set(mutants.filter((one) => one.file === file).map(({ id }) => id))]));

/** After this many milliseconds of tests, no further one begins under a mutant. */
const BUDGET = 5_000;

/** How many mutants of a file each test has killed. */
const killsOf = new Map(files.map((file) => [file, measured.map(() => 0)]));

/** Runs tests under a mutant: most kills first, then the quickest. The budget makes each score a minimum. */
async function killedBy({ id, file }, tests) {
  const kills = killsOf.get(file);
  const order = tests.sort((a, b) => kills[b] - kills[a] || measured[a].time - measured[b].time);
  const affordable = [];
  let time = 0;
  for (const test of order) {
    if (time >= BUDGET) break;
    time += measured[test].time;
    affordable.push(test);
  }
  const { kind, by } = await answer({ kind: "run", id, order: affordable }, 15_000 + 10 * time);
  if (by !== undefined) kills[by]++;
  if (kind === "killed" || kind === "survived") return kind === "killed";
  worker.kill("SIGKILL");
  await start(-1);
  return true;
}

async function resultOf(mutant) {
  const { id, file } = mutant;
  const all = measured.map((_, i) => i);
  const meeting = all.filter((test) => meets[test].has(id));
  if (meeting.length > 0 && (await killedBy(mutant, meeting))) return "killed";
  if (!whileLoading.has(id)) return meeting.length > 0 ? "survived" : "not reached";
  // Values of modules are computed while loading, so the mutant must be there from the start.
  worker.kill("SIGKILL");
  const isLoaded = (await start(id)).kind === "loaded";
  const isNear = (test) => [...meets[test]].some((other) => ofFile.get(file).has(other));
  const isKilled =
    !isLoaded ||
    (await killedBy(mutant, all.filter(isNear))) ||
    (await killedBy(
      mutant,
      all.filter((test) => !isNear(test)),
    ));
  worker.kill("SIGKILL");
  await start(-1);
  return isKilled ? "killed" : "survived";
}

const percent = (dead, count) => `${dead} of ${count} killed (${((100 * dead) / count).toFixed(1)} %)`;
const sum = { dead: 0, count: 0 };
const named = ({ file, line, kind, was }) => `${relative(root, pathOf(file))}:${line} ${kind}: ${was}`;
for (const folder of [...new Set(files.map((file) => dirname(file)))]) {
  const own = mutants.filter(({ file }) => dirname(file) === folder);
  if (own.length === 0) continue;
  const left = [];
  for (const mutant of own) {
    const result = await resultOf(mutant);
    if (result !== "killed") {
      left.push({ ...mutant, result });
      // A run takes long: each survivor is printed at once, before it is known whether it compiles.
      if (values.list) console.error(`  ${result}: ${named(mutant)}`);
    } else if (reasonOf(mutant) !== undefined) {
      console.error(`a test notices what scripts/mutate/equivalent.mjs calls equivalent: ${named(mutant)}`);
      process.exitCode = 1;
    }
  }
  const noCode = new Set(notTyped(root, left));
  const equivalent = left.filter((mutant) => !noCode.has(mutant.id) && reasonOf(mutant) !== undefined);
  const open = left.filter((mutant) => !noCode.has(mutant.id) && reasonOf(mutant) === undefined);
  const count = own.length - noCode.size - equivalent.length;
  sum.dead += count - open.length;
  sum.count += count;
  console.log(
    `${folder.padEnd(20)} ${percent(count - open.length, count)}, ${noCode.size} do not compile, ${equivalent.length} equivalent`,
  );
  if (values.list) for (const mutant of open) console.log(`  ${mutant.result}: ${named(mutant)}`);
}
worker.kill("SIGKILL");
console.log(`${"all".padEnd(20)} ${percent(sum.dead, sum.count)}`);
