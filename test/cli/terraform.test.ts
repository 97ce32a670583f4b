import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, vmlint } from "../support/cli.ts";

const MAIN = `variable "cpus" {
  default = 2
}
resource "vsphere_virtual_machine" "vm" {
  num_cpus = var.cpus
}
`;

const vcpus = (cwd: string, args: readonly string[], env = {}) => {
  const { out, err } = vmlint(cwd, ["topology", "--format", "json", ...args], env);
  expect(err).toBe("");
  return JSON.parse(out).vms.map((vm: { path: string; name: string; spec: { vcpus: unknown } }) => [vm.path, vm.name, vm.spec.vcpus]);
};

test("values of variables: the environment, then --var and --var-file in their order", () => {
  const cwd = folder({ "main.tf": MAIN, "values/prod.tfvars": "cpus = 8\n" });
  const vm = ["main.tf", "vsphere_virtual_machine.vm"];
  expect(vcpus(cwd, [])).toEqual([[...vm, 2]]);
  expect(vcpus(cwd, [], { TF_VAR_cpus: "4" })).toEqual([[...vm, 4]]);
  expect(vcpus(cwd, ["--var", "cpus=6", "--var-file", "values/prod.tfvars"], { TF_VAR_cpus: "4" })).toEqual([[...vm, 8]]);
  expect(vcpus(cwd, ["--var-file=values/prod.tfvars", "--var=cpus=6"])).toEqual([[...vm, 6]]);
});

test("a wrong --var or --var-file is the caller's to correct", () => {
  const cwd = folder({ "main.tf": MAIN });
  expect(vmlint(cwd, ["--var", "cpus"])).toMatchObject({ code: 2, err: 'vmlint: --var takes NAME=VALUE, not "cpus".\n' });
  expect(vmlint(cwd, ["--var-file", "gone.tfvars"])).toMatchObject({ code: 2, err: "vmlint: gone.tfvars does not exist.\n" });
});

test("a folder that another one calls is judged through the call, and by itself where it is asked for alone", () => {
  const cwd = folder({ "envs/prod/main.tf": 'module "db" {\n  source = "../../modules/vm"\n  cpus = 16\n}\n', "modules/vm/main.tf": MAIN });
  expect(vcpus(cwd, [])).toEqual([["envs/prod/main.tf", "module.db.vsphere_virtual_machine.vm", 16]]);
  expect(vcpus(cwd, ["envs/prod"])).toEqual([["envs/prod/main.tf", "module.db.vsphere_virtual_machine.vm", 16]]);
  expect(vcpus(cwd, ["modules"])).toEqual([["modules/vm/main.tf", "vsphere_virtual_machine.vm", 2]]);
});

test("findings lie in the file of the call, related places in the module's, and VMs go by their address or name in vmlint.yaml", () => {
  const cwd = folder({
    "main.tf": 'module "db" {\n  source = "./vm"\n  name   = "sql-1"\n  cores  = 1\n}\n',
    "vm/main.tf":
      'variable "name" {}\nvariable "cores" {}\nresource "vsphere_virtual_machine" "vm" {\n  name                 = var.name\n  num_cpus             = 8\n  num_cores_per_socket = var.cores\n}\n',
    "vmlint.yaml": 'overrides:\n  - vms: ["sql-*"]\n    workload: { kind: mssql, edition: standard, version: "2022" }\n',
    "other.vmx": 'config.version = "8"\nnumvcpus = "2"\n',
  });
  const { code, out } = vmlint(cwd, ["--format", "json"]);
  const { diagnostics, summary } = JSON.parse(out);
  expect(code).toBe(1);
  expect(summary).toMatchObject({ files: 2, vms: 2, error: 1 });
  expect(diagnostics).toMatchObject([
    {
      ruleId: "mssql/standard-sockets",
      path: "main.tf",
      range: { start: { line: 4, column: 12 } },
      vm: "module.db.vsphere_virtual_machine.vm",
      related: [{ path: "vm/main.tf", range: { start: { line: 6, column: 26 } } }],
      fixes: [{ edits: [{ path: "main.tf", newText: "8" }] }],
    },
  ]);
  expect(vmlint(cwd, []).out).toContain("see: vm/main.tf:6:26, used as var.cores");
});

test("--fix-unsafe writes the literal where it is, and what another file says stays", () => {
  const main = 'module "db" {\n  source = "./vm"\n  cores  = 1 # of each\n}\n';
  const vm =
    'variable "cores" {}\n\n# vmlint: workload=mssql edition=standard version=2022\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus             = 8\n  num_cores_per_socket = var.cores\n}\n';
  const cwd = folder({ "main.tf": main, "vm/main.tf": vm });
  const { code, out, err } = vmlint(cwd, ["--fix", "--fix-unsafe", "--host", "2x24x2:768@8.0"]);
  expect([code, err]).toEqual([0, "vmlint: main.tf: fixed mssql/standard-sockets: Set 8 cores per socket.\n"]);
  expect(out).toContain("Nothing to report");
  expect(readFileSync(join(cwd, "main.tf"), "utf8")).toBe(main.replace("1 #", "8 #"));
  expect(readFileSync(join(cwd, "vm/main.tf"), "utf8")).toBe(vm);
});

test("machines in a YAML file", () => {
  const main =
    'locals {\n  vms = yamldecode(file("${path.module}/vms.yaml"))\n}\nresource "vsphere_virtual_machine" "vm" {\n  for_each = local.vms\n  num_cpus = each.value.cpus\n}\n';
  const cwd = folder({ "main.tf": main, "vms.yaml": "web: { cpus: 4 }\ndb:\n  cpus: 8 # large\nodd: { cpus: 0x10 }\n" });
  expect(vcpus(cwd, [])).toEqual([
    ["main.tf", 'vsphere_virtual_machine.vm["db"]', 8],
    ["main.tf", 'vsphere_virtual_machine.vm["odd"]', { unknown: "this YAML is not evaluated" }],
    ["main.tf", 'vsphere_virtual_machine.vm["web"]', 4],
  ]);
});

test("a folder without VMs is quiet", () => {
  const cwd = folder({ "main.tf": 'output "x" {\n  value = 1\n}\n', "providers.tf": 'provider "vsphere" {}\n' });
  expect(vmlint(cwd, [])).toMatchObject({ code: 0, err: "" });
});
