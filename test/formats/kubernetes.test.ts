import { applyEdits, type VmSpec } from "@vmlint/core";
import type { Change } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { devicesOf, knownOf, said, vmsOf, yamlVm } from "../support/yaml-vm.ts";

const TEMPLATE = "? the VM inherits it from its template";
const BY_RELEASE = "? Cluster API's vSphere provider makes one socket before 1.16, and keeps the template's from then on";

describe("Cluster API Provider vSphere", () => {
  const machine = (spec: string, version = "v1beta1") =>
    `apiVersion: infrastructure.cluster.x-k8s.io/${version}\nkind: VSphereMachineTemplate\nmetadata:\n  name: workers\nspec:\n  template:\n    spec:\n      template: ubuntu\n${spec.replace(/^/gm, "      ")}`;

  test("values that a ClusterClass in the same text patches are unknown, all other values are known", () => {
    const patch = (kind: string, path: string) =>
      `    definitions:\n    - selector: { apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ${kind} }\n      jsonPatches:\n      - { op: replace, path: ${path}, valueFrom: { variable: cpus } }\n`;
    const read = (definition: string) => {
      const cluster = `apiVersion: cluster.x-k8s.io/v1beta1\nkind: ClusterClass\nspec:\n  patches:\n  - name: sizes\n${definition}---\n`;
      const { vcpus, memoryMiB, preferHt } = yamlVm(
        `${cluster}${machine('numCPUs: 30\nmemoryMiB: 8192\ncustomVMXKeys: { numa.vcpu.preferHT: "TRUE" }')}`,
      ).settings;
      return [vcpus, memoryMiB, preferHt].map((setting) => (setting.state === "unknown" ? setting.reason : setting.state));
    };
    const reason = "a ClusterClass patches it";
    expect(read(patch("VSphereMachineTemplate", "/spec/template/spec/numCPUs"))).toEqual([reason, "known", "known"]);
    expect(read(patch("VSphereMachineTemplate", "/spec/template/spec/memoryMiB"))).toEqual(["known", reason, "known"]);
    expect(read(patch("VSphereClusterTemplate", "/spec/template/spec/numCPUs"))).toEqual(["known", "known", "known"]);
  });

  test("reads all fields, each with its place", () => {
    const text = machine(`numCPUs: 8
numCoresPerSocket: 4
memoryMiB: 16384
hardwareVersion: vmx-20
resources:
  requests: { cpu: 2G, memory: 8Gi }
  limits: { cpu: "4500M", memory: 16G }
customVMXKeys:
  numa.vcpu.preferHT: "TRUE"
  vcpu.hotadd: "FALSE"
network:
  devices: [{ networkName: a }, { networkName: b }]`);
    const vm = yamlVm(text);
    expect(vm).toMatchObject({ name: "workers", format: "capv", defaults: { vcpus: 2, memoryMiB: 2048 } });
    expect(knownOf(text, vm)).toEqual({
      vcpus: [8, "8"],
      coresPerSocket: [4, "4"],
      memoryMiB: [16384, "16384"],
      hardwareVersion: [20, "vmx-20"],
      cpuReservationMHz: [2000, "2G"],
      cpuLimitMHz: [4500, "4500M"],
      memoryReservationMiB: [8192, "8Gi"],
      // 16,000,000,000 bytes, rounded up.
      memoryLimitMiB: [15259, "16G"],
      preferHt: [true, "TRUE"],
    });
    expect(devicesOf(vm)).toEqual({ scsi: [], others: [], disks: [], nics: ["vmxnet3", "vmxnet3"] });
  });

  test.each([
    // 0 has two meanings. If CAPV sends no value, the template's value applies.
    ["v1beta1", "numCoresPerSocket: 0", { coresPerSocket: BY_RELEASE }],
    ["v1beta2", "numCoresPerSocket: 0", { coresPerSocket: "auto" }],
    ["v1beta2", "numCPUs: 4", { vcpus: 4, coresPerSocket: TEMPLATE }],
    // "numCPUs < 2" and "memMiB == 0" in clone.go.
    ["v1beta1", "numCPUs: 1\nmemoryMiB: 0", { vcpus: 2 }],
    ["v1beta1", "numCPUs: 0", { vcpus: 2 }],
    // CAPV upgrades an older template and keeps a newer one.
    ["v1beta1", "hardwareVersion: vmx-19", { hardwareVersion: "? the template decides if it is newer than vmx-19" }],
    ["v1beta2", "hardwareVersion: vmx-21\nnumCPUs: 768", { hardwareVersion: 21, vcpus: 768 }],
    // 960 from version 22 on.
    [
      "v1beta2",
      "hardwareVersion: vmx-21\nnumCPUs: 800",
      { hardwareVersion: "? the template decides if it is newer than vmx-21", vcpus: 800 },
    ],
    ["v1beta1", "pciDevices: [{ deviceId: 1 }]", { memoryReservationLocked: true }],
    ["v1beta1", "numCPUs: ${CPUS:=4}", { vcpus: "? a template fills it in, with 4 as default" }],
    ["v1beta1", "numCPUs: {{ .Values.cpus }}", { vcpus: "? a template fills it in" }],
  ])("%s %s", (version, spec, expected) => {
    const vm = yamlVm(machine(spec, version));
    const inherited = ["coresPerSocket", "cpuHotAdd", "cpuReservationMHz", "memoryReservationMiB", "memoryReservationLocked"];
    const open = Object.fromEntries(inherited.map((name) => [name, TEMPLATE]));
    expect(said(vm)).toEqual({ ...open, ...(version === "v1beta1" && { coresPerSocket: BY_RELEASE }), ...expected });
  });

  test("a patch has the rest in another file", () => {
    const patch = yamlVm(machine("numCPUs: 8").replace("      template: ubuntu\n", ""));
    expect(patch.defaults).toEqual({});
    expect(said(patch)).toMatchObject({ vcpus: 8, memoryMiB: "? it is a patch: the object it is merged into has the rest" });
  });

  test("VSphereMachine, VSphereVM and lists, in YAML and JSON", () => {
    const item = (kind: string, cpus: number) => ({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind,
      metadata: { name: kind },
      spec: { template: "t", numCPUs: cpus, numCoresPerSocket: 1 },
    });
    const list = JSON.stringify(
      { apiVersion: "v1", kind: "List", items: [item("VSphereMachine", 4), { kind: "Pod" }, item("VSphereVM", 6)] },
      null,
      2,
    );
    expect(vmsOf(list).map((vm) => [vm.name, knownOf(list, vm).vcpus])).toEqual([
      ["VSphereMachine", [4, "4"]],
      ["VSphereVM", [6, "6"]],
    ]);
  });
});

