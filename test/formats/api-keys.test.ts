import { formats, NOTHING_GIVEN } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { API_KEYS } from "../../packages/core/src/formats/api-keys.ts";
import { grouped } from "../../packages/core/src/model/maps.ts";
import type { Setting } from "../../packages/core/src/model/source.ts";
import type { BoardTypes, SettingName, VmSpec } from "../../packages/core/src/model/spec.ts";
import { planOf } from "../support/terraform-plan.ts";

const k8s = (apiVersion: string, kind: string, spec: string) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n${spec}`;
const hcl = (head: string, map: string) => (key: string, value: string) => `${head} {\n  ${map} = { "${key}" = "${value}" }\n}\n`;
const ITEMS = [3, 4]
  .map(
    (type) =>
      `<Item><rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits><rasd:InstanceID>${type}</rasd:InstanceID><rasd:ResourceType>${type}</rasd:ResourceType><rasd:VirtualQuantity>4</rasd:VirtualQuantity></Item>`,
  )
  .join("");
const ovf = (key: string, value: string) =>
  `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"><VirtualSystem><VirtualHardwareSection>${ITEMS}<vmw:ExtraConfig vmw:key="${key}" vmw:value="${value}"/></VirtualHardwareSection></VirtualSystem></Envelope>`;
const extra = (key: string, value: string) => `"extraConfig": [{"key": "${key}", "value": "${value}"}]`;

interface Column {
  readonly format: string;
  readonly path: string;
  readonly text: (key: string, value: string) => string;
}

