import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = `numvcpus = "4"\nnumvcpus = "4"\n`;
const CLEAN = `numvcpus = "4"\n`;
const TERRAFORM =
  'variable "cps" {}\nresource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = 8\n  num_cores_per_socket = var.cps\n  memory = 4096\n}\n';
const cps = (value: number) => `cps = ${value}\n`;

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
  expect(JSON.parse(out).summary.vms === 0 ? "" : err).toBe("");
  return JSON.parse(out).diagnostics.map(({ path }: { path: string }) => path);
}

describe("--changed", () => {
  test("checks changed and new files", () => {
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

  test("checks a changed submodule, even if git is configured to ignore it", () => {
    const { cwd, git, write } = repository({ "a.vmx": VM });
    const { cwd: other } = repository({ "b.vmx": VM });
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub");
    git("commit", "-q", "-m", "second");
    git("config", "diff.ignoreSubmodules", "all");
    expect(checked(cwd, ["--changed"])).toEqual([]);
    write("sub/new.vmx", VM);
    expect(checked(cwd, ["--changed"])).toContain("sub/new.vmx");
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

  test("a change in one of the files of a project checks all of them, also a change in a file of values", () => {
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

  test.each([
    ["dev.pkrvars.json", '{ "cps": 4 }', '{ "cps": 3 }'],
    ["dev.pkrvars.hcl", cps(4), cps(3)],
    ["terragrunt.hcl", "", "inputs = {}\n"],
  ])("files that refer to each other are all checked where %s has changed", (name, before, after) => {
    const { cwd, write } = repository({ "tf/main.tf": TERRAFORM, [`tf/${name}`]: before });
    const files = () => JSON.parse(vmlint(cwd, ["--changed", "--format", "json"]).out).summary.files;
    expect(files()).toBe(0);
    write(`tf/${name}`, after);
    expect(files()).toBe(1);
    rmSync(join(cwd, "tf", name));
    expect(files()).toBe(1);
  });

  test("a change in a file that a function reads checks the whole project", () => {
    const main = `locals {\n  vms = yamldecode(file("\${path.module}/vms.yaml"))\n}\n${TERRAFORM.replace("var.cps", "local.vms.cps")}`;
    const { cwd, write, git } = repository({ "tf/main.tf": main, "tf/vms.yaml": "cps: 4\n", "other.yaml": "cps: 4\n" });
    write("other.yaml", "cps: 3\n");
    expect(checked(cwd, ["--changed"])).toEqual([]);
    write("tf/vms.yaml", "cps: 3\n");
    expect(checked(cwd, ["--changed"])).toEqual(["tf/main.tf"]);
    git("add", "tf/vms.yaml");
    expect(checked(cwd, ["--staged"])).toEqual(["tf/main.tf"]);
  });

  test.each(["fileset(", "fileset ("])(
    "files that refer to each other are all checked where any has changed and they ask for %s",
    (call) => {
      const each = `  for_each = ${call}path.module, "vms/*.json")\n  num_cpus = jsondecode(file(each.key)).cpus\n`;
      const main = `resource "vsphere_virtual_machine" "x" {\n${each}  num_cores_per_socket = 4\n}\n`;
      const { cwd, write, git } = repository({ "main.tf": main, "vms/b.json": '{ "cpus": 4 }' });
      expect(checked(cwd, ["--changed"])).toEqual([]);
      write("vms/b.json", '{ "cpus": 6 }');
      expect(checked(cwd, ["--changed"])).toEqual(["main.tf"]);
      git("add", ".");
      expect(checked(cwd, ["--staged"])).toEqual(["main.tf"]);
    },
  );

  test("files that refer to each other are all checked where the values named on the command line have changed", () => {
    const { cwd, write } = repository({ "main.tf": TERRAFORM, "prod.values": cps(4) });
    const run = () => checked(cwd, ["--changed", "--var-file", "prod.values"]);
    expect(run()).toEqual([]);
    write("prod.values", cps(3));
    expect(run()).toEqual(["main.tf"]);
  });

  test("sees a change through any path or link", () => {
    const { cwd, write } = repository({ "sub/a.vmx": VM, "sub/b.vmx": VM });
    symlinkSync(join(cwd, "sub"), join(cwd, "link"));
    write("sub/a.vmx", `${VM}\n`);
    expect(checked(cwd, ["--changed", "link"])).toEqual(["link/a.vmx"]);
    expect(checked(cwd, ["--changed", "link/a.vmx", "link/b.vmx"])).toEqual(["link/a.vmx"]);
  });

  test("a change inside of a nested repository checks everything", () => {
    const { cwd, git, write } = repository({ "a.vmx": VM });
    for (const name of ["module", "nested", "same"]) {
      mkdirSync(join(cwd, name));
      write(`${name}/b.vmx`, VM);
      for (const args of [
        ["init", "-q"],
        ["add", "-A"],
        ["commit", "-q", "-m", "first"],
      ])
        git("-C", name, ...args);
      if (name !== "nested") git("-c", "advice.addEmbeddedRepo=false", "add", name);
    }
    git("commit", "-q", "-m", "modules");
    git("-C", "module", "commit", "-q", "--allow-empty", "-m", "second");
    expect(checked(cwd, ["--changed"])).toEqual(["module/b.vmx", "nested/b.vmx"]);
  });

  test("runs no program that the repository names", () => {
    const { cwd, git, write } = repository({ "a.vmx": VM });
    write("spy.sh", "#!/bin/sh\ntouch spied\n");
    chmodSync(join(cwd, "spy.sh"), 0o755);
    git("config", "core.fsmonitor", "./spy.sh");
    write("a.vmx", `${VM}\n`);
    expect(checked(cwd, ["--changed"])).toEqual(["a.vmx"]);
    expect(existsSync(join(cwd, "spied"))).toBe(false);
  });

  test("in a shallow clone it explains why a commit is missing", () => {
    const { cwd, git } = repository({ "a.vmx": VM });
    git("commit", "-q", "--allow-empty", "-m", "second");
    const clone = join(folder({}), "clone");
    execFileSync("git", ["clone", "-q", "--depth=1", `file://${cwd}`, clone]);
    expect(vmlint(clone, ["--changed=HEAD~1"]).err).toBe(
      'vmlint: --changed: git knows no commit "HEAD~1". The clone is shallow: fetch all of its history first (fetch-depth: 0, git fetch --unshallow).\n',
    );
  });

  test("prints the complete error of git", () => {
    const { cwd } = repository({ "a.vmx": VM });
    const { code, err } = vmlint(cwd, ["--changed"], { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
    expect(code).toBe(2);
    expect(err).toContain("vmlint: --changed: git says: fatal: detected dubious ownership");
    expect(err).toContain("vmlint: git config --global --add safe.directory");
  });

  test("before the first commit everything has changed", () => {
    const cwd = folder({ "a.vmx": VM, "b.vmx": VM });
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["add", "a.vmx"], { cwd });
    expect(checked(cwd, ["--changed"])).toEqual(["a.vmx", "b.vmx"]);
    expect(checked(cwd, ["--staged"])).toEqual(["a.vmx"]);
  });

  test("reports nothing as unused, because it does not see all files", () => {
    const { cwd, write } = repository({ "vmlint.yaml": "suppress: [{ vm: none, reason: x }]\n", "a.vmx": CLEAN });
    write("a.vmx", `${CLEAN}\n`);
    expect(checked(cwd, [])).toEqual(["vmlint.yaml"]);
    expect(checked(cwd, ["--changed"])).toEqual([]);
  });

  test.each<[readonly string[], string]>([
    [["--changed=nowhere"], '--changed: git knows no commit "nowhere".'],
    [["--changed", "--staged"], "--changed and --staged exclude each other."],
    [["--changed", "main"], "main does not exist. If it is a commit, write --changed=main."],
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

  const BAD = `numvcpus = "8"\ncpuid.coresPerSocket = "3"\n`;
  const PLAYBOOK = `- hosts: localhost
  vars_files: [values.yml]
  tasks:
    - community.vmware.vmware_guest:
        name: x
        state: present
        template: t
        hardware: { num_cpus: 8, num_cpu_cores_per_socket: "{{ cps }}", memory_mb: 4096 }
`;
  const baseline = (...findings: readonly object[]) => JSON.stringify({ schemaVersion: 1, findings });
  const KNOWN = { path: "a.vmx", vm: "", rule: "cpu/cps-divides", value: "3" };
  const OFF = "rules: { cpu/cps-divides: off }\n";
  const VALUES: readonly (readonly [string, Readonly<Record<string, string>>, string, string, string])[] = [
    ["values of Terraform", { "main.tf": TERRAFORM }, "terraform.tfvars", cps(4), cps(3)],
    ["variables of Ansible", { "a.yml": PLAYBOOK }, "values.yml", "cps: 4\n", "cps: 3\n"],
    ["a configuration", { "a.vmx": BAD }, "vmlint.yaml", OFF, "rules: {}\n"],
    ["what a configuration extends", { "a.vmx": BAD, "vmlint.yaml": "extends: [./base.yaml]\n" }, "base.yaml", OFF, "rules: {}\n"],
    ["a baseline", { "a.vmx": BAD }, "vmlint-baseline.json", baseline(KNOWN), baseline()],
    ["what git ignores", { "a.vmx": BAD }, ".gitignore", "a.vmx\n", "b.vmx\n"],
  ];
  test.each(VALUES)("takes %s in its staged version, not from the disk", (_, files, name, good, bad) => {
    const { cwd, write, git } = repository({ ".keep": "" });
    const [main = ""] = Object.keys(files);
    for (const [path, text] of Object.entries(files)) write(path, text);
    write(name, bad);
    git("add", "-A");
    write(name, good);
    expect(checked(cwd, ["--staged"])).toEqual([main]);
    rmSync(join(cwd, name));
    expect(checked(cwd, ["--staged"])).toEqual([main]);
    write(name, good);
    git("add", "-A");
    write(name, bad);
    expect(checked(cwd, ["--staged"])).toEqual([]);
    rmSync(join(cwd, name));
    expect(checked(cwd, ["--staged"])).toEqual([]);
  });

  test("checks what is staged and gone from the folder", () => {
    const { cwd, write, git } = repository({ "vmlint.yaml": "ignore: [gen]\n" });
    for (const name of ["gen", "sub"]) mkdirSync(join(cwd, name));
    for (const name of ["a.vmx", "sub/b.vmx", "gen/c.vmx", "d.txt", "main.tf", "terraform.tfvars"])
      write(name, name === "main.tf" ? TERRAFORM : name === "terraform.tfvars" ? cps(3) : VM);
    git("add", "-A");
    for (const name of ["sub", "gen", "a.vmx", "d.txt", "main.tf", "terraform.tfvars"]) rmSync(join(cwd, name), { recursive: true });
    expect(checked(cwd, ["--staged"])).toEqual(["a.vmx", "main.tf", "sub/b.vmx"]);
    expect(checked(cwd, ["--staged", "a.vmx"])).toEqual(["a.vmx"]);
    const { code, err } = vmlint(cwd, ["--staged", "--force-exclude", "--allow-empty", "gen/c.vmx"]);
    expect([code, err]).toEqual([0, "vmlint: not checked, since it is ignored: gen/c.vmx.\n"]);
    const link = join(folder({}), "link");
    symlinkSync(cwd, link);
    expect(checked(cwd, ["--staged", link])).toEqual(["a.vmx", "main.tf", "sub/b.vmx"]);
    expect(vmlint(cwd, ["--changed", "a.vmx"]).code).toBe(2);
  });

  test("asks to resolve a merge conflict in a file it needs", () => {
    const { cwd, write, git } = repository({ "a.vmx": CLEAN, "b.vmx": CLEAN });
    for (const [branch, text] of [
      ["work", `${CLEAN}# work\n`],
      ["main", `${CLEAN}# main\n`],
    ] as const) {
      git("switch", "-q", ...(branch === "work" ? ["-c"] : []), branch);
      write("a.vmx", text);
      git("commit", "-q", "-a", "-m", branch);
    }
    expect(() => git("merge", "-q", "work")).toThrow();
    write("b.vmx", VM);
    git("add", "b.vmx");
    expect(vmlint(cwd, ["--staged"])).toEqual({
      code: 2,
      out: "",
      err: "vmlint: --staged: a.vmx is not merged yet: resolve the conflict first.\n",
    });
    expect(checked(cwd, ["--staged", "b.vmx"])).toEqual(["b.vmx"]);
  });

  test("in a hook of a linked worktree, checks what is staged there from a folder of it", () => {
    const { cwd, git } = repository({ "sub/a.vmx": CLEAN });
    const tree = join(folder({}), "tree");
    git("worktree", "add", "-q", tree);
    writeFileSync(join(tree, "sub/a.vmx"), VM);
    git("-C", tree, "add", "-A");
    const { out } = vmlint(join(tree, "sub"), ["--staged", "--format", "json"], { GIT_DIR: join(cwd, ".git/worktrees/tree") });
    expect(JSON.parse(out).diagnostics).toMatchObject([{ path: "a.vmx" }]);
  });

  test("does not read a submodule that changed after staging from git", () => {
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

  test("--fix leaves a partly staged file alone and reports it", () => {
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

  test("--fix leaves partly staged values alone and reports it", () => {
    const { cwd, write, git } = repository({ "main.tf": `${TERRAFORM}\n`, "terraform.tfvars": cps(4) });
    write("main.tf", TERRAFORM);
    write("terraform.tfvars", cps(3));
    git("add", "-A");
    write("terraform.tfvars", `# more\n${cps(3)}`);
    const { err } = vmlint(cwd, ["--staged", "--fix-unsafe"]);
    expect(err).toBe("vmlint: terraform.tfvars: not fixed: some of its changes are not staged; stage or discard them first.\n");
    expect(readFileSync(join(cwd, "terraform.tfvars"), "utf8")).toBe(`# more\n${cps(3)}`);
  });

  test("skips ignored files, as hooks expect", () => {
    const { cwd, write, git } = repository({ "vmlint.yaml": "ignore: [gen]\n" });
    mkdirSync(join(cwd, "gen"));
    write("gen/a.vmx", VM);
    write("b.vmx", VM);
    git("add", "-A");
    expect(checked(cwd, ["--staged"])).toEqual(["b.vmx"]);
  });
});
