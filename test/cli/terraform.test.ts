import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SOURCE_TYPES } from "../../packages/core/src/formats/packer/source-types.ts";
import { TYPES } from "../../packages/core/src/formats/terraform/types.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const MAIN = `variable "cpus" {
  default = 2
}
resource "vsphere_virtual_machine" "vm" {
  num_cpus = var.cpus
}
`;

const vcpus = (cwd: string, args: readonly string[], env = {}): (readonly [path: string, name: string, vcpus: unknown])[] => {
  const { out, err } = vmlint(cwd, ["topology", "--format", "json", ...args], env);
  expect(err).toBe("");
  return JSON.parse(out).vms.map((vm: { path: string; name: string; spec: { vcpus: unknown } }) => [vm.path, vm.name, vm.spec.vcpus]);
};

test("values of variables: the environment, then --var and --var-file in their order", () => {
  const cwd = folder({ "main.tf": MAIN, "values/prod.tfvars": "cpus = 8\n" });
  const vm = ["main.tf", "vsphere_virtual_machine.vm"];
  expect(vcpus(cwd, [])).toEqual([[...vm, 2]]);
  expect(vcpus(cwd, [], { TF_VAR_cpus: "4" })).toEqual([[...vm, 4]]);
  expect(vcpus(cwd, ["--var", "cpus=6", "--var-file", "values/prod.tfvars"], { TF_VAR_cpus: "4" })).toEqual([[...vm, 8]]);
  expect(vcpus(cwd, ["--var-file=values/prod.tfvars", "--var=cpus=6"])).toEqual([[...vm, 6]]);
});

test("a wrong --var or --var-file is the caller's to correct", () => {
  const cwd = folder({ "main.tf": MAIN });
  expect(vmlint(cwd, ["--var", "cpus"])).toMatchObject({ code: 2, err: 'vmlint: --var takes NAME=VALUE, not "cpus".\n' });
  expect(vmlint(cwd, ["--var-file", "gone.tfvars"])).toMatchObject({ code: 2, err: "vmlint: --var-file: gone.tfvars does not exist.\n" });
  expect(vmlint(cwd, ["--var-file", "."])).toMatchObject({ code: 2, err: "vmlint: --var-file: . is a folder, not a file.\n" });
});

/** The words that make a VM of a resource that may be something else: a machine config of any cloud, a manifest of any object. */
const MADE_VM: Readonly<Record<string, string>> = {
  rancher2_machine_config_v2: "  vsphere_config {}\n",
  kubernetes_manifest:
    '  manifest = { apiVersion = "vmoperator.vmware.com/v1alpha3", kind = "VirtualMachine", metadata = { name = "vm" } }\n',
};

/** A server needs its flavor and its image, and an image is no VM. */
const JOINED = ["openstack_compute_instance_v2", "openstack_images_image_v2"];
const ALONE = Object.keys(TYPES).filter((type) => !JOINED.includes(type));

test.each([
  ...ALONE.map((type) => [type, "main.tf", `resource "${type}" "vm" {\n  name = "vm"\n${MADE_VM[type] ?? ""}}\n`] as const),
  ...Object.keys(SOURCE_TYPES).map((type) => [type, "vm.pkr.hcl", `source "${type}" "vm" {\n  vm_name = "vm"\n}\n`] as const),
])("a folder whose only word of a VM is %s has one", (_, name, text) => {
  expect(vcpus(folder({ [name]: text }), [])).toHaveLength(1);
});

test("an undeclared --var is reported with a similar name", () => {
  const cwd = folder({
    "main.tf": MAIN,
    "vm.pkr.hcl": 'variable "memory" {}\nsource "vsphere-iso" "vm" {\n  RAM = var.memory\n}\n',
    "old/vm.json": '{"variables":{"size":"2"},"builders":[{"type":"vsphere-iso","CPUs":"{{user `size`}}"}]}',
  });
  const told = (args: readonly string[]) => vmlint(cwd, args).err;
  const declared = ["--var", "cpus=6", "--var", "memory=4096", "--var", "size=4"];
  expect(told(declared)).toBe("");
  expect(told([...declared, "--var", "cpu=6", "--var", "disk_gib=1"])).toBe(
    "vmlint: --var cpu has no effect: no configuration with a VM declares it. Did you mean cpus?\n" +
      "vmlint: --var disk_gib has no effect: no configuration with a VM declares it.\n",
  );
});

describe("a file of values that Terraform or Packer would refuse", () => {
  const PACKER = `variable "cpus" {}\nsource "vsphere-iso" "vm" {\n  CPUs = var.cpus\n}\n`;
  const secret = 'cpus = 3\npassword = "hunter2" oops\n';
  const found = (files: Record<string, string>, args: readonly string[] = []) => {
    const cwd = folder(files);
    const { out, err, code } = vmlint(cwd, ["--format", "json", ...args]);
    expect([err, code]).toEqual(["", 1]);
    for (const format of ["text", "html", "sarif", "gitlab", "github"])
      expect(vmlint(cwd, ["--format", format, ...args]).out).not.toContain("hunter2");
    return JSON.parse(out).diagnostics.map((d: { path: string; ruleId: string; message: string; range: { start: { line: number } } }) => [
      d.path,
      d.range.start.line,
      d.ruleId,
      d.message,
    ]);
  };
  const MISSING = "Syntax error: A new line is missing here.";

  test.each([
    ["that is read unasked", "terraform.tfvars", MAIN, [], 2, secret, MISSING],
    ["that is named", "prod.tfvars", MAIN, ["--var-file", "prod.tfvars"], 2, secret, MISSING],
    ["of Packer", "x.auto.pkrvars.hcl", PACKER, [], 2, secret, MISSING],
    [
      "in JSON",
      "x.auto.tfvars.json",
      MAIN,
      [],
      1,
      '{"cpus": 3, "password": "hunter2"',
      "Syntax error: From here on, the text is not JSON:",
    ],
    [
      "with a block",
      "x.auto.tfvars",
      MAIN,
      [],
      2,
      'cpus = 3\nvariable "p" { default = "hunter2" }\n',
      "Syntax error: A .tfvars file cannot contain blocks.",
    ],
  ] as const)("%s is told, and no line of it is shown", (_, path, main, args, line, text, message) => {
    const own = main === PACKER ? "main.pkr.hcl" : "main.tf";
    expect(found({ [own]: main, [path]: text }, args)).toEqual([[path, line, "spec/syntax", expect.stringContaining(message)]]);
  });

  test("is reported once, even if several folders use it", () => {
    const files = { "a/main.tf": MAIN, "b/main.tf": MAIN, "c/main.tf": MAIN, "prod.tfvars": secret };
    expect(found(files, ["--var-file", "prod.tfvars"])).toEqual([["prod.tfvars", 2, "spec/syntax", MISSING]]);
  });

  test("is skipped if it gives values to no VM", () => {
    const cwd = folder({ "a/main.tf": 'resource "null_resource" "x" {}\n', "a/terraform.tfvars": secret, "main.tf": MAIN });
    const { code, out } = vmlint(cwd, []);
    expect([code, out.includes("tfvars")]).toEqual([0, false]);
  });
});

describe("Terragrunt", () => {
  const counts = (files: Record<string, string>, args: readonly string[] = [], env = {}) =>
    vcpus(folder({ ".git/HEAD": "", ...files }), args, env).map(([, , count]) => count);
  const atRun = (file: string) => ({ unknown: `variable cpus gets its value from ${file} when Terragrunt runs` });
  const own = (text: string) => ({ "main.tf": MAIN, "terragrunt.hcl": text });
  const inputs = (value: string) => `inputs = {\n  cpus = ${value}\n}\n`;

  test("the inputs of a folder are weaker than all other values", () => {
    const files = own(inputs("16"));
    expect(counts(files)).toEqual([16]);
    expect(counts(files, [], { TF_VAR_cpus: "6" })).toEqual([6]);
    expect(counts({ ...files, "terraform.tfvars": "cpus = 8\n" })).toEqual([8]);
    expect(counts(files, ["--var", "cpus=4"])).toEqual([4]);
  });

  const source = (path: string) => `terraform {\n  source = "${path}"\n}\n`;
  const PARENT = 'include "root" {\n  path = find_in_parent_folders("root.hcl")\n}\n';
  test.each<[what: string, unit: string, counts: unknown[], more?: Record<string, string>]>([
    ["a path", source("../../m") + inputs("4"), [4]],
    ["two slashes", source("../..//m") + inputs("4"), [4]],
    ["a function", source("${get_terragrunt_dir()}/../../m") + inputs("4"), [4]],
    ["no input", source("../../m"), [2]],
    ["a parent", PARENT + source("../../m"), [12], { "root.hcl": inputs("4 * 3") }],
    ["a parent that loses", PARENT + source("../../m") + inputs("6"), [6], { "root.hcl": inputs("12") }],
    ["the source of a parent", PARENT + inputs("6"), [6], { "root.hcl": source("${get_parent_terragrunt_dir()}/m") }],
    ["its folder", source("../../m") + inputs("length(basename(get_terragrunt_dir()))"), [3]],
    ["the way from its parent", PARENT + source("../../m") + inputs("length(path_relative_to_include())"), [8], { "root.hcl": "" }],
    [
      "another file",
      `locals {\n  env = read_terragrunt_config(find_in_parent_folders("env.hcl"))\n}\n${source("../../m")}${inputs("local.env.locals.n")}`,
      [10],
      { "live/env.hcl": "locals {\n  n = 10\n}\n" },
    ],
    ["two units", source("../../m") + inputs("4"), [4, 8], { "live/two/terragrunt.hcl": source("../../m") + inputs("8") }],
    ["its own tfvars", source("../../m") + inputs("4"), [8], { "live/one/terraform.tfvars": "cpus = 8\n" }],
    ...["dependency.a.outputs.b", 'run_cmd("n")', 'get_env("N", 4)', "local.gone"].map((value): [string, string, unknown[]] => [
      value,
      source("../../m") + inputs(value),
      [atRun("live/one/terragrunt.hcl")],
    ]),
    ["a merge", `${source("../../m")}inputs = merge({ cpus = 4 }, dependency.a.outputs)\n`, [atRun("live/one/terragrunt.hcl")]],
    ["no parent", `${PARENT}${source("../../m")}`, [atRun("live/one/terragrunt.hcl")]],
    [
      "files of the command line",
      `${source("../../m").replace("}", '  extra_arguments "a" {\n  }\n}')}${inputs("4")}`,
      [atRun("live/one/terragrunt.hcl")],
    ],
    ["a remote source", source("github.com/a/m") + inputs("4"), [2]],
  ])("a unit with %s passes its inputs to a module", (_, unit, expected, more = {}) => {
    expect(counts({ "m/main.tf": MAIN, "live/one/terragrunt.hcl": unit, ...more })).toEqual(expected);
  });

  test("names the variables that only a run sets", () => {
    const { out } = vmlint(folder(own(inputs('run_cmd("n")'))), []);
    expect(out).toContain("set var.cpus: --var cpus=VALUE");
    expect(out).not.toContain("assume:");
  });

  test("a finding names the place of a value", () => {
    const module = MAIN.replace("var.cpus", "6\n  num_cores_per_socket = var.cpus");
    const cwd = folder({ ".git/HEAD": "", "m/main.tf": module, "live/one/terragrunt.hcl": source("../../m") + inputs("4") });
    expect(vmlint(cwd, []).out).toContain("live/one/terragrunt.hcl:5:10, variable cpus");
  });
});

describe("what Terraform refuses though it can be read", () => {
  const found = (files: Record<string, string>) =>
    JSON.parse(vmlint(folder(files), ["--format", "json"]).out).diagnostics.map(
      (d: {
        path: string;
        message: string;
        range: { start: { line: number } };
        related: { path?: string; range: { start: { line: number } } }[];
      }) => [`${d.path}:${d.range.start.line}`, d.message, ...d.related.map((one) => `${one.path ?? d.path}:${one.range.start.line}`)],
    );
  const again = (what: string) => `This file already has a ${what}. Rename or remove one.`;
  const twice = (name: string) => `${name} is set twice in this block. Remove one.`;
  const vm = (body: string) => `resource "vsphere_virtual_machine" "vm" {\n${body}\n}\n`;

  test("a name that is taken", () => {
    const files = { "a.tf": `${vm("num_cpus = 2")}${vm("num_cpus = 4")}variable "n" {}\nmodule "m" {}\nmodule "m" {}\nvariable "n" {}\n` };
    expect(found(files)).toEqual([
      ["a.tf:4", again('resource "vsphere_virtual_machine" "vm"'), "a.tf:1"],
      ["a.tf:9", again('module "m"'), "a.tf:8"],
      ["a.tf:10", again('variable "n"'), "a.tf:7"],
    ]);
  });

  test("in files of one folder, such as examples, all VMs are read, and ambiguous names are unknown", () => {
    const call = 'module "m" {\n  source = "./m"\n  n = 6\n}\n';
    const files = {
      "a.tf": `${vm("num_cpus = 2")}${call}variable "n" {\n  default = 3\n}\nlocals {\n  l = 3\n}\n`,
      "b.tf": `${vm("num_cpus = 4")}${call.replace("6", "8")}variable "n" {\n  default = 5\n}\nlocals {\n  l = 5\n}\n`,
      "c.tf": `${vm("num_cpus = var.n").replace(/vm"/, 'v"')}${vm("num_cpus = local.l")}`,
      "m/main.tf": `variable "n" {}\n${vm("num_cpus = var.n")}`,
    };
    expect(found(files)).toEqual([]);
    expect(vcpus(folder(files), []).map(([path, , count]) => [path, count])).toEqual([
      ["a.tf", 2],
      ["a.tf", 6],
      ["b.tf", 4],
      ["b.tf", 8],
      ["c.tf", { unknown: "variable n is declared twice" }],
      ["c.tf", { unknown: "local l is declared twice" }],
    ]);
  });

  test("an argument that is set twice, in a block too", () => {
    const body = "num_cpus = 2\n  disk {\n    size = 1\n    label = 1\n    size = 2\n  }\n  num_cpus = 2";
    expect(found({ "a.tf": vm(body) })).toEqual([
      ["a.tf:6", twice("size"), "a.tf:4"],
      ["a.tf:8", twice("num_cpus"), "a.tf:2"],
    ]);
  });

  test("not an override, a file of JSON, a folder without VMs, or what OpenTofu reads in its place", () => {
    const files = {
      "a.tf": `${vm("num_cpus = 2")}variable "n" {}\n`,
      "a_override.tf": `${vm("num_cpus = 4")}variable "n" {}\n`,
      "j.tf.json": '{"resource": {"vsphere_virtual_machine": {"j": {"disk": [{"size": 1}, {"size": 2}]}}}}',
      "none/a.tf": 'variable "n" {}\nvariable "n" {}\n',
      "tofu/a.tf": vm("num_cpus = 2"),
      "tofu/a.tofu": vm("num_cpus = 4"),
    };
    expect(found(files)).toEqual([]);
  });
});

