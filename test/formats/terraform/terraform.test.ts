import { describe, expect, test } from "vitest";
import type { Texts } from "../../support/text-files.ts";
import { parse, settings, shown } from "./support.ts";

/** A VM whose vCPUs are an expression. */
const vm = (cpus: string, rest = "") => `resource "vsphere_virtual_machine" "vm" {\n  ${rest}\n  num_cpus = ${cpus}\n}\n`;
const VM = "vsphere_virtual_machine.vm";

describe("where a variable's value comes from", () => {
  const main = `variable "cpus" {\n  type = number\n  default = 1\n}\n${vm("var.cpus")}`;

  test.each<[what: string, files: Texts, given: Parameters<typeof parse>[1], cpus: unknown]>([
    ["its default", {}, {}, 1],
    ["the environment", {}, { environment: { TF_VAR_cpus: "2", PATH: "/" } }, 2],
    ["terraform.tfvars", { "terraform.tfvars": "cpus = 3" }, { environment: { TF_VAR_cpus: "2" } }, 3],
    ["terraform.tfvars.json", { "terraform.tfvars": "cpus = 3", "terraform.tfvars.json": '{"cpus": 4}' }, {}, 4],
    ["*.auto.tfvars by name", { "b.auto.tfvars": "cpus = 6", "a.auto.tfvars": "cpus = 5", "terraform.tfvars.json": '{"cpus": 4}' }, {}, 6],
    ["*.auto.tfvars.json", { "b.auto.tfvars": "cpus = 6", "c.auto.tfvars.json": '{"cpus": "7"}' }, {}, 7],
    ["--var", { "b.auto.tfvars": "cpus = 6" }, { options: [{ kind: "value", name: "cpus", text: "8" }] }, 8],
    [
      "the last of --var and --var-file",
      { "prod.tfvars": "cpus = 9" },
      {
        options: [
          { kind: "value", name: "cpus", text: "8" },
          { kind: "file", path: "prod.tfvars" },
        ],
      },
      9,
    ],
    ["a file that is not named, as a variant", { "prod.tfvars": "cpus = 9" }, {}, 9],
  ])("%s", (_, files, given, cpus) => {
    expect(settings({ "main.tf": main, ...files }, "vcpus", given)).toEqual({ [VM]: cpus });
  });

  test("text outside of files is an expression where the type is no simple one", () => {
    const text = `variable "vm" {\n  type = object({ cpus = number })\n}\n${vm("var.vm.cpus")}`;
    expect(settings({ "main.tf": text }, "vcpus", { environment: { TF_VAR_vm: "{ cpus = 4 }" } })).toEqual({ [VM]: 4 });
    expect(settings({ "main.tf": text }, "vcpus", { environment: { TF_VAR_vm: "{ cpus = " } })).toEqual({
      [VM]: "<the environment variable TF_VAR_vm gives variable vm a value that cannot be read>",
    });
  });
});

test.each<[what: string, files: Texts, cpus: unknown]>([
  [
    "in a file of values",
    { "main.tf": `variable "n" {}\n${vm("length(var.n)")}`, "terraform.tfvars.json": JSON.stringify({ n: `\${"a"}` }) },
    6,
  ],
  [
    "as a default",
    {
      "main.tf": vm("length(var.n)"),
      "n.tf.json": JSON.stringify({ variable: { n: { type: "string", default: `\${"a"}` } } }),
    },
    6,
  ],
  ["and elsewhere a template", { "main.tf": vm("length(local.n)"), "n.tf.json": JSON.stringify({ locals: { n: `\${"a"}` } }) }, 1],
])("a text in JSON is itself, %s", (_, files, cpus) => {
  expect(settings(files, "vcpus")).toEqual({ [VM]: cpus });
});

// go-cty, conversion_collection.go: elements that hold `any` become one type. Each was tried with Terraform 1.11.4.
test.each<[type: string, value: string, expression: string, cpus: unknown]>([
  ["map(object({ n = any }))", '{ a = { n = 4 }, b = { n = "x" } }', "var.v.a.n == 4 ? 16 : 2", 2],
  ["list(object({ n = any }))", "[{ n = 4 }, { n = 5 }]", "var.v[0].n == 4 ? 16 : 2", 16],
  ["list(object({ n = optional(any, 4) }))", '[{}, { n = "x" }]', "var.v[0].n == 4 ? 16 : 2", 2],
  ["map(map(any))", '{ a = { n = 4 }, b = { n = "x" } }', "var.v.a.n == 4 ? 16 : 2", 2],
  ["list(list(any))", '[[4], ["x"]]', "var.v[0][0] == 4 ? 16 : 2", 2],
  ["object({ a = any, b = any })", '{ a = 4, b = "x" }', "var.v.a == 4 ? 16 : 2", 16],
])("any in %s, of %s", (type, value, expression, cpus) => {
  const text = `variable "v" {\n  type = ${type}\n  default = ${value}\n}\n${vm(expression)}`;
  expect(settings({ "main.tf": text }, "vcpus")).toEqual({ [VM]: cpus });
});

// Tried with Terraform 1.11.4, which refuses the last.
test.each<[type: string, value: unknown, expression: string, cpus: unknown]>([
  ["object({a=optional(number,8)})", {}, 'lookup(var.v, "a", 6)', 8],
  ["map(object({a=optional(number,8)}))", { q: {} }, "try(var.v.q.a, 6)", 8],
  ['object({\n  a = optional(string, "xyz")\n})\n', {}, "length(var.v.a)", 3],
  ["object({a=optional(number)})", {}, "can(var.v.a) ? 2 : 4", 2],
  ["object({a=number})", { a: 1, b: 2 }, "length(var.v)", 1],
  ["map(bool)", { a: "true" }, "var.v.a == true ? 2 : 4", 2],
  ["set(string)", ["b", "b"], "length(var.v)", 1],
  ["number", "08", 'length("${var.v}x")', 2],
  ["list", [1, 2], "length(var.v)", 2],
  ["object({a=", { a: 4 }, "var.v.a", 4],
])("the type %j in JSON, of %j", (type, value, expression, cpus) => {
  const variable = { v: { type, default: value } };
  expect(settings({ "main.tf": vm(expression), "v.tf.json": JSON.stringify({ variable }) }, "vcpus")).toEqual({ [VM]: cpus });
});

test("a name in quotes is a type, as in Terraform 0.11", () => {
  const main = `variable "v" {\n  type = "list"\n  default = []\n}\nvariable "w" {\n  type = "string"\n  default = 8\n}\n`;
  expect(settings({ "main.tf": main + vm("length(var.v) + length(var.w)") }, "vcpus")).toEqual({ [VM]: 1 });
});

