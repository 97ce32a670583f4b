import { lint, type Rule, requireHost, type Target } from "@vmlint/core";
import { lintProject } from "@vmlint/core/project";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { packer } from "../../packages/core/src/formats/packer/packer.ts";
import { plans } from "../../packages/core/src/formats/plans/plans.ts";
import { rule as cpsDivides } from "../../packages/core/src/rules/cpu/cps-divides.ts";
import { rule as needsCpu } from "../../packages/core/src/rules/latency/high-needs-cpu-reservation.ts";
import { rule as needsMemory } from "../../packages/core/src/rules/latency/high-needs-mem-reservation.ts";
import { rule as dropped } from "../../packages/core/src/rules/tf/dropped-argument.ts";
import { rule as shadow } from "../../packages/core/src/rules/tf/extra-config-shadow.ts";
import { rule as socketName } from "../../packages/core/src/rules/tf/vcpu-vs-socket-name.ts";
import { rule as singleCores } from "../../packages/core/src/rules/topo/many-single-core-sockets.ts";
import { rule as hostWritten } from "../../packages/core/src/rules/vmx/host-written-key.ts";
import { rule as unknownKey } from "../../packages/core/src/rules/vmx/unknown-key.ts";
import { lintTexts, NOTHING_GIVEN, settings } from "../formats/terraform/support.ts";
import { filesOf, type Texts } from "../support/text-files.ts";

const RULES = [shadow, dropped, unknownKey, hostWritten];
const vm = (body: string) => `resource "vsphere_virtual_machine" "vm" {\n  ${body}\n}\n`;

const pointed = (files: ReturnType<typeof lintProject>) =>
  files.flatMap(({ path, text, diagnostics }) =>
    diagnostics.map(({ ruleId, messageId, range }) => `${ruleId} ${messageId} | ${path}: ${text.slice(...range)}`),
  );
const found = (texts: Texts, rules: readonly Rule[] = RULES, target?: Target) => pointed(lintTexts(texts, rules, target));
const inOne = (body: string) => found({ "main.tf": vm(body) });

