import { ABSENT, type Range, type Setting, unknown } from "../../../model/source.ts";
import type { SettingName, Waypoint } from "../../../model/spec.ts";
import type { Read } from "../../values.ts";
import { convert } from "../convert.ts";
import { STRING } from "../type.ts";
import type { Trace, Value } from "../value.ts";
import { originOf } from "./origins.ts";

/** Turns the values of one VM's arguments into settings, and remembers where they were written. */
export interface SettingReader {
  /** A null argument is left out; one that is there but not known, or not as `read` wants it, is unknown. */
  readonly read: <T>(value: Value, read: Read<T>, at: Range) => Setting<T>;
  readonly way: (range: Range) => readonly Waypoint[];
  /** The literal that a setting is, for edits. */
  readonly literalOf: (setting: Setting<unknown>) => Range | undefined;
  /** The ways of all values that were read. */
  readonly traces: readonly Trace[];
}

/** `own`: the blocks that write this VM. */
export function settingReader(own: readonly Range[]): SettingReader {
  const ways = new Map<Range, readonly Waypoint[]>();
  const literals = new Map<Range, Range>();
  const traces: Trace[] = [];
  return {
    traces,
    read(value, read, at) {
      if (value.kind === "null") return ABSENT;
      traces.push(value.trace);
      const { range, way, literal } = originOf(value, own, at);
      if (value.kind === "unknown") return unknown(value.reason, at);
      const text = convert(value, STRING);
      if (text.kind !== "string") return unknown("it is not a single value", range);
      const setting = read(text.value, range);
      if (way.length > 0) ways.set(range, way);
      if (literal) literals.set(range, literal);
      // A reader's complaint of a wrong type is Terraform's to make.
      return setting.state === "unknown" ? unknown(setting.reason, range) : setting;
    },
    way: (range) => ways.get(range) ?? [],
    literalOf: (setting) => (setting.state === "absent" ? undefined : literals.get(setting.range)),
  };
}

/** The arguments of a resource that are settings, with what reads them. */
export type Arguments = { readonly [K in SettingName]?: readonly [argument: string, read: Read<unknown>] };
