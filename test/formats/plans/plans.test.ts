import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lintProject } from "@vmlint/core/project";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plans } from "../../../packages/core/src/formats/plans/plans.ts";
import type { ProjectInputs } from "../../../packages/core/src/formats/project.ts";
import { rule as latencyHigh } from "../../../packages/core/src/rules/latency/high.ts";
import { vmlint } from "../../support/cli.ts";
import { folder } from "../../support/folder.ts";
import { filesOf, type Texts } from "../../support/text-files.ts";
import { fixed, NOTHING_GIVEN, shown } from "../terraform/support.ts";

const parse = (texts: Texts, path: string, given: Partial<ProjectInputs> = {}) =>
  plans.read({ paths: [path], files: filesOf(texts), inputs: { ...NOTHING_GIVEN, ...given } });

const seen = (document: unknown, given: Partial<ProjectInputs> = {}) =>
  parse({ "x.json": JSON.stringify(document) }, "x.json", given).vms.map(({ name, format, settings }) => [
    name,
    format,
    ...[settings.vcpus, settings.coresPerSocket, settings.hardwareVersion].map(shown),
  ]);

const resource = (address: string, values: unknown, rest = {}) => ({
  address,
  mode: "managed",
  type: "vsphere_virtual_machine",
  name: "vm",
  values,
  ...rest,
});

/** As `terraform show -json` prints a plan (format 1.2, Terraform 1.5.7 with terraform-provider-vsphere 2.16.1), cut short. */
const PLAN = {
  format_version: "1.2",
  terraform_version: "1.5.7",
  variables: { sizes: { value: { a: 24 } } },
  planned_values: {
    root_module: {
      resources: [
        resource("vsphere_virtual_machine.vm[0]", { num_cpus: 6, num_cores_per_socket: 1, cpu_hot_add_enabled: null }, { index: 0 }),
        resource("data.vsphere_virtual_machine.t", { num_cpus: 2 }, { mode: "data" }),
      ],
      child_modules: [
        {
          address: 'module.sql["a"]',
          resources: [
            resource('module.sql["a"].vsphere_virtual_machine.vm', {
              num_cpus: 24,
              num_cores_per_socket: 12,
              hardware_version: 20,
              latency_sensitivity: "high",
              memory: 8192,
              memory_reservation: 8192,
              extra_config: { "numa.vcpu.preferHT": "TRUE" },
              disk: [{ unit_number: 0 }, { unit_number: 15 }],
            }),
          ],
        },
      ],
    },
  },
  resource_changes: [
    { address: "vsphere_virtual_machine.vm[0]", change: { actions: ["create"], after_unknown: { hardware_version: true } } },
    { address: "vsphere_virtual_machine.gone", change: { actions: ["delete"], before: { num_cpus: 3 } } },
  ],
  configuration: {
    provider_config: {
      vsphere: { full_name: "registry.terraform.io/vmware/vsphere", expressions: { password: { constant_value: "hunter2" } } },
    },
  },
};

const NOT_SENT = "<0 cores per socket is automatic only from version 2.16 of the provider on: ask for that in required_providers>";

const SQL = 'module.sql["a"].vsphere_virtual_machine.vm';

