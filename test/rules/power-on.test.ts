import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lint, requireHost, rules } from "@vmlint/core";
import { formatHolding, formats } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { PARTS } from "../../packages/core/src/formats/board.ts";
import { projectHolding } from "../../packages/core/src/formats/index.ts";
import { HARDWARE_VERSIONS } from "../../packages/core/src/limits/hardware.ts";
import { gpuOf, mmioFor, mostPassthrough, PART_HARDWARE, roomyMmio } from "../../packages/core/src/limits/power-on.ts";
import { esxi } from "../../packages/core/src/model/esxi.ts";
import type { BoardTypes } from "../../packages/core/src/model/spec.ts";
import { tieredHost } from "../../packages/core/src/rules/example-host.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const own = rules.filter(({ id }) => id.startsWith("power-on/"));
const found = (vmx: string, host?: string) =>
  lint(vmx, { rules: own, target: host === undefined ? {} : { host: requireHost(host) } }).diagnostics.map(
    ({ ruleId, messageId }) => `${ruleId.slice("power-on/".length)} ${messageId}`,
  );

const VALUES: { readonly [K in keyof BoardTypes]?: string } = { firmware: "efi", chipset: "acpi" };

describe("each part needs its hardware version", () => {
  const keyed = Object.entries(PART_HARDWARE).flatMap(([name, { version }]) => {
    const key = PARTS[name as keyof typeof PARTS].key;
    return key === undefined ? [] : [[name as keyof BoardTypes, key, version] as const];
  });
  test.each(keyed)("%s", (name, key, version) => {
    const at = (hardware: number) =>
      found(`virtualHW.version = "${hardware}"\n${name === "firmware" ? "" : 'firmware = "efi"\n'}${key} = "${VALUES[name] ?? "TRUE"}"`);
    expect(at(version)).toEqual([]);
    expect(at(HARDWARE_VERSIONS.findLast((older) => older < version) ?? 0)).toContain("old-hardware old");
  });
});

describe("address space by the published examples", () => {
  const gpus = (model: string, count: number) => Array.from({ length: count }, () => gpuOf({ id: "a", range: [0, 0], ...kindOf(model) }));
  const kindOf = (model: string) => (model.includes("_") ? ({ kind: "vgpu", model } as const) : ({ kind: "fixed", model } as const));
  // KB 323402; F. Denneman, 2023-05-30: single and two GPUs; earlruby.org: two of 24 GB.
  test.each<[string, number, number]>([
    ["10de:2331", 1, 256],
    ["10de:2331", 2, 512],
    ["10de:20f1", 1, 128],
    ["10de:20f1", 2, 256],
    ["10de:20b5", 1, 256],
    ["10de:20b5", 2, 512],
    ["10de:20b7", 1, 64],
    ["10de:20b7", 2, 128],
    ["10de:1db6", 1, 64],
    ["10de:1db6", 2, 128],
    ["10de:1db4", 1, 64],
    ["10de:1db4", 2, 128],
    ["10de:1b38", 2, 128],
    ["10de:2335", 1, 512],
    ["nvidia_h100-80c", 1, 256],
    ["grid_a100-3-20c", 1, 64],
    ["grid_a100dx-40c", 1, 128],
  ])("%s, %i times", (model, count, gib) => {
    const all = gpus(model, count).flatMap((gpu) => gpu ?? []);
    expect([all.length, roomyMmio(all)]).toEqual([count, gib]);
    expect(mmioFor(all)).toBeLessThanOrEqual(gib);
  });

  test("no figure for what no source describes", () => {
    for (const model of ["15b3:1017", "10de:ffff", "grid_unknown", "nvidia_a16"]) expect(gpus(model, 1)).toEqual([undefined]);
  });
});

test.each<[number, number, number | null, number | undefined, number]>([
  [4, 0, null, undefined, 2],
  [5, 1, null, undefined, 4],
  [6, 7, 3, 14, 16],
  [7, 0, 3, 19, 16],
  [8, 0, 0, 20, 32],
  [8, 0, 1, 20, 64],
  [8, 0, 2, 21, 128],
  [8, 0, null, undefined, 128],
  [8, 0, 2, 19, 16],
])("ESXi %i.%i U%s, hardware version %s: %i passthrough devices", (major, minor, update, version, most) => {
  expect(mostPassthrough(esxi(major, minor, update), version)).toBe(most);
});

