import { ABSENT, type Range, type Setting } from "../model/source.ts";
import type { BoardTypes, IgnoredOption, SettingName, SettingTypes, SettingValues } from "../model/spec.ts";
import * as read from "../syntax/values.ts";
import { PARTS } from "./board.ts";
import { VMX_SPELLINGS } from "./vmx/keys.ts";

export type Paths = { readonly [K in SettingName]?: readonly [path: string, read: read.Read<SettingTypes[K]>] };

/** `vmx-20`. */
const hardwareVersion: read.Read<number> = (text, range) => read.count(text.replace(/^vmx-0*(?=\d)/i, ""), range);

/** The API writes 0 for these numbers if they are not set. */
export const countOrNone: read.Read<number> = (text, range) => (text === "0" ? ABSENT : read.count(text, range));

/** The settings with the same name in both API objects (govmomi, vim25/types; vSphere Web Services API). */
export const SHARED = {
  hardwareVersion: ["version", hardwareVersion],
  guestOs: ["guestId", read.text],
  cpuHotAdd: ["cpuHotAddEnabled", read.bool],
  memoryHotAdd: ["memoryHotAddEnabled", read.bool],
  latencySensitivity: ["latencySensitivity.level", read.latency],
  cpuAffinity: ["cpuAffinity.affinitySet", read.affinity],
  memoryAffinity: ["memoryAffinity.affinitySet", read.affinity],
  cpuReservationMHz: ["cpuAllocation.reservation", read.natural],
  cpuReservationLocked: ["cpuAllocation.reservationLockedToMax", read.bool],
  cpuLimitMHz: ["cpuAllocation.limit", read.limit],
  cpuShares: ["cpuAllocation.shares.level", read.word],
  memoryShares: ["memoryAllocation.shares.level", read.word],
  hyperthreadSharing: ["flags.htSharing", read.word],
  mmuVirtualization: ["flags.virtualMmuUsage", read.virtualization],
  cpuVirtualization: ["flags.virtualExecUsage", read.virtualization],
  memoryReservationMiB: ["memoryAllocation.reservation", read.natural],
  memoryReservationLocked: ["memoryReservationLockedToMax", read.bool],
  memoryLimitMiB: ["memoryAllocation.limit", read.limit],
} as const satisfies Paths;

/**
 * Every setting of a `VirtualMachineConfigSpec`. Of cores per socket: "Set with zero to remove any manual size if present, and use
 * default coresPerSocket behavior"; of threads: "Set with a non-zero value to configure" (govmomi, vim25/types).
 */
export const CONFIG_SPEC = {
  ...SHARED,
  vcpus: ["numCPUs", read.count],
  memoryMiB: ["memoryMB", read.count],
  coresPerSocket: ["numCoresPerSocket", countOrNone],
  threadsPerCore: ["simultaneousThreads", countOrNone],
  coresPerNumaNode: ["virtualNuma.coresPerNumaNode", read.natural],
  exposeVnumaOnHotAdd: ["virtualNuma.exposeVnumaOnCpuHotadd", read.bool],
  numaFixedAutoAffinity: ["numaFixedAutoAffinityEnabled", read.bool],
} as const satisfies Paths;

/** A key of a .vmx, in its documented spelling, and the field of a `VirtualMachineConfigSpec` that sets the same. */
interface ApiKey {
  readonly key: string;
  /** Missing for a key that only the list of options sets, so that the API passes it on. */
  readonly field?: string | undefined;
  readonly name?: SettingName | keyof BoardTypes;
  readonly read?: read.Read<unknown>;
}

/**
 * Other keys with fields of their own; `<N>` and `<M>` are numbers. disk.EnableUUID (flags.diskUuidEnabled) and svga.autodetect are not
 * here: they are reported to work as options (packer-builder-vsphere#264, and the documentation of OpenShift).
 */
