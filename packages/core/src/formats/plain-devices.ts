import { nearest } from "../model/nearest.ts";
import type { Problem } from "../model/problem.ts";
import { ABSENT, known, mistyped, type Range, type Setting, unknown, valueIfKnown } from "../model/source.ts";
import type { Devices, ScsiController } from "../model/spec.ts";
import { valueWords } from "../model/words.ts";
import * as read from "../syntax/values.ts";
import { SCSI_TYPES } from "./vmx/devices.ts";

/**
 * A setting that has a value which the caller does not know.
 *
 * @example
 * const later: Unknown = { unknown: "it is known once the VM is there" };
 */
export interface Unknown {
  /** Why. */
  readonly unknown: string;
}

export const isUnknown = (value: unknown): value is Unknown => typeof value === "object" && value !== null && "unknown" in value;

/** A value of a device, by its type in JavaScript. */
type Read<T> = (value: unknown, range: Range) => Setting<T>;

const textual =
  <T>(reader: read.Read<T>): Read<T> =>
  (value, range) =>
    typeof value === "string" ? reader(value, range) : reader("\0", range);
const flag: Read<boolean> = (value, range) => (typeof value === "boolean" ? known(value, range) : mistyped("true or false", range));
const bus: Read<number> = (value, range) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? known(value, range) : mistyped("a whole number of 0 or more", range);
const address: Read<string> = (value, range) =>
  typeof value === "string" && /^(?:scsi|sata|nvme|ide)\d+:\d+$/.test(value)
    ? known(value, range)
    : mistyped("a disk address such as scsi0:0", range);
const anyText: Read<string> = (value, range) =>
  typeof value === "string" ? known(value.toLowerCase(), range) : mistyped("a text such as vmxnet3", range);

/** The keys of each device, and how their values are read. */
const FIELDS = {
  controllers: {
    kind: textual(read.oneOf("scsi", "nvme", "sata", "ide")),
    bus,
    type: textual(read.oneOf(...Object.values(SCSI_TYPES))),
    shared: flag,
  },
  disks: { bus: address, provisioning: textual(read.oneOf("thin", "lazy", "eager")) },
  nics: { type: anyText },
};

type Kind = keyof typeof FIELDS;

export const DEVICES = Object.keys(FIELDS) as readonly Kind[];

/** The problem of a value that has the wrong type. */
export function wrongType(key: string, value: unknown, expected: string, range: Range): Problem {
  const word = typeof value === "string" || typeof value === "number" ? String(value) : value === undefined ? "" : valueWords(value);
  return { ruleId: "spec/type", messageId: "type", data: { key, value: word, expected }, range };
}

interface ReadDevices {
  readonly scsiControllers: readonly ScsiController[];
  readonly devices: Devices;
  readonly problems: readonly Problem[];
}

/** Reads the devices of a plain VM. `placeOf` makes a range for each. */
export function readPlainDevices(
  given: Readonly<Record<Kind, unknown>>,
  placeOf: (...path: readonly (string | number)[]) => Range,
): ReadDevices {
  const problems: Problem[] = [];
  const wrong = (...problem: Parameters<typeof wrongType>): void => void problems.push(wrongType(...problem));
  const itemsOf = (kind: Kind) => {
    const list = given[kind] ?? [];
    if (!Array.isArray(list)) wrong(kind, list, "a list", placeOf(kind));
    return (Array.isArray(list) ? list : []).map((item: unknown, i) => {
      const range = placeOf(kind, i);
      const values = typeof item === "object" && item !== null ? (item as Readonly<Record<string, unknown>>) : {};
      if (values !== item) wrong(`${kind}[]`, item, "an object", range);
      const names = Object.keys(FIELDS[kind]);
      for (const key of Object.keys(values).filter((one) => !names.includes(one)))
        problems.push({
          ruleId: "spec/unknown-key",
          messageId: "unknown",
          data: { key: `${kind}[].${key}`, nearest: nearest(key, names) ?? null },
          range: placeOf(kind, i, key),
        });
      const field = <T>(key: string, reader: Read<T>, isRequired = false): Setting<T> => {
        const value = values[key];
        const place = value === undefined ? range : placeOf(kind, i, key);
        if (isUnknown(value)) return unknown(String(value.unknown), place);
        if (value === undefined && !isRequired) return ABSENT;
        const setting = reader(value, place);
        if (setting.state === "unknown") wrong(`${kind}[].${key}`, value, setting.expected ?? "a known value", place);
        return setting;
      };
      return { range, field };
    });
  };
  const { controllers: C, disks: D, nics: N } = FIELDS;
  const controllers = itemsOf("controllers").flatMap(({ range, field }) => {
    const kind = valueIfKnown(field("kind", C.kind, true));
    const number = valueIfKnown(field("bus", C.bus, true));
    const type = field("type", C.type);
    const shared = valueIfKnown(field("shared", C.shared));
    return kind === undefined || number === undefined ? [] : [{ kind, bus: number, type, shared, range }];
  });
  const disks = itemsOf("disks").flatMap(({ range, field }) => {
    const id = valueIfKnown(field("bus", D.bus, true));
    const provisioning = field("provisioning", D.provisioning);
    return id === undefined ? [] : [{ id, controller: id.split(":")[0] ?? "", range, provisioning }];
  });
  const nics = itemsOf("nics").map(({ field }, index) => ({ index, type: field("type", N.type) }));
  const missing = DEVICES.filter((kind) => given[kind] === undefined);
  return {
    scsiControllers: controllers.flatMap(({ kind, bus: number, type, shared, range }) =>
      kind === "scsi" ? [{ id: `scsi${number}`, bus: number, type, range, ...(shared && { shared: true as const }) }] : [],
    ),
    devices: {
      otherControllers: controllers.flatMap(({ kind, bus: number, range }) => (kind === "scsi" ? [] : [{ kind, bus: number, range }])),
      disks,
      nics,
      ...(missing.length > 0 && { missing: `the VM is given without ${missing.join(", ")}` }),
    },
    problems,
  };
}
