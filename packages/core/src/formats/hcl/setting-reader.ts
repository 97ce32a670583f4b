import type { Problem } from "../../model/problem.ts";
import { ABSENT, type Range, type Setting, unknown, withText } from "../../model/source.ts";
import type { SettingName, Waypoint } from "../../model/spec.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { realText } from "../../syntax/hcl/real.ts";
import type { Trace, Value } from "../../syntax/hcl/value.ts";
import { NUMBER, STRING } from "../../syntax/hcl/value-type.ts";
import type { Read } from "../../syntax/values.ts";
import { isDefault, literalOf, rangeOf, traceTo } from "./origins.ts";

/** Converts argument values of one VM into settings, and remembers their traces. */
export interface SettingReader {
  /** Returns absent for null, and unknown for a value that is unknown or that `read` rejects. */
  readonly read: <T>(value: Value, read: Read<T>, at: Range) => Setting<T>;
  readonly traceTo: (range: Range) => readonly Waypoint[];
  /** Returns the literal behind a setting, for edits. */
  readonly literalOf: (setting: Setting<unknown>) => Range | undefined;
  /** The mistakes in the expressions of these values. */
  readonly problems: readonly Problem[];
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
  const problems: Problem[] = [];
  const tracesAt = (range: Range): readonly Trace[] => reads.flatMap((entry) => (entry.range === range ? [entry.trace] : []));
  return {
    reads,
    problems,
    read(value, read, at) {
      if (value.kind === "null") return ABSENT;
      const { trace } = value;
      // An operation on a number that is too large to follow may give any number.
      if (value.kind === "unknown" && (value.number === undefined || !literalOf(trace))) {
        reads.push({ trace, range: undefined });
        const range = trace[0]?.range ?? at;
        if (value.refused) problems.push({ ruleId: "spec/syntax", messageId: "variable", data: value.refused, range });
        return unknown(value.reason, at);
      }
      // A range of its own per setting: settings with values from the same place have different traces.
      const [start, end] = rangeOf(trace, blocks, at);
      const range: Range = [start, end];
      const text = textIn(value);
      reads.push({ trace, range: text === undefined ? undefined : range });
      if (text === undefined) return unknown("it is not a single value", range);
      const setting = settingIn(text, value, range, read);
      // An empty default is a place for a value, not a mistake.
      const isOpen = setting.state === "unknown" && text.trim() === "" && isDefault(trace);
      if (isOpen) return unknown("the default of its variable is empty", range);
      // The text of another place may be a secret.
      return trace.length === 1 ? withText(setting, { text }) : setting;
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

/** Returns the text of a value, also of a number that is too large to follow; `undefined` for a value with parts. */
function textIn(value: Value): string | undefined {
  if (value.kind === "unknown") return value.number;
  const text = convert(value, STRING);
  return text.kind === "string" ? text.value : undefined;
}

/** Terraform converts a text to a number: "8.0" is 8. */
function settingIn<T>(text: string, value: Value, range: Range, read: Read<T>): Setting<T> {
  const setting = read(text, range);
  if (setting.state === "known" || value.kind !== "string") return setting;
  const number = convert(value, NUMBER);
  const other = number.kind === "number" ? read(realText(number.value), range) : setting;
  return other.state === "known" ? other : setting;
}

/** The arguments of a resource that are settings, with their readers. */
export type Arguments = { readonly [K in SettingName]?: readonly [argument: string, read: Read<unknown>] };
