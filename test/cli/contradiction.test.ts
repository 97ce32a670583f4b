import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder as folderOf } from "../support/folder.ts";
import { planOf } from "../support/terraform-plan.ts";

/** `spec/contradiction` is only in the strict preset. */
const folder = (files: Readonly<Record<string, string>>) => folderOf({ "vmlint.yaml": "extends: [strict]\n", ...files });

const vmx = (name: string, ...lines: string[]) => [`virtualHW.version = "19"`, `displayName = "${name}"`, ...lines, ""].join("\n");
const tf = (name: string, own: string) =>
  `# ${"-".repeat(200)}\nresource "vsphere_virtual_machine" "vm_${name}" {\n  name = "${name}"\n${own}}\n`;

const compact = (files: Readonly<Record<string, string>>, ...args: string[]) => {
  const { out, err } = vmlint(folder(files), ["--format", "compact", ...args]);
  expect(err).toBe("");
  return out.split("\n").filter((line) => line.includes("spec/contradiction"));
};

test("each difference between a .vmx and Terraform is reported in the later file, with a link to the earlier", () => {
  const cwd = folder({
    "a.tf": tf("web", "  num_cpus = 2\n  memory = 4096\n"),
    "b.tf": tf("orders", "  num_cpus = 4\n  memory = 8192\n  hardware_version = 19\n  cpu_hot_add_enabled = true\n"),
    "vms/orders.vmx": vmx("orders", 'numvcpus = "8"', 'memSize = "8192"', 'vcpu.hotadd = "FALSE"', 'sched.cpu.latencySensitivity = "high"'),
  });
  const { code, out } = vmlint(cwd, ["--format", "json", "--fail-on", "info"]);
  const { diagnostics } = JSON.parse(out);
  const found = diagnostics.filter(({ ruleId }: { ruleId: string }) => ruleId === "spec/contradiction");
  expect(code).toBe(1);
  expect(found).toMatchObject([
    {
      path: "vms/orders.vmx",
      range: { start: { line: 3, column: 13 } },
      severity: "info",
      vm: "orders",
      data: { setting: "vcpus", here: "8 vCPUs", there: "4 vCPUs", format: "terraform" },
      related: [{ path: "b.tf", range: { start: { line: 4, column: 14 } }, message: "4 vCPUs" }],
      fixes: [],
    },
    { data: { setting: "cpuHotAdd", here: "CPU hot add off", there: "CPU hot add on" } },
    { data: { setting: "latencySensitivity", there: "latency sensitivity normal" }, related: [{ path: "b.tf" }] },
  ]);
  expect(found[0].message).toBe(
    "orders has 8 vCPUs here, and 4 vCPUs in its other description (terraform). vmlint does not know which is right: set the same value in both.",
  );
});