const PCI = (body: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata: { name: gpu }
spec: { template: { spec: { template: t, numCPUs: 8, memoryMiB: 16384, ${body} } } }
`;
const OVF = (version: number, config: string) =>
  `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"><VirtualSystem><VirtualHardwareSection><System><vssd:VirtualSystemType>vmx-${version}</vssd:VirtualSystemType></System>${config}</VirtualHardwareSection></VirtualSystem></Envelope>`;
const conf = (key: string, value: string) => `<vmw:Config vmw:key="${key}" vmw:value="${value}"/>`;
const INFO = (config: object, devices: readonly object[]) =>
  JSON.stringify({
    virtualMachines: [
      { name: "a", config: { name: "a", version: "vmx-19", hardware: { numCPU: 8, memoryMB: 16384, device: devices }, ...config } },
    ],
  });
const backing = (fields: object) => ({ _typeName: "VirtualPCIPassthrough", backing: fields });
const ANSIBLE = (hardware: string) =>
  `- hosts: all\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        guest_id: rhel8_64Guest\n        hardware: { num_cpus: 4, memory_mb: 4096, ${hardware} }\n`;
const PULUMI = (properties: string) =>
  `name: a\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: { name: a, numCpus: 4, ${properties} }\n`;

/** The same facts in the words of each format, with the expected findings. */
describe("each format states them", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "main.tf",
      'resource "vsphere_virtual_machine" "a" {\n  name = "a"\n  hardware_version = 13\n  firmware = "efi"\n  vtpm {\n  }\n}\n',
      ["old-hardware old"],
    ],
    ["main.tf", 'resource "vsphere_virtual_machine" "a" {\n  name = "a"\n  vtpm {\n  }\n}\n', ["bios needed"]],
    [
      "main.tf",
      'resource "vsphere_virtual_machine" "a" {\n  name = "a"\n  extra_config = {\n    "pciPassthru.use64bitMMIO" = "TRUE"\n    "pciPassthru.64bitMMIOSizeGB" = "100"\n  }\n}\n',
      ["small-mmio odd"],
    ],
    [
      "main.tf",
      'resource "vsphere_virtual_machine" "a" {\n  name = "a"\n  firmware = var.unknown\n  vtpm {\n  }\n}\nvariable "unknown" {}\n',
      [],
    ],
    [
      "a.pkr.hcl",
      'source "vsphere-iso" "a" {\n  vm_version = 15\n  firmware = "efi"\n  precision_clock = "ptp"\n}\n',
      ["old-hardware old"],
    ],
    ["a.pkr.hcl", 'source "vsphere-iso" "a" {\n  firmware = "bios"\n  vTPM = true\n}\n', ["bios needed"]],
    ["a.pkr.hcl", 'source "vsphere-iso" "a" {\n  vTPM = true\n  precision_clock = "none"\n  vm_version = 15\n}\n', []],
    [
      "a.pkr.hcl",
      'source "vsphere-clone" "a" {\n  template = "t"\n  firmware = "efi-secure"\n  vgpu_profile = "grid_a100-40c"\n}\n',
      ["small-mmio off"],
    ],
    ["play.yml", ANSIBLE("version: 12, boot_firmware: bios, secure_boot: true"), ["bios needed", "old-hardware old"]],
    ["play.yml", ANSIBLE("virt_based_security: true, iommu: false, boot_firmware: efi"), ["conflict refused"]],
    ["Pulumi.yaml", PULUMI("vtpm: { version: '2.0' }"), ["bios needed"]],
    ["Pulumi.yaml", PULUMI("firmware: efi, hardwareVersion: 12, efiSecureBootEnabled: true"), ["old-hardware old"]],
    [
      "capv.yaml",
      PCI("hardwareVersion: vmx-15, pciDevices: [{ vendorId: 4318, deviceId: 8373 }]"),
      ["old-hardware least", "small-mmio off"],
    ],
    ["capv.yaml", PCI("hardwareVersion: vmx-17, pciDevices: [{ vendorId: 5555, deviceId: 8373 }]"), []],
    [
      "capv.yaml",
      PCI(
        'hardwareVersion: vmx-17, pciDevices: [{ vendorId: 0x10de, deviceId: 0x20b5 }], customVMXKeys: { pciPassthru.use64bitMMIO: "TRUE", pciPassthru.64bitMMIOSizeGB: "64" }',
      ),
      ["small-mmio small"],
    ],
    ["a.ovf", OVF(12, conf("firmware", "efi") + conf("bootOptions.efiSecureBootEnabled", "true")), ["old-hardware old"]],
    ["a.ovf", OVF(19, conf("firmware", "bios") + conf("flags.vbsEnabled", "true")), ["bios needed"]],
    ["a.ovf", OVF(19, conf("flags.vbsEnabled", "true")), []],
    [
      "vm-info.json",
      INFO({ firmware: "bios" }, [backing({ _typeName: "VirtualPCIPassthroughVmiopBackingInfo", vgpu: "nvidia_l40s-48q" })]),
      ["bios needed", "small-mmio off"],
    ],
    [
      "vm-info.json",
      INFO({ version: "vmx-15", firmware: "efi" }, [
        backing({ allowedDevice: [{ vendorId: 5555, deviceId: 4119 }] }),
        { _typeName: "VirtualTPM", key: 11000 },
      ]),
      ["old-hardware old"],
    ],
    ["vm-info.json", INFO({ version: "vmx-13" }, [{ _typeName: "VirtualNVDIMM", key: 30000 }]), ["old-hardware old"]],
    ["vm-info.json", INFO({ version: "vmx-14" }, [{ _typeName: "VirtualNVDIMM", key: 30000 }]), []],
    ["vm-info.json", INFO({ version: "vmx-11" }, [{ _typeName: "VirtualVmxnet3Vrdma", key: 4000 }]), ["old-hardware old"]],
    ["vm-info.json", INFO({ sevEnabled: true, version: "vmx-17", flags: { vvtdEnabled: false } }, []), ["old-hardware old"]],
    [
      "vm-info.json",
      INFO({ fixedPassthruHotPlugEnabled: true, cpuHotAddEnabled: true, memoryHotAddEnabled: true, flags: { vvtdEnabled: true } }, []),
      ["conflict unsupported", "conflict unsupported", "conflict unsupported"],
    ],
  ])("%s: %s", (name, text, expected) => {
    const { out } = vmlint(folder({ [name]: text }), ["--format", "json", name]);
    expect((projectHolding(name, text) ?? formatHolding(name, text))?.name).toBeDefined();
    const said = JSON.parse(out).diagnostics.flatMap(({ ruleId, messageId }: { ruleId: string; messageId: string }) =>
      ruleId.startsWith("power-on/") ? [`${ruleId.slice("power-on/".length)} ${messageId}`] : [],
    );
    expect(said.sort()).toEqual([...expected].sort());
  });
});

