import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { folder } from "../../support/folder.ts";
import type { Texts } from "../../support/text-files.ts";
import { readWhole, shown } from "./support.ts";

/**
 * Projects whose VMs have a twin that Terraform can plan without a provider: `VM "name" { CPUS = ... }` is a vsphere_virtual_machine with
 * `num_cpus` for vmlint, and a terraform_data with `input` for Terraform.
 */
const PROJECTS: Readonly<
  Record<string, { readonly files: Texts; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }>
> = {
  "variables from everywhere": {
    files: {
      "main.tf": `
variable "a" { default = 1 }
variable "b" { type = number }
variable "c" { type = object({ cpus = number, extra = optional(object({ n = optional(number, 3) }), {}) }) }
variable "d" { type = map(number) }
variable "e" { type = list(string) }
variable "f" { default = 5 }
variable "g" { type = number }
variable "h" {
  type     = number
  default  = 12
  nullable = false
}
variable "i" { type = any }
VM "a" { CPUS = var.a }
VM "b" { CPUS = var.b }
VM "c" { CPUS = var.c.cpus + var.c.extra.n }
VM "d" { CPUS = lookup(var.d, "large", 2) }
VM "e" { CPUS = element(var.e, 3) }
VM "f" { CPUS = var.f }
VM "g" { CPUS = var.g }
VM "h" { CPUS = var.h }
VM "i" { CPUS = var.i.n }
`,
      "terraform.tfvars": 'b = 2\nc = { cpus = "4" }\nd = { large = 8 }\ne = [1, "2"]\nh = null\n',
      "x.auto.tfvars": "f = 7\n",
      "other.tfvars": "g = 3\n",
    },
    args: ["-var-file=other.tfvars", "-var=g=6"],
    env: { TF_VAR_b: "16", TF_VAR_i: "{ n = 9 }" },
  },
  "repetition and collections": {
    files: {
      "main.tf": `
locals {
  sizes = { small = [2, 4096], large = [8, 16384] }
  vms   = [{ name = "a", size = "small" }, { name = "b", size = "large" }, { name = "c", size = null }]
  base  = { cpus = 4, memory = 1024 }
}
VM "count" {
  count = length(local.vms)
  CPUS  = local.sizes[coalesce(local.vms[count.index].size, "large")][0]
}
VM "each" {
  for_each = { for vm in local.vms : vm.name => vm if vm.size != null }
  CPUS     = local.sizes[each.value.size][0] * (each.key == "a" ? 2 : 1)
}
VM "set" {
  for_each = toset([for vm in local.vms : upper(vm.name)])
  CPUS     = index(sort(keys({ A = 1, B = 2, C = 3 })), each.value) + 1
}
VM "none" {
  count = 0
  CPUS  = 1
}
VM "merged" { CPUS = merge(local.base, { cpus = 6 }).cpus }
VM "tried" { CPUS = try(local.base.cores, local.base.cpus, 1) }
VM "ceiling" { CPUS = ceil(max(local.base.memory, 2048) / 1000) * 2 }
VM "splat" { CPUS = sum([for s in values(local.sizes) : s[0]]) }
VM "text" { CPUS = "\${length(local.vms)}\${1}" }
VM "zip" { CPUS = zipmap(["x", "y"], [10, 20])["y"] }
VM "json" { CPUS = jsondecode(jsonencode({ n = 14 })).n }
VM "flat" { CPUS = length(flatten([for vm in local.vms : [for n in range(2) : "\${vm.name}-\${n}"]])) }
`,
    },
  },
  "a YAML file": {
    files: {
      "main.tf": `
locals { vms = yamldecode(file("\${path.module}/vms.yaml")) }
VM "each" {
  for_each = local.vms.sizes
  CPUS     = each.value.cpus
}
VM "all" { CPUS = length(jsonencode(local.vms)) }
`,
      "vms.yaml":
        "# sizes\nsizes:\n  web: { cpus: 4, memory: 4096, name: 'web 1', active: true }\n  \"db\":\n    cpus: 16\n    disks: [1, 2.5, -3]\n    note: >\n      a\n      b\n    text: |\n      c\n\n    nothing:\n    tilde: ~\n    plain: hello world\n",
    },
  },
  "arguments of other resources": {
    files: {
      "main.tf": `
variable "cpus" { default = "6" }
locals { other = VM.a.CPUS * 2 }
VM "a" { CPUS = 4 }
VM "b" { CPUS = VM.a.CPUS }
VM "c" { CPUS = local.other + VM.d.CPUS }
VM "d" { CPUS = var.cpus }
VM "e" { CPUS = module.m.cpus }
module "m" {
  source = "./m"
  cpus   = VM.a.CPUS
}
`,
      "m/main.tf": 'variable "cpus" {}\nVM "vm" { CPUS = var.cpus + 1 }\noutput "cpus" { value = VM.vm.CPUS }\n',
    },
  },
  "templates and other files": {
    files: {
      "main.tf": `
VM "text" { CPUS = length(templatefile("\${path.module}/a.tftpl", { name = "sql", ports = [80, 443], on = true })) }
VM "value" { CPUS = templatefile("b.tftpl", { n = 6 }) + 1 }
VM "json" { CPUS = jsondecode(templatefile("./c.json", { cpus = 12 })).cpus }
VM "there" { CPUS = fileexists("a.tftpl") ? 2 : 4 }
VM "gone" { CPUS = fileexists("\${path.module}/gone.yaml") ? 2 : 4 }
VM "missing" { CPUS = try(templatefile("b.tftpl", {}), 8) }
VM "itself" { CPUS = try(templatefile("d.tftpl", {}), 16) }
VM "address" { CPUS = split(".", cidrhost(cidrsubnet("10.0.0.0/8", 8, 3), 20))[3] }
module "m" { source = "./m" }
`,
      "m/main.tf": 'VM "m" { CPUS = length(templatefile("${path.module}/e.txt", { a = "x" })) }\n',
      "m/e.txt": 'a\n%{ if a == "x" ~}\n  b ${a}\n%{~ endif ~}\n',
      "a.tftpl":
        'host ${upper(name)} $${x} "q" \\n\n%{ for p in ports ~}\n  port ${p}\n\n%{ endfor ~}\n%{ if on }yes%{ else }no%{ endif }\n',
      "b.tftpl": "${n}",
      "c.json": '{"cpus": ${cpus}}',
      "d.tftpl": '${templatefile("b.tftpl", { n = 1 })}',
    },
  },
  modules: {
    files: {
      "main.tf": `
variable "sizes" {
  type    = map(object({ cpus = number, count = optional(number, 1) }))
  default = { web = { cpus = 2, count = 2 }, db = { cpus = 16 } }
}
module "one" {
  source = "./modules/group"
  cpus   = 4
}
module "each" {
  source   = "./modules/group"
  for_each = var.sizes
  cpus     = each.value.cpus
  number   = each.value.count
}
module "twice" {
  source = "./modules/group"
  count  = 2
  cpus   = (count.index + 1) * 2
}
VM "sum" { CPUS = module.one.total + module.each["db"].total + module.twice[1].total }
`,
      "modules/group/main.tf": `
variable "cpus" { type = number }
variable "number" { default = 1 }
module "vm" {
  source = "../vm"
  count  = var.number
  size   = { cpus = var.cpus, index = count.index }
}
output "total" { value = sum(module.vm[*].cpus) }
`,
      "modules/vm/main.tf": `
variable "size" {
  type = object({ cpus = number, index = number, threads = optional(number, 1) })
}
locals { cpus = var.size.cpus * var.size.threads + var.size.index }
VM "this" { CPUS = local.cpus }
VM "path" { CPUS = length(path.module) + length(path.root) }
output "cpus" { value = local.cpus }
`,
      "override.tf": 'module "one" {\n  cpus = 5\n}\n',
    },
  },
};

