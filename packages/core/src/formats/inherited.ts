import { type Range, type Setting, unknown } from "../model/source.ts";
import { NO_SETTINGS, type SettingName, type SettingValues } from "../model/spec.ts";

/**
 * What every VM has, and a clone takes from its template where nothing else is said. Of the options of ESXi a template rarely
 * sets one: those that are not stated count as absent.
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

/** Why what a clone does not state is unknown. */
export const OF_TEMPLATE = "it is the template's that the VM is cloned from";

/** Why a VM may have more disks than are listed. */
export const DISKS_OF_TEMPLATE = "a template brings disks of its own";
export const DISKS_OF_PACKAGE = "an OVF package brings disks of its own";

/** For a VM of which another text may say anything. */
export const ALL_SETTINGS = Object.keys(NO_SETTINGS) as readonly SettingName[];

/** Makes unknown what is not stated and has no default: something else states it, for the reason given. */
export function leaveOpen(
  settings: Record<SettingName, Setting<unknown>>,
  names: readonly SettingName[],
  { reason, range, defaults = {} }: { readonly reason: string; readonly range: Range; readonly defaults?: SettingValues | undefined },
): void {
  for (const name of names) {
    if (settings[name].state === "absent" && defaults[name] === undefined) settings[name] = unknown(reason, range);
  }
}
