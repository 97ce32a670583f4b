import { applyEdits } from "@vmlint/core";
import { lintProject } from "@vmlint/core/project";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packer } from "../../../packages/core/src/formats/packer/packer.ts";
import type { ProjectInputs } from "../../../packages/core/src/formats/project.ts";
import { rule as latencyHigh } from "../../../packages/core/src/rules/latency/high.ts";
import { filesOf, type Texts } from "../../support/text-files.ts";
import { NOTHING_GIVEN, shown } from "../terraform/support.ts";

function parse(texts: Texts, given: Partial<ProjectInputs> = {}) {
  const paths = Object.keys(texts).filter((path) => /\.pkr\.(hcl|json)$/.test(path));
  return packer.read({ paths, files: filesOf(texts), inputs: { ...NOTHING_GIVEN, ...given } });
}

const source = (body: string, type = "vsphere-iso") => `source "${type}" "vm" {\n${body}\n}\n`;
const one = (body: string, type?: string) => parse({ "a.pkr.hcl": source(body, type) }).vms[0];

test("each folder is read on its own, except for values of the command line", () => {
  const texts = { "a/x.pkr.hcl": source("CPUs = 1"), "b/x.pkr.hcl": source("CPUs = 2") };
  expect(parse(texts).together?.("a")).toEqual(new Set(["a"]));
  expect(parse(texts, { options: [{ kind: "file", path: "a/x.pkrvars.hcl" }] }).together).toBeUndefined();
});

test("an argument that is set twice is reported, also in nested blocks, but only in sources of a VM", () => {
  const hcl = `${source("CPUs = 2\nCPUs = 4\nstorage {\n  disk_size = 1\n  disk_size = 2\n}")}${source("x = 1\nx = 2", "null")}`;
  const json = JSON.stringify({ source: { "vsphere-iso": { b: { CPUs: 1 } } } }).replace("1", '1, "CPUs": 2');
  const { problems, vms } = parse({ "a.pkr.hcl": hcl, "b.pkr.json": json });
  expect(problems.map(({ messageId, data }) => [messageId, data])).toEqual([
    ["twice", { name: "CPUs" }],
    ["twice", { name: "disk_size" }],
  ]);
  expect(vms[0] && shown(vms[0].settings.vcpus)).toBe(2);
});

test("the same applies to an addition of a build", () => {
  const build =
    'build {\n  source "source.vsphere-iso.a" {\n    CPUs = 4\n    CPUs = 8\n  }\n  source "null.a" {\n    x = 1\n    x = 2\n  }\n}\n';
  const { problems, sources } = parse({ "a.pkr.hcl": source(""), "b.pkr.hcl": build });
  expect(problems.map(({ messageId, data, range }) => [messageId, data, sources.at(range[0])?.path])).toEqual([
    ["twice", { name: "CPUs" }, "b.pkr.hcl"],
  ]);
});