describe("a finding about a key is at its place in the file", () => {
  const NEAR = "vmx/unknown-key near | ";
  test.each<[what: string, files: Texts, at: string]>([
    ["the resource", { "main.tf": vm('extra_config = { "numa.vcpu.minn" = 9 }') }, 'main.tf: "numa.vcpu.minn"'],
    [
      "a local that is merged",
      {
        "main.tf": `locals {\n  x = { "numa.vcpu.minn" = "9" }\n}\n${vm('extra_config = merge(local.x, { "disk.enableUUID" = "TRUE" })')}`,
      },
      'main.tf: "numa.vcpu.minn"',
    ],
    [
      "the argument of a module, converted to a map",
      {
        "main.tf": 'module "m" {\n  source = "./m"\n  x      = { "numa.vcpu.minn" = 9 }\n}\n',
        "m/main.tf": `variable "x" {\n  type = map(string)\n}\n${vm("extra_config = var.x")}`,
      },
      'main.tf: "numa.vcpu.minn"',
    ],
    [
      "a file of values",
      { "main.tf": `variable "x" {}\n${vm("extra_config = var.x")}`, "terraform.tfvars": 'x = { "numa.vcpu.minn" = "9" }\n' },
      'terraform.tfvars: "numa.vcpu.minn"',
    ],
    [
      "JSON",
      {
        "main.tf.json": JSON.stringify({
          resource: { vsphere_virtual_machine: { vm: { extra_config: { "numa.vcpu.minn": "9" } } } },
        }),
      },
      'main.tf.json: "numa.vcpu.minn"',
    ],
    [
      "the value, where the key is computed",
      { "main.tf": vm('extra_config = { for k in ["minn"] : "numa.vcpu.$' + '{k}" => "9" }') },
      'main.tf: "9"',
    ],
  ])("%s", (_, files, at) => expect(found(files)).toEqual([NEAR + at]));

  test("once for all instances", () => {
    expect(inOne('count = 3\n  extra_config = { "numa.vcpu.minn" = "9" }')).toEqual([`${NEAR}main.tf: "numa.vcpu.minn"`]);
  });

  test("in Packer, in both of its maps", () => {
    const template = (type: string, map: string) => `source "${type}" "vm" {\n  ${map} = { "numa.vcpu.minn" = "9" }\n}\n`;
    for (const [type, map] of [
      ["vsphere-iso", "configuration_parameters"],
      ["vmware-iso", "vmx_data"],
      ["vmware-vmx", "vmx_data_post"],
    ] as const) {
      const project = packer.read({ paths: ["a.pkr.hcl"], files: filesOf({ "a.pkr.hcl": template(type, map) }), inputs: NOTHING_GIVEN });
      expect(pointed(lintProject(project, { rules: RULES }))).toEqual([`${NEAR}a.pkr.hcl: "numa.vcpu.minn"`]);
    }
  });

  test.each([
    ["Ansible", '- community.vmware.vmware_guest:\n    name: a\n    advanced_settings:\n      - { key: numa.vcpu.minn, value: "9" }\n'],
    [
      "Pulumi",
      'name: a\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties:\n      numCpus: 8\n      extraConfig:\n        numa.vcpu.minn: "9"\n',
    ],
    [
      "Cluster API",
      'apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata:\n  name: a\nspec:\n  template:\n    spec:\n      numCPUs: 8\n      customVMXKeys:\n        numa.vcpu.minn: "9"\n',
    ],
  ])("in %s", (_, text) => {
    const { diagnostics } = lint(text, { format: yaml, rules: RULES });
    expect(diagnostics.map(({ ruleId, range }) => [ruleId, text.slice(...range)])).toEqual([["vmx/unknown-key", "numa.vcpu.minn"]]);
  });

  test("keys of a plan are in the configuration in its folder", () => {
    const main = vm('num_cpus = 8\n  extra_config = { "numa.vcpu.minn" = "9", numvcpus = "4" }');
    const values = { num_cpus: 8, extra_config: { "numa.vcpu.minn": "9", numvcpus: "4" } };
    const resource = { address: "vsphere_virtual_machine.vm", mode: "managed", type: "vsphere_virtual_machine", name: "vm", values };
    const plan = { format_version: "1.2", terraform_version: "1.5.7", planned_values: { root_module: { resources: [resource] } } };
    const texts: Texts = { "main.tf": main, "plan.json": JSON.stringify(plan) };
    const project = plans.read({ paths: ["plan.json"], files: filesOf(texts), inputs: NOTHING_GIVEN });
    expect(pointed(lintProject(project, { rules: RULES }))).toEqual([
      'vmx/unknown-key near | main.tf: "numa.vcpu.minn"',
      "tf/extra-config-shadow differs | main.tf: numvcpus",
    ]);
  });
});

test("a state shows the VM, and not the requested values", () => {
  const values = {
    num_cpus: 8,
    num_cores_per_socket: 4,
    hardware_version: 19,
    num_cores_per_numa_node: 4,
    extra_config: { "numa.autosize.cookie": "80042", "cpuid.coresPerSocket": "4" },
  };
  const resource = { address: "vsphere_virtual_machine.vm", mode: "managed", type: "vsphere_virtual_machine", name: "vm", values };
  const document = { format_version: "1.0", terraform_version: "1.5.7", values: { root_module: { resources: [resource] } } };
  const project = plans.read({ paths: ["x.json"], files: filesOf({ "x.json": JSON.stringify(document) }), inputs: NOTHING_GIVEN });
  expect(project.vms.map(({ name }) => name)).toEqual(["vsphere_virtual_machine.vm"]);
  expect(pointed(lintProject(project, { rules: RULES }))).toEqual([]);
});

