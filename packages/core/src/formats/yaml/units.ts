import { ABSENT, known, mistyped, type Setting } from "../../model/source.ts";
import type { ScsiType } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";

/** Readers of YAML 1.1 read a number with a leading zero as octal, others do not; and `0x10` is text to some. */
export const plain =
  <T>(inner: read.Read<T>): read.Read<T> =>
  (text, range) =>
    /^[-+]?0[0-9_xo]/i.test(text) || /^[-+]?\d+_/.test(text)
      ? { ...mistyped("a whole number without leading zeros and underscores", range), reason: `readers of YAML differ on ${text}` }
      : inner(text, range);

export const count = plain(read.count);
export const natural = plain(read.natural);
/** -1 means unlimited, as in the vSphere API. */
export const limit = plain(read.limit);

/** The meaning of 0 cores per socket: chosen at power-on, not set, or an error. */
type Zero = "auto" | "absent" | "mistake";

export const cores =
  (zero: Zero): read.Read<number | "auto"> =>
  (text, range) => {
    const value = natural(text, range);
    if (value.state !== "known" || value.value > 0) return value;
    if (zero === "absent") return ABSENT;
    return zero === "auto" ? known("auto", range) : read.count(text, range);
  };

export const writeCores =
  (zero: Zero) =>
  (value: number | "auto"): string | undefined => {
    if (value !== "auto") return String(value);
    return zero === "auto" ? "0" : undefined;
  };

/** Returns a reader that treats 0 as absent. */
export const orNothing =
  <T>(inner: read.Read<T>): read.Read<T> =>
  (text, range) => {
    const value = inner(text, range);
    return value.state === "known" && value.value === 0 ? ABSENT : value;
  };

export const size = orNothing(natural);

/** Booleans of YAML 1.1, as Ansible and Kubernetes read them. */
export const bool: read.Read<boolean> = (text, range) => {
  const word = text.toLowerCase();
  if (["true", "yes", "on", "y", "1"].includes(word)) return known(true, range);
  if (["false", "no", "off", "n", "0"].includes(word)) return known(false, range);
  return mistyped("true or false", range);
};

/** `vmx-19`, or 19. */
export const hardwareVersion: read.Read<number> = (text, range) => read.count(text.replace(/^vmx-0?/i, ""), range);

export const writeHardwareVersion = (version: number): string => `vmx-${version}`;

const SUFFIXES: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** A quantity of Kubernetes (`8Gi`, `2G`, `1e9`) as a number; `m` is a thousandth. */
function quantity(text: string): number | undefined {
  const [, digits = "", suffix = ""] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(text) ?? [];
  const factor = suffix === "m" ? 1e-3 : SUFFIXES[suffix];
  const value = digits === "" || factor === undefined ? Number.NaN : Number(digits) * factor;
  return Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

const ofQuantity =
  <T>(label: string, make: (value: number) => T | undefined): read.Read<T> =>
  (text, range): Setting<T> => {
    const value = quantity(text);
    const result = value === undefined ? undefined : make(value);
    return result === undefined ? mistyped(label, range) : known(result, range);
  };

const MEMORY = 'an amount of memory such as "8Gi"';
const memoryBy = (round: (mib: number) => number) => ({
  memory: ofQuantity(MEMORY, (bytes) => (bytes > 0 ? round(bytes / 2 ** 20) : undefined)),
  memoryOrNone: ofQuantity(MEMORY, (bytes) => (bytes >= 0 ? round(bytes / 2 ** 20) : undefined)),
  memoryLimit: ofQuantity<number | "unlimited">(MEMORY, (bytes) => (bytes < 0 ? "unlimited" : round(bytes / 2 ** 20))),
});

/** Bytes as MiB, rounded up as CAPV (convertQuantityToMiB) and VM Operator's classes (MemoryQuantityToMb) do. */
export const { memory, memoryOrNone, memoryLimit } = memoryBy(Math.ceil);
/** Rounded down, as VM Operator does for sizes in the VM itself (compute_overwrite.go: Value()/1024/1024). */
export const down = memoryBy(Math.floor);

/** Hertz as MHz, rounded up (CAPV, convertQuantityToMhz). */
export const hertz = ofQuantity('a frequency in hertz such as "2G"', (value) => (value >= 0 ? Math.ceil(value / 1e6) : undefined));
export const hertzLimit = ofQuantity<number | "unlimited">('a frequency in hertz such as "2G"', (value) =>
  value < 0 ? "unlimited" : Math.ceil(value / 1e6),
);
/** Cores, or thousandths of a core. */
export const cpuCores = ofQuantity('an amount of cores such as "2000m"', (value) => (value >= 0 ? value : undefined));
/** A plain amount, such as MHz or vCPUs. */
export const amount = ofQuantity("a whole number", (value) => (Number.isInteger(value) && value >= 0 ? value : undefined));
export const amountLimit = ofQuantity<number | "unlimited">("a whole number", (value) =>
  value < 0 ? "unlimited" : Number.isInteger(value) ? value : undefined,
);

export const writeMemory = (mib: number): string => (mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`);
export const writeMemoryLimit = (mib: number | "unlimited"): string => (mib === "unlimited" ? "-1" : writeMemory(mib));
export const writeHertz = (mhz: number): string => `${mhz}M`;
export const writeLimit = (value: number | "unlimited"): string => (value === "unlimited" ? "-1" : String(value));

/** The names of SCSI controllers in modules of Ansible and in VM Operator. */
export const SCSI: Readonly<Record<string, ScsiType>> = {
  paravirtual: "pvscsi",
  lsilogic: "lsilogic",
  lsilogicsas: "lsisas1068",
  buslogic: "buslogic",
};

/** Returns a reader for the names of SCSI controllers in a format, in any case. */
export const scsiOf =
  (names: Readonly<Record<string, ScsiType>>): read.Read<ScsiType> =>
  (text, range) => {
    const name = text.toLowerCase();
    const type = Object.hasOwn(names, name) ? names[name] : undefined;
    return type ? known(type, range) : mistyped(`one of ${Object.keys(names).join(", ")}`, range);
  };

/** The name that a format has for a type. */
export const writeScsi =
  (names: Readonly<Record<string, ScsiType>>) =>
  (type: ScsiType): string | undefined =>
    Object.entries(names).find(([, name]) => name === type)?.[0];

export const lowerCased: read.Read<string> = (text, range) => known(text.toLowerCase(), range);
