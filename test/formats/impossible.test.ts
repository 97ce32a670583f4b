import { describe, expect, test } from "vitest";
import { lintVm, openWorkspace } from "../../packages/core/src/index.ts";
import { HARDWARE_VERSIONS } from "../../packages/core/src/limits/hardware.ts";
import { NEWEST_HARDWARE } from "../../packages/core/src/model/ceilings.ts";

type Text = (version: number, memory: number) => string;

const hcl =
  (head: string, version: string, memory: string, prefix = ""): Text =>
  (hw, mib) =>
    `${head} {\n  ${version} = "${prefix}${hw}"\n  ${memory} = ${mib}\n}\n`;
const yaml =
  (apiVersion: string, kind: string, rest: string): Text =>
  (hw, mib) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\nspec: ${rest.replace("HW", String(hw)).replace("MIB", String(mib))}\n`;
const task =
  (module: string, args: string): Text =>
  (hw, mib) =>
    `- hosts: all\n  tasks:\n    - ${module}: { name: a, state: present, guest_id: x, ${args.replace("HW", String(hw)).replace("MIB", String(mib))} }\n`;
const RASD = "http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2";

/** A VM with a hardware version and memory in each format that has both. */
const BOTH: readonly (readonly [path: string, text: Text])[] = [
  ["a.vmx", (hw, mib) => `virtualHW.version = "${hw}"\nnumvcpus = "4"\nmemSize = "${mib}"\n`],
  ["vmware.log", (hw, mib) => `DICT --- CONFIGURATION\nDICT virtualHW.version = "${hw}"\nDICT memSize = "${mib}"\n`],
  ["main.tf", hcl('resource "vsphere_virtual_machine" "a"', "hardware_version", "memory")],
  ["main.tf", hcl('resource "vcd_vm" "a"', "hardware_version", "memory", "vmx-")],
  ["main.tf", hcl('resource "esxi_guest" "a"', "virthwver", "memsize")],
  [
    "main.tf.json",
    (hw, mib) => `{"resource": {"vsphere_virtual_machine": {"a": {"num_cpus": 4, "hardware_version": ${hw}, "memory": ${mib}}}}}`,
  ],
  [
    "plan.json",
    (hw, mib) =>
      `{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {"resources": [{"address": "vsphere_virtual_machine.a", "mode": "managed", "type": "vsphere_virtual_machine", "name": "a", "values": {"num_cpus": 4, "hardware_version": ${hw}, "memory": ${mib}}}]}}}`,
  ],
  ["a.pkr.hcl", hcl('source "vsphere-iso" "a"', "vm_version", "RAM")],
  ["a.pkr.hcl", hcl('source "vmware-iso" "a"', 'remote_type = "esx5"\n  version', "memory")],
  ["a.json", (hw, mib) => `{"builders": [{"type": "vsphere-iso", "vm_version": ${hw}, "RAM": ${mib}}]}`],
  [
    "Pulumi.yaml",
    (hw, mib) =>
      `name: p\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: { hardwareVersion: ${hw}, memory: ${mib} }\n`,
  ],
  ["a.yml", task("community.vmware.vmware_guest", "hardware: { version: HW, memory_mb: MIB, num_cpus: 4 }")],
  ["a.yml", task("vmware.vmware.vm", "hardware_version: HW, cpu: { cores: 4 }, memory: { size_mb: MIB }")],
  ["a.yml", task("vmware.vmware_rest.vcenter_vm", "hardware_version: VMX_HW, memory: { size_MiB: MIB }")],
  ["a.yaml", (hw, mib) => `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec: { hardwareVersion: ${hw}, memoryMiB: ${mib} }\n`],
  [
    "a.yaml",
    yaml(
      "infrastructure.cluster.x-k8s.io/v1beta1",
      "VSphereMachineTemplate",
      "{ template: { spec: { template: t, numCPUs: 4, hardwareVersion: vmx-HW, memoryMiB: MIB } } }",
    ),
  ],
  [
    "a.ovf",
    (hw, mib) =>
      `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="${RASD}/CIM_ResourceAllocationSettingData" xmlns:vssd="${RASD}/CIM_VirtualSystemSettingData"><VirtualSystem><VirtualHardwareSection><System><vssd:VirtualSystemType>vmx-${hw}</vssd:VirtualSystemType></System><Item><rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>${mib}</rasd:VirtualQuantity></Item></VirtualHardwareSection></VirtualSystem></Envelope>`,
  ],
  [
    "vm.json",
    (hw, mib) =>
      `{"virtualMachines": [{"name": "a", "config": {"name": "a", "version": "vmx-${hw}", "hardware": {"numCPU": 4, "memoryMB": ${mib}}}}]}`,
  ],
  [
    "request.json",
    (hw, mib) =>
      `{"_typeName": "VirtualMachineConfigSpec", "name": "a", "version": "vmx-${hw}", "files": {"vmPathName": "[d]"}, "numCPUs": 4, "memoryMB": ${mib}}`,
  ],
  ["a.csv", (hw, mib) => `VM,Powerstate,CPUs,Memory,HW version\r\na,poweredOff,4,${mib},${hw}\r\n`],
  ["b.csv", (hw, mib) => `"Name","NumCpu","CoresPerSocket","MemoryMB","HardwareVersion"\r\n"a",4,2,${mib},"vmx-${hw}"\r\n`],
];

/** A table of limits that knows a newer version moves the ceiling. */
test("the newest hardware version has limits", () => expect(HARDWARE_VERSIONS.at(-1)).toBe(NEWEST_HARDWARE));

const RULES = ["spec/too-large", "mem/step-4mb"];

describe("what no VM can have is a finding in every format", () => {
  const found = async (path: string, text: string): Promise<readonly string[]> => {
    const { findings } = await openWorkspace({ files: { [path]: text } }).check([path]);
    return findings.flatMap(({ ruleId, severity, message }) => (RULES.includes(ruleId) ? `${severity} ${message}` : [])).sort();
  };

  test.each(BOTH)("%s", async (path, text) => {
    expect(await found(path, text(99, 4095))).toEqual([
      "error No ESXi release has hardware version 99: the newest that vmlint knows is 22. Set 22 or lower.",
      expect.stringMatching(
        /^warning (?:Cloud Director refuses this file: )?4095 MiB of memory are not a multiple of 4 MiB. Set 4096 MiB.$/,
      ),
    ]);
    expect(await found(path, text(23, 4096))).toEqual([
      "info Hardware version 23 is newer than vmlint knows: its limits are not checked. The newest that it knows is 22.",
    ]);
    expect(await found(path, text(22, 4096))).toEqual([]);
  });

  test.each([
    [22, []],
    [23, ["newer info"]],
    [27, ["newer info"]],
    [28, ["version error"]],
  ])("hardware version %i as a plain VM", async (hardwareVersion, expected) => {
    const { findings } = await lintVm({ hardwareVersion, memoryMiB: 4096 });
    expect(findings.flatMap((one) => (RULES.includes(one.ruleId) ? `${one.messageId} ${one.severity}` : []))).toEqual(expected);
  });
});
