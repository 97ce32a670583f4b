import { AUTO_TOPOLOGY_HARDWARE } from "../../limits/hardware.ts";
import { TERRAFORM_PROVIDER } from "../../model/sources.ts";
import { defineRule } from "../define.ts";

const vm = (body: string): string => `resource "vsphere_virtual_machine" "sql" {\n  ${body}\n}\n`;

export const rule = defineRule({
  id: "tf/dropped-argument",
  since: "0.1.0",
  severity: "warning",
  summary: "Provider does not send an argument, or rejects it",
  why: "The vSphere provider sends num_cores_per_numa_node only from hardware version 20 on, and memory_reservation_locked_to_max only where memory_reservation is all of the memory. Otherwise the plan shows the value, the apply succeeds, and the VM runs without it. A node size without any hardware_version, or with a provider before 2.16.0, is refused.",
  whenNot: "Never: set the value that the VM really gets.",
  evidence: null,
  sources: [TERRAFORM_PROVIDER],
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
  },
  bad: [
    {
      title: "A node size on version 19",
      terraform: vm("num_cpus                = 16\n  hardware_version        = 19\n  num_cores_per_numa_node = 8"),
      expect: "hardware",
    },
    {
      title: "A node size without a version",
      terraform: vm("num_cpus                = 16\n  num_cores_per_numa_node = 8"),
      expect: "refused",
    },
    {
      title: "A node size, and a provider that does not know it",
      terraform: `terraform {\n  required_providers {\n    vsphere = {\n      source  = "vmware/vsphere"\n      version = "~> 2.8.0"\n    }\n  }\n}\n\n${vm("num_cpus                = 16\n  hardware_version        = 20\n  num_cores_per_numa_node = 8")}`,
      expect: "release",
    },
    {
      title: "Half of the memory is reserved",
      terraform: vm(
        "memory                           = 65536\n  memory_reservation               = 32768\n  memory_reservation_locked_to_max = true",
      ),
      expect: "reservation",
    },
    {
      title: "Nothing is reserved",
      terraform: vm("memory                           = 65536\n  memory_reservation_locked_to_max = true"),
      expect: "reservation",
    },
  ],
  good: [
    {
      title: "A node size on version 20",
      terraform: vm("num_cpus                = 16\n  hardware_version        = 20\n  num_cores_per_numa_node = 8"),
    },
    {
      title: "All of the memory is reserved",
      terraform: vm(
        "memory                           = 65536\n  memory_reservation               = 65536\n  memory_reservation_locked_to_max = true",
      ),
    },
    {
      title: "A reservation that is not known",
      terraform: `variable "reserved" {}\n\n${vm("memory                           = 65536\n  memory_reservation               = var.reserved\n  memory_reservation_locked_to_max = true")}`,
    },
  ],
  *check({ vm: { configured } }) {
    for (const { argument, value, range, because } of configured?.().dropped ?? []) {
      if ("release" in because) yield { messageId: "release", data: { argument, value, ...because }, at: range };
      else if ("memoryMiB" in because) yield { messageId: "reservation", data: { argument, value, ...because }, at: range };
      else if (because.hardwareVersion === undefined) yield { messageId: "refused", data: { argument, value }, at: range };
      else yield { messageId: "hardware", data: { argument, value, hardwareVersion: because.hardwareVersion }, at: range };
    }
  },
});