describe("pairs", async () => {
  const exports = await formats.find(({ name }) => name === "govc")?.load();
  const HW = 'virtualHW.version = "21"\n';
  const VGPU = `${HW}pciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_t4-4q"\n`;
  const PLUG = { fixedPassthruHotPlugEnabled: true, version: "vmx-21", memoryReservationLockedToMax: true };
  const DYNAMIC = backing({ allowedDevice: [{ vendorId: 5555, deviceId: 4119 }] });
  const EFI = 'firmware = "efi"\n';
  /** A bad and a good VM for each pair. */
  const CASES: Readonly<Record<string, readonly [bad: string, good: string, host?: string]>> = {
    "vgpu-iommu": [`${VGPU}vvtd.enable = "TRUE"`, `${VGPU}vvtd.enable = "FALSE"`, "2x20x2@7.0"],
    "vcpus-iommu": [`${HW}numvcpus = "129"\nvvtd.enable = "FALSE"`, `${HW}numvcpus = "128"\nvvtd.enable = "FALSE"`],
    "tiering-confidential": [
      INFO({ version: "vmx-22", sevEnabled: true }, []),
      INFO({ version: "vmx-22", sevEnabled: false }, []),
      "tiered",
    ],
    "tiering-nested": [`${HW}vhv.enable = "TRUE"`, `${HW}vhv.enable = "FALSE"`, "tiered"],
    "efi-memory": [`${HW}${EFI}memSize = "92"`, `${HW}${EFI}memSize = "96"`],
    "vbs-iommu": [
      `${HW}${EFI}windows.vbs.enabled = "TRUE"\nvvtd.enable = "FALSE"`,
      `${HW}${EFI}windows.vbs.enabled = "TRUE"\nvvtd.enable = "TRUE"`,
    ],
    "vbs-nested": [
      `${HW}${EFI}windows.vbs.enabled = "TRUE"\nvhv.enable = "FALSE"`,
      `${HW}${EFI}windows.vbs.enabled = "FALSE"\nvhv.enable = "FALSE"`,
    ],
    "vbs-secure-boot": [
      `${HW}${EFI}windows.vbs.enabled = "TRUE"\nuefi.secureBoot.enabled = "FALSE"`,
      `${HW}${EFI}windows.vbs.enabled = "TRUE"\nuefi.secureBoot.enabled = "TRUE"`,
    ],
    "hot-plug-iommu": [INFO({ ...PLUG, flags: { vvtdEnabled: true } }, []), INFO({ ...PLUG, flags: { vvtdEnabled: false } }, [])],
    "hot-plug-cpu": [INFO({ ...PLUG, cpuHotAddEnabled: true }, []), INFO({ ...PLUG, cpuHotAddEnabled: false }, [])],
    "hot-plug-memory": [INFO({ ...PLUG, memoryHotAddEnabled: true }, []), INFO({ ...PLUG, memoryHotAddEnabled: false }, [])],
    "hot-plug-dynamic": [INFO(PLUG, [DYNAMIC]), INFO({ ...PLUG, fixedPassthruHotPlugEnabled: false }, [DYNAMIC])],
    "hot-plug-vcpus": [
      INFO({ ...PLUG, hardware: { numCPU: 129, memoryMB: 16384, device: [] } }, []),
      INFO({ ...PLUG, hardware: { numCPU: 128, memoryMB: 16384, device: [] } }, []),
    ],
    "hot-plug-reservation": [
      INFO({ ...PLUG, memoryReservationLockedToMax: false, memoryAllocation: { reservation: 16383 } }, []),
      INFO({ ...PLUG, memoryReservationLockedToMax: false, memoryAllocation: { reservation: 16384 } }, []),
    ],
  };
  const pairsOf = (text: string, name?: string): readonly unknown[] => {
    const host = name === "tiered" ? tieredHost(0, 512) : name === undefined ? undefined : requireHost(name);
    const format = text.startsWith("{") ? exports : undefined;
    return lint(text, { rules: own, ...(format && { format }), ...(host && { target: { host } }) })
      .diagnostics.filter(({ ruleId }) => ruleId === "power-on/conflict")
      .map(({ data }) => data.pair);
  };
  test.each(Object.entries(CASES))("%s", (pair, [bad, good, host]) => {
    expect(pairsOf(bad, host)).toEqual([pair]);
    expect(pairsOf(good, host)).toEqual([]);
  });
  test("each pair of the rule is in the table", () => {
    const rule = readFileSync(fileURLToPath(new URL("../../packages/core/src/rules/power-on/conflict.ts", import.meta.url)), "utf8");
    expect([...rule.matchAll(/ pair: "([^"]+)"/g)].map(([, pair]) => pair)).toEqual(Object.keys(CASES));
  });
  test.each<[string, string, string | undefined]>([
    ["a vGPU with an IOMMU on 8.0", `${VGPU}vvtd.enable = "TRUE"`, "2x20x2@8.0"],
    ["on a host without a release", `${VGPU}vvtd.enable = "TRUE"`, "2x20x2"],
    ["an unknown value", `${HW}numvcpus = "144"\nvvtd.enable = "{{ iommu }}"`, undefined],
  ])("%s is no finding", (_, vmx, host) => {
    expect(pairsOf(vmx, host)).toEqual([]);
  });
});
