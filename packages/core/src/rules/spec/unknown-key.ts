import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "spec/unknown-key",
  severity: "error",
  severities: { near: "warning" },
  for: "any",
  over: "text",
  messages: {
    argument: (d: { key: string; nearest: string | null }) =>
      `The builder of this source has no argument ${d.key}.${d.nearest ? ` Use ${d.nearest}.` : " Remove it."}`,
    unknown: (d: { key: string; nearest: string | null }) => `A spec has no key ${d.key}.${d.nearest ? ` Did you mean ${d.nearest}?` : ""}`,
    near: (d: { key: string; nearest: string }) => `${d.key} has no effect: the name of the setting is ${d.nearest}.`,
    twice: (d: { key: string }) => `${d.key} is set twice: the last one counts.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Unknown or duplicate key in a VM spec",
  why: "A misspelt key has no effect, and for a duplicate key only the last value counts: the VM then differs from the description.",
  whenNot: "Never: keys of your own belong under metadata.labels or metadata.annotations.",
  bad: [
    { title: "An argument of another builder", json: `{"builders": [{"type": "vmware-iso", "cpu_cores": 4}]}`, expect: "argument" },
    { title: "A misspelt key", yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpu: 4\n`, expect: "unknown" },
    { title: "An argument in other letters", terraform: `resource "vsphere_virtual_machine" "vm" {\n  num_cpu = 4\n}\n`, expect: "near" },
    { title: "A key set twice", yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  vcpus: 8\n`, expect: "twice" },
  ],
  good: [
    {
      title: "An advanced option",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata:\n  name: sql01\nspec:\n  vcpus: 4\n  advanced:\n    numa.vcpu.preferHT: "TRUE"\n`,
    },
  ],
});
