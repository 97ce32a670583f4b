import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../packages/core/src/index.ts";

const found = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { findings } = await openWorkspace({ files }).check(Object.keys(files));
  return findings
    .filter(({ ruleId }) => /^spec\/(?:type|syntax|unknown-key|directive)$/.test(ruleId))
    .map(({ path, line, message }) => `${path}:${line} ${message}`);
};

const VM = 'resource "vsphere_virtual_machine" "a" {\n  num_cpus = var.cpus\n}\n';
const declared = (value: number) => `variable "cpus" {\n  default = ${value}\n}\n`;
const LOCAL = VM.replace("var.", "local.");
const NO_LOCAL = 'main.tf:2 There is no local "cpus" in this folder. Declare it, or correct its name.';
const locals = (value: number) => `locals {\n  cpus = ${value}\n}\n`;
const again = (path: string, line: number, what: string) => `${path}:${line} This file already has a ${what}. Rename or remove one.`;
const SOURCE = 'source "vsphere-iso" "a" {\n  CPUs = var.cpus\n}\n';
const TWICE = 'a.pkr.hcl:2 Variable "cpus" is declared in several files of this folder. Keep one declaration.';
const TWICE_LOCAL = 'main.tf:2 Local "cpus" is declared in several files of this folder. Keep one declaration.';
const TASK = (args: string) => `- hosts: localhost\n  tasks: [{community.vmware.vmware_guest: ${args}}]\n`;
const UNDECLARED = 'main.tf:2 There is no variable "cpus" in this folder. Declare it, or correct its name.';

