import { EXTRA_CONFIG, TERRAFORM_PROVIDER } from "../../model/sources.ts";
import { defineRule } from "../define.ts";

const vm = (body: string): string => `resource "vsphere_virtual_machine" "sql" {\n  ${body}\n}\n`;

export const rule = defineRule({
  id: "tf/extra-config-shadow",
  since: "0.1.0",
  severity: "warning",
  severities: { same: "info" },
  summary: "extra_config sets the same key as an argument",
  why: "The provider sends extra_config together with its arguments and their defaults. The API silently ignores a key of extra_config that conflicts with an argument: the VM gets the value of the argument, but the reader of the code expects the other.",
  whenNot: "When your vCenter is known to use the key. vmlint still uses the argument.",
  evidence: null,
  sources: [EXTRA_CONFIG, TERRAFORM_PROVIDER],
  on: ["configured"],
  messages: {
    differs: (d: Shadow) =>
      `extra_config sets ${d.key} to ${d.option}, and ${d.argument} sets ${d.value}: vSphere ignores the key. Remove it, and set ${d.argument} = ${d.option} if you want that value.`,
    default: (d: Shadow) =>
      `extra_config sets ${d.key} to ${d.option}, and the provider sends ${d.argument} = ${d.value}, its default: vSphere ignores the key. Set ${d.argument} in its place.`,
    same: (d: Shadow) => `extra_config sets ${d.key} to ${d.option}, as ${d.argument} does already. Remove the key.`,
  },
  bad: [
    {
      title: "Two socket sizes",
      terraform: vm(`num_cpus             = 8\n  num_cores_per_socket = 4\n  extra_config = {\n    "cpuid.coresPerSocket" = "8"\n  }`),
      expect: "differs",
    },
    {
      title: "The argument is left out, and its default is sent",
      terraform: vm(`num_cpus = 8\n  extra_config = {\n    "sched.cpu.latencySensitivity" = "high"\n  }`),
      expect: "default",
    },
    {
      title: "Set twice with the same value",
      terraform: vm(`num_cpus = 8\n  extra_config = {\n    numvcpus = "8"\n  }`),
      expect: "same",
    },
  ],
  good: [
    {
      title: "Only the argument, and keys without an argument",
      terraform: vm(
        `num_cpus             = 8\n  num_cores_per_socket = 4\n  extra_config = {\n    "numa.vcpu.preferHT" = "TRUE"\n    "guestinfo.role"     = "sql"\n  }`,
      ),
    },
    {
      title: "An argument that is sent only if set",
      terraform: vm(`num_cpus = 8\n  extra_config = {\n    "numa.vcpu.coresPerNode" = "4"\n  }`),
    },
    {
      title: "An unknown value",
      terraform: `variable "cores" {}\n\n${vm(`num_cpus             = 8\n  num_cores_per_socket = 4\n  extra_config = {\n    "cpuid.coresPerSocket" = var.cores\n  }`)}`,
    },
    { title: "A .vmx is the VM's own file", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "4"` },
  ],
  *check({ vm: { configured } }) {
    for (const { key, range, rival } of configured?.().options ?? []) {
      if (!rival) continue;
      const { argument, value, option, agrees, range: argumentRange } = rival;
      const data = { key, option, argument, value };
      const related = argumentRange ? [{ message: `${argument} is set here`, range: argumentRange }] : [];
      yield { messageId: agrees ? "same" : argumentRange ? "differs" : "default", data, at: range, related };
    }
  },
});

interface Shadow {
  readonly key: string;
  readonly option: string;
  readonly argument: string;
  readonly value: string;
}
