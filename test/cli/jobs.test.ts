import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMAND, type Run, spawned } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const vm = (vcpus: number, more = "") => `virtualHW.version = "19"\nnumvcpus = "${vcpus}"\nmemSize = "16384"\n${more}`;
const PINNED = 'sched.cpu.affinity = "0,1"\n';
const CLEAN = vm(2);

const TEXTS = [
  CLEAN,
  vm(6, 'cpuid.coresPerSocket = "4"\n'),
  vm(2, PINNED),
  vm(22, "# vmlint-disable-file until=2999-01-01 -- later\n"),
  vm(6, 'cpuid.coresPerSocket = "4" # vmlint-disable-line\n'),
  `# vmlint: host=dl580g7\n${vm(22)}`,
  `numvcpus = "2"\n${vm(4)}`,
  'numvcpus = "\n\0',
  "no VM",
  "",
];
const HOST = "host: lab\nhosts: { lab: { esxi: '8.0', sockets: 2, coresPerSocket: 8, threadsPerCore: 2, memoryGiB: 64 } }\n";
const CONFIGS = [
  "{}\n",
  HOST,
  `${HOST}overrides: [{ files: ["0*/**"], rules: { "vmx/duplicate-key": off } }]\n`,
  HOST.replace("memoryGiB: 64", 'memoryGiB: 64, runs: ["*"]'),
  `${HOST}suppress: [{ vm: "*", reason: known }]\n`,
  `${HOST}rules: { topo/many-single-core-sockets: wrong }\n`,
  "host: [\n",
];
const EXAMPLES = ["ansible", "inventories", "kubernetes", "one-host", "specs", "suppressed", "terraform"];
const BASELINE = '{ "schemaVersion": 1, "findings": [] }\n';

const REPORTS = ["json", "sarif", "csv", "summary"];
const RUNS = [
  [],
  REPORTS.flatMap((form) => ["--format", `${form}:${form}.out`]),
  ["--host", "2x8x1@7.0", "--together", "--quiet", "--stats"],
  ["--no-inline-config", "--format", "json"],
  ["--host", "2x8x1@7.0", "--update-baseline"],
  [".", "0/0.vmx", "--max-warnings", "3"],
];

const fleets = fc.record({
  texts: fc.array(fc.constantFrom(...TEXTS), { minLength: 60, maxLength: 120 }),
  config: fc.constantFrom(...CONFIGS),
  inner: fc.option(fc.constantFrom(...CONFIGS)),
  baseline: fc.option(fc.constant(BASELINE)),
  example: fc.option(fc.constantFrom(...EXAMPLES)),
  args: fc.constantFrom(...RUNS),
});

/** Code that is loaded first in each thread. It slows the main thread down, so that the other threads check most files. */
const SLOW = `const fs = require("node:fs");
const { isMainThread } = require("node:worker_threads");
const { openSync } = fs;
const clock = new Int32Array(new SharedArrayBuffer(4));
let opened = () => {};
fs.openSync = (path, ...more) => {
  if (/\\.(vmx|yml)$/.test(path)) {
    if (isMainThread) Atomics.wait(clock, 0, 0, 10);
    opened(path);
  }
  return openSync(path, ...more);
};
`;

/** Writes code that each thread of a process loads first. */
const loadedFirst = (code: string) => join(folder({ "first.cjs": SLOW + code }), "first.cjs");

/** Runs the command with some threads. */
function withJobs(cwd: string, jobs: number, args: readonly string[] = [], code = ""): Run {
  const first = loadedFirst(code);
  const run = spawned(cwd, ["--jobs", String(jobs), ...args], { NODE_OPTIONS: `--require ${first}` });
  return { ...run, err: run.err.replaceAll(first, "first.cjs") };
}

const fleetOf = (texts: readonly string[]) => Object.fromEntries(texts.map((text, i) => [`${i % 7}/${i}.vmx`, text]));

/** Returns what a run prints, and the files that it writes. */
function resultOf(cwd: string, run: () => Run) {
  const before = readdirSync(cwd);
  const printed = run();
  const written = readdirSync(cwd).filter((name) => !before.includes(name) || name === "vmlint-baseline.json");
  const files = written.map((name) => [name, readFileSync(join(cwd, name), "utf8")]);
  for (const name of written) if (!before.includes(name)) rmSync(join(cwd, name));
  return { ...printed, files };
}

