import type { SettingName, VmSpec, Workload } from "@vmlint/core";
import { lintParsed } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { ovf } from "../../packages/core/src/formats/ovf/ovf.ts";
import { packer } from "../../packages/core/src/formats/packer/packer.ts";
import { govc } from "../../packages/core/src/formats/vi-json/govc.ts";
import { vmx } from "../../packages/core/src/formats/vmx/vmx.ts";
import { rule as cpuReservation } from "../../packages/core/src/rules/latency/high-needs-cpu-reservation.ts";
import { rule as memoryReservation } from "../../packages/core/src/rules/latency/high-needs-mem-reservation.ts";
import { rule as tier1 } from "../../packages/core/src/rules/mem/tier-1-unreserved.ts";
import { rule as sriov } from "../../packages/core/src/rules/net/sriov-suggest.ts";
import { rule as singleController } from "../../packages/core/src/rules/storage/single-controller.ts";
import { asConfigInfo, asConfigSpec, asOvf } from "../support/inventories.ts";
import { filesOf } from "../support/text-files.ts";
import { NOTHING_GIVEN, shown, parse as terraform } from "./terraform/support.ts";

/*
 * A VM can get settings from its template, from its class, or from the existing VM. Each case reports a missing setting only if
 * the text describes the VM completely.
 */

const RULES = [cpuReservation, memoryReservation, tier1, singleController, sriov];
const TIER_1: Workload = { kind: "mssql", environment: "tier-1" };
const spokenOf = (vms: Iterable<VmSpec>, workload = TIER_1): readonly string[] =>
  lintParsed({ vms, problems: [] }, { rules: RULES, target: { workload } }).diagnostics.map(({ ruleId }) => ruleId);

const ofTerraform = (text: string) => terraform({ "main.tf": text }).vms;
const ofPacker = (text: string) => packer.read({ paths: ["a.pkr.hcl"], files: filesOf({ "a.pkr.hcl": text }), inputs: NOTHING_GIVEN }).vms;
const only = (vms: readonly VmSpec[]): VmSpec => {
  const [vm, another] = vms;
  if (!vm || another) throw new Error("not one VM");
  return vm;
};

const UNRESERVED = [cpuReservation.id, memoryReservation.id, tier1.id].sort();
const HIGH = '{\n  "sched.cpu.latencySensitivity" = "high"\n}';
const VSPHERE = 'num_cpus = 8\nmemory = 16384\nlatency_sensitivity = "high"\n';
const clone = (more: string) => `CPUs = 8\nRAM = 16384\nconfiguration_parameters = ${HIGH}\n${more}`;
const iso = (more: string) => `remote_type = "esx5"\ncpus = 8\nmemory = 16384\nvmx_data = ${HIGH}\n${more}`;
const inPacker = (type: string, body: string) => ofPacker(`source "${type}" "a" {\n${body}\n}\n`);
const inTerraform = (type: string, body: string) => ofTerraform(`resource "${type}" "a" {\n${body}\n}\n`);
const config = (more: object, hardware = {}) =>
  JSON.stringify({
    virtualMachines: [
      { name: "a", config: { hardware: { numCPU: 8, memoryMB: 16384, ...hardware }, latencySensitivity: { level: "high" }, ...more } },
    ],
  });
const request = (more: object) =>
  JSON.stringify({ _typeName: "VirtualMachineConfigSpec", numCPUs: 8, memoryMB: 16384, latencySensitivity: { level: "high" }, ...more });
const VMX = 'numvcpus = "8"\nmemSize = "16384"\nsched.cpu.latencySensitivity = "high"\n';
const pulumi = (properties: string, options = "") =>
  yaml.parse(
    `name: a\nruntime: yaml\nresources:\n  db:\n    type: vsphere:VirtualMachine\n    properties:\n      numCpus: 8\n      memory: 16384\n      latencySensitivity: high\n${properties}${options}`,
  ).vms;

