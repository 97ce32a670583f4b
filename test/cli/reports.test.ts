import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { REPORT_FORMATS } from "@vmlint/core/reporters";
import { describe, expect, test } from "vitest";
import { list } from "../../packages/core/src/model/words.ts";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { parseXml } from "../support/parse-xml.ts";
import { pageNamed } from "../support/rule-pages.ts";

// A workbook goes to a file only: test/report/xlsx.test.ts.
const FORMATS = Object.keys(REPORT_FORMATS).filter((format) => format !== "xlsx");
const RULES = "rules: { affinity/ht-siblings: warning, vmx/type: error }\n";
const FILES = {
  "vmlint.yaml": `host: dl580g7\n${RULES}`,
  "prod/a.vmx": 'displayName = "sql01"\nvirtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n',
  "b.vmx": 'virtualHW.version = "10"\nnumvcpus = "four"\nno line of a .vmx\n',
  "c.vmx": Uint8Array.from({ length: 512 }, (_, i) => (i * 7919) % 256),
  "clean.vmx": 'virtualHW.version = "10"\nnumvcpus = "4"\n',
};
const KNOWN = '{ "schemaVersion": 1, "findings": [] }\n';
const WARNED = { "vmlint.yaml": FILES["vmlint.yaml"], "a.vmx": FILES["prod/a.vmx"], "b/a.vmx": FILES["prod/a.vmx"] };

