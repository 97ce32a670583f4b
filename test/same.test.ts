import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeVmx, formatsOf, isCrossVm, lint, openWorkspace, rules } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { check } from "../site/playground/check.ts";
import { vmlint } from "./support/cli.ts";
import { editor } from "./support/editor.ts";
import { folder } from "./support/folder.ts";
import { type AnyVm, asOvf } from "./support/inventories.ts";

// The same text has the same findings, whichever way it is checked.

interface Found {
  readonly path: string;
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly vm: string | null;
  readonly range: { readonly start: { readonly offset: number }; readonly end: { readonly offset: number } };
}

const reportOf = (cwd: string, args: readonly string[]): readonly Found[] =>
  JSON.parse(vmlint(cwd, [...args, "--format", "json", "--fail-on", "never"]).out).diagnostics;

const said = (found: readonly Found[]) => found.map(({ path, ruleId, severity, vm }) => [path, ruleId, severity, vm]);

const HOST = "host: 2x12x2:256@8.0\n";
const vm = (name: string, vcpus: number | string, more = "") =>
  `resource "vsphere_virtual_machine" "${name}" {\n  name = "${name}"\n  num_cpus = ${vcpus}\n  num_cores_per_socket = 4\n  memory = 4096\n${more}}\n`;
const called = (source: string) => `module "m" {\n  source = "${source}"\n}\n`;
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

/** Returns the findings of an editor for the texts of a folder. */
async function inEditor(files: Readonly<Record<string, string>>, config = HOST) {
  const { type, check: checkOne } = editor(files, { config: parseConfig(config, "vmlint.yaml") });
  const found: (readonly [path: string, ruleId: string, severity: string, vm: string | null])[] = [];
  for (const path of Object.keys(files)) {
    await type(path);
    const checkup = await checkOne(path);
    for (const { ruleId, severity, vm: name } of checkup?.result.diagnostics ?? []) found.push([path.slice(1), ruleId, severity, name]);
    for (const [other, { diagnostics }] of checkup?.others ?? [])
      if (!(other in files)) found.push(...diagnostics.map((one) => [other.slice(1), one.ruleId, one.severity, one.vm] as const));
  }
  return found;
}

test("a comment that disables a rule counts for every caller", async () => {
  const text = '# vmlint-disable-file cpu/cps-divides -- later\nvirtualHW.version = "19"\nnumvcpus = "4"\ncpuid.coresPerSocket = "3"\n';
  expect(lint(text).diagnostics).toEqual([]);
  expect(lint(text).suppressed.map(({ diagnostic }) => diagnostic.ruleId)).toEqual(["cpu/cps-divides"]);
  expect((await openWorkspace({ files: { "a.vmx": text } }).check()).findings).toEqual([]);
  expect(reportOf(folder({ "a.vmx": text }), ["."])).toEqual([]);
  expect(await inEditor({ "/a.vmx": text }, "{}\n")).toEqual([]);
  const asked = { host: "", esxi: "", preset: "recommended", scheme: "light", today: "2026-01-01" } as const;
  expect((await check({ ...asked, text, file: "a.vmx" })).findings).toEqual([]);
});