describe("where a value comes from", () => {
  const main = `variable "cpus" {\n  type = number\n  default = 1\n}\nlocals {\n  n = var.cpus * 2\n}\n${source("CPUs = local.n")}`;
  test.each<[what: string, files: Texts, given: Partial<ProjectInputs>, cpus: number]>([
    ["the default", {}, {}, 2],
    ["the environment", {}, { environment: { PKR_VAR_cpus: "2" } }, 4],
    ["*.auto.pkrvars.hcl", { "x.auto.pkrvars.hcl": "cpus = 3" }, { environment: { PKR_VAR_cpus: "2" } }, 6],
    ["*.auto.pkrvars.json", { "x.auto.pkrvars.json": '{"cpus": 4}' }, {}, 8],
    ["a file that is named", { "prod.pkrvars.hcl": "cpus = 5" }, { options: [{ kind: "file", path: "prod.pkrvars.hcl" }] }, 10],
    [
      "all .hcl before all .json",
      { "a.auto.pkrvars.json": '{"cpus": 6}', "b.auto.pkrvars.hcl": "cpus = 4", "c.auto.pkrvars.hcl": "cpus = 5" },
      {},
      12,
    ],
    [
      "--var over --var-file, wherever it stands",
      { "prod.pkrvars.hcl": "cpus = 5" },
      {
        options: [
          { kind: "value", name: "cpus", text: "7" },
          { kind: "file", path: "prod.pkrvars.hcl" },
        ],
      },
      14,
    ],
    ["a file that is not named, as a variant", { "prod.pkrvars.hcl": "cpus = 5", "a.pkrtpl.hcl": "not HCL {{ }}" }, {}, 10],
  ])("%s", (_, files, given, cpus) => {
    expect(parse({ "a.pkr.hcl": main, ...files }, given).vms.map(({ settings }) => shown(settings.vcpus))).toEqual([cpus]);
  });

  // Packer's hcl2template, decodeVariableBlock and expressionFromVariableDefinition.
  test.each<[declared: string, text: string, cpus: string, expected: unknown]>([
    ["default = [2]", "[8]", "var.x[0]", 8],
    ["default = [2]", "[8]", "length(var.x)", 1],
    ["default = [2]", "[8, 9]", "length(var.x)", "<a tuple of 1 elements is needed>"],
    ["default = { n = 2 }", "{ n = 8 }", "var.x.n", 8],
    ["default = { n = 2 }", "8", "var.x.n", "<an object is needed>"],
    ["default = 2", "8", "var.x", 8],
    ["default = 2", "[8]", "length(var.x)", '<"[8]" is not a number>'],
    ['default = "2"', "[8]", "length(var.x)", 3],
    ["default = false", "true", "var.x ? 8 : 2", 8],
    ["default = false", "1 == 1", "var.x ? 8 : 2", 8],
    ["default = null", "[8]", "length(var.x)", 3],
    ["default = []", "[8]", "length(var.x)", 3],
    ["", "[8]", "length(var.x)", 3],
    ["type = any", "[8]", "length(var.x)", 3],
    ["type = any\ndefault = [2]", "[8]", "length(var.x)", 1],
    ["type = list(number)", "[8]", "length(var.x)", 1],
    ["type = bool", "1 == 1", "var.x ? 8 : 2", 8],
  ])("a variable with %j that is given %j", (declared, text, cpus, expected) => {
    const template = `variable "x" {\n${declared}\n}\n${source(`CPUs = ${cpus}`)}`;
    const ways: readonly Partial<ProjectInputs>[] = [
      { environment: { PKR_VAR_x: text } },
      { options: [{ kind: "value", name: "x", text }] },
    ];
    const found = ways.map((given) => parse({ "a.pkr.hcl": template }, given).vms.map(({ settings }) => shown(settings.vcpus)));
    expect(found).toEqual([[expected], [expected]]);
  });

  test("a file's value is made to be of the type of the default", () => {
    const template = `variable "x" {\ndefault = 2\n}\n${source("CPUs = var.x == 8 ? 8 : 2")}`;
    const { vms } = parse({ "a.pkr.hcl": template, "x.auto.pkrvars.hcl": 'x = "8"' });
    expect(vms.map(({ settings }) => shown(settings.vcpus))).toEqual([8]);
  });

  test("files that declare the same name are templates of their own, as Packer refuses them together", () => {
    const template = (cpus: number, name: string) =>
      `variable "cpus" {\n  default = ${cpus}\n}\nsource "vsphere-iso" "${name}" {\n  CPUs = var.cpus\n  RAM = var.ram\n}\n`;
    const files = { "a.pkr.hcl": template(2, "a"), "b.pkr.hcl": template(4, "b"), "x.auto.pkrvars.hcl": "cpus = 8\n" };
    const sizes = (texts: Texts, given: Partial<ProjectInputs> = {}) =>
      parse(texts, given).vms.map(({ name, settings }) => [name, shown(settings.vcpus), shown(settings.memoryMiB)]);
    const missing = "<there is no variable ram>";
    expect(sizes(files)).toEqual([
      ["vsphere-iso.a", 2, missing],
      ["vsphere-iso.b", 4, missing],
    ]);
    expect(sizes({ ...files, "c.pkr.hcl": 'variable "ram" {\n  default = 4096\n}\n' })).toEqual(sizes(files));
    const named = { options: [{ kind: "file", path: "x.auto.pkrvars.hcl" }] } as const;
    expect(sizes(files, named).map(([, cpus]) => cpus)).toEqual([8, 8]);
    const same = { "a.pkr.hcl": source("CPUs = 2"), "b.pkr.hcl": source("CPUs = 4") };
    expect(sizes(same).map(([, cpus]) => cpus)).toEqual([2, 4]);
    const locals = { "a.pkr.hcl": `locals {\n  n = 2\n}\n${source("CPUs = local.n")}`, "b.pkr.hcl": "locals {\n  n = 4\n}\n" };
    expect(sizes(locals).map(([, cpus]) => cpus)).toEqual([2]);
  });

  test("values that only Packer knows are unknown", () => {
    expect(shown(one("CPUs = data.x.y.z")?.settings.vcpus as never)).toBe("<data.x is known when Packer runs>");
    expect(shown(one('CPUs = convert("4", number)')?.settings.vcpus as never)).toBe("<convert() is not evaluated>");
    expect(shown(one('CPUs = coalesce("", "4")')?.settings.vcpus as never)).toBe("<coalesce() is not evaluated>");
  });
});

