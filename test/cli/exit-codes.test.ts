import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { COMMANDS, OPTIONS_OF } from "../../packages/cli/src/args/options.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

// The table of docs/guide/reports.md as situations: the command, the library and three reports agree.

const GOOD = 'virtualHW.version = "20"\nmemSize = "4096"\nnumvcpus = "4"\ncpuid.coresPerSocket = "4"\n';
const BAD = GOOD.replace('"4"\ncpuid', '"3"\ncpuid');
const NONE = 'resource "vsphere_virtual_machine" "none" {\n  count = 0\n  num_cpus = 4\n}\n';
const TF = 'variable "n" {}\nresource "vsphere_virtual_machine" "one" {\n  num_cpus = var.n\n  memory = 4096\n}\n';
const module = (source: string) => `module "app" {\n  source = "${source}"\n  cpu = 12\n  memory = 4096\n}\n`;
const INFO = "VM,Powerstate,CPUs,Memory,Host\na,poweredOn,4,4096,h1\n";
const HOSTS =
  "Host,# CPU,Cores per CPU,# Cores,# Memory,HT Active,ESX Version,CPU Model,Speed\nh1,2,10,20,262144,True,VMware ESXi 7.0.3,Xeon,2600\n";
const AZURE = '{ "resources": [{ "type": "Microsoft.Compute/virtualMachines" }] }';

interface Situation {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly code: 0 | 1 | 2;
  /** Part of stderr. */
  readonly says?: string;
  /** Why the library has no such situation. */
  readonly onlyCommand?: true;
  readonly git?: true;
}