test("a called folder is checked through its calls, and on its own if it is the only path", () => {
  const cwd = folder({ "envs/prod/main.tf": 'module "db" {\n  source = "../../modules/vm"\n  cpus = 16\n}\n', "modules/vm/main.tf": MAIN });
  expect(vcpus(cwd, [])).toEqual([["envs/prod/main.tf", "module.db.vsphere_virtual_machine.vm", 16]]);
  expect(vcpus(cwd, ["envs/prod"])).toEqual([["envs/prod/main.tf", "module.db.vsphere_virtual_machine.vm", 16]]);
  expect(vcpus(cwd, ["modules"])).toEqual([["modules/vm/main.tf", "vsphere_virtual_machine.vm", 2]]);
});

test("findings are in the calling file, related places in the module, and vmlint.yaml matches VMs by address or name", () => {
  const cwd = folder({
    "main.tf": 'module "db" {\n  source = "./vm"\n  name   = "sql-1"\n  cores  = 1\n}\n',
    "vm/main.tf":
      'variable "name" {}\nvariable "cores" {}\nresource "vsphere_virtual_machine" "vm" {\n  name                 = var.name\n  num_cpus             = 8\n  num_cores_per_socket = var.cores\n}\n',
    "vmlint.yaml": 'overrides:\n  - vms: ["sql-*"]\n    workload: { kind: mssql, edition: standard, version: "2022" }\n',
    "other.vmx": 'config.version = "8"\nnumvcpus = "2"\n',
  });
  const { code, out } = vmlint(cwd, ["--format", "json"]);
  const { diagnostics, summary } = JSON.parse(out);
  expect(code).toBe(1);
  expect(summary).toMatchObject({ files: 2, vms: 2, error: 1 });
  expect(diagnostics).toMatchObject([
    {
      ruleId: "mssql/standard-sockets",
      path: "main.tf",
      range: { start: { line: 4, column: 12 } },
      vm: "module.db.vsphere_virtual_machine.vm",
      related: [{ path: "vm/main.tf", range: { start: { line: 6, column: 26 } } }],
      fixes: [{ edits: [{ path: "main.tf", newText: "8" }] }],
    },
  ]);
  expect(vmlint(cwd, []).out).toContain("see: vm/main.tf:6:26, used as var.cores");
});

