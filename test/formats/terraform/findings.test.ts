import { spawnSync } from "node:child_process";
import { applyEdits, requireHost } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { terraform } from "../../../packages/core/src/formats/terraform/terraform.ts";
import { rule as cpsDivides } from "../../../packages/core/src/rules/cpu/cps-divides.ts";
import { rule as latencyHigh } from "../../../packages/core/src/rules/latency/high.ts";
import { rule as highNeedsMemory } from "../../../packages/core/src/rules/latency/high-needs-mem-reservation.ts";
import { rule as standardSockets } from "../../../packages/core/src/rules/mssql/standard-sockets.ts";
import { rule as lsiForDatabase } from "../../../packages/core/src/rules/storage/lsi-for-db.ts";
import type { Texts } from "../../support/text-files.ts";
import { fixed, lintTexts, parse } from "./support.ts";

const RULES = [cpsDivides, latencyHigh, highNeedsMemory, standardSockets, lsiForDatabase];

const STANDARD = { workload: { kind: "mssql", edition: "standard", version: "2022" } } as const;
/** A socket of 16 fits a node. */
const WIDE_NODES = requireHost("2x16x2:512@7.0");

/** Every finding as `path: text it points at`, with the texts its way leads over. */
function found(texts: Texts) {
  return lintTexts(texts, RULES).flatMap(({ path, text, diagnostics }) =>
    diagnostics.map(({ ruleId, range, related, vm, vms }) => ({
      rule: ruleId,
      at: `${path}: ${text.slice(...range)}`,
      way: related.map((one) => `${one.message} | ${one.path ?? path}: ${(texts[one.path ?? path] ?? "").slice(...one.range)}`),
      vms: vms ?? [vm],
    })),
  );
}

const vm = (body: string, name = "vm") => `resource "vsphere_virtual_machine" "${name}" {\n  ${body}\n}\n`;

describe("a finding points to where the value was written for the VM", () => {
  test("the literal in the resource", () => {
    expect(found({ "main.tf": vm('latency_sensitivity = "high"\n  memory_reservation = 1024') })).toEqual([
      { rule: "latency/high", at: 'main.tf: "high"', way: [], vms: ["vsphere_virtual_machine.vm"] },
    ]);
  });

  test("the argument in the resource, with the way to the variable's default or the tfvars line", () => {
    const main = `variable "l" {\n  default = "high"\n}\n${vm("latency_sensitivity = var.l\n  memory_reservation = 1024")}`;
    expect(found({ "main.tf": main })).toMatchObject([{ at: "main.tf: var.l", way: ['default of variable l | main.tf: "high"'] }]);
    const files = { "main.tf": main.replace('"high"', '"low"'), "terraform.tfvars": 'l = "high"\n' };
    expect(found(files)).toMatchObject([{ at: "main.tf: var.l", way: ['variable l in terraform.tfvars | terraform.tfvars: "high"'] }]);
  });

  test("the argument of the module call, with the way through the module", () => {
    const files = {
      "main.tf": 'module "m" {\n  source = "./m"\n  l = "high"\n}\n',
      "m/main.tf": `variable "l" {}\n${vm("latency_sensitivity = var.l\n  memory_reservation = 1024")}`,
    };
    expect(found(files)).toEqual([
      {
        rule: "latency/high",
        at: 'main.tf: "high"',
        way: ["used as var.l | m/main.tf: var.l"],
        vms: ["module.m.vsphere_virtual_machine.vm"],
      },
    ]);
  });

  test("the outermost call with the value", () => {
    const files = {
      "main.tf": 'variable "x" {\n  default = "high"\n}\nmodule "a" {\n  source = "./a"\n  l = var.x\n}\n',
      "a/main.tf": 'variable "l" {}\nmodule "m" {\n  source = "../m"\n  l = var.l\n}\n',
      "m/main.tf": `variable "l" {}\n${vm("latency_sensitivity = var.l\n  memory_reservation = 1024")}`,
    };
    expect(found(files)).toMatchObject([
      {
        at: "main.tf: var.x",
        way: ['default of variable x | main.tf: "high"', "used as var.l | a/main.tf: var.l", "used as var.l | m/main.tf: var.l"],
      },
    ]);
  });

  test("the VM's own element of a collection", () => {
    const main = `locals {\n  vms = {\n    a = { l = "high" }\n    b = { l = "low" }\n  }\n}\n${vm("for_each = local.vms\n  latency_sensitivity = each.value.l\n  memory_reservation = 1024")}`;
    expect(found({ "main.tf": main })).toMatchObject([{ at: 'main.tf: "high"', vms: ['vsphere_virtual_machine.vm["a"]'] }]);
    const listed = vm('count = 2\n  latency_sensitivity = ["low", "high"][count.index]\n  memory_reservation = 1024');
    expect(found({ "main.tf": listed })).toMatchObject([{ at: 'main.tf: "high"', vms: ["vsphere_virtual_machine.vm[1]"] }]);
  });

  test("the name of the resource if nothing else sets the value", () => {
    expect(found({ "main.tf": vm('latency_sensitivity = "high"') })).toMatchObject([{ at: 'main.tf: "high"' }]);
    expect(parse({ "main.tf": vm("") }).vms[0]?.range).toEqual([36, 38]);
  });
});

