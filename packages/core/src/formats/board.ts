import { known, type Setting } from "../model/source.ts";
import type { Board, BoardTypes } from "../model/spec.ts";
import * as read from "../syntax/values.ts";

export const firmware = read.oneOf("bios", "efi");

const chipset: read.Read<"acpi" | "i440bx"> = (text, range) => known(/^acpi/i.test(text) ? "acpi" : "i440bx", range);

/** A size in MB; 0 is none. */
const isPositive: read.Read<boolean> = (text, range) => {
  const size = read.natural(text, range);
  return size.state === "known" ? known(size.value > 0, range) : size;
};

interface Part<T> {
  readonly read: read.Read<T>;
  /** In a .vmx; the keys of persistent memory, sgx, sev, tdx and hot plug were found in no page or published file. */
  readonly key?: string;
  /** The member of a VirtualMachineConfigInfo and a VirtualMachineConfigSpec, or the type of its device (govmomi, vim25/types). */
  readonly member?: string;
  readonly device?: string;
}

/** The spelling of each part. */
export const PARTS: { readonly [K in Exclude<keyof BoardTypes, "leastHardwareVersion">]: Part<BoardTypes[K]> } = {
  firmware: { read: firmware, key: "firmware", member: "firmware" },
  secureBoot: { read: read.bool, key: "uefi.secureBoot.enabled", member: "bootOptions.efiSecureBootEnabled" },
  iommu: { read: read.bool, key: "vvtd.enable", member: "flags.vvtdEnabled" },
  nestedVirtualization: { read: read.bool, key: "vhv.enable", member: "nestedHVEnabled" },
  performanceCounters: { read: read.bool, key: "vpmc.enable", member: "vPMCEnabled" },
  vbs: { read: read.bool, key: "windows.vbs.enabled", member: "flags.vbsEnabled" },
  tpm: { read: read.bool, key: "vtpm.present", device: "VirtualTPM" },
  precisionClock: { read: read.bool, key: "precisionclock0.present", device: "VirtualPrecisionClock" },
  watchdog: { read: read.bool, key: "vwdt.present", device: "VirtualWDT" },
  persistentMemory: { read: read.bool, device: "VirtualNVDIMM" },
  sgx: { read: isPositive, member: "sgxInfo.epcSize" },
  sev: { read: read.bool, member: "sevEnabled" },
  tdx: { read: read.bool, member: "tdxEnabled" },
  chipset: { read: chipset, key: "chipset.motherboardLayout", member: "motherboardLayout" },
  mmio64: { read: read.bool, key: "pciPassthru.use64bitMMIO" },
  mmioGiB: { read: read.natural, key: "pciPassthru.64bitMMIOSizeGB" },
  hotPlugPassthrough: { read: read.bool, member: "fixedPassthruHotPlugEnabled" },
};

/** Reads each part with a function, which returns `undefined` for a part that the text does not decide. */
export function readBoard(find: (part: Part<unknown>, name: keyof BoardTypes) => Setting<unknown> | "" | undefined): Board {
  const board: Partial<Record<keyof BoardTypes, Setting<unknown>>> = {};
  for (const [name, part] of Object.entries(PARTS) as [keyof BoardTypes, Part<unknown>][]) {
    const setting = find(part, name);
    if (setting) board[name] = setting;
  }
  return board as Board; // Each value was read by the reader of its part.
}

/** Whether the API has no field for a part, so that every format passes its option on. */
export const isOption = (name: keyof BoardTypes): boolean => name === "mmio64" || name === "mmioGiB";