describe("a plan", () => {
  test("its VMs as they will be, without what it deletes", () => {
    expect(seen(PLAN)).toEqual([
      ["vsphere_virtual_machine.vm[0]", "terraform-plan", 6, 1, "<it is known after apply>"],
      [SQL, "terraform-plan", 24, 12, 20],
    ]);
  });

  test("options and disks", () => {
    const [, vm] = parse({ "x.json": JSON.stringify(PLAN) }, "x.json").vms;
    expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0", "scsi1:0"]);
    expect(shown(vm?.settings.preferHt as never)).toBe(true);
  });

  test("values that no file sets are absent, even if the provider computes them", () => {
    const address = 'module.a["x.y"].module.b[0].vsphere_virtual_machine.vm';
    const vm = resource(address, { num_cpus: 4 });
    const child = { address: 'module.a["x.y"].module.b[0]', resources: [vm] };
    const written = (expressions: object) => ({
      ...PLAN,
      planned_values: { root_module: { child_modules: [{ address: 'module.a["x.y"]', child_modules: [child] }] } },
      resource_changes: [{ address, change: { after_unknown: { hardware_version: true, disk: true } } }],
      configuration: {
        root_module: {
          module_calls: {
            a: { module: { module_calls: { b: { module: { resources: [{ address: "vsphere_virtual_machine.vm", expressions }] } } } } },
          },
        },
      },
    });
    expect(seen(written({ num_cpus: {} }))).toEqual([[address, "terraform-plan", 4, null, null]]);
    expect(seen(written({ hardware_version: { references: ["var.v"] } }))[0]?.[4]).toBe("<it is known after apply>");
    // Blocks that `dynamic` makes are not among the expressions.
    const [one] = parse({ "x.json": JSON.stringify(written({})) }, "x.json").vms;
    expect(one?.devices().missing).toBe("it is known after apply");
  });

  test("an unknown option next to a known one", () => {
    const values = { num_cpus: 4, extra_config: { "numa.nodeAffinity": "0" } };
    const document = {
      ...PLAN,
      planned_values: { root_module: { resources: [resource("vsphere_virtual_machine.vm", values)] } },
      resource_changes: [
        { address: "vsphere_virtual_machine.vm", change: { after_unknown: { extra_config: { "numa.vcpu.preferHT": true }, disk: [{}] } } },
      ],
    };
    const [vm] = parse({ "x.json": JSON.stringify(document) }, "x.json").vms;
    expect([vm?.settings.preferHt, vm?.settings.numaNodeAffinity].map((one) => shown(one as never))).toEqual([
      "<it is known after apply>",
      [0],
    ]);
    expect([...(vm?.advanced().keys() ?? [])]).toContain("numa.vcpu.preferht");
  });

  // terraform plan, with an instance whose deletion failed before, and a `removed` block with `destroy = false` (Terraform 1.11.4).
  test("earlier objects are ignored, and forgotten objects are not VMs", () => {
    const address = "vsphere_virtual_machine.vm";
    const document = {
      ...PLAN,
      planned_values: { root_module: { resources: [resource(address, {}), resource("vsphere_virtual_machine.forgotten", undefined)] } },
      resource_changes: [
        { address, change: { actions: ["update"], after_unknown: { num_cpus: true } } },
        { address, deposed: "a1b2c3d4", change: { actions: ["delete"], after_unknown: {} } },
      ],
    };
    expect(seen(document)).toEqual([[address, "terraform-plan", "<it is known after apply>", null, null]]);
  });

  test.each([
    ["registry.terraform.io/vmware/vsphere", ">= 2.16", "auto"],
    ["registry.terraform.io/hashicorp/vsphere", ">= 2.16", NOT_SENT],
    ["registry.terraform.io/vmware/vsphere", "2.16.0-rc1", NOT_SENT],
  ])("0 cores per socket with %s, if vmware/vsphere is required as %s", (provider_name, version_constraint, cores) => {
    const document = {
      ...PLAN,
      planned_values: {
        root_module: { resources: [resource("vsphere_virtual_machine.vm", { num_cores_per_socket: 0 }, { provider_name })] },
      },
      configuration: { provider_config: { vsphere: { full_name: "registry.terraform.io/vmware/vsphere", version_constraint } } },
    };
    expect(seen(document)[0]?.[3]).toBe(cores);
  });

  test.each(["0.1", "0.2", "1.0"])("of version %s of the format", (format_version) => {
    expect(seen({ ...PLAN, format_version })).toHaveLength(2);
  });

  test.each<[what: string, document: unknown]>([
    ["another major version of the format", { ...PLAN, format_version: "2.0" }],
    ["any other JSON", { planned_values: 1 }],
    ["a list", [1, 2]],
  ])("not read: %s", (_, document) => {
    expect(seen(document)).toEqual([]);
  });

  test("findings are in the configuration in its folder, and fixes change that", () => {
    const files = {
      "plan.json": JSON.stringify(PLAN),
      "main.tf":
        'variable "sizes" {}\n\nmodule "sql" {\n  source   = "./m"\n  for_each = var.sizes\n  cpus     = each.value\n  latency  = "high"\n}\n',
      "m/main.tf":
        'variable "cpus" {}\nvariable "latency" {}\nresource "vsphere_virtual_machine" "vm" {\n  num_cpus = var.cpus\n  latency_sensitivity = var.latency\n}\n',
    };
    const project = parse(files, "plan.json");
    const results = lintProject(project, { rules: [latencyHigh] });
    const [found] = results.flatMap(({ path, diagnostics }) => diagnostics.map((diagnostic) => ({ path, ...diagnostic })));
    expect(found).toMatchObject({ path: "main.tf", vm: SQL });
    expect(files["main.tf"].slice(...(found?.range ?? [0, 0]))).toBe('"high"');
    expect(fixed(files, "main.tf", found?.fixes[0]?.edits ?? [])["main.tf"]).toBe(files["main.tf"].replace('"high"', '"normal"'));
  });

  test.each([
    ['module.sql["a"].vsphere_virtual_machine.vm', 'module "sql" {\n  source   = "./m"\n  for_each = data.x.y\n}\n'],
    ['module.sql["x]"].vsphere_virtual_machine.vm', 'module "sql" {\n  source   = "./m"\n  for_each = data.x.y\n}\n'],
    ['module.sql["a\\"b"].vsphere_virtual_machine.vm', 'module "sql" {\n  source   = "./m"\n  for_each = toset(["a\\"b"])\n}\n'],
    ['module.sql["g$${h}"].vsphere_virtual_machine.vm', 'module "sql" {\n  source   = "./m"\n  for_each = toset(["g$${h}"])\n}\n'],
  ])("%s is reported at its place in the configuration", (address, main) => {
    const files = {
      "plan.json": JSON.stringify({ ...PLAN, planned_values: { root_module: { resources: [resource(address, { num_cpus: 4 })] } } }),
      "main.tf": main,
      "m/main.tf": 'resource "vsphere_virtual_machine" "vm" {\n  num_cpus = 4\n}\n',
    };
    const project = parse(files, "plan.json");
    const vcpus = project.vms[0]?.settings.vcpus;
    expect(vcpus?.state === "known" && project.sources.at(vcpus.range[0])?.path).toBe("m/main.tf");
  });

  test("a configuration with another value is not changed", () => {
    const files = {
      "plan.json": JSON.stringify(PLAN),
      "main.tf": 'resource "vsphere_virtual_machine" "vm" {\n  count = 1\n  num_cpus = 4\n}\n',
    };
    const { vms } = parse(files, "plan.json");
    const [vm] = vms;
    expect(shown(vm?.settings.vcpus as never)).toBe(6);
    expect(vm?.edit?.([{ setting: "vcpus", value: 8 }])).toBeUndefined();
  });
});