describe("one cause is one finding", () => {
  test("for all instances", () => {
    const main = vm('count = 3\n  latency_sensitivity = "high"\n  memory_reservation = 1024');
    expect(found({ "main.tf": main })).toMatchObject([{ vms: [0, 1, 2].map((at) => `vsphere_virtual_machine.vm[${at}]`) }]);
  });

  test("for a module with several callers", () => {
    const files = {
      "a/main.tf": 'module "x" {\n  source = "../m"\n}\n',
      "b/main.tf": 'module "y" {\n  source = "../m"\n}\n',
      "m/main.tf": vm('latency_sensitivity = "high"\n  memory_reservation = 1024'),
    };
    expect(found(files)).toMatchObject([
      { at: 'm/main.tf: "high"', vms: ["module.x.vsphere_virtual_machine.vm", "module.y.vsphere_virtual_machine.vm"] },
    ]);
  });

  test("for different numbers: the finding lists them", () => {
    const main = vm("for_each = { a = 6, b = 10 }\n  num_cpus = each.value\n  num_cores_per_socket = 4");
    const [one, ...others] = found({ "main.tf": main });
    expect(others).toEqual([]);
    expect(one?.vms).toHaveLength(2);
    expect(one?.way.some((way) => way.startsWith('vsphere_virtual_machine.vm["b"]: 10 vCPUs'))).toBe(true);
  });
});

/** The real `terraform fmt`, if it is installed. */
const hasTerraform = spawnSync("terraform", ["version"]).status === 0;
const formatted = (text: string): string => spawnSync("terraform", ["fmt", "-"], { input: text, encoding: "utf8" }).stdout;

/** Files, the rule of the fix to apply, and the expected change. */
const FIXES: readonly (readonly [what: string, files: Texts, change: Texts])[] = [
  [
    "the literal in the resource, comments and all",
    { "main.tf": 'resource "vsphere_virtual_machine" "vm" {\n  latency_sensitivity = "high" # why?\n  memory_reservation  = 1024\n}\n' },
    { "main.tf": 'resource "vsphere_virtual_machine" "vm" {\n  latency_sensitivity = "normal" # why?\n  memory_reservation  = 1024\n}\n' },
  ],
  [
    "a line of a tfvars file",
    {
      "main.tf":
        'variable "cores" {}\n\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus             = 8\n  num_cores_per_socket = var.cores\n}\n',
      "terraform.tfvars": "# sizes\ncores = 1 # each\n",
    },
    { "terraform.tfvars": "# sizes\ncores = 8 # each\n" },
  ],
  [
    "an argument of a module call",
    {
      "main.tf": 'module "m" {\n  source = "./m"\n  cores  = 1\n}\n',
      "m/main.tf":
        'variable "cores" {}\n\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus             = 8\n  num_cores_per_socket = var.cores\n}\n',
    },
    { "main.tf": 'module "m" {\n  source = "./m"\n  cores  = 8\n}\n' },
  ],
  [
    "an argument that is not there yet, and the equals signs beside it",
    {
      "main.tf":
        'resource "vsphere_virtual_machine" "vm" {\n  name     = "sql"\n  num_cpus = 8\n  memory   = 4096\n\n  guest_id = "x"\n}\n',
    },
    {
      "main.tf":
        'resource "vsphere_virtual_machine" "vm" {\n  name                 = "sql"\n  num_cpus             = 8\n  num_cores_per_socket = 8\n  memory               = 4096\n\n  guest_id = "x"\n}\n',
    },
  ],
  [
    "a value in JSON",
    { "main.tf.json": '{"resource": {"vsphere_virtual_machine": {"vm": {"num_cpus": 8, "num_cores_per_socket": "1"}}}}' },
    { "main.tf.json": '{"resource": {"vsphere_virtual_machine": {"vm": {"num_cpus": 8, "num_cores_per_socket": "8"}}}}' },
  ],
];

