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
    ["alternatives of one resource", { "a.tf": VM + declared(4), "b.tf": VM + declared(8) }, []],
    ["a template engine makes the rest", { "main.tf": VM, "variables.tf.j2": "" }, []],
    ["Terragrunt makes the rest", { "main.tf": VM, "terragrunt.hcl": "" }, []],
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