test("CAPV sends no resources of zero, so the template's apply's count", () => {
  const resources = '{ limits: { cpu: "0", memory: 0 }, requests: { cpu: 0, memory: "0Gi" } }';
  const { settings } = yamlVm(
    `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereVM\nmetadata: { name: a }\nspec: { template: t, numCPUs: 4, resources: ${resources} }\n`,
  );
  for (const name of ["cpuReservationMHz", "cpuLimitMHz", "memoryReservationMiB", "memoryLimitMiB"] as const)
    expect([name, settings[name].state]).not.toEqual([name, "known"]);
});

describe("VM Operator", () => {
  const CLASS = `apiVersion: vmoperator.vmware.com/v1alpha3
kind: VirtualMachineClass
metadata: { name: large }
spec:
  hardware: { cpus: 16, memory: 64Gi }
  policies:
    resources:
      requests: { cpu: 16000m, memory: 64Gi }
  configSpec:
    _typeName: VirtualMachineConfigSpec
    numCPUs: 4
    numCoresPerSocket: 8
    version: vmx-21
    guestId: windows2019srvNext_64Guest
    cpuHotAddEnabled: false
    latencySensitivity: { _typeName: LatencySensitivity, level: high }
    virtualNuma: { _typeName: VirtualMachineVirtualNuma, coresPerNumaNode: 8 }
    extraConfig:
      - { _typeName: OptionValue, key: numa.vcpu.preferHT, value: { _typeName: string, _value: "TRUE" } }
      - { _typeName: OptionValue, key: guestinfo.x, value: y }
    deviceChange:
      - operation: add
        device: { _typeName: VirtualLsiLogicSASController, key: -201, busNumber: 0 }
      - operation: add
        device: { _typeName: VirtualDisk, key: -1, controllerKey: -201, unitNumber: 1, backing: { _typeName: VirtualDiskRawDiskMappingVer1BackingInfo } }
      - operation: add
        device: { _typeName: VirtualDisk, key: -3, controllerKey: -201, unitNumber: 2, backing: { _typeName: VirtualDiskFlatVer2BackingInfo } }
      - device: { _typeName: VirtualAHCIController, key: -4, busNumber: 0 }
      - operation: add
        device: { _typeName: VirtualVmxnet3, key: -2 }
      - operation: remove
        device: { _typeName: ParaVirtualSCSIController, key: 1000, busNumber: 1 }
`;
  test("a class: hardware wins over configSpec, and requests are cores of a host that is not known", () => {
    const vm = yamlVm(CLASS);
    expect(said(vm)).toEqual({
      vcpus: 16,
      coresPerSocket: 8,
      coresPerNumaNode: 8,
      memoryMiB: 65536,
      hardwareVersion: 21,
      cpuHotAdd: false,
      latencySensitivity: "high",
      cpuReservationMHz: "? it is 16 cores at the clock of the slowest host",
      memoryReservationMiB: 65536,
      memoryReservationLocked: "? the VM inherits it from its image",
      preferHt: true,
    });
    expect(devicesOf(vm)).toEqual({ scsi: ["scsi0 lsisas1068"], others: [], disks: ["scsi0:1"], nics: ["vmxnet3"] });
  });

  test.each([
    // "Use default coresPerSocket behavior", which an image may have of its own.
    ["numCoresPerSocket: 8", "numCoresPerSocket: 0", { coresPerSocket: "? the VM inherits it from its image" }],
    ["numCoresPerSocket: 8", "numCoresPerSocket: 010", { coresPerSocket: "? readers of YAML differ on 010" }],
    ["cpuHotAddEnabled: false", "cpuHotAddEnabled: yes", { cpuHotAdd: true }],
    ...["level: normal", 'level: "{{ .level }}"'].map((level): [string, string, object] => [
      "cpuHotAddEnabled: false",
      `vcpuConfig: [{ latencySensitivity: { level: high } }, { latencySensitivity: { ${level} } }]`,
      { latencySensitivity: "? its vCPUs have levels of their own" },
    ]),
    // They apply if the VM's own latency sensitivity is high.
    [
      "latencySensitivity: { _typeName: LatencySensitivity, level: high }",
      "latencySensitivity: { level: normal }\n    vcpuConfig: [{ latencySensitivity: { level: normal } }]",
      { latencySensitivity: "normal" },
    ],
    [
      "cpuHotAddEnabled: false",
      "vcpuConfig: [{ latencySensitivity: { level: high } }, { _typeName: VirtualMachineVcpuConfig }]",
      { latencySensitivity: "high" },
    ],
    [
      'key: numa.vcpu.preferHT, value: { _typeName: string, _value: "TRUE" }',
      'key: numa.vcpu.coresPerNode, value: "4"',
      { coresPerNumaNode: 8 },
    ],
  ])("%s as %s", (from, to, expected) => {
    expect(said(yamlVm(CLASS.replace(from, to)))).toMatchObject(expected);
  });

  test("a bus from a template is unknown", () => {
    const vm = yamlVm(CLASS.replace("key: -201, busNumber: 0", 'key: -201, busNumber: "{{ .Values.bus }}"'));
    expect(devicesOf(vm)).toEqual({ scsi: [], others: [], disks: [], nics: ["vmxnet3"] });
  });

  test("a class without policies reserves nothing", () => {
    const vm = yamlVm(CLASS.replace(/ {2}policies:\n.*\n.*\n/, ""));
    expect([vm.settings.cpuReservationMHz, vm.settings.memoryReservationMiB]).toEqual([{ state: "absent" }, { state: "absent" }]);
    expect(vm.defaults).toEqual({ cpuReservationMHz: 0, memoryReservationMiB: 0 });
  });

  // "if !res.Requests.Memory.IsZero() || !res.Limits.Memory.IsZero()", all of the allocation is a new one (configspec.go).
  test.each<[string, object]>([
    [
      "requests: { cpu: 2 }",
      {
        cpuReservationMHz: "? it is 2 cores at the clock of the slowest host",
        cpuLimitMHz: undefined,
        memoryReservationMiB: 7,
        memoryLimitMiB: 8,
      },
    ],
    [
      "limits: { cpu: 2 }",
      {
        cpuReservationMHz: "? the VM inherits it from its image",
        cpuLimitMHz: "? it is 2 cores at the clock of the slowest host",
      },
    ],
    [
      "limits: { memory: 1Gi }",
      { cpuReservationMHz: 5, cpuLimitMHz: 6, memoryReservationMiB: "? the VM inherits it from its image", memoryLimitMiB: 1024 },
    ],
    ["requests: { memory: 1Gi }", { cpuReservationMHz: 5, memoryReservationMiB: 1024, memoryLimitMiB: undefined }],
    ["requests: { cpu: 0, memory: 0 }", { cpuReservationMHz: 5, cpuLimitMHz: 6, memoryReservationMiB: 7, memoryLimitMiB: 8 }],
    [
      'requests: { memory: "{{ .m }}" }',
      { cpuReservationMHz: 5, memoryReservationMiB: "? a template fills it in", memoryLimitMiB: "? a policy may override it" },
    ],
  ])("policies of %s", (policies, expected) => {
    const allocations = "cpuAllocation: { reservation: 5, limit: 6 }\n    memoryAllocation: { reservation: 7, limit: 8 }";
    const text = CLASS.replace(/requests: .*/, policies).replace("    numCPUs: 4", `    numCPUs: 4\n    ${allocations}`);
    const found = said(yamlVm(text)) as Record<string, unknown>;
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]))).toEqual(expected);
  });

  const machine = (version: string, spec: string) =>
    `apiVersion: vmoperator.vmware.com/${version}\nkind: VirtualMachine\nmetadata: { name: db }\nspec:\n  className: large\n${spec.replace(/^/gm, "  ")}`;
  const NEW = `resources: { size: { cpu: 16, memory: 32Gi }, requests: { cpu: "24000", memory: 32Gi }, limits: { cpu: -1 } }
minHardwareVersion: 20
cpuAdvanced:
  hotAddEnabled: false
  latencySensitivity: HighWithHyperthreading
  reservationLockedToMax: true
  topology: { coresPerSocket: 8, vnumaNodeCount: 2, exposeVnumaOnCpuHotadd: false, numaFixedAutoAffinityEnabled: false }
memoryAdvanced: { reservationLockedToMax: true }
advanced:
  pnumaNodeAffinity: [0, 1]
  preferHtEnabled: true
  extraConfig: [{ key: numa.vcpu.min, value: "10" }]
hardware:
  scsiControllers: [{ busNumber: 0, sharingMode: None }, { busNumber: 1, type: LsiLogicSAS, sharingMode: Virtual }]
  nvmeControllers: [{ busNumber: 0 }]
volumes:
  - { name: data, controllerType: SCSI, controllerBusNumber: 1, unitNumber: 3 }
  - { name: anywhere }`;

  test("a VM has the disks of its image", () => {
    expect(yamlVm(machine("v1alpha6", NEW)).devices().missing).toBe("the image that the VM is made from has its own");
  });

  test("sizes of a VM of v1alpha6 are whole MiB, rounded down", () => {
    const { settings } = yamlVm(machine("v1alpha6", "resources: { size: { cpu: 4, memory: 8G }, requests: { memory: 4G } }"));
    expect([settings.memoryMiB, settings.memoryReservationMiB]).toMatchObject([{ value: 7629 }, { value: 3814 }]);
  });

  test("a VM of v1alpha6 states its own sizes, and its requests are in MHz", () => {
    const vm = yamlVm(machine("v1alpha6", NEW));
    expect(said(vm)).toEqual({
      vcpus: 16,
      coresPerSocket: 8,
      // 16 vCPUs on 2 nodes.
      coresPerNumaNode: 8,
      threadsPerCore: 2,
      memoryMiB: 32768,
      cpuHotAdd: false,
      exposeVnumaOnHotAdd: false,
      numaFixedAutoAffinity: false,
      latencySensitivity: "high",
      numaNodeAffinity: [0, 1],
      cpuReservationMHz: 24000,
      cpuReservationLocked: true,
      cpuLimitMHz: "unlimited",
      memoryReservationMiB: 32768,
      memoryReservationLocked: true,
      preferHt: true,
      vnumaMinVcpus: 10,
    });
    // ParaVirtual is the default of the API.
    expect(devicesOf(vm)).toEqual({ scsi: ["scsi0 pvscsi", "scsi1 lsisas1068 shared"], others: ["nvme0"], disks: ["scsi1:3"], nics: [] });
  });

  test("a set of VMs has its template's", () => {
    const set = machine("v1alpha6", `template: { spec: { className: large, resources: { size: { cpu: 8 } } } }`);
    expect(said(yamlVm(set.replace("VirtualMachine", "VirtualMachineReplicaSet")))).toMatchObject({
      vcpus: 8,
      memoryMiB: "? it is the class large's",
    });
  });

  describe("with its class in the same text", () => {
    const vmClass = (name: string, more = "", meta = "") =>
      `---\napiVersion: vmoperator.vmware.com/v1alpha3\nkind: VirtualMachineClass\nmetadata: { name: ${name}${meta} }\nspec:\n  hardware: { cpus: 22, memory: 64Gi }\n${more}`;
    const CONFIG = "  configSpec: { numCoresPerSocket: 11, version: vmx-19, latencySensitivity: { level: high } }\n";
    const sized = (text: string) => vmsOf(text).map(said)[0];

    test("has its sizes, and the place of each in the class", () => {
      const text = `${machine("v1alpha3", "")}\n${vmClass("small")}${vmClass("large", CONFIG)}`;
      const [vm] = vmsOf(text);
      const image = "? the VM inherits it from its image";
      expect(vm && said(vm)).toEqual({
        vcpus: 22,
        coresPerSocket: 11,
        memoryMiB: 65536,
        hardwareVersion: 19,
        latencySensitivity: "high",
        cpuHotAdd: image,
        memoryReservationLocked: image,
      });
      expect(vm?.defaults).toEqual({ cpuReservationMHz: 0, memoryReservationMiB: 0 });
      expect(vm && knownOf(text, vm).coresPerSocket).toEqual([11, "large"]);
      const { settings, traceTo } = vm as VmSpec;
      const places = [settings.coresPerSocket, settings.vcpus].map((setting) =>
        setting.state === "known" ? traceTo?.(setting.range).map(({ message, range }) => [message, text.slice(...range)]) : setting,
      );
      expect(places).toEqual([[["set by the class large", "11"]], [["set by the class large", "22"]]]);
      expect(vm?.edit?.([{ setting: "coresPerSocket", value: 2 }])).toBeUndefined();
    });

    test("says the rest itself", () => {
      const text = `${machine("v1alpha6", `${NEW}\nguestID: x`)}\n${vmClass("large", CONFIG)}`;
      // A least version may raise the class's.
      expect(sized(text)).toEqual({ ...sized(machine("v1alpha6", `${NEW}\nguestID: x`)) });
    });

    test.each<[string, string, string]>([
      ["is another's", machine("v1alpha3", ""), vmClass("medium")],
      ["is there twice", machine("v1alpha3", ""), vmClass("large") + vmClass("large")],
      [
        "is of another namespace",
        machine("v1alpha3", "").replace("name: db", "name: db, namespace: a"),
        vmClass("large", "", ", namespace: b"),
      ],
      [
        "may be left out",
        machine("v1alpha3", ""),
        `---\n{{ if .x }}\n${vmClass("large").slice(4)}{{ end }}\n`.replace("spec:\n", "spec:\n{{ if .y }}\n").concat("{{ end }}\n"),
      ],
    ])("a class that %s leaves them unknown", (_, vm, classes) => {
      expect(sized(`${vm}\n${classes}`)?.vcpus).toBe("? it is the class large's");
    });
  });

  test.each(["v1alpha1", "v1alpha2", "v1alpha3", "v1alpha4", "v1alpha5"])("before, %s leaves them to the class", (version) => {
    expect(said(yamlVm(machine(version, NEW)))).toMatchObject({
      vcpus: "? it is the class large's",
      memoryMiB: "? it is the class large's",
    });
  });
});

