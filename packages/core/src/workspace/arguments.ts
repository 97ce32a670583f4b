import { SEVERITIES } from "../model/diagnostic.ts";
import { type ErrorCode, VmlintError } from "../model/errors.ts";
import { checkHost, type HostModel } from "../model/host.ts";
import { hint } from "../model/nearest.ts";
import { isDate, list as listed, valueWords } from "../model/words.ts";
import { parseWorkload, type Workload, workloadOf } from "../model/workload.ts";

// Programs in JavaScript may pass anything: each argument of the library is checked here, before a file is read.

/** Throws if a value does not fit; `at` is its place in the call, such as `openWorkspace: variables[0].kind`. */
export type Check = (value: unknown, at: string) => void;

export function refuse(message: string, code: ErrorCode = "USAGE"): never {
  throw new VmlintError(code, message);
}

/** A check for values that a test describes. */
const is =
  (words: string, test: (value: unknown) => boolean): Check =>
  (value, at) => {
    if (!test(value)) refuse(`${at} must be ${words}, not ${valueWords(value)}.`);
  };

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text = is("a text", (value) => typeof value === "string");
export const flag = is("true or false", (value) => typeof value === "boolean");
export const method = is("a function", (value) => typeof value === "function");
const number = is("a number", (value) => typeof value === "number" && !Number.isNaN(value));
export const record = is("an object", isRecord);

export const listOf =
  (check: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return refuse(`${at} must be a list, not ${valueWords(value)}.`);
    for (let i = 0; i < value.length; i++) check(value[i], `${at}[${i}]`);
  };

const recordOf =
  (check: Check): Check =>
  (value, at) => {
    record(value, at);
    for (const [key, one] of Object.entries(value as object)) if (one !== undefined) check(one, `${at}[${JSON.stringify(key)}]`);
  };

/** The place of a property: `openWorkspace: host`, `openWorkspace: host.sockets`. */
const within = (at: string, name: string): string => `${at}${at.includes(": ") ? "." : ": "}${name}`;

/** A check for objects with these properties and no others; values of `undefined` are missing. */
export const shape =
  (fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    record(value, at);
    const given = Object.entries(value as object).filter(([, one]) => one !== undefined);
    const names = Object.keys(fields);
    for (const [name, one] of given) {
      if (!names.includes(name)) refuse(`${at}: ${valueWords(name)} is unknown. Write ${listed(names, "or")}.${hint(name, names)}`);
      fields[name]?.(one, within(at, name));
    }
    const missing = required.filter((name) => !given.some(([one]) => one === name));
    if (missing.length > 0) refuse(`${at}: ${listed(missing, "and")} ${missing.length === 1 ? "is" : "are"} missing.`);
  };

/** Whether a value is bytes, also of another realm. A Buffer of Node is. */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";

export const content = is("a text or bytes (Uint8Array)", (value) => typeof value === "string" || isBytes(value));

/** A path; an empty one is a variable that has no value. */
export const path = is("a path", (value) => typeof value === "string" && value !== "");

/** The properties of a host. `checkHost` checks the numbers together. */
const HOST = shape({
  name: text,
  sockets: number,
  coresPerSocket: number,
  threadsPerCore: number,
  numaNodes: number,
  memoryGiB: number,
  nvmeTierGiB: number,
  unevenMemory: flag,
  mhz: number,
  esxi: record,
  runs: record,
  kvm: record,
  cpu: text,
  coresPerL3: number,
  preferHt: flag,
  followCoresPerSocket: flag,
  hyperthreadingOff: flag,
  powerPolicy: text,
  source: text,
  pcpusOfNode: listOf(listOf(number)),
  linuxCpus: listOf(record),
  assumed: listOf(text),
} satisfies Readonly<Record<keyof HostModel, Check>>);

/** A host, or a text that means one. A text is looked up where the configuration is known. */
export const host: Check = (value, at) => {
  if (value === null || typeof value === "string") return;
  try {
    if (isRecord(value)) HOST(value, at);
    checkHost(value as HostModel);
  } catch (error) {
    if (!(error instanceof VmlintError)) throw error;
    const isPlaced = error.message.startsWith(at);
    refuse(isPlaced ? error.message : `${at}: ${error.message}`, "HOST_UNKNOWN");
  }
};

/** Returns a workload from facts or from one line, such as "mssql, edition=standard". */
export function workloadGiven(value: unknown, at: string): Workload | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") record(value, at);
  const workload = typeof value === "string" ? parseWorkload(value) : workloadOf(value as Readonly<Record<string, unknown>>);
  return typeof workload === "string" ? refuse(`${at}: ${workload}`) : workload;
}

export const workload: Check = (value, at) => void workloadGiven(value, at);

export const rules = listOf(
  is("a rule, as defineRule makes it", (value) => isRecord(value) && typeof value.id === "string" && typeof value.word === "function"),
);

/** A configuration, or the text of one. */
export const config = is(
  "the text of a vmlint.yaml, or a configuration that parseConfig or readConfig returned",
  (value) => typeof value === "string" || (isRecord(value) && value.hosts instanceof Map && typeof value.selects === "function"),
);

export const day = is("a day such as 2026-12-31", (value) => typeof value === "string" && isDate(value));

/** A day before all others. */
export const NO_DAY = "0000-01-01";

export const environment = recordOf(text);

const valueOption = shape({ kind: text, name: text, text }, ["name", "text"]);
const fileOption = shape({ kind: text, path }, ["path"]);

export const variables = listOf((value, at) => {
  record(value, at);
  const { kind } = value as { readonly kind?: unknown };
  if (kind !== "value" && kind !== "file") refuse(`${at}.kind must be "value" or "file", not ${valueWords(kind)}.`);
  (kind === "value" ? valueOption : fileOption)(value, at);
});

export const format = is("a format, such as yaml of @vmlint/core/yaml", (value) => isRecord(value) && typeof value.read === "function");

export const severities = recordOf(
  is(`${listed(SEVERITIES, "or")}, or off`, (value) => value === "off" || SEVERITIES.some((one) => one === value)),
);