test("a state, and a raw one", () => {
  const values = { num_cpus: 8, num_cores_per_socket: 2, hardware_version: 19, disk: [{ unit_number: 0, device_address: "scsi:1:3" }] };
  const state = {
    format_version: "1.0",
    terraform_version: "1.5.7",
    values: {
      root_module: {
        resources: [
          resource("vsphere_virtual_machine.vm", values),
          resource("vsphere_virtual_machine.vm", values, { deposed_key: "a1b2c3d4" }),
        ],
      },
    },
  };
  expect(seen(state)).toEqual([["vsphere_virtual_machine.vm", "terraform-state", 8, 2, 19]]);
  const [vm] = parse({ "x.json": JSON.stringify(state) }, "x.json").vms;
  expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["scsi1:3"]);
  const raw = {
    version: 4,
    lineage: "a2817963",
    terraform_version: "1.5.7",
    resources: [
      {
        module: 'module.sql["a"]',
        mode: "managed",
        type: "vsphere_virtual_machine",
        name: "vm",
        instances: [
          { index_key: "x", attributes: values },
          { index_key: 0, attributes: values },
          { index_key: "${\u007f", attributes: values },
          { deposed: "1", attributes: values },
          { index_key: 1, attributes_flat: { num_cpus: "8" } },
        ],
      },
    ],
  };
  expect(seen(raw).map(([name]) => name)).toEqual([`${SQL}["x"]`, `${SQL}[0]`, `${SQL}["$\${\\u007f"]`]);
});

