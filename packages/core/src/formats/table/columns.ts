import type { ColumnFact, Columns } from "../../model/columns.ts";
import type { SettingName, SettingTypes } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";
import { guestOf } from "./guest-names.ts";

/** The properties of `Get-VM` (VMware PowerCLI reference, VirtualMachine). */
export const POWERCLI: Columns = {
  name: "Name",
  host: "VMHost",
  power: "PowerState",
  vcpus: "NumCpu",
  coresPerSocket: "CoresPerSocket",
  memoryMiB: "MemoryMB",
  memoryGiB: "MemoryGB",
  hardwareVersion: "HardwareVersion",
  guestOs: "GuestId",
};

/** Spreadsheet programs may write 2048 as `2.048`, `2,048` or `2048.0`. */
export const plainNumber = (text: string): string =>
  /^-?\d{1,3}(?:[.,'’ \u00a0]\d{3})+$/.test(text) ? text.replace(/[^-\d]/g, "") : text.replace(/[.,]0+$/, "");

const whole =
  <T>(reader: read.Read<T>): read.Read<T> =>
  (text, range) =>
    reader(plainNumber(text), range);

export const count = whole(read.count);
export const natural = whole(read.natural);
export const limit = whole(read.limit);

/** `vmx-21`, or 21. */
export const hardwareVersion: read.Read<number> = (text, range) => count(text.replace(/^vmx-0*(?=\d)/i, ""), range);

/** The readers of the settings that a table may have. */
export const READERS: { readonly [K in SettingName & ColumnFact]: read.Read<SettingTypes[K]> } = {
  vcpus: count,
  coresPerSocket: count,
  coresPerNumaNode: natural,
  memoryMiB: count,
  hardwareVersion,
  guestOs: guestOf,
  cpuHotAdd: read.flag,
  memoryHotAdd: read.flag,
  latencySensitivity: read.latency,
  cpuReservationMHz: natural,
  cpuLimitMHz: limit,
  memoryReservationMiB: natural,
  memoryLimitMiB: limit,
};