describe("which format a text is of", () => {
  const resource = { x: { name: "x", num_cpus: 6, num_cores_per_socket: 4, memory: 4096 } };
  const words = { controlPlane: "vmware_guest, vmlint.dev/v1" };
  const terraform = JSON.stringify({ locals: words, resource: { vsphere_virtual_machine: resource } });
  const template = JSON.stringify({
    variables: words,
    builders: [{ type: "vsphere-iso", vm_name: "x", CPUs: 6, cpu_cores: 4, RAM: 4096 }],
  });

  test.each([
    ["main.tf.json", terraform],
    ["main.tofu.json", terraform],
    ["template.json", template],
  ])("%s is no YAML for a word in it", async (name, text) => {
    const cwd = folder({ [name]: text, "vmlint.yaml": HOST });
    const expected = [[name, "cpu/cps-divides"]];
    expect(reportOf(cwd, ["."]).map(({ path, ruleId }) => [path, ruleId])).toEqual(expected);
    expect(reportOf(cwd, [name]).map(({ path, ruleId }) => [path, ruleId])).toEqual(expected);
    expect((await inEditor({ [`/${name}`]: text })).map(([path, ruleId]) => [path, ruleId])).toEqual(expected);
  });

  test("the longest ending counts", () => {
    expect(formatsOf("a.tf.json").map(({ name }) => name)).toEqual(["terraform"]);
    expect(formatsOf("a.pkr.json").map(({ name }) => name)).toEqual(["packer"]);
    expect(formatsOf("a.b.json").map(({ name }) => name)).toEqual(["plans", "yaml", "govc"]);
  });
});

test("a descriptor that goes by the name of a package", async () => {
  const latency: AnyVm = { name: "a", vcpus: 8, memoryMiB: 4096, hardwareVersion: 19, latency: "high", advanced: {}, scsi: [], nics: [] };
  for (const text of [asOvf(latency), asOvf(latency).slice(0, -40), "no XML"]) {
    const found = said(reportOf(folder({ "a.ova": text, "vmlint.yaml": HOST }), ["."]));
    expect(found.length > 0).toBe(text !== "no XML");
    expect(await inEditor({ "/a.ova": text })).toEqual(found);
  }
});

test("comments of a text without a VM are not reported", async () => {
  const text = "# vmlint-disable-file no/such\nnotes: kept\n";
  const spec = `${text}see: vmlint.dev/\n`;
  const cwd = folder({ "a.vmx": text, "a.yaml": spec, "vmlint.yaml": "extends: [all]\n" });
  expect([reportOf(cwd, ["."]), reportOf(cwd, ["a.vmx", "a.yaml"])]).toEqual([[], []]);
  expect(await inEditor({ "/a.vmx": text, "/a.yaml": spec })).toEqual([]);
  const asked = { host: "", esxi: "", preset: "all", scheme: "light", today: "2026-01-01" } as const;
  expect((await check({ ...asked, text, file: "a.vmx" })).findings).toEqual([]);
});