describe("tf/extra-config-shadow", () => {
  const SHADOW = "tf/extra-config-shadow";
  test.each([
    ["numvcpus", "8", "num_cpus = 4", "differs"],
    ["numvcpus", "4", "num_cpus = 4", "same"],
    ["cpuid.coresPerSocket", "4", "num_cpus = 8", "default"],
    ["cpuid.coresPerSocket", "1", "num_cpus = 8", "same"],
    ["CPUID.coresPerSocket", "4", "num_cores_per_socket = 2", "differs"],
    ["sched.cpu.latencySensitivity", "high", 'latency_sensitivity = "normal"', "differs"],
    ["sched.cpu.latencySensitivity", "normal", "", "same"],
    ["sched.mem.min", "4096", "memory_reservation = 4096", "same"],
    ["sched.mem.max", "4096", "", "default"],
    ["sched.mem.pin", "TRUE", "memory_reservation_locked_to_max = false", "differs"],
    ["vcpu.hotadd", "TRUE", "cpu_hot_add_enabled = true", "same"],
    ["memSize", "4096", "memory = 8192", "differs"],
    ["virtualHW.version", "20", "hardware_version = 19", "differs"],
    ["numa.vcpu.coresPerNode", "4", "hardware_version = 20\n  num_cores_per_numa_node = 8", "differs"],
  ])("%s = %s next to `%s`: %s", (key, value, body, message) => {
    expect(inOne(`${body}\n  extra_config = { "${key}" = "${value}" }`)).toEqual([`${SHADOW} ${message} | main.tf: "${key}"`]);
  });

  test.each([
    ["an option that is not known", "num_cpus = 4\n  extra_config = { numvcpus = var.n }"],
    ["an argument that is not known", 'num_cpus = var.n\n  extra_config = { numvcpus = "4" }'],
    ["a value that is none", 'num_cpus = 4\n  extra_config = { numvcpus = "four" }'],
    ["a key that is left out", "num_cpus = 4\n  extra_config = { numvcpus = null }"],
    ["options that are not known", "num_cpus = 4\n  extra_config = var.x"],
    ["0 cores per socket of an unknown provider", 'num_cores_per_socket = 0\n  extra_config = { "cpuid.coresPerSocket" = "4" }'],
  ])("does not fire on %s", (_, body) => expect(inOne(body)).toEqual([]));

  test("an argument without a default, and none at all", () => {
    expect(inOne('extra_config = { "sched.mem.pin" = "TRUE", "virtualHW.version" = "20", "sched.cpu.affinity" = "0" }')).toEqual([
      `${SHADOW} field | main.tf: "sched.mem.pin"`,
      `${SHADOW} field | main.tf: "virtualHW.version"`,
      `${SHADOW} none | main.tf: "sched.cpu.affinity"`,
    ]);
  });

  test("Packer sends through the same API, and writes a .vmx itself", () => {
    const keysIn = (type: string, map: string) => {
      const text = `source "${type}" "vm" {\n  CPUs = 4\n  ${map} = { numvcpus = "8" }\n}\n`;
      const project = packer.read({ paths: ["a.pkr.hcl"], files: filesOf({ "a.pkr.hcl": text }), inputs: NOTHING_GIVEN });
      return pointed(lintProject(project, { rules: [shadow] }));
    };
    expect(keysIn("vsphere-iso", "configuration_parameters")).toEqual([`${SHADOW} differs | a.pkr.hcl: numvcpus`]);
    expect(keysIn("vmware-iso", "vmx_data")).toEqual([]);
  });

  test("the VM is read as the API takes it: the argument and its default before the key", () => {
    const extra = 'extra_config = { "sched.cpu.latencySensitivity" = "high", "sched.mem.pin" = "TRUE" }';
    expect(settings({ "main.tf": vm(extra) }, "latencySensitivity")).toEqual({ "vsphere_virtual_machine.vm": null });
    expect(settings({ "main.tf": vm(extra) }, "memoryReservationLocked")).toEqual({ "vsphere_virtual_machine.vm": null });
  });
});

