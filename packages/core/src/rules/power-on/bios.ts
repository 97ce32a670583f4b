import { gpuOf, isLargeMapping } from "../../limits/power-on.ts";
import type { Range } from "../../model/source.ts";
import {
  CLOUD_DIRECTOR_TPM,
  CONFIG_OPTION_9,
  DELL_199172,
  DENNEMAN_2023_MMIO,
  KB_323402,
  SECURE_BOOT_65,
  TERRAFORM_VTPM,
  VBS_API,
} from "../../model/sources.ts";
import type { BoardTypes } from "../../model/spec.ts";
import { capitalized, names } from "../../model/words.ts";
import { builtinRule, type PageOf, type View } from "../define.ts";

/** The parts that need EFI, by their value. */
const NEEDS_EFI: { readonly [K in keyof BoardTypes]?: { readonly what: string; readonly value: BoardTypes[K] } } = {
  secureBoot: { what: "Secure Boot", value: true },
  tpm: { what: "a virtual TPM", value: true },
  vbs: { what: "virtualization-based security", value: true },
  chipset: { what: "the ACPI chipset layout", value: "acpi" },
};

export const rule = builtinRule({
  id: "power-on/bios",
  severity: "error",
  messages: {
    needed: (d: { what: string; gpus: number }) =>
      `${d.what} ${d.gpus > 1 ? "need" : "needs"} EFI firmware, and this VM has BIOS. Set the firmware to efi before the guest is installed, or remove ${d.gpus > 1 ? "them" : "it"}.`,
  },
  *check({ vm }) {
    const { firmware } = vm.board();
    if (!firmware || (firmware.state === "known" && firmware.value === "efi")) return;
    for (const { what, gpus = 1, at } of needingEfi(vm)) {
      if (firmware.state === "unknown") return yield { skip: "unknown-value" };
      yield {
        messageId: "needed",
        data: { what, gpus },
        at,
        ...(firmware.state === "known" && { related: [{ message: "the firmware is set here", range: firmware.range }] }),
      };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "BIOS firmware with a device or feature for EFI",
  why: "BIOS maps the memory of PCI devices below 4 GiB, where a GPU with more than 16 GiB has no room: the VM stops with \"Module 'DevicePowerOn' power on failed\". Secure Boot, a virtual TPM, virtualization-based security and the ACPI chipset layout exist for EFI alone. A guest that was installed with BIOS does not start with EFI: it must be converted or installed again.",
  whenNot: "Never: use EFI, or leave the device or feature out.",
  evidence: {
    figure:
      '"PCIPassthru: total number of pages needed (4206594) exceeds limit (917504), failing", then "Module \'DevicePowerOn\' power on failed"',
    source: DELL_199172,
  },
  sources: [KB_323402, DENNEMAN_2023_MMIO, CLOUD_DIRECTOR_TPM, TERRAFORM_VTPM, SECURE_BOOT_65, VBS_API, CONFIG_OPTION_9],
  bad: [
    { title: "A vGPU of 40 GB", vmx: `firmware = "bios"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_a100-40c"` },
    {
      title: "Secure Boot with the default firmware of the provider",
      terraform: `resource "vsphere_virtual_machine" "vm" {\n  efi_secure_boot_enabled = true\n}`,
    },
    { title: "A virtual TPM", vmx: `virtualHW.version = "20"\nvtpm.present = "TRUE"` },
    { title: "The ACPI chipset layout", vmx: `virtualHW.version = "20"\nfirmware = "bios"\nchipset.motherboardLayout = "acpi"` },
  ],
  good: [
    { title: "EFI", vmx: `firmware = "efi"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_a100-40c"` },
    { title: "A small vGPU", vmx: `firmware = "bios"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_t4-16q"` },
    {
      title: "A T4, whose memory is seen through a window of 256 MiB",
      vmx: `firmware = "bios"\npciPassthru0.present = "TRUE"\npciPassthru0.vendorId = "0x10de"\npciPassthru0.deviceId = "0x1eb8"`,
    },
  ],
});

function* needingEfi(vm: View<never>): Iterable<{ readonly what: string; readonly gpus?: number; readonly at: Range }> {
  const board = vm.board();
  for (const [name, { what, value }] of Object.entries(NEEDS_EFI)) {
    const part = board[name as keyof typeof NEEDS_EFI];
    if (part?.state === "known" && part.value === value) yield { what: capitalized(what), at: part.range };
  }
  const found = (vm.devices().passthrough ?? []).flatMap((device) => {
    const gpu = gpuOf(device);
    return gpu ? [{ gpu, device }] : [];
  });
  const [first] = found;
  if (first && isLargeMapping(found.map(({ gpu }) => gpu)))
    yield { what: names(found.map(({ gpu }) => gpu.name)), gpus: found.length, at: first.device.range };
}
