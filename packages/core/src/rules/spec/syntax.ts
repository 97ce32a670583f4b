import { capitalized } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "spec/syntax",
  severity: "error",
  for: "any",
  over: "text",
  messages: {
    syntax: (d: { message: string }) => `Syntax error: ${d.message.replace(/\.$/, "")}.`,
    twice: (d: { name: string }) => `${d.name} is set twice in this block. Remove one.`,
    again: (d: { what: string }) => `This file already has a ${d.what}. Rename or remove one.`,
    variable: (d: { kind: string; name: string; declarations: number }) =>
      d.declarations === 0
        ? `There is no ${d.kind} "${d.name}" in this ${d.kind === "user variable" ? "template" : "folder"}. Declare it, or correct its name.`
        : `${capitalized(d.kind)} "${d.name}" is declared in several files of this folder. Keep one declaration.`,
    cut: (d: { most: number }) =>
      `This configuration makes more than ${d.most} VMs or calls of modules, and only the first are checked. Check its modules separately.`,
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Syntax error, or file too large",
  why: "The text after the mistake may be misread, so vmlint does not check it.",
  whenNot: "Never: correct the line.",
  bad: [
    {
      title: "A bracket that is not closed",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  cpuAffinity: [0, 2\n`,
      expect: "syntax",
    },
    {
      title: "An argument that is set twice",
      terraform: `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = 4\n  num_cpus = 8\n}\n`,
      expect: "twice",
    },
    {
      title: "Two VMs with one name",
      terraform: `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = 4\n}\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus = 8\n}\n`,
      expect: "again",
    },
    {
      title: "A variable that nothing declares",
      terraform: `resource "vsphere_virtual_machine" "vm" {\n  num_cpus = var.cpus\n}\n`,
      expect: "variable",
    },
    {
      title: "More VMs than vmlint checks",
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