describe("a fix", () => {
  test.each(FIXES)("writes %s", (_, files, change) => {
    const results = lintTexts(files, RULES, STANDARD);
    const found = results.flatMap(({ path, diagnostics }) =>
      diagnostics.flatMap(({ fixes }) => fixes.map(({ edits }) => ({ path, edits }))),
    );
    const [first] = found;
    const after = first ? fixed(files, first.path, first.edits) : {};
    expect(after).toEqual({ ...files, ...change });
    // Once it is fixed, it is not proposed again.
    const again = lintTexts(after, RULES, STANDARD).flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes));
    expect(again).toEqual([]);
    if (!hasTerraform) return;
    for (const [path, text] of Object.entries(after)) if (/\.tf(vars)?$/.test(path)) expect(formatted(text)).toBe(text);
  });

  test.each<[what: string, files: Texts]>([
    ["a value that is computed", { "main.tf": vm("num_cpus = 8\n  num_cores_per_socket = 2 - 1") }],
    ["a value that a function chose", { "main.tf": vm("num_cpus = 8\n  num_cores_per_socket = max(1, 0)") }],
    [
      "a literal that another VM shares, which is well",
      {
        "main.tf": `locals {\n  cores = 1\n}\n${vm("num_cpus = 8\n  num_cores_per_socket = local.cores")}${vm("num_cpus = 2\n  num_cores_per_socket = local.cores", "other")}`,
      },
    ],
    [
      "a module that makes another VM too, which is well",
      {
        "main.tf": 'module "a" {\n  source = "./m"\n  cpus = 8\n}\nmodule "b" {\n  source = "./m"\n  cpus = 2\n}\n',
        "m/main.tf": `variable "cpus" {}\n${vm("num_cpus = var.cpus")}`,
      },
    ],
    ["an argument that is null", { "main.tf": vm("num_cpus = 8\n  num_cores_per_socket = null") }],
  ])("does not touch %s", (_, files) => {
    const diagnostics = lintTexts(files, [standardSockets], STANDARD).flatMap((file) => file.diagnostics);
    expect(diagnostics.map(({ ruleId, fixes }) => [ruleId, fixes])).toEqual([["mssql/standard-sockets", []]]);
  });

  const S = 'variable "s" {\n  default = 1\n}\n';
  const WITH_S = S + vm("num_cpus = 8\n  num_cores_per_socket = var.s");
  const SIZES = "locals {\n  sizes = { a = { cores = 1, cpus = 8, on = true }, b = { cores = 8, cpus = 8, on = true } }\n}\n";
  const EACH = vm("for_each = local.sizes\n  num_cpus = each.value.cpus\n  num_cores_per_socket = each.value.cores");
  const CALLED = `variable "s" {}\n${vm("num_cpus = 8\n  num_cores_per_socket = var.s")}`;
  const call = (body: string) => `module "m" {\n  source = "./m"\n  ${body}\n}\n`;
  const other = (body: string) => `resource "null_resource" "other" {\n  ${body}\n}\n`;
  const vms = (names: string) => `locals {\n  vms = ${names}\n}\n${EACH.replace("local.sizes", "local.vms")}`;

  const fixesOf = (files: Texts) =>
    lintTexts(files, [standardSockets], STANDARD).flatMap(({ diagnostics }) => diagnostics.map(({ fixes }) => fixes.length > 0));

  test.each<[what: string, files: Texts]>([
    ["how many VMs there are", { "main.tf": `${WITH_S}${vm("count = var.s\n  num_cpus = 2", "b")}` }],
    ["how many VMs there are, by a condition", { "main.tf": `${WITH_S}${vm("count = var.s > 3 ? 2 : 0\n  num_cpus = 2", "b")}` }],
    ["how many there are of the VM itself", { "main.tf": S + vm("count = var.s\n  num_cpus = 8\n  num_cores_per_socket = var.s") }],
    ["a value of another VM, by a condition", { "main.tf": `${WITH_S}${vm("num_cpus = var.s > 3 ? 8 : 2", "b")}` }],
    ["a local, by a condition", { "main.tf": `${WITH_S}locals {\n  n = var.s > 3 ? 8 : 2\n}\n${vm("num_cpus = local.n", "b")}` }],
    ["the disks", { "main.tf": `${WITH_S}${vm('dynamic "disk" {\n  for_each = range(var.s)\n  content {\n  }\n}', "b")}` }],
    ["a name", { "main.tf": `${WITH_S}${vm('name = "vm-${var.s}"', "b")}` }],
    ["another resource", { "main.tf": WITH_S + other("count = var.s") }],
    ["a block of another resource", { "main.tf": WITH_S + other("a {\n    b {\n      c = [{ d = var.s }]\n    }\n  }") }],
    ["an output", { "main.tf": `${WITH_S}output "s" {\n  value = var.s\n}\n` }],
    ["a condition on itself", { "main.tf": WITH_S.replace("1\n", "1\n  validation {\n    condition = var.s < 3\n  }\n") }],
    ["another file", { "main.tf": WITH_S, "b.tf": other("a = var.s") }],
    ["JSON", { "main.tf": WITH_S, "b.tf.json": '{"resource": {"null_resource": {"x": {"count": "${var.s}"}}}}' }],
    ["a module's count", { "main.tf": WITH_S + call("count = var.s\n  s = 8"), "m/main.tf": CALLED }],
    ["a module's count, handed on", { "main.tf": WITH_S + call("s = var.s"), "m/main.tf": `variable "s" {}\n${other("count = var.s")}` }],
    ["a module from elsewhere", { "main.tf": WITH_S + call("s = var.s") }],
    ["what its module does besides", { "main.tf": call("s = 1"), "m/main.tf": CALLED + other("count = var.s > 3 ? 1 : 0") }],
    [
      "what another module does that its source leads to from elsewhere",
      {
        "a/main.tf": 'module "a" {\n  source = "../pick"\n  from = "one"\n}\n',
        "b/main.tf": 'module "b" {\n  source = "../pick"\n  from = "two"\n}\n',
        "pick/main.tf": `variable "from" {}\n${call("s = 1").replace("./m", "../${var.from}")}`,
        "one/main.tf": CALLED,
        "two/main.tf": `variable "s" {}\n${other("count = var.s")}`,
      },
    ],
    [
      "what an output of its module is used for",
      {
        "main.tf": call("s = 1") + other("count = module.m.cores"),
        "m/main.tf": `${CALLED}output "cores" {\n  value = var.s\n}\n`,
      },
    ],
    [
      "a value of a file of them",
      { "main.tf": WITH_S.replace("  default = 1\n", "") + other("count = var.s"), "terraform.tfvars": "s = 1\n" },
    ],
    ["a local of another name", { "main.tf": `${WITH_S}locals {\n  o = { n = { size = var.s } }\n}\n${other("count = local.o.n.size")}` }],
    ["its own element", { "main.tf": SIZES + EACH + other("count = local.sizes.a.cores") }],
    ["any element", { "main.tf": SIZES + EACH + other("count = local.sizes[var.x].cores") }],
    ["every element", { "main.tf": SIZES + EACH + other("count = sum(local.sizes[*].cores)") }],
    ["all of it", { "main.tf": SIZES + EACH + other("a = local.sizes") }],
    ["a filter", { "main.tf": SIZES + vms("{ for k, v in local.sizes : k => v if v.cores < 9 }") }],
    ["the names of the VMs", { "main.tf": vm('for_each = toset(["1"])\n  num_cpus = 8\n  num_cores_per_socket = each.value') }],
    ["the keys", { "main.tf": SIZES + vms('{ for v in local.sizes : "n-${v.cores}" => v }') }],
    ["a filter elsewhere", { "main.tf": SIZES + EACH + other("for_each = { for k, v in local.sizes : k => v if v.cores > 3 }") }],
    [
      "an element of what it is a part of",
      { "main.tf": SIZES + vms("{ for k, v in local.sizes : upper(k) => v }") + other('count = local.vms["A"].cores') },
    ],
    [
      "the disks of the VM itself",
      {
        "main.tf":
          SIZES + EACH.replace("  num_cpus", '  dynamic "disk" {\n  for_each = range(each.value.cores)\n  content {}\n  }\n  num_cpus'),
      },
    ],
  ])("is withheld where %s depends on the literal too", (_, files) => {
    expect(fixesOf(files)).toContain(false);
    expect(fixesOf(files)).not.toContain(true);
  });

  test.each<[what: string, files: Texts]>([
    ["nothing else", { "main.tf": WITH_S }],
    ["another variable", { "main.tf": `${WITH_S}variable "t" {\n  default = 1\n}\n${other("count = var.t")}` }],
    ["the order of things", { "main.tf": WITH_S + call("s = 8\n  depends_on = [var.s]"), "m/main.tf": CALLED }],
    ["a variable of that name elsewhere", { "main.tf": WITH_S + call("s = 8"), "m/main.tf": `${CALLED}${other("count = var.s")}` }],
    ["a local that hands it on", { "main.tf": `${S}locals {\n  n = var.s\n}\n${vm("num_cpus = 8\n  num_cores_per_socket = local.n")}` }],
    ["a module that hands it on", { "main.tf": S + call("s = var.s"), "m/main.tf": CALLED }],
    ["what else its object holds", { "main.tf": SIZES + EACH + other("count = local.sizes.a.cpus") }],
    ["another element of its map", { "main.tf": SIZES + EACH + other('count = local.sizes["b"].cores') }],
    ["a filter by something else", { "main.tf": SIZES + vms('{ for k, v in local.sizes : "${k}-${v.cpus}" => v if v.on }') }],
    [
      "the length of its list",
      {
        "main.tf": `locals {\n  l = [1]\n}\n${vm("count = length(local.l)\n  num_cpus = 8\n  num_cores_per_socket = local.l[count.index]")}`,
      },
    ],
    ["a merged map", { "main.tf": SIZES + vms("merge(local.sizes, {})") }],
    ["a module for each", { "main.tf": `${SIZES}${call("for_each = local.sizes\n  s = each.value.cores")}`, "m/main.tf": CALLED }],
    [
      "a variable of JSON",
      { "main.tf": vm("num_cpus = 8\n  num_cores_per_socket = var.s"), "b.tf.json": '{"variable": {"s": {"default": "1"}}}' },
    ],
  ])("exists next to %s", (_, files) => {
    expect(fixesOf(files)).toContain(true);
  });

  test.each([
    "num_cpus = 8 /* two\n  lines */",
    "num_cpus = 8 /* one */ /* two\n  lines */",
    "num_cpus /* = */ = 8",
    "num_cpus = /* two\n  lines */ 8",
  ])("adds no line in a comment: %j", (line) => {
    const diagnostics = lintTexts({ "main.tf": vm(line) }, [standardSockets], STANDARD).flatMap((file) => file.diagnostics);
    expect(diagnostics.map(({ ruleId, fixes }) => [ruleId, fixes])).toEqual([["mssql/standard-sockets", []]]);
  });

  /** The lines of a VM after the first fix of it. */
  const linesAfter = (lines: string): string | undefined => {
    const main = vm(lines);
    const [diagnostic] = lintTexts({ "main.tf": main }, [standardSockets], { ...STANDARD, host: WIDE_NODES }).flatMap(
      (file) => file.diagnostics,
    );
    const [fix] = diagnostic?.fixes ?? [];
    const { "main.tf": changed = "" } = fix ? fixed({ "main.tf": main }, "main.tf", fix.edits) : {};
    const [before = "", after = ""] = vm("|").split("|");
    return fix && applyEdits(changed, terraform.tidy?.("main.tf", main, changed) ?? []).slice(before.length, -after.length);
  };

  test.each(["num_cpus = 8 # /* one line", "num_cpus = 8 // */", "num_cpus = 8 /* one * line */ # two"])("adds a line below %j", (line) => {
    expect(linesAfter(line)).toBe(`${line.replace("num_cpus", "num_cpus            ")}\n  num_cores_per_socket = 8`);
  });

  test("changes a literal that all its VMs want changed", () => {
    const files = { "main.tf": vm("count = 2\n  num_cpus = 8\n  num_cores_per_socket = 1") };
    const [diagnostic] = lintTexts(files, [standardSockets], STANDARD).flatMap((file) => file.diagnostics);
    expect(diagnostic?.fixes).toHaveLength(1);
  });

  test.each([
    ["changes the type of the one SCSI controller", 'scsi_type = "lsilogic-sas"', 'scsi_type = "pvscsi"'],
    ["leaves the type of all of them", 'scsi_type = "lsilogic-sas"\n  scsi_controller_count = 2', undefined],
    ["leaves the type that all of them have where none is written", "scsi_controller_count = 2", undefined],
  ])("%s", (_, settings, wanted) => {
    const files = { "main.tf": vm(`num_cpus = 8\n  ${settings}`) };
    const [spec] = parse(files).vms;
    const edits = spec?.edit?.([{ setting: "scsiType", controller: "scsi0", value: "pvscsi" }]);
    expect(edits && fixed(files, "main.tf", edits)["main.tf"]).toBe(wanted && vm(`num_cpus = 8\n  ${wanted}`));
  });

  const cores = "num_cores_per_socket";
  test.each([
    ["in its column", "num_cpus = 8\n  memory   = 4096", `num_cpus             = 8\n  ${cores} = 8\n  memory               = 4096`],
    [
      "above a longer name",
      "num_cpus                         = 8\n  memory_reservation_locked_to_max = true",
      `num_cpus                         = 8\n  ${cores}             = 8\n  memory_reservation_locked_to_max = true`,
    ],
    [
      "above what leaves a bracket open",
      "num_cpus = 8\n  extra_config = {\n    a = 1\n  }",
      `num_cpus             = 8\n  ${cores} = 8\n  extra_config = {\n    a = 1\n  }`,
    ],
    [
      "around a heredoc",
      "num_cpus   = 8\n  annotation = <<EOT\na\nEOT\n  memory     = 4096",
      `num_cpus             = 8\n  ${cores} = 8\n  annotation           = <<EOT\na\nEOT\n  memory               = 4096`,
    ],
    [
      "below comments in a column",
      "num_cpus = 8    # a\n  memory   = 4096 # b",
      `num_cpus             = 8    # a\n  memory               = 4096 # b\n  ${cores} = 8`,
    ],
    [
      "a longer number, with the comments of all lines beside it",
      `num_cpus             = 16 # a\n  ${cores} = 1  # b\n  memory               = 8  // c`,
      `num_cpus             = 16 # a\n  ${cores} = 16 # b\n  memory               = 8  // c`,
    ],
    [
      "the longest line of those with comments",
      `num_cpus = 16\n\n  wait_for_guest_net_timeout = 0 # c\n  ${cores}       = 1 # d\n  memory                     = 8 /* e */`,
      `num_cpus = 16\n\n  wait_for_guest_net_timeout = 0  # c\n  ${cores}       = 16 # d\n  memory                     = 8 /* e */`,
    ],
  ])("has the format of terraform fmt: %s", (_, lines, wanted) => {
    expect(linesAfter(lines)).toBe(wanted);
    for (const one of hasTerraform ? [vm(lines), vm(wanted)] : []) expect(formatted(one)).toBe(one);
  });

  test.each([
    ["with one blank each", "num_cpus = 8\n  memory = 4096", `num_cpus = 8\n  ${cores} = 8\n  memory = 4096`],
    ["with none", "num_cpus=8\n  memory=4096", `num_cpus=8\n  ${cores} = 8\n  memory=4096`],
    ["with comments in no column", `num_cpus = 16 # a\n  ${cores} = 1 # b`, `num_cpus = 16 # a\n  ${cores} = 16 # b`],
  ])("keeps other formatting: %s", (_, lines, wanted) => {
    expect(linesAfter(lines)).toBe(wanted);
  });
});

test("the ranges of a project follow the order of its files", () => {
  const project = parse({ "a.tf": vm("num_cpus = 4"), "b.tf": vm("num_cpus = 8", "other") });
  for (const { settings } of project.vms) {
    const { vcpus } = settings;
    if (vcpus.state !== "known") throw new Error("it is known");
    const file = project.sources.at(vcpus.range[0]);
    expect(file?.text.slice(vcpus.range[0] - file.start, vcpus.range[1] - file.start)).toBe(String(vcpus.value));
  }
});
