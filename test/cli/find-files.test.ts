import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { formats } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { type FileRequest, findFiles } from "../../packages/cli/src/files/find-files.ts";
import { configFinder } from "../../packages/cli/src/run/disk-workspace.ts";
import { folder } from "../support/folder.ts";

const VM = 'numvcpus = "2"\n';

/** The paths that patterns mean, relative to the folder; named ones are marked. */
async function found(cwd: string, patterns: readonly string[], more: Partial<FileRequest> = {}) {
  const notes: string[] = [];
  const inputs = await findFiles({ patterns, findConfig: configFinder(cwd), ...more }, cwd, (note) => notes.push(note));
  return { paths: inputs.map(({ path, isNamed }) => `${relative(cwd, path)}${isNamed ? "!" : ""}`), notes, inputs };
}

describe("files of a run", () => {
  test("a folder gives the files whose names fit a format, sorted, each once", async () => {
    const cwd = folder({ "b/z.vmx": VM, "b/a.tf": "", "a.vmx": VM, "b/readme.md": "", "b/c/d.vmx": VM });
    expect((await found(cwd, ["."])).paths).toEqual(["a.vmx", "b/a.tf", "b/c/d.vmx", "b/z.vmx"]);
    expect((await found(cwd, ["b", "a.vmx", "./b/z.vmx"])).paths).toEqual(["a.vmx!", "b/a.tf", "b/c/d.vmx", "b/z.vmx!"]);
    expect((await found(cwd, ["b/z.vmx", "b"])).paths).toContain("b/z.vmx!");
  });

  test("a named file needs no known name, and --format-in leaves only its own endings in a folder", async () => {
    const cwd = folder({ "vm.txt": VM, "a.vmx": VM, "main.tf": "" });
    const [input] = (await found(cwd, ["vm.txt"])).inputs;
    expect(input).toMatchObject({ isNamed: true, formats: [], folder: cwd });
    const terraform = formats.find(({ name }) => name === "terraform");
    expect((await found(cwd, ["."], { format: terraform })).paths).toEqual(["main.tf"]);
    expect((await found(cwd, ["vm.txt"], { format: terraform })).inputs[0]?.formats).toEqual([terraform]);
  });

  test("a glob gives files, and nothing below folders that are never entered", async () => {
    const cwd = folder({ "a/x.vmx": VM, "a/y.vmx": VM, "node_modules/z.vmx": VM, ".git/HEAD": "", "b/x.ovf": "" });
    expect((await found(cwd, ["*/*.vmx"])).paths.map((path) => path.replace("!", ""))).toEqual(["a/x.vmx", "a/y.vmx"]);
    expect((await found(cwd, ["."])).paths).toEqual(["a/x.vmx", "a/y.vmx", "b/x.ovf"]);
  });

  test("ignored files are skipped in folders, kept if named, and skipped then too with --force-exclude", async () => {
    const cwd = folder({
      ".git/HEAD": "",
      ".gitignore": "old/\n*.bak.vmx\n",
      "vmlint.yaml": "ignore: [lab]\n",
      "old/a.vmx": VM,
      "lab/b.vmx": VM,
      "c.bak.vmx": VM,
      "d.vmx": VM,
      "sub/.gitignore": "!e.bak.vmx\n",
      "sub/e.bak.vmx": VM,
    });
    expect((await found(cwd, ["."])).paths).toEqual(["d.vmx", "sub/e.bak.vmx", "vmlint.yaml"]);
    expect((await found(cwd, ["."], { noGitignore: true })).paths).toEqual([
      "c.bak.vmx",
      "d.vmx",
      "old/a.vmx",
      "sub/e.bak.vmx",
      "vmlint.yaml",
    ]);
    expect((await found(cwd, ["c.bak.vmx", "lab/b.vmx"])).paths).toEqual(["c.bak.vmx!", "lab/b.vmx!"]);
    expect((await found(cwd, ["c.bak.vmx", "lab/b.vmx", "d.vmx"], { forceExclude: true })).paths).toEqual(["d.vmx!"]);
  });

  test.skipIf(process.platform === "win32")("links to files are followed, links to folders and into nothing are not", async () => {
    const cwd = folder({ "real/a.vmx": VM, "b.vmx": VM });
    symlinkSync(join(cwd, "b.vmx"), join(cwd, "link.vmx"));
    symlinkSync(join(cwd, "gone"), join(cwd, "dead.vmx"));
    symlinkSync(cwd, join(cwd, "real/circle"));
    expect((await found(cwd, ["."])).paths).toEqual(["b.vmx", "link.vmx", "real/a.vmx"]);
  });

  test("each searched folder is listed with all of its names", async () => {
    const cwd = folder({ "a.vmx": VM, "sub/readme.md": "" });
    const listed = new Map<string, readonly string[]>();
    await found(cwd, ["."], { listed });
    expect([...listed].map(([path, names]) => [relative(cwd, path), [...names].sort()])).toEqual([
      ["", ["a.vmx", "sub"]],
      ["sub", ["readme.md"]],
    ]);
  });

  test("a path that is missing or empty is an error that says what to do", async () => {
    const cwd = folder({ "a.vmx": VM });
    await expect(found(cwd, ["b.vmx"])).rejects.toThrow("b.vmx does not exist.");
    await expect(found(cwd, [""])).rejects.toThrow('One of the paths is empty (""): leave it out, or write . for this folder.');
    await expect(found(cwd, ["topolgy"])).rejects.toThrow("Did you mean vmlint topology?");
    await expect(found(cwd, ["size"])).rejects.toThrow("A command comes before the paths: vmlint size ...");
    mkdirSync(join(cwd, "gone"));
    rmSync(join(cwd, "gone"), { recursive: true });
    await expect(found(cwd, ["gone"])).rejects.toThrow("gone does not exist.");
  });
});

