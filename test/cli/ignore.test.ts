import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spawned, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = `numvcpus = "4"\nnumvcpus = "4"\n`;

/** The files a run checked: each holds one finding. */
function checked(cwd: string, args: readonly string[] = []): readonly string[] {
  const { out, err } = vmlint(cwd, ["--format", "json", ...args]);
  expect(JSON.parse(out).summary.vms === 0 ? "" : err).toBe("");
  return JSON.parse(out).diagnostics.map(({ path }: { path: string }) => path);
}

describe(".gitignore", () => {
  test("its files are skipped in folders and globs, but not if they are named", () => {
    const cwd = folder({ ".gitignore": "old/\n*.tmp.vmx\n", "a.vmx": VM, "b.tmp.vmx": VM, "old/c.vmx": VM });
    expect(checked(cwd)).toEqual(["a.vmx"]);
    expect(checked(cwd, ["**/*.vmx"])).toEqual(["a.vmx"]);
    expect(checked(cwd, ["b.tmp.vmx", "old"])).toEqual(["b.tmp.vmx", "old/c.vmx"]);
    expect(checked(cwd, ["--no-gitignore"])).toEqual(["a.vmx", "b.tmp.vmx", "old/c.vmx"]);
  });

  test("counts up to the folder of the repository, and no further", () => {
    const root = folder({ ".gitignore": "*.vmx\n", "repo/.gitignore": "/sub/x.vmx\n", "repo/sub/x.vmx": VM, "repo/sub/y.vmx": VM });
    mkdirSync(join(root, "repo/.git"));
    expect(checked(join(root, "repo/sub"))).toEqual(["y.vmx"]);
    expect(checked(root)).toEqual(["repo/sub/y.vmx"]);
    expect(checked(join(root, "repo"), ["sub"])).toEqual(["sub/y.vmx"]);
  });

  test("the innermost matching line decides, and nothing in an ignored folder is included again", () => {
    const cwd = folder({
      ".gitignore": "*.vmx\nlost/\n",
      "kept/.gitignore": "!*.vmx\nz.vmx\n",
      "kept/a.vmx": VM,
      "kept/z.vmx": VM,
      "lost/.gitignore": "!*.vmx\n",
      "lost/b.vmx": VM,
      "c.vmx": VM,
    });
    expect(checked(cwd)).toEqual(["kept/a.vmx"]);
    expect(checked(cwd, ["**/*.vmx"])).toEqual(["kept/a.vmx"]);
  });

  test("a folder that an inner .gitignore includes again is searched", () => {
    const cwd = folder({
      ".gitignore": "build\n",
      "a/.gitignore": "!build/\n",
      "a/build/x.vmx": VM,
      "build/y.vmx": VM,
      "a/b/build/z.vmx": VM,
    });
    expect(checked(cwd)).toEqual(["a/b/build/z.vmx", "a/build/x.vmx"]);
    expect(checked(join(cwd, "a/build"), ["x.vmx"])).toEqual(["x.vmx"]);
  });

  test("a line of so many stars that a regular expression never ends is passed over", () => {
    const cwd = folder({ ".gitignore": `${"*a".repeat(30)}\nb.vmx\n`, [`${"a".repeat(200)}.vmx`]: VM, "b.vmx": VM });
    expect(checked(cwd)).toEqual([`${"a".repeat(200)}.vmx`]);
  });

  test("`?` and `[!a]` are one byte to git, and so no letter such as é", () => {
    const cwd = folder({
      ".gitignore": "?.vmx\nsub/[!a].vmx\nü??.vmx\n",
      "é.vmx": VM,
      "e.vmx": VM,
      "sub/é.vmx": VM,
      "sub/b.vmx": VM,
      "üé.vmx": VM,
    });
    expect(checked(cwd)).toEqual(["sub/é.vmx", "é.vmx"]);
  });

  test("the same files as `git add` in any tree", () => {
    const name = fc.constantFrom("a", "b", "c d", "é", "[b]");
    const path = fc.array(name, { minLength: 0, maxLength: 2 }).map((parts) => parts.map((part) => `${part}/`).join(""));
    const rule = fc.tuple(
      fc.constantFrom("", "!"),
      fc.constantFrom("", "/", "**/"),
      fc.constantFrom(
        "a",
        "b",
        "a/b",
        "*.vmx",
        "x.vmx",
        "a*",
        "?.vmx",
        "?",
        "c d",
        "é",
        "[!a]",
        "b/**",
        "\\a",
        "[ab]",
        "/",
        "#a",
        "\\!a",
        "a\\",
      ),
      fc.constantFrom("", "/", "  ", "\r"),
    );
    const rules = fc.array(rule, { minLength: 1, maxLength: 4 }).map((lines) => lines.map((line) => `${line.join("")}\n`).join(""));
    fc.assert(
      fc.property(
        fc.array(path, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(path, rules), { minLength: 1, maxLength: 3 }),
        (files, ignores) => {
          const cwd = folder({
            ...Object.fromEntries(
              files.flatMap((at) => [
                [`${at}x.vmx`, VM],
                [`${at}y.vmx`, VM],
              ]),
            ),
            ...Object.fromEntries(ignores.map(([at, text]) => [`${at}.gitignore`, text])),
          });
          execFileSync("git", ["init", "-q"], { cwd });
          const git = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard", "*.vmx"], { cwd, encoding: "utf8" });
          expect(checked(cwd)).toEqual(git.split("\0").filter(Boolean).sort());
        },
      ),
      { numRuns: 40 },
    );
  });

  test("need not be text, nor a file", () => {
    const cwd = folder({ "a.vmx": VM, ".gitignore": Uint8Array.of(0, 255, 10, 200), "sub/b.vmx": VM });
    mkdirSync(join(cwd, "sub/.gitignore"));
    expect(checked(cwd)).toEqual(["a.vmx", "sub/b.vmx"]);
  });
});

