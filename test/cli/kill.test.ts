import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** The number of kills of each kind; test/cli/fix.test.ts kills --fix. */
const KILLS = Number(process.env.VMLINT_KILLS ?? 3);

const VM = 'virtualHW.version = "19"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\nmemSize = "4096"\n';
const VMS = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`vm-${i}.vmx`, VM + "# filler\n".repeat(100)]));

const RUNS: readonly (readonly [what: string, args: readonly string[], file: string])[] = [
  ["a baseline", ["--update-baseline"], "vmlint-baseline.json"],
  ["a report", ["--format", "json:out.report"], "out.report"],
];

test.each(RUNS)(
  `killed ${KILLS} times while it writes %s, a run leaves the old one or the new one, and the next run leaves nothing else`,
  {
    timeout: KILLS * 10_000,
  },
  async (_, args, file) => {
    const cwd = folder({ ...VMS, "vmlint.yaml": "host: 2x20x2:768@8.0\n" });
    const path = join(cwd, file);
    const start = performance.now();
    const whole = vmlint(cwd, args);
    const took = performance.now() - start;
    const written = readFileSync(path);
    const isWhole = () => readFileSync(path).equals(written);
    const names = readdirSync(cwd).sort();
    for (let i = 0; i < KILLS; i++) {
      if (i % 2 === 0) rmSync(path);
      else writeFileSync(path, written);
      const child = spawn(process.execPath, [COMMAND, ...args], { cwd, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // Most are killed when the temporary file is there, and the rest at any time.
      if (i % 3 === 0) await setTimeout(Math.random() * (took + 200));
      else while (child.exitCode === null && !readdirSync(cwd).some((name) => name.endsWith("-tmp"))) await setTimeout(1);
      child.kill("SIGKILL");
      await ended;
      if (existsSync(path)) expect(isWhole()).toBe(true);
      // A temporary file of the last seconds may be another container's.
      for (const name of readdirSync(cwd)) if (name.endsWith("-tmp")) utimesSync(join(cwd, name), 0, 0);
      expect(vmlint(cwd, args)).toEqual(whole);
      expect([readdirSync(cwd).sort(), isWhole()]).toEqual([names, true]);
    }
  },
);
