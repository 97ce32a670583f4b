import { lintResource, type VmFinding } from "@vmlint/core";
import { describe, expect, test } from "vitest";

const HOST = "2x20x2:768@8.0";
const OBJECT = { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "VSphereMachineTemplate", metadata: { name: "sql01" } };

/** A VM of 8 vCPUs in sockets of 3 cores, as tools have it in hand, and the path of the cores. */
const RESOURCES: readonly (readonly [type: string, values: object, path: readonly (string | number)[]])[] = [
  ["vsphere_virtual_machine", { name: "sql01", num_cpus: 8, num_cores_per_socket: 3, memory: 4096 }, ["num_cores_per_socket"]],
  ["vsphere_virtual_machine", { name: "sql01", numCpus: 8, numCoresPerSocket: 3, memory: 4096 }, ["numCoresPerSocket"]],
  ["vsphere:index/virtualMachine:VirtualMachine", { name: "sql01", numCpus: 8, numCoresPerSocket: 3, memory: 4096 }, ["numCoresPerSocket"]],
  ["vsphere:VirtualMachine", { numCpus: 8, numCoresPerSocket: 3, memory: 4096 }, ["numCoresPerSocket"]],
  [
    "community.vmware.vmware_guest",
    { name: "sql01", state: "poweredon", hardware: { num_cpus: 8, num_cpu_cores_per_socket: 3, memory_mb: 4096 } },
    ["hardware", "num_cpu_cores_per_socket"],
  ],
  [
    "vmware_guest",
    { name: "sql01", hardware: { num_cpus: 8, num_cpu_cores_per_socket: 3, memory_mb: 4096 } },
    ["hardware", "num_cpu_cores_per_socket"],
  ],
  [
    "VSphereMachineTemplate",
    { ...OBJECT, spec: { template: { spec: { numCPUs: 8, numCoresPerSocket: 3, memoryMiB: 4096 } } } },
    ["spec", "template", "spec", "numCoresPerSocket"],
  ],
  [
    "infrastructure.cluster.x-k8s.io/v1beta1/VSphereMachine",
    { metadata: { name: "sql01" }, spec: { numCPUs: 8, numCoresPerSocket: 3, memoryMiB: 4096 } },
    ["spec", "numCoresPerSocket"],
  ],
  [
    "VirtualMachineClass",
    {
      apiVersion: "vmoperator.vmware.com/v1alpha2",
      kind: "VirtualMachineClass",
      metadata: { name: "sql01" },
      spec: { hardware: { cpus: 8, memory: "4Gi" }, configSpec: { _typeName: "VirtualMachineConfigSpec", numCoresPerSocket: 3 } },
    },
    ["spec", "configSpec", "numCoresPerSocket"],
  ],
];

const about = (findings: readonly VmFinding[], rule: string) => findings.filter(({ ruleId }) => ruleId === rule);

describe.each(RESOURCES)("%s %j", (type, given, path) => {
  const values = given as Readonly<Record<string, unknown>>;

  test("has the finding of the VM, at its attribute", async () => {
    const { findings } = await lintResource({ type, values, name: "sql01" }, { host: HOST });
    const [found] = about(findings, "cpu/cps-divides");
    expect(found).toMatchObject({ path, setting: "coresPerSocket", severity: "error", messageId: "remainder" });
  });

  test("an unknown attribute is no absent one", async () => {
    const replaced = JSON.parse(JSON.stringify(values, (key, old) => (key === path.at(-1) ? { unknown: "later" } : old)));
    const { findings, skipped } = await lintResource({ type, values: replaced, name: "sql01" }, { host: HOST });
    expect(findings).toEqual([]);
    expect(skipped.filter(({ reason }) => reason !== "rule-failed").length).toBeGreaterThan(0);
  });
});

const machine = (spec: object) => ({ ...OBJECT, spec: { template: { spec } } });

