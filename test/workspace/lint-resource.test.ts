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
