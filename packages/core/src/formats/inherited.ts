import { ABSENT, type Range, type Setting, unknown } from "../model/source.ts";
import { NO_SETTINGS, type SettingName, type SettingValues } from "../model/spec.ts";
import type { Read } from "../syntax/values.ts";

/**
 * Settings that every VM has, and that a clone inherits from its template. Templates rarely set options of ESXi, so these are absent if
 * they are not set.
 */
export const INHERITED = [
  "vcpus",
  "coresPerSocket",
  "memoryMiB",
  "cpuHotAdd",
  "cpuReservationMHz",
  "memoryReservationMiB",
  "memoryReservationLocked",
] as const satisfies readonly SettingName[];

/** Why inherited settings are unknown. */
export const OF_TEMPLATE = "the VM inherits it from its template";

/** The same for a VM that is made from an image. */
export const OF_IMAGE = "the VM inherits it from its image";

/** The same for a text that other files complete. */
export const OF_PATCH = "it is a patch: the object it is merged into has the rest";

/** Whether a setting is unknown because the VM inherits it. */
export const isOfTemplate = (reason: string): boolean => reason === OF_TEMPLATE || reason === OF_IMAGE;

/** Why a VM may have more disks than the file lists. */
export const DISKS_OF_TEMPLATE = "a template brings disks of its own";
export const DISKS_OF_PACKAGE = "an OVF package brings disks of its own";

/**
 * Why missing settings of an existing VM are unknown: "state: present ... ensure the virtual machine configurations conforms to task
 * arguments", and missing arguments are not sent (vmware_guest.py, configure_cpu_and_memory; vm.py, its parameter handlers).
 */
export const OF_EXISTING = "an existing VM keeps its own";

/** Unknown for an existing VM if a text does not state them. Other settings are options of ESXi, which are rarely set. */
export const OF_EVERY_VM: readonly SettingName[] = [
  ...INHERITED,
  "hardwareVersion",
  "guestOs",
  "memoryHotAdd",
  "latencySensitivity",
  "cpuReservationLocked",
  "cpuLimitMHz",
  "memoryLimitMiB",
  "cpuShares",
  "memoryShares",
];

/** Said of each layout and finding that depends on the options of an existing VM. */
export const WITHOUT_OPTIONS = "assumed: the existing VM sets no advanced options such as numa.vcpu.preferHT";

/** Returns a setting that a text about an existing VM does not state. */
export const unstated = (name: SettingName, reason: string, range: Range): Setting<never> =>
  OF_EVERY_VM.includes(name) ? unknown(reason, range) : ABSENT;

/** For a VM whose settings another file may all set. */
export const ALL_SETTINGS = Object.keys(NO_SETTINGS) as readonly SettingName[];

/** Returns a setting that another text fills in. Few formats have a word for automatic cores per socket. */
export const filledIn = <T>(name: SettingName, setting: Setting<T>, read: Read<T>): Setting<T> => {
  if (name !== "coresPerSocket" || setting.state !== "unknown") return setting;
  const zero = read("0", setting.range);
  return zero.state === "unknown" && zero.expected !== undefined ? { ...setting, not: ["auto"] } : setting;
};

/** Makes settings unknown, with a reason, if they are neither set nor have a default. */
export function leaveOpen(
  settings: Record<SettingName, Setting<unknown>>,
  names: readonly SettingName[],
  { reason, range, defaults = {} }: { readonly reason: string; readonly range: Range; readonly defaults?: SettingValues | undefined },
): void {
  for (const name of names) {
    if (settings[name].state === "absent" && defaults[name] === undefined) settings[name] = unknown(reason, range);
  }
}
