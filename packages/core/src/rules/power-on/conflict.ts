import { MOST_VCPUS_WITHOUT_IOMMU } from "../../limits/power-on.ts";
import { MEMORY_TIERS } from "../../limits/releases.ts";
import { atLeast, type EsxiVersion, esxi } from "../../model/esxi.ts";
import type { Located, Setting } from "../../model/source.ts";
import { HOT_PLUG_API, HOT_PLUG_DOC_80, KB_88161, LAM_2025_NESTED, MEMORY_DOC, VBS_API } from "../../model/sources.ts";
import type { PassthroughDevice } from "../../model/spec.ts";
import { builtinRule, type Facts, type PageOf } from "../define.ts";
import { tieredHost } from "../example-host.ts";

type ConflictFacts = Facts;

/** A place in the file if something is so; `null` if it is not so, or the format does not decide it. */
type Place = Located<unknown> | "unknown" | null;

interface Pair {
  /** A stable name, for the data. */
  readonly pair: string;
  readonly isRefused: boolean;
  readonly what: string;
  readonly todo: string;
  readonly first: (facts: ConflictFacts) => Place;
  readonly second: (facts: ConflictFacts) => Place;
  /** The first release without the conflict. */
  readonly until?: EsxiVersion;
}

function whereIs(setting: Setting<boolean> | undefined, value: boolean): Place {
  if (!setting || setting.state === "absent") return null;
  return setting.state === "unknown" ? "unknown" : setting.value === value ? setting : null;
}

/** Settings decide here without a range of their own, because few VMs get so far. */
const placeIf = ({ vm }: ConflictFacts, isSo: boolean): Place => (isSo ? { value: undefined, range: vm.range } : null);

const iommuOn = ({ vm }: ConflictFacts): Place => whereIs(vm.board().iommu, true);
const hotPlugOn = ({ vm }: ConflictFacts): Place => whereIs(vm.board().hotPlugPassthrough, true);
const vbsOn = ({ vm }: ConflictFacts): Place => whereIs(vm.board().vbs, true);
const hasDevice =
  (kind: PassthroughDevice["kind"]) =>
  ({ vm }: ConflictFacts): Place => {
    const device = vm.devices().passthrough?.find((one) => one.kind === kind);
    return device ? { value: device.id, range: device.range } : null;
  };
const isWide = (facts: ConflictFacts): Place => placeIf(facts, (facts.ifKnown("vcpus") ?? 1) > MOST_VCPUS_WITHOUT_IOMMU);

const onTieredHost = (facts: ConflictFacts): Place =>
  placeIf(facts, facts.host?.nvmeTierGiB !== undefined && !!facts.host.esxi && atLeast(facts.host.esxi, MEMORY_TIERS.since));
const DRAM_ONLY = "Run it on a host without memory tiering, or use ESX 9.1";

const HOT_PLUG = { what: "Hot plug of passthrough devices is not supported together with", first: hotPlugOn, isRefused: false } as const;
const VBS = { first: vbsOn, isRefused: true } as const;

/** The least memory of a VM with EFI firmware (MEMORY_DOC). */
const LEAST_EFI_MIB = 96;

/** Pairs of settings that exclude or need each other. */
const PAIRS: readonly Pair[] = [
  {
    pair: "vgpu-iommu",
    isRefused: true,
    what: "A virtual IOMMU is not allowed with a vGPU before ESXi 8.0",
    todo: "Turn the virtual IOMMU off, or remove the vGPU",
    first: iommuOn,
    second: hasDevice("vgpu"),
    until: esxi(8, 0),
  },
  {
    pair: "vcpus-iommu",
    isRefused: false,
    what: `More than ${MOST_VCPUS_WITHOUT_IOMMU} vCPUs need the interrupt remapping of a virtual IOMMU, and it is off`,
    todo: "Turn the virtual IOMMU on",
    first: isWide,
    second: ({ vm }) => whereIs(vm.board().iommu, false),
  },
  {
    pair: "tiering-confidential",
    isRefused: true,
    what: "ESX 9.0 starts no confidential VM (SEV or TDX) on a host with memory tiering",
    todo: DRAM_ONLY,
    first: onTieredHost,
    second: ({ vm }) => whereIs(vm.board().sev, true) ?? whereIs(vm.board().tdx, true),
    until: MEMORY_TIERS.keepsInDram,
  },
  {
    pair: "tiering-nested",
    isRefused: true,
    what: "ESX 9.0 starts no VM with nested virtualization on a host with memory tiering",
    todo: DRAM_ONLY,
    first: onTieredHost,
    second: ({ vm }) => whereIs(vm.board().nestedVirtualization, true),
    until: MEMORY_TIERS.keepsInDram,
  },
  {
    pair: "efi-memory",
    isRefused: true,
    what: "A VM with EFI firmware needs 96 MiB of memory to start, and this one has less",
    todo: "Set 96 MiB or more",
    first: ({ vm: { board } }) => {
      const { firmware } = board();
      return firmware?.state === "known" && firmware.value === "efi" ? firmware : null;
    },
    second: (facts) => placeIf(facts, (facts.ifKnown("memoryMiB") ?? LEAST_EFI_MIB) < LEAST_EFI_MIB),
  },
  {
    ...VBS,
    pair: "vbs-iommu",
    what: "Virtualization-based security needs a virtual IOMMU, and it is off",
    todo: "Turn the virtual IOMMU on",
    second: ({ vm }) => whereIs(vm.board().iommu, false),
  },
  {
    ...VBS,
    pair: "vbs-nested",
    what: "Virtualization-based security needs nested virtualization, and it is off",
    todo: "Turn nested virtualization on",
    second: ({ vm }) => whereIs(vm.board().nestedVirtualization, false),
  },
  {
    ...VBS,
    pair: "vbs-secure-boot",
    what: "Virtualization-based security needs Secure Boot, and it is off",
    todo: "Turn Secure Boot on",
    second: ({ vm }) => whereIs(vm.board().secureBoot, false),
  },
  {
    ...HOT_PLUG,
    pair: "hot-plug-iommu",
    what: `${HOT_PLUG.what} a virtual IOMMU`,
    todo: "Turn off hot plug or the other setting",
    second: iommuOn,
  },
  {
    ...HOT_PLUG,
    pair: "hot-plug-cpu",
    what: `${HOT_PLUG.what} CPU hot add`,
    todo: "Turn off hot plug or the other setting",
    second: (facts) => placeIf(facts, facts.ifKnown("cpuHotAdd") === true),
  },
  {
    ...HOT_PLUG,
    pair: "hot-plug-memory",
    what: `${HOT_PLUG.what} memory hot add`,
    todo: "Turn off hot plug or the other setting",
    second: (facts) => placeIf(facts, facts.ifKnown("memoryHotAdd") === true),
  },
  {
    ...HOT_PLUG,
    pair: "hot-plug-dynamic",
    what: `${HOT_PLUG.what} Dynamic DirectPath I/O`,
    todo: "Name the device by its address, or turn hot plug off",
    second: hasDevice("dynamic"),
  },
  {
    ...HOT_PLUG,
    pair: "hot-plug-vcpus",
    what: `${HOT_PLUG.what} more than 128 vCPUs`,
    todo: "Use 128 vCPUs or fewer, or turn hot plug off",
    second: isWide,
  },
  {
    ...HOT_PLUG,
    pair: "hot-plug-reservation",
    what: "Hot plug of passthrough devices needs all memory of the VM reserved",
    todo: "Reserve all memory, or turn hot plug off",
    second: (facts) => {
      const [reserved, memory] = [facts.ifKnown("memoryReservationMiB"), facts.ifKnown("memoryMiB")];
      const isLocked = facts.ifKnown("memoryReservationLocked") === true;
      return placeIf(facts, !isLocked && reserved !== undefined && memory !== undefined && reserved < memory);
    },
  },
];