/** Each list of options, with a file that sets one. */
const COLUMNS: Readonly<Record<string, Column>> = {
  ".vmx": { format: "vmx", path: "a.vmx", text: (key, value) => `config.version = "8"\n${key} = "${value}"\n` },
  "Packer vmware-iso": {
    format: "packer",
    path: "a.pkr.hcl",
    text: hcl('source "vmware-iso" "a"', 'remote_type = "esx5"\n  vmx_data'),
  },
  "Packer vmware-vmx": {
    format: "packer",
    path: "a.pkr.hcl",
    text: hcl('source "vmware-vmx" "a"', 'remote_type = "esx5"\n  vmx_data'),
  },
  "VM spec": {
    format: "yaml",
    path: "a.yaml",
    text: (key, value) =>
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec: { advanced: { "${key}": "${value}" } }\n`,
  },
  export: {
    format: "govc",
    path: "vms.json",
    text: (key, value) => `{"virtualMachines": [{"name": "a", "config": {"name": "a", ${extra(key, value)}}}]}`,
  },
  request: {
    format: "govc",
    path: "request.json",
    text: (key, value) => `{"_typeName": "VirtualMachineConfigSpec", "name": "a", "files": {"vmPathName": "[d]"}, ${extra(key, value)}}`,
  },
  Terraform: { format: "terraform", path: "main.tf", text: hcl('resource "vsphere_virtual_machine" "a"', "extra_config") },
  "Cloud Director": {
    format: "terraform",
    path: "main.tf",
    text: (key, value) => `resource "vcd_vm" "a" {\n  set_extra_config {\n    key = "${key}"\n    value = "${value}"\n  }\n}\n`,
  },
  "Terraform plan": {
    format: "plans",
    path: "plan.json",
    text: (key, value) => planOf({ name: "a", num_cpus: 4, extra_config: { [key]: value } }),
  },
  Pulumi: {
    format: "yaml",
    path: "Pulumi.yaml",
    text: (key, value) =>
      `name: p\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: { extraConfig: { "${key}": "${value}" } }\n`,
  },
  "Packer vsphere-iso": { format: "packer", path: "a.pkr.hcl", text: hcl('source "vsphere-iso" "a"', "configuration_parameters") },
  "Packer vsphere-clone": { format: "packer", path: "a.pkr.hcl", text: hcl('source "vsphere-clone" "a"', "configuration_parameters") },
  Ansible: {
    format: "yaml",
    path: "play.yml",
    text: (key, value) =>
      `- hosts: all\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        guest_id: x\n        hardware: { num_cpus: 4, memory_mb: 4096 }\n        advanced_settings: [{ key: "${key}", value: "${value}" }]\n`,
  },
  "Rancher's Terraform provider": {
    format: "terraform",
    path: "main.tf",
    text: (key, value) =>
      `resource "rancher2_machine_config_v2" "a" {\n  generate_name = "a"\n  vsphere_config {\n    cfgparam = ["${key}=${value}"]\n  }\n}\n`,
  },
  OVF: { format: "ovf", path: "a.ovf", text: ovf },
  OVA: { format: "ova", path: "a.ova", text: ovf },
  "VM Operator": {
    format: "yaml",
    path: "vm.yaml",
    text: (key, value) =>
      k8s(
        "vmoperator.vmware.com/v1alpha6",
        "VirtualMachine",
        `spec: { className: c, advanced: { extraConfig: [{ key: "${key}", value: "${value}" }] } }\n`,
      ),
  },
  "VM class": {
    format: "yaml",
    path: "class.yaml",
    text: (key, value) =>
      k8s(
        "vmoperator.vmware.com/v1alpha3",
        "VirtualMachineClass",
        `spec: { hardware: { cpus: 4 }, configSpec: { _typeName: VirtualMachineConfigSpec, extraConfig: [{ key: "${key}", value: "${value}" }] } }\n`,
      ),
  },
  "Cluster API": {
    format: "yaml",
    path: "capv.yaml",
    text: (key, value) =>
      k8s(
        "infrastructure.cluster.x-k8s.io/v1beta1",
        "VSphereMachineTemplate",
        `spec: { template: { spec: { template: t, customVMXKeys: { "${key}": "${value}" } } } }\n`,
      ),
  },
  Rancher: {
    format: "yaml",
    path: "rancher.yaml",
    text: (key, value) => k8s("rke-machine-config.cattle.io/v1", "VmwarevsphereConfig", `cfgparam: ["${key}=${value}"]\n`),
  },
};

async function read({ format: name, path, text }: Column, key: string, value: string): Promise<VmSpec> {
  const format = await formats.find((entry) => entry.name === name)?.load();
  const files: Readonly<Record<string, string>> = { [path]: text(key, value) };
  const parsed = format?.read({ paths: [path], files: { read: (file) => files[file], list: () => [path] }, inputs: NOTHING_GIVEN });
  expect(parsed?.vms, files[path]).toHaveLength(1);
  return parsed?.vms[0] as VmSpec;
}

/** Values that only a key in the file would give. */
const TEXTS = ["24", "TRUE", "high", "software", "0,1", "efi", "acpi", "fast"] as const;

const textFor = ({ read }: (typeof API_KEYS)[number]): string =>
  TEXTS.find((text) => !read || (read(text, [0, 0]).state === "known" && !(text === "24" && isFlag(read)))) ?? "";
const isFlag = (read: NonNullable<(typeof API_KEYS)[number]["read"]>): boolean => {
  const one = read("TRUE", [0, 0]);
  return one.state === "known" && one.value === true;
};

const ofPart = (vm: VmSpec, name: string): Setting<unknown> | undefined =>
  vm.settings[name as SettingName] ?? vm.board?.()[name as keyof BoardTypes];

async function cellOf(column: Column, entry: (typeof API_KEYS)[number]): Promise<string> {
  const key = entry.key.replace("<N>", "0").replace("<M>", "0");
  const vm = await read(column, key, textFor(entry));
  const isIgnored = vm.configured?.().options.some((option) => option.key.toLowerCase() === key.toLowerCase() && option.ignored) ?? false;
  const part = entry.name && ofPart(vm, entry.name);
  const value = entry.read?.(textFor(entry), [0, 0]);
  const isUsed = part?.state === "known" && value?.state === "known" && String(part.value) === String(value.value);
  if (isIgnored) expect(isUsed, `${column.path} ${key}`).toBe(false);
  return isIgnored ? "ignored" : isUsed ? "used" : entry.name ? "not read" : "used";
}

/** Options without a field that not every format has. */
const ON_BOARD = ["pciPassthru.use64bitMMIO", "pciPassthru.64bitMMIOSizeGB"];

const FILES = [".vmx", "Packer vmware-iso", "Packer vmware-vmx", "VM spec", "export"];

describe.each(Object.entries(COLUMNS))("%s", (name, column) => {
  test.each(API_KEYS.map((entry) => [entry.key, entry] as const))("%s", async (_, entry) => {
    const cell = await cellOf(column, entry);
    // A file holds every key; the API ignores keys with a field. Parts of the mainboard are not read everywhere.
    if (FILES.includes(name) || ON_BOARD.includes(entry.key)) expect(["used", "not read"]).toContain(cell);
    else expect(cell).toBe(entry.field === undefined ? "used" : "ignored");
  });
});

test("the page shows each cell (npm run gen)", async () => {
  const names = Object.keys(COLUMNS);
  const words = (name: string, cell: string) => (cell === "used" && !FILES.includes(name) ? "passed on" : cell);
  const columns = await Promise.all(
    names.map(async (name) => Promise.all(API_KEYS.map(async (entry) => words(name, await cellOf(COLUMNS[name] as Column, entry))))),
  );
  const alike = [...grouped(names, (name) => columns[names.indexOf(name)]?.join() ?? "").values()];
  const rows = API_KEYS.map((entry, row) => {
    const cells = alike.map(([first = ""]) => columns[names.indexOf(first)]?.[row]);
    return `| \`${entry.key}\` | ${entry.field === undefined ? "none" : `\`${entry.field}\``} | ${cells.join(" | ")} |`;
  });
  const page = [
    "# Keys and fields: the keys that vSphere ignores",
    "",
    "You want to know whether a key in a list of options reaches the VM.",
    "",
    "The API [documents](https://github.com/vmware/pyvmomi/blob/47cd87846578ab25784de400c15315dcfab70516/docs/vim/vm/ConfigSpec.rst) that",
    "it silently ignores a key of `extraConfig` if another field of the request can set the same, and the same of",
    "[`vmw:ExtraConfig`](https://vmware.github.io/vsphere-automation-sdk-java/vsphere/cloud/vsphereautomation-client-sdk/com/vmware/vcenter/ovf/ExtraConfigParams.html).",
    "vmlint does not use such a key, and [tf/extra-config-shadow](../../../packages/core/docs/rules/tf/extra-config-shadow.md) names the field. An export shows the VM",
    "itself, and a `.vmx` takes every key. `not read` is a part of the mainboard that vmlint does not read there.",
    "",
    `| key | field of the API | ${alike.map((group) => group.join(", ")).join(" | ")} |`,
    `|---|---|${alike.map(() => "---").join("|")}|`,
    ...rows,
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/guide/formats/keys.md");
});