describe("vsphere-iso", () => {
  test("sizes", () => {
    const { settings, name, format } = one(
      'CPUs = 8\ncpu_cores = 4\nRAM = 4096\nvm_version = 20\nRAM_reserve_all = true\nconfiguration_parameters = {\n  "numa.vcpu.preferHT" = "TRUE"\n}',
    ) ?? { settings: {} as never };
    expect([name, format]).toEqual(["vsphere-iso.vm", "packer"]);
    const { vcpus, coresPerSocket, memoryMiB, hardwareVersion, memoryReservationLocked, preferHt } = settings;
    expect([vcpus, coresPerSocket, memoryMiB, hardwareVersion, memoryReservationLocked, preferHt].map(shown)).toEqual([
      8,
      4,
      4096,
      20,
      true,
      true,
    ]);
  });

  test("0 and a guest without a name are absent", () => {
    expect(one("CPUs = 4\ncpu_cores = 0")?.settings.coresPerSocket).toEqual({ state: "absent" });
    expect(one('guest_os_type = ""')?.settings.guestOs).toEqual({ state: "absent" });
  });

  test.each<[list: string, scsi: unknown, others: unknown]>([
    ["", [["scsi0", "lsilogic"]], []],
    ["disk_controller_type = []", [["scsi0", "lsilogic"]], []],
    ['disk_controller_type = ["pvscsi"]', [["scsi0", "pvscsi"]], []],
    [
      'disk_controller_type = ["lsilogic-sas", "nvme", "pvscsi"]',
      [
        ["scsi0", "lsisas1068"],
        ["scsi1", "pvscsi"],
      ],
      ["nvme0"],
    ],
  ])("controllers of %s", (list, scsi, others) => {
    const vm = one(list);
    expect(vm?.devices().missing).toBeUndefined();
    expect(vm?.scsiControllers.map(({ id, type }) => [id, shown(type)])).toEqual(scsi);
    expect(vm?.devices().otherControllers.map(({ kind, bus }) => `${kind}${bus}`)).toEqual(others);
  });

  test("a text instead of a list of controllers is rejected", () => {
    const vm = one('disk_controller_type = "pvscsi"\nstorage {\n}');
    expect([vm?.scsiControllers, vm?.devices().missing]).toEqual([[], "a list is needed"]);
  });

  test("disks take the next unit of their controller", () => {
    const disks = (index: number) => `storage {\n  disk_controller_index = ${index}\n}\n`;
    const vm = one(`disk_controller_type = ["pvscsi", "pvscsi"]\n${disks(0)}${disks(1)}${disks(1)}`);
    expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0", "scsi1:0", "scsi1:1"]);
    expect(one(disks(0).repeat(8))?.devices().disks.at(-1)?.id).toBe("scsi0:8");
  });
});

test("vsphere-clone takes missing settings from its template", () => {
  const vm = one("CPUs = 4", "vsphere-clone");
  expect(vm?.scsiControllers).toEqual([]);
  expect(vm?.devices().missing).toBe("a template brings disks of its own");
});