describe("no reservation in the text", () => {
  test.each<[what: string, vms: readonly VmSpec[]]>([
    ["a VM of Terraform, whose provider sends 0 to a clone too", inTerraform("vsphere_virtual_machine", `${VSPHERE}clone {}`)],
    [
      "and of which other changes are ignored",
      inTerraform("vsphere_virtual_machine", `${VSPHERE}lifecycle {\n  ignore_changes = [annotation, clone[0].template_uuid]\n}`),
    ],
    ["from a .vmx of its own", inPacker("vmware-iso", iso(""))],
    ["a VM of Pulumi", pulumi("", "    options: { ignoreChanges: [annotation] }\n")],
    ["a request that makes a VM", govc.parse(request({ files: { vmPathName: "[a]" } })).vms],
    ["a VM of an inventory", govc.parse(config({ cpuAllocation: { limit: -1 }, memoryAllocation: { limit: -1 } })).vms],
    ["a .vmx", vmx.parse(VMX).vms],
    ["a .vmx with a template that decides", vmx.parse(`{% if a %}\n${VMX}{% endif %}\n`).vms],
  ])("is none in %s", (_, vms) => expect([...spokenOf(vms)].sort()).toEqual(UNRESERVED));

  test.each<[what: string, vms: readonly VmSpec[]]>([
    [
      "of a virtual data centre",
      inTerraform("vcd_vm", 'cpus = 8\nmemory = 16384\nset_extra_config {\n  key = "sched.cpu.latencySensitivity"\n  value = "high"\n}'),
    ],
    ["cloned by esxi_guest", inTerraform("esxi_guest", 'clone_from_vm = "t"\nnumvcpus = 8\nmemsize = 16384')],
    [
      "whose reservation Terraform leaves alone",
      inTerraform("vsphere_virtual_machine", `${VSPHERE}lifecycle {\n  ignore_changes = [cpu_reservation, memory_reservation]\n}`),
    ],
    ["that Terraform leaves alone", inTerraform("vsphere_virtual_machine", `${VSPHERE}lifecycle {\n  ignore_changes = all\n}`)],
    ["that Packer clones", inPacker("vsphere-clone", clone(""))],
    [
      "that it clones with what is not sent",
      inPacker("vsphere-clone", clone("CPU_reservation = 0\nRAM_reservation = 0\nRAM_reserve_all = false")),
    ],
    [
      "that it makes of a .vmx",
      inPacker(
        "vmware-vmx",
        `remote_type = "esx5"\nvmx_data = {\n  memsize = "16384"\n  numvcpus = "8"\n  "sched.cpu.latencySensitivity" = "high"\n}`,
      ),
    ],
    ["that it makes of the template of one", inPacker("vmware-iso", iso('vmx_template_path = "a.vmx"'))],
    ["whose reservation Pulumi leaves alone", pulumi("", "    options: { ignoreChanges: [cpuReservation, memoryReservation] }\n")],
    ["that a request changes", govc.parse(request({})).vms],
    ["of an inventory that somebody cut", govc.parse(config({})).vms],
    ["of an encrypted .vmx", vmx.parse(`${VMX}encryption.data = "x"\n`).vms],
    ["of a .vmx into which a template brings lines", vmx.parse(`${VMX}{{ more }}\n`).vms],
  ])("is none known in one %s", (_, vms) => {
    expect(vms).toHaveLength(1);
    expect(spokenOf(vms)).toEqual([]);
  });
});