describe("tf/dropped-argument", () => {
  const NODE = "tf/dropped-argument hardware | main.tf: 8";
  const LOCKED = "tf/dropped-argument reservation | main.tf: true";
  test.each<[body: string, findings: readonly string[]]>([
    ["hardware_version = 19\n  num_cores_per_numa_node = 8", [NODE]],
    ["hardware_version = 20\n  num_cores_per_numa_node = 8", []],
    ["hardware_version = var.x\n  num_cores_per_numa_node = 8", []],
    ["num_cores_per_numa_node = 8", ["tf/dropped-argument refused | main.tf: 8"]],
    ["num_cores_per_numa_node = 0", []],
    ["hardware_version = 19\n  num_cores_per_numa_node = 0", []],
    ["hardware_version = 19", []],
    ["memory = 4096\n  memory_reservation = 4095\n  memory_reservation_locked_to_max = true", [LOCKED]],
    ["memory = 4096\n  memory_reservation = 4096\n  memory_reservation_locked_to_max = true", []],
    ["memory = 4096\n  memory_reservation = 4095\n  memory_reservation_locked_to_max = false", []],
    ["memory = 4096\n  memory_reservation_locked_to_max = true", [LOCKED]],
    ["memory_reservation = 1024\n  memory_reservation_locked_to_max = true", []],
    ["memory = var.x\n  memory_reservation = 1024\n  memory_reservation_locked_to_max = true", []],
    ["memory = 4096\n  memory_reservation_locked_to_max = var.x", []],
  ])("%s", (body, findings) => expect(inOne(body)).toEqual(findings));

  test.each<[version: string, findings: readonly string[]]>([
    ["~> 2.8.0", ["tf/dropped-argument release | main.tf: 8"]],
    ["< 2.16.0", ["tf/dropped-argument release | main.tf: 8"]],
    ["~> 2.8", []],
    [">= 2.16.0", []],
  ])("a node size with version %s of the provider", (version, findings) => {
    const required = `terraform {\n  required_providers {\n    vsphere = { source = "vmware/vsphere", version = "${version}" }\n  }\n}\n`;
    const files = { "main.tf": required + vm("hardware_version = 20\n  num_cores_per_numa_node = 8") };
    expect(found(files)).toEqual(findings);
    expect(settings(files, "coresPerNumaNode")).toEqual({ "vsphere_virtual_machine.vm": findings.length > 0 ? null : 8 });
  });

  test("does not override a key", () => {
    const body = 'hardware_version = 19\n  num_cores_per_numa_node = 8\n  extra_config = { "numa.vcpu.coresPerNode" = "4" }';
    expect(inOne(body)).toEqual([NODE]);
  });

  test("the literal in the call of the module", () => {
    const files = {
      "main.tf": 'module "m" {\n  source = "./m"\n  nodes  = 8\n}\n',
      "m/main.tf": `variable "nodes" {}\n${vm("hardware_version = 19\n  num_cores_per_numa_node = var.nodes")}`,
    };
    expect(found(files)).toEqual([NODE]);
  });
});

describe("tf/vcpu-vs-socket-name", () => {
  const FOUND = "tf/vcpu-vs-socket-name sockets | main.tf: ";
  const at = (name: string, body: string) => found({ "main.tf": `variable "${name}" {\n  default = 4\n}\n${vm(body)}` }, [socketName]);

  test.each([
    ["sockets", true],
    ["socket", true],
    ["num_sockets", true],
    ["numSockets", true],
    ["vm_socket_count", true],
    ["websocket", false],
    ["cores_per_socket", false],
    ["sockets_and_cores", false],
    ["cpus", false],
  ])("var.%s: %s", (name, isFound) => {
    expect(at(name, `num_cpus = var.${name}\n  num_cores_per_socket = 2`)).toEqual(isFound ? [`${FOUND}var.${name}`] : []);
  });

  test.each([
    ["what is made of it", "num_cpus = var.sockets * 2\n  num_cores_per_socket = 2"],
    ["what is made of it without blanks", "num_cpus = var.sockets*2\n  num_cores_per_socket = 2"],
    ["what a function makes of it", "num_cpus = max(var.sockets, 2)\n  num_cores_per_socket = 2"],
    ["one core per socket", "num_cpus = var.sockets\n  num_cores_per_socket = 1"],
    ["cores that do not divide: that is said already", "num_cpus = var.sockets\n  num_cores_per_socket = 8"],
    ["cores that are not known", "num_cpus = var.sockets\n  num_cores_per_socket = var.cores"],
    ["sockets that ESXi chooses", "num_cpus = var.sockets\n  num_cores_per_socket = 0"],
  ])("does not fire on %s", (_, body) => expect(at("sockets", body)).toEqual([]));

  test("a name on the way: the argument of a module, the member of an object", () => {
    const files = {
      "main.tf": 'module "m" {\n  source  = "./m"\n  sockets = 4\n}\n',
      "m/main.tf": `variable "sockets" {}\n${vm("num_cpus = var.sockets\n  num_cores_per_socket = 2")}`,
    };
    expect(found(files, [socketName])).toEqual([`${FOUND}4`]);
    const each = vm("for_each = { a = { sockets = 4 } }\n  num_cpus = each.value.sockets\n  num_cores_per_socket = 2");
    expect(found({ "main.tf": each }, [socketName])).toEqual([`${FOUND}4`]);
  });
});