describe("OpenShift", () => {
  const providerSpec = (sizes: object) => ({
    providerSpec: { value: { kind: "VSphereMachineProviderSpec", template: "rhcos", ...sizes } },
  });
  const objects = (sizes: object) => [
    { apiVersion: "machine.openshift.io/v1beta1", kind: "Machine", metadata: { name: "m" }, spec: providerSpec(sizes) },
    {
      apiVersion: "machine.openshift.io/v1beta1",
      kind: "MachineSet",
      metadata: { name: "m" },
      spec: { template: { spec: providerSpec(sizes) } },
    },
    {
      apiVersion: "machine.openshift.io/v1",
      kind: "ControlPlaneMachineSet",
      metadata: { name: "m" },
      spec: { template: { machines_v1beta1_machine_openshift_io: { spec: providerSpec(sizes) } } },
    },
  ];

  test("in a Machine, a MachineSet and a ControlPlaneMachineSet; no cores per socket are one socket", () => {
    for (const object of objects({ numCPUs: 8, memoryMiB: 16384 }))
      expect(said(yamlVm(JSON.stringify(object)))).toMatchObject({ vcpus: 8, coresPerSocket: 8, memoryMiB: 16384 });
    for (const object of objects({ numCPUs: 8, numCoresPerSocket: 2 }))
      expect(said(yamlVm(JSON.stringify(object)))).toMatchObject({ vcpus: 8, coresPerSocket: 2, memoryMiB: TEMPLATE });
  });

  test("on another platform it is skipped", () => {
    const aws = {
      apiVersion: "machine.openshift.io/v1beta1",
      kind: "Machine",
      spec: { providerSpec: { value: { kind: "AWSMachineProviderConfig" } } },
    };
    expect(yaml.parse(JSON.stringify(aws)).foreign).toBeDefined();
  });

  test("install-config.yaml: pools by their own names, and the platform's defaults", () => {
    const text = `apiVersion: v1
baseDomain: example.com
controlPlane:
  name: master
  platform: { vsphere: { cpus: 8, coresPerSocket: 2, memoryMB: 24576 } }
compute:
- name: worker
  platform: {}
platform:
  vsphere: { defaultMachinePlatform: { cpus: 4, memoryMB: 8192 } }
`;
    const [master, worker] = vmsOf(text);
    expect([master?.name, worker?.name]).toEqual(["master", "worker"]);
    expect(master && said(master)).toMatchObject({ vcpus: 8, coresPerSocket: 2, memoryMiB: 24576 });
    expect(worker && said(worker)).toMatchObject({
      vcpus: 4,
      memoryMiB: 8192,
    });
    expect(worker?.defaults).toEqual({ vcpus: 4, coresPerSocket: 4, memoryMiB: 16384 });
  });

  const pool = (platform: object) => ({
    apiVersion: "hive.openshift.io/v1",
    kind: "MachinePool",
    metadata: { name: "c-worker" },
    spec: { name: "worker", platform },
  });

  test("MachinePool of Hive: the installer's names, and no defaults", () => {
    expect(said(yamlVm(JSON.stringify(pool({ vsphere: { cpus: 8, coresPerSocket: 2 } }))))).toMatchObject({
      vcpus: 8,
      coresPerSocket: 2,
      memoryMiB: "? Hive refuses a pool without it",
      cpuHotAdd: TEMPLATE,
    });
    expect(yaml.parse(JSON.stringify(pool({ aws: { type: "m6i.large" } }))).foreign).toBeDefined();
  });

  test("a Template has the VMs of its objects, and its parameters are unknown", () => {
    const template = {
      apiVersion: "template.openshift.io/v1",
      kind: "Template",
      objects: [pool({ vsphere: { cpus: "${{CPUS}}", memoryMB: 8192 } }), ...objects({ numCPUs: 4 })],
    };
    expect(vmsOf(JSON.stringify(template)).map((vm) => said(vm).vcpus)).toEqual(["? a template fills it in", 4, 4, 4]);
  });
});