test.each<[type: string, values: Readonly<Record<string, unknown>>, told: readonly string[]]>([
  ["vsphere_virtual_machine", { num_cpu: 8, memory: 4096 }, ["num_cpu num_cpus"]],
  ["vsphere_virtual_machine", { num_Cpus: 8, memory: 4096 }, ["num_Cpus num_cpus"]],
  ["vsphere_virtual_machine", { num_cpus: 8, num_core_per_socket: 2 }, ["num_core_per_socket num_cores_per_socket"]],
  [
    "vsphere_virtual_machine",
    { num_cpus: 8, cpu_hot_remove_enabled: true, cpu_share_count: 4, memory_share_count: 4, annotation: "x" },
    [],
  ],
  ["vsphere:VirtualMachine", { numCpu: 8, memory: 4096 }, ["numCpu numCpus"]],
  ["vsphere:VirtualMachine", { num_cpus: 8, memory: 4096 }, ["num_cpus numCpus"]],
  ["vsphere:VirtualMachine", { numCpus: 8, cpuHotRemoveEnabled: true, cpuShareCount: 4, memoryShareLevel: "low", datastoreId: "x" }, []],
  ["vmware_guest", { name: "a", hardware: { num_cpu: 8, memory_mb: 4096 } }, ["num_cpu num_cpus"]],
  ["vmware_guest", { name: "a", hardware: { numCpus: 8, memory_MB: 4096 } }, ["numCpus num_cpus", "memory_MB memory_mb"]],
  ["vmware_guest", { name: "a", hardware: { num_cpus: 8, memory_reservation: 1, hotremove_cpu: true, boot_firmware: "efi" } }, []],
  ["VSphereMachineTemplate", machine({ numCPU: 8, memoryMiB: 4096 }), ["numCPU numCPUs"]],
  ["VSphereMachineTemplate", machine({ numCpus: 8, memoryMB: 4096 }), ["numCpus numCPUs", "memoryMB memoryMiB"]],
  ["VSphereMachineTemplate", machine({ numCPUs: 8, memoryMiB: 4096, diskGiB: 40, cloneMode: "linkedClone", server: "x" }), []],
])("%s %j: a name close to an attribute is a finding", async (type, values, told) => {
  const { findings } = await lintResource({ type, values, name: "sql01" }, { host: HOST });
  const near = findings.filter(({ messageId }) => messageId === "near");
  expect(near.map(({ data }) => `${data.key} ${data.nearest}`)).toEqual(told);
  expect(near.map(({ path }) => path.at(-1))).toEqual(near.map(({ data }) => data.key));
});

test("a text with a template of Terraform is unknown", async () => {
  const values = { name: "sql01", num_cpus: 8, num_cores_per_socket: "${TfToken[TOKEN.0]}", memory: 4096 };
  const { findings, skipped } = await lintResource({ type: "vsphere_virtual_machine", values });
  expect(findings).toEqual([]);
  expect(skipped.length).toBeGreaterThan(0);
});

test("a fix says what to set, also where the format is never edited", async () => {
  const values = { name: "sql01", num_cpus: 8, num_cores_per_socket: 3, memory: 4096 };
  const { findings } = await lintResource({ type: "vsphere_virtual_machine", values }, { host: HOST });
  expect(about(findings, "cpu/cps-divides")[0]?.fixes.map(({ settings }) => settings)).toContainEqual({ coresPerSocket: 2 });
});

test.each<[resource: unknown, message: string]>([
  [undefined, "lintResource must be an object, not nothing."],
  [{ type: "vsphere_virtual_machine" }, "lintResource: values is missing."],
  [{ type: "vsphere_virtual_machine", value: {} }, 'lintResource: "value" is unknown.'],
  [{ type: "aws_instance", values: { cpus: 1 } }, "lintResource: aws_instance describes no VM that vmlint reads"],
  [{ type: "a vm", values: {} }, 'lintResource: "a vm" is no type of a resource that vmlint reads.'],
  [{ type: "VirtualMachineClass", values: { kind: "VSphereMachine" } }, "values.kind is not VirtualMachineClass"],
  [
    { type: "vsphere_virtual_machine", values: { num_cpus: () => 8 } },
    "lintResource: values.num_cpus must be a value of JSON, not a function.",
  ],
])("%j is refused: %s", async (resource, message) => {
  await expect(lintResource(resource as never)).rejects.toMatchObject({ code: "USAGE", message: expect.stringContaining(message) });
});

test("values in a circle are refused", async () => {
  const values: Record<string, unknown> = {};
  values.disk = [values];
  await expect(lintResource({ type: "vsphere_virtual_machine", values })).rejects.toMatchObject({ code: "USAGE" });
});