describe("every form", () => {
  test.each(FORMATS)("%s: findings exit 1, and stdout holds only the report", (format) => {
    const { code, out, err } = vmlint(folder(FILES), ["--format", format]);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("ht-siblings");
    expect(out.endsWith("\n")).toBe(true);
  });

  test.each(FORMATS)("%s:FILE holds what stdout would, which stays empty", (format) => {
    const cwd = folder(FILES);
    const { code, out, err } = vmlint(cwd, ["--format", `${format}:out/report`, "--fail-on", "never"]);
    expect([code, out, err]).toEqual([0, "", ""]);
    expect(readFileSync(join(cwd, "out/report"), "utf8")).toBe(vmlint(cwd, ["--format", format, "--fail-on", "never"]).out);
    expect(readdirSync(join(cwd, "out"))).toEqual(["report"]);
  });

  /** Reports that a service maps to the files of its repository. */
  const FOR_SERVICES = ["azure", "checkstyle", "compact", "github", "gitlab", "junit", "md", "sarif"];
  const ROOTS = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BITBUCKET_CLONE_DIR"];
  /** No variable of the service that runs this test. */
  const NO_BUILD = { GITHUB_WORKSPACE: "", CI_PROJECT_DIR: "", BITBUCKET_CLONE_DIR: "", BUILD_SOURCESDIRECTORY: "" };

  test.each(FORMATS.filter((format) => !["html", "summary"].includes(format)))(
    "%s: paths start from the root of a build if a service reads it",
    (format) => {
      const root = folder({ "env/prod/a.vmx": FILES["b.vmx"], "env/prod/empty.vmx": "" });
      const paths = (from: string, env: Readonly<Record<string, string>>, ...patterns: readonly string[]) => {
        const { out } = vmlint(join(root, from), ["--format", format, ...patterns], { ...NO_BUILD, ...env });
        return [...new Set(out.match(/[\w./]*(?:a|empty)\.vmx/g))].map((path) => path.replace("./", ""));
      };
      const isForService = FOR_SERVICES.includes(format);
      const shown = (path: string) => (isForService ? `env/${path}` : path);
      for (const name of ROOTS) {
        expect(paths("env", { [name]: ".." }, "prod")).toEqual([shown("prod/a.vmx")]);
        expect(paths("env", { [name]: `${root}/` }, "../env")).toEqual([shown("prod/a.vmx")]);
        expect(paths(".", { [name]: root }, ".")).toEqual(["env/prod/a.vmx"]);
        expect(paths("env", { [name]: join(root, "env/prod") }, ".")).toEqual(["prod/a.vmx"]);
      }
      expect(paths("env", {}, ".")).toEqual(["prod/a.vmx"]);
      const withEmpty = paths("env", { GITHUB_WORKSPACE: root }, "prod/a.vmx", "prod/empty.vmx");
      for (const path of withEmpty) expect([shown("prod/a.vmx"), shown("prod/empty.vmx")]).toContain(path);
    },
  );

  test("azure: absolute paths in a build with several repositories", () => {
    const root = folder({ "one/vms/a.vmx": FILES["b.vmx"], "two/a.txt": "" });
    const path = (from: string, env: Readonly<Record<string, string>>, pattern: string) =>
      /sourcepath=([^;]*)/.exec(vmlint(join(root, from), ["--format", "azure", pattern], env).out)?.[1];
    expect(path("one", { BUILD_SOURCESDIRECTORY: root }, ".")).toBe(join(root, "one/vms/a.vmx"));
    expect(path("two", { BUILD_SOURCESDIRECTORY: root }, "../one")).toBe(join(root, "one/vms/a.vmx"));
    expect(path("one", {}, ".")).toBe("vms/a.vmx");
  });

  test("reports with texts of rule pages include them", () => {
    const cwd = folder(FILES);
    const { summary, why } = pageNamed("affinity/ht-siblings");
    const [run] = JSON.parse(vmlint(cwd, ["--format", "sarif"]).out).runs;
    const told = run.tool.driver.rules.find(({ id }: { readonly id: string }) => id === "affinity/ht-siblings");
    expect(told.shortDescription.text).toContain(summary);
    expect(JSON.stringify(told)).toContain(JSON.stringify(why).slice(1, -1));
    for (const args of [["--format", "html"], ["rules"], ["rules", "--format", "json"], ["explain", "affinity/ht-siblings"]])
      expect(vmlint(cwd, args).out).toContain(summary);
  });

  test.each(["json", "sarif", "gitlab"])("%s parses, with findings, without, and without a file", (format) => {
    for (const files of [FILES, { "a.vmx": FILES["clean.vmx"] }, {}]) {
      expect(() => JSON.parse(vmlint(folder(files), ["--format", format]).out)).not.toThrow();
    }
  });

  test.each(["junit", "checkstyle"])("%s is XML, with findings, without, and without a file", (format) => {
    for (const files of [FILES, { "a.vmx": FILES["clean.vmx"] }, {}]) parseXml(vmlint(folder(files), ["--format", format]).out);
  });

  test("--help-all lists each with its purpose", () => {
    const { out } = vmlint(folder({}), ["--help-all"]);
    const words = out.replace(/\n {8,}/g, " ");
    for (const [name, summary] of Object.entries(REPORT_FORMATS))
      expect(words).toMatch(new RegExp(`^ {2}${name} +${literally(summary)}$`, "m"));
  });
});

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