describe("ignore: in vmlint.yaml", () => {
  test("leaves files and whole folders out, relative to the configuration", () => {
    const files = { "a.vmx": VM, "old/b.vmx": VM, "old/deep/c.vmx": VM, "sub/old/d.vmx": VM, "sub/e-lab.vmx": VM };
    const cwd = folder({ "vmlint.yaml": `ignore: [old/, "**/*-lab.vmx"]\n`, ...files });
    expect(checked(cwd)).toEqual(["a.vmx", "sub/old/d.vmx"]);
    expect(checked(cwd, ["**/*.vmx"])).toEqual(["a.vmx", "sub/old/d.vmx"]);
    expect(checked(join(cwd, "sub"))).toEqual(["old/d.vmx"]);
    expect(checked(cwd, ["old/deep", "sub/e-lab.vmx"])).toEqual(["old/deep/c.vmx", "sub/e-lab.vmx"]);
  });

  test("an ignored folder is not searched, even if it has a configuration", () => {
    const cwd = folder({
      "vmlint.yaml": "ignore: [fixtures]\n",
      "fixtures/vmlint.yaml": "hots: 1\n",
      "fixtures/a.vmx": VM,
      "b.vmx": VM,
    });
    expect(checked(cwd)).toEqual(["b.vmx"]);
    expect(vmlint(cwd, ["fixtures"])).toMatchObject({ code: 2, out: "" });
  });

  test("a negated pattern is rejected with its line, because it would skip all other files", () => {
    const cwd = folder({ "vmlint.yaml": "ignore:\n  - old/\n  - '!old/a.vmx'\n", "a.vmx": VM });
    expect(vmlint(cwd, [])).toEqual({
      code: 2,
      out: "",
      err: "vmlint: vmlint.yaml:3:5: ignore: does not support !: list only what to skip.\nvmlint: vmlint.yaml: no file below it is checked.\n",
    });
  });
});

describe("--force-exclude", () => {
  const files = {
    ".gitignore": "gen/\n",
    "vmlint.yaml": "ignore: ['*-lab.vmx']\n",
    "a.vmx": VM,
    "x-lab.vmx": VM,
    "gen/g.vmx": VM,
    "node_modules/n/n.vmx": VM,
  };

  test("skips ignored files even if they are named, with one note", () => {
    const cwd = folder(files);
    const { code, out, err } = vmlint(cwd, [
      "--force-exclude",
      "--format",
      "compact",
      "a.vmx",
      "x-lab.vmx",
      "gen/g.vmx",
      "node_modules/n/n.vmx",
    ]);
    expect(code).toBe(1);
    expect(out.match(/^[^:]+/gm)).toEqual(["a.vmx"]);
    expect(err).toBe("vmlint: not checked, since it is ignored: x-lab.vmx, gen/g.vmx, node_modules/n/n.vmx.\n");
  });

  test("skips ignored folders and standard input, and exits 0 without remaining files only with --allow-empty", () => {
    const cwd = folder(files);
    const args = ["--force-exclude", "--allow-empty"];
    expect(vmlint(cwd, [...args, "gen"])).toMatchObject({ code: 0, err: "vmlint: not checked, since it is ignored: gen.\n" });
    expect(vmlint(cwd, ["--force-exclude", "gen"])).toMatchObject({ code: 2, err: expect.stringContaining(".gitignore hides 1 file") });
    const piped = spawned(cwd, [...args, "-", "--stdin-filename", "gen/g.vmx"], {}, VM);
    expect(piped).toMatchObject({ code: 0, err: "vmlint: not checked, since it is ignored: gen/g.vmx.\n" });
  });

  test("a file that is not there is still an error", () => {
    const cwd = folder(files);
    expect(vmlint(cwd, ["--force-exclude", "gen/nope.vmx"])).toMatchObject({ code: 2, err: "vmlint: gen/nope.vmx does not exist.\n" });
  });
});

test("never entered: .git, .terraform, node_modules; links to folders", () => {
  const cwd = folder({ ".git/a.vmx": VM, ".terraform/b.vmx": VM, "sub/node_modules/c.vmx": VM, "d.vmx": VM, ".hidden/e.vmx": VM });
  symlinkSync(join(cwd, "sub"), join(cwd, "link"));
  expect(checked(cwd)).toEqual([".hidden/e.vmx", "d.vmx"]);
});

test("a .gitignore of 50,000 lines ends", () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `x${i}*.vmx\n`).join("");
  const names = Array.from({ length: 200 }, (_, i) => [`d/${i}.vmx`, VM]);
  expect(checked(folder({ ".gitignore": `d/0.vmx\n${lines}`, ...Object.fromEntries(names) }))).toHaveLength(199);
});
