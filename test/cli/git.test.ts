import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, vmlint } from "../support/cli.ts";

const VM = `numvcpus = "4"\nnumvcpus = "4"\n`;
const CLEAN = `numvcpus = "4"\n`;

function repository(files: Readonly<Record<string, string>>) {
  const cwd = folder(files);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("config", "core.hooksPath", "/dev/null");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return { cwd, git, write: (path: string, text: string) => writeFileSync(join(cwd, path), text) };
}

function checked(cwd: string, args: readonly string[]): readonly string[] {
  const { out, err } = vmlint(cwd, ["--format", "json", ...args]);
  expect(err).toBe("");
  return JSON.parse(out).diagnostics.map(({ path }: { path: string }) => path);
}

describe("--changed", () => {
  test("checks what is not as it was committed, and what is new", () => {
    const { cwd, write, git } = repository({ "a.vmx": VM, "b.vmx": VM, "gone.vmx": VM, "sub/c.vmx": VM, ".gitignore": "old.vmx\n" });
    expect(checked(cwd, ["--changed"])).toEqual([]);
    write("a.vmx", `${VM}\n`);
    write("sub/new\nline é.vmx", VM);
    write("old.vmx", VM);
    rmSync(join(cwd, "gone.vmx"));
    write("b.vmx", `${VM}\n`);
    git("add", "b.vmx");
    expect(checked(cwd, ["--changed"])).toEqual(["a.vmx", "b.vmx", "sub/new\nline é.vmx"]);
    expect(checked(join(cwd, "sub"), ["--changed"])).toEqual(["new\nline é.vmx"]);
    expect(checked(cwd, ["--changed", "sub", "a.vmx"])).toEqual(["a.vmx", "sub/new\nline é.vmx"]);
  });

  test("with a branch, checks what came since they parted", () => {
    const { cwd, write, git } = repository({ "a.vmx": VM, "b.vmx": VM });
    git("switch", "-q", "-c", "work");
    write("a.vmx", `${VM}\n`);
    git("commit", "-q", "-a", "-m", "work");
    git("switch", "-q", "main");
    write("b.vmx", `${VM}\n`);
    git("commit", "-q", "-a", "-m", "main");
    git("switch", "-q", "work");
    expect(checked(cwd, ["--changed"])).toEqual([]);
    expect(checked(cwd, ["--changed=main"])).toEqual(["a.vmx"]);
  });

  test("files that refer to each other are all checked where one of them has changed, also one that holds values alone", () => {
    const main =
      'variable "cpus" {}\nresource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = var.cpus\n  num_cores_per_socket = 3\n  memory = 4096\n}\n';
    const { cwd, write } = repository({ "tf/main.tf": main, "tf/terraform.tfvars": "cpus = 6\n", "other.json": "{}", "a.vmx": VM });
    const files = () => JSON.parse(vmlint(cwd, ["--changed", "--format", "json"]).out).summary.files;
    expect(files()).toBe(0);
    write("other.json", "[]");
    expect(files()).toBe(0);
    write("tf/terraform.tfvars", "cpus = 9\n");
    expect(files()).toBe(1);
  });

  test("before the first commit everything has changed", () => {
    const cwd = folder({ "a.vmx": VM, "b.vmx": VM });
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["add", "a.vmx"], { cwd });
    expect(checked(cwd, ["--changed"])).toEqual(["a.vmx", "b.vmx"]);
    expect(checked(cwd, ["--staged"])).toEqual(["a.vmx"]);
  });

  test("calls nothing unused: it does not see all files", () => {
    const { cwd, write } = repository({ "vmlint.yaml": "suppress: [{ vm: none, reason: x }]\n", "a.vmx": CLEAN });
    write("a.vmx", `${CLEAN}\n`);
    expect(checked(cwd, [])).toEqual(["vmlint.yaml"]);
    expect(checked(cwd, ["--changed"])).toEqual([]);
  });

  test.each<[readonly string[], string]>([
    [["--changed=nowhere"], '--changed: git knows no commit "nowhere".'],
    [["--changed", "--staged"], "--changed and --staged exclude each other."],
    [["--changed=--output=x"], '--changed: git knows no commit "--output=x".'],
  ])("%s is refused", (args, expected) => {
    const { cwd } = repository({ "a.vmx": VM });
    expect(vmlint(cwd, args)).toEqual({ code: 2, out: "", err: `vmlint: ${expected}\n` });
  });

  test("needs a repository", () => {
    const cwd = folder({ "a.vmx": VM });
    expect(vmlint(cwd, ["--changed"], { GIT_CEILING_DIRECTORIES: join(cwd, "..") })).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/^vmlint: --changed: git says: fatal: not a git repository/),
    });
  });
});

