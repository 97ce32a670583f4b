import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../packages/core/src/index.ts";

const found = async (path: string, text: string): Promise<readonly string[]> => {
  const { findings } = await openWorkspace({ files: { [path]: text } }).check([path]);
  return findings.filter(({ ruleId }) => ruleId === "spec/type").map(({ line, message }) => `${line}: ${message}`);
};

describe("a value of the wrong type is one error in every format", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "main.tf",
      'resource "vsphere_virtual_machine" "a" {\n  num_cpus = "six"\n  memory   = "8 GB"\n  guest_id = "x"\n}\n',
      [
        '2: num_cpus must be a positive whole number, not "six". Did you mean 6?',
        '3: memory must be a positive whole number, not "8 GB". Did you mean 8192?',
      ],
    ],
    [
      "main.tf",
      'variable "cpus" { default = "four" }\nresource "vsphere_virtual_machine" "a" {\n  count    = 2\n  num_cpus = var.cpus\n}\n',
      ["4: num_cpus must be a positive whole number."],
    ],
    [
      "a.pkr.hcl",
      'source "vmware-iso" "a" {\n  vmx_data = { "numvcpus" = "four" }\n}\n',
      ['2: numvcpus must be a positive whole number, not "four". Did you mean 4?'],
    ],
    [
      "a.pkr.hcl",
      'source "vmware-iso" "a" {\n  cpus = "four"\n}\n',
      ['2: cpus must be a positive whole number, not "four". Did you mean 4?'],
    ],
    [
      "play.yml",
      "- vmware_guest:\n    name: a\n    hardware: { num_cpus: four, memory_mb: 4096, hotadd_cpu: maybe }\n  loop: [1, 2]\n",
      ['3: num_cpus must be a positive whole number, not "four". Did you mean 4?', '3: hotadd_cpu must be true or false, not "maybe".'],
    ],
    [
      "capv.yaml",
      "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata: { name: a }\nspec:\n  template:\n    spec:\n      numCPUs: many\n",
      ['7: numCPUs must be a whole number of 0 or more, not "many".'],
    ],
    [
      "main.tf",
      'resource "vsphere_virtual_machine" "a" {\n  scsi_type = "nvme"\n  scsi_controller_count = 2\n  extra_config = { "numa.vcpu.preferHT" = "maybe" }\n}\n',
      [
        '2: SCSI controller type must be one of pvscsi, lsilogic, lsilogic-sas, buslogic, not "nvme".',
        '4: numa.vcpu.preferHT must be TRUE or FALSE, not "maybe".',
      ],
    ],
    [
      "play.yml",
      "- vmware_guest:\n    name: a\n    disk: [{ size_gb: 1, controller_type: pvscsi, controller_number: 0, unit_number: 0 }]\n",
      ['3: SCSI controller type must be one of paravirtual, lsilogic, lsilogicsas, buslogic, not "pvscsi".'],
    ],
    [
      "empty.tf",
      'variable "vm" { default = { cpus = "" } }\nresource "vsphere_virtual_machine" "a" {\n  num_cpus = var.vm.cpus\n  memory   = ""\n}\n',
      ["4: memory must be a positive whole number."],
    ],
    [
      "empty.json",
      '{"variables": {"n": "", "m": "{{user `n`}}"}, "builders": [{"type": "vsphere-iso", "CPUs": "{{user `n`}}", "RAM": "{{user `m`}}"}]}',
      [],
    ],
    [
      "Pulumi.yaml",
      'name: x\nruntime: yaml\nconfig: { n: { type: string, default: "" } }\nresources:\n  a: { type: vsphere:VirtualMachine, properties: { numCpus: "${n}", memory: "" } }\n',
      ["5: memory must be a positive whole number."],
    ],
    ["empty.json", '{"builders": [{"type": "vsphere-iso", "CPUs": "", "RAM": 4096}]}', ["1: CPUs must be a positive whole number."]],
    ["ok.tf", 'resource "vsphere_virtual_machine" "a" {\n  num_cpus = "4"\n  memory   = var.memory\n}\n', []],
    ["play.yml", '- vmware_guest:\n    name: a\n    hardware: { num_cpus: "{{ cpus }}", memory_mb: 4096 }\n', []],
  ])("%s", async (path, text, expected) => {
    expect(await found(path, text)).toEqual(expected);
  });
});

describe("a value that another program fills in is unknown in every format", () => {
  const MARKERS = [
    "$CPUS",
    "@CPUS@",
    "%s",
    "%d",
    "%(vm.cpus)s",
    "{cpus}",
    "{0}",
    "%CPUS%",
    "__CPUS__",
    "<%= cpus %>",
    "#{cpus}",
    "((cpus))",
  ];
  test.each(MARKERS)("%s", async (marker) => {
    expect(await found("a.vmx", `virtualHW.version = "19"\nnumvcpus = "${marker}"\n`)).toEqual([]);
    expect(await found("100.conf", `cores: ${marker}\nmemory: 4096\nscsihw: virtio-scsi-pci\n`)).toEqual([]);
    const escaped = marker.replaceAll("<", "&lt;");
    expect(await found("a.xml", `<domain type="kvm"><name>a</name><memory>1048576</memory><vcpu>${escaped}</vcpu></domain>`)).toEqual([]);
    expect(
      await found("a.yaml", `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec:\n  vcpus: "${marker}"\n`),
    ).toEqual([]);
  });

  test.each(["cpus", "%", "50%", "{", "__", "4%d"])("%s is a mistake", async (text) => {
    expect(await found("100.conf", `cores: ${text}\nmemory: 4096\nscsihw: virtio-scsi-pci\n`)).toEqual([
      `1: cores must be a positive whole number, not "${text}".`,
    ]);
  });
});