test.each<[what: string, main: string, cpus: unknown]>([
  ["a literal", vm("4"), 4],
  ["text that is a number", vm('"4"'), 4],
  ["a local", `locals {\n  n = 2\n  m = local.n * 4\n}\n${vm("local.m")}`, 8],
  ["null", vm("null"), null],
  ["a variable without a value", `variable "n" {}\n${vm("var.n")}`, "<variable n has no default and is given no value>"],
  ["a variable that is null", `variable "n" {\n  default = null\n}\n${vm("var.n")}`, null],
  ["a data source", vm("data.vsphere_virtual_machine.t.num_cpus"), "<data.vsphere_virtual_machine.t is known when Terraform runs>"],
  ["a resource", vm("random_integer.n.result"), "<random_integer.n is known when Terraform runs>"],
  ["a circle", `locals {\n  a = local.b\n  b = local.a\n}\n${vm("local.a")}`, "<local a depends on itself>"],
  ["an unknown function", vm("timestamp()"), "<timestamp() is not evaluated>"],
  ["no whole number", vm("1.5"), "<it is not a positive whole number>"],
  ["a list", vm("[4]"), "<it is not a single value>"],
  ["half a line", vm(""), "<the expression is incomplete>"],
])("num_cpus is %s", (_, main, cpus) => {
  expect(settings({ "main.tf": main }, "vcpus")).toEqual({ [VM]: cpus });
});

describe("count and for_each", () => {
  test.each<[what: string, main: string, vms: Readonly<Record<string, unknown>>]>([
    ["a number", vm("count.index + 1", "count = 2"), { [`${VM}[0]`]: 1, [`${VM}[1]`]: 2 }],
    ["0", vm("4", "count = 0"), {}],
    ["a condition", `variable "on" {\n  default = false\n}\n${vm("4", "count = var.on ? 1 : 0")}`, {}],
    ["a number in a text", vm("4", 'count = "1"'), { [`${VM}[0]`]: 4 }],
    // Terraform refuses each of these (cty, convert/conversion_primitive.go): it makes neither no VM nor two.
    ["no number", vm("4", 'count = ""'), { [`${VM}[*]`]: 4 }],
    ["blanks", vm("4", 'count = " 2 "'), { [`${VM}[*]`]: 4 }],
    ["hexadecimal", vm("4", 'count = "0x2"'), { [`${VM}[*]`]: 4 }],
    ["null", vm("4", "count = null"), { [`${VM}[*]`]: 4 }],
    ["unknown", vm("4", "count = data.x.y.n"), { [`${VM}[*]`]: 4 }],
    ["an unknown index", vm("count.index", "count = data.x.y.n"), { [`${VM}[*]`]: "<data.x.y is known when Terraform runs>" }],
    ["a map", vm("each.value", "for_each = { a = 2, b = 4 }"), { [`${VM}["a"]`]: 2, [`${VM}["b"]`]: 4 }],
    ["a set", vm("length(each.key)", 'for_each = toset(["x", "yy"])'), { [`${VM}["x"]`]: 1, [`${VM}["yy"]`]: 2 }],
    ["nothing", vm("each.value", "for_each = {}"), {}],
    ["an unknown map", vm("each.value.cpus", "for_each = data.x.y"), { [`${VM}[*]`]: "<data.x.y is known when Terraform runs>" }],
    // Keys are written as Terraform writes them in addresses (addrs.toHCLQuotedString).
    [
      "keys with signs",
      vm("4", 'for_each = toset(["g$${h}", "a\\"\\n\\u007f%"])'),
      {
        [`${VM}["g$\${h}"]`]: 4,
        [`${VM}["a\\"\\n\\u007f%"]`]: 4,
      },
    ],
    [
      "a map with an unknown value",
      vm("each.value", "for_each = { a = 2, b = data.x.y.n }"),
      { [`${VM}["a"]`]: 2, [`${VM}["b"]`]: "<data.x.y is known when Terraform runs>" },
    ],
  ])("%s", (_, main, vms) => {
    expect(settings({ "main.tf": main }, "vcpus")).toEqual(vms);
  });
});

// OpenTofu 1.11, meta-arguments/enabled.
describe("enabled", () => {
  const lifecycle = (enabled: string) => `lifecycle {\n    enabled = ${enabled}\n  }`;
  const child = `${vm("4")}output "n" {\n  value = 6\n}\n`;
  const call = (enabled: string) => `module "m" {\n  source = "./m"\n  ${lifecycle(enabled)}\n}\n`;

  test.each<[what: string, files: Texts, vms: Readonly<Record<string, unknown>>]>([
    ["false", { "main.tofu": vm("4", lifecycle("false")) }, {}],
    ["true", { "main.tf": vm("4", lifecycle("true")) }, { [VM]: 4 }],
    ["text", { "main.tf": vm("4", lifecycle('"false"')) }, {}],
    ["unknown", { "main.tf": vm("4", lifecycle("data.x.y.on")) }, { [VM]: 4 }],
    ["JSON", { "main.tf.json": JSON.stringify({ resource: { vsphere_virtual_machine: { vm: { lifecycle: { enabled: false } } } } }) }, {}],
    [
      "an override file",
      { "main.tf": vm("4", lifecycle("true")), "override.tf": `resource "vsphere_virtual_machine" "vm" {\n  ${lifecycle("false")}\n}\n` },
      {},
    ],
    ["of a module", { "main.tf": call("false"), "m/main.tf": child }, {}],
    [
      "of a module in JSON",
      { "main.tf.json": JSON.stringify({ module: { m: { source: "./m", lifecycle: { enabled: false } } } }), "m/main.tf": child },
      {},
    ],
    ["an output of such a module", { "main.tf": call("false") + vm("try(module.m.n, 2)"), "m/main.tf": child }, { [VM]: 2 }],
    [
      "an output of a module that may be one",
      { "main.tf": call("data.x.y.on") + vm("module.m.n"), "m/main.tf": child },
      {
        [`module.m.${VM}`]: 4,
        [VM]: "<data.x.y is known when Terraform runs>",
      },
    ],
  ])("%s", (_, files, vms) => {
    expect(settings(files, "vcpus")).toEqual(vms);
  });
});

