import { chmodSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "../../packages/cli/src/files/disk.ts";
import { CHANGED, replaceFile } from "../../packages/cli/src/files/write-file.ts";
import { folder } from "../support/folder.ts";

const replace = (cwd: string, name: string, expected: string | undefined, content = Buffer.from("fixed")) =>
  replaceFile(join(cwd, name), content, expected === undefined ? undefined : Buffer.from(expected), [cwd]);

test("a file is replaced if it still has the text that was read, and no temporary file remains", () => {
  const cwd = folder({ "a.vmx": "old", "b.vmx": "new" });
  chmodSync(join(cwd, "a.vmx"), 0o640);
  expect(["a.vmx", "b.vmx", "c.vmx"].map((name) => replace(cwd, name, "old"))).toEqual([undefined, CHANGED, "it is no longer there"]);
  expect([replace(cwd, "b.vmx", undefined), replace(cwd, "new/d.json", undefined)]).toEqual([CHANGED, undefined]);
  expect(readFileSync(join(cwd, "a.vmx"), "utf8")).toBe("fixed");
  expect([readdirSync(cwd).sort(), readdirSync(join(cwd, "new"))]).toEqual([["a.vmx", "b.vmx", "new"], ["d.json"]]);
});

test("a file that another program changes while the new one is written keeps that change", () => {
  const cwd = folder({ "a.vmx": "old" });
  const path = join(cwd, "a.vmx");
  const content = Object.assign(Buffer.from("fixed"), {
    subarray(from: number) {
      writeFileSync(path, "theirs");
      return Buffer.from("fixed").subarray(from);
    },
  });
  expect(replace(cwd, "a.vmx", "old", content)).toBe(CHANGED);
  expect([readFileSync(path, "utf8"), readdirSync(cwd)]).toEqual(["theirs", ["a.vmx"]]);
});

test("a file that another one names is read up to 16 MB", () => {
  const cwd = folder({ a: "", b: "" });
  truncateSync(join(cwd, "a"), 16_000_000);
  truncateSync(join(cwd, "b"), 16_000_001);
  const files = diskFiles();
  expect([files.read(join(cwd, "a"))?.length, files.read(join(cwd, "b"))]).toEqual([16_000_000, undefined]);
});