describe("a template in Packer's older JSON", () => {
  const template = {
    variables: { cpu: "8", cores: null },
    builders: [
      {
        type: "vsphere-iso",
        name: "win",
        CPUs: "{{user `cpu`}}",
        cpu_cores: "{{ user `cores` }}",
        RAM: "{{env `RAM`}}",
        vm_version: 20,
        storage: [{ disk_size: 1 }],
      },
      { type: "docker" },
    ],
  };

  test("user variables", () => {
    expect(seen(template)).toEqual([["win", "packer", 8, "<variable cores has no default and is given no value>", 20]]);
    expect(seen(template, { options: [{ kind: "value", name: "cores", text: "4" }] })).toEqual([["win", "packer", 8, 4, 20]]);
    const [vm] = parse({ "x.json": JSON.stringify(template) }, "x.json").vms;
    expect(shown(vm?.settings.memoryMiB as never)).toBe("<Packer fills it in>");
    expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0"]);
  });

  test("a file of variables", () => {
    const files = { "x.json": JSON.stringify(template), "v.json": '{"cores": "2"}' };
    const cores = (...options: ProjectInputs["options"]) =>
      shown(parse(files, "x.json", { options }).vms[0]?.settings.coresPerSocket as never);
    expect(cores({ kind: "file", path: "v.json" })).toBe(2);
    // Packer's command/meta.go: a value of the command line counts more, wherever it stands.
    expect(cores({ kind: "value", name: "cores", text: "8" }, { kind: "file", path: "v.json" })).toBe(8);
  });

  const builder = (written: object, variables: object = {}) => {
    const document = { variables, builders: [{ type: "vsphere-iso", ...written }] };
    return parse({ "x.json": JSON.stringify(document) }, "x.json").vms[0];
  };

  test("a single value for a list", () => {
    const storage = { disk_controller_index: 1 };
    const types = (written: object, variables: object = {}) =>
      builder(written, variables)?.scsiControllers.map(({ type }) => shown(type as never));
    expect(types({ disk_controller_type: "pvscsi" })).toEqual(["pvscsi"]);
    expect(types({ disk_controller_type: "pvscsi,lsilogic-sas" })).toEqual(["pvscsi", "lsisas1068"]);
    expect(types({ disk_controller_type: "" })).toEqual(["lsilogic"]);
    expect(types({ disk_controller_type: "{{user `kind`}}" }, { kind: "pvscsi" })).toEqual(["pvscsi"]);
    expect(types({ disk_controller_type: ["pvscsi"] })).toEqual(["pvscsi"]);
    const vm = builder({ disk_controller_type: "pvscsi,nvme", storage, network_adapters: { network_card: "vmxnet3" } });
    expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["nvme0:0"]);
    expect(vm?.devices().nics.map(({ type }) => shown(type as never))).toEqual(["vmxnet3"]);
    expect(builder({ storage: {} })?.devices().disks).toEqual([]);
    const disks = (size: unknown) => builder({ type: "vmware-iso", disk_additional_size: size })?.devices().disks.length;
    expect([20, "20", "20,30", [20, 30], []].map(disks)).toEqual([2, 2, 3, 3, 1]);
  });

  test("keys in any case, and one written exactly before others", () => {
    const vm = builder({ CPUS: 8, Cpu_Cores: 4, cpus: 2, Storage: [{}], NETWORK_ADAPTERS: [{ Network_Card: "e1000" }] });
    expect([vm?.settings.vcpus, vm?.settings.coresPerSocket].map((one) => shown(one as never))).toEqual([2, 4]);
    expect(vm?.devices().disks.length).toBe(1);
    expect(vm?.devices().nics.map(({ type }) => shown(type as never))).toEqual(["e1000"]);
    expect(shown(builder({ cpus: 2, CPUs: 4, CPUS: 8 })?.settings.vcpus as never)).toBe(4);
    expect(seen({ builders: [{ Type: "vsphere-iso", Name: "win" }] }).map(([name]) => name)).toEqual(["win"]);
  });
});