describe("what Terraform or Packer refuses is a finding", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["a variable without declaration", { "main.tf": VM }, [UNDECLARED]],
    ["declared in another file", { "main.tf": VM, "variables.tf": declared(4) }, []],
    [
      "declared in two other files",
      { "main.tf": VM, "a.tf": declared(4), "b.tf": declared(8) },
      ['main.tf:2 Variable "cpus" is declared in several files of this folder. Keep one declaration.'],
    ],
    ["a local in two other files", { "main.tf": LOCAL, "a.tf": locals(4), "b.tf": locals(8) }, [TWICE_LOCAL]],
    ["a local twice in a file", { "main.tf": LOCAL + locals(4) + locals(8) }, [again("main.tf", 8, 'local "cpus"')]],
    ["a local twice in a block", { "main.tf": `${LOCAL}locals {\n  cpus = 4\n  cpus = 8\n}\n` }, [again("main.tf", 6, 'local "cpus"')]],
    [
      "a local twice in Packer",
      { "a.pkr.hcl": SOURCE.replace("var", "local") + locals(4) + locals(8) },
      [again("a.pkr.hcl", 8, 'local "cpus"')],
    ],
    ["a variable twice in Packer", { "a.pkr.hcl": SOURCE + declared(4) + declared(8) }, [again("a.pkr.hcl", 7, 'variable "cpus"')]],
    ["alternatives with locals of one name", { "a.tf": LOCAL + locals(4), "b.tf": LOCAL + locals(8) }, []],
    ["alternatives of one resource", { "a.tf": VM + declared(4), "b.tf": VM + declared(8) }, []],
    ["a template engine makes the rest", { "main.tf": VM, "variables.tf.j2": "" }, []],
    ["Terragrunt makes the rest", { "main.tf": VM, "terragrunt.hcl": "" }, []],
    ["a local that nothing declares", { "main.tf": LOCAL }, [NO_LOCAL]],
    ["among other locals", { "main.tf": LOCAL, "locals.tf": "locals {\n  cpu = 4\n}\n" }, [NO_LOCAL]],
    [
      "a local through a local",
      { "main.tf": LOCAL, "a.tf": "locals {\n  cpus = local.gone\n}\n" },
      [NO_LOCAL.replace("cpus", "gone").replace("main", "a")],
    ],
    ["a local in an operation", { "main.tf": LOCAL.replace("local.cpus", "local.cpus * 2") }, [NO_LOCAL]],
    ["a local in a text", { "main.tf": LOCAL.replace("local.cpus", '"${local.cpus}"') }, [NO_LOCAL]],
    ["a variable in an operation", { "main.tf": VM.replace("var.cpus", "var.cpus * 2") }, [UNDECLARED]],
    ["a local of another file", { "main.tf": LOCAL, "locals.tf": "locals {\n  cpus = 4\n}\n" }, []],
    ["a local of JSON", { "main.tf": LOCAL, "locals.tf.json": '{"locals": {"cpus": 4}}' }, []],
    ["a local of a list in JSON", { "main.tf": LOCAL, "locals.tf.json": '{"locals": [{"n": 1}, {"cpus": 4}]}' }, []],
    ["a local of OpenTofu", { "main.tf": LOCAL, "locals.tofu": "locals {\n  cpus = 4\n}\n" }, []],
    ["a local of an override file", { "main.tf": LOCAL, "override.tf": "locals {\n  cpus = 4\n}\n" }, []],
    ["a local that Terragrunt may make", { "main.tf": LOCAL, "terragrunt.hcl": 'generate "l" {\n}\n' }, []],
    ["a local where another file is not whole", { "main.tf": LOCAL, "locals.tf": "locals {{\n" }, []],
    ["a local in Packer", { "a.pkr.hcl": SOURCE.replace("var", "local") }, [NO_LOCAL.replace("main.tf", "a.pkr.hcl")]],
    ["a local block in Packer", { "a.pkr.hcl": SOURCE.replace("var", "local"), "b.pkr.hcl": 'local "cpus" {\n  expression = 4\n}\n' }, []],
    ["declared in two files of Packer", { "a.pkr.hcl": SOURCE, "b.pkr.hcl": declared(4), "c.pkr.hcl": declared(8) }, [TWICE]],
    ["declared in a template of Packer, and again", { "a.pkr.hcl": SOURCE + declared(4), "variables.pkr.hcl": declared(8) }, [TWICE]],
    ["two templates of Packer", { "a.pkr.hcl": SOURCE + declared(4), "b.pkr.hcl": SOURCE.replace('"a"', '"b"') + declared(8) }, []],
    [
      "a user variable without declaration",
      { "t.json": '{"variables": {"name": "a"}, "builders": [{"type": "vsphere-iso",\n"CPUs": "{{user `cpus`}}"}]}' },
      [],
    ],
    [
      "a user variable in other letters",
      { "t.json": '{"variables": {"vm_cpus": "4"}, "builders": [{"type": "vsphere-iso",\n"CPUs": "{{user `vm-cpus`}}"}]}' },
      ['t.json:2 There is no user variable "vm-cpus" in this template. Declare it, or correct its name.'],
    ],
    [
      "a user variable of another file",
      { "t.json": '{"builders": [{"type": "vsphere-iso", "CPUs": "{{user `n`}}"}]}', "variables.json": '{"n": "4"}' },
      [],
    ],
    [
      "a required user variable",
      { "t.json": '{"variables": {"n": null}, "builders": [{"type": "vsphere-iso", "CPUs": "{{user `n`}}"}]}' },
      [],
    ],
    [
      "no notation of Packer",
      { "t.json": '{"builders": [{"type": "vsphere-iso", "CPUs": "{user `n`}}"}]}' },
      ['t.json:1 CPUs must be a positive whole number, not "{user `n`}}".'],
    ],
    ["another file that is not whole", { "main.tf": VM, "variables.tf": "variable {{\n" }, []],
    [
      "in Packer",
      { "a.pkr.hcl": 'source "vsphere-iso" "a" {\n  CPUs = var.cpus\n}\n' },
      ['a.pkr.hcl:2 There is no variable "cpus" in this folder. Declare it, or correct its name.'],
    ],
    [
      "arguments of another builder",
      { "a.pkr.hcl": 'source "vmware-iso" "a" {\n  CPUs = 4\n}\nsource "vsphere-iso" "b" {\n  memory = 4096\n}\n' },
      [
        "a.pkr.hcl:2 The builder of this source has no argument CPUs. Use cpus.",
        "a.pkr.hcl:5 The builder of this source has no argument memory. Use RAM.",
      ],
    ],
    ["any case in JSON", { "t.json": '{"builders": [{"type": "vmware-iso", "CPUs": 4, "Memory": 4096}]}' }, []],
    [
      "an argument on the wrong level of a task",
      { "a.yml": TASK("{name: a, num_cpus: 4, hardware: {memory_mb: 4096, guest_id: x}}") },
      [
        "a.yml:2 num_cpus has no effect: the name of the setting is hardware.num_cpus.",
        "a.yml:2 hardware.guest_id has no effect: the name of the setting is guest_id.",
      ],
    ],
    ["arguments of a task, and keys of its own", { "a.yml": TASK("{name: a, wait: 1, hardware: {num_cpus: 4, my_cpus: 4}}") }, []],
    [
      "a user variable of the wrong type",
      { "t.json": '{"variables": {"n": "four"},\n"builders": [{"type": "vsphere-iso", "CPUs": "{{user `n`}}"}]}' },
      ["t.json:2 CPUs must be a positive whole number."],
    ],
    [
      "a fact of a workload that nothing names",
      { "a.vmx": '# vmlint: edition=standard version=2022\nnumvcpus = "4"\n' },
      ["a.vmx:1 edition has no effect without a workload: add workload=mssql, or the workload that the VM has."],
    ],
    [
      "the workload is in the configuration",
      { "vmlint.yaml": "workload: { kind: mssql }\n", "a.vmx": '# vmlint: edition=standard version=2022\nnumvcpus = "4"\n' },
      [],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await found(files)).toEqual(expected);
  });
});