test("a template of machines is not a running machine", () => {
  const object = (apiVersion: string, kind: string, spec: object) => JSON.stringify({ apiVersion, kind, spec });
  const capi = "infrastructure.cluster.x-k8s.io/v1beta1";
  const operator = "vmoperator.vmware.com/v1alpha6";
  const provider = { providerSpec: { value: { kind: "VSphereMachineProviderSpec" } } };
  expect(
    [
      object(capi, "VSphereMachineTemplate", { template: { spec: { template: "t" } } }),
      object(capi, "VSphereMachine", { template: "t" }),
      object(operator, "VirtualMachineClass", {}),
      object(operator, "VirtualMachine", {}),
      object("machine.openshift.io/v1beta1", "MachineSet", { template: { spec: provider } }),
      object("machine.openshift.io/v1beta1", "Machine", provider),
      object("anywhere.eks.amazonaws.com/v1alpha1", "VSphereMachineConfig", {}),
    ].map((text) => yamlVm(text).template ?? false),
  ).toEqual([true, false, true, false, true, false, true]);
});

describe("others", () => {
  test("EKS Anywhere has defaults of its own", () => {
    const vm = yamlVm(
      "apiVersion: anywhere.eks.amazonaws.com/v1alpha1\nkind: VSphereMachineConfig\nmetadata: { name: cp }\nspec: { numCPUs: 4 }\n",
    );
    expect(vm.defaults).toEqual({ vcpus: 2, memoryMiB: 8192 });
    expect(said(vm)).toMatchObject({ vcpus: 4, coresPerSocket: BY_RELEASE });
  });

  test.each([
    ["numCPUs: 1, memoryMiB: 1024", { vcpus: 2, memoryMiB: 2048 }],
    ["numCPUs: 3, memoryMiB: 2049", { vcpus: 3, memoryMiB: 2049 }],
  ])("EKS Anywhere raises what is too little: %s", (spec, expected) => {
    const text = `apiVersion: anywhere.eks.amazonaws.com/v1alpha1\nkind: VSphereMachineConfig\nmetadata: { name: cp }\nspec: { ${spec} }\n`;
    expect(said(yamlVm(text))).toMatchObject(expected);
  });

  test("EKS Anywhere takes 0 for left out", () => {
    const text = "kind: VSphereMachineConfig\nmetadata: { name: cp }\nspec: { numCPUs: 0, memoryMiB: 0 }\n";
    const { settings } = yamlVm(text);
    expect([settings.vcpus.state, settings.memoryMiB.state]).toEqual(["absent", "absent"]);
  });

  test("machine-controller takes keys in any case, as Go's JSON does", () => {
    const text = `apiVersion: "cluster.k8s.io/v1alpha1"\nkind: MachineDeployment\nmetadata: { name: << NAME >> }\nspec:\n  template:\n    spec:\n      providerSpec:\n        value:\n          cloudProvider: "vsphere"\n          cloudProviderSpec: { cpus: 2, MemoryMB: 4096, diskSizeGB: << DISK >> }\n`;
    expect(yamlVm(text).name).toBe("<< NAME >>");
    expect(said(yamlVm(text))).toMatchObject({ vcpus: 2, memoryMiB: 4096 });
    expect(yaml.parse(text.replace('"vsphere"', "aws")).foreign).toBeDefined();
  });

  test("Rancher: numbers as text, options as pairs", () => {
    const text = `apiVersion: rke-machine-config.cattle.io/v1\nkind: VmwarevsphereConfig\nmetadata: { name: pool }\ncreationType: legacy\ncpuCount: "8"\nmemorySize: "16384"\ncfgparam:\n- disk.enableUUID=TRUE\n- numa.vcpu.min=4\n`;
    const vm = yamlVm(text);
    expect(said(vm)).toEqual({ vcpus: 8, memoryMiB: 16384, vnumaMinVcpus: 4 });
    expect(knownOf(text, vm).vnumaMinVcpus).toEqual([4, "4"]);
    expect(devicesOf(vm).scsi).toEqual(["scsi0 pvscsi"]);
    expect(said(yamlVm(text.replace("legacy", "template")))).toMatchObject({ vcpus: 8, coresPerSocket: TEMPLATE });
    expect(vm.edit?.([{ setting: "vnumaMinVcpus", value: 9 }])).toBeUndefined();
  });
});