test("Ansible, VM specs and module values are compared with a .vmx, and with the output of govc", () => {
  const spec =
    "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: orders }\nspec: { vcpus: 4, memoryMiB: 8192, hardwareVersion: 19 }\n";
  const play =
    "- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest:\n        name: orders\n        hardware: { num_cpus: 4, memory_mb: 8192 }\n";
  const inventory = JSON.stringify({
    virtualMachines: [
      { name: "orders", config: { name: "orders", version: "vmx-19", hardware: { numCPU: 6, numCoresPerSocket: 1, memoryMB: 8192 } } },
    ],
  });
  const own = vmx("orders", 'numvcpus = "8"', 'memSize = "8192"');
  expect(compact({ "spec.yaml": spec, "z.vmx": own })).toEqual([
    expect.stringContaining("z.vmx:3:13: info spec/contradiction: orders has 8 vCPUs here, and 4"),
  ]);
  expect(compact({ "play.yml": play, "a.vmx": own })).toEqual([
    expect.stringContaining("play.yml:5:31: info spec/contradiction: orders has 4 vCPUs here, and 8"),
  ]);
  expect(compact({ "play.yml": play, "vms.json": inventory })).toEqual([
    expect.stringMatching(/^vms\.json:.* orders has 6 vCPUs here, and 4 .*\(ansible\)/),
  ]);
  // A VM as ESXi keeps it is compared only with code.
  expect(compact({ "vms.json": inventory, "a.vmx": own })).toEqual([]);
  expect(compact({ "play.yml": play, "spec.yaml": spec.replace("vcpus: 4", "vcpus: 5") })).toEqual([]);
  const call = 'module "orders" {\n  source = "./vm"\n  cpus = 4\n}\n';
  const module = `variable "cpus" {}\n${tf("orders", "  num_cpus = var.cpus\n  memory = 8192\n")}`;
  expect(compact({ "main.tf": call, "vm/main.tf": module, "z.vmx": own })).toHaveLength(1);
  // The finding would be in the module's file, which declares no VM itself.
  expect(compact({ "main.tf": call, "vm/main.tf": module.replace("var.cpus", "2"), "a.vmx": own })).toEqual([
    expect.stringContaining("orders has 2 vCPUs here, and 8 vCPUs in its other description (vmx)"),
  ]);
});

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ["another name", { "a.tf": tf("Orders", "  num_cpus = 4\n"), "a.vmx": vmx("orders", 'numvcpus = "8"') }, []],
  [
    "a name that two .vmx have",
    { "a.tf": tf("orders", "  num_cpus = 4\n"), "a.vmx": vmx("orders", 'numvcpus = "8"'), "b.vmx": vmx("orders") },
    [],
  ],
  [
    "a name that two resources have",
    { "a.tf": tf("orders", "  num_cpus = 4\n"), "b.tf": tf("orders", "").replace("vm_", "w_"), "a.vmx": vmx("orders", 'numvcpus = "8"') },
    [],
  ],
  ["a name that is not known", { "a.tf": tf("${var.n}", "  num_cpus = 4\n"), "a.vmx": vmx("orders", 'numvcpus = "8"') }, []],
  ["no name", { "a.tf": tf("", "  num_cpus = 4\n"), "a.vmx": 'numvcpus = "8"\n' }, []],
  ["a template", { "a.tf": tf("orders", "  num_cpus = 4\n"), "a.vmtx": vmx("orders", 'numvcpus = "8"') }, []],
  [
    "a VM of Workstation",
    {
      "a.tf": tf("orders", "  num_cpus = 4\n  memory = 1024\n"),
      "a.vmx": vmx("orders", 'numvcpus = "8"', 'mainMem.backing = "swap"'),
    },
    [],
  ],
  [
    "the rule off",
    {
      "a.tf": tf("orders", "  num_cpus = 4\n"),
      "a.vmx": vmx("orders", 'numvcpus = "8"'),
      "vmlint.yaml": "extends: [strict]\nrules: { spec/contradiction: off }\n",
    },
    [],
  ],
  [
    "values that the other leaves open",
    {
      "play.yml": "- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest:\n        name: orders\n        template: base\n",
      "a.vmx": vmx("orders", 'numvcpus = "8"'),
    },
    [],
  ],
])("%s: no finding", (_, files, args) => {
  expect(compact(files, ...args)).toEqual([]);
});

const A = "42 13 38 a5 0a 6a b9 b4-b6 47 30 07 99 1c f1 d6";
const B = "50 13 0e 9f 49 4e 6a 6b-9d f6 bf bc e4 ac 51 7c";
/** As vCenter, Ansible and Kubernetes write them. */
const dashed = (uuid: string) => uuid.replace(/[ -]/g, "").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
const play = (name: string, ...own: string[]) =>
  `- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest:\n        name: ${name}\n        hardware: { num_cpus: 4, memory_mb: 8192 }\n${own.map((line) => `        ${line}\n`).join("")}`;
const machine = (...own: string[]) =>
  `apiVersion: vmoperator.vmware.com/v1alpha6\nkind: VirtualMachine\nmetadata: { name: orders }\nspec:\n  resources: { size: { cpu: 4 } }\n${own.map((line) => `  ${line}\n`).join("")}`;
