import {
  EXTRA_CONFIG,
  GOVMOMI_1462,
  OVF_EXTRA_CONFIG,
  PACKER_33,
  PACKER_48,
  RANCHER_30814,
  TERRAFORM_2339,
  TERRAFORM_PROVIDER,
} from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { vsphereVm } from "../vsphere-example.ts";

const BUT = "Reports that a key took effect exist (govmomi#1462), so look at the VM.";

export const rule = builtinRule({
  id: "tf/extra-config-shadow",
  severity: "warning",
  severities: { same: "info", device: "info" },
  on: ["configured"],
  messages: {
    differs: (d: Shadow & Sent) =>
      `${d.list} sets ${d.key} to ${d.option}, and ${d.argument} sets ${d.value}: the API documents the key as ignored. Remove it, and set ${d.argument} to ${d.option} if you want that value.`,
    default: (d: Shadow & Sent) =>
      `${d.list} sets ${d.key} to ${d.option}, and ${d.argument}, which is missing, has the default ${d.value}: the API documents the key as ignored. Set ${d.argument} in its place.`,
    same: (d: Shadow & Sent) =>
      `${d.list} sets ${d.key} to ${d.option}, as ${d.argument} does, and the API documents the key as ignored. Remove it.`,
    field: (d: Shadow & { argument: string }) =>
      `${d.list} sets ${d.key}, which the API documents as ignored, because its field ${d.field} sets the same. Set ${d.argument} in its place. ${BUT}`,
    none: (d: Shadow) =>
      `${d.list} sets ${d.key}, which the API documents as ignored, because its field ${d.field} sets the same. Nothing here sets that field: set it in the template, or after the VM is made. ${BUT}`,
    device: (d: Shadow) => `${d.list} sets ${d.key}, which the API documents as ignored, because ${d.field} sets the same.`,
  },
  *check({ vm: { configured } }) {
    for (const { key, range, ignored } of configured?.().options ?? []) {
      if (!ignored) continue;
      const { list, field, argument, sent, isDevice } = ignored;
      const data = { list, key, field };
      if (argument !== undefined && sent) {
        const { value, option, agrees, range: at } = sent;
        const related = at ? [{ message: `${argument} is set here`, range: at }] : [];
        yield {
          messageId: agrees ? "same" : at ? "differs" : "default",
          data: { ...data, argument, option, value },
          at: range,
          related,
        };
      } else if (argument !== undefined) yield { messageId: "field", data: { ...data, argument }, at: range };
      else yield { messageId: isDevice ? "device" : "none", data, at: range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "An option sets what the API has a field for, which is documented as ignored",
  why: "The API silently ignores a key of its list of options if a field of the request can set the same, even if that field is missing. The VM gets the value of the field, but the reader of the file expects the other. All tools that call the API have this list under a name of their own, such as extra_config, advanced_settings or vmw:ExtraConfig. Only the .vmx itself takes every key.",
  whenNot: "When your vCenter is known to use the key. vmlint still uses the field.",
  evidence: {
    figure: "sched.cpu.affinity in extra_config of Terraform had no effect",
    source: TERRAFORM_2339,
    against: "govmomi#1462 and rancher#30814 present govc vm.change -e cpuid.coresPerSocket, the same list, as working.",
  },
  sources: [EXTRA_CONFIG, OVF_EXTRA_CONFIG, TERRAFORM_PROVIDER, TERRAFORM_2339, PACKER_33, PACKER_48, GOVMOMI_1462, RANCHER_30814],
  bad: [
    {
      title: "Two socket sizes",
      terraform: vsphereVm(
        `num_cpus             = 8\n  num_cores_per_socket = 4\n  extra_config = {\n    "cpuid.coresPerSocket" = "8"\n  }`,
      ),
      expect: "differs",
    },
    {
      title: "The argument is left out, and its default is sent",
      terraform: vsphereVm(`num_cpus = 8\n  extra_config = {\n    "sched.cpu.latencySensitivity" = "high"\n  }`),
      expect: "default",
    },
    {
      title: "Set twice with the same value",
      terraform: vsphereVm(`num_cpus = 8\n  extra_config = {\n    numvcpus = "8"\n  }`),
      expect: "same",
    },
    {
      title: "An argument without a default",
      terraform: vsphereVm(`num_cpus = 8\n  extra_config = {\n    "sched.mem.pin" = "TRUE"\n  }`),
      expect: "field",
    },
    {
      title: "Pinning, which has no argument",
      terraform: vsphereVm(`num_cpus = 4\n  extra_config = {\n    "sched.cpu.affinity" = "0,1,2,3"\n  }`),
      expect: "none",
    },
    {
      title: "The type of a controller",
      terraform: vsphereVm(`num_cpus = 4\n  extra_config = {\n    "scsi0.virtualDev" = "pvscsi"\n  }`),
      expect: "device",
    },
  ],
  good: [
    {
      title: "Only the argument, and keys without a field",
      terraform: vsphereVm(
        `num_cpus             = 8\n  num_cores_per_socket = 4\n  extra_config = {\n    "numa.vcpu.preferHT" = "TRUE"\n    "guestinfo.role"     = "sql"\n  }`,
      ),
    },
    {
      title: "Nodes of the host, which only an option sets",
      terraform: vsphereVm(`num_cpus = 8\n  extra_config = {\n    "numa.nodeAffinity" = "0"\n  }`),
    },
    {
      title: "An unknown value",
      terraform: `variable "cores" {}\n\n${vsphereVm(`num_cpus             = 8\n  num_cores_per_socket = 4\n  extra_config = {\n    "cpuid.coresPerSocket" = var.cores\n  }`)}`,
    },
    { title: "A .vmx is the VM's own file", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "4"` },
  ],
});

interface Shadow {
  /** The list that contains the key: `extra_config`. */
  readonly list: string;
  readonly key: string;
  readonly field: string;
}

interface Sent {
  readonly argument: string;
  readonly option: string;
  readonly value: string;
}