describe("--staged", () => {
  test("checks what is to be committed, not what the file says by now", () => {
    const { cwd, write, git } = repository({ "a.vmx": CLEAN, "b.vmx": CLEAN, "c.vmx": CLEAN });
    write("a.vmx", VM);
    write("b.vmx", VM);
    git("add", "a.vmx", "b.vmx");
    write("a.vmx", CLEAN);
    write("c.vmx", VM);
    expect(checked(cwd, ["--staged"])).toEqual(["a.vmx", "b.vmx"]);
  });

  test("asks git for no content of a submodule that has moved on since it was staged", () => {
    const { cwd, git, write } = repository({ "a.vmx": VM, "sub/b.vmx": VM });
    const sub = (...args: readonly string[]) => git("-C", "sub", ...args);
    sub("init", "-q");
    sub("add", "-A");
    sub("commit", "-q", "-m", "first");
    git("rm", "-rq", "--cached", "sub");
    git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
    sub("commit", "-q", "--allow-empty", "-m", "second");
    write("a.vmx", `${VM}# more\n`);
    git("add", "a.vmx");
    write("a.vmx", CLEAN);
    expect(checked(cwd, ["--staged"])).toEqual(["a.vmx"]);
  });

  test("--fix leaves a file alone of which only a part is staged, and says so", () => {
    const tf = (n: string) =>
      `resource "vsphere_virtual_machine" "x" {\n  name = "x"\n  memory = 4096\n  num_cpus = ${n}\n  num_cores_per_socket = 4\n}\n`;
    const { cwd, write, git } = repository({ "a.vmx": CLEAN, "b.vmx": CLEAN, "clean.vmx": CLEAN, "main.tf": tf("4") });
    for (const name of ["a.vmx", "b.vmx"]) write(name, VM);
    write("clean.vmx", `${CLEAN}memSize = "4096"\n`);
    write("main.tf", tf("6"));
    git("add", "-A");
    for (const [name, text] of Object.entries({ "b.vmx": `${VM}memSize = "4096"\n`, "clean.vmx": CLEAN, "main.tf": `${tf("6")}# more\n` }))
      write(name, text);
    const { out, err } = vmlint(cwd, ["--staged", "--fix", "--fix-unsafe", "--format", "json"]);
    expect(err.split("\n").sort()).toEqual([
      "",
      "vmlint: a.vmx: fixed vmx/duplicate-key: Remove the second numvcpus.",
      "vmlint: b.vmx: not fixed: some of its changes are not staged; stage or discard them first.",
      "vmlint: main.tf: not fixed: some of its changes are not staged; stage or discard them first.",
    ]);
    expect(JSON.parse(out).diagnostics.map(({ path }: { path: string }) => path)).toEqual(["b.vmx", "main.tf"]);
    const now = ["a.vmx", "b.vmx", "main.tf"].map((name) => readFileSync(join(cwd, name), "utf8"));
    expect(now).toEqual([CLEAN, `${VM}memSize = "4096"\n`, `${tf("6")}# more\n`]);
  });

  test("drops what is ignored, as hooks want it", () => {
    const { cwd, write, git } = repository({ "vmlint.yaml": "ignore: [gen]\n" });
    mkdirSync(join(cwd, "gen"));
    write("gen/a.vmx", VM);
    write("b.vmx", VM);
    git("add", "-A");
    expect(checked(cwd, ["--staged"])).toEqual(["b.vmx"]);
  });
});
