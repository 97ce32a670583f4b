// npm run fuzz -- [--seconds 20] [--seed 1] [--inputs N] [--only NUMBER] [--calls]: damages samples of every format, and checks that vmlint reads each
// without an error, within 2 s, with ranges inside the text, fixes that are final, and one JSON document. --only repeats one input.
// --calls: calls the library with options, paths and values of any kind.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { build } from "esbuild";
import { drawn, inputOf } from "./fuzz/inputs.mjs";

/** Milliseconds that one input may take: a hang, not a measurement. */
const MOST = 2000;
/** After this many milliseconds without an answer, the thread is stopped. */
const PATIENCE = 120_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}node_modules/.cache/vmlint-fuzz`;

if (isMainThread) await start();
else await (await import(pathToFileURL(`${folder}/checks.js`).href)).run({ ...workerData, inputOf, drawn, most: MOST });

async function start() {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string" },
      seed: { type: "string" },
      inputs: { type: "string" },
      only: { type: "string" },
      calls: { type: "boolean" },
    },
  });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [`${root}scripts/fuzz/checks.mjs`],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    conditions: ["@vmlint/source"],
    // The YAML library requires parts of Node.
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
    logLevel: "error",
  });
  const seed = Number(values.seed ?? 1);
  const inputs = Number(values.inputs ?? Number.POSITIVE_INFINITY);
  const seconds = Number(values.seconds ?? (values.inputs || values.only ? Number.POSITIVE_INFINITY : 20));
  /** The number of the input that is checked now, and of failures. */
  const state = new Int32Array(new SharedArrayBuffer(8));
  const only = values.only === undefined ? undefined : Number(values.only);
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { seed, inputs, seconds, only, state, calls: values.calls },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  let [last, since] = [-1, Date.now()];
  let ticks = 0;
  const watch = setInterval(() => {
    const now = Atomics.load(state, 0);
    if (++ticks % 60 === 0) console.error(`${now} inputs`);
    if (now !== last) [last, since] = [now, Date.now()];
    else if (Date.now() - since > PATIENCE) fail("hangs");
  }, 1000);
  const fail = (what) => {
    console.error(
      `input ${Atomics.load(state, 0)} of seed ${seed} ${what}: npm run fuzz -- --seed ${seed} --only ${Atomics.load(state, 0)}`,
    );
    process.exit(1);
  };
  worker.on("error", (error) => fail(`ends the run (${error.message})`));
  worker.on("exit", () => {
    clearInterval(watch);
    const failures = Atomics.load(state, 1);
    console.log(`${Atomics.load(state, 0)} inputs of seed ${seed}, ${failures} failures.`);
    process.exitCode = failures > 0 ? 1 : 0;
  });
}
