import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openWorkspace, type PlacedFinding } from "@vmlint/core";
import { formats, NOTHING_GIVEN } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import type { GeneratorRecord } from "../../packages/core/src/formats/generator.ts";
import type { VmSpec } from "../../packages/core/src/model/spec.ts";
import { planOf } from "../support/terraform-plan.ts";

interface Case {
  /** The part of the file that the page shows. */
  readonly says: string;
  readonly files: Readonly<Record<string, string>>;
  /** `rule message`. */
  readonly finds: string;
}

interface Tool {
  readonly title: string;
  /** A file without optional arguments. */
  readonly least: Readonly<Record<string, string>>;
  readonly cases: readonly Case[];
}

const DROPPED = "tf/dropped-argument";
const object = (apiVersion: string, kind: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n${spec}\n`;
const inFile =
  (path: string, around: (says: string) => string) =>
  (says: string, finds: string): Case => ({ says, finds, files: { [path]: around(says) } });
const tool = (title: string, path: string, around: (says: string) => string, ...cases: readonly (readonly [string, string])[]): Tool => ({
  title,
  least: { [path]: around("") },
  cases: cases.map(([says, finds]) => inFile(path, around)(says, finds)),
});
const hcl = (head: string) => (says: string) => `${head} {\n${says.replaceAll("; ", "\n")}\n}\n`;
const PINNED = (version: string) =>
  `terraform {\n  required_providers {\n    vsphere = { source = "vmware/vsphere", version = "${version}" }\n  }\n}\n`;

const STATE = { num_cpus: 16, num_cores_per_socket: 1, memory: 65536 };
const CHANGE = { address: "vsphere_virtual_machine.a", change: { actions: ["no-op"], before: STATE, after: STATE } };

const TOOLS: readonly Tool[] = [
  tool(
    "OpenShift installer",
    "install-config.yaml",
    (says) =>
      `apiVersion: v1\nplatform: { vsphere: {} }\ncontrolPlane:\n  name: master\n  platform: { vsphere: { osDisk: { diskSizeGB: 120 }, ${says} } }\n`,
    ["cpus: 1, coresPerSocket: 8", "cpu/cps-divides unaccepted"],
    ["cpus: 6", "cpu/cps-divides unaccepted"],
    ["cpus: 6, coresPerSocket: 4", "cpu/cps-divides remainder"],
  ),
  tool(
    "OpenShift installer, with a default pool",
    "install-config.yaml",
    (says) =>
      `apiVersion: v1\nplatform: { vsphere: { defaultMachinePlatform: { coresPerSocket: 3 } } }\ncontrolPlane:\n  name: master\n  platform: { vsphere: { osDisk: { diskSizeGB: 120 }, ${says} } }\n`,
    ["cpus: 6", `${DROPPED} incomplete`],
    ["cpus: 8", "cpu/cps-divides remainder"],
  ),
  tool(
    "OpenShift machine API",
    "machine.yaml",
    (says) =>
      object(
        "machine.openshift.io/v1beta1",
        "Machine",
        `spec: { providerSpec: { value: { kind: VSphereMachineProviderSpec, template: t, ${says} } } }`,
      ),
    ["numCPUs: 1", `${DROPPED} warned`],
    ["memoryMiB: 1024", `${DROPPED} warned`],
  ),
  tool(
    "OpenShift Hive",
    "pool.yaml",
    (says) => object("hive.openshift.io/v1", "MachinePool", `spec: { platform: { vsphere: { osDisk: { diskSizeGB: 120 }, ${says} } } }`),
    ["cpus: 4, coresPerSocket: 4", `${DROPPED} missing`],
    ["cpus: 4, memoryMB: 8192", `${DROPPED} missing`],
    ["coresPerSocket: 4, memoryMB: 8192", `${DROPPED} missing`],
  ),
  tool(
    "Cluster API, v1beta1",
    "machine.yaml",
    (says) =>
      object("infrastructure.cluster.x-k8s.io/v1beta1", "VSphereMachineTemplate", `spec: { template: { spec: { template: t, ${says} } } }`),
    ["numCPUs: 1", `${DROPPED} raised`],
  ),
  tool(
    "Cluster API, v1beta2",
    "machine.yaml",
    (says) =>
      object("infrastructure.cluster.x-k8s.io/v1beta2", "VSphereMachineTemplate", `spec: { template: { spec: { template: t, ${says} } } }`),
    ["numCPUs: 1", `${DROPPED} low`],
  ),
  tool(
    "EKS Anywhere",
    "machine.yaml",
    (says) => object("anywhere.eks.amazonaws.com/v1alpha1", "VSphereMachineConfig", `spec: { template: t, ${says} }`),
    ["numCPUs: 1", `${DROPPED} raised`],
    ["memoryMiB: 1024", `${DROPPED} raised`],
  ),
  tool(
    "EKS Anywhere, external etcd",
    "cluster.yaml",
    (says) =>
      `${object("anywhere.eks.amazonaws.com/v1alpha1", "VSphereMachineConfig", `spec: { template: t, ${says} }`)}---\n${object("anywhere.eks.amazonaws.com/v1alpha1", "Cluster", "spec: { externalEtcdConfiguration: { machineGroupRef: { kind: VSphereMachineConfig, name: a } } }")}`,
    ["memoryMiB: 4096", `${DROPPED} raised`],
  ),
  tool("Kubermatic's machine-controller", "machine.yaml", (says) =>
    object(
      "cluster.k8s.io/v1alpha1",
      "Machine",
      `spec: { providerSpec: { value: { cloudProvider: vsphere, cloudProviderSpec: { templateVMName: t, ${says} } } } }`,
    ),
  ),
  tool(
    "VM Operator, VirtualMachineClass",
    "class.yaml",
    (says) =>
      object(
        "vmoperator.vmware.com/v1alpha3",
        "VirtualMachineClass",
        `spec: { hardware: { cpus: 4, memory: 8Gi }, policies: { resources: { ${says} } } }`,
      ),
    ["requests: { memory: 8Gi }, limits: { memory: 4Gi }", "mem/limit-lt-reservation below"],
    ["requests: { cpu: 2 }, limits: { cpu: 1 }", `${DROPPED} low`],
  ),
  tool(
    "VM Operator, VirtualMachine (v1alpha6)",
    "vm.yaml",
    (says) => object("vmoperator.vmware.com/v1alpha6", "VirtualMachine", `spec: { className: c, imageName: i, ${says} }`),
    ["resources: { size: { memory: 4Gi }, requests: { memory: 8Gi } }", "mem/reservation-gt-size more"],
    ["resources: { requests: { cpu: 2000 }, limits: { cpu: 1000 } }", "cpu/limit-lt-reservation below"],
    ["resources: { requests: { memory: 8Gi }, limits: { memory: 4Gi } }", "mem/limit-lt-reservation below"],
    [
      "resources: { requests: { memory: 4Gi }, size: { memory: 4Gi } }, memoryAdvanced: { reservationLockedToMax: true }",
      `${DROPPED} together`,
    ],
    ["resources: { size: { memory: 8Gi }, limits: { memory: 4Gi } }, memoryAdvanced: { reservationLockedToMax: true }", `${DROPPED} low`],
    ["network: { interfaces: [{ name: eth0, vmxnet3: { uptv2Enabled: true } }] }", `${DROPPED} incomplete`],
    ["resources: { size: { cpu: 8 } }, cpuAdvanced: { topology: { vnumaNodeCount: 2 } }", `${DROPPED} incomplete`],
    ["resources: { size: { cpu: 10 } }, cpuAdvanced: { topology: { vnumaNodeCount: 4, coresPerSocket: 5 } }", `${DROPPED} uneven`],
    ["resources: { size: { cpu: 12 } }, cpuAdvanced: { topology: { vnumaNodeCount: 2, coresPerSocket: 4 } }", `${DROPPED} uneven`],
    ["cpuAdvanced: { latencySensitivity: High }, memoryAdvanced: { reservationLockedToMax: true }", `${DROPPED} incomplete`],
    ["cpuAdvanced: { latencySensitivity: High }, resources: { requests: { cpu: 8000 } }", `${DROPPED} incomplete`],
    [
      "cpuAdvanced: { latencySensitivity: High }, resources: { size: { memory: 8Gi }, requests: { cpu: 8000, memory: 4Gi } }",
      `${DROPPED} incomplete`,
    ],
  ),
  tool("Rancher", "rancher.yaml", (says) => object("rke-machine-config.cattle.io/v1", "VmwarevsphereConfig", says)),
  tool(
    "Rancher's Terraform provider",
    "main.tf",
    (says) => `resource "rancher2_machine_config_v2" "a" {\n  generate_name = "a"\n  vsphere_config {\n    ${says}\n  }\n}\n`,
  ),
  tool(
    "Cloud Director's Terraform provider",
    "main.tf",
    hcl('resource "vcd_vm" "a"'),
    ["memory = 4098", "mem/step-4mb step"],
    ["cpus = 1; cpu_cores = 2", "cpu/cps-divides unaccepted"],
  ),
  tool("Terraform provider esxi", "main.tf", hcl('resource "esxi_guest" "a"')),
  {
    ...tool(
      "vSphere's Terraform provider",
      "main.tf",
      hcl('resource "vsphere_virtual_machine" "a"'),
      ["hardware_version = 16", `${DROPPED} noVersion`],
      ["num_cpus = 8; num_cores_per_numa_node = 4", `${DROPPED} refused`],
      ["num_cpus = 8; hardware_version = 19; num_cores_per_numa_node = 4", `${DROPPED} hardware`],
      ["memory = 8192; memory_reservation_locked_to_max = true", `${DROPPED} reservation`],
    ),
  },
  {
    title: "vSphere's Terraform provider before 2.16.0",
    least: { "main.tf": `${PINNED("< 2.16.0")}${hcl('resource "vsphere_virtual_machine" "a"')("")}` },
    cases: [
      inFile("main.tf", (says) => PINNED("< 2.16.0") + hcl('resource "vsphere_virtual_machine" "a"')(says))(
        "hardware_version = 20; num_cores_per_numa_node = 4",
        `${DROPPED} release`,
      ),
    ],
  },
  {
    title: "vSphere's Terraform provider, a plan for a VM that exists with 1",
    least: { "plan.json": planOf(STATE) },
    cases: [
      {
        says: "num_cores_per_socket = 0",
        finds: `${DROPPED} planned`,
        files: {
          "plan.json": planOf(STATE, {}, { resource_changes: [CHANGE] }),
          "main.tf":
            PINNED(">= 2.17.0") + hcl('resource "vsphere_virtual_machine" "a"')("num_cpus = 16; num_cores_per_socket = 0; memory = 65536"),
        },
      },
    ],
  },
  tool(
    "Pulumi",
    "Pulumi.yaml",
    (says) => `name: p\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: { name: a, ${says} }\n`,
    ["hardwareVersion: 16", `${DROPPED} noVersion`],
  ),
  tool(
    "Packer vsphere-iso",
    "a.pkr.hcl",
    hcl('source "vsphere-iso" "a"'),
    ["RAM = 8192; RAM_reservation = 8192; RAM_reserve_all = true", `${DROPPED} together`],
    ["vTPM = true", `${DROPPED} incomplete`],
  ),
  tool("Packer vsphere-clone", "a.pkr.hcl", hcl('source "vsphere-clone" "a"'), [
    "RAM_reservation = 8192; RAM_reserve_all = true",
    `${DROPPED} together`,
  ]),
  tool(
    "Packer vmware-iso for Workstation and Fusion",
    "a.pkr.hcl",
    hcl('source "vmware-iso" "a"'),
    ["version = 13", `${DROPPED} low`],
    ["cpus = 1; cores = 2", "cpu/cps-divides desktop"],
    ["cpus = 40", "vmx/too-large-for-desktop vcpus"],
  ),
  tool("Packer vmware-iso for ESXi", "a.pkr.hcl", (says) => hcl('source "vmware-iso" "a"')(`remote_type = "esx5"; ${says}`), [
    "cpus = 6; cores = 4",
    "cpu/cps-divides remainder",
  ]),
  tool("Packer vmware-vmx", "a.pkr.hcl", hcl('source "vmware-vmx" "a"')),
  tool(
    "Ansible vcenter_vm",
    "play.yml",
    (says) => `- hosts: localhost\n  tasks:\n    - vmware.vmware_rest.vcenter_vm: { name: a, ${says || "memory: { size_MiB: 4096 }"} }\n`,
    ["hardware_version: VMX_16, memory: { size_MiB: 4096 }", `${DROPPED} noVersion`],
  ),
  tool(
    "Ansible vmware_guest, a new VM",
    "play.yml",
    (says) =>
      `- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        guest_id: x\n        hardware: { memory_mb: 4096, ${says} }\n`,
    ["num_cpus: 6, num_cpu_cores_per_socket: 4", "cpu/cps-divides remainder"],
  ),
  tool(
    "Ansible vmware_guest, a clone",
    "play.yml",
    (says) =>
      `- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest: { name: a, template: t, ${says || "hardware: { num_cpus: 4 }"} }\n`,
    ["guest_id: otherGuest, hardware: { num_cpus: 4 }", `${DROPPED} ofTemplate`],
    ["hardware: { version: 19 }", `${DROPPED} ofTemplate`],
    ["hardware: { boot_firmware: efi }", `${DROPPED} ofTemplate`],
    ["hardware: { num_cpu_cores_per_socket: 4 }", `${DROPPED} alone`],
  ),
  tool(
    "Ansible vmware_guest, a VM that exists",
    "play.yml",
    (says) =>
      `- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest: { name: a, moid: vm-42, hardware: { memory_mb: 4096, ${says} } }\n`,
    ["boot_firmware: efi", `${DROPPED} ofExisting`],
  ),
  tool(
    "Ansible vmware.vmware.vm",
    "play.yml",
    (says) => `- hosts: localhost\n  tasks:\n    - vmware.vmware.vm: { name: a, guest_id: x, ${says || "cpu: { cores: 4 }"} }\n`,
    ["cpu: { cores: 6, cores_per_socket: 4 }", "cpu/cps-divides remainder"],
    ["memory: { size_mb: 4096, reservation: 8192 }", "mem/reservation-gt-size more"],
    ["moid: vm-42, hardware_version: 21, cpu: { cores: 4 }", `${DROPPED} ofExisting`],
  ),
];

const findingsOf = async (files: Case["files"]): Promise<readonly PlacedFinding[]> => {
  const workspace = openWorkspace({ files: { ...files, "vmlint.yaml": "host: r640\n" } });
  return (await workspace.check(Object.keys(files).slice(0, 1))).findings;
};

async function read(files: Case["files"]): Promise<VmSpec> {
  const [path = ""] = Object.keys(files);
  const name = { hcl: "packer", tf: "terraform", json: "plans" }[path.split(".").at(-1) ?? ""] ?? "yaml";
  const format = await formats.find((entry) => entry.name === name)?.load();
  const parsed = format?.read({
    paths: [path],
    files: { read: (file) => files[file], list: () => Object.keys(files) },
    inputs: NOTHING_GIVEN,
  });
  expect(parsed?.vms, files[path]).toHaveLength(1);
  return parsed?.vms[0] as VmSpec;
}

/** The records have their sources; the engine needs only the rest. */
const recordOf = async (files: Case["files"]): Promise<GeneratorRecord | undefined> =>
  (await read(files)).generator as GeneratorRecord | undefined;

describe.each(TOOLS.map((one) => [one.title, one] as const))("%s", (_, { least, cases }) => {
  test("a missing argument has the default of the record", async () => {
    const { settings, defaults, generator } = await read(least);
    for (const [name, value] of Object.entries((generator as GeneratorRecord | undefined)?.defaults ?? {})) {
      if (settings[name as keyof typeof settings].state !== "known") expect(defaults).toHaveProperty(name, value);
    }
  });
  test.each(cases.map((one) => [one.says, one] as const))("%s", async (_, { files, finds }) => {
    expect((await findingsOf(files)).map(({ ruleId, messageId }) => `${ruleId} ${messageId}`)).toContain(finds);
  });
});

test("a value that is raised is the value of the VM", async () => {
  const raised = TOOLS.flatMap(({ cases }) => cases).filter(({ finds }) => finds.endsWith(" raised"));
  for (const { files } of raised) {
    const [finding] = (await findingsOf(files)).filter(({ messageId }) => messageId === "raised");
    const { settings } = await read(files);
    expect([settings.vcpus, settings.memoryMiB].map((one) => one.state === "known" && one.value)).toContain(finding?.data.least);
  }
  expect(raised.length).toBeGreaterThan(0);
});

test("each record has an example of each thing that it refuses, changes or leaves out", async () => {
  const records = new Map<GeneratorRecord, Set<string>>();
  for (const { least, cases } of TOOLS) {
    for (const { files, finds } of [{ files: least, finds: "" }, ...cases]) {
      const record = await recordOf(files);
      if (record) records.set(record, (records.get(record) ?? new Set()).add(finds.split(" ")[0] ?? ""));
    }
  }
  for (const [{ name, refuses, treats = [] }, found] of records) {
    expect(
      [...refuses].filter((id) => !found.has(id)),
      name,
    ).toEqual([]);
    if (treats.length > 0) expect([...found], name).toContain(DROPPED);
  }
  const src = fileURLToPath(new URL("../../packages/core/src/formats", import.meta.url));
  const texts = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(`${src}/${path}`, "utf8"));
  const written = texts
    .flatMap((text) => [...text.matchAll(/name: ("[^"]+"),\n\s+source: /g)])
    .map(([, name]) => JSON.parse(name as string));
  const seen = new Set([...records.keys()].map(({ name }) => name));
  expect(written.filter((name) => !seen.has(name))).toEqual([]);
});

test("the page shows each tool (npm run gen)", async () => {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = await Promise.all(
    TOOLS.map(async ({ title, least, cases }) => {
      const record = await recordOf(least);
      const { source, defaults = {} } = record ?? {};
      const { vcpus } = (await read(least)).settings;
      const kept = vcpus.state === "unknown" && defaults.vcpus === undefined ? [`Missing values: ${vcpus.reason}.`] : [];
      const values = Object.entries(defaults).map(([name, value]) => `${name} ${value}`);
      const lines = await Promise.all(
        cases.map(async ({ says, files, finds }) => {
          const found = (await findingsOf(files)).find(({ ruleId, messageId }) => `${ruleId} ${messageId}` === finds);
          return `| \`${cell(says)}\` | ${cell(found?.message ?? "")} |`;
        }),
      );
      return [
        `## ${title}`,
        "",
        `Source: ${source?.url ? `[${source.title}](${source.url})` : (source?.title ?? "none")}.`,
        ...(values.length > 0 ? [`Missing values: ${values.join(", ")}.`] : kept),
        "",
        ...(lines.length > 0 ? ["| the file says | vmlint says |", "|---|---|", ...lines, ""] : []),
      ].join("\n");
    }),
  );
  const page = [
    "# Generators: defaults, refused and changed arguments",
    "",
    "You want to know which values a tool sends to vSphere for your file.",
    "",
    "vmlint uses the values that a tool really sends: its defaults, and values that it raises. A refused, changed or ignored argument is a",
    "finding of [tf/dropped-argument](../../../packages/core/docs/rules/tf/dropped-argument.md), or of the rule about the same mistake.",
    "",
    "`govc vm.create` sends 1 vCPU, 1024 MiB, `otherGuest` and BIOS firmware if an option is missing, and leaves the cores per socket and the",
    "hardware version to vCenter ([govmomi, cli/vm/create.go](https://github.com/vmware/govmomi/blob/659b51b66fd1e715a4be0aa152cafe704b11cee4/cli/vm/create.go)).",
    "vmlint reads the request that `govc vm.create -spec` prints, and the VM that `govc vm.info -json` prints.",
    "",
    ...rows,
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/guide/formats/generators.md");
});