describe("an error in one of several files", () => {
  const CONFIG = `${HOST}overrides:\n  - { files: ["b/**"], rules: { spec/syntax: info } }\n`;
  const files = {
    "a/main.tf": `${vm("x", 4)}x = = 1\n`,
    "b/main.tf": `${vm("y", 4)}x = = 1\n`,
    "b/values.tf": 'module "none" {\n  = = 1\n}\n',
  };

  test("concerns its own VM, as its own configuration says", async () => {
    const cwd = folder({ ...files, "vmlint.yaml": CONFIG });
    const expected = [
      ["a/main.tf", "spec/syntax", "error", "vsphere_virtual_machine.x"],
      ["b/main.tf", "spec/syntax", "info", "vsphere_virtual_machine.y"],
      ["b/values.tf", "spec/syntax", "info", null],
    ];
    expect(said(reportOf(cwd, ["."]))).toEqual(expected);
    for (const one of expected.slice(0, 2))
      expect(said(reportOf(cwd, [String(one[0])])).filter(([path]) => path === one[0])).toEqual([one]);
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${path}`, text]));
    expect(await inEditor(texts, CONFIG)).toEqual(expected);
  });

  test.each([
    ["a.json", '{"numCPUs": 4, "virtualMachines": [', "inventory/unreadable"],
    ["a.ovf", '<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1"><a></Envelope>', "inventory/unreadable"],
  ])("%s without a VM follows its configuration, too", async (name, text, rule) => {
    const config = `rules: { ${rule}: off }\n`;
    expect(reportOf(folder({ [name]: text, "vmlint.yaml": "{}\n" }), ["."]).map(({ ruleId }) => ruleId)).toEqual([rule]);
    expect(reportOf(folder({ [name]: text, "vmlint.yaml": config }), ["."])).toEqual([]);
    expect(await inEditor({ [`/${name}`]: text }, config)).toEqual([]);
  });

  test("a suppression of an unchecked rule is not reported as unused, in any order of files", () => {
    const comment = "# vmlint-disable-file numa/wide-uneven -- later\n";
    const cwd = folder({ "a.tf": vm("x", 4), "b.tf": `${comment}${vm("y", 4)}` });
    expect(reportOf(cwd, ["b.tf"])).toEqual([]);
    expect(reportOf(cwd, ["."])).toEqual([]);
  });

  test("a module that two roots call by one name is spoken of once", () => {
    const cwd = folder({ "a/main.tf": called("../m"), "b/main.tf": called("../m"), "m/main.tf": vm("x", 6), "vmlint.yaml": HOST });
    expect(said(reportOf(cwd, ["."]))).toEqual([["m/main.tf", "cpu/cps-divides", "error", "module.m.vsphere_virtual_machine.x"]]);
  });
});

test("a cached run prints exactly the output of the first run", () => {
  const two = `${called("./m")}${called("./m").replace('"m"', '"n"')}`;
  const cwd = folder({ "main.tf": two, "m/main.tf": vm("x", 6), "vmlint.yaml": HOST });
  const [plain, first, second] = [[], ["--cache"], ["--cache"]].map((cache) => vmlint(cwd, [".", "--format", "json", ...cache]).out);
  expect(plain).toContain('"vms"');
  expect([first, second]).toEqual([plain, plain]);
});

test("one shard reports the errors of a configuration", () => {
  const files = Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.vmx`, 'virtualHW.version = "19"\nnumvcpus = "2"\n']));
  const cwd = folder({ ...files, "vmlint.yaml": 'suppress: [{ vm: "*", rule: numa/wide-uneven, until: 2020-01-01, reason: old }]\n' });
  const shards = ["1/3", "2/3", "3/3"].map((shard) => reportOf(cwd, [".", "--shard", shard]));
  expect(shards.flat()).toEqual(reportOf(cwd, ["."]));
  expect(shards.flat().map(({ ruleId }) => ruleId)).toEqual(["suppression/expired"]);
});

describe("encodings", () => {
  test("a byte order mark that the caller left in a text does not count as indentation", () => {
    const play = "- vmware_guest:\n    name: sql01\n    hardware: { num_cpus: 6, num_cpu_cores_per_socket: 4 }\n";
    const [plain, marked] = [play, `\ufeff${play}`].map((text) => lint(text, { format: yaml }).diagnostics);
    expect(plain?.map(({ ruleId }) => ruleId)).toEqual(["cpu/cps-divides"]);
    expect(marked?.map(({ ruleId, range: [start, end] }) => [ruleId, start - 1, end - 1])).toEqual(
      plain?.map(({ ruleId, range }) => [ruleId, ...range]),
    );
  });

  test("a sibling file is read in UTF-16, like the file itself", () => {
    const cwd = folder({
      "main.tf": utf16(`${vm("x", "var.c")}variable "c" {}\n`),
      "terraform.tfvars": utf16("c = 6\n"),
      "vmlint.yaml": HOST,
    });
    expect(said(reportOf(cwd, ["."]))).toEqual([["main.tf", "cpu/cps-divides", "error", "vsphere_virtual_machine.x"]]);
  });
});

