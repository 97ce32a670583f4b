import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../../packages/core/src/workspace/workspace.ts";

const VM = `
variable "cpus" { type = number }
resource "vsphere_virtual_machine" "web" {
  name     = "web"
  num_cpus = var.cpus
  memory   = 8192
  cpu_hot_add_enabled = true
}
`;

const check = async (files: Readonly<Record<string, string>>, options = {}) => {
  const { vms, results } = await openWorkspace({ files: { "main.tf": VM, ...files }, host: "2x10x2:256@8.0", ...options }).check();
  return {
    vms: vms.map(({ spec }) => `${spec.variant?.name} ${spec.settings.vcpus.state === "known" ? spec.settings.vcpus.value : "?"}`),
    findings: results.flatMap(({ diagnostics }) => diagnostics.map(({ ruleId, message, variants }) => ({ ruleId, message, variants }))),
    skipped: results.flatMap(({ skipped }) => skipped),
  };
};

describe("files with values beside a configuration are variants of it", () => {
  test("each is checked, and a finding names the ones that have it", async () => {
    const { vms, findings } = await check({ "env/dev.tfvars": "cpus = 2\n", "env/prod.tfvars": "cpus = 24\n" });
    expect(vms).toEqual(["env/dev.tfvars 2", "env/prod.tfvars 24"]);
    const one = findings.find(({ ruleId }) => ruleId === "cpu/exceeds-physical-cores");
    expect(one).toMatchObject({ variants: ["env/prod.tfvars"], message: expect.stringMatching(/^With env\/prod\.tfvars: 24 vCPUs/) });
  });

  test("a finding of all variants is reported once, without their names", async () => {
    const { findings } = await check({ "dev.tfvars": "cpus = 24\n", "prod.tfvars": "cpus = 24\n" });
    const all = findings.filter(({ ruleId }) => ruleId === "cpu/exceeds-physical-cores");
    expect(all).toMatchObject([{ variants: ["dev.tfvars", "prod.tfvars"], message: expect.stringMatching(/^24 vCPUs/) }]);
  });

  test("the files of one folder are used together", async () => {
    const { vms } = await check({
      "environments/dev/terraform.tfvars": "cpus = 2\n",
      "environments/prod/size.tfvars": "cpus = 4\n",
      "environments/prod/name.tfvars": 'other = "x"\n',
    });
    expect(vms).toEqual(["environments/dev/terraform.tfvars 2", "environments/prod/size.tfvars 4"]);
  });

  test("a root of its own in such a folder is no variant", async () => {
    const { vms } = await check({ "env/prod/main.tf": "", "env/prod/terraform.tfvars": "cpus = 24\n" });
    expect(vms).toEqual(["undefined ?"]);
  });

  test("files without a common variable are no alternatives, and a skipped check names them", async () => {
    const { vms, skipped } = await check({
      "size.tfvars": "cpus = 4\n",
      "more.tfvars": "memory = 4096\n",
      "main.tf": `${VM}variable "memory" {}`,
    });
    expect(vms).toEqual(["undefined ?"]);
    expect(skipped).toContainEqual(expect.objectContaining({ unset: [{ name: "var.cpus", foundIn: ["size.tfvars"] }] }));
  });

  test("a skipped check names an example only if nothing else sets the variable", async () => {
    const { vms, skipped } = await check({ "terraform.tfvars.example": "cpus = 4\n" });
    expect(vms).toEqual(["undefined ?"]);
    expect(skipped).toContainEqual(expect.objectContaining({ unset: [{ name: "var.cpus", foundIn: ["terraform.tfvars.example"] }] }));
    const { vms: named } = await check({ "terraform.tfvars.example": "cpus = 4\n", "vmlint.yaml": "varFiles: [terraform.tfvars.example]" });
    expect(named).toEqual(["undefined 4"]);
  });

  test("varFiles: of the configuration replaces them, and a file that is not there is an error", async () => {
    const files = { "env/dev.tfvars": "cpus = 2\n", "env/prod.tfvars": "cpus = 24\n" };
    expect((await check({ ...files, "vmlint.yaml": "varFiles: [env/prod.tfvars]" })).vms).toEqual(["undefined 24"]);
    await expect(check({ ...files, "vmlint.yaml": "varFiles: [env/pord.tfvars]" })).rejects.toThrow("env/pord.tfvars cannot be read");
  });

  test("Packer has these settings, too", async () => {
    const { vms } = await check({
      "main.tf": "",
      "vm.pkr.hcl": 'variable "cpus" {}\nsource "vsphere-iso" "web" {\n  CPUs = var.cpus\n}\n',
      "small.pkrvars.hcl": "cpus = 2\n",
      "large.pkrvars.hcl": "cpus = 24\n",
    });
    expect(vms).toEqual(["large.pkrvars.hcl 24", "small.pkrvars.hcl 2"]);
  });
});
