import { applyEdits } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import { expect, test } from "vitest";
import { filesOf } from "../support/text-files.ts";
import { devicesOf, knownOf, said, vmsOf, yamlVm } from "../support/yaml-vm.ts";

const program = (properties: string, more = "") =>
  `name: lab\nruntime: yaml\n${more}resources:\n  network:\n    type: vsphere:Network\n  db:\n    type: vsphere:VirtualMachine\n    properties:\n${properties.replace(/^/gm, "      ")}\n`;

test("reads all properties of a VM with their places; defaults of the provider apply", () => {
  const text = program(`name: sql01
numCpus: 8
memory: 16384
numCoresPerNumaNode: 4
hardwareVersion: 20
guestId: windows2019srv_64Guest
latencySensitivity: high
scsiType: lsilogic-sas
scsiControllerCount: 2
scsiBusSharing: physicalSharing
nvmeControllerCount: 1
extraConfig: { numa.vcpu.preferHT: "TRUE" }
disks: [{ unitNumber: 0 }, { unitNumber: 7 }, { unitNumber: 15 }, { controllerType: nvme }]
networkInterfaces: [{ networkId: x }, { networkId: x, adapterType: e1000 }]`);
  const vm = yamlVm(text);
  expect(vm).toMatchObject({
    name: "sql01",
    format: "pulumi",
    defaults: { vcpus: 1, coresPerSocket: 1, memoryMiB: 1024, cpuHotAdd: false },
  });
  expect(knownOf(text, vm)).toEqual({
    vcpus: [8, "8"],
    memoryMiB: [16384, "16384"],
    coresPerNumaNode: [4, "4"],
    hardwareVersion: [20, "20"],
    guestOs: ["windows2019srv_64Guest", "windows2019srv_64Guest"],
    latencySensitivity: ["high", "high"],
    preferHt: [true, "TRUE"],
  });
  expect(devicesOf(vm)).toEqual({
    scsi: ["scsi0 lsisas1068 shared", "scsi1 lsisas1068 shared"],
    others: ["ide0", "ide1", "nvme0"],
    // The provider's numbers count over the controllers, without their own unit.
    disks: ["scsi0:0", "scsi0:8", "scsi1:0", "nvme0:0"],
    nics: ["vmxnet3", "e1000"],
  });
});

test.each<[string, string | undefined]>([
  ["disks: [{ unitNumber: 0 }, { unitNumber: 1 }]", undefined],
  ["disks: [{ unitNumber: 0 }, { unitNumber: ${unit} }]", "the controller or unit of a disk is unknown"],
  ['disks: [{ unitNumber: 0 }, "${data}"]', "the controller or unit of a disk is unknown"],
  ["disks: ${disks}", "the list of disks is not known"],
  ["disks: { fn::invoke: { function: x } }", "the list of disks is not known"],
  ["nvmeControllerCount: ${count}", "the number of nvme controllers is not known"],
])("for %s all is known, or there is a reason", (properties, missing) => {
  expect(yamlVm(program(properties)).devices().missing).toBe(missing);
});

test.each(["vsphere:VirtualMachine", "vsphere:index:VirtualMachine", "vsphere:index/virtualMachine:VirtualMachine"])("%s", (type) => {
  const vm = yamlVm(program("numCpus: 4").replace("vsphere:VirtualMachine", type));
  expect([vm.name, said(vm), devicesOf(vm).scsi]).toEqual(["db", { vcpus: 4 }, ["scsi0 pvscsi"]]);
});

test.each<[string, string, unknown]>([
  ["numCpus: ${cpus}", "", "? a template fills it in"],
  ["numCpus: ${cpus}", "config: { cpus: { type: integer, default: 6 } }\n", 6],
  ["numCpus: ${cpus}", "configuration: { cpus: { type: Number, default: 6 } }\n", 6],
  ["numCpus: ${cpus}", "config: { cpus: { type: integer } }\n", "? a template fills it in"],
  ["numCpus: ${cpus}", "variables: { cpus: 12 }\n", 12],
  ["numCpus: ${cpus}", 'variables: { cpus: "${other}" }\n', "? a template fills it in"],
  ["numCpus: ${template.numCpus}", "", "? a template fills it in"],
  ["numCpus: { fn::invoke: { function: x } }", "", "? it is not a single value"],
  ["numCpus: [64]", "", "? it is a list"],
])("%s with %s is %s", (properties, more, expected) => {
  expect(said(yamlVm(program(properties, more))).vcpus).toBe(expected);
});

test.each<[beside: string, text: string, expected: unknown]>([
  ["Pulumi.prod.yaml", "config: { lab:cpus: 4 }", "? Pulumi.prod.yaml may set cpus"],
  ["Pulumi.prod.yml", "config: { cpus: 4 }", "? Pulumi.prod.yml may set cpus"],
  ["Pulumi.prod.yaml", "config: { cpus: { secure: AAAA } }", "? Pulumi.prod.yaml may set cpus"],
  ["Pulumi.prod.yaml", "environment: [sizes]", "? Pulumi.prod.yaml may set cpus"],
  ["Pulumi.prod.yaml", "config: [", "? Pulumi.prod.yaml may set cpus"],
  ["stacks/Pulumi.prod.yaml", "config: { cpus: 4 }", 64],
  ["Pulumi.prod.yaml", "config: { lab:memory: 4 }", 64],
  ["Pulumi.prod.yaml", "config: { lab:cpus: 64 }", 64],
  ["Pulumi.prod.yaml", "# nothing\n", 64],
  ["other.yaml", "config: { cpus: 4 }", 64],
])("a default of the configuration is known unless a stack may set another value: next to %s with %s", (beside, text, expected) => {
  const vcpus = (path: string, stack: string, more = "") => {
    const whole = program("numCpus: ${cpus}", `config: { cpus: { default: 64 } }\n${more}`);
    const files = filesOf({ "p/Pulumi.yaml": `name: lab\nruntime: yaml\n${more}`, [path]: whole, [stack]: text });
    const [vm] = yaml.parse(whole, undefined, { path, files }).vms;
    return vm && said(vm).vcpus;
  };
  expect(vcpus("p/Pulumi.yaml", `p/${beside}`)).toBe(expected);
  expect(vcpus("p/Pulumi.yaml", `p/s/${beside}`, "stackConfigDir: s\n")).toBe(expected);
  expect(vcpus("p/Main.yaml", `p/s/${beside}`, "stackConfigDir: s\n")).toBe(expected);
  expect(vcpus("p/src/Main.yaml", `p/${beside}`)).toBe(expected);
});