describe("an editor", () => {
  test("skips ignored files around the open text", async () => {
    const files = { "/main.tf": vm("x", "local.c"), "/extra.tf": `locals {\n  c = 6\n}\n${vm("y", 10)}` };
    const config = `${HOST}ignore: [extra.tf]\n`;
    const cwd = folder({ "main.tf": files["/main.tf"], "extra.tf": files["/extra.tf"], "vmlint.yaml": config });
    const { check: checkOne } = editor(files, { config: parseConfig(config, "vmlint.yaml") });
    const open = await checkOne("/main.tf");
    expect(open?.result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(reportOf(cwd, ["."]).map(({ ruleId }) => ruleId));
    expect([...(open?.others.keys() ?? [])]).toEqual([]);
  });

  test("shows findings in an ignored module, because it is part of the VM that calls it, open or not", async () => {
    const files = { "/main.tf": called("./m"), "/m/main.tf": vm("x", 6) };
    const config = `${HOST}ignore: [m/**]\n`;
    const cwd = folder({ "main.tf": files["/main.tf"], "m/main.tf": files["/m/main.tf"], "vmlint.yaml": config });
    const expected = [["m/main.tf", "cpu/cps-divides", "error", "module.m.vsphere_virtual_machine.x"]];
    expect(said(reportOf(cwd, ["."]))).toEqual(expected);
    expect(await inEditor(files, config)).toEqual(expected);
    expect(await inEditor({ "/m/main.tf": files["/m/main.tf"] }, config)).toEqual([]);
  });

  test.each([
    ["in a comment", `# ${called("./m").replaceAll("\n", "\n# ")}\n`],
    ["in what cannot be read", `${called("./m").replace("}", "")}`.replace('"m" {', '"m" = = {')],
  ])("checks a module whose only call is %s", async (_, main) => {
    const cwd = folder({ "main.tf": main, "m/main.tf": vm("x", 6), "vmlint.yaml": HOST });
    const module = said(reportOf(cwd, ["."])).filter(([path]) => path === "m/main.tf");
    expect(module.length).toBeGreaterThan(0);
    const found = await inEditor({ "/main.tf": main, "/m/main.tf": vm("x", 6) });
    expect(found.filter(([path]) => path === "m/main.tf")).toEqual(module);
  });
});

/** Files other people wrote: see `corpus.test.ts`. */
const corpus = process.env.VMLINT_CORPUS;

describe.skipIf(!corpus)("files other people wrote", () => {
  const together = new Set(rules.flatMap((rule) => (isCrossVm(rule) ? rule.id : [])));

  test("have the same findings in an editor as by the command", async () => {
    const root = join(corpus ?? "", "files");
    const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => formatsOf(path).length > 0);
    const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
    const texts = Object.fromEntries(paths.map((path) => [`/${path}`, decodeVmx(readFileSync(join(root, path)), decode)]));
    const config = "host: dl580g7\nextends: [all]\n";
    const { check: checkOne } = editor(texts, { config: parseConfig(config, "vmlint.yaml") });
    const found: unknown[] = [];
    for (const path of Object.keys(texts)) {
      const diagnostics = (await checkOne(path))?.result.diagnostics ?? [];
      found.push(...diagnostics.map(({ ruleId, message, range, vm: name }) => [path.slice(1), ruleId, message, ...range, name]));
    }
    const cwd = folder({ "vmlint.yaml": config });
    const report = reportOf(root, [".", "--no-gitignore", "--config", join(cwd, "vmlint.yaml")]).filter(
      ({ ruleId }) => !together.has(ruleId),
    );
    const expected = report.map(({ path, ruleId, message, range, vm: name }) => [
      path,
      ruleId,
      message,
      range.start.offset,
      range.end.offset,
      name,
    ]);
    expect(expected.length).toBeGreaterThan(10);
    const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).sort();
    expect(sorted(found)).toEqual(sorted(expected));
  });
});