describe("vmware-iso", () => {
  test("its own defaults, and vmx_data over its arguments", () => {
    const vm = one('cores = 2\nvmx_data = {\n  "numvcpus" = "8"\n  "numa.vcpu.preferHT" = "TRUE"\n}', "vmware-iso");
    expect(vm?.defaults).toEqual({ vcpus: 1, memoryMiB: 512, hardwareVersion: 21 });
    expect([vm?.settings.vcpus, vm?.settings.coresPerSocket, vm?.settings.preferHt].map((setting) => shown(setting as never))).toEqual([
      8,
      2,
      true,
    ]);
    expect([...(vm?.advanced().keys() ?? [])]).toEqual(["numa.vcpu.preferht"]);
    expect(vm?.scsiControllers.map(({ type }) => shown(type))).toEqual(["lsilogic"]);
    expect(vm?.platform).toBe("desktop");
  });

  test("a controller's type in vmx_data", () => {
    const type = (data: string) => one(`vmx_data = ${data}`, "vmware-iso")?.scsiControllers.map((controller) => shown(controller.type));
    expect(type('{\n  "scsi0.virtualDev" = "pvscsi"\n}')).toEqual(["pvscsi"]);
    expect(type("var.data")).toEqual(["<there is no variable data>"]);
  });

  test("on an ESXi host", () => {
    expect(one('remote_type = "esx5"\ndisk_adapter_type = "nvme"', "vmware-iso")).toMatchObject({ platform: "esxi", scsiControllers: [] });
  });

  test.each([
    ["", null, 21],
    ['remote_type = "esxi"', "<the plugin's release decides it (9 or 19)>", undefined],
    ["remote_type = var.x", "<the plugin's release decides it (9, 19 or 21)>", undefined],
    ['remote_type = "esxi"\nversion = 14', 14, undefined],
    ['remote_type = "esxi"\nvmx_data = {\n  "virtualHW.version" = "14"\n}', 14, undefined],
  ])("the hardware version of a VM that is made: %s", (body, stated, byDefault) => {
    const vm = one(body, "vmware-iso");
    expect([shown(vm?.settings.hardwareVersion as never), vm?.defaults]).toEqual([
      stated,
      { vcpus: 1, memoryMiB: 512, ...(byDefault && { hardwareVersion: byDefault }) },
    ]);
  });

  const pinned = (version: string): string =>
    `packer {\n  required_plugins {\n    vmware = {\n      source = "github.com/hashicorp/vmware"\n      version = "${version}"\n    }\n  }\n}\n`;
  test.each<[string, number | undefined, readonly number[]]>([
    ["~> 1", undefined, []],
    ["1.0.11", undefined, []],
    [">= 1.1.0, < 2.0.0", undefined, [9]],
    [">= 1.0.8", 21, [9, 13]],
    ["~> 2.0", 21, [9, 13]],
  ])("a plugin's default and refused hardware versions follow required_plugins: %s", (version, byDefault, refused) => {
    const read = (body: string) => parse({ "a.pkr.hcl": source(body, "vmware-iso"), "plugins.pkr.hcl": pinned(version) }).vms[0];
    expect(read("")?.defaults.hardwareVersion).toBe(byDefault);
    expect([9, 13, 19, 21].filter((wanted) => read(`version = ${wanted}`)?.configured?.().dropped.length)).toEqual(refused);
  });
});

