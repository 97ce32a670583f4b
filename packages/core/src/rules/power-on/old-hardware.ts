import { mayRun } from "../../limits/hardware.ts";
import { DEVICE_HARDWARE, PART_HARDWARE, RDMA, RDMA_CARDS, SEVERAL_VGPUS } from "../../limits/power-on.ts";
import type { HostModel } from "../../model/host.ts";
import { type Range, valueIfKnown } from "../../model/source.ts";
import {
  CAPV_1749,
  CLOUD_DIRECTOR_TPM,
  CONFIG_OPTION_9,
  DENNEMAN_2023_PASSTHROUGH,
  HARDWARE_DOC,
  KB_311903,
  SECURE_BOOT_65,
  VBS_DOC_80,
  VGPU_DOC_67,
  VM_OPERATOR,
  VM_OPERATOR_158,
} from "../../model/sources.ts";
import type { BoardTypes } from "../../model/spec.ts";
import { capitalized } from "../../model/words.ts";
import { builtinRule, type PageOf, type View } from "../define.ts";

/** A part or device of the VM, with the first hardware version that supports it. */
interface Newer {
  readonly what: string;
  readonly needs: number;
  readonly at: Range;
}

export const rule = builtinRule({
  id: "power-on/old-hardware",
  severity: "error",
  severities: { least: "warning" },
  refused: ["old"],
  messages: {
    old: (d: { what: string; hardwareVersion: number; needs: number; upgrade: boolean }) =>
      `${capitalized(d.what)} needs hardware version ${d.needs}, and this VM has ${d.hardwareVersion}. ${d.upgrade ? "Upgrade the virtual hardware, or remove it" : "Remove it, or use a newer host"}.`,
    least: (d: { what: string; hardwareVersion: number; needs: number }) =>
      `${capitalized(d.what)} needs hardware version ${d.needs}, and this machine asks for ${d.hardwareVersion}: unless its template is newer, it does not start. Ask for vmx-${d.needs}.`,
  },
  *check({ vm, host, ifKnown }) {
    const least = vm.board().leastHardwareVersion;
    const version = ifKnown("hardwareVersion");
    const hardwareVersion = version ?? (least && valueIfKnown(least));
    if (hardwareVersion === undefined) return;
    for (const { what, needs, at } of newerThings(vm, host)) {
      if (hardwareVersion >= needs) continue;
      if (version === undefined) yield { messageId: "least", data: { what, hardwareVersion, needs }, at };
      else yield { messageId: "old", data: { what, hardwareVersion, needs, upgrade: mayRun(host?.esxi, needs) }, at };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version is too old for a device or feature",
  why: "Virtual hardware has devices and features only from a certain version on. ESXi or vCenter refuses an older VM with them, or ignores the setting.",
  whenNot: "When the hardware version is upgraded before the VM next starts.",
  evidence: { figure: "PCI devices attached to a VM below hardware version 17: the cloned machines cannot start", source: CAPV_1749 },
  sources: [
    VM_OPERATOR_158,
    CONFIG_OPTION_9,
    HARDWARE_DOC,
    SECURE_BOOT_65,
    CLOUD_DIRECTOR_TPM,
    VBS_DOC_80,
    KB_311903,
    VM_OPERATOR,
    DENNEMAN_2023_PASSTHROUGH,
    VGPU_DOC_67,
  ],
  bad: [
    {
      title: "A virtual TPM in hardware version 13",
      vmx: `virtualHW.version = "13"\nfirmware = "efi"\nvtpm.present = "TRUE"`,
      expect: "old",
    },
    {
      title: "A virtual IOMMU in version 15 on AMD",
      host: { name: "epyc", sockets: 2, coresPerSocket: 32, threadsPerCore: 2, numaNodes: 2, cpu: "AMD EPYC 7502" },
      vmx: `virtualHW.version = "15"\nvvtd.enable = "TRUE"`,
      expect: "old",
    },
    {
      title: "A PVRDMA card in version 11",
      vmx: `virtualHW.version = "11"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "vrdma"`,
      expect: "old",
    },
    {
      title: "Two vGPUs in version 14",
      vmx: `virtualHW.version = "14"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_t4-16q"\npciPassthru1.present = "TRUE"\npciPassthru1.vgpu = "grid_t4-16q"`,
      expect: "old",
    },
    {
      title: "A GPU for a machine of Cluster API",
      yaml: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata:\n  name: gpu\nspec:\n  template:\n    spec:\n      template: ubuntu-2204\n      numCPUs: 8\n      memoryMiB: 65536\n      hardwareVersion: vmx-15\n      pciDevices:\n        - vendorId: 0x10de\n          deviceId: 0x20b5\n`,
      expect: "least",
    },
  ],
  good: [
    { title: "A virtual TPM in version 14", vmx: `virtualHW.version = "14"\nfirmware = "efi"\nvtpm.present = "TRUE"` },
    { title: "Not there", vmx: `virtualHW.version = "11"\nvtpm.present = "FALSE"\nfirmware = "bios"` },
    { title: "A card by its address", vmx: `virtualHW.version = "11"\npciPassthru0.present = "TRUE"\npciPassthru0.id = "0000:3b:00.0"` },
  ],
});

function* newerThings(vm: View<never>, host: HostModel | undefined): Iterable<Newer> {
  const isAmd = /\b(?:amd|epyc|opteron|ryzen)\b/i.test(host?.cpu ?? "");
  const board = vm.board();
  for (const [name, { what, version, amd = version }] of Object.entries(PART_HARDWARE)) {
    const part = board[name as keyof BoardTypes];
    if (part?.state === "known" && isThere(part.value)) yield { what, needs: isAmd ? amd : version, at: part.range };
  }
  const { passthrough = [], nics } = vm.devices();
  for (const { type } of nics)
    if (type.state === "known" && RDMA_CARDS.includes(type.value)) yield { what: RDMA.what, needs: RDMA.version, at: type.range };
  for (const { kind, range } of passthrough) {
    const first = kind && DEVICE_HARDWARE[kind];
    if (first) yield { what: first.what, needs: first.version, at: range };
  }
  const [, second] = passthrough.filter(({ kind }) => kind === "vgpu");
  if (second) yield { what: SEVERAL_VGPUS.what, needs: SEVERAL_VGPUS.version, at: second.range };
}

/** Every version has BIOS and the older chipset. */
const isThere = (value: BoardTypes[keyof BoardTypes]): boolean => value === true || value === "efi" || value === "acpi";