describe("a stack of Pulumi", () => {
  const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "djE6aHVudGVyMg==" };
  const TYPE = "vsphere:index/virtualMachine:VirtualMachine";
  const machine = (name: string, outputs: unknown, rest = {}) => ({
    urn: `urn:pulumi:dev::sql::my:index:Group$${TYPE}::${name}`,
    custom: true,
    id: "42",
    type: TYPE,
    inputs: { numCpus: 1 },
    outputs,
    ...rest,
  });
  /** As `pulumi stack export` prints it (pulumi, apitype.UntypedDeployment), cut short. */
  const stack = (...resources: readonly unknown[]) => ({
    version: 3,
    deployment: {
      manifest: { version: "v3.100.0" },
      resources: [{ urn: "urn:pulumi:dev::sql::pulumi:pulumi:Stack::sql-dev" }, ...resources],
    },
  });
  const vmOf = (outputs: unknown) => parse({ "x.json": JSON.stringify(stack(machine("db", outputs))) }, "x.json").vms[0];

  test("its current VMs, without deleted ones and data sources", () => {
    const document = stack(
      machine("db", { numCpus: 24, numCoresPerSocket: 12, hardwareVersion: 20 }),
      ...["delete", "pendingReplacement", "external"].map((flag) => machine(flag, { numCpus: 2 }, { [flag]: true })),
      machine("a::b", { numCpus: 2, numCoresPerSocket: SECRET, hardwareVersion: null }),
      machine("not made", undefined),
      machine("secret", SECRET),
      { urn: "urn:pulumi:dev::sql::vsphere:index/folder:Folder::f", type: "vsphere:index/folder:Folder", outputs: {} },
    );
    expect(seen(document)).toEqual([
      ["db", "pulumi-stack", 24, 12, 20],
      ["a::b", "pulumi-stack", 2, "<it is a secret of the stack>", null],
    ]);
  });

  test("a class", () => {
    const type = "vsphere:index/virtualMachineClass:VirtualMachineClass";
    expect(seen(stack(machine("big", { cpus: 8, memory: 4096 }, { type })))).toEqual([
      ["big", "pulumi-stack", 8, "<the VM inherits it from its image>", null],
    ]);
  });

  test("options, lists and blocks", () => {
    const vm = vmOf({
      name: "sql01",
      powerState: "off",
      scsiType: "lsilogic-sas",
      extraConfig: { "numa.vcpu.preferHT": "TRUE", "sched.cpu.affinity": SECRET },
      disks: [{ unitNumber: 0 }, { unitNumber: 15 }],
      pciDeviceIds: ["0000:3b:00.0"],
      clone: { templateUuid: "t" },
    });
    expect(
      [vm?.alias, vm?.off, vm?.settings.preferHt, vm?.settings.cpuAffinity].map((one) => (typeof one === "object" ? shown(one) : one)),
    ).toEqual(["sql01", true, true, "<it is a secret of the stack>"]);
    expect(vm?.scsiControllers.map(({ type }) => shown(type))).toEqual(["lsisas1068"]);
    expect(vm?.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0", "scsi1:0"]);
    expect(vm?.devices().passthrough).toHaveLength(1);
    expect(vmOf({ pciDeviceIds: [SECRET] })?.devices()).not.toHaveProperty("passthrough");
    expect(vmOf({ disks: [SECRET] })?.devices().missing).toBe("it is a secret of the stack");
  });

  test("its lines are not printed, and it is not changed", () => {
    const text = JSON.stringify(stack(machine("db", { numCpus: 6, numCoresPerSocket: 4, annotation: "hunter2" })), undefined, 1);
    const cwd = folder({ "stack.json": text });
    const { out } = vmlint(cwd, ["stack.json", "--fix"]);
    expect(out).toContain("cpu/cps-divides stack.json:");
    expect(out).not.toContain('"numC');
    expect(readFileSync(join(cwd, "stack.json"), "utf8")).toBe(text);
  });
});

