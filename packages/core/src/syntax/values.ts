import { known, mistyped, type Range, type Setting, unknown } from "../model/source.ts";
import type { LatencySensitivity, ScsiController } from "../model/spec.ts";

/** Reads the text of one value. */
export type Read<T> = (text: string, range: Range) => Setting<T>;

const integer =
  (least: number, title: string): Read<number> =>
  (text, range) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= least) return known(value, range);
    return mistyped(value > Number.MAX_SAFE_INTEGER ? "a whole number of at most 15 digits" : title, range);
  };

export const count = integer(1, "a positive whole number");
export const natural = integer(0, "a whole number of 0 or more");

/** TRUE and FALSE in any case. Spellings that some VMware readers may accept are unknown, not wrong. */
export const bool: Read<boolean> = (text, range) => {
  const value = text.toLowerCase();
  if (value === "true" || value === "false") return known(value === "true", range);
  if (["", "0", "1", "yes", "no", "on", "off"].includes(value)) return unknown(`"${text}" is neither TRUE nor FALSE`, range);
  return mistyped("TRUE or FALSE", range);
};

/** `0` and `1`, as `numa.vcpu.followcorespersocket` is documented, or TRUE and FALSE. */
export const flag: Read<boolean> = (text, range) => (text === "0" || text === "1" ? known(text === "1", range) : bool(text, range));

/** Returns the digits of a UUID in any grouping; `undefined` for any other text. */
export function uuid(text = ""): string | undefined {
  const digits = text.replace(/[\s-]/g, "").toLowerCase();
  return /^[\da-f]{32}$/.test(digits) ? digits : undefined;
}

export const text: Read<string> = (value, range) => known(value, range);

/** The words of VMware's API and related tools for `monitor.virtual_mmu` and `monitor.virtual_exec`. */
const VIRTUALIZATION: Readonly<Record<string, string>> = {
  on: "hardware",
  hvon: "hardware",
  off: "software",
  hvoff: "software",
  hvauto: "automatic",
};

export const virtualization: Read<string> = (value, range) => {
  const text = value.toLowerCase();
  return known(VIRTUALIZATION[text] ?? text, range);
};

/** Reads any word in lower case, because the known lists are not complete. */
export const word: Read<string> = (value, range) => known(value.trim().toLowerCase(), range);

export const limit: Read<number | "unlimited"> = (value, range) =>
  value.toLowerCase() === "unlimited" || value === "-1"
    ? known("unlimited", range)
    : integer(0, 'a whole number or "unlimited"')(value, range);

/** Reads one of a few words, in any case. */
export const oneOf =
  <T extends string>(...values: readonly T[]): Read<T> =>
  (value, range) => {
    const match = values.find((v) => v === value.toLowerCase());
    return match === undefined ? mistyped(`one of ${values.join(", ")}`, range) : known(match, range);
  };

const LATENCY = oneOf("low", "normal", "medium", "high");

/** `custom` is deprecated and acts as normal (govmomi, LatencySensitivitySensitivityLevel). */
export const latency: Read<LatencySensitivity> = (value, range) =>
  value.toLowerCase() === "custom" ? known("normal", range) : LATENCY(value, range);

/** No ESXi release numbers a CPU or node this high; a larger number is a mistake, not a list to expand. */
const MAX_NUMBER = 4095;

/** `0,2,4-7`: numbers and ranges, sorted, each once. */
export const numbers: Read<readonly number[]> = (value, range) => {
  const numbers = new Set<number>();
  const parts = value.split(",", MAX_NUMBER + 2);
  if (parts.length > MAX_NUMBER + 1) return mistyped('a list of numbers such as "0,2,4-7"', range);
  for (const part of parts) {
    const match = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part);
    const first = Number(match?.[1] ?? -1);
    const last = Number(match?.[2] ?? first);
    if (first < 0 || last < first || last > MAX_NUMBER) {
      return mistyped('a list of numbers such as "0,2,4-7"', range);
    }
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return known(
    [...numbers].sort((a, b) => a - b),
    range,
  );
};

/** Reads a set of libvirt, Proxmox or Nova: `0-3,^2`, `0-3;8-11`. */
export const cpuSet: Read<readonly number[]> = (value, range) => {
  const parts = value
    .replaceAll(";", ",")
    .split(",")
    .map((part) => part.trim());
  const without = numbers(parts.flatMap((part) => (part.startsWith("^") ? part.slice(1) : [])).join(), range);
  const set = numbers(parts.filter((part) => !part.startsWith("^")).join(), range);
  if (set.state !== "known" || !parts.some((part) => part.startsWith("^"))) return set;
  return without.state === "known"
    ? known(
        set.value.filter((number) => !without.value.includes(number)),
        range,
      )
    : without;
};

export const affinity: Read<readonly number[] | "all"> = (value, range) =>
  ["all", "default"].includes(value.trim().toLowerCase()) ? known("all", range) : numbers(value, range);

/**
 * Whether VMs share a SCSI bus: "none" in a .vmx and for VM Operator, "noSharing" in the API (VirtualSCSISharing) and in formats based on
 * it.
 */
export const sharing = (value: Setting<string>): Pick<ScsiController, "shared"> =>
  value.state === "absent" || (value.state === "known" && /^(?:none|nosharing)?$/i.test(value.value)) ? {} : { shared: true };