const OTHERS: Readonly<Record<string, string>> = {
  displayName: "name",
  "uuid.bios": "uuid",
  "vc.uuid": "instanceUuid",
  "tools.syncTime": "tools.syncTimeWithHost",
  "tools.upgrade.policy": "tools.toolsUpgradePolicy",
  "svga.vramSize": "VirtualMachineVideoCard.videoRamSizeInKB",
  ...Object.fromEntries(["scsi<N>", "sata<N>", "nvme<N>"].map((bus) => [`${bus}.present`, "VirtualController"])),
  "scsi<N>.virtualDev": "VirtualSCSIController",
  "scsi<N>.sharedBus": "VirtualSCSIController.sharedBus",
  ...Object.fromEntries(["present", "fileName", "deviceType"].map((name) => [`scsi<N>:<M>.${name}`, "VirtualDisk.backing"])),
  "scsi<N>:<M>.mode": "VirtualDisk.backing.diskMode",
  "ethernet<N>.present": "VirtualEthernetCard",
  "ethernet<N>.virtualDev": "VirtualEthernetCard",
  "ethernet<N>.networkName": "VirtualEthernetCard.backing",
  "ethernet<N>.addressType": "VirtualEthernetCard.addressType",
  "ethernet<N>.address": "VirtualEthernetCard.macAddress",
  ...Object.fromEntries(
    ["present", "id", "deviceId", "vendorId", "systemId", "vgpu"].map((name) => [
      `pciPassthru<N>.${name}`,
      "VirtualPCIPassthrough.backing",
    ]),
  ),
};

const fieldOfSetting = (name: SettingName): string | undefined => (CONFIG_SPEC as Paths)[name]?.[0];

/**
 * Every key with a meaning for vmlint, and all other keys that a field sets. The API ignores a key "that would conflict with parts of the
 * configuration that are explicitly configurable through other fields" (ConfigSpec, extraConfig; the same for vmw:ExtraConfig of OVF).
 */
export const API_KEYS: readonly ApiKey[] = [
  ...VMX_SPELLINGS.map(({ name, key, read }) => ({ name, key, read, field: fieldOfSetting(name) })),
  ...(Object.entries(PARTS) as [keyof BoardTypes, (typeof PARTS)["firmware"]][]).flatMap(([name, { key, member, device, read }]) =>
    key === undefined ? [] : [{ name, key, read, field: member ?? device }],
  ),
  ...Object.entries(OTHERS).map(([key, field]) => ({ key, field })),
];

const IGNORED = new Map(API_KEYS.flatMap((entry) => (entry.field === undefined ? [] : [[entry.key.toLowerCase(), entry]])));

/** Returns the documented spelling of a key in lower case. */
export const spelt = (key: string): string => IGNORED.get(key)?.key ?? key;

/** The settings that the API has only as options, with their keys. */
export const PASSED_ON = VMX_SPELLINGS.filter(({ name }) => fieldOfSetting(name) === undefined);

/** The fields that a format sends in addition to its list of options, in the words of the format. */
export interface SentFields {
  /** The name of the list: `extra_config`. */
  readonly list: string;
  /** Returns the name of the field that sets a part of the VM; `undefined` if the format has none. */
  readonly argumentOf: (name: SettingName | keyof BoardTypes) => string | undefined;
  readonly stated: (name: SettingName | keyof BoardTypes) => Setting<unknown>;
  /** The values of missing fields. */
  readonly defaults: SettingValues;
}

/** Returns why the API ignores an option; `undefined` if it passes it on, or if an unknown value may equal the field. */
export function ignoredOption(
  key: string,
  valueBy: (read: read.Read<unknown>) => Setting<unknown>,
  { list, argumentOf, stated, defaults }: SentFields,
): IgnoredOption | undefined {
  const entry = IGNORED.get(key.toLowerCase().replace(/^(scsi|sata|nvme|ethernet|pcipassthru)\d+(:\d+)?(?=\.)/, toPattern));
  if (!entry) return undefined;
  const { name, field = "" } = entry;
  if (!name || !entry.read) return { list, field, isDevice: true };
  const argument = argumentOf(name);
  const own = stated(name);
  const ignored = { list, field, ...(argument !== undefined && { argument }) };
  const sent: unknown = own.state === "known" ? own.value : own.state === "absent" ? defaults[name as SettingName] : undefined;
  const option = valueBy(entry.read);
  if (own.state === "absent" && (sent === undefined || argument === undefined)) return ignored;
  if (sent === undefined || option.state !== "known") return undefined;
  const range: Range | undefined = own.state === "known" ? own.range : undefined;
  const [value, text] = [String(sent), String(option.value)];
  return { ...ignored, sent: { value, option: text, agrees: value === text, range } };
}

const toPattern = (_: string, device: string, unit?: string): string => `${device}<n>${unit ? ":<m>" : ""}`;
