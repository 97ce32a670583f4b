import type { Problem } from "../model/problem.ts";
import type { Range, Setting } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";

/** Longest value that a message quotes. */
const LONGEST = 60;

/** Quotes, or a plain word of YAML: an expression of HCL is no value. */
const LITERAL = /^(?:"([^"\n$%{}]*)"|'([^'\n{}]*)'|(-?\d[\w.+-]*)|([\w+-][\w +-]*))$/;

/**
 * Reports the settings of a VM whose value is of the wrong type, each by the key that its format has for it. `textAt` gives the text of a
 * range; of a value that is no short text on one line, the message quotes nothing.
 */
export const mistyped = (
  { settings, way }: Pick<VmSpec, "settings" | "way">,
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
    return [{ ruleId: "spec/type", messageId: "type", data, range, related: way?.(range) ?? [] }];
  });