describe("edits", () => {
  const CAPV = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: VSphereMachine\nmetadata: { name: a }\nspec:\n  template: t\n  numCPUs: 6 # six\n  hardwareVersion: "vmx-17"\n`;
  const edited = (text: string, ...changes: readonly Change[]) => {
    const edits = yamlVm(text).edit?.(changes);
    return edits && applyEdits(text, edits);
  };

  test("in place, in the format's own spelling", () => {
    expect(edited(CAPV, { setting: "vcpus", value: 8 }, { setting: "hardwareVersion", value: 20 })).toBe(
      CAPV.replace("6 # six", "8 # six").replace("vmx-17", "vmx-20"),
    );
  });
  test("a missing setting gets a line, an option its mapping", () => {
    expect(edited(CAPV, { setting: "coresPerSocket", value: "auto" })).toBe(CAPV.replace("# six", "# six\n  numCoresPerSocket: 0"));
    const once = edited(CAPV, { setting: "preferHt", value: true }) ?? "";
    expect(once).toBe(CAPV.replace("# six", '# six\n  customVMXKeys: { numa.vcpu.preferHT: "TRUE" }'));
    const block = CAPV.replace("  template: t", "  customVMXKeys:\n    a.b: c\n  template: t");
    expect(edited(block, { setting: "preferHt", value: true })).toBe(
      block.replace("    a.b: c", '    a.b: c\n    numa.vcpu.preferHT: "TRUE"'),
    );
  });
  test("an edit that the format or JSON does not allow is left out", () => {
    expect(edited(CAPV.replace("v1beta2", "v1beta1"), { setting: "coresPerSocket", value: "auto" })).toBeUndefined();
    const json = JSON.stringify(
      { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2", kind: "VSphereMachine", spec: { template: "t", numCPUs: 6 } },
      null,
      2,
    );
    expect(edited(json, { setting: "vcpus", value: 8 })).toBe(json.replace("6", "8"));
    expect(edited(json, { setting: "coresPerSocket", value: 3 })).toBeUndefined();
  });
  test("a size of memory keeps its unit's spelling", () => {
    const vm = "apiVersion: vmoperator.vmware.com/v1alpha6\nkind: VirtualMachine\nspec:\n  resources:\n    size: { cpu: 4, memory: 8Gi }\n";
    expect(edited(vm, { setting: "memoryMiB", value: 16384 })).toBe(vm.replace("8Gi", "16Gi"));
    expect(edited(vm, { setting: "memoryMiB", value: 16388 })).toBe(vm.replace("8Gi", "16388Mi"));
  });
});

describe("a vmlint comment", () => {
  const one = (name: string, comment: string) =>
    `${comment}apiVersion: anywhere.eks.amazonaws.com/v1alpha1\nkind: VSphereMachineConfig\nmetadata: { name: ${name} }\nspec:\n  numCPUs: 4 # vmlint: workload=postgresql\n  text: |\n    # vmlint: host=not-a-comment\n`;
  test("applies to its VM, or to the entire document if it is at the top", () => {
    const text = `${one("a", "# vmlint: host=lab\n")}---\n${one("b", "")}`;
    const directives = vmsOf(text).map(({ name, directive }) => [name, ...[...directive].map(([word, { value }]) => `${word}=${value}`)]);
    expect(directives).toEqual([
      ["a", "host=lab", "workload=postgresql"],
      ["b", "workload=postgresql"],
    ]);
  });
  test("an unknown word is reported once", () => {
    const { problems } = yaml.parse(one("a", "# vmlint: hots=lab\n"));
    expect(problems.map(({ ruleId, data }) => [ruleId, data.word])).toEqual([["spec/directive", "hots"]]);
  });
});
