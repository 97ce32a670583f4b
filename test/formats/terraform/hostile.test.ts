import { expect, test } from "vitest";
import type { Texts } from "../../support/text-files.ts";
import { parse } from "./support.ts";

/** Small projects that would be without end if each of their instances were followed. */
test.each<[what: string, files: Texts]>([
  [
    "a module that calls itself twice",
    { "main.tf": 'module "a" {\n  source = "./"\n}\nmodule "b" {\n  source = "./"\n}\nresource "vsphere_virtual_machine" "vm" {}\n' },
  ],
  [
    "thousands of instances of thousands of instances",
    {
      "main.tf": 'module "a" {\n  source = "./a"\n  count = 2000\n}\n',
      "a/main.tf": 'module "b" {\n  source = "../b"\n  count = 2000\n}\n',
      "b/main.tf": 'module "c" {\n  source = "../c"\n  count = 2000\n}\n',
      "c/main.tf": 'variable "x" {}\n',
    },
  ],
  [
    "folders that each call the next one twice, by a source that is computed",
    Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => {
        const call = (name: string) => `module "${name}" {\n  source = "../\${var.next}"\n}\n`;
        return [`${at}/main.tf`, `variable "next" {\n  default = "${at + 1}"\n}\n${call("a")}${call("b")}`];
      }),
    ),
  ],
  [
    "a source that is computed of what comes of itself",
    {
      "main.tf":
        'module "a" {\n  source = "./${module.a.n}"\n}\nmodule "b" {\n  source = local.b\n}\nlocals {\n  b = local.c\n  c = local.b\n}\nvariable "d" {\n  default = "./"\n}\nmodule "d" {\n  source = var.d\n}\nresource "vsphere_virtual_machine" "vm" {}\n',
    },
  ],
  [
    "locals that double",
    {
      "main.tf": `locals {\n  a0 = [1, 1]\n${Array.from({ length: 60 }, (_, at) => `  a${at + 1} = [local.a${at}, local.a${at}]`).join("\n")}\n}\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus = length(flatten(local.a60))\n}\n`,
    },
  ],
  [
    "loops in loops",
    {
      "main.tf":
        'resource "vsphere_virtual_machine" "vm" {\n  num_cpus = length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]])\n}\n',
    },
  ],
  [
    "a long chain of locals",
    {
      "main.tf": `locals {\n  a0 = 1\n${Array.from({ length: 20_000 }, (_, at) => `  a${at + 1} = local.a${at}`).join("\n")}\n}\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus = local.a20000\n}\n`,
    },
  ],
  [
    "outputs through modules that call themselves",
    {
      "main.tf":
        'module "a" {\n  source = "./"\n}\nmodule "b" {\n  source = "./"\n}\noutput "n" {\n  value = module.a.n + module.b.n\n}\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus = module.a.n\n}\n',
    },
  ],
])("%s", (_, files) => {
  const { vms, problems } = parse(files);
  expect(vms.length).toBeLessThanOrEqual(20_000);
  expect(problems.filter(({ messageId }) => messageId !== "cut")).toEqual([]);
});

test("an argument that is set more often than a call can have arguments", () => {
  const disk = `disk {\n${'    label = "a"\n'.repeat(200_000)}  }`;
  const { problems } = parse({ "main.tf": `resource "vsphere_virtual_machine" "vm" {\n  ${disk}\n}\n` });
  expect([problems.length, problems[0]?.messageId]).toEqual([199_999, "twice"]);
});