describe("a pattern", () => {
  const FILES = ["a.vmx", "b.ovf", "sub/c.vmx", "sub/deep/d.vmx", ".lab/e.vmx", "node_modules/f.vmx", "[x].vmx"];

  test.each([
    ["*.vmx", ["[x].vmx", "a.vmx"]],
    ["./*.vmx", ["[x].vmx", "a.vmx"]],
    ["**/*.vmx", [".lab/e.vmx", "[x].vmx", "a.vmx", "sub/c.vmx", "sub/deep/d.vmx"]],
    ["sub/**", ["sub/c.vmx", "sub/deep/d.vmx"]],
    ["sub/*/*.vmx", ["sub/deep/d.vmx"]],
    ["*/*.vmx", [".lab/e.vmx", "sub/c.vmx"]],
    ["{a,b}.{vmx,ovf}", ["a.vmx", "b.ovf"]],
    ["{sub,.lab}/**/*.vmx", [".lab/e.vmx", "sub/c.vmx", "sub/deep/d.vmx"]],
    ["?.vmx", ["a.vmx"]],
    ["[ab].*", ["a.vmx", "b.ovf"]],
    ["[!a].ovf", ["b.ovf"]],
    ["!a.vmx", []],
    ["sub/../*.ovf", ["b.ovf"]],
  ])("%s", async (pattern, expected) => {
    const cwd = folder(Object.fromEntries(FILES.map((path) => [path, ""])));
    expect((await found(cwd, [pattern])).paths).toEqual(expected);
    expect((await found(join(cwd, "sub"), [join(cwd, pattern)])).paths).toHaveLength(expected.length);
  });

  test("never goes back to an earlier star, and has few alternatives", async () => {
    const cwd = folder({ [`${"a".repeat(200)}.vmx`]: "", "b.vmx": "" });
    expect((await found(cwd, ["*a*a*a*a*a*a*a*a*a*a*ab.vmx"])).paths).toEqual([]);
    expect((await found(cwd, [`${"a".repeat(150)}${"*a".repeat(40)}*.vmx`])).paths).toHaveLength(1);
    await expect(found(cwd, ["{a,b}".repeat(12)])).rejects.toThrow("too many patterns");
  });
});

test.skipIf(process.platform === "win32")(
  "a link that leads out of the workspace is not followed, in a folder and by a pattern",
  async () => {
    const top = folder({ "outside/s.vmx": "", "inside/a.vmx": "", "inside/real/b.vmx": "" });
    const cwd = join(top, "inside");
    symlinkSync("../outside/s.vmx", join(cwd, "x.vmx"));
    symlinkSync("../../outside/s.vmx", join(cwd, "real/y.vmx"));
    symlinkSync("real/b.vmx", join(cwd, "z.vmx"));
    const { paths, notes } = await found(cwd, ["."]);
    expect(paths).toEqual(["a.vmx", "real/b.vmx", "z.vmx"]);
    expect(notes).toEqual(["x.vmx", "real/y.vmx"].map((path) => `${path} is not checked: the link leads out of the workspace`));
    expect((await found(cwd, ["*.vmx"])).paths).toEqual(["a.vmx", "z.vmx"]);
    expect((await found(top, ["inside"])).paths).toEqual([
      "inside/a.vmx",
      "inside/real/b.vmx",
      "inside/real/y.vmx",
      "inside/x.vmx",
      "inside/z.vmx",
    ]);
  },
);
