import type { SettingName } from "../../packages/core/src/model/spec.ts";
import { exportOf, workbook } from "./write-workbook.ts";

/** Values in the notation of JSON, YAML and HCL; other formats write their text. */
export const VALUES = ["0", "-4", "4.5", "1e20", "1e155", "1e308", '"four"', '""', '" 8 "', '"0x8"', "true", '"8 vCPUs"'] as const;

type Value = (typeof VALUES)[number];

/** Values that a setting of the reader takes, by the source that its module names: each is then known, absent or open, without a finding. */
type Accepted = Partial<Record<SettingName, readonly Value[]>>;

export interface Reader {
  readonly path: string;
  /** The settings that the text states by `at`. */
  readonly settings: readonly SettingName[];
  readonly text: (at: (name: SettingName) => string) => string | Uint8Array;
  readonly files?: Readonly<Record<string, string>>;
  readonly accepts?: Accepted;
}

const SIZES = ["vcpus", "coresPerSocket", "memoryMiB"] as const;
const ALL = [...SIZES, "cpuReservationMHz", "memoryReservationMiB"] as const;

/** Returns a value without its quotes. */
const plain = (value: string): string => value.replace(/^"(.*)"$/, "$1");
const ZERO_NATURAL: Accepted = { cpuReservationMHz: ["0"], memoryReservationMiB: ["0"] };
/** No value, in formats that treat an empty text as a missing one. */
const EMPTY: readonly Value[] = ['""'];
const emptyFor = (names: readonly SettingName[], accepted: Accepted = {}): Accepted =>
  Object.fromEntries(names.map((name) => [name, [...EMPTY, ...(accepted[name] ?? [])]]));

const hcl = (at: (name: SettingName) => string) =>
  `resource "vsphere_virtual_machine" "a" {\n  num_cpus = ${at("vcpus")}\n  num_cores_per_socket = ${at("coresPerSocket")}\n  memory = ${at("memoryMiB")}\n  cpu_reservation = ${at("cpuReservationMHz")}\n  memory_reservation = ${at("memoryReservationMiB")}\n}\n`;
const attributes = (at: (name: SettingName) => string) =>
  `"num_cpus": ${at("vcpus")}, "num_cores_per_socket": ${at("coresPerSocket")}, "memory": ${at("memoryMiB")}, "cpu_reservation": ${at("cpuReservationMHz")}, "memory_reservation": ${at("memoryReservationMiB")}`;
