import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const TWICE = 'virtualHW.version = "19"\nnumvcpus = "4"\nnumvcpus = "4"\n';

/** Root may write read-only files, so the command runs as the user with this id. */
const NOBODY = 65_534;
const asNobody = (cwd: string, ...args: string[]) => {
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return spawnSync(process.execPath, [COMMAND, ...args], { cwd, encoding: "utf8", ...who });
};

test.skipIf(process.platform === "win32" || asNobody("/", "--version").status !== 0)(
  "a read-only file stays as it is in a folder that may be written, and a folder that may not is named",
  () => {
    const cwd = folder({ "a.vmx": TWICE, "shut/b.vmx": TWICE });
    if (process.getuid?.() === 0) for (const path of [".", "a.vmx", "shut/b.vmx"]) chownSync(join(cwd, path), NOBODY, NOBODY);
    chmodSync(join(cwd, "a.vmx"), 0o444);
    chmodSync(join(cwd, "shut"), 0o555);
    const { status, stderr } = asNobody(cwd, "--fix");
    chmodSync(join(cwd, "shut"), 0o755);
    expect([status, stderr.split("\n").slice(0, 2)]).toEqual([
      1,
      ["vmlint: a.vmx: not written: it may not be written (EACCES).", "vmlint: shut/b.vmx: not written: it may not be written (EACCES)."],
    ]);
    expect(["a.vmx", "shut/b.vmx"].map((name) => readFileSync(join(cwd, name), "utf8"))).toEqual([TWICE, TWICE]);
  },
);

test.runIf(process.platform === "linux")("names that differ by case only are two files, for a baseline too", () => {
  const cwd = folder({ "a.vmx": TWICE, "A.vmx": TWICE.replace("19", "20") });
  const pathsIn = () => JSON.parse(vmlint(cwd, ["--format", "json"]).out).diagnostics.map(({ path }: { path: string }) => path);
  expect(pathsIn()).toEqual(["A.vmx", "a.vmx"]);
  vmlint(cwd, ["a.vmx", "--update-baseline"]);
  expect(pathsIn()).toEqual(["A.vmx"]);
});