test("--fix-unsafe changes the literal in its place, and leaves other files alone", () => {
  const main = 'module "db" {\n  source = "./vm"\n  cores  = 1 # of each\n}\n';
  const vm =
    'variable "cores" {}\n\n# vmlint: workload=mssql edition=standard version=2022\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus             = 8\n  num_cores_per_socket = var.cores\n}\n';
  const cwd = folder({ "main.tf": main, "vm/main.tf": vm });
  const { code, out, err } = vmlint(cwd, ["--fix", "--fix-unsafe", "--host", "2x24x2:768@8.0"]);
  expect([code, err]).toEqual([0, "vmlint: main.tf: fixed mssql/standard-sockets: Set 8 cores per socket.\n"]);
  expect(out).toContain("Nothing to report");
  expect(readFileSync(join(cwd, "main.tf"), "utf8")).toBe(main.replace("1 #", "8 #"));
  expect(readFileSync(join(cwd, "vm/main.tf"), "utf8")).toBe(vm);
});

describe("--fix-unsafe and a value in another file", () => {
  const HEAD = "# vmlint: workload=mssql edition=standard version=2022\n";
  const vm = (name: string, cores: string, more = "") =>
    `${HEAD}resource "vsphere_virtual_machine" "${name}" {\n  num_cpus             = 8\n  num_cores_per_socket = ${cores}\n${more}}\n`;
  const fix = (texts: Readonly<Record<string, string>>, args: readonly string[] = ["--fix", "--fix-unsafe"]) => {
    const cwd = folder(texts);
    const host = ["--host", "2x24x2:768@8.0"];
    const { err, out } = vmlint(cwd, [...args, ...host]);
    expect(out).toBe(vmlint(cwd, host).out);
    const changed = Object.keys(texts).filter((path) => readFileSync(join(cwd, path), "utf8") !== texts[path]);
    return { err, changed, read: (path: string) => readFileSync(join(cwd, path), "utf8") };
  };
  const MAIN = `variable "cores" {}\n${vm("a", "var.cores")}`;

  test("writes a line of a .tfvars file, and a variable's default", () => {
    const values = fix({ "main.tf": MAIN, "terraform.tfvars": "cores = 1 # of each\n" });
    expect(values.err).toBe("vmlint: terraform.tfvars: fixed mssql/standard-sockets: Set 8 cores per socket.\n");
    expect(values.changed).toEqual(["terraform.tfvars"]);
    expect(values.read("terraform.tfvars")).toBe("cores = 8 # of each\n");
    const variable = fix({ "main.tf": vm("a", "var.cores"), "variables.tf": 'variable "cores" {\n  default = "1"\n}\n' });
    expect(variable.changed).toEqual(["variables.tf"]);
    expect(variable.read("variables.tf")).toContain('default = "8"');
  });

  test("reads again the file that calls a library", () => {
    const main = `${MAIN}locals {\n  sizes = yamldecode(file("sizes.yaml"))\n}\n${vm("b", "local.sizes.cores")}`;
    const { changed, err, read } = fix({ "main.tf": main, "terraform.tfvars": "cores = 1\n", "sizes.yaml": "cores: 8\n" });
    expect(changed).toEqual(["terraform.tfvars"]);
    expect(read("terraform.tfvars")).toBe("cores = 8\n");
    expect(err).toBe("vmlint: terraform.tfvars: fixed mssql/standard-sockets: Set 8 cores per socket.\n");
  });

  test.each([
    ["another VM", vm("b", "var.cores * 2")],
    ["another VM, where nothing is found", 'resource "vsphere_virtual_machine" "b" {\n  num_cpus = var.cores\n}\n'],
    ["another setting of the VM", undefined],
  ])("refuses it where %s takes it too", (_, other) => {
    const main = other === undefined ? `variable "cores" {}\n${vm("a", "var.cores", "  memory = var.cores * 1024\n")}` : MAIN + other;
    const { err, changed } = fix({ "main.tf": main, "terraform.tfvars": "cores = 1\n" });
    expect(changed).toEqual([]);
    expect(err).toBe(
      "vmlint: main.tf: mssql/standard-sockets is not fixed: another value depends on the place in terraform.tfvars that it would change.\n",
    );
  });

  test("rejects it if another folder uses the file too, also after a fix", () => {
    const module = `variable "cores" {}\n${vm("vm", "var.cores")}`;
    const shared = `locals {\n  cores = 1\n}\nmodule "vm" {\n  source = "../vm"\n  cores  = local.cores\n}\n`;
    const root = 'module "all" {\n  source = "../shared"\n}\n';
    const other = `${root}resource "vsphere_virtual_machine" "b" {\n  num_cpus = module.all.cores\n}\n`;
    const texts = {
      "a/main.tf": root + vm("a", "1"),
      "b/main.tf": other,
      "c/main.tf": vm("c", "1"),
      "shared/main.tf": `${shared}output "cores" {\n  value = local.cores\n}\n`,
      "vm/main.tf": module,
    };
    const { err, changed } = fix(texts, ["--fix-unsafe"]);
    expect(changed).toEqual(["a/main.tf", "c/main.tf"]);
    expect(err).toBe(
      "vmlint: a/main.tf: fixed mssql/standard-sockets: Set 8 cores per socket.\n" +
        "vmlint: c/main.tf: fixed mssql/standard-sockets: Set 8 cores per socket.\n" +
        "vmlint: shared/main.tf: mssql/standard-sockets is not fixed: another value depends on the place in shared/main.tf that it would change.\n",
    );
  });

  describe("in a module next to the named folder", () => {
    const root = (cpus: number) => `module "vm" {\n  source = "../../vm"\n  cpus   = ${cpus}\n}\n`;
    const texts = {
      "envs/dev/main.tf": root(2),
      "envs/prod/main.tf": root(8),
      "vm/main.tf": `variable "cpus" {}\n${vm("vm", "1").replace("= 8", "= var.cpus")}`,
    };
    test.each<[asked: readonly string[], changed: readonly string[], reason: string]>([
      [["envs/prod"], [], "its fix would change vm/main.tf, which was not asked for"],
      [["envs/prod/main.tf"], [], "its fix would change vm/main.tf, which was not asked for"],
      [["envs/prod", "vm"], ["vm/main.tf"], ""],
      [["."], [], "another value depends on the place in vm/main.tf that it would change"],
    ])("%j", (asked, changed, reason) => {
      const cwd = folder(texts);
      const { err } = vmlint(cwd, [...asked, "--fix-unsafe", "--host", "2x24x2:768@8.0"]);
      expect(Object.keys(texts).filter((path) => readFileSync(join(cwd, path), "utf8") !== texts[path as never])).toEqual(changed);
      const withheld = `vmlint: vm/main.tf: mssql/standard-sockets is not fixed: ${reason}.\n`;
      expect(err).toBe(reason === "" ? "vmlint: vm/main.tf: fixed mssql/standard-sockets: Set 8 cores per socket.\n" : withheld);
    });
  });

  test("changes a file of values next to the named file", () => {
    const cwd = folder({ "main.tf": MAIN, "terraform.tfvars": "cores = 1\n" });
    vmlint(cwd, ["main.tf", "--fix-unsafe", "--host", "2x24x2:768@8.0"]);
    expect(readFileSync(join(cwd, "terraform.tfvars"), "utf8")).toBe("cores = 8\n");
  });

  test("makes a fix that changes two files together", () => {
    const main = `variable "cpus" {}\n# vmlint: workload=hana environment=production\n${vm("a", "13").replace(HEAD, "").replace("= 8", "= var.cpus")}`;
    const { err, changed } = fix({ "main.tf": main, "terraform.tfvars": "cpus = 26\n" });
    expect(changed).toEqual(["main.tf", "terraform.tfvars"]);
    expect(err).toMatch(/^vmlint: (main.tf and terraform.tfvars|terraform.tfvars and main.tf): fixed hana\/half-or-full-socket: /);
  });

  test("changes neither if it is not a named path, or if the finding is suppressed", () => {
    const texts = { "main.tf": `${MAIN}${vm("b", "var.cores")}`, "terraform.tfvars": "cores = 1\n" };
    expect(fix(texts, ["--fix"])).toMatchObject({ err: "", changed: [] });
    const quiet = { "main.tf": `# vmlint-disable-file\n${MAIN}`, "terraform.tfvars": "cores = 1\n" };
    expect(fix(quiet)).toMatchObject({ err: "", changed: [] });
  });
});

