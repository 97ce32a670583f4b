import type { Problem } from "../model/problem.ts";
import type { Range, Setting } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";

/** Longest value that a message quotes. */
const LONGEST = 60;

/** Quotes, or a plain word of YAML; an expression of HCL is not a value. */
const LITERAL = /^(?:"([^"\n$%{}]*)"|'([^'\n{}]*)'|(-?\d[\w.+-]*)|([\w+-][\w +-]*))$/;

/**
 * Reports settings with a value of the wrong type, by their key in the format. `textAt` returns the text of a range; messages only quote a
 * short text on one line.
 */
export const mistyped = (
  { settings, traceTo }: Pick<VmSpec, "settings" | "traceTo">,
  keyOf: (name: SettingName) => string,
  textAt: (range: Range) => string,
): readonly Problem[] =>
  (Object.entries(settings) as [SettingName, Setting<unknown>][]).flatMap(([name, setting]) => {
    if (setting.state !== "unknown" || setting.expected === undefined) return [];
    const { expected, range } = setting;
    const value =
      LITERAL.exec(textAt(range).trim())
        ?.slice(1)
        .find((part) => part !== undefined) ?? "";
    const data = { key: keyOf(name), value: value.length > LONGEST ? "" : value, expected };
    return [{ ruleId: "spec/type", messageId: "type", data, range, related: traceTo?.(range) ?? [] }];
  });