describe("the reason", () => {
  const why = (vm: VmSpec, name: SettingName) => shown(vm.settings[name]);

  test("a virtual data centre sends hot add as false, and the written value applies", () => {
    const vm = only(inTerraform("vcd_vm", "cpus = 8\nmemory_reservation = 1024"));
    expect([why(vm, "vcpus"), why(vm, "memoryReservationMiB"), why(vm, "cpuHotAdd"), vm.defaults.cpuHotAdd]).toEqual([
      8,
      1024,
      null,
      false,
    ]);
    expect(why(vm, "coresPerSocket")).toBe("<the template or the policy of the virtual data centre sets it>");
  });

  test("hot add that Packer turns on is sent, hot add that it does not is the template's", () => {
    const hotAdd = (type: string, line: string) => why(only(inPacker(type, line)), "cpuHotAdd");
    expect(hotAdd("vsphere-clone", "CPU_hot_plug = true")).toBe(true);
    expect(hotAdd("vsphere-clone", "CPU_hot_plug = false")).toBe("<the VM inherits it from its template>");
    expect(hotAdd("vsphere-iso", "CPU_hot_plug = false")).toBe(false);
  });

  test("the settings of a class or an image are unknown, because Packer has only its name", () => {
    expect(why(only(inPacker("vsphere-supervisor", 'source_name = "a"')), "vcpus")).toBe("<it is the class's or the image's>");
  });

  test("what Terraform ignores and the resource writes is what the VM is made with", () => {
    const vm = only(
      inTerraform("vsphere_virtual_machine", "num_cpus = 8\nlifecycle {\n  ignore_changes = [num_cpus, num_cores_per_socket]\n}"),
    );
    expect([why(vm, "vcpus"), why(vm, "coresPerSocket")]).toEqual([8, "<lifecycle ignores its changes: the VM keeps its first value>"]);
    const json = terraform({
      "main.tf.json":
        '{"resource":{"vsphere_virtual_machine":{"a":{"num_cpus":8,"lifecycle":{"ignore_changes":["num_cores_per_socket"]}}}}}',
    }).vms;
    expect(why(only(json), "coresPerSocket")).toContain("lifecycle ignores");
  });

  test.each([
    ["prevent_destroy = true", "<lifecycle ignores its changes: the VM keeps its first value>"],
    ["ignore_changes = [annotation]", null],
  ])("an override file with %s in lifecycle, argument by argument", (line, expected) => {
    const resource = (lifecycle: string) => `resource "vsphere_virtual_machine" "a" {\n  lifecycle {\n    ${lifecycle}\n  }\n}\n`;
    const vm = only(terraform({ "main.tf": resource("ignore_changes = [num_cores_per_socket]"), "override.tf": resource(line) }).vms);
    expect(why(vm, "coresPerSocket")).toBe(expected);
  });

  test("a request that changes a VM can request a default", () => {
    const vm = only(govc.parse(request({ numCoresPerSocket: 0 })).vms);
    expect([why(vm, "vcpus"), why(vm, "coresPerSocket"), why(vm, "cpuHotAdd")]).toEqual([8, null, "<the request does not change it>"]);
  });

  test("an encrypted .vmx has no vCPU count by default", () => {
    const vm = only(vmx.parse('displayName = "a"\nencryption.data = "x"').vms);
    expect([why(vm, "vcpus"), vm.defaults]).toEqual(["<it may be encrypted>", {}]);
  });
});

const DISKS = [0, 1, 2, 3];

