import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { spawned, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const PINNED = `virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n`;
const HOST = "hosts: { lab: { esxi: '5.5', sockets: 4, coresPerSocket: 10, threadsPerCore: 2 } }\n";

describe("a configuration of several files", () => {
  test("extends a shared file with its own paths; globs are relative to the extending file", () => {
    const cwd = folder({
      "shared/base.yaml": `${HOST}host: lab\nignore: ["old/**"]\noverrides: [{ files: ["dev/**"], rules: { affinity/ht-siblings: off } }]\n`,
      "prod/vmlint.yaml": "extends: [../shared/base.yaml]\n",
      "prod/a.vmx": PINNED,
      "prod/dev/b.vmx": PINNED,
      "prod/old/c.vmx": PINNED,
    });
    const { out, code } = vmlint(cwd, ["--format", "json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).diagnostics.map(({ path, ruleId, host }: Record<string, string>) => [path, ruleId, host])).toContainEqual([
      "prod/a.vmx",
      "affinity/ht-siblings",
      "lab",
    ]);
    expect(out).not.toMatch(/dev\/b.vmx[^}]*ht-siblings|old\/c/);
  });

  test("only the nearest applies; extends: [root] adds the root configuration and skips those between", () => {
    const files = {
      "vmlint.yaml": `root: true\n${HOST}host: lab\n`,
      "a/vmlint.yaml": "host: nowhere-in-use\n",
      "a/b/x.vmx": PINNED,
    };
    const alone = folder({ ...files, "a/b/vmlint.yaml": "{}\n" });
    expect(vmlint(alone, ["a/b"]).out).toContain("name the host");
    const rooted = folder({ ...files, "a/b/vmlint.yaml": "extends: [root]\n" });
    expect(vmlint(rooted, ["a/b"]).out).toContain("host lab");
    const rootless = folder({ "vmlint.yaml": HOST, "a/vmlint.yaml": "extends: [root]\n", "a/x.vmx": PINNED });
    expect(vmlint(rootless, [])).toEqual({
      code: 2,
      out: "",
      err: "vmlint: a/vmlint.yaml:1:11: No configuration above this one says root: true.\nvmlint: a/vmlint.yaml: no file below it is checked.\n",
    });
  });

  test.each<[string, (path: string) => void]>([
    ["a link that leads nowhere", (path) => symlinkSync("gone.yaml", path)],
    ["no file", (path) => mkdirSync(path)],
  ])("a configuration that is %s is an error", (what, make) => {
    const cwd = folder({ "a/a.vmx": PINNED });
    make(join(cwd, "vmlint.yaml"));
    const err = `vmlint: vmlint.yaml is ${what}: vmlint looks for its configuration there.\n`;
    expect(vmlint(cwd, [])).toEqual({ code: 2, out: "", err });
    expect(vmlint(cwd, ["init"]).code).toBe(2);
  });

  test("a path that is not a folder has no configuration", () => {
    const cwd = folder({ "a.vmx": PINNED });
    expect(spawned(cwd, ["-", "--stdin-filename", "a.vmx/b.vmx"], {}, PINNED)).toMatchObject({ code: 0, err: "" });
  });

  test("all mistakes are listed at once, one per line", () => {
    const cwd = folder({ "vmlint.yaml": "hots: x\nrules:\n  numa/wide-unevn: off\n", "a.vmx": PINNED });
    expect(vmlint(cwd, [])).toEqual({
      code: 2,
      out: "",
      err: [
        'vmlint: vmlint.yaml:1:1: There is no setting "hots". Did you mean "hosts"?\n',
        'vmlint: vmlint.yaml:3:3: There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?\n',
        "vmlint: vmlint.yaml: no file below it is checked.\n",
      ].join(""),
    });
  });

  describe("a mistake stops only what it affects", () => {
    const UNEVEN = 'virtualHW.version = "20"\nmemSize = "4096"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
    const INVALID = "error cpu/cps-divides";

    test("the rest of a configuration applies without a wrong rule or suppression", () => {
      const wrong = ["rules: { numa/wide-unevn: off }", "suppress: [{ rule: vmx/typ }]"];
      for (const part of wrong) {
        const cwd = folder({ "vmlint.yaml": `host: 2x20x2:768@8.0\n${part}\n`, "a.vmx": UNEVEN });
        const { code, out, err } = vmlint(cwd, []);
        expect([code, out], part).toEqual([2, expect.stringContaining("a.vmx:4:25  host 2x20x2:768@8.0")]);
        expect(err, part).toMatch(/^vmlint: vmlint\.yaml:2:\d+: .+\nvmlint: vmlint\.yaml: the other entries apply\.\n$/);
      }
    });

    test("no file is checked without the values that a wrong assumption would give it", () => {
      const cwd = folder({ "vmlint.yaml": "assume: { vcpus: many }\n", "a.vmx": UNEVEN });
      expect(vmlint(cwd, [])).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining("vmlint.yaml: no file below it is checked."),
      });
    });

    test("a suppression with a mistake suppresses nothing", () => {
      const cwd = folder({ "vmlint.yaml": "suppress: [{ rule: 5, vm: '*' }]\n", "a.vmx": UNEVEN });
      expect(vmlint(cwd, []).out).toContain(INVALID);
    });

    test("files of other configurations are checked, files below it are not, and every report names it", () => {
      const files = { "vmlint.yaml": "host: 2x20x2:768@8.0\n", "a.vmx": UNEVEN, "b/vmlint.yaml": "host: nosuch\n", "b/b.vmx": UNEVEN };
      const cwd = folder(files);
      const sentence = 'b/vmlint.yaml:1:7: There is no host "nosuch".';
      const run = vmlint(cwd, []);
      expect([run.code, run.err]).toEqual([2, `vmlint: ${sentence}\nvmlint: b/vmlint.yaml: no file below it is checked.\n`]);
      expect(run.out).toContain(`${INVALID} a.vmx:4:25`);
      expect(run.out).not.toContain("b.vmx");
      expect(vmlint(cwd, ["b/b.vmx"])).toMatchObject({ code: 2, out: "" });
      for (const format of ["json", "sarif", "junit", "html", "md", "csv", "tap", "gitlab", "ndjson"])
        expect(vmlint(cwd, ["--format", format]).out, format).toMatch(/There is no host .{0,6}nosuch/);
    });

    test("nothing is changed as only a part of the configuration says", () => {
      const cwd = folder({ "vmlint.yaml": "suppress: [{ rule: cpu/cps-divide }]\n", "a.vmx": UNEVEN });
      for (const option of ["--fix-unsafe", "--update-baseline", "--add-suppressions=later"])
        expect(vmlint(cwd, [option]), option).toMatchObject({
          code: 2,
          out: "",
          err: expect.stringContaining('There is no rule "cpu/cps-divide"'),
        });
      expect(readdirSync(cwd).sort()).toEqual(["a.vmx", "vmlint.yaml"]);
      expect(readFileSync(join(cwd, "a.vmx"), "utf8")).toBe(UNEVEN);
    });

    test("the library says the same", async () => {
      const workspace = openWorkspace({ files: { "vmlint.yaml": "rules: { numa/wide-unevn: off }\n", "a.vmx": UNEVEN } });
      const { findings, notChecked } = await workspace.check();
      expect(findings).toMatchObject([{ ruleId: "cpu/cps-divides" }]);
      expect(notChecked).toMatchObject([{ path: "vmlint.yaml", reason: expect.stringContaining('There is no rule "numa/wide-unevn"') }]);
      await expect(workspace.fix(findings, { unsafe: true })).rejects.toThrow('There is no rule "numa/wide-unevn"');
    });
  });

  test("a mistake in an extended file names that file, from every working directory", () => {
    const cwd = folder({
      ".git/HEAD": "",
      "s/base.yaml": "\nhots: x\n",
      "p/vmlint.yaml": "extends: [../s/base.yaml]\n",
      "p/a.vmx": PINNED,
    });
    const wrong = 'There is no setting "hots". Did you mean "hosts"?\n';
    const stopped = (path: string) => `vmlint: ${path}: no file below it is checked.\n`;
    expect(vmlint(cwd, [])).toEqual({ code: 2, out: "", err: `vmlint: s/base.yaml:2:1: ${wrong}${stopped("p/vmlint.yaml")}` });
    expect(vmlint(join(cwd, "p"), [])).toMatchObject({ code: 2, err: `vmlint: ../s/base.yaml:2:1: ${wrong}${stopped("vmlint.yaml")}` });
  });
});