describe("vmx/host-written-key", () => {
  test.each([
    ["numa.autosize.cookie", true],
    ["NUMA.autosize.vcpu.maxPerVirtualNode", true],
    ["cpuid.coresPerSocket.cookie", true],
    ["sched.swap.derivedName", true],
    ["uuid.location", true],
    ["numa.autosize", false],
    ["numa.autosize.once", false],
    ["uuid.action", false],
    ["disk.enableUUID", false],
  ])("%s: %s", (key, isRecord) => {
    const expected = isRecord ? [`vmx/host-written-key record | main.tf: "${key}"`] : [];
    expect(inOne(`extra_config = { "${key}" = "1" }`)).toEqual(expected);
  });
});

describe("values that a plan accepts and vSphere does not", () => {
  test("6 vCPUs do not make sockets of 4", () => {
    expect(found({ "main.tf": vm("num_cpus = 6\n  num_cores_per_socket = 4") }, [cpsDivides])).toEqual([
      expect.stringMatching(/^cpu\/cps-divides \w+ \| main\.tf: 4$/),
    ]);
    expect(found({ "main.tf": vm("num_cpus = 8\n  num_cores_per_socket = 4") }, [cpsDivides])).toEqual([]);
  });

  test("high latency sensitivity without reservations", () => {
    const target = { host: requireHost("r640") };
    const at = (body: string) =>
      found({ "main.tf": vm(`num_cpus = 4\n  memory = 4096\n  ${body}`) }, [needsCpu, needsMemory], target).map((line) =>
        line.replace(/ \w+ \|/, ""),
      );
    const high = 'latency_sensitivity = "high"';
    expect(at(high)).toEqual(['latency/high-needs-cpu-reservation main.tf: "high"', 'latency/high-needs-mem-reservation main.tf: "high"']);
    expect(at(`${high}\n  cpu_reservation = 20000\n  memory_reservation = 4096`)).toEqual([]);
    expect(at(`${high}\n  cpu_reservation = var.x\n  memory_reservation = var.x`)).toEqual([]);
  });
});

describe("the provider's default of one core per socket", () => {
  const target = { host: requireHost("r640") };
  const LOCK = 'provider "registry.terraform.io/vmware/vsphere" {\n  version = "2.16.1"\n}\n';
  const at = (body: string) =>
    found({ "main.tf": vm(`hardware_version = 20\n  ${body}`), ".terraform.lock.hcl": LOCK }, [singleCores], target);

  test("is 16 sockets, though version 20 would leave them to ESXi", () => {
    expect(at("num_cpus = 16")).toEqual(["topo/many-single-core-sockets byHand | main.tf: 16"]);
  });

  test("does not apply if 0 requests sockets from ESXi, or if another number is set", () => {
    expect(at("num_cpus = 16\n  num_cores_per_socket = 0")).toEqual([]);
    expect(at("num_cpus = 16\n  num_cores_per_socket = 16")).toEqual([]);
  });

  test("is small below the sizes that were measured", () => {
    expect(at("num_cpus = 8")).toHaveLength(1);
    expect(at("num_cpus = 7")).toEqual([]);
  });
});
