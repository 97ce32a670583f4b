import { AUTO_TOPOLOGY_HARDWARE } from "../../limits/hardware.ts";
import {
  CAPV_TYPES,
  EKS_ANYWHERE,
  HIVE_POOL,
  OPENSHIFT_WEBHOOK,
  PACKER_VMWARE,
  PACKER_VSPHERE,
  TERRAFORM_2770,
  TERRAFORM_PROVIDER,
  VM_OPERATOR_WEBHOOK,
  VMWARE_GUEST,
  VMWARE_GUEST_1596,
  VMWARE_VM,
} from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { vsphereVm } from "../vsphere-example.ts";

const object = (apiVersion: string, kind: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: sql }\nspec: ${spec}\n`;
const hive = () => object("hive.openshift.io/v1", "MachinePool", "{ platform: { vsphere: { cpus: 4, coresPerSocket: 4 } } }");
const machine = (version: string): string =>
  object(`infrastructure.cluster.x-k8s.io/${version}`, "VSphereMachineTemplate", "{ template: { spec: { template: t, numCPUs: 1 } } }");
const sized = (spec: string): string => object("vmoperator.vmware.com/v1alpha6", "VirtualMachine", `{ className: c, ${spec} }`);
const openshiftMachine = () =>
  object(
    "machine.openshift.io/v1beta1",
    "Machine",
    "{ providerSpec: { value: { kind: VSphereMachineProviderSpec, template: t, numCPUs: 1 } } }",
  );
const task = (args: string): string => `- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest: { name: sql, ${args} }\n`;
const PLAN = `{
  "format_version": "1.2",
  "terraform_version": "1.16.0",
  "planned_values": { "root_module": { "resources": [{
    "address": "vsphere_virtual_machine.sql", "mode": "managed", "type": "vsphere_virtual_machine", "name": "sql",
    "provider_name": "registry.terraform.io/vmware/vsphere", "values": { "num_cpus": 8, "num_cores_per_socket": 1 }
  }] } },
  "resource_changes": [{
    "address": "vsphere_virtual_machine.sql",
    "change": { "actions": ["no-op"], "before": { "num_cpus": 8, "num_cores_per_socket": 1 } }
  }],
  "configuration": { "provider_config": { "vsphere": {
    "full_name": "registry.terraform.io/vmware/vsphere", "version_constraint": ">= 2.17.0"
  } }, "root_module": { "resources": [{
    "address": "vsphere_virtual_machine.sql", "type": "vsphere_virtual_machine", "name": "sql",
    "expressions": { "num_cpus": { "constant_value": 8 }, "num_cores_per_socket": { "constant_value": 0 } }
  }] } }
}
`;

export const rule = builtinRule({
  id: "tf/dropped-argument",
  severity: "warning",
  severities: {
    missing: "error",
    low: "error",
    noVersion: "error",
    together: "error",
    incomplete: "error",
    uneven: "error",
    raised: "info",
    warned: "info",
    ofTemplate: "info",
    ofExisting: "info",
  },
  for: "any",
  on: ["configured"],
  messages: {
    hardware: (d: { argument: string; value: string; hardwareVersion: number }) =>
      `The provider does not send ${d.argument} = ${d.value} below hardware version ${AUTO_TOPOLOGY_HARDWARE}; this VM has ${d.hardwareVersion}. Set hardware_version = ${AUTO_TOPOLOGY_HARDWARE}, or remove the argument.`,
    refused: (d: { argument: string; value: string }) =>
      `The provider refuses ${d.argument} = ${d.value} without hardware_version, and sends it from version ${AUTO_TOPOLOGY_HARDWARE} on. Set hardware_version = ${AUTO_TOPOLOGY_HARDWARE}, or remove the argument.`,
    release: (d: { argument: string; value: string; release: string }) =>
      `${d.argument} = ${d.value} needs version ${d.release} of the provider, and this configuration or its lock file allows only earlier ones, which refuse it. Ask for ">= ${d.release}" and run terraform init -upgrade, or remove the argument.`,
    reservation: (d: { argument: string; value: string; memoryMiB: number; reservationMiB: number }) =>
      `The provider sends ${d.argument} as false: ${d.reservationMiB} of ${d.memoryMiB} MiB are reserved. Set memory_reservation = ${d.memoryMiB}, or remove the argument.`,
    planned: (d: { argument: string; value: string; planned: string }) =>
      `${d.argument} = ${d.value} changes nothing: the VM exists, and the plan keeps ${d.planned}. Change the VM in vCenter, or replace it.`,
    missing: (d: Treated) => `${d.by} refuses this file, because ${d.argument} is missing. Set it.`,
    low: (d: Treated & { least: number }) =>
      `${d.by} refuses this file: ${d.argument} = ${d.value} is below ${d.least}. Set ${d.argument} = ${d.least}.`,
    warned: (d: Treated & { least: number }) =>
      `${d.by} warns about this file: ${d.argument} = ${d.value} is below ${d.least}, so the node may not boot. Set ${d.argument} = ${d.least}.`,
    raised: (d: Treated & { least: number }) => `${d.by} raises ${d.argument} = ${d.value} to ${d.least}. Set ${d.least} in the file, too.`,
    noVersion: (d: Treated) =>
      `${d.by} refuses this file: ${d.argument} = ${d.value} belongs to no release of ESXi. Set the version of your oldest host.`,
    together: (d: Treated & { other: string }) =>
      `${d.by} refuses this file: ${d.argument} = ${d.value} is not allowed together with ${d.other}. Remove ${d.argument}.`,
    incomplete: (d: Treated & { other: string }) =>
      `${d.by} refuses this file: ${d.argument} = ${d.value} is not allowed without ${d.other}. Set ${d.other} too.`,
    uneven: (d: Treated & { other: string; fits: number }) =>
      `${d.by} refuses this file: ${d.argument} = ${d.value} does not divide ${d.other} evenly. Set it to ${d.fits}.`,
    alone: (d: Treated & { other: string }) => `${d.by} ignores ${d.argument} = ${d.value} without ${d.other}. Set ${d.other} too.`,
    ofTemplate: (d: Treated) =>
      `${d.by} does not send ${d.argument} = ${d.value} for a clone, which keeps the value of its template. Change the template.`,
    ofExisting: (d: Treated) =>
      `${d.by} sends ${d.argument} = ${d.value} only for a new VM, and this task changes an existing VM. Change it in vCenter.`,
  },
  *check({ vm: { configured } }) {
    for (const { argument, value, range, because } of configured?.().dropped ?? []) {
      if ("release" in because) yield { messageId: "release", data: { argument, value, ...because }, at: range };
      else if ("memoryMiB" in because) yield { messageId: "reservation", data: { argument, value, ...because }, at: range };
      else if ("planned" in because) yield { messageId: "planned", data: { argument, value, ...because }, at: range };
      else if ("by" in because) {
        const { message, ...reason } = because;
        // Each message has the data that the reader gives for it.
        yield { messageId: message, data: { argument, value, ...reason } as never, at: range };
      } else if (because.hardwareVersion === undefined) yield { messageId: "refused", data: { argument, value }, at: range };
      else yield { messageId: "hardware", data: { argument, value, hardwareVersion: because.hardwareVersion }, at: range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "The tool refuses, changes or does not send an argument",
  why: "A tool that creates VMs checks its file. A refused file creates no VM, and a changed or ignored argument gives another VM than the file shows. The guide page Generators lists the arguments by tool. For example, the vSphere provider sends num_cores_per_numa_node only from hardware version 20 on, and memory_reservation_locked_to_max only where memory_reservation is all of the memory. Otherwise the plan shows the value, the apply succeeds, and the VM runs without it. A node size without any hardware_version, or with a provider before 2.16.0, is refused.",
  whenNot: "Never: set the value that the VM really gets.",
  sources: [
    TERRAFORM_PROVIDER,
    TERRAFORM_2770,
    VMWARE_GUEST,
    VMWARE_GUEST_1596,
    VMWARE_VM,
    PACKER_VSPHERE,
    PACKER_VMWARE,
    CAPV_TYPES,
    EKS_ANYWHERE,
    HIVE_POOL,
    OPENSHIFT_WEBHOOK,
    VM_OPERATOR_WEBHOOK,
  ],
  bad: [
    {
      title: "A node size on version 19",
      terraform: vsphereVm("num_cpus                = 16\n  hardware_version        = 19\n  num_cores_per_numa_node = 8"),
      expect: "hardware",
    },
    {
      title: "A node size without a version",
      terraform: vsphereVm("num_cpus                = 16\n  num_cores_per_numa_node = 8"),
      expect: "refused",
    },
    {
      title: "A node size, and a provider that does not know it",
      terraform: `terraform {\n  required_providers {\n    vsphere = {\n      source  = "vmware/vsphere"\n      version = "~> 2.8.0"\n    }\n  }\n}\n\n${vsphereVm("num_cpus                = 16\n  hardware_version        = 20\n  num_cores_per_numa_node = 8")}`,
      expect: "release",
    },
    {
      title: "Half of the memory is reserved",
      terraform: vsphereVm(
        "memory                           = 65536\n  memory_reservation               = 32768\n  memory_reservation_locked_to_max = true",
      ),
      expect: "reservation",
    },
    {
      title: "Nothing is reserved",
      terraform: vsphereVm("memory                           = 65536\n  memory_reservation_locked_to_max = true"),
      expect: "reservation",
    },
    { title: "A machine pool of Hive without its memory", yaml: hive(), expect: "missing" },
    { title: "One vCPU for Cluster API, v1beta2", yaml: machine("v1beta2"), expect: "low" },
    { title: "One vCPU for Cluster API, v1beta1", yaml: machine("v1beta1"), expect: "raised" },
    { title: "A version of Workstation", terraform: vsphereVm("hardware_version = 16"), expect: "noVersion" },
    {
      title: "A reservation besides the lock, in VM Operator",
      yaml: sized("resources: { requests: { memory: 4Gi } }, memoryAdvanced: { reservationLockedToMax: true }"),
      expect: "together",
    },
    {
      title: "NUMA nodes without cores per socket, in VM Operator",
      yaml: sized("resources: { size: { cpu: 8 } }, cpuAdvanced: { topology: { vnumaNodeCount: 2 } }"),
      expect: "incomplete",
    },
    {
      title: "10 vCPUs on 4 NUMA nodes, in VM Operator",
      yaml: sized("resources: { size: { cpu: 10 } }, cpuAdvanced: { topology: { vnumaNodeCount: 4, coresPerSocket: 5 } }"),
      expect: "uneven",
    },
    { title: "One vCPU for a machine of OpenShift", yaml: openshiftMachine(), expect: "warned" },
    {
      title: "Cores per socket without vCPUs, in Ansible",
      yaml: task("template: t, hardware: { num_cpu_cores_per_socket: 4 }"),
      expect: "alone",
    },
    { title: "The firmware of a clone, in Ansible", yaml: task("template: t, hardware: { boot_firmware: efi }"), expect: "ofTemplate" },
    {
      title: "The firmware of a VM that exists, in Ansible",
      yaml: task("moid: vm-42, hardware: { num_cpus: 4, boot_firmware: efi }"),
      expect: "ofExisting",
    },
    { title: "A plan that changes nothing", json: PLAN, expect: "planned" },
  ],
  good: [
    {
      title: "A node size on version 20",
      terraform: vsphereVm("num_cpus                = 16\n  hardware_version        = 20\n  num_cores_per_numa_node = 8"),
    },
    {
      title: "All of the memory is reserved",
      terraform: vsphereVm(
        "memory                           = 65536\n  memory_reservation               = 65536\n  memory_reservation_locked_to_max = true",
      ),
    },
    {
      title: "A reservation that is not known",
      terraform: `variable "reserved" {}\n\n${vsphereVm("memory                           = 65536\n  memory_reservation               = var.reserved\n  memory_reservation_locked_to_max = true")}`,
    },
  ],
});

interface Treated {
  readonly by: string;
  readonly argument: string;
  readonly value: string;
}