const kept = (name: string, { bios, instance }: { readonly bios?: string; readonly instance?: string }) =>
  vmx(
    name,
    'numvcpus = "8"',
    'memSize = "8192"',
    ...(bios ? [`uuid.bios = "${bios}"`] : []),
    ...(instance ? [`vc.uuid = "${instance}"`] : []),
  );

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ["a BIOS UUID", { "a.yml": play("orders", `uuid: ${dashed(A)}`), "b.vmx": kept("web", { bios: A, instance: B }) }, ["b.vmx:3:13"]],
  [
    "an instance UUID",
    {
      "a.yml": play("orders", `uuid: ${dashed(B).toUpperCase()}`, "use_instance_uuid: true"),
      "b.vmx": kept("web", { bios: A, instance: B }),
    },
    ["b.vmx:3:13"],
  ],
  [
    "an instance UUID of what govc prints",
    {
      "a.yml": play("orders", `uuid: ${dashed(B)}`, "use_instance_uuid: true"),
      "b.json": JSON.stringify({
        virtualMachines: [{ config: { name: "web", uuid: dashed(A), instanceUuid: dashed(B), hardware: { numCPU: 8, memoryMB: 8192 } } }],
      }),
    },
    ["b.json:1:"],
  ],
  [
    "an instance UUID of VM Operator",
    { "a.yml": machine(`instanceUUID: ${dashed(B)}`), "b.vmx": kept("web", { instance: B }) },
    ["b.vmx:3:13"],
  ],
  [
    "a BIOS UUID of a plan",
    { "plan.json": planOf({ name: "web", num_cpus: 4, memory: 8192, uuid: dashed(A) }), "b.vmx": kept("orders", { bios: A }) },
    ["plan.json:1:"],
  ],
  ["a name and one UUID", { "a.yml": play("orders"), "b.vmx": kept("orders", { bios: A, instance: B }) }, ["b.vmx:3:13"]],
  [
    "a UUID, where the name is another VM's as well",
    { "a.yml": play("orders", `uuid: ${dashed(A)}`), "b.vmx": kept("orders", { bios: A }), "c.vmx": kept("orders", { bios: B }) },
    ["b.vmx:3:13"],
  ],
  [
    "a UUID and a name that one of them adds",
    { "a.tf": tf("web", "  num_cpus = 2\n"), "b.yml": play("orders", `uuid: ${dashed(A)}`), "c.vmx": kept("web", { bios: A }) },
    ["c.vmx:3:13", "c.vmx:3:13", "c.vmx:4:12"],
  ],
  ["no UUID that reads as one", { "a.yml": play("orders", "uuid: 42133"), "b.vmx": kept("orders", { bios: A }) }, ["b.vmx:3:13"]],
  [
    "a UUID of a kind that is not known",
    { "a.yml": play("orders", `uuid: ${dashed(A)}`, 'use_instance_uuid: "{{ x }}"'), "b.vmx": kept("orders", { bios: B }) },
    ["b.vmx:3:13"],
  ],
])("one VM by %s", (_, files, places) => {
  expect(compact(files)).toEqual(places.map((place) => expect.stringContaining(`${place}`)));
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["another BIOS UUID", { "a.yml": play("orders", `uuid: ${dashed(B)}`), "b.vmx": kept("orders", { bios: A }) }],
  [
    "another instance UUID, of a copy that kept the BIOS UUID",
    { "a.yml": machine(`instanceUUID: ${dashed(A)}`, `biosUUID: ${dashed(A)}`), "b.vmx": kept("orders", { bios: A, instance: B }) },
  ],
  [
    "a BIOS UUID that two VMs have",
    {
      "a.yml": play("orders", `uuid: ${dashed(A)}`),
      "b.vmx": kept("orders", { bios: A, instance: A }),
      "c.vmx": kept("orders", { bios: A, instance: B }),
    },
  ],
  [
    "a name that two VMs have",
    { "a.tf": tf("orders", "  num_cpus = 4\n"), "b.vmx": kept("orders", { instance: A }), "c.vmx": kept("orders", { instance: B }) },
  ],
  [
    "a UUID that two .vmx have",
    { "a.yml": play("orders", `uuid: ${dashed(A)}`), "b.vmx": kept("orders", { bios: A }), "c.vmx": kept("web", { bios: A }) },
  ],
])("%s: not one VM that is known", (_, files) => {
  expect(compact(files)).toEqual([]);
});

test("a rule about the VMs of one machine refers to the project file of each VM", () => {
  const keys = [0, 1, 2, 3].map((vcpu) => `    "sched.vcpu${vcpu}.affinity" = "0,1"\n`).join("");
  const pinned = (name: string) => tf(name, `  num_cpus = 4\n  memory = 4096\n  extra_config = {\n${keys}  }\n`);
  const cwd = folder({ "a.tf": pinned("a"), "b.tf": pinned("b") });
  const { out } = vmlint(cwd, ["--host", "r640", "--together", "--format", "compact"]);
  expect(out).toContain("b.tf:7:30: warning affinity/overlap");
});