const SITUATIONS: readonly Situation[] = [
  { what: "a clean VM", files: { "a.vmx": GOOD }, code: 0 },
  { what: "a clean VM by its name", files: { "a.vmx": GOOD }, args: ["a.vmx"], code: 0 },
  { what: "a clean VM in a folder", files: { "vms/a.vmx": GOOD, "readme.md": "" }, args: ["vms"], code: 0 },
  { what: "a clean VM by a pattern", files: { "a.vmx": GOOD }, args: ["*.vmx"], code: 0, onlyCommand: true },
  { what: "a VM with a finding", files: { "a.vmx": BAD }, code: 1 },
  { what: "the same, never failing", files: { "a.vmx": BAD }, args: ["--fail-on", "never"], code: 0, onlyCommand: true },
  { what: "a VM that breaks off", files: { "a.ovf": '<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1"><Virt' }, code: 1 },
  {
    what: "the same, never failing",
    files: { "a.tf.json": `{"resource": {"vsphere_virtual_machine": {` },
    args: ["--fail-on", "never"],
    code: 2,
    onlyCommand: true,
  },
  { what: "an empty folder", files: {}, code: 2, says: ". is not checked: there is no VM in it" },
  { what: "an empty folder by its name", files: {}, args: ["."], code: 2, says: ". is not checked" },
  { what: "an empty folder, allowed", files: {}, args: ["--allow-empty"], code: 0, onlyCommand: true },
  { what: "a folder of other files", files: { "readme.md": "hello", "package.json": "{}" }, code: 2 },
  { what: "a configuration alone", files: { "vmlint.yaml": "host: dl580g7\n" }, code: 2 },
  { what: "a template of another cloud", files: { "azure.json": AZURE }, code: 2 },
  {
    what: "a module without VMs",
    files: { "main.tf": 'output "x" {\n  value = 1\n}\n', "providers.tf": 'provider "vsphere" {}\n' },
    code: 2,
  },
  { what: "such a module by its files", files: { "main.tf": 'output "x" {\n  value = 1\n}\n' }, args: ["main.tf"], code: 2 },
  { what: "a missing module", files: { "main.tf": module("../../shared/web") }, code: 2 },
  { what: "a module of a registry", files: { "main.tf": module("acme/web/any") }, code: 2 },
  { what: "a module from git", files: { "main.tf": module("git::https://example.com/web.git") }, code: 2 },
  { what: "resources that create none", files: { "main.tf": NONE }, code: 2 },
  { what: "resources that create none beside a VM", files: { "main.tf": NONE, "a.vmx": GOOD }, code: 0 },
  { what: "a missing module beside a VM", files: { "main.tf": module("../web"), "a.vmx": GOOD }, code: 0 },
  { what: "a file without a VM by its name", files: { "a.vmx": "" }, args: ["a.vmx"], code: 2, says: "it is empty" },
  {
    what: "a folder without a VM beside a VM",
    files: { "a.vmx": GOOD, "docs/a.md": "" },
    args: ["a.vmx", "docs"],
    code: 2,
    onlyCommand: true,
  },
  { what: "a pattern without a file", files: { "a.vmx": GOOD }, args: ["*.ovf"], code: 2, says: "matches no file", onlyCommand: true },
  { what: "a missing path", files: { "a.vmx": GOOD }, args: ["b.vmx"], code: 2, says: "does not exist", onlyCommand: true },
  {
    what: "all files in .gitignore",
    files: { ".gitignore": "*.vmx\n", "a.vmx": GOOD, "b.vmx": BAD },
    code: 2,
    says: ".gitignore hides 2 files with VMs",
    onlyCommand: true,
  },
  {
    what: "the same by a folder",
    files: { ".gitignore": "out\n", "out/a.vmx": GOOD, "out/b.json": "{}" },
    args: ["."],
    code: 2,
    says: ".gitignore hides 1 file with VMs",
    onlyCommand: true,
  },
  {
    what: "all files under ignore:",
    files: { "vmlint.yaml": "ignore: [old]\n", "old/a.vmx": GOOD },
    code: 2,
    says: "ignore: of the configuration hides 1 file",
  },
  {
    what: "all named files ignored",
    files: { ".gitignore": "a.vmx\n", "a.vmx": GOOD },
    args: ["--force-exclude", "a.vmx"],
    code: 2,
    onlyCommand: true,
  },
  {
    what: "the same, allowed",
    files: { ".gitignore": "a.vmx\n", "a.vmx": GOOD },
    args: ["--force-exclude", "--allow-empty", "a.vmx"],
    code: 0,
    onlyCommand: true,
  },
  {
    what: "some named files without VMs in a hook",
    files: { "a.vmx": GOOD, "b.json": "{}" },
    args: ["--force-exclude", "a.vmx", "b.json"],
    code: 0,
    onlyCommand: true,
  },
  {
    what: "hosts beside their VMs",
    files: { "RVTools_tabvInfo.csv": INFO, "RVTools_tabvHost.csv": HOSTS },
    args: ["RVTools_tabvInfo.csv", "RVTools_tabvHost.csv"],
    code: 0,
    onlyCommand: true,
  },
  { what: "hosts alone", files: { "RVTools_tabvHost.csv": HOSTS }, args: ["RVTools_tabvHost.csv"], code: 2 },
  {
    what: "values beside their module",
    files: { "main.tf": TF, "terraform.tfvars": "n = 4\n" },
    args: ["main.tf", "terraform.tfvars"],
    code: 0,
    onlyCommand: true,
  },
  { what: "values alone", files: { "terraform.tfvars": "n = 4\n" }, args: ["terraform.tfvars"], code: 2 },
  {
    what: "a configuration beside its VM",
    files: { "a.vmx": GOOD, "vmlint.yaml": "rules: { cpu/cps-divides: off }\n" },
    args: ["a.vmx", "vmlint.yaml"],
    code: 0,
    onlyCommand: true,
  },
  { what: "nothing changed", files: { "a.vmx": GOOD }, args: ["--changed"], code: 0, git: true, onlyCommand: true },
  { what: "nothing staged", files: { "a.vmx": GOOD }, args: ["--staged"], code: 0, git: true, onlyCommand: true },
  { what: "nothing changed where there is no VM", files: { "a.md": "" }, args: ["--changed"], code: 2, git: true, onlyCommand: true },
  {
    what: "a wrong configuration",
    files: { "a.vmx": GOOD, "vmlint.yaml": "host: dl580g7\nhots: x\n" },
    code: 2,
    says: 'There is no setting "hots"',
    onlyCommand: true,
  },
  { what: "an unknown option", files: { "a.vmx": GOOD }, args: ["--nope"], code: 2, onlyCommand: true },
];

const VMLINT = (cwd: string, args: readonly string[], format: string) => vmlint(cwd, ["--format", format, ...args]);

