import { type EsxiVersion, esxi, maybeAtLeast } from "../model/esxi.ts";
import {
  CLOUD_DIRECTOR_TPM,
  CONFIG_OPTION_9,
  DENNEMAN_2023_PASSTHROUGH,
  HARDWARE_DOC,
  KB_311903,
  SECURE_BOOT_65,
  type Source,
  VBS_DOC_80,
  VGPU_DOC_67,
  VM_OPERATOR,
} from "../model/sources.ts";
import type { BoardTypes, PassthroughDevice } from "../model/spec.ts";

interface FirstVersion {
  readonly what: string;
  readonly version: number;
  /** On processors of AMD, if later. */
  readonly amd?: number;
  readonly source: Source;
}

/** The first hardware version of each part. */
export const PART_HARDWARE: { readonly [K in keyof BoardTypes]?: FirstVersion } = {
  firmware: { what: "EFI firmware", version: 8, source: HARDWARE_DOC },
  secureBoot: { what: "Secure Boot", version: 13, source: SECURE_BOOT_65 },
  iommu: { what: "a virtual IOMMU", version: 14, amd: 18, source: VM_OPERATOR },
  nestedVirtualization: { what: "nested virtualization", version: 9, source: VM_OPERATOR },
  performanceCounters: { what: "virtual CPU performance counters", version: 9, source: VM_OPERATOR },
  vbs: { what: "virtualization-based security", version: 14, amd: 19, source: VBS_DOC_80 },
  tpm: { what: "a virtual TPM", version: 14, source: CLOUD_DIRECTOR_TPM },
  precisionClock: { what: "a precision clock", version: 17, source: CONFIG_OPTION_9 },
  watchdog: { what: "a virtual watchdog timer", version: 17, source: CONFIG_OPTION_9 },
  persistentMemory: { what: "a virtual NVDIMM", version: 14, source: CONFIG_OPTION_9 },
  sgx: { what: "SGX", version: 17, source: KB_311903 },
  sev: { what: "SEV-ES", version: 18, source: CONFIG_OPTION_9 },
  tdx: { what: "TDX", version: 22, source: CONFIG_OPTION_9 },
  chipset: { what: "the ACPI chipset layout", version: 18, source: VM_OPERATOR },
};

/** The same for passthrough devices by kind; fixed ones are older than every version that runs today. */
export const DEVICE_HARDWARE: { readonly [K in NonNullable<PassthroughDevice["kind"]>]?: FirstVersion } = {
  dynamic: { what: "a PCI device by its model (Dynamic DirectPath I/O)", version: 17, source: DENNEMAN_2023_PASSTHROUGH },
  vgpu: { what: "a vGPU", version: 11, source: VGPU_DOC_67 },
};

/** A card for remote direct memory access, in the words of a .vmx. */
export const RDMA_CARDS: readonly string[] = ["vrdma", "pvrdma"];
export const RDMA: FirstVersion = { what: "a PVRDMA network card", version: 13, source: CONFIG_OPTION_9 };

/** Several vGPUs need more than one ("Compatible with ESXi 6.7 Update 2 and later"). */
export const SEVERAL_VGPUS: FirstVersion = { what: "more than one vGPU", version: 15, source: VGPU_DOC_67 };

/** The most PCI devices of the host, newest release first (KB 309986; up to 6.x its older edition, 1010789). */
const MOST_DEVICES: readonly (readonly [since: EsxiVersion, devices: number, hardwareVersion: number])[] = [
  [esxi(8, 0, 2), 128, 21],
  [esxi(8, 0, 1), 64, 20],
  [esxi(8, 0), 32, 20],
  [esxi(5, 5), 16, 0],
  [esxi(4, 1), 4, 0],
  [esxi(3, 0), 2, 0],
];

/** Undeclared releases and hardware versions may be the newest. */
export function mostPassthrough(release: EsxiVersion | undefined, hardwareVersion = Number.POSITIVE_INFINITY): number {
  const row = MOST_DEVICES.find(([since, , version]) => (!release || maybeAtLeast(release, since)) && hardwareVersion >= version);
  return row?.[1] ?? 0;
}

interface Gpu {
  readonly name: string;
  readonly memoryGiB: number;
  /** GiB of address space for a single GPU (NVIDIA_MMIO, DENNEMAN_2023_MMIO), if more than by the rule for all GPUs. */
  readonly mmioGiB?: number;
  /** BAR1 shows 256 MiB of its memory at a time, so that it needs neither EFI nor address space (DENNEMAN_2023_MMIO). */
  readonly isWindowed?: true;
}

const gpu = (name: string, memoryGiB: number, more: Omit<Gpu, "name" | "memoryGiB"> = {}): Gpu => ({ name, memoryGiB, ...more });

