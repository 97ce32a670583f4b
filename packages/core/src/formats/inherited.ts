import { type Range, type Setting, unknown } from "../model/source.ts";
import { NO_SETTINGS, type SettingName, type SettingValues } from "../model/spec.ts";

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

/** For a VM whose settings another file may all set. */
export const ALL_SETTINGS = Object.keys(NO_SETTINGS) as readonly SettingName[];

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