describe("several at once", () => {
  test("one on stdout and several in files, with the exit code of the run", () => {
    const cwd = folder(FILES);
    const { code, out } = vmlint(cwd, ["--format", "text", "--format", "sarif:a.sarif", "--format=md:b.md"]);
    expect([code, out]).toEqual([1, vmlint(cwd, []).out]);
    expect(JSON.parse(readFileSync(join(cwd, "a.sarif"), "utf8")).version).toBe("2.1.0");
    expect(readFileSync(join(cwd, "b.md"), "utf8")).toMatch(/^## vmlint\n/);
  });

  test.skipIf(!existsSync("/dev/stdout"))("a pipe by the name of its descriptor is written to", () => {
    const cwd = folder(FILES);
    const command = `"${process.execPath}" "${COMMAND}" --format json:/dev/stdout --format sarif:/dev/null | cat`;
    expect(spawnSync("bash", ["-c", command], { cwd, encoding: "utf8" }).stdout).toBe(vmlint(cwd, ["--format", "json"]).out);
  });

  test("a dash in the place of a file is stdout", () => {
    const cwd = folder(FILES);
    expect(vmlint(cwd, ["--format", "json:-"])).toEqual(vmlint(cwd, ["--format", "json"]));
    expect(vmlint(cwd, ["nope", "--format=json:-"])).toEqual(vmlint(cwd, ["nope", "--format=json"]));
    expect(vmlint(cwd, ["--format", "json:-", "--format", "text"]).err).toContain("At most one report can go to stdout");
    expect(readdirSync(cwd)).not.toContain("-");
  });

  test("colours are for the terminal, not for files", () => {
    const cwd = folder(FILES);
    const { out } = vmlint(cwd, ["--format", "text", "--format", "text:a.txt"], { FORCE_COLOR: "1" });
    expect(out).toContain("\u001b[");
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).not.toContain("\u001b");
  });

  test("a file is replaced, through a link too, and a device is written to", () => {
    const cwd = folder({ ...FILES, "real/report.txt": "old\n".repeat(10_000) });
    symlinkSync("real/report.txt", join(cwd, "link.txt"));
    expect(vmlint(cwd, ["--format", "compact:link.txt", "--format", "json:/dev/null"]).code).toBe(1);
    expect(readFileSync(join(cwd, "real/report.txt"), "utf8")).toBe(vmlint(cwd, ["--format", "compact"]).out);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(readdirSync(join(cwd, "real"))).toEqual(["report.txt"]);
  });
});