/** NVIDIA's GPUs by PCI id (the PCI ID Repository); memory is part of the name there or in NVIDIA_MMIO. */
const GPUS: ReadonlyMap<string, Gpu> = new Map(
  (
    [
      [gpu("Tesla P40", 24), "1b38"],
      [gpu("Tesla P100 16GB", 16, { mmioGiB: 64 }), "15f8 15f9"],
      [gpu("Tesla V100 16GB", 16, { mmioGiB: 64 }), "1db1 1db2 1db3 1db4 1df5"],
      [gpu("Tesla V100 32GB", 32), "1db5 1db6 1db7 1db8 1df6"],
      [gpu("Tesla T4", 16, { isWindowed: true }), "1eb8"],
      [gpu("A100 40GB", 40), "20b0 20b1 20f1"],
      [gpu("A100 80GB", 80), "20b2 20b5"],
      [gpu("A800 40GB", 40), "20bd 20f6"],
      [gpu("A800 80GB", 80), "20f3 20f5"],
      [gpu("A30", 24), "20b7"],
      [gpu("A40", 48), "2235"],
      [gpu("A10", 24), "2236"],
      [gpu("RTX A6000", 48), "2230"],
      [gpu("RTX A5000", 24), "2231"],
      [gpu("RTX A5500", 24), "2233"],
      [gpu("H100 80GB", 80), "2330 2331"],
      [gpu("H100 94GB", 94), "2321 2339"],
      [gpu("H200 141GB", 141), "2335 233b"],
      [gpu("RTX 6000 Ada", 48), "26b1"],
      [gpu("L40", 48), "26b5"],
      [gpu("L40S", 48), "26b9"],
      [gpu("L20", 48), "26b7 26ba"],
    ] as const
  ).flatMap(([model, ids]) => ids.split(" ").map((id) => [`10de:${id}`, model] as const)),
);

/** `grid_a100-40c`, `nvidia_h100-80c`, and with the slices of MIG `grid_a100-3-20c`: the last number is the memory in GB. */
const PROFILE = /^(?:grid|nvidia)_(.+?)-(?:\d+-)?(\d+)[a-z]+$/i;

/** A device of the host as a GPU; `undefined` for other devices, and for GPUs that no source describes. */
export function gpuOf({ kind, model = "" }: PassthroughDevice): Gpu | undefined {
  if (kind !== "vgpu") return GPUS.get(model.toLowerCase());
  const memoryGiB = Number(PROFILE.exec(model)?.[2] ?? Number.NaN);
  return memoryGiB > 0 ? { name: model, memoryGiB } : undefined;
}

/** GiB that NVIDIA asks for by the GPU behind a vGPU, in a VM with at least this memory (NVIDIA_MMIO). */
export const LARGE_VM_MIB = 32 * 1024;
const VGPU_MMIO: readonly (readonly [board: RegExp, gib: number])[] = [
  [/^h20(?:0|x)/, 512],
  [/^h(?:[18]00|20)/, 256],
  [/^a[18]00d/, 256],
  [/^a[18]00/, 128],
  [/^(?:l40s?|l20|a40|rtxa6000)$/, 128],
  [/^(?:l4|l2|a30x?|a10|rtxa5[05]00|rtx[68]000p)$/, 64],
  [/^v100/, 64],
];

export function vendorMmio(devices: readonly PassthroughDevice[]): number {
  const boards = devices.flatMap(({ kind, model = "" }) => (kind === "vgpu" ? (PROFILE.exec(model)?.[1]?.toLowerCase() ?? []) : []));
  return Math.max(0, ...boards.map((board) => VGPU_MMIO.find(([pattern]) => pattern.test(board))?.[1] ?? 0));
}

/** Every VM has so much address space for devices without being told so (DENNEMAN_2023_MMIO). */
export const DEFAULT_MMIO_GIB = 32;

/** More GPU memory than this needs 64-bit addresses (Dell 000199172, VMware's page for the V100). */
const LARGEST_BELOW_GIB = 16;

/** Whether GPUs map more than fits below 4 GiB. Beside its memory, each has further small regions. */
export const isLargeMapping = (gpus: readonly Gpu[]): boolean =>
  memoryOf(gpus) > LARGEST_BELOW_GIB || gpus.some(({ mmioGiB = 0 }) => mmioGiB > DEFAULT_MMIO_GIB);

export const memoryOf = (gpus: readonly Gpu[]): number =>
  gpus.reduce((sum, { memoryGiB, isWindowed }) => sum + (isWindowed ? 0 : memoryGiB), 0);

/** GiB of address space for GPUs: their memory rounded up to a power of two, and the next power of two (KB 323402). */
export function mmioFor(gpus: readonly Gpu[]): number {
  const memoryGiB = memoryOf(gpus);
  return memoryGiB === 0 ? 0 : 2 ** (Math.ceil(Math.log2(memoryGiB)) + 1);
}

/** The same, or the figure of a source that lists more. */
export function roomyMmio(gpus: readonly Gpu[]): number {
  const listed = gpus.reduce((sum, { mmioGiB = 0 }) => sum + mmioGiB, 0);
  return Math.max(mmioFor(gpus), listed === 0 ? 0 : 2 ** Math.ceil(Math.log2(listed)));
}

export const isPowerOfTwo = (value: number): boolean => value > 0 && Number.isInteger(Math.log2(value));

/** A VM with more vCPUs needs interrupt remapping (KB_88161 says 127; 128 are the limit of versions that have no IOMMU). */
export const MOST_VCPUS_WITHOUT_IOMMU = 128;