describe("vCPUs that are pinned one by one", () => {
  type Pins = Readonly<Record<string, string>>;
  const keys = (pins: Pins, item: (key: string, value: string) => string, between = ", "): string =>
    Object.entries(pins)
      .map(([key, value]) => item(key, value))
      .join(between);
  const options = (pins: Pins): string => keys(pins, (key, value) => JSON.stringify({ key, value }));
  const map = (pins: Pins): string => `{ ${keys(pins, (key, value) => `"${key}" = "${value}"`)} }`;
  const allocations = '"cpuAllocation":{"reservation":0,"limit":-1},"memoryAllocation":{"reservation":0,"limit":-1}';
  const texts: Readonly<Record<string, (pins: Pins) => string>> = {
    "a.vmx": (pins) => `virtualHW.version = "19"\nnumvcpus = "4"\n${keys(pins, (key, value) => `${key} = "${value}"\n`, "")}`,
    "a.json": (pins) =>
      `{"virtualMachines":[{"name":"a","config":{"version":"vmx-19",${allocations},"hardware":{"numCPU":4,"numCoresPerSocket":1,"memoryMB":4096},"extraConfig":[${options(pins)}]}}]}`,
    "a.ovf": (pins) => asOvf({ name: "a", vcpus: 4, memoryMiB: 4096, hardwareVersion: 19, advanced: pins, scsi: [], nics: [] }),
    "main.tf": (pins) => vm("a", 4, `  extra_config = ${map(pins)}\n`),
    "iso.pkr.hcl": (pins) => `source "vsphere-iso" "a" {\n  CPUs = 4\n  RAM = 4096\n  configuration_parameters = ${map(pins)}\n}\n`,
    "desktop.pkr.hcl": (pins) =>
      `source "vmware-iso" "a" {\n  cpus = 4\n  remote_type = "esx5"\n  vmx_data = ${map({ ...pins, "virtualhw.version": "19" })}\n}\n`,
    "spec.yaml": (pins) =>
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec:\n  vcpus: 4\n  advanced: { ${keys(pins, (key, value) => `${key}: "${value}"`)} }\n`,
    "play.yaml": (pins) =>
      `- hosts: localhost\n  tasks:\n    - vmware_guest:\n        name: a\n        hardware: { num_cpus: 4, num_cpu_cores_per_socket: 1, memory_mb: 4096, version: 19 }\n        advanced_settings: [${options(pins)}]\n`,
  };
  const pinned = (values: readonly string[]): Pins =>
    Object.fromEntries(values.map((value, vcpu) => [`sched.vcpu${vcpu}.affinity`, value] as const));
  const HYPERTHREADS = pinned(["0", "1", "2", "3"]);
  const args = ["--host", "2x20x2:512@8.0"];

  test.each(Object.entries(texts))("%s", (name, textOf) => {
    const run = (pins: Pins) => {
      const cwd = folder({ [name]: textOf(pins) });
      const [vm] = JSON.parse(vmlint(cwd, ["topology", name, ...args, "--format", "json"]).out).vms;
      return { affinity: vm.spec.cpuAffinity, isManaged: vm.topology?.numaManaged ?? false, found: reportOf(cwd, [name, ...args]) };
    };
    const { affinity, isManaged, found } = run(HYPERTHREADS);
    expect([affinity, isManaged, found.map(({ ruleId }) => ruleId)]).toEqual([
      [0, 1, 2, 3],
      false,
      expect.arrayContaining(["affinity/ht-siblings"]),
    ]);
    // No option of them holds what a fix of the whole would write.
    const cwd = folder({ [name]: textOf(HYPERTHREADS) });
    expect(vmlint(cwd, [name, ...args, "--diff", "--fix-unsafe"]).out).not.toContain("affinity");
    const some = { unknown: "some of its vCPUs are pinned and some are not" };
    expect(run(pinned(["0", "1"])).affinity).toEqual(some);
    expect(run({ "sched.vcpu1.affinity": "1" }).affinity).toEqual(some);
    // A setting that is missing in a task keeps its value in the existing VM.
    const free = run(pinned(["all", "all", "all", "all"])).affinity;
    expect(free).toEqual(name === "play.yaml" ? { unknown: "the VM that is there keeps it" } : null);
  });
});
