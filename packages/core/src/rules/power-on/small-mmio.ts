import {
  DEFAULT_MMIO_GIB,
  gpuOf,
  isLargeMapping,
  isPowerOfTwo,
  LARGE_VM_MIB,
  memoryOf,
  mmioFor,
  roomyMmio,
  vendorMmio,
} from "../../limits/power-on.ts";
import { DELL_199172, DENNEMAN_2023_MMIO, KB_323402, NVIDIA_MMIO } from "../../model/sources.ts";
import { names } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "power-on/small-mmio",
  severity: "error",
  severities: { odd: "warning", vendor: "warning" },
  refused: ["off", "small"],
  messages: {
    off: (d: { gpus: readonly string[]; memoryGiB: number; needs: number }) =>
      `${names(d.gpus)} ${d.gpus.length > 1 ? "have" : "has"} ${d.memoryGiB} GB of memory, and pciPassthru.use64bitMMIO is not TRUE: ESXi will not power on the VM. Set it, and pciPassthru.64bitMMIOSizeGB to ${d.needs}.`,
    small: (d: { gpus: readonly string[]; memoryGiB: number; size: number; isDefault: boolean; needs: number }) =>
      `${names(d.gpus)} ${d.gpus.length > 1 ? "have" : "has"} ${d.memoryGiB} GB of memory, and the VM maps ${d.isDefault ? `the default of ${d.size}` : d.size} GB for devices: ESXi will not power it on. Set pciPassthru.64bitMMIOSizeGB to ${d.needs}.`,
    vendor: (d: { gpus: readonly string[]; memoryMiB: number; size: number; needs: number }) =>
      `NVIDIA asks for ${d.needs} GB of address space for ${names(d.gpus)} in a VM of 32 GiB or more, and this VM of ${Math.floor(d.memoryMiB / 1024)} GiB has ${d.size} GB. Set pciPassthru.64bitMMIOSizeGB to ${d.needs}.`,
    odd: (d: { size: number; instead: number }) => `pciPassthru.64bitMMIOSizeGB must be a power of two, not ${d.size}. Set ${d.instead}.`,
  },
  *check({ vm, ifKnown }) {
    const { mmio64, mmioGiB } = vm.board();
    if (!mmio64 || !mmioGiB) return;
    const devices = vm.devices().passthrough ?? [];
    const gpus = devices.flatMap((device) => gpuOf(device) ?? []);
    const at = mmioGiB.state === "known" ? mmioGiB.range : (devices[0]?.range ?? vm.range);
    if (mmioGiB.state === "known" && !isPowerOfTwo(mmioGiB.value)) {
      const instead = Math.max(roomyMmio(gpus), 2 ** Math.ceil(Math.log2(Math.max(mmioGiB.value, 1))));
      yield { messageId: "odd", data: { size: mmioGiB.value, instead }, at };
    }
    const advised = (ifKnown("memoryMiB") ?? 0) >= LARGE_VM_MIB ? vendorMmio(devices) : 0;
    const isLarge = isLargeMapping(gpus);
    if (!isLarge && advised === 0) return;
    if (mmio64.state === "unknown" || mmioGiB.state === "unknown") return yield { skip: "unknown-value" };
    const [about, memoryGiB, needs] = [gpus.map(({ name }) => name), memoryOf(gpus), Math.max(roomyMmio(gpus), advised)];
    const isOn = mmio64.state === "known" && mmio64.value;
    if (isLarge && !isOn) {
      yield { messageId: "off", data: { gpus: about, memoryGiB, needs }, at: mmio64.state === "known" ? mmio64.range : at };
      return;
    }
    const isDefault = mmioGiB.state === "absent" || !isOn;
    const size = isDefault ? DEFAULT_MMIO_GIB : mmioGiB.value;
    if (isLarge && size < mmioFor(gpus)) yield { messageId: "small", data: { gpus: about, memoryGiB, size, isDefault, needs }, at };
    else if (size < advised) {
      yield { messageId: "vendor", data: { gpus: about, memoryMiB: ifKnown("memoryMiB") ?? 0, size, needs: advised }, at };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Too little address space for the memory of GPUs",
  why: "The memory of a GPU is mapped into the address space of the VM. More than 16 GiB need 64-bit addresses (pciPassthru.use64bitMMIO), in a region whose size is a power of two: the memory of all GPUs rounded up, and the next power of two (pciPassthru.64bitMMIOSizeGB). With less, ESXi does not power the VM on. The region costs no memory worth saving.",
  whenNot: "When the size of a GPU is another than its profile or PCI id says.",
  evidence: {
    figure: "One H100 of 80 GB needs 256 GB: rounded up to 128, and the next power of two; with less the VM does not boot",
    source: KB_323402,
  },
  sources: [DELL_199172, DENNEMAN_2023_MMIO, NVIDIA_MMIO],
  bad: [
    {
      title: "A vGPU of 40 GB without 64-bit addresses",
      vmx: `firmware = "efi"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_a100-40c"`,
      expect: "off",
    },
    {
      title: "64 GB for an A100 of 80 GB",
      vmx: `firmware = "efi"\npciPassthru0.present = "TRUE"\npciPassthru0.vendorId = "0x10de"\npciPassthru0.deviceId = "0x20b5"\npciPassthru.use64bitMMIO = "TRUE"\npciPassthru.64bitMMIOSizeGB = "64"`,
      expect: "small",
    },
    {
      title: "An eighth of an A40 in a VM of 64 GiB",
      vmx: `firmware = "efi"\nmemSize = "65536"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_a40-6q"\npciPassthru.use64bitMMIO = "TRUE"\npciPassthru.64bitMMIOSizeGB = "64"`,
      expect: "vendor",
    },
    {
      title: "Not a power of two",
      vmx: `virtualHW.version = "19"\npciPassthru.use64bitMMIO = "TRUE"\npciPassthru.64bitMMIOSizeGB = "192"`,
      expect: "odd",
    },
  ],
  good: [
    {
      title: "256 GB for an A100 of 80 GB",
      vmx: `firmware = "efi"\npciPassthru0.present = "TRUE"\npciPassthru0.vendorId = "0x10de"\npciPassthru0.deviceId = "0x20b5"\npciPassthru.use64bitMMIO = "TRUE"\npciPassthru.64bitMMIOSizeGB = "256"`,
    },
    { title: "A small vGPU", vmx: `pciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_t4-16q"` },
    {
      title: "A device that no source describes",
      vmx: `pciPassthru0.present = "TRUE"\npciPassthru0.vendorId = "0x15b3"\npciPassthru0.deviceId = "0x1017"`,
    },
  ],
});
