import { ABSENT, type Range, type Setting, unknown } from "../../model/source.ts";
import type { SettingName, Waypoint } from "../../model/spec.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { STRING } from "../../syntax/hcl/type.ts";
import type { Trace, Value } from "../../syntax/hcl/value.ts";
import type { Read } from "../../syntax/values.ts";
import { literalOf, rangeOf, wayTo } from "./origins.ts";

/** Turns the values of one VM's arguments into settings, and remembers where they were written. */
export interface SettingReader {
  /** A null argument is left out; one that is there but not known, or not as `read` wants it, is unknown. */
  readonly read: <T>(value: Value, read: Read<T>, at: Range) => Setting<T>;
  readonly way: (range: Range) => readonly Waypoint[];
  /** The literal that a setting is, for edits. */
  readonly literalOf: (setting: Setting<unknown>) => Range | undefined;
  /** All values that were read. */
  readonly reads: readonly ReadValue[];
}

/** The way of a value, and where it was found to be written; no place for one that is not known. */
interface ReadValue {
  readonly trace: Trace;
  readonly range: Range | undefined;
}

/** `own`: the blocks that write this VM. */
export function settingReader(own: readonly Range[]): SettingReader {
  const reads: ReadValue[] = [];
  const tracesAt = (range: Range): readonly Trace[] => reads.flatMap((one) => (one.range === range ? [one.trace] : []));
  return {
    reads,
    read(value, read, at) {
      if (value.kind === "null") return ABSENT;
      const { trace } = value;
      if (value.kind === "unknown") {
        reads.push({ trace, range: undefined });
        return unknown(value.reason, at);
      }
      const range = rangeOf(trace, own, at);
      const text = convert(value, STRING);
      const isText = text.kind === "string";
      reads.push({ trace, range: isText ? range : undefined });
      if (!isText) return unknown("it is not a single value", range);
      return read(text.value, range);
    },
    // The last that has one, where several values are written at one place.
    way: (range) =>
      tracesAt(range)
        .map((trace) => wayTo(trace, range))
        .findLast((way) => way.length > 0) ?? [],
    literalOf: (setting) =>
      setting.state === "absent"
        ? undefined
        : tracesAt(setting.range)
            .map(literalOf)
            .findLast((literal) => literal),
  };
}

/** The arguments of a resource that are settings, with what reads them. */
export type Arguments = { readonly [K in SettingName]?: readonly [argument: string, read: Read<unknown>] };