describe("names are no commands of a CI service", () => {
  const COMMANDS = ["##vso[task.setvariable variable=x]y", "##[add-path]x", "##teamcity[x]", "::set-env name=x::y", "  ::add-mask::x"];
  const isCommand = (line: string): boolean => /##[\w.-]*\[/.test(line) || /^\s*::(?!placeholder)/.test(line);

  test.each(FORMATS)("%s", (format) => {
    for (const command of COMMANDS) {
      const name = `${command.replaceAll("/", "")}.vmx`;
      const vm = `displayName = "${command}"\n${FILES["b.vmx"]}`;
      for (const args of [[], ["topology"]]) {
        if (args.length > 0 && !["text", "json"].includes(format)) continue;
        const { out, err } = vmlint(folder({ [name]: vm }), [...args, "--format", format]);
        const taken = `${out}\n${err}`.split("\n").filter(isCommand);
        // These reports consist of commands: the name must add none.
        const own = taken.filter((line) => /^::(?:error|warning|notice) file=|^##vso\[task\.logissue /.test(line) && !/.##/.test(line));
        expect(taken).toEqual(["github", "azure"].includes(format) ? own : []);
      }
    }
  });
});

describe("an impossible request exits 2 before anything is written", () => {
  test.each<[string, string[], string]>([
    ["an unknown form", ["--format", "xml"], `vmlint: --format takes ${list(Object.keys(REPORT_FORMATS), "or")}, not "xml".`],
    ["a misspelt form", ["--format", "sarfi"], "Did you mean sarif?"],
    ["a misspelt form with a file", ["--format", "junti:a.xml"], "Did you mean junit?"],
    ["a picture", ["--format", "svg"], "vmlint: --format svg only works with vmlint topology.\n"],
    [
      "two for stdout",
      ["--format", "text", "--format", "json"],
      "vmlint: At most one report can go to stdout. Write the other reports to files: --format json:FILE.\n",
    ],
    ["two for one file, through a folder that is linked", ["--format", "json:link/a", "--format", "sarif:prod/a"], "to the same file ("],
    ["two for one file", ["--format", "json:a", "--format", "sarif:./a"], "vmlint: Two reports cannot go to the same file ("],
    ["no file behind the colon", ["--format", "json:"], "vmlint: --format json: needs a file name: write json:FILE, or json for stdout.\n"],
    ["a number that is none", ["--max-warnings", "few"], 'vmlint: --max-warnings takes a whole number, not "few".\n'],
    ["a VM definition", ["--format", "text:b.vmx"], "b.vmx: that file is an existing VM definition by its name. Choose another name.\n"],
    ["a configuration", ["--format", "json:vmlint.yaml"], "that file is a configuration by its name. Choose another name.\n"],
    ["a manifest", ["--format", "json:prod/package.json"], "that file is a configuration by its name. Choose another name.\n"],
    ["a baseline", ["--format", "json:vmlint-baseline.json"], "that file is a baseline by its name. Choose another name.\n"],
    ["what is git's", ["--format", "json:.git/config"], "that file is git's own by its name. Choose another name.\n"],
    ["a folder in the file's place", ["--format", "json", "--format", "sarif:prod"], "prod is a folder: name a file in it.\n"],
    ["a folder that the system does not make", ["--format", "json:/proc/none/a"], "/proc/none/a cannot be written (E"],
    // ENOTDIR or EEXIST, by Node's release.
    ["a file in a folder's place", ["--format", "json:b.vmx/a"], "b.vmx/a cannot be written (E"],
    ["two forms of a layout", ["topology", "--format", "svg", "--format", "json"], "vmlint: vmlint topology takes one --format.\n"],
    [
      "a report of a layout",
      ["topology", "--format", "sarif"],
      'vmlint: --format of vmlint topology takes text, json or svg, not "sarif".\n',
    ],
    ["a report of rules", ["rules", "--format", "sarif"], 'vmlint: --format of vmlint rules takes text or json, not "sarif".\n'],
  ])("%s", (_, args, message) => {
    const cwd = folder(FILES);
    symlinkSync("prod", join(cwd, "link"));
    const before = readdirSync(cwd);
    const { code, out, err } = vmlint(cwd, args);
    expect([code, out, readdirSync(cwd)]).toEqual([2, expect.stringMatching(/^$|"error"|"executionSuccessful": false/), before]);
    expect(err).toContain(message);
  });
});

describe("a report does not replace an input of the run", () => {
  const SPEC = "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: x }\nspec: { vcpus: 4, memoryMiB: 4096 }\n";
  const TF = 'variable "n" {}\nresource "vsphere_virtual_machine" "v" {\n  num_cpus = var.n\n  memory   = 4096\n}\n';
  const READ = { "base.yml": "host: dl580g7\n", "vm.yaml": SPEC, "main.tf": TF, "terraform.tfvars": "n = 4\n", "known.json": KNOWN };
  const CONFIG = { "vmlint.yaml": "extends: [./base.yml]\nbaseline: known.json\n" };

  test.each(["base.yml", "vm.yaml", "main.tf", "terraform.tfvars", "known.json", "link"])("%s", (name) => {
    const cwd = folder({ ...READ, ...CONFIG });
    symlinkSync("terraform.tfvars", join(cwd, "link"));
    const { code, out, err } = vmlint(cwd, ["--format", `json:${name}`]);
    expect([code, out, err]).toEqual([2, "", `vmlint: ${name} cannot be replaced by a report: this run reads it. Name another file.\n`]);
    for (const [path, text] of Object.entries(READ)) expect(readFileSync(join(cwd, path), "utf8")).toBe(text);
  });

  test("also if the run fails; an earlier report is replaced under any name", () => {
    const cwd = folder({ ...READ, ...CONFIG, "base.yml": "hots: x\n" });
    for (const name of ["base.yml", "vm.yaml"]) {
      const before = readFileSync(join(cwd, name), "utf8");
      expect(vmlint(cwd, ["--format", `json:${name}`]).err).toContain('There is no setting "hots"');
      expect(readFileSync(join(cwd, name), "utf8")).toBe(before);
    }
    const found = folder({ ...FILES, "vm.yaml": SPEC.replace("4,", "four,") });
    for (const name of ["report.json", "report.yaml"])
      for (const format of ["json", "sarif", "text", "json"])
        expect(vmlint(found, ["--format", `${format}:${name}`])).toMatchObject({ code: 1, err: "" });
  });
});

describe("--quiet, --max-warnings, --stats", () => {
  const rulesIn = (out: string): string[] => JSON.parse(out).diagnostics.map((d: { ruleId: string }) => d.ruleId);

  test("--quiet reports only errors and fails only for errors", () => {
    const { code, out } = vmlint(folder(FILES), ["--quiet", "--format", "json"]);
    expect([code, new Set(rulesIn(out))]).toEqual([1, new Set(["vmx/type"])]);
    expect(JSON.parse(out).summary).toMatchObject({ error: 1, warning: 0 });
    expect(vmlint(folder(WARNED), ["--quiet"])).toEqual({ code: 0, out: expect.stringContaining("Nothing to report in 2 VMs"), err: "" });
  });

  test.each<[string[], number, string]>([
    [["--max-warnings", "2"], 0, ""],
    [["--max-warnings", "1"], 1, "vmlint: 2 warnings, and --max-warnings allows 1.\n"],
    [["--max-warnings", "0"], 1, "vmlint: 2 warnings, and --max-warnings allows 0.\n"],
    [["--max-warnings", "1", "--fail-on", "error"], 1, "vmlint: 2 warnings, and --max-warnings allows 1.\n"],
    [["--max-warnings", "1", "--fail-on", "never"], 0, ""],
    [["--max-warnings", "9", "--fail-on", "info"], 1, ""],
    [["--max-warnings", "1", "--quiet"], 1, "vmlint: 2 warnings, and --max-warnings allows 1.\n"],
    [["--max-warnings", "2", "--quiet"], 0, ""],
  ])("%j on two warnings exits %d", (args, code, err) => {
    expect(vmlint(folder(WARNED), args)).toMatchObject({ code, err });
  });

  test("--max-warnings lets no error pass, and JUnit fails the tests that the command fails for", () => {
    expect(vmlint(folder(FILES), ["--max-warnings", "99"]).code).toBe(1);
    const failures = (...args: string[]) => parseXml(vmlint(folder(WARNED), ["--format", "junit", ...args]).out).attributes.failures;
    expect([failures(), failures("--max-warnings", "2"), failures("--max-warnings", "1"), failures("--fail-on", "never")]).toEqual([
      "2",
      "0",
      "2",
      "0",
    ]);
  });

  test("--stats prints the findings and skipped checks of each rule to stderr", () => {
    const { code, out, err } = vmlint(
      folder({ ...WARNED, "vmlint.yaml": RULES, "c.vmx": `# vmlint: host=dl580g7\n${FILES["prod/a.vmx"]}` }),
      ["--stats", "--format", "json"],
    );
    expect(code).toBe(1);
    expect(JSON.parse(out).summary.warning).toBe(1);
    expect(err).toMatch(/^affinity\/ht-siblings +(1 warning, 2 no-host|2 no-host, 1 warning)$/m);
  });
});

test("the ordinary text run needs no file of the reports", () => {
  const cwd = folder({ "a.vmx": FILES["clean.vmx"] });
  mkdirSync(join(cwd, "bin"));
  for (const file of ["vmlint.cjs", "command.cjs"]) copyFileSync(join(dirname(COMMAND), file), join(cwd, "bin", file));
  const run = (...args: string[]) => spawnSync(process.execPath, [join(cwd, "bin/vmlint.cjs"), ...args], { cwd, encoding: "utf8" });
  expect(run("a.vmx")).toMatchObject({ status: 0, stdout: expect.stringContaining("Nothing found so far") });
  expect(run("a.vmx", "--format", "text").status).toBe(0);
  expect(run("a.vmx", "--format", "sarif")).toMatchObject({ status: 3, stderr: expect.stringMatching(/reports-[A-Z0-9]+\.cjs/) });
});
