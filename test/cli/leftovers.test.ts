import { spawnSync } from "node:child_process";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = 'virtualHW.version = "19"\nnumvcpus = "4"\n';

/** The number of a process that has ended. */
const ended = (): number => spawnSync(process.execPath, ["--version"]).pid;

test("the next run that writes removes temporary files of a killed run, and no file of another program", () => {
  const cwd = folder({ "a.vmx": VM });
  const left = (pid: number, seconds: number): string => {
    const path = join(cwd, `.${pid}-abc${seconds}.vmlint-tmp`);
    writeFileSync(path, "half of it");
    const at = new Date(Date.now() - seconds * 1000);
    utimesSync(path, at, at);
    return path;
  };
  const [old, young, running] = [left(ended(), 60), left(ended(), 0), left(process.ppid, 61)];
  vmlint(cwd, []);
  expect([old, young, running].map((path) => existsSync(path))).toEqual([true, true, true]);
  vmlint(cwd, ["--fix"]);
  expect([old, young, running].map((path) => existsSync(path))).toEqual([false, true, true]);
});