describe("modules", () => {
  const child = `variable "n" {\n  default = 2\n}\n${vm("var.n")}output "n" {\n  value = var.n\n}\n`;

  test.each<[what: string, files: Texts, vms: Readonly<Record<string, unknown>>]>([
    ["an argument", { "main.tf": 'module "m" {\n  source = "./m"\n  n = 4\n}', "m/main.tf": child }, { [`module.m.${VM}`]: 4 }],
    ["the module's default", { "main.tf": 'module "m" {\n  source = "./m"\n}', "m/main.tf": child }, { [`module.m.${VM}`]: 2 }],
    [
      "for_each",
      { "main.tf": 'module "m" {\n  source = "./m"\n  for_each = { a = 4, b = 6 }\n  n = each.value\n}', "m/main.tf": child },
      { [`module.m["a"].${VM}`]: 4, [`module.m["b"].${VM}`]: 6 },
    ],
    ["count = 0", { "main.tf": 'module "m" {\n  source = "./m"\n  count = 0\n}', "m/main.tf": child }, {}],
    [
      "an output",
      { "main.tf": `module "m" {\n  source = "./m"\n  n = 4\n}\n${vm("module.m.n + 1")}`, "m/main.tf": child },
      { [VM]: 5, [`module.m.${VM}`]: 4 },
    ],
    [
      "an output of one of several",
      {
        "main.tf": `module "m" {\n  source = "./m"\n  for_each = { a = 4 }\n  n = each.value\n}\n${vm('module.m["a"].n')}`,
        "m/main.tf": child,
      },
      { [VM]: 4, [`module.m["a"].${VM}`]: 4 },
    ],
    [
      "nested, and above the folder",
      {
        "a/main.tf": 'module "m" {\n  source = "../b"\n}',
        "b/main.tf": 'module "n" {\n  source = "./c"\n  n = 8\n}',
        "b/c/main.tf": child,
      },
      { [`module.m.module.n.${VM}`]: 8 },
    ],
    [
      "from a registry",
      { "main.tf": `module "m" {\n  source = "acme/vm/vsphere"\n}\n${vm("module.m.n")}` },
      { [VM]: "<module m is not in this folder: its source is acme/vm/vsphere>" },
    ],
    [
      "a folder without files",
      { "main.tf": `module "m" {\n  source = "./gone"\n}\n${vm("module.m.n")}` },
      { [VM]: "<module m cannot be read: ./gone has no Terraform file>" },
    ],
    ["one that calls itself", { "main.tf": `module "m" {\n  source = "./"\n}\n${vm("4")}` }, expect.objectContaining({ [VM]: 4 })],
  ])("%s", (_, files, vms) => {
    expect(settings(files, "vcpus")).toEqual(vms);
  });

  // Where Terraform 1.17.0-dev, with variables that are `const`, and OpenTofu 1.11 take the module from.
  test.each([
    ['"./m/${var.a}"', 1],
    ['"./m-${var.a}"', 3],
    ['"${path.module}/m/${var.a}/"', 1],
    ['"${path.root}/m/a"', 1],
    ["local.source", 1],
    ['format("./m/%s", var.b)', 2],
    ['var.a == "a" ? "./m/b" : "./m/a"', 2],
    ['"./m/${trimspace(file("leaf.txt"))}"', 2],
    ['"%{ if true }./m/a%{ else }./m/b%{ endif }"', 1],
    ['".\\\\m\\\\${var.a}"', 1],
    ['"./m//${var.a}"', 1],
  ])("a computed source is followed: %s", (source, cpus) => {
    const names = 'variable "a" {\n  default = "a"\n}\nvariable "b" {}\nlocals {\n  base = "./m"\n  source = "${local.base}/${var.a}"\n}\n';
    const module = (n: number) => `variable "n" {\n  default = ${n}\n}\n${vm(`var.n + ${n}`)}`;
    const { vms } = parse({
      "main.tf": `${names}module "m" {\n  source = ${source}\n  n = 0\n}\n`,
      "terraform.tfvars": 'b = "b"\n',
      "leaf.txt": "b\n",
      "m/a/main.tf": module(1),
      "m/b/main.tf": module(2),
      "m-a/main.tf": module(3),
    });
    // The other two are read as roots, with their defaults.
    const others = [1, 2, 3].filter((n) => n !== cpus).map((n) => `${VM} ${2 * n}`);
    const found = vms.map(({ name, settings }) => `${name} ${shown(settings.vcpus)}`);
    expect(found.toSorted()).toEqual([`module.m.${VM} ${cpus}`, ...others].toSorted());
  });

  test.each([
    ['"./${each.key}"', "each.key"],
    ["var.none", "variable none has no default"],
    ['"m/${var.a}"', "m/a"],
    ["null", "it is no text"],
  ])("a source that does not exist is reported: %s", (source, reason) => {
    const main = `variable "a" {\n  default = "a"\n}\nvariable "none" {}\nmodule "m" {\n  source = ${source}\n}\n${vm("module.m.n")}`;
    expect(settings({ "main.tf": main }, "vcpus")).toEqual({ [VM]: expect.stringContaining(reason) });
  });

  test("a source may depend on the arguments of a call, and differ between calls", () => {
    const files = {
      "a/main.tf": 'module "m" {\n  source = "../pick"\n  from = "one"\n}\n',
      "b/main.tf": 'module "m" {\n  source = "../pick"\n  from = "two"\n}\n',
      "pick/main.tf": 'variable "from" {\n  default = "one"\n}\nmodule "n" {\n  source = "../${var.from}"\n  n = 4\n}\n',
      "one/main.tf": child,
      "two/main.tf": child.replace("num_cpus = var.n", "num_cpus = var.n + 1"),
    };
    const { vms, together } = parse(files);
    const name = `module.m.module.n.${VM}`;
    expect(vms.map((one) => [one.name, shown(one.settings.vcpus)])).toEqual([
      [name, 4],
      [name, 5],
    ]);
    expect([...(together?.("two") ?? [])].sort()).toEqual(["a", "b", "one", "pick", "two"]);
  });

  const call = 'module "under_test" {\n  source = "../.."\n  n = 4\n}\n';
  const called = { [`module.under_test.${VM}`]: 4 };
  test.each<[what: string, files: Texts, vms: Readonly<Record<string, unknown>>]>([
    ["nothing of a root", {}, called],
    ["a backend", { "terraform.tf": 'terraform {\n  backend "s3" {}\n}\n' }, { ...called, [VM]: 2 }],
    ["a backend in JSON", { "terraform.tf.json": '{"terraform": {"backend": {"s3": {}}}}' }, { ...called, [VM]: 2 }],
    ["a cloud block", { "terraform.tf": "terraform {\n  cloud {}\n}\n" }, { ...called, [VM]: 2 }],
    ["terraform.tfvars", { "terraform.tfvars": "n = 6\n" }, { ...called, [VM]: 6 }],
    ["x.auto.tfvars.json", { "x.auto.tfvars.json": '{"n": 6}' }, { ...called, [VM]: 6 }],
    ["other values", { "prod.tfvars": "n = 6\n" }, called],
    // `terraform init` in the module creates a lock file, even if only to validate the module.
    ["a lock file", { ".terraform.lock.hcl": "" }, called],
  ])("a folder that a test calls, with %s", (_, files, vms) => {
    expect(settings({ "main.tf": child, "tests/setup/main.tf": call, ...files }, "vcpus")).toEqual(vms);
  });

  test("two that call each other are read from the first", () => {
    const files = { "a/main.tf": `module "m" {\n  source = "../b"\n}\n${vm("4")}`, "b/main.tf": 'module "n" {\n  source = "../a"\n}' };
    expect(settings(files, "vcpus")).toHaveProperty([VM], 4);
  });

  test("a VM belongs to the file with the outermost call", () => {
    const files = { "main.tf": 'module "m" {\n  source = "./m"\n}', "m/main.tf": child };
    const project = parse(files);
    expect(project.vms.map(project.pathOf)).toEqual(["main.tf"]);
  });

  test("are read together with their callers and the modules they call, over several calls", () => {
    const call = (source: string) => `module "m" {\n  source = "${source}"\n}\n`;
    const texts = {
      "a/main.tf": call("../shared"),
      "b/main.tf": call("../shared"),
      "b/inner/main.tf": vm("1"),
      "shared/main.tf": call("./inner"),
      "shared/inner/main.tf": vm("2"),
      "c/main.tf": vm("3"),
    };
    // The paths do not include "shared" and its module.
    const { together } = parse(texts, {}, ["a/main.tf", "b/main.tf", "b/inner/main.tf", "c/main.tf"]);
    const parts = ["a", "b", "shared", "shared/inner", "b/inner", "c"].map((folder) => [...(together?.(folder) ?? [])].sort().join());
    const one = "a,b,shared,shared/inner";
    expect(parts).toEqual([one, one, one, one, "b/inner", "c"]);
    expect(parse(texts, { options: [{ kind: "value", name: "x", text: "1" }] }).together).toBeDefined();
    expect(parse(texts, { options: [{ kind: "file", path: "a/x.tfvars" }] }).together).toBeUndefined();
  });

  test("checking one file reports no VM of its neighbours", () => {
    const files = { "a.tf": vm("var.n"), "b.tf": `variable "n" {\n  default = 3\n}\nresource "vsphere_virtual_machine" "other" {}` };
    expect(parse(files, {}, ["a.tf"]).vms.map((one) => [one.name, shown(one.settings.vcpus)])).toEqual([[VM, 3]]);
  });
});