describe("--jobs", () => {
  test("any number of threads gives the same result, byte for byte", () => {
    fc.assert(
      fc.property(fleets, ({ texts, config, inner, baseline, example, args }) => {
        const more = { ...(inner && { "0/vmlint.yaml": inner }), ...(baseline && { "vmlint-baseline.json": baseline }) };
        const cwd = folder({ ...fleetOf(texts), "vmlint.yaml": config, ...more });
        if (example) cpSync(fileURLToPath(new URL(`../../examples/${example}`, import.meta.url)), join(cwd, example), { recursive: true });
        const [single, ...others] = [1, 2, 3].map((jobs) => {
          if (baseline) writeFileSync(join(cwd, "vmlint-baseline.json"), baseline);
          return resultOf(cwd, () => withJobs(cwd, jobs, args));
        });
        for (const other of others) expect(other).toEqual(single);
      }),
      { numRuns: 10 },
    );
  }, 300_000);

  test("each file is read by one thread", () => {
    const cwd = folder(fleetOf(Array.from({ length: 200 }, () => CLEAN)));
    const note = 'opened = (path) => fs.appendFileSync("opened", `${isMainThread} ${path}\\n`);';
    expect(withJobs(cwd, 3, [], note)).toMatchObject({ code: 0, err: "" });
    const lines = readFileSync(join(cwd, "opened"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(200);
    expect(lines.filter((line) => line.startsWith("false")).length).toBeGreaterThan(0);
  });

  test("no report replaces a file that only another thread reads", () => {
    const play = (cpus: string) =>
      `- hosts: localhost\n  tasks:\n  - vmware_guest: { name: sql01, guest_id: g, hardware: { num_cpus: ${cpus}, memory_mb: 4096 } }\n`;
    const plays = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`a/${i}.yml`, play("2")]));
    const cwd = folder({ ...plays, "z/site.yml": play("'{{ cpus }}'"), "z/group_vars/all.yml": "cpus: 2\n" });
    const err = "vmlint: z/group_vars/all.yml cannot be replaced by a report: this run reads it. Name another file.\n";
    for (const jobs of [1, 2]) expect(withJobs(cwd, jobs, ["--format", "json:z/group_vars/all.yml"])).toMatchObject({ code: 2, err });
    expect(readFileSync(join(cwd, "z/group_vars/all.yml"), "utf8")).toBe("cpus: 2\n");
  });

  test.each([
    ["dies", "if (!isMainThread) { let left = 5; opened = () => { if (left-- === 0) process.exit(); }; }"],
    ["throws", 'if (!isMainThread) opened = (path) => { if (path.endsWith("70.vmx")) throw new Error("only here"); };'],
    ["waits for ever", "if (!isMainThread) { let left = 5; opened = () => { if (left-- === 0) Atomics.wait(clock, 0, 0, 2 ** 31); }; }"],
    ["never starts", 'if (!isMainThread) throw new Error("no memory");'],
  ])("the main thread checks the files of a thread that %s", (_, code) => {
    const cwd = folder({ ...fleetOf(TEXTS.flatMap((text) => Array.from({ length: 8 }, () => text))), "vmlint.yaml": HOST });
    const impatient =
      "const { wait } = Atomics; Atomics.wait = (...all) => wait(...all.slice(0, 3), isMainThread ? Math.min(all[3], 300) : all[3]);";
    expect(withJobs(cwd, 2, [], impatient + code)).toEqual(withJobs(cwd, 1));
  });

  test.each([
    ["is impossible", 'opened = (path) => { if (path.includes("BROKEN")) throw new Error("openSync is broken"); };', 2],
    ["fails", 'opened = (path) => { isBroken = path.includes("BROKEN"); };', 3],
    ["never ends", 'opened = (path) => { while (path.includes("BROKEN")); };', 3],
  ])("a file whose check %s is named, and the others are checked", (_, broken, code) => {
    const texts = Array.from({ length: 80 }, (_, i) => vm(i % 2 ? 2 : 6, 'cpuid.coresPerSocket = "4"\n'));
    const cwd = folder({ ...fleetOf(texts), "0/BROKEN.vmx": CLEAN, "6/BROKEN.vmx": CLEAN });
    const breaking = `let isBroken = false;
const { toString } = Buffer.prototype;
Buffer.prototype.toString = function (...all) {
  const fails = isBroken;
  isBroken = false;
  if (fails) throw new Error("toString is broken");
  return toString.apply(this, all);
};
const { Script } = require("node:vm");
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  return runInContext.call(this, context, { ...options, timeout: 500 });
};
${broken}`;
    /** The limit grows with the load of the machine, and the callers of a check depend on the files that were checked before. */
    const run = (jobs: number) => {
      const { err, ...rest } = withJobs(cwd, jobs, [], breaking);
      return { ...rest, err: err.replaceAll(/more than \d+ seconds/g, "more than some seconds").replaceAll(/\n {4}at .*/g, "") };
    };
    const single = run(1);
    expect([single.code, single.err]).toEqual([code, expect.stringMatching(/^vmlint: 0\/BROKEN\.vmx is not checked/m)]);
    expect(run(3)).toEqual(single);
  });

  test.each([
    ["SIGINT", [], [null, "SIGINT"]],
    ["SIGTERM", ["--format", "json:report.json"], [143, null]],
  ] as const)("%s ends all threads", async (signal, args, ended) => {
    const cwd = folder(fleetOf(Array.from({ length: 400 }, () => CLEAN)));
    const env = {
      ...process.env,
      NODE_OPTIONS: `--require ${loadedFirst('if (!isMainThread) opened = () => fs.writeSync(2, "started\\n");')}`,
    };
    const child = spawn(process.execPath, [COMMAND, "--jobs", "2", ...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.once("data", () => child.kill(signal));
    child.stderr.resume();
    expect(await once(child, "close")).toEqual(ended);
  });

  test.each(["0", "65", "two", "1.5"])("is not %s", (jobs) => {
    const cwd = folder({ "a.vmx": CLEAN });
    const err = `vmlint: --jobs takes auto or a number from 1 to 64, not "${jobs}".\n`;
    expect(spawned(cwd, ["--jobs", jobs])).toEqual({ code: 2, out: "", err });
  });
});