const installed = spawnSync("terraform", ["version"]).status === 0;

const forTerraform = (text: string): string =>
  text.replaceAll("VM ", 'resource "terraform_data" ').replaceAll("VM.", "terraform_data.").replaceAll("CPUS", "input");

const forVmlint = (text: string): string =>
  text
    .replaceAll("VM ", 'resource "vsphere_virtual_machine" ')
    .replaceAll("VM.", "vsphere_virtual_machine.")
    .replaceAll("CPUS", "num_cpus");

interface PlannedModule {
  readonly resources?: readonly { readonly address: string; readonly values: { readonly input: unknown } }[];
  readonly child_modules?: readonly PlannedModule[];
}

const planned = (module: PlannedModule): readonly (readonly [string, number])[] => [
  ...(module.resources ?? []).map(
    ({ address, values }) => [address.replace("terraform_data", "vsphere_virtual_machine"), Number(values.input)] as const,
  ),
  ...(module.child_modules ?? []).flatMap(planned),
];

const convert = (files: Texts, change: (text: string) => string): Texts =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, path.endsWith(".tf") ? change(text) : text]));

describe.runIf(installed)("terraform plan gives the same vCPUs", () => {
  test.each(Object.entries(PROJECTS))("%s", async (_, { files, args = [], env = {} }) => {
    const cwd = folder(convert(files, forTerraform));
    const run = (...words: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync("terraform", [...words], { cwd, encoding: "utf8", env: { ...process.env, ...env } });
      expect(status, stderr + stdout).toBe(0);
      return stdout;
    };
    run("init", "-backend=false");
    run("plan", "-out=plan", ...args);
    const plan = JSON.parse(run("show", "-json", "plan")) as { planned_values: { root_module: PlannedModule } };
    const options = args.map((arg) => {
      const [, file, name = "", text = ""] = /^-var-file=(.*)$|^-var=(\w+)=(.*)$/.exec(arg) ?? [];
      return file === undefined ? ({ kind: "value", name, text } as const) : ({ kind: "file", path: file } as const);
    });
    const { vms, problems } = await readWhole(convert(files, forVmlint), { environment: env, options });
    expect(problems).toEqual([]);
    expect(Object.fromEntries(vms.map((vm) => [vm.name, shown(vm.settings.vcpus)]))).toEqual(
      Object.fromEntries(planned(plan.planned_values.root_module)),
    );
  });
});