describe("the place of a configuration", () => {
  test.each([
    ["vmlint.yaml", `host: 4x10x2@5.5\n`],
    ["vmlint.yml", `host: 4x10x2@5.5\n`],
    ["vmlint.json", `{ "host": "4x10x2@5.5" }`],
    ["package.json", `{ "name": "x", "vmlint": { "host": "4x10x2@5.5" } }`],
    ["package.json", `\ufeff{ "vmlint": { "host": "4x10x2@5.5" } }`],
    ["vmlint.yaml", Buffer.from("\ufeffhost: 4x10x2@5.5\r\n", "utf16le")],
  ])("%s", (name, text) => {
    const cwd = folder({ [name]: text, "sub/a.vmx": PINNED, "vmlint-of-nobody.yaml": "host: x" });
    expect(vmlint(cwd, ["sub"]).out).toContain("host 4x10x2@5.5");
  });

  test.each([`{ "name": "vmlint" }`, `{ "devDependencies": { "vmlint": "1" } }`, `{ "vmlint": `, `["vmlint"]`, `null // "vmlint"`])(
    "a package.json that says %s has none",
    (text) => {
      const cwd = folder({ "vmlint.yaml": "host: 4x10x2@5.5\n", "sub/package.json": text, "sub/a.vmx": PINNED });
      expect(vmlint(cwd, ["sub"]).out).toContain("host 4x10x2@5.5");
    },
  );
});

describe("the key of a package.json is meant for a configuration", () => {
  const HERE = 'vmlint must be a mapping, such as { "host": "lab" }.';
  test.each(["5", '"lab"', '["recommended"]', "null", "false"])("%s is none", (value) => {
    const cwd = folder({ "vmlint.yaml": "host: 4x10x2@5.5\n", "sub/package.json": `{\n  "vmlint": ${value}\n}\n`, "sub/a.vmx": PINNED });
    const err = `vmlint: sub/package.json:2:13: ${HERE}\nvmlint: sub/package.json: no file below it is checked.\n`;
    expect(vmlint(cwd, [])).toEqual({ code: 2, out: "", err });
  });

  test("a named file without this key is not a configuration", () => {
    const cwd = folder({ "package.json": `{ "name": "x" }`, "five.yaml": "5\n", "a.vmx": PINNED });
    const err = (name: string) => vmlint(cwd, ["--config", name]).err;
    expect(err("package.json")).toBe('vmlint: package.json:1:1: There is no "vmlint" in this file.\n');
    expect(err("five.yaml")).toBe("vmlint: five.yaml:1:1: A configuration must be a mapping.\n");
  });
});

test("vmlint schema config is the published schema", () => {
  const cwd = folder({});
  const published = readFileSync(new URL("../../packages/core/schemas/vmlint.schema.json", import.meta.url), "utf8");
  expect(vmlint(cwd, ["schema", "config"])).toEqual({ code: 0, out: published, err: "" });
});
