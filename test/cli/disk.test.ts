import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles, filesWithin, foldersBelow, realOf } from "../../packages/cli/src/files/disk.ts";
import { removeLeftovers } from "../../packages/cli/src/files/write-file.ts";
import { folder } from "../support/folder.ts";

test("files outside of some folders do not exist, nor those that a link leads to", () => {
  const cwd = realpathSync(folder({ "in/a.tf": "a", "out/b.tf": "b" }));
  const [inside, outside] = [join(cwd, "in"), join(cwd, "out")];
  symlinkSync(join(outside, "b.tf"), join(inside, "link.tf"));
  symlinkSync(join(inside, "a.tf"), join(outside, "back.tf"));
  const files = filesWithin([inside, join(cwd, "missing")], diskFiles());
  const read = (...names: readonly string[]) => names.map((name) => files.read(join(cwd, name)));
  expect(read("in/a.tf", "out/back.tf", "in/link.tf", "out/b.tf", "in/none.tf")).toEqual(["a", "a", undefined, undefined, undefined]);
  expect([files.list(inside), files.list(outside)]).toEqual([["a.tf", "link.tf"], []]);
});

test.skipIf(process.platform === "win32")("a pipe is not read as a file, and does not block", () => {
  const cwd = folder({ "a.tf": "a" });
  execFileSync("mkfifo", [join(cwd, "pipe.tf")]);
  const files = diskFiles();
  expect([files.read(join(cwd, "pipe.tf")), files.read(join(cwd, "a.tf"))]).toEqual([undefined, "a"]);
});

test("a folder and the path of a missing file are looked up once", () => {
  const cwd = realpathSync(folder({ "a.tf": "a" }));
  const noted: string[] = [];
  const files = diskFiles(
    { texts: new Map([["/x/b.tf", "b"]]), lists: new Map([["/x", ["b.tf"]]]) },
    { noted: (path) => void noted.push(path) },
  );
  expect([files.read("/x/b.tf"), files.list("/x"), files.list(cwd)]).toEqual(["b", ["b.tf"], ["a.tf"]]);
  writeFileSync(join(cwd, "later.tf"), "");
  expect([files.list(cwd), noted]).toEqual([["a.tf"], [cwd]]);
  for (const path of [join(cwd, "none/b.tf"), "/"]) expect([files.real?.(path), realOf(path)]).toEqual([path, path]);
});

test("folders are found in order, without installed packages", () => {
  const cwd = folder({ "b/2.vmx": "", "a/1.vmx": "", ".git/x": "", "node_modules/p/x": "" });
  const found = [...foldersBelow(cwd)].map(({ folder: path, entries }) => [path.slice(cwd.length + 1), entries.map(({ name }) => name)]);
  expect(found).toEqual([
    ["", [".git", "a", "b", "node_modules"]],
    ["a", ["1.vmx"]],
    ["b", ["2.vmx"]],
  ]);
});

test("a temporary file is a leftover if its process has ended and it is older than 5 s", () => {
  const cwd = folder({});
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const left = (name: string, seconds: number): string => {
    const path = join(cwd, name);
    writeFileSync(path, "half of it");
    const at = new Date(Date.now() - seconds * 1000);
    utimesSync(path, at, at);
    return path;
  };
  const gone = left(`.${ended}-a.vmlint-tmp`, 6);
  const kept = [
    left(`.${ended}-b.vmlint-tmp`, 1),
    left(`.${process.pid}-c.vmlint-tmp`, 60),
    left(`.${process.ppid}-d.vmlint-tmp`, 60),
    left(".0-e.vmlint-tmp", 60),
    left(`.${ended}-f.vmlint-tmp.bak`, 60),
  ];
  removeLeftovers(cwd);
  expect([gone, ...kept].map((path) => existsSync(path))).toEqual([false, true, true, true, true, true]);
});
