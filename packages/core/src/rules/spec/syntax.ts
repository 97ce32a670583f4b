import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "spec/syntax",
  since: "0.1.0",
  severity: "error",
  summary: "A VM spec, a Terraform file or a Packer template is not whole, or too large to be one",
  why: "What follows the mistake may be read otherwise than it was meant, so nothing can be said of it for certain.",
  whenNot: "Never: correct the line.",
  evidence: null,
  sources: [],
  esxiOnly: false,
  messages: {
    syntax: (d: { message: string }) => `This file cannot be read: ${d.message.replace(/\.$/, "")}.`,
    cut: (d: { most: number }) =>
      `This configuration makes more than ${d.most} VMs or calls of modules, and only the first are checked. Check its modules by themselves.`,
  },
  bad: [
    {
      title: "A bracket that nothing closes",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  cpuAffinity: [0, 2\n`,
      expect: "syntax",
    },
    {
      title: "More VMs than are spelled out",
      terraform: Array.from({ length: 11 }, (_, at) => `resource "vsphere_virtual_machine" "vm${at}" { count = 2000 }\n`).join(""),
      expect: "cut",
    },
  ],
  good: [
    {
      title: "Two VMs in one file",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\n---\napiVersion: vmlint.dev/v1\nkind: VirtualMachine\n`,
    },
  ],
});