describe("disks on one controller", () => {
  const capv = (spec: string) =>
    `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachine\nmetadata: { name: a }\nspec:\n  template: t\n  numCPUs: 4\n${spec}`;
  const inSpec = (more: string) =>
    `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  scsiControllers:\n    - { bus: 0 }\n  disks:\n${DISKS.map((i) => `    - { bus: "scsi0:${i}" }\n`).join("")}${more}`;
  const VM = { name: "a", vcpus: 8, memoryMiB: 16384, hardwareVersion: 19, advanced: {}, scsi: [["pvscsi", 4]], nics: [] } as const;
  const inVmx = (more: string) =>
    `config.version = "8"\nscsi0.present = "TRUE"\n${DISKS.map((i) => `scsi0:${i}.present = "TRUE"\n`).join("")}${more}`;
  const blocks = DISKS.map((i) => `disk {\n  unit_number = ${i}\n}\n`).join("");
  const list = DISKS.map((i) => `      - { unitNumber: ${i} }\n`).join("");
  const inTask = (item: string) =>
    `- community.vmware.vmware_guest:\n    name: a\n    guest_id: g\n    hardware: { num_cpus: 8, memory_mb: 16384 }\n    disk:\n${DISKS.map((i) => `    - ${item.replaceAll("#", String(i))}\n`).join("")}`;
  const pinned = { ...VM, scsi: [...VM.scsi] };
  const loose = { operation: "add", device: { _typeName: "VirtualDisk", key: 9, controllerKey: 99, unitNumber: 0, capacityInKB: 1 } };
  const made = asConfigSpec(pinned) as { deviceChange: readonly object[] };
  const info = asConfigInfo(pinned) as { hardware: { device: readonly object[] } };
  const devices = info.hardware.device.map((device) => ({ ...device, type: (device as { _typeName: string })._typeName }));

  test.each<[what: string, vms: readonly VmSpec[]]>([
    ["a VM of Terraform", inTerraform("vsphere_virtual_machine", blocks)],
    ["a VM of Pulumi", pulumi(`      disks:\n${list}`)],
    ["a VM spec", yaml.parse(inSpec("")).vms],
    ["one with a template in a value", yaml.parse(inSpec('  guestOs: "{% if a %}linux{% endif %}"\n')).vms],
    ["a .vmx", vmx.parse(inVmx('scsi1:0.present = "FALSE"')).vms],
    ["an OVF package", ovf.parse(asOvf(pinned)).vms],
    ["a request that makes a VM", govc.parse(JSON.stringify(made)).vms],
    [
      "all that govc device.info lists",
      govc.parse(JSON.stringify({ devices: [...devices, { type: "VirtualPCIController", key: 100 }] })).vms,
    ],
    ["a task of Ansible", yaml.parse(inTask("{ size_gb: 1 }")).vms],
    ["a task that says where they are", yaml.parse(inTask("{ controller_type: paravirtual, controller_number: 0, unit_number: # }")).vms],
  ])("are all of %s", (_, vms) => expect(spokenOf(vms)).toContain(singleController.id));

  test.each<[what: string, vms: readonly VmSpec[]]>([
    [
      "a VM whose disks Terraform leaves alone",
      inTerraform("vsphere_virtual_machine", `${blocks}lifecycle {\n  ignore_changes = [disk]\n}`),
    ],
    ["a VM with a list of blocks that is not followed", inTerraform("vsphere_virtual_machine", `${blocks}disk = var.more`)],
    ["a VM that Pulumi makes of a package", pulumi(`      ovfDeploy: { localOvfPath: a.ova }\n      disks:\n${list}`)],
    ["a VM whose disks Pulumi leaves alone", pulumi(`      disks:\n${list}`, "    options: { ignoreChanges: [disks] }\n")],
    ["a VM spec into which a template brings more", yaml.parse(inSpec("{{ toYaml .Values.disks }}\n")).vms],
    ["a VM spec with disks that a template decides about", yaml.parse(inSpec('{{ if .a }}\n    - { bus: "scsi1:0" }\n{{ end }}\n')).vms],
    ["a .vmx with a disk that a template decides about", vmx.parse(inVmx('scsi1:0.present = "{{ log }}"')).vms],
    ["a .vmx with disks that a template numbers", vmx.parse(inVmx('scsi{{i}}:0.present = "TRUE"')).vms],
    [
      "an OVF package with a disk without an address",
      ovf.parse(asOvf(pinned).replace("<rasd:AddressOnParent>3<", "<rasd:AddressOnParent><")).vms,
    ],
    ["a request that changes a VM", govc.parse(JSON.stringify({ ...made, files: undefined })).vms],
    [
      "a request with a disk on a controller that is there",
      govc.parse(JSON.stringify({ ...made, deviceChange: [...made.deviceChange, loose] })).vms,
    ],
    ["what govc device.info was asked for", govc.parse(JSON.stringify({ devices })).vms],
    ["a task of Ansible with disks that are variables", yaml.parse(`${inTask("{ size_gb: 1 }")}    - "{{ log }}"\n`).vms],
    ["a task beside one that adds disks", yaml.parse(`${inTask("{ size_gb: 1 }")}- block:\n  - vmware_guest_disk: { name: a }\n`).vms],
    ["a task about a VM that is named by its id", yaml.parse(inTask("{ size_gb: 1 }").replace("name: a", "uuid: a")).vms],
    ["a task with controllers that are", yaml.parse(inTask('{ controller_type: "{{ kind }}", controller_number: 0, unit_number: # }')).vms],
  ])("may not be all of %s", (_, vms) => {
    expect(vms).toHaveLength(1);
    expect(spokenOf(vms)).not.toContain(singleController.id);
  });

  test.each([
    ["Cluster API", capv("")],
    [
      "EKS Anywhere",
      "apiVersion: anywhere.eks.amazonaws.com/v1alpha1\nkind: VSphereMachineConfig\nmetadata: { name: a }\nspec: { numCPUs: 4 }\n",
    ],
    ["Rancher", "apiVersion: rke-machine-config.cattle.io/v1\nkind: VmwarevsphereConfig\nmetadata: { name: a }\ncreationType: template\n"],
  ])("a machine of %s has the controllers of its template", (_, text) => {
    expect(only(yaml.parse(text).vms).devices().missing).toBe("the VM inherits it from its template");
  });
});

test("a clone keeps the passed-through devices of its template", () => {
  const nic = `${VSPHERE}network_interface {\n  adapter_type = "vmxnet3"\n}\n`;
  const latency = (body: string) => spokenOf(inTerraform("vsphere_virtual_machine", body), { kind: "latency" }).includes(sriov.id);
  expect([latency(nic), latency(`${nic}clone {}`), latency(`${nic}ovf_deploy {}`)]).toEqual([true, false, false]);
});

test("cores per socket of a class are not the default of a hardware version", () => {
  const [vm] = inTerraform("vsphere_virtual_machine_class", "cpus = 8\nmemory = 8192");
  expect(shown(vm?.settings.coresPerSocket as never)).toBe("<the VM inherits it from its image>");
});