test("machines in a YAML file", () => {
  const main =
    'locals {\n  vms = yamldecode(file("${path.module}/vms.yaml"))\n}\nresource "vsphere_virtual_machine" "vm" {\n  for_each = local.vms\n  num_cpus = each.value.cpus\n}\n';
  const cwd = folder({ "main.tf": main, "vms.yaml": "web: { cpus: 4 }\ndb:\n  cpus: 8 # large\nodd: { cpus: 0x10 }\n" });
  expect(vcpus(cwd, [])).toEqual([
    ["main.tf", 'vsphere_virtual_machine.vm["db"]', 8],
    ["main.tf", 'vsphere_virtual_machine.vm["odd"]', { unknown: "this YAML is not evaluated" }],
    ["main.tf", 'vsphere_virtual_machine.vm["web"]', 4],
  ]);
});

test("no file is read through a link that leads out of the configuration", () => {
  const main = (path: string) => `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = ${path}\n}\n`;
  const root = folder({
    "8.txt": "8",
    "in/main.tf": main('file("n.txt")'),
    "in/sizes/8.txt": "8",
    "in/module/main.tf": main('templatefile("${path.module}/n.txt", {})'),
    "in/more.tf": 'module "m" {\n  source = "./module"\n}\n',
  });
  const cwd = join(root, "in");
  const known = (at = cwd) => Object.fromEntries(vcpus(at, []).map(([, name, value]) => [name, value]));
  const both = (own: unknown, module: unknown) => ({ "vsphere_virtual_machine.vm": own, "module.m.vsphere_virtual_machine.vm": module });
  const link = (to: string, ...from: string[]) => {
    for (const path of from) {
      rmSync(join(cwd, path), { force: true });
      symlinkSync(to, join(cwd, path));
    }
  };
  const outside = (path: string) => ({ unknown: `the file ${path} lies outside of the configuration` });
  link(join(root, "8.txt"), "n.txt", "module/n.txt");
  expect(known()).toEqual(both(outside("n.txt"), outside("module/n.txt")));
  link(join(cwd, "sizes/8.txt"), "n.txt", "module/n.txt");
  expect(known()).toEqual(both(8, 8));
  // A configuration that is reached by a link, and a folder that is one.
  symlinkSync(cwd, join(root, "again"));
  expect(known(join(root, "again"))).toEqual(both(8, 8));
  link(root, "linked");
  writeFileSync(join(cwd, "main.tf"), main('file("linked/8.txt")'));
  expect(known()).toEqual(both(outside("linked/8.txt"), 8));
});

test("a folder without VMs has no finding", () => {
  const cwd = folder({ "main.tf": 'output "x" {\n  value = 1\n}\n', "providers.tf": 'provider "vsphere" {}\n' });
  expect(vmlint(cwd, ["--allow-empty"])).toMatchObject({ code: 0, err: "" });
});
