import { TERRAFORM_PROVIDER } from "../../model/sources.ts";
import { AUTO_TOPOLOGY_HARDWARE } from "../../topology/hardware.ts";
import { defineRule } from "../define.ts";

const vm = (body: string): string => `resource "vsphere_virtual_machine" "sql" {\n  ${body}\n}\n`;

export const rule = defineRule({
  id: "tf/dropped-argument",
  since: "0.1.0",
  severity: "warning",
  summary: "The provider takes an argument and does not send it",
  why: "The vSphere provider sends num_cores_per_numa_node only from hardware version 20 on, and memory_reservation_locked_to_max only where memory_reservation is all of the memory. Otherwise the plan shows the value, the apply succeeds, and the VM runs without it.",
  whenNot: "Never: say what the VM gets, or what it takes to get the other.",
  evidence: null,
  sources: [TERRAFORM_PROVIDER],
  esxiOnly: true,
  messages: {
    hardware: (d: { argument: string; value: string; hardwareVersion: number }) =>
      `The provider does not send ${d.argument} = ${d.value} below hardware version ${AUTO_TOPOLOGY_HARDWARE}, and this VM has ${d.hardwareVersion}. Set hardware_version = ${AUTO_TOPOLOGY_HARDWARE}, or remove the argument.`,
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
  applies: (_, { configured }) => configured !== undefined,
  *check({ vm: { configured } }) {
    for (const { argument, value, range, because } of configured?.().dropped ?? []) {
      if ("hardwareVersion" in because) yield { messageId: "hardware", data: { argument, value, ...because }, at: range };
      else yield { messageId: "reservation", data: { argument, value, ...because }, at: range };
    }
  },
});