describe("additions of a build to a source", () => {
  const named = (reference: string, body: string) => `source "${reference}" {\n${body}\n}\n`;
  const dynamic = (forEach: string, labels: string) =>
    `dynamic "source" {\nfor_each = ${forEach}\nlabels = ${labels}\ncontent {\nname = source.key\nCPUs = source.value\n}\n}\n`;
  test.each<[what: string, builds: readonly string[], vms: Readonly<Record<string, unknown>>]>([
    ["nothing, where no build names it", [], { vm: 1 }],
    ["nothing", ['sources = ["vsphere-iso.vm"]'], { vm: 1 }],
    ["a name", [named("vsphere-iso.vm", 'name = "x"')], { vm: 1 }],
    ["arguments", [named("vsphere-iso.vm", 'name = "big"\nCPUs = 16')], { "vm.big": 16 }],
    ["a name that is computed", [named("vsphere-iso.vm", 'name = upper("big")\nCPUs = 16')], { "vm.BIG": 16 }],
    ["arguments, by its long name", [named("source.vsphere-iso.vm", 'name = "big"\nCPUs = 16')], { "vm.big": 16 }],
    ["arguments to another one", [named("vsphere-iso.other", "CPUs = 16")], { vm: 1 }],
    ["blocks alone", [named("vsphere-iso.vm", 'name = "big"\nstorage {\n}')], { "vm.big": 1 }],
    [
      "arguments, and nothing in another build",
      ['sources = ["source.vsphere-iso.vm"]', named("vsphere-iso.vm", 'name = "big"\nCPUs = 16')],
      { vm: 1, "vm.big": 16 },
    ],
    ["what dynamic makes", [dynamic("{ a = 2, b = 6 }", '["vsphere-iso.vm"]')], { "vm.a": 2, "vm.b": 6 }],
    ["what dynamic makes for each", [dynamic('{ "vsphere-iso.vm" = 2, "vsphere-iso.x" = 6 }', "[source.key]")], { "vm.vsphere-iso.vm": 2 }],
    ["it is not known what", [dynamic("data.x.y.z", '["vsphere-iso.vm"]')], {}],
    ["it is not known to which", [dynamic("{ a = 2 }", "[data.x.y.z]")], {}],
    ["it is not known to which, and nothing", [`${dynamic("{ a = 2 }", "[data.x.y.z]")}sources = ["vsphere-iso.vm"]`], { vm: 1 }],
  ])("%s", (_, builds, vms) => {
    const template = [source("RAM = 1024"), ...builds.map((body) => `build {\n${body}\n}\n`)].join("");
    const found = parse({ "a.pkr.hcl": template }).vms.map(({ name, settings: { vcpus } }) => [
      name.replace("vsphere-iso.", ""),
      vcpus.state === "absent" ? 1 : shown(vcpus),
    ]);
    expect(Object.fromEntries(found)).toEqual(vms);
  });

  test("a source that may have unknown additions is listed as not checked", () => {
    const template = `${source("RAM = 1024")}build {\n${dynamic("{ a = 2 }", "[data.x.y.z]")}\n}\n`;
    expect(parse({ "a.pkr.hcl": template }).withoutVm).toEqual([
      { path: "a.pkr.hcl", name: "vsphere-iso.vm", reason: expect.stringContaining("a dynamic block adds settings") },
    ]);
    expect(parse({ "a.pkr.hcl": source("RAM = 1024") }).withoutVm).toEqual([]);
  });

  test("in JSON", () => {
    const added = '{"source": {"vsphere-iso.vm": {"name": "big", "storage": [{"disk_size": 1}]}}}';
    const [vm] = parse({ "a.pkr.json": `{"source": {"vsphere-iso": {"vm": {"CPUs": 4}}}, "build": ${added}}` }).vms;
    expect([vm?.name, vm?.devices().disks.length]).toEqual(["vsphere-iso.vm.big", 1]);
  });
});

test("JSON", () => {
  const text =
    '{"variable": {"n": {"default": 4}}, "source": {"vsphere-iso": {"vm": {"CPUs": "${var.n}", "storage": [{"disk_size": 1}]}}}}';
  const [vm] = parse({ "a.pkr.json": text }).vms;
  expect([shown(vm?.settings.vcpus as never), vm?.devices().disks.length]).toEqual([4, 1]);
});

test("a fix changes the literal alone", () => {
  const text =
    'source "vmware-iso" "vm" {\n  remote_type = "esx5"\n  cpus = 4\n  vmx_data = {\n    "sched.cpu.latencySensitivity" = "high" # why\n  }\n}\n';
  const project = parse({ "a.pkr.hcl": text });
  const [file] = lintProject(project, { rules: [latencyHigh] });
  const [fix] = file?.diagnostics[0]?.fixes ?? [];
  expect(applyEdits(text, fix?.edits ?? [])).toBe(text.replace('"high"', '"normal"'));
});

test("a fix does not change a literal that other values depend on", () => {
  const vm =
    'source "vmware-iso" "vm" {\n  remote_type = "esx5"\n  cpus = 4\n  vmx_data = {\n    "sched.cpu.latencySensitivity" = var.l\n  }\n}\n';
  const main = `variable "l" {\n  default = "high"\n}\n${vm}`;
  const fixes = (text: string) => {
    const project = parse({ "a.pkr.hcl": text });
    const files = lintProject(project, { rules: [latencyHigh] });
    return files.map(({ diagnostics, withheld }) => [diagnostics[0]?.fixes.length, withheld?.length]);
  };
  expect(fixes(main)).toEqual([[1, 0]]);
  expect(fixes(`${main}build {\n  provisioner "shell" {\n    inline = ["echo \${var.l}"]\n  }\n}\n`)).toEqual([[0, 1]]);
});

test("any text is read", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'source "vsphere-iso" "vm" {\n',
      'source "vmware-iso" "vm" {\n',
      "}\n",
      "CPUs = ",
      "disk_controller_type = ",
      '["x"]\n',
      "4\n",
      "storage {\n",
      "vmx_data = {\n",
      "var.x\n",
    ),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      for (const vm of parse({ "a.pkr.hcl": pieces.join("") }).vms) expect(vm.devices().disks.length).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});