describe.each(SITUATIONS)("$what $args", ({ files, args = [], code, says = "", git = false, onlyCommand }) => {
  const made = (): string => {
    const cwd = folder(files);
    if (git) {
      for (const words of [
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "a"],
      ])
        execFileSync("git", words, { cwd });
    }
    return cwd;
  };

  test(`the command and its reports: ${code}`, () => {
    const cwd = made();
    const text = VMLINT(cwd, args, "text");
    expect([text.code, text.err]).toEqual([code, expect.stringContaining(says)]);
    const json = VMLINT(cwd, args, "json");
    const report = JSON.parse(json.out);
    const isIncomplete = report.error !== undefined || (report.notChecked ?? []).some((one: { makesNoVm?: true }) => !one.makesNoVm);
    expect([json.code, isIncomplete]).toEqual([code, code === 2]);
    const sarif = VMLINT(cwd, args, "sarif");
    expect([sarif.code, JSON.parse(sarif.out).runs[0].invocations[0].executionSuccessful]).toEqual([code, code < 2]);
    if (code === 0 && !args.includes("--allow-empty") && !git) expect(report.summary.vms).toBeGreaterThan(0);
  });

  test.skipIf(onlyCommand)("the library", async () => {
    const { findings, notChecked } = await openWorkspace({ files }).check(args.length > 0 ? args : undefined);
    const isIncomplete = notChecked.some(({ makesNoVm }) => !makesNoVm);
    const fails = findings.some(({ severity }) => severity === "error" || severity === "warning");
    expect(isIncomplete ? 2 : fails ? 1 : 0).toBe(code);
  });
});

const TO = { move: ["--to", "2x4x2:64@8.0"], migrate: ["--to", "kubevirt"] };

test.each(Object.entries(TO))("vmlint %s writes each of its reports twice", (command, target) => {
  const cwd = folder({ "a.vmx": BAD });
  for (const format of ["json", "csv", "html", "md", "xlsx"]) {
    const args = [command, "a.vmx", "--host", "2x8x2:64@8.0", ...target, "--format", `${format}:r.${format}`];
    const [first, second] = [vmlint(cwd, args), vmlint(cwd, args)];
    expect([second.code, second.err], format).toEqual([first.code, first.err]);
    expect(first.code, format).not.toBe(2);
  }
});

test("the help of each command names the reports that it takes", () => {
  const cwd = folder({ "a.vmx": BAD });
  for (const command of COMMANDS.filter((name) => OPTIONS_OF[name]?.includes("format"))) {
    const help = vmlint(cwd, [command, "--help"]).out.replaceAll(/\s+/g, " ");
    const named = /--format FORMAT (print .*?) (?:--(?!estate)|-\w,|[A-Z][a-z]+ )/.exec(help)?.[1] ?? "";
    const taken = / takes (.*), not "x"/.exec(vmlint(cwd, [command, "--format", "x"]).err)?.[1] ?? "";
    const words = (text: string) => (text.match(/\b(?:text|json|csv|html|md|xlsx|svg)\b/g) ?? []).toSorted();
    expect(words(named), command).toEqual(words(taken));
    expect(named.includes("FORMAT:FILE"), command).toBe(taken.includes("xlsx"));
  }
});

test("a report is written twice in every form, and a list of VMs is not replaced", () => {
  const found = folder({ "a.vmx": BAD });
  const cwd = folder({ "a.vmx": BAD, "list.csv": INFO, "list.ndjson": '{"name":"a","cpus":4}\n' });
  for (const format of [
    "text",
    "summary",
    "compact",
    "json",
    "ndjson",
    "sarif",
    "junit",
    "tap",
    "csv",
    "github",
    "gitlab",
    "checkstyle",
    "azure",
    "html",
    "md",
  ])
    for (const ending of [format, "txt", ...(["csv", "ndjson", "json"].includes(format) ? ["json", format] : [])])
      for (const _ of ["once", "twice", "thrice"])
        expect(vmlint(found, ["--format", `${format}:report-${format}.${ending}`]), `${format} ${ending}`).toMatchObject({
          code: 1,
          err: "",
        });
  for (const name of ["list.csv", "list.ndjson"]) {
    const before = readFileSync(join(cwd, name), "utf8");
    expect(vmlint(cwd, ["a.vmx", "--format", `${name.slice(5)}:${name}`])).toMatchObject({
      code: 2,
      err: expect.stringContaining("VM definition"),
    });
    expect(readFileSync(join(cwd, name), "utf8")).toBe(before);
  }
  const failed = folder({ "a.vmx": BAD, "vmlint.yaml": "hots: x\n", "r.ndjson": "" });
  for (const _ of ["once", "twice"]) vmlint(failed, ["--config", "vmlint.yaml", "--format", "ndjson:r.ndjson"]);
  expect(readFileSync(join(failed, "r.ndjson"), "utf8")).toContain('"type":"error"');
});
