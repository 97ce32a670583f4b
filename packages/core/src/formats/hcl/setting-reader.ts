import { ABSENT, type Range, type Setting, unknown } from "../../model/source.ts";
import type { SettingName, Waypoint } from "../../model/spec.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import type { Trace, Value } from "../../syntax/hcl/value.ts";
import { STRING } from "../../syntax/hcl/value-type.ts";
import type { Read } from "../../syntax/values.ts";
import { isDefault, literalOf, rangeOf, traceTo } from "./origins.ts";

/** Converts argument values of one VM into settings, and remembers their traces. */
export interface SettingReader {
  /** Returns absent for null, and unknown for a value that is unknown or that `read` rejects. */
  readonly read: <T>(value: Value, read: Read<T>, at: Range) => Setting<T>;
  readonly traceTo: (range: Range) => readonly Waypoint[];
  /** Returns the literal behind a setting, for edits. */
  readonly literalOf: (setting: Setting<unknown>) => Range | undefined;
  /** All values that were read. */
  readonly reads: readonly ReadValue[];
}

/** The trace of a value, with the range of its setting; no range if the value is unknown. */
interface ReadValue {
  readonly trace: Trace;
  readonly range: Range | undefined;
}

/** `own`: the blocks that define this VM. */
export function settingReader(blocks: readonly Range[]): SettingReader {
  const reads: ReadValue[] = [];
  const tracesAt = (range: Range): readonly Trace[] => reads.flatMap((entry) => (entry.range === range ? [entry.trace] : []));
  return {
    reads,
    read(value, read, at) {
      if (value.kind === "null") return ABSENT;
      const { trace } = value;
      if (value.kind === "unknown") {
        reads.push({ trace, range: undefined });
        return unknown(value.reason, at);
      }
      // A range of its own per setting: settings with values from the same place have different traces.
      const [start, end] = rangeOf(trace, blocks, at);
      const range: Range = [start, end];
      const text = convert(value, STRING);
      const isText = text.kind === "string";
      reads.push({ trace, range: isText ? range : undefined });
      if (!isText) return unknown("it is not a single value", range);
      const setting = read(text.value, range);
      // An empty default is a place for a value, not a mistake.
      const isOpen = setting.state === "unknown" && text.value.trim() === "" && isDefault(trace);
      return isOpen ? unknown("the default of its variable is empty", range) : setting;
    },
    traceTo: (range) => tracesAt(range).flatMap((trace) => traceTo(trace, range)),
    literalOf: (setting) =>
      setting.state === "absent"
        ? undefined
        : tracesAt(setting.range)
            .map(literalOf)
            .find((literal) => literal),
  };
}

/** The arguments of a resource that are settings, with their readers. */
export type Arguments = { readonly [K in SettingName]?: readonly [argument: string, read: Read<unknown>] };
