import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkout, git, ROOT } from "../support/checkout.ts";
import { folder } from "../support/folder.ts";

/** scripts/setup-integrations.sh puts it there. */
const PRE_COMMIT = join(ROOT, ".integration-tools/bin/pre-commit");

/** Makes a repository of a folder: pre-commit installs from git alone. */
function committed(cwd: string): string {
  git(cwd, "init", "--quiet");
  git(cwd, "add", "--all");
  git(cwd, "commit", "--quiet", "--no-verify", "--message", "All");
  return git(cwd, "rev-parse", "HEAD").trim();
}

const vm = (name: string, coresPerSocket: number): string =>
  `virtualHW.version = "20"\ndisplayName = "${name}"\nmemSize = "32768"\nnumvcpus = "8"\ncpuid.coresPerSocket = "${coresPerSocket}"\n`;

const terraform = (coresPerSocket: number): string => `resource "vsphere_virtual_machine" "orders" {
  name                 = "orders"
  num_cpus             = 8
  num_cores_per_socket = ${coresPerSocket}
  memory               = 32768
}
`;

test("the hook takes VM files in any spelling of their names, and the one over the whole repository is for any change", () => {
  const hooks: readonly { readonly id: string; readonly files?: string }[] = parse(
    readFileSync(join(ROOT, ".pre-commit-hooks.yaml"), "utf8"),
  );
  const [one, all] = hooks.map(({ files }) => files);
  // As Python writes it.
  const [, pattern = ""] = /^\(\?i\)(.*)$/.exec(one ?? "") ?? [];
  const taken = ["a.vmx", "U.VMX", "b.vmtx", "c.Ovf", "d.ova", "e.vmxf", "f.json"].filter((name) => new RegExp(pattern, "i").test(name));
  expect(taken).toEqual(["a.vmx", "U.VMX", "b.vmtx", "c.Ovf", "d.ova"]);
  expect(all).toBe(undefined);
});

describe.skipIf(!existsSync(PRE_COMMIT))("pre-commit, which installs the repository from git", () => {
  test("a bad VM fails its hook and a good one passes, alone and with the whole repository", { timeout: 300_000, retry: 1 }, () => {
    const repo = checkout();
    const rev = committed(repo);
    const cwd = folder({
      ".pre-commit-config.yaml": `repos: [{ repo: "${repo}", rev: ${rev}, hooks: [{ id: vmlint }, { id: vmlint-all }] }]\n`,
      "vmlint.yaml": 'host: 2x20x2:768@8.0\nworkload: { kind: mssql, edition: standard, version: "2022", licensing: core }\n',
      "good.vmx": vm("good", 8),
    });
    committed(cwd);
    const env = { ...process.env, PRE_COMMIT_HOME: folder({}), SKIP: "" };
    const hook = (id: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(PRE_COMMIT, ["run", id, "--color=never", ...args], { cwd, env, encoding: "utf8" });
      return { status, out: stdout + stderr };
    };
    const stage = (files: Readonly<Record<string, string>>): void => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text);
      git(cwd, "add", "--all");
    };
    expect(hook("vmlint", "--all-files")).toMatchObject({ status: 0, out: expect.stringMatching(/^vmlint\.+Passed$/m) });

    stage({ "bad.vmx": vm("bad", 1), "main.tf": terraform(1) });
    const changed = hook("vmlint");
    expect(changed.status).toBe(1);
    expect(changed.out).toContain("error mssql/standard-sockets bad.vmx:5:25");
    expect(changed.out).not.toContain("main.tf");

    stage({ "bad.vmx": vm("no longer bad", 8) });
    expect(hook("vmlint").out).toMatch(/^vmlint\.+Passed$/m);
    const all = hook("vmlint-all");
    expect(all.status).toBe(1);
    expect(all.out).toContain("error mssql/standard-sockets main.tf:4:26");

    stage({ "main.tf": terraform(8) });
    expect(hook("vmlint-all")).toMatchObject({ status: 0, out: expect.stringMatching(/\.+Passed$/m) });
  });
});