export const rule = builtinRule({
  id: "power-on/conflict",
  severity: "error",
  severities: { unsupported: "warning" },
  refused: ["refused"],
  messages: { refused: sentence, unsupported: sentence },
  *check(facts) {
    const { host } = facts;
    for (const { pair, isRefused, what, todo, first, second, until } of PAIRS) {
      if (until && (!host?.esxi || atLeast(host.esxi, until))) continue;
      const [one, other] = [first(facts), second(facts)];
      if (one === null || other === null) continue;
      if (one === "unknown" || other === "unknown") return yield { skip: "unknown-value" };
      yield {
        messageId: isRefused ? "refused" : "unsupported",
        data: { pair, what, todo },
        // A setting of the mainboard is more exact than the VM.
        at: one.range === facts.vm.range ? other.range : one.range,
      };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Two settings that vSphere does not take together",
  why: "Some devices and features exclude or require each other. vCenter refuses to create such a VM, or ESXi to start it; where the documentation only calls the pair unsupported, this is a warning.",
  whenNot: "Never: change one of the two.",
  evidence: {
    figure: '"The virtual machine cannot be powered on because IOMMU virtualization is not allowed with VGPU"',
    source: KB_88161,
  },
  sources: [VBS_API, HOT_PLUG_DOC_80, HOT_PLUG_API, MEMORY_TIERS.source, LAM_2025_NESTED, MEMORY_DOC],
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [
    {
      title: "A vGPU with a virtual IOMMU",
      host: "2x20x2@7.0",
      vmx: `vvtd.enable = "TRUE"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_t4-16q"`,
      expect: "refused",
    },
    {
      title: "Virtualization-based security without its parts",
      terraform: `resource "vsphere_virtual_machine" "vm" {\n  firmware          = "efi"\n  vbs_enabled       = true\n  nested_hv_enabled = false\n}`,
      expect: "refused",
    },
    {
      title: "Nested virtualization on a host with memory tiering",
      host: tieredHost(0, 512),
      vmx: `virtualHW.version = "22"\nvhv.enable = "TRUE"`,
      expect: "refused",
    },
    { title: "64 MiB with EFI", vmx: `firmware = "efi"\nmemSize = "64"`, expect: "refused" },
    { title: "144 vCPUs without a virtual IOMMU", vmx: `numvcpus = "144"\nvvtd.enable = "FALSE"`, expect: "unsupported" },
  ],
  good: [
    { title: "96 MiB with EFI", vmx: `firmware = "efi"\nmemSize = "96"` },
    {
      title: "A vGPU with a virtual IOMMU on 8.0",
      host: "2x20x2@8.0",
      vmx: `virtualHW.version = "20"\nvvtd.enable = "TRUE"\npciPassthru0.present = "TRUE"\npciPassthru0.vgpu = "grid_t4-16q"`,
    },
    {
      title: "9.1 keeps a VM with nested virtualization in DRAM",
      host: tieredHost(1, 512),
      vmx: `virtualHW.version = "22"\nvhv.enable = "TRUE"`,
    },
    { title: "144 vCPUs, which ESXi may give one by itself", vmx: `numvcpus = "144"` },
    { title: "144 vCPUs with one", vmx: `numvcpus = "144"\nvvtd.enable = "TRUE"` },
    {
      title: "Virtualization-based security: vCenter turns on what is not stated",
      terraform: `resource "vsphere_virtual_machine" "vm" {\n  firmware    = "efi"\n  vbs_enabled = true\n}`,
    },
  ],
});

function sentence({ what, todo }: { pair: string; what: string; todo: string }): string {
  return `${what}. ${todo}.`;
}
