import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/checkout.ts";
import { COMMAND } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** scripts/setup-integrations.sh installs @pulumi/pulumi and cdktn there. */
const MODULES = join(ROOT, ".integration-tools/npm/node_modules");

/** A registry may keep a client waiting. */
const REGISTRY = { timeout: 240_000, retry: 1 };

/** An example with its imports: vmlint's package from its tarball, all other packages from node_modules. */
function project(example: string, theirs: readonly string[]): string {
  const cwd = folder({ "package.json": '{ "private": true, "type": "module" }' });
  execFileSync(process.execPath, ["scripts/pack-core.mjs", cwd], { cwd: ROOT, stdio: "pipe" });
  const tarball = join(cwd, readdirSync(cwd).find((name) => name.endsWith(".tgz")) ?? "none");
  execFileSync("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd, stdio: "pipe" });
  for (const name of theirs) {
    mkdirSync(join(cwd, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(MODULES, name), join(cwd, "node_modules", name));
  }
  cpSync(join(ROOT, "examples", example), cwd, { recursive: true });
  return cwd;
}

const node = (cwd: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8", env: { ...process.env, CI: "" } });
  return { code: status, out: stdout, err: stderr };
};

describe.skipIf(!existsSync(MODULES))("programs that describe machines", () => {
  test("examples/pulumi: a machine that vmlint objects to ends the program before it is made", REGISTRY, () => {
    const cwd = project("pulumi", ["@pulumi/pulumi"]);
    // Pulumi's mock engine records the resources that the program creates.
    writeFileSync(
      join(cwd, "run.js"),
      `import * as pulumi from "@pulumi/pulumi";
      const made = [];
      await pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => (made.push([name, inputs.numCpus, inputs.numCoresPerSocket]), { id: name, state: inputs }),
        call: ({ inputs }) => inputs,
      }, "program", "test", false);
      if (process.argv[2]) pulumi.runtime.setConfig("program:cpus", process.argv[2]);
      let said = "";
      await import("./index.js").then(({ last }) => new Promise((resolve) => last.apply(resolve)), (error) => (said = error.message));
      console.log(JSON.stringify({ made, said }));
      `,
    );
    const run = (...args: readonly string[]) => {
      const { code, out, err } = node(cwd, "run.js", ...args);
      expect(code, err).toBe(0);
      return { ...JSON.parse(out.trim().split("\n").at(-1) ?? ""), err };
    };
    const good = run();
    expect([good.said, good.made.length]).toEqual(["", 3]);
    expect(good.made).toContainEqual(["c", 20, 10]);
    const bad = run("96");
    expect(bad.said).toMatch(/^a: cpu\/exceeds-host-threads: /);
    expect(bad.made).toEqual([]);
  });

  test("examples/cdktn: the library checks what is made, and the command the synthesised files", REGISTRY, () => {
    const cwd = project("cdktn", ["cdktn", "constructs"]);
    const { code, out, err } = node(cwd, "main.js");
    expect(code, err).toBe(0);
    const linted = node(cwd, COMMAND, "cdktn.out", "--host", "4x10x2:1024@7.0", "--fail-on", "info");
    expect([linted.code, linted.err]).toEqual([1, ""]);
    expect(linted.out).toContain("cdktn.out/stacks/fleet/cdk.tf.json");
    expect(linted.out).toContain("numa/wide-uneven");
    expect(linted.out).toContain("in 2 VMs (1 file).");
    const [, said = "nothing"] = /^db\.num_cpus: (.*)$/m.exec(out) ?? [];
    expect(linted.out.replaceAll(/\s+/g, " ")).toContain(said);
  });
});