/** 0 cores per socket is automatic from version 2.16 of the provider on. */
const PROVIDER: Accepted = { ...ZERO_NATURAL, coresPerSocket: ["0"] };
/** A variable with an empty default is a place for a value. */
const VARIABLES = `variable "cpus" { type = any }\nresource "vsphere_virtual_machine" "a" { num_cpus = var.cpus }\n`;
const k8s = (apiVersion: string, kind: string, rest: string) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n${rest}`;
const builder = (at: (name: SettingName) => string) =>
  `"CPUs": ${at("vcpus")}, "cpu_cores": ${at("coresPerSocket")}, "RAM": ${at("memoryMiB")}, "CPU_reservation": ${at("cpuReservationMHz")}, "RAM_reservation": ${at("memoryReservationMiB")}`;
/** Numbers of these plugins that are 0 are not sent. */
const NOT_SENT: Accepted = { ...ZERO_NATURAL, vcpus: ["0"], coresPerSocket: ["0"], memoryMiB: ["0"] };
const task = (module: string, args: string) =>
  `- hosts: all\n  tasks:\n    - ${module}:\n        name: a\n        guest_id: x\n${args.replace(/^/gm, "        ")}\n`;
const csv = (head: string, row: string) => `${head}\r\n${row}\r\n`;
const sheets = (at: (name: SettingName) => string) => {
  const { vInfo = [], vCPU = [], ...others } = exportOf([{ name: "a", host: "h", cpus: 4, coresPerSocket: 2 }], []);
  const set = (rows: readonly (readonly (string | number | boolean)[])[], column: string, name: SettingName) =>
    rows.map((row, y) => row.map((cell, x) => (y === 1 && rows[0]?.[x] === column ? plain(at(name)) : cell)));
  return {
    ...others,
    vInfo: set(set(vInfo, "CPUs", "vcpus"), "Memory", "memoryMiB"),
    vCPU: set(set(vCPU, "Cores p/s", "coresPerSocket"), "Reservation", "cpuReservationMHz"),
  };
};
/** Cells without the blanks around them. */
const CELLS: readonly Value[] = ['""', '" 8 "'];
const cellsFor = (names: readonly SettingName[], accepted: Accepted = {}): Accepted =>
  Object.fromEntries(names.map((name) => [name, [...CELLS, ...(accepted[name] ?? [])]]));
const EXPORTED = [...SIZES, "cpuReservationMHz"] as const;
const GIB = ["vcpus", "coresPerSocket", "memoryMiB"] as const;

/** A text in each notation, for the reader of its format. */
export const READERS: Readonly<Record<string, Reader>> = {
  vmx: {
    path: "a.vmx",
    settings: [...ALL, "maxVcpusPerVnumaNode"],
    text: (at) =>
      `virtualHW.version = "19"\nnumvcpus = "${plain(at("vcpus"))}"\ncpuid.coresPerSocket = "${plain(at("coresPerSocket"))}"\nmemSize = "${plain(at("memoryMiB"))}"\nsched.cpu.min = "${plain(at("cpuReservationMHz"))}"\nsched.mem.min = "${plain(at("memoryReservationMiB"))}"\nnuma.vcpu.maxPerVirtualNode = "${plain(at("maxVcpusPerVnumaNode"))}"\n`,
    accepts: ZERO_NATURAL,
  },
  "vmware-log": {
    path: "vmware.log",
    settings: SIZES,
    text: (at) =>
      `DICT --- CONFIGURATION\nDICT virtualHW.version = "19"\nDICT numvcpus = "${plain(at("vcpus"))}"\nDICT cpuid.coresPerSocket = "${plain(at("coresPerSocket"))}"\nDICT memSize = "${plain(at("memoryMiB"))}"\n`,
  },
  terraform: { path: "main.tf", settings: ALL, text: hcl, accepts: PROVIDER },
  "terraform (.tf.json)": {
    path: "main.tf.json",
    settings: ALL,
    text: (at) => `{"resource": {"vsphere_virtual_machine": {"a": {${attributes(at)}}}}}`,
    accepts: PROVIDER,
  },
  "terraform (.tfvars)": {
    path: "main.tf",
    settings: ["vcpus"],
    text: () => VARIABLES,
    files: { "terraform.tfvars": "cpus = VCPUS\n" },
  },
  "terraform (.tfvars.json)": {
    path: "main.tf",
    settings: ["vcpus"],
    text: () => VARIABLES,
    files: { "terraform.tfvars.json": '{"cpus": VCPUS}' },
  },
  "terraform (extra_config)": {
    path: "main.tf",
    settings: ["vnumaMinVcpus", "maxVcpusPerVnumaNode"],
    text: (at) =>
      `resource "vsphere_virtual_machine" "a" {\n  extra_config = {\n    "numa.vcpu.min" = ${at("vnumaMinVcpus")}\n    "numa.vcpu.maxPerVirtualNode" = ${at("maxVcpusPerVnumaNode")}\n  }\n}\n`,
  },
  "plans (plan)": {
    path: "plan.json",
    settings: ALL,
    text: (at) =>
      `{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {"resources": [{"address": "vsphere_virtual_machine.a", "mode": "managed", "type": "vsphere_virtual_machine", "name": "a", "values": {${attributes(at)}}}]}}}`,
    accepts: PROVIDER,
  },
  "plans (state)": {
    path: "terraform.tfstate",
    settings: ALL,
    text: (at) =>
      `{"version": 4, "terraform_version": "1.9.0", "lineage": "x", "resources": [{"mode": "managed", "type": "vsphere_virtual_machine", "name": "a", "provider": "p", "instances": [{"attributes": {${attributes(at)}}}]}]}`,
    accepts: PROVIDER,
  },
  "plans (Packer)": {
    path: "template.json",
    settings: ALL,
    text: (at) => `{"builders": [{"type": "vsphere-iso", ${builder(at)}}]}`,
    accepts: NOT_SENT,
  },
  "plans (stack)": {
    path: "stack.json",
    settings: SIZES,
    text: (at) =>
      `{"version": 3, "deployment": {"manifest": {"time": "x"}, "resources": [{"urn": "urn:pulumi:s::p::vsphere:index/virtualMachine:VirtualMachine::a", "type": "vsphere:index/virtualMachine:VirtualMachine", "outputs": {"numCpus": ${at("vcpus")}, "numCoresPerSocket": ${at("coresPerSocket")}, "memory": ${at("memoryMiB")}}}]}}`,
    accepts: PROVIDER,
  },
  packer: {
    path: "a.pkr.hcl",
    settings: ALL,
    text: (at) =>
      `source "vsphere-iso" "a" {\n${builder(at)
        .replace(/"(\w+)": /g, "$1 = ")
        .replaceAll(", ", "\n")}\n}\n`,
    accepts: NOT_SENT,
  },
  "packer (.pkr.json)": {
    path: "a.pkr.json",
    settings: ALL,
    text: (at) => `{"source": {"vsphere-iso": {"a": {${builder(at)}}}}}`,
    accepts: NOT_SENT,
  },
  "packer (vmware-iso)": {
    path: "a.pkr.hcl",
    settings: [...SIZES, "maxVcpusPerVnumaNode"],
    text: (at) =>
      `source "vmware-iso" "a" {\n  cpus = ${at("vcpus")}\n  cores = ${at("coresPerSocket")}\n  memory = ${at("memoryMiB")}\n  vmx_data = { "numa.vcpu.maxPerVirtualNode" = ${at("maxVcpusPerVnumaNode")} }\n}\n`,
    accepts: { vcpus: ["0"], coresPerSocket: ["0"], memoryMiB: ["0"] },
  },
  "yaml: vmlint": {
    path: "spec.yaml",
    settings: ALL,
    text: (at) =>
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: ${at("vcpus")}\n  coresPerSocket: ${at("coresPerSocket")}\n  memoryMiB: ${at("memoryMiB")}\n  cpuReservationMHz: ${at("cpuReservationMHz")}\n  memoryReservationMiB: ${at("memoryReservationMiB")}\n`,
    accepts: ZERO_NATURAL,
  },
  "yaml: capv": {
    path: "capv.yaml",
    settings: SIZES,
    text: (at) =>
      k8s(
        "infrastructure.cluster.x-k8s.io/v1beta1",
        "VSphereMachineTemplate",
        `spec: { template: { spec: { template: t, numCPUs: ${at("vcpus")}, numCoresPerSocket: ${at("coresPerSocket")}, memoryMiB: ${at("memoryMiB")} } } }\n`,
      ),
    accepts: { vcpus: ["0"], coresPerSocket: ["0"], memoryMiB: ["0"] },
  },
  "yaml: vm-operator": {
    path: "vm.yaml",
    settings: ["vcpus", "coresPerSocket", "cpuReservationMHz"],
    text: (at) =>
      k8s(
        "vmoperator.vmware.com/v1alpha6",
        "VirtualMachine",
        `spec:\n  className: c\n  resources: { size: { cpu: ${at("vcpus")} }, requests: { cpu: ${at("cpuReservationMHz")} } }\n  cpuAdvanced: { topology: { coresPerSocket: ${at("coresPerSocket")} } }\n`,
      ),
    accepts: { cpuReservationMHz: ["0"], coresPerSocket: ["0"] },
  },
  "yaml: vm-class": {
    path: "class.yaml",
    settings: ["vcpus", "coresPerSocket"],
    text: (at) =>
      k8s(
        "vmoperator.vmware.com/v1alpha3",
        "VirtualMachineClass",
        `spec:\n  hardware: { cpus: ${at("vcpus")} }\n  configSpec: { _typeName: VirtualMachineConfigSpec, numCoresPerSocket: ${at("coresPerSocket")} }\n`,
      ),
    accepts: { coresPerSocket: ["0"] },
  },
  "yaml: openstack": {
    path: "flavor.yaml",
    settings: ["vcpus", "memoryMiB"],
    text: (at) => `OS-FLV-DISABLED:disabled: false\nname: a\nvcpus: ${at("vcpus")}\nram: ${at("memoryMiB")}\n`,
  },
  proxmox: {
    path: "100.conf",
    settings: ["vcpus", "memoryMiB"],
    text: (at) => `name: a\nsockets: ${plain(at("vcpus"))}\nmemory: ${plain(at("memoryMiB"))}\n`,
    accepts: { vcpus: ['" 8 "'], memoryMiB: ['" 8 "'] },
  },
  libvirt: {
    path: "a.xml",
    settings: SIZES,
    text: (at) =>
      `<domain type='kvm'><memory unit='MiB'>${plain(at("memoryMiB"))}</memory><vcpu>${plain(at("vcpus"))}</vcpu><cpu><topology sockets='1' cores='${plain(at("coresPerSocket"))}' threads='1'/></cpu></domain>`,
    accepts: { memoryMiB: ['" 8 "'], vcpus: ['" 8 "'] },
  },
  "yaml: proxmox-api": {
    path: "config.json",
    settings: ["vcpus", "memoryMiB"],
    text: (at) => `{ "digest": "1", "vmgenid": "1", "name": "a", "sockets": ${at("vcpus")}, "memory": ${at("memoryMiB")} }`,
  },
  "yaml: ansible-libvirt": {
    path: "play.yml",
    settings: ["vcpus", "memoryMiB"],
    text: (at) =>
      `- virt:\n    command: define\n    xml: |\n      <domain type='kvm'><memory unit='MiB'>${plain(at("memoryMiB"))}</memory><vcpu>${plain(at("vcpus"))}</vcpu></domain>\n`,
    accepts: { memoryMiB: ['" 8 "'], vcpus: ['" 8 "'] },
  },
  "yaml: kubevirt": {
    path: "vm.yaml",
    settings: ["vcpus"],
    text: (at) => k8s("kubevirt.io/v1", "VirtualMachine", `spec: { template: { spec: { domain: { cpu: { cores: ${at("vcpus")} } } } } }\n`),
    accepts: { vcpus: ["0"] },
  },
  "yaml: openshift": {
    path: "machine.yaml",
    settings: SIZES,
    text: (at) =>
      k8s(
        "machine.openshift.io/v1beta1",
        "MachineSet",
        `spec: { template: { spec: { providerSpec: { value: { apiVersion: machine.openshift.io/v1beta1, kind: VSphereMachineProviderSpec, numCPUs: ${at("vcpus")}, numCoresPerSocket: ${at("coresPerSocket")}, memoryMiB: ${at("memoryMiB")} } } } } }\n`,
      ),
    accepts: { coresPerSocket: ["0"] },
  },
  "yaml: install-config": {
    path: "install-config.yaml",
    settings: SIZES,
    text: (at) =>
      `apiVersion: v1\nmetadata: { name: a }\nplatform: { vsphere: { x: y } }\ncontrolPlane: { name: m, platform: { vsphere: { cpus: ${at("vcpus")}, coresPerSocket: ${at("coresPerSocket")}, memoryMB: ${at("memoryMiB")} } } }\n`,
  },
  "yaml: hive": {
    path: "pool.yaml",
    settings: SIZES,
    text: (at) =>
      k8s(
        "hive.openshift.io/v1",
        "MachinePool",
        `spec: { platform: { vsphere: { cpus: ${at("vcpus")}, coresPerSocket: ${at("coresPerSocket")}, memoryMB: ${at("memoryMiB")} } } }\n`,
      ),
  },
  "yaml: eks-anywhere": {
    path: "eks.yaml",
    settings: ["vcpus", "memoryMiB"],
    text: (at) =>
      k8s(
        "anywhere.eks.amazonaws.com/v1alpha1",
        "VSphereMachineConfig",
        `spec: { numCPUs: ${at("vcpus")}, memoryMiB: ${at("memoryMiB")} }\n`,
      ),
    accepts: { vcpus: ["0"], memoryMiB: ["0"] },
  },
  "yaml: machine-controller": {
    path: "md.yaml",
    settings: ["vcpus", "memoryMiB"],
    text: (at) =>
      k8s(
        "cluster.k8s.io/v1alpha1",
        "MachineDeployment",
        `spec: { template: { spec: { providerSpec: { value: { cloudProvider: vsphere, cloudProviderSpec: { templateVMName: t, cpus: ${at("vcpus")}, memoryMB: ${at("memoryMiB")} } } } } } }\n`,
      ),
  },
  "yaml: rancher": {
    path: "rancher.yaml",
    settings: ["vcpus", "memoryMiB"],
    text: (at) =>
      k8s("rke-machine-config.cattle.io/v1", "VmwarevsphereConfig", `cpuCount: ${at("vcpus")}\nmemorySize: ${at("memoryMiB")}\n`),
  },
  "yaml: ansible": {
    path: "play.yml",
    settings: ALL,
    text: (at) =>
      task(
        "community.vmware.vmware_guest",
        `hardware: { num_cpus: ${at("vcpus")}, num_cpu_cores_per_socket: ${at("coresPerSocket")}, memory_mb: ${at("memoryMiB")}, cpu_reservation: ${at("cpuReservationMHz")}, mem_reservation: ${at("memoryReservationMiB")} }`,
      ),
    accepts: ZERO_NATURAL,
  },
  "yaml: ansible (vmware.vmware)": {
    path: "play.yml",
    settings: SIZES,
    text: (at) =>
      task(
        "vmware.vmware.vm",
        `cpu: { cores: ${at("vcpus")}, cores_per_socket: ${at("coresPerSocket")} }\nmemory: { size_mb: ${at("memoryMiB")} }`,
      ),
  },
  "yaml: pulumi": {
    path: "Pulumi.yaml",
    settings: ALL,
    text: (at) =>
      `name: p\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: { numCpus: ${at("vcpus")}, numCoresPerSocket: ${at("coresPerSocket")}, memory: ${at("memoryMiB")}, cpuReservation: ${at("cpuReservationMHz")}, memoryReservation: ${at("memoryReservationMiB")} }\n`,
    accepts: PROVIDER,
  },
  powercli: {
    path: "vms.csv",
    settings: GIB,
    text: (at) =>
      csv(
        '"Name","NumCpu","CoresPerSocket","MemoryMB","HardwareVersion"',
        `"a",${at("vcpus")},${at("coresPerSocket")},${at("memoryMiB")},"vmx-19"`,
      ),
    accepts: cellsFor(GIB),
  },
  "powercli (JSON)": {
    path: "vms.json",
    settings: GIB,
    text: (at) =>
      `[{"Name": "a", "NumCpu": ${at("vcpus")}, "CoresPerSocket": ${at("coresPerSocket")}, "MemoryGB": ${at("memoryMiB")}, "HardwareVersion": "vmx-19"}]`,
    // 4.5 GiB are 4,608 MiB.
    accepts: cellsFor(GIB, { memoryMiB: ["4.5"] }),
  },
  table: {
    path: "vms.csv",
    settings: GIB,
    text: (at) =>
      csv(
        "Name,NumCpu,CoresPerSocket,MemoryMB,HardwareVersion",
        `a,${plain(at("vcpus"))},${plain(at("coresPerSocket"))},${plain(at("memoryMiB"))},19`,
      ),
    accepts: cellsFor(GIB),
  },
  govc: {
    path: "vm-info.json",
    settings: ALL,
    text: (at) =>
      `{"virtualMachines": [{"name": "a", "config": {"name": "a", "version": "vmx-19", "hardware": {"numCPU": ${at("vcpus")}, "numCoresPerSocket": ${at("coresPerSocket")}, "memoryMB": ${at("memoryMiB")}}, "cpuAllocation": {"reservation": ${at("cpuReservationMHz")}}, "memoryAllocation": {"reservation": ${at("memoryReservationMiB")}}}}]}`,
    // govc before 0.31 wrote unset values as an empty text, and the API writes 0 cores per socket for its default.
    accepts: emptyFor(ALL, { ...ZERO_NATURAL, coresPerSocket: ["0"] }),
  },
  "govc (request)": {
    path: "request.json",
    settings: SIZES,
    text: (at) =>
      `{"_typeName": "VirtualMachineConfigSpec", "name": "a", "files": {"vmPathName": "[d]"}, "numCPUs": ${at("vcpus")}, "numCoresPerSocket": ${at("coresPerSocket")}, "memoryMB": ${at("memoryMiB")}}`,
    accepts: emptyFor(SIZES, { coresPerSocket: ["0"] }),
  },
  ovf: {
    path: "a.ovf",
    settings: ALL,
    text: ovf,
    accepts: cellsFor(ALL, { ...ZERO_NATURAL, coresPerSocket: ["0"] }),
  },
  rvtools: { path: "estate.xlsx", settings: EXPORTED, text: (at) => workbook(sheets(at)), accepts: cellsFor(EXPORTED, ZERO_NATURAL) },
  "rvtools-csv": {
    path: "export.csv",
    settings: ["vcpus", "memoryMiB"],
    text: (at) => csv("VM,Powerstate,CPUs,Memory,HW version", `a,poweredOn,${plain(at("vcpus"))},${plain(at("memoryMiB"))},19`),
    accepts: cellsFor(["vcpus", "memoryMiB"]),
  },
};

function ovf(at: (name: SettingName) => string): string {
  const item = (type: number, quantity: string, more: string) =>
    `<Item>${type === 4 ? "<rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits>" : ""}<rasd:InstanceID>${type}</rasd:InstanceID>${more}<rasd:ResourceType>${type}</rasd:ResourceType><rasd:VirtualQuantity>${quantity}</rasd:VirtualQuantity></Item>`;
  const cpu = `<rasd:Reservation>${plain(at("cpuReservationMHz"))}</rasd:Reservation><vmw:CoresPerSocket>${plain(at("coresPerSocket"))}</vmw:CoresPerSocket>`;
  const memory = `<rasd:Reservation>${plain(at("memoryReservationMiB"))}</rasd:Reservation>`;
  return `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"><VirtualSystem><VirtualHardwareSection>${item(3, plain(at("vcpus")), cpu)}${item(4, plain(at("memoryMiB")), memory)}</VirtualHardwareSection></VirtualSystem></Envelope>`;
}