test("any JSON is read", () => {
  const texts = fc.oneof(
    fc.json(),
    fc.string(),
    fc.json().map((text) => `{"format_version": "1.2", "planned_values": {"root_module": ${text}}, "resource_changes": ${text}}`),
    fc
      .json()
      .map(
        (text) =>
          `{"version": 4, "lineage": "x", "resources": [{"mode": "managed", "type": "vsphere_virtual_machine", "instances": [{"attributes": ${text}}]}]}`,
      ),
    fc
      .json()
      .map(
        (text) =>
          `{"deployment": {"manifest": {}, "resources": [{"urn": ${text}, "type": "vsphere:index/virtualMachine:VirtualMachine", "outputs": ${text}}, {"type": "vsphere:index/virtualMachine:VirtualMachine", "outputs": {"disks": ${text}, "extraConfig": ${text}}}]}}`,
      ),
    fc.json().map((text) => `{"builders": [{"type": "vsphere-iso", "CPUs": ${text}, "storage": ${text}}], "variables": ${text}}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const vm of parse({ "x.json": text }, "x.json").vms) expect(vm.devices().disks.length).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 1000 },
  );
});

describe("the command", () => {
  const plan = JSON.stringify(PLAN);
  const main = 'module "sql" {\n  source   = "./m"\n  for_each = { a = 24 }\n}\n';
  const module = 'resource "vsphere_virtual_machine" "vm" {\n  num_cpus            = 24\n  latency_sensitivity = "high"\n}\n';

  test("prints no line of a plan: it may hold passwords", () => {
    const { out, err } = vmlint(folder({ "plan.json": plan }), ["plan.json"]);
    expect(out).toContain("latency/high plan.json:1:");
    expect(out + err).not.toContain("hunter2");
    expect(out).not.toContain("latency_sensitivity");
    const cwd = folder({ "plan.json": plan });
    for (const form of ["html", "sarif", "json", "github", "gitlab", "md", "junit"]) {
      const report = vmlint(cwd, ["plan.json", "--format", form]);
      expect(report.out).toContain("latency");
      expect(report.out + report.err).not.toContain("hunter2");
    }
  });

  test("takes the configuration of --source", () => {
    const cwd = folder({ "plans/plan.json": plan, "infra/main.tf": main, "infra/m/main.tf": module });
    expect(vmlint(cwd, ["plans/plan.json"]).out).toContain("latency/high plans/plan.json:1:");
    expect(vmlint(cwd, ["plans/plan.json", "--source", "infra"]).out).toContain("latency/high infra/m/main.tf:3:25");
    expect(vmlint(cwd, ["plans/plan.json", "--source", "gone"])).toMatchObject({ code: 2, err: "vmlint: gone is not a folder.\n" });
  });

  test("skips a plan in the folder of its configuration, unless it is named", () => {
    const cwd = folder({ "plan.json": plan, "main.tf": main, "m/main.tf": module });
    const names = (args: readonly string[]) =>
      JSON.parse(vmlint(cwd, ["topology", "--format", "json", ...args]).out).vms.map((vm: { format: string }) => vm.format);
    expect(names([])).toEqual(["terraform"]);
    expect(names(["plan.json"])).toEqual(["terraform-plan", "terraform-plan"]);
  });

  test("reads Packer's older JSON together with other files of Packer", () => {
    const old = JSON.stringify({ builders: [{ type: "vsphere-iso", name: "old", CPUs: 4 }] });
    const cwd = folder({ "old.json": old, "new.pkr.hcl": 'source "vsphere-iso" "new" {\n  CPUs = 2\n}\n', "plan.json": plan });
    const { vms } = JSON.parse(vmlint(cwd, ["topology", "--format", "json"]).out);
    expect(vms.map(({ name }: { name: string }) => name)).toEqual(["vsphere-iso.new", "old"]);
  });

  test("reports a named file without a VM", () => {
    for (const text of ["{}", '{"version": 3, "terraform_version": "0.11.14", "lineage": "x", "modules": []}']) {
      expect(vmlint(folder({ "x.tfstate": text }), ["x.tfstate"]).err).toContain(
        "vmlint: x.tfstate is not checked: there is no VM in it.\n",
      );
    }
    const newer = JSON.stringify({ ...PLAN, format_version: "2.0" });
    expect(vmlint(folder({ "x.json": newer }), ["x.json"]).err).toContain("vmlint: x.json is not checked: ");
  });
});