describe("kinds of files", () => {
  test.each([
    ["object({ cpus = optional(number, 4) })", "object({ cpus = number })"],
    ["object({ cpus = optional(number) })", "object({ cpus = optional(number, 8) })"],
    ["any", "object({ cpus = optional(number, 8) })"],
  ])("the defaults in the type of a variable are not known where an override file changes it: %s to %s", (type, over) => {
    const files = {
      "main.tf": `variable "size" {\n  type = ${type}\n}\n${vm("var.size.cpus")}`,
      "override.tf": `variable "size" {\n  type = ${over}\n}\n`,
      "terraform.tfvars": "size = {}\n",
    };
    expect(settings(files, "vcpus")).toEqual({ [VM]: "<an override file changes the type of variable size>" });
  });

  test("an override file may change the type of a variable that has no defaults", () => {
    const files = {
      "main.tf": `variable "cpus" {\n  default = "4"\n}\n${vm("var.cpus + 1")}`,
      "override.tf": `variable "cpus" {\n  type = number\n}\n`,
    };
    expect(settings(files, "vcpus")).toEqual({ [VM]: 5 });
  });

  test("a folder without a VM and without a call is not checked, even if it uses its own path", () => {
    const broken = 'resource "null_resource" "x"\n{\n  count = 1\n}\n';
    const problemsOf = (text: string) => parse({ "x.tf": broken + text }).problems.length;
    expect(problemsOf('locals {\n  x = "${path.module}/x"\n}\n')).toBe(0);
    expect(problemsOf('module "x" {\n  source = "x"\n}\n')).toBeGreaterThan(0);
  });

  test("override files replace arguments one by one and blocks by their type", () => {
    const files = {
      "main.tf": vm("4", "memory = 1024\n  disk {\n    unit_number = 0\n  }\n  disk {\n    unit_number = 1\n  }"),
      "x_override.tf": `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = 8\n  disk {\n    unit_number = 15\n  }\n}\n`,
      "override.tf": `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = 6\n}\n`,
    };
    const [read] = parse(files).vms;
    expect([shown(read?.settings.vcpus as never), shown(read?.settings.memoryMiB as never)]).toEqual([8, 1024]);
    expect(read?.devices().disks.map(({ id }) => id)).toEqual(["scsi1:0"]);
  });

  test("JSON", () => {
    const text = JSON.stringify({
      variable: { n: { default: 2 } },
      locals: { m: "${var.n * 2}" },
      resource: {
        vsphere_virtual_machine: {
          vm: { num_cpus: "${local.m}", memory: 4096, disk: [{ unit_number: 0 }, { unit_number: 15 }], name: 'say "${var.n}"' },
        },
      },
    });
    const [read] = parse({ "main.tf.json": text }).vms;
    expect([shown(read?.settings.vcpus as never), shown(read?.settings.memoryMiB as never), read?.alias]).toEqual([4, 4096, 'say "2"']);
    expect(read?.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0", "scsi1:0"]);
  });

  // Terraform 1.11.4 treats a null block as absent, but requires the labels of a labelled block.
  test("null for a block in JSON", () => {
    const read = (document: unknown) => parse({ "main.tf.json": JSON.stringify(document) });
    const none = { num_cpus: 4, disk: null, clone: null, lifecycle: null, dynamic: { disk: null } };
    const { vms, problems } = read({ locals: null, terraform: null, resource: { vsphere_virtual_machine: { vm: none, other: null } } });
    expect(problems).toEqual([]);
    expect(vms.map((one) => [one.name, one.devices().disks])).toEqual([[VM, []]]);
    expect(read({ resource: { vsphere_virtual_machine: null } }).problems).toHaveLength(1);
  });

  test("a dynamic block in JSON", () => {
    const dynamic = { disk: { for_each: [0, 15], content: { unit_number: "${disk.value}" } } };
    const text = JSON.stringify({ resource: { vsphere_virtual_machine: { vm: { dynamic } } } });
    expect(
      parse({ "main.tf.json": text })
        .vms[0]?.devices()
        .disks.map(({ id }) => id),
    ).toEqual(["scsi0:0", "scsi1:0"]);
  });

  test("x.tofu in place of x.tf", () => {
    expect(settings({ "x.tf": vm("4"), "x.tofu": vm("8") }, "vcpus")).toEqual({ [VM]: 8 });
  });

  test("a file that the configuration reads", () => {
    const files = { "a/main.tf": vm('jsondecode(file("${path.module}/vms.json")).cpus'), "a/vms.json": '{"cpus": 12}' };
    expect(settings(files, "vcpus")).toEqual({ [VM]: 12 });
    expect(settings({ "a/main.tf": files["a/main.tf"] }, "vcpus")).toEqual({ [VM]: "<the file ./vms.json cannot be read>" });
  });
});

describe("an argument of another VM", () => {
  const of = (reference: string, body: string, more = "") =>
    settings(
      {
        "main.tf": `resource "vsphere_virtual_machine" "a" {\n${body}\n}\nresource "vsphere_virtual_machine" "b" {\n  num_cpus = ${reference}\n}\n${more}`,
      },
      "vcpus",
    )["vsphere_virtual_machine.b"];
  const WHEN_RUN = "<vsphere_virtual_machine.a is known when Terraform runs>";

  test.each([
    ["vsphere_virtual_machine.a.num_cpus", "  num_cpus = 4", 4],
    ["vsphere_virtual_machine.a.num_cpus", '  num_cpus = "4"', 4],
    ["vsphere_virtual_machine.a.num_cpus", "  num_cpus = null", WHEN_RUN],
    ["vsphere_virtual_machine.a.num_cpus", "", WHEN_RUN],
    ["vsphere_virtual_machine.a.num_cpus", "  num_cpus = 4\n  lifecycle {\n    ignore_changes = [num_cpus]\n  }", WHEN_RUN],
    ["vsphere_virtual_machine.a[0].num_cpus", "  count = 1\n  num_cpus = 4", WHEN_RUN],
    ["vsphere_virtual_machine.a.num_cpus", "  num_cpus = var.gone", "<there is no variable gone>"],
    ["try(vsphere_virtual_machine.a.num_cpus, 8)", '  num_cpus = "x"', '<"x" is not a number>'],
    ["vsphere_virtual_machine.a.hardware_version", "  hardware_version = 19", WHEN_RUN],
    ["vsphere_virtual_machine.gone.num_cpus", "", "<vsphere_virtual_machine.gone is known when Terraform runs>"],
    [
      "vsphere_virtual_machine.a.num_cpus",
      "  num_cpus = vsphere_virtual_machine.b.num_cpus",
      "<argument vsphere_virtual_machine.b.num_cpus depends on itself>",
    ],
  ])("%s", (reference, body, expected) => {
    expect(of(reference, body)).toBe(expected);
  });
});

describe("files that a configuration reads", () => {
  const vm = (cpus: string) => `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = ${cpus}\n}\n`;
  const vcpus = (cpus: string, texts: Texts = {}) =>
    Object.values(settings({ "a/main.tf": vm(cpus), "secret.txt": "8", "a/x.tftpl": "${n}", ...texts }, "vcpus"))[0];

  test.each([
    ['file("../secret.txt")', "<the file ../secret.txt lies outside of the configuration>"],
    ['templatefile("/etc/hostname", {})', "<the file /etc/hostname lies outside of the configuration>"],
    ['fileexists("~/x") ? 1 : 2', "<the file ~/x lies outside of the configuration>"],
    ['templatefile("x.tftpl", { n = 4 })', 4],
    ['templatefile("x.tftpl", { n = var.gone })', "<there is no variable gone>"],
    ['templatefile("x.tftpl", { n = 4, other = var.gone })', 4],
    ['templatefile("y.tftpl", {})', "<the file y.tftpl cannot be read>"],
    ['fileexists("y.tftpl") ? 1 : 2', 2],
    ['fileexists("sub/y.tftpl") ? 1 : 2', "<it is unknown whether the file sub/y.tftpl exists>"],
  ])("%s", (cpus, expected) => {
    expect(vcpus(cpus)).toBe(expected);
  });

  // What Terraform 1.11.4 answers, of the same files.
  test.each<[pattern: string, expected: readonly string[] | undefined]>([
    ["*.yaml", [".h.yaml", "a+b.yaml", "x.yaml"]],
    ["*.{yaml,yml}", [".h.yaml", "a+b.yaml", "x.yaml", "y.yml"]],
    ["**", [".h.yaml", "a+b.yaml", "deep/er/q.yaml", "deep/z.yaml", "web/x.yaml", "x.yaml", "y.yml"]],
    ["**/x.yaml", ["web/x.yaml", "x.yaml"]],
    ["deep/**/*.yaml", ["deep/er/q.yaml", "deep/z.yaml"]],
    ["**/deep/**", ["deep/er/q.yaml", "deep/z.yaml"]],
    ["{deep,web}/*.yaml", ["deep/z.yaml", "web/x.yaml"]],
    ["?.yaml", ["x.yaml"]],
    ["a+b.*", ["a+b.yaml"]],
    ["*a*m*l*", [".h.yaml", "a+b.yaml", "x.yaml"]],
    ["deep", []],
    ["gone.yaml", []],
    // Not followed: doublestar has its own way with them.
    ["[xy].yaml", undefined],
    ["**/**/x.yaml", undefined],
    ["../*.txt", undefined],
    ["*a*a*a*a*b", undefined],
    ["x.yaml{,.bak}", undefined],
    ["*{.bak,}", undefined],
  ])('fileset("vms", %j)', (pattern, expected) => {
    const names = [".h.yaml", "a+b.yaml", "deep/er/q.yaml", "deep/z.yaml", "web/x.yaml", "x.yaml", "y.yml"];
    const texts = Object.fromEntries(names.map((name) => [`a/vms/${name}`, ""]));
    const is = (all: readonly string[]) => `join(",", fileset("vms", ${JSON.stringify(pattern)})) == "${all.join(",")}" ? 1 : 2`;
    expect(vcpus(is(expected ?? []), texts)).toBe(expected ? 1 : `<it is unknown which files ${pattern} matches>`);
    expect(vcpus(is(expected ?? []))).toBe(`<it is unknown which files ${pattern} matches>`);
  });

  test("a folder outside of the configuration has no files that are known", () => {
    expect(vcpus('length(fileset("../b", "*.txt"))', { "b/x.txt": "" })).toBe("<it is unknown which files *.txt matches>");
  });

  test.each(["v*", "vm?", "{vms,web}", "v[m]s", "v\\\\ms"])("a folder that is a pattern is unknown: %s", (folder) => {
    const count = vcpus(`length(fileset("${folder}", "*"))`, { "a/vms/x.txt": "", [`a/${folder.replaceAll("\\\\", "\\")}/y.txt`]: "" });
    expect(count).toBe("<it is unknown which files * matches>");
  });

  test("VMs from the lines of a table, and from the files of a folder", () => {
    const loop = (name: string, each: string) =>
      `resource "vsphere_virtual_machine" "${name}" {\n  for_each = ${each}\n  num_cpus = each.value.cpus\n}\n`;
    const texts = {
      "main.tf":
        loop("table", '{ for vm in csvdecode(file("vms.csv")) : vm.name => vm }') +
        loop("files", '{ for f in fileset("${path.module}", "vms/*.json") : trimsuffix(basename(f), ".json") => jsondecode(file(f)) }'),
      "vms.csv": 'name,cpus,note\na,4,"x, y"\nb,8,\n',
      "vms/c.json": '{ "cpus": 2 }',
    };
    expect(settings(texts, "vcpus")).toEqual({
      'vsphere_virtual_machine.table["a"]': 4,
      'vsphere_virtual_machine.table["b"]': 8,
      'vsphere_virtual_machine.files["c"]': 2,
    });
  });

  test("files of a module are read too", () => {
    const module = { "m/main.tf": vm('file("${path.module}/n.txt")'), "m/n.txt": "6" };
    expect(settings({ "a/main.tf": 'module "m" {\n  source = "../m"\n}\n', ...module }, "vcpus")).toEqual({
      "module.m.vsphere_virtual_machine.vm": 6,
    });
  });
});

describe("vsphere_virtual_machine", () => {
  const read = (body: string, rest = "") => parse({ "main.tf": `resource "vsphere_virtual_machine" "vm" {\n${body}\n}\n${rest}` }).vms[0];

  test("defaults of the provider", () => {
    const one = read("");
    expect(one?.defaults).toMatchObject({ vcpus: 1, coresPerSocket: 1, memoryMiB: 1024, cpuHotAdd: false, latencySensitivity: "normal" });
    expect(one?.scsiControllers.map(({ id, type }) => [id, shown(type)])).toEqual([["scsi0", "pvscsi"]]);
    expect(one?.settings.hardwareVersion).toEqual({ state: "absent" });
  });

  test.each([
    ["", undefined],
    ['scsi_bus_sharing = "noSharing"', undefined],
    ['scsi_bus_sharing = "physicalSharing"', true],
    ["scsi_bus_sharing = data.a.b.c", true],
  ])("controllers with %s are or may be shared: %s", (line, shared) => {
    expect(read(`scsi_controller_count = 2\n${line}`)?.scsiControllers.map((controller) => controller.shared)).toEqual([shared, shared]);
  });

  test.each([
    ["scsi", 0, "scsi0:0"],
    ["scsi", 6, "scsi0:6"],
    ["scsi", 7, "scsi0:8"],
    ["scsi", 14, "scsi0:15"],
    ["scsi", 15, "scsi1:0"],
    ["scsi", 45, "scsi3:0"],
    ["sata", 31, "sata1:1"],
    ["ide", 3, "ide1:1"],
    ["nvme", 64, "nvme1:0"],
  ])("%s unit_number %i is %s", (kind, unit, id) => {
    expect(
      read(`disk {\n  controller_type = "${kind}"\n  unit_number = ${unit}\n}`)
        ?.devices()
        .disks.map((disk) => disk.id),
    ).toEqual([id]);
  });

  test.each<[version: string, cores: unknown]>([
    ['version = ">= 2.16.0"', "auto"],
    ['version = "~> 2.17"', "auto"],
    ['version = "2.16.1"', "auto"],
    [
      'version = "~> 2.2"',
      "<0 cores per socket is automatic only from version 2.16 of the provider on: ask for that in required_providers>",
    ],
    [
      'version = "< 2.16"',
      "<0 cores per socket is automatic only from version 2.16 of the provider on: ask for that in required_providers>",
    ],
    ["", "<0 cores per socket is automatic only from version 2.16 of the provider on: ask for that in required_providers>"],
  ])("0 cores per socket with %s", (version, cores) => {
    const providers = `terraform {\n  required_providers {\n    vsphere = {\n      source = "vmware/vsphere"\n      ${version}\n    }\n  }\n}\n`;
    expect(shown(read("num_cores_per_socket = 0", providers)?.settings.coresPerSocket as never)).toEqual(cores);
  });

  test("the lock file sets the version", () => {
    const lock = 'provider "registry.terraform.io/hashicorp/vsphere" {\n  version = "2.16.1"\n}\n';
    const files = { "main.tf": vm("4", "num_cores_per_socket = 0"), ".terraform.lock.hcl": lock };
    expect(settings(files, "coresPerSocket")).toEqual({ [VM]: "auto" });
  });

  const NOT_SENT = "<0 cores per socket is automatic only from version 2.16 of the provider on: ask for that in required_providers>";
  const providers = (text: string) => `terraform {\n  required_providers {\n    ${text}\n  }\n}\n`;
  const asked = (version: string, source = "vmware/vsphere") => providers(`vsphere = { source = "${source}", version = "${version}" }`);
  const locked = (source: string, version: string) => `provider "registry.terraform.io/${source}" {\n  version = "${version}"\n}\n`;
  const call = 'module "m" {\n  source = "./m"\n}\n';
  const zero = vm("4", "num_cores_per_socket = 0");
  const dr = vm("4", "provider = vmw.dr\n  num_cores_per_socket = 0");

  test.each<[what: string, files: Texts, cores: unknown]>([
    ["an override file", { "v.tf": asked(">= 2.16"), "v_override.tf": asked("2.8.1") }, NOT_SENT],
    ["an override file of another provider", { "v.tf": asked(">= 2.16"), "v_override.tf": providers('x = "1.0"') }, "auto"],
    ["a prerelease", { "v.tf": asked("2.16.0-rc1") }, NOT_SENT],
    ["a prerelease behind it", { "v.tf": asked("2.16.1-rc1") }, "auto"],
    ["another's provider of that name", { "v.tf": asked(">= 2.16", "acme/vsphere") }, NOT_SENT],
    ["a mirror", { "v.tf": asked(">= 2.16", "registry.acme.com/vmware/vsphere") }, "auto"],
    ["a version alone", { "v.tf": providers('vsphere = ">= 2.16"') }, "auto"],
    [
      "another name, which the VM does not use",
      { "v.tf": providers('vmw = { source = "vmware/vsphere", version = ">= 2.16" }') },
      NOT_SENT,
    ],
    ["the name that the VM uses", { "main.tf": dr, "v.tf": providers('vmw = { source = "vmware/vsphere", version = ">= 2.16" }') }, "auto"],
    [
      "the lock of one of two",
      { "v.tf": asked(">= 2.0"), ".terraform.lock.hcl": locked("hashicorp/vsphere", "2.15.0") + locked("vmware/vsphere", "2.16.1") },
      "auto",
    ],
    ["the lock of another", { "v.tf": asked(">= 2.0"), ".terraform.lock.hcl": locked("hashicorp/vsphere", "2.16.1") }, NOT_SENT],
    ["another module's version", { "v.tf": call + asked(">= 2.0"), "m/v.tf": asked(">= 2.16") }, "auto"],
    [
      "another module's version of another provider",
      { "v.tf": call + asked(">= 2.0"), "m/v.tf": asked(">= 2.16", "hashicorp/vsphere") },
      NOT_SENT,
    ],
  ])("0 cores per socket with %s", (_, files, cores) => {
    expect(settings({ "main.tf": zero, ...files }, "coresPerSocket")).toEqual({ [VM]: cores });
  });

  test("memory is locked only if all of it is reserved", () => {
    const locked = (rest: string) =>
      shown(read(`memory_reservation_locked_to_max = true\n${rest}`)?.settings.memoryReservationLocked as never);
    expect(locked("memory = 4096\nmemory_reservation = 4096")).toBe(true);
    expect(locked("memory = 4096\nmemory_reservation = 2048")).toBe(false);
    expect(locked("memory_reservation = 1024")).toBe(true);
    expect(locked("memory = data.x.y.z\nmemory_reservation = 1024")).toContain("<");
  });

  // Tried with Terraform 1.11.4: apply, then plan with other values.
  test.each<[what: string, base: string, over: string, isKept: readonly [vcpus: boolean, memory: boolean]]>([
    ["a list in place of another", "[num_cpus]", "[memory]", [false, true]],
    ["an empty list", "[num_cpus]", "[]", [true, false]],
    ["a list beside all", "all", "[memory]", [true, true]],
    ["all beside a list", "[memory]", "all", [true, true]],
  ])("ignore_changes in an override file: %s", (_, base, over, isKept) => {
    const lifecycle = (ignored: string) => `lifecycle {\n    ignore_changes = ${ignored}\n  }`;
    const files = {
      "main.tf": `resource "vsphere_virtual_machine" "vm" {\n  ${lifecycle(base)}\n}\n`,
      "override.tf": `resource "vsphere_virtual_machine" "vm" {\n  ${lifecycle(over)}\n}\n`,
    };
    const [one] = parse(files).vms;
    expect([one?.settings.vcpus, one?.settings.memoryMiB].map((setting) => setting?.state === "unknown")).toEqual(isKept);
  });

  test("a node size is dropped below hardware version 20, and without one", () => {
    expect(read("num_cores_per_numa_node = 8\nhardware_version = 19")?.settings.coresPerNumaNode).toEqual({ state: "absent" });
    expect(read("num_cores_per_numa_node = 8")?.settings.coresPerNumaNode).toEqual({ state: "absent" });
    expect(shown(read("num_cores_per_numa_node = 8\nhardware_version = var.x")?.settings.coresPerNumaNode as never)).toBe(8);
    expect(shown(read("num_cores_per_numa_node = 8\nhardware_version = 21")?.settings.coresPerNumaNode as never)).toBe(8);
  });

  test("extra_config", () => {
    const one = read('extra_config = {\n  "numa.vcpu.preferHT" = "TRUE"\n  "Numa.nodeAffinity" = "0,1"\n  "guestinfo.x" = data.x.y\n}');
    expect([shown(one?.settings.preferHt as never), shown(one?.settings.numaNodeAffinity as never)]).toEqual([true, [0, 1]]);
    expect([...(one?.advanced().keys() ?? [])]).toEqual(["numa.nodeaffinity", "numa.vcpu.preferht"]);
  });

  test("every advanced setting is unknown where extra_config is", () => {
    expect(shown(read("extra_config = var.extra")?.settings.preferHt as never)).toBe("<there is no variable extra>");
    expect(shown(read("num_cpus = 4\nextra_config = var.extra")?.settings.vcpus as never)).toBe(4);
  });

  test("disks that a dynamic block makes", () => {
    const dynamic = (forEach: string) =>
      read(`dynamic "disk" {\n  for_each = ${forEach}\n  iterator = it\n  content {\n    unit_number = it.value\n  }\n}`)?.devices();
    expect(dynamic("[0, 15]")?.disks.map(({ id }) => id)).toEqual(["scsi0:0", "scsi1:0"]);
    expect(dynamic("data.x.y")).toMatchObject({ disks: [], missing: "data.x.y is known when Terraform runs" });
  });

  test("an OVF package has disks without a block; a clone has a block for each disk", () => {
    expect(read('ovf_deploy {\n  local_ovf_path = "a.ova"\n}')?.devices().missing).toBe("an OVF package brings disks of its own");
    expect(read('clone {\n  template_uuid = "a"\n}\ndisk {}')?.devices()).not.toHaveProperty("missing");
    const cloned = (of: string) => read(`clone {\n  template_uuid = ${of}.id\n}\ndisk {}`)?.devices();
    const [item, vm] = ["data.vsphere_content_library_item.a", "data.vsphere_virtual_machine.a"];
    for (const template of [
      item,
      `${item}[0]`,
      "vsphere_content_library_item.a",
      `(data.x.y.z ? ${vm} : ${item})`,
      `{ a = ${item} }[${vm}.name]`,
      "var.template",
    ])
      expect(cloned(template)?.missing).toBe("an OVF package brings disks of its own");
    for (const template of [vm, `${vm}[0]`, "vsphere_virtual_machine.a"]) expect(cloned(template)).not.toHaveProperty("missing");
    const maybe = (type: string) => read(`disk {}\ndynamic "${type}" {\n  for_each = data.x.y\n  content {}\n}`)?.devices();
    expect(maybe("ovf_deploy")).toHaveProperty("missing", "data.x.y is known when Terraform runs");
    for (const type of ["ovf_deploy", "clone"]) expect(maybe(type)).not.toHaveProperty("passthrough");
    expect(maybe("clone")).not.toHaveProperty("missing");
  });

  test("how disks are given out, and devices of the host", () => {
    const one = read(
      'disk {}\ndisk {\n  unit_number = 1\n  thin_provisioned = false\n}\ndisk {\n  unit_number = 2\n  thin_provisioned = false\n  eagerly_scrub = true\n}\ndisk {\n  unit_number = 3\n  thin_provisioned = data.x.y.z\n}\npci_device_id = ["0000:3b:00.0"]',
    )?.devices();
    expect(one?.disks.map(({ provisioning }) => provisioning && shown(provisioning))).toEqual([
      "thin",
      "lazy",
      "eager",
      "<data.x.y is known when Terraform runs>",
    ]);
    expect(one?.passthrough).toHaveLength(1);
    expect(read("")?.devices().passthrough).toEqual([]);
    expect(read("pci_device_id = data.x.y.z")?.devices().passthrough).toBeUndefined();
  });

  test("cards and controllers", () => {
    const devices = read(
      'scsi_type = "lsilogic-sas"\nscsi_controller_count = 2\nnvme_controller_count = 1\nnetwork_interface {}\nnetwork_interface {\n  adapter_type = "e1000e"\n}',
    );
    expect(devices?.scsiControllers.map(({ id, type }) => [id, shown(type)])).toEqual([
      ["scsi0", "lsisas1068"],
      ["scsi1", "lsisas1068"],
    ]);
    expect(devices?.devices().nics.map(({ type }) => shown(type))).toEqual(["vmxnet3", "e1000e"]);
    expect(devices?.devices().otherControllers.map(({ kind, bus }) => `${kind}${bus}`)).toEqual(["ide0", "ide1", "nvme0"]);
  });
});

test("the other resources that are VMs", () => {
  const main = `resource "esxi_guest" "a" {
  numvcpus = "4"
  memsize = "2048"
  virthwver = "13"
}
resource "vcd_vm" "b" {
  cpus = 8
  cpu_cores = 4
  memory = 4096
  hardware_version = "vmx-19"
  set_extra_config {
    key = "numa.vcpu.preferHT"
    value = "TRUE"
  }
}
resource "vcd_vapp_vm" "c" {
  cpus = 2
}
resource "vsphere_virtual_machine_class" "d" {
  cpus = 4
  memory = 8192
  memory_reservation = 100
}
`;
  const seen = parse({ "main.tf": main }).vms.map(({ name, settings: s }) => [
    name,
    ...[s.vcpus, s.coresPerSocket, s.memoryMiB, s.hardwareVersion, s.preferHt, s.memoryReservationMiB].map(shown),
  ]);
  const policy = "<the template or the policy of the virtual data centre sets it>";
  expect(seen).toEqual([
    ["esxi_guest.a", 4, null, 2048, 13, null, null],
    ["vcd_vm.b", 8, 4, 4096, 19, true, policy],
    ["vcd_vapp_vm.c", 2, policy, policy, null, null, policy],
    ["vsphere_virtual_machine_class.d", 4, "<the VM inherits it from its image>", 8192, null, null, 8192],
  ]);
});

describe("a machine configuration of Rancher", () => {
  const pool = (lines: string, block = "vsphere_config") =>
    `resource "rancher2_machine_config_v2" "a" {\n  generate_name = "worker"\n  ${block} {\n${lines}\n  }\n}\n`;
  const read = (lines: string, block?: string) =>
    parse({ "main.tf": pool(lines, block) }).vms.map(({ settings: s, alias, template, clonedFrom, scsiControllers }) => ({
      sizes: [s.vcpus, s.memoryMiB, s.coresPerSocket, s.preferHt].map(shown),
      is: [alias, template, clonedFrom],
      scsi: scsiControllers.map(({ type }) => shown(type)),
    }));

  test("is a template for VMs on vSphere", () => {
    const lines =
      '    cpu_count = "4"\n    memory_size = 8192\n    creation_type = "template"\n    clone_from = "u"\n    cfgparam = ["numa.vcpu.preferHT=TRUE", "a=b"]';
    const inherited = "<the VM inherits it from its template>";
    expect(read(lines)).toEqual([{ sizes: [4, 8192, inherited, true], is: ["worker", true, "u"], scsi: [] }]);
    expect(read("    cfgparam = var.options")).toEqual([
      { sizes: [null, null, null, "<there is no variable options>"], is: ["worker", true, undefined], scsi: ["pvscsi"] },
    ]);
  });

  test("is none elsewhere", () => expect(read('    instance_type = "t3a.large"', "amazonec2_config")).toEqual([]));
});

test.each([
  ['key = data.x.y.z\n    value = "TRUE"', "<data.x.y is known when Terraform runs>"],
  ['key = "guestinfo.a"\n    value = data.x.y.z', null],
])("preferHT of a vcd_vm with %j", (lines, expected) => {
  const dynamic = 'dynamic "set_extra_config" {\n    for_each = data.x.y\n    content {}\n  }';
  const preferHt = (block: string) => settings({ "main.tf": `resource "vcd_vm" "a" {\n  ${block}\n}\n` }, "preferHt")["vcd_vm.a"];
  expect(preferHt(`set_extra_config {\n    ${lines}\n  }`)).toBe(expected);
  expect(preferHt(dynamic)).toBe("<data.x.y is known when Terraform runs>");
});

test.each([
  ["", undefined],
  ['clone_from_vm = "a"', "a template brings disks of its own"],
  ['ovf_source = "a.ova"', "a template brings disks of its own"],
])("an esxi_guest with %j: whether all disks are listed", (line, missing) => {
  const [one] = parse({ "main.tf": `resource "esxi_guest" "a" {\n  ${line}\n}\n` }).vms;
  expect(one?.devices().missing).toBe(missing);
});

describe("vmlint: comments", () => {
  const words = (main: string) =>
    parse({ "main.tf": main }).vms.map(({ directive }) => [...directive].map(([word, { value }]) => `${word}=${value}`));

  test("inside of a block and above it they are about that VM", () => {
    const two = `# vmlint: host=a\n# Another line.\n${vm("1")}\nresource "vsphere_virtual_machine" "other" {\n  // vmlint: host=b\n}\n`;
    expect(words(two)).toEqual([["host=a"], ["host=b"]]);
  });

  test("elsewhere they are about all VMs of the file, where a VM's own do not say otherwise", () => {
    const two = `# vmlint: host=a workload=mssql\n\n${vm("1")}\nresource "vsphere_virtual_machine" "other" {\n  # vmlint: host=b\n}\n`;
    expect(words(two)).toEqual([
      ["host=a", "workload=mssql"],
      ["host=b", "workload=mssql"],
    ]);
  });

  test("a call's comment is about the VMs it makes", () => {
    const files = { "main.tf": '# vmlint: host=a\nmodule "m" {\n  source = "./m"\n}\n', "m/main.tf": `# vmlint: host=b\n${vm("1")}` };
    expect(parse(files).vms[0]?.directive.get("host")?.value).toBe("a");
  });
});

test("a broken line is reported, and all other lines are read", () => {
  const { vms, problems } = parse({ "main.tf": vm("4", "memory = (") });
  expect(problems.map(({ ruleId }) => ruleId)).toContain("spec/syntax");
  expect(vms).toHaveLength(1);
});
