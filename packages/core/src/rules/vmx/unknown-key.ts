import { misspelt, TUNING_FAMILIES } from "../../formats/misspelt.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { vsphereVm } from "../vsphere-example.ts";

export const rule = builtinRule({
  id: "vmx/unknown-key",
  severity: "warning",
  for: "any",
  on: ["configured"],
  messages: { near: (d: { key: string; meant: string }) => `Unknown key ${d.key}. Did you mean ${d.meant}?` },
  // For a .vmx, the parser reports unknown keys.
  *check({ vm }) {
    for (const { key, range } of vm.configured?.().options ?? []) {
      const lower = key.toLowerCase();
      const suggestion = TUNING_FAMILIES.some((family) => lower.startsWith(family)) ? misspelt(lower) : undefined;
      if (suggestion !== undefined) yield { messageId: "near", data: { key, meant: suggestion }, at: range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Misspelt key",
  why: "No list of VMware's keys has this name, but a similar key exists. The VM silently misses the setting (no source states how VMware treats an unknown key). This applies to `.vmx` files and to options from Terraform (`extra_config`), Packer, Ansible and others.",
  whenNot: "When the key is correct but unknown to vmlint: turn the rule off in an override for the file.",
  bad: [
    { title: "A letter too few", vmx: `numvcpus = "16"\nnuma.vcpu.preferT = "TRUE"` },
    { title: "Two letters swapped", vmx: `numvcpus = "16"\nnuma.vcpu.maxPerVirtaulNode = "8"` },
    {
      title: "In Terraform's extra_config",
      terraform: vsphereVm(`num_cpus = 16\n  extra_config = {\n    "numa.vcpu.preferT" = "TRUE"\n  }`),
    },
    {
      title: "In Ansible's advanced_settings",
      yaml: `- community.vmware.vmware_guest:\n    name: sql01\n    advanced_settings:\n      - key: numa.vcpu.preferT\n        value: "TRUE"\n`,
    },
  ],
  good: [
    {
      title: "A key that is computed is not known",
      terraform: `variable "key" {}\n\n${vsphereVm(`num_cpus = 16\n  extra_config = {\n    (var.key) = "TRUE"\n  }`)}`,
    },
    { title: "Keys in any case", vmx: `numvcpus = "16"\nNUMA.VCPU.PREFERHT = "TRUE"\nsched.mem.minSize = "0"` },
    {
      title: "A CPUID mask, a vCPU's own affinity and a disk's shares",
      vmx: `cpuid.1.eax = "----"\nsched.vcpu0.affinity = "0"\nsched.scsi0:1.shares = "normal"`,
    },
    { title: "A key that is like no other: there are keys no list has", vmx: `numvcpus = "2"\nsched.something.else = "1"` },
  ],
});
