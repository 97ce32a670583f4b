import { applyEdits } from "@vmlint/core";
import { packer } from "@vmlint/core/packer";
import { byFile, lintProject } from "@vmlint/core/project";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Given } from "../../../packages/core/src/parse/project.ts";
import { rule as latencyHigh } from "../../../packages/core/src/rules/latency/high.ts";
import { filesOf, type Texts } from "../../support/files.ts";
import { NOTHING_GIVEN, shown } from "../terraform/support.ts";

function parse(texts: Texts, given: Partial<Given> = {}) {
  const paths = Object.keys(texts).filter((path) => /\.pkr\.(hcl|json)$/.test(path));
  return packer.parseProject(paths, filesOf(texts), { ...NOTHING_GIVEN, ...given });
}

const source = (body: string, type = "vsphere-iso") => `source "${type}" "vm" {\n${body}\n}\n`;
const one = (body: string, type?: string) => parse({ "a.pkr.hcl": source(body, type) }).vms[0];

test("each folder is read by itself, but for values of the command line", () => {
  const texts = { "a/x.pkr.hcl": source("CPUs = 1"), "b/x.pkr.hcl": source("CPUs = 2") };
  expect(parse(texts).together?.("a")).toEqual(new Set(["a"]));
  expect(parse(texts, { options: [{ kind: "file", path: "a/x.pkrvars.hcl" }] }).together).toBeUndefined();
});

describe("where a value comes from", () => {
  const main = `variable "cpus" {\n  type = number\n  default = 1\n}\nlocals {\n  n = var.cpus * 2\n}\n${source("CPUs = local.n")}`;
  test.each<[what: string, files: Texts, given: Partial<Given>, cpus: number]>([
    ["the default", {}, {}, 2],
    ["the environment", {}, { environment: { PKR_VAR_cpus: "2" } }, 4],
    ["*.auto.pkrvars.hcl", { "x.auto.pkrvars.hcl": "cpus = 3" }, { environment: { PKR_VAR_cpus: "2" } }, 6],
    ["*.auto.pkrvars.json", { "x.auto.pkrvars.json": '{"cpus": 4}' }, {}, 8],
    ["a file that is named", { "prod.pkrvars.hcl": "cpus = 5" }, { options: [{ kind: "file", path: "prod.pkrvars.hcl" }] }, 10],
    ["no file that is not", { "prod.pkrvars.hcl": "cpus = 5", "a.pkrtpl.hcl": "not HCL {{ }}" }, {}, 2],
  ])("%s", (_, files, given, cpus) => {
    expect(parse({ "a.pkr.hcl": main, ...files }, given).vms.map(({ settings }) => shown(settings.vcpus))).toEqual([cpus]);
  });

  test("files that declare the same name are templates of their own, as Packer refuses them together", () => {
    const template = (cpus: number, name: string) =>
      `variable "cpus" {\n  default = ${cpus}\n}\nsource "vsphere-iso" "${name}" {\n  CPUs = var.cpus\n  RAM = var.ram\n}\n`;
    const files = { "a.pkr.hcl": template(2, "a"), "b.pkr.hcl": template(4, "b"), "x.auto.pkrvars.hcl": "cpus = 8\n" };
    const sizes = (texts: Texts, given: Partial<Given> = {}) =>
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

  test("what only Packer knows is unknown", () => {
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

  test("0 is left out", () => {
    expect(one("CPUs = 4\ncpu_cores = 0")?.settings.coresPerSocket).toEqual({ state: "absent" });
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
    expect(vm?.scsiControllers.map(({ id, type }) => [id, shown(type)])).toEqual(scsi);
    expect(vm?.devices().otherControllers.map(({ kind, bus }) => `${kind}${bus}`)).toEqual(others);
  });

  test("disks take the next unit of their controller", () => {
    const disks = (index: number) => `storage {\n  disk_controller_index = ${index}\n}\n`;
    const vm = one(`disk_controller_type = ["pvscsi", "pvscsi"]\n${disks(0)}${disks(1)}${disks(1)}`);
    expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0", "scsi1:0", "scsi1:1"]);
    expect(one(disks(0).repeat(8))?.devices().disks.at(-1)?.id).toBe("scsi0:8");
  });
});

test("vsphere-clone takes what it is not told from its template", () => {
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
    expect(vm?.platform).toBe("hosted");
  });

  test("a controller's type in vmx_data", () => {
    const type = (data: string) => one(`vmx_data = ${data}`, "vmware-iso")?.scsiControllers.map((controller) => shown(controller.type));
    expect(type('{\n  "scsi0.virtualDev" = "pvscsi"\n}')).toEqual(["pvscsi"]);
    expect(type("var.data")).toEqual(["<there is no variable data>"]);
  });

  test("on an ESXi host", () => {
    expect(one('remote_type = "esx5"\ndisk_adapter_type = "nvme"', "vmware-iso")).toMatchObject({ platform: "esxi", scsiControllers: [] });
  });
});

test("a build that adds arguments to a source makes the VM", () => {
  const text = `${source("CPUs = 4")}build {\n  source "vsphere-iso.vm" {\n    name = "big"\n    CPUs = 16\n  }\n}\n`;
  expect(parse({ "a.pkr.hcl": text }).vms.map(({ name, settings }) => [name, shown(settings.vcpus)])).toEqual([["vsphere-iso.vm.big", 16]]);
});

test("JSON", () => {
  const text =
    '{"variable": {"n": {"default": 4}}, "source": {"vsphere-iso": {"vm": {"CPUs": "${var.n}", "storage": [{"disk_size": 1}]}}}}';
  const [vm] = parse({ "a.pkr.json": text }).vms;
  expect([shown(vm?.settings.vcpus as never), vm?.devices().disks.length]).toEqual([4, 1]);
});

test("a fix changes the literal alone", () => {
  const text =
    'source "vsphere-iso" "vm" {\n  CPUs = 4\n  configuration_parameters = {\n    "sched.cpu.latencySensitivity" = "high" # why\n  }\n}\n';
  const project = parse({ "a.pkr.hcl": text });
  const [file] = byFile(lintProject(project, packer.edit, { rules: [latencyHigh] }), project);
  const [fix] = file?.diagnostics[0]?.fixes ?? [];
  expect(applyEdits(text, fix?.edits ?? [])).toBe(text.replace('"high"', '"normal"'));
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