test.each(["${shape}", "{ fn::invoke: { function: x } }"])("of properties that are %s nothing is known", (properties) => {
  const text = program("numCpus: 4").replace(/properties:\n[\s\S]*$/, `properties: ${properties}\n`);
  const vm = yamlVm(text);
  expect(Object.values(vm.settings).map(({ state }) => state)).not.toContain("absent");
  expect([said(vm).vcpus, vm.devices().missing, devicesOf(vm)]).toEqual([
    "? an expression gives it",
    "an expression gives it",
    { scsi: [], others: [], disks: [], nics: [] },
  ]);
});

test("options from a function are unknown, and other values in their place are read as usual", () => {
  const { vcpus, preferHt } = said(yamlVm(program("numCpus: 4\nextraConfig: { fn::invoke: { function: x } }")));
  expect([vcpus, preferHt]).toEqual([4, "? an expression gives it"]);
});

test("a VM that is only looked up is not created", () => {
  const existing = "  old:\n    type: vsphere:VirtualMachine\n    get: { id: vm-1 }\n";
  expect(vmsOf(`${program("numCpus: 4")}${existing}`).map(({ name }) => name)).toEqual(["db"]);
  expect(yaml.parse(`runtime: yaml\nresources:\n${existing}`).foreign).toMatch(/^no resource in it creates a VM/);
});

test("memory is locked only if all of it is reserved, and 0 cores per socket depend on the release", () => {
  const of = (properties: string) => said(yamlVm(program(properties)));
  expect(of("memory: 4096\nmemoryReservation: 4096\nmemoryReservationLockedToMax: true").memoryReservationLocked).toBe(true);
  expect(of("memory: 4096\nmemoryReservationLockedToMax: true").memoryReservationLocked).toBe(false);
  expect(of("numCoresPerSocket: 0").coresPerSocket).toMatch(/^\? 0 cores per socket/);
});

test("a key of extraConfig is ignored where the provider sends the property, written or not", () => {
  const text = program(
    'numCpus: 8\ncpuReservation: 100\nextraConfig: { sched.cpu.min: "5000", sched.cpu.latencySensitivity: high, numa.vcpu.min: "4" }',
  );
  const vm = yamlVm(text);
  expect(said(vm)).toEqual({ vcpus: 8, cpuReservationMHz: 100, vnumaMinVcpus: 4 });
  const edits = vm.edit?.([{ setting: "latencySensitivity", value: "low" }]);
  expect(applyEdits(text, edits ?? [])).toMatch(/^ +latencySensitivity: "?low"?$/m);
});

test("a node size is sent from hardware version 20 on", () => {
  const of = (properties: string) => said(yamlVm(program(properties))).coresPerNumaNode;
  expect(of("numCoresPerNumaNode: 4")).toBeUndefined();
  expect(of("numCoresPerNumaNode: 4\nhardwareVersion: ${version}")).toBe(4);
  expect(of("numCoresPerNumaNode: 4\nhardwareVersion: 20")).toBe(4);
  expect(of("numCoresPerNumaNode: 4\nhardwareVersion: 19")).toBeUndefined();
  expect(of('numCoresPerNumaNode: 4\nhardwareVersion: 19\nextraConfig: { numa.vcpu.coresPerNode: "8" }')).toBeUndefined();
});

test("edits keep the property's spelling", () => {
  const text = program('numCpus: "6" # six\nscsiType: lsilogic');
  const vm = yamlVm(text);
  const edits = vm.edit?.([
    { setting: "vcpus", value: 8 },
    { setting: "scsiType", controller: "scsi0", value: "lsisas1068" },
    { setting: "coresPerSocket", value: 4 },
  ]);
  expect(applyEdits(text, edits ?? [])).toBe(
    text.replace('"6"', '"8"').replace("lsilogic", "lsilogic-sas").replace("# six", "# six\n      numCoresPerSocket: 4"),
  );
});

test.each<[taken: string, isTaken: boolean]>([
  ["${db.numCpus}", true],
  ['${db["numCpus"]}', true],
  ["a ${ db.numCpus } b", true],
  ["${db.numCpusMore}", false],
  ["${other.numCpus}", false],
  ["${db.id}", false],
  ["${db.extraConfig}", false],
])("a property is not changed that %s takes: %s", (taken, isTaken) => {
  const text = `${program("numCpus: 6")}outputs: { a: '${taken}' }\n`;
  const edits = yamlVm(text).edit?.([{ setting: "vcpus", value: 8 }]);
  expect(edits && applyEdits(text, edits)).toBe(isTaken ? undefined : text.replace("6", "8"));
});

test("without a VM it is skipped", () => {
  expect(vmsOf("name: x\nruntime: yaml\nresources: { a: { type: aws:ec2:Instance } }\n")).toEqual([]);
});
