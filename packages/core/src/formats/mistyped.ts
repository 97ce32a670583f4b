import type { Problem } from "../model/problem.ts";
import type { Range, Setting } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import { ADVANCED } from "./advanced.ts";

/** Longest value that a message quotes. */
const LONGEST = 60;

/** Quotes, or a plain word of YAML; an expression of HCL is not a value. */
const LITERAL = /^(?:"([^"\n$%{}]*)"|'([^'\n{}]*)'|(-?\d[\w.+-]*)|([\w+-][\w +-]*))$/;

/**
 * Reports settings with a value of the wrong type, by their key in the format. `textAt` returns the text of a range; messages only quote a
 * short text on one line. `keyIn` returns the key where a value stands, if several keys set one setting.
 */
export const mistyped = (
  { settings, scsiControllers, traceTo }: Pick<VmSpec, "settings" | "scsiControllers" | "traceTo">,
  keyOf: (name: SettingName) => string | undefined,
  textAt: (range: Range) => string,
  keyIn: (range: Range) => string | undefined = () => undefined,
): readonly Problem[] =>
  [
    ...(Object.entries(settings) as [SettingName, Setting<unknown>][]).map(([name, setting]) => ({
      name: () => keyOf(name) ?? optionOf(name),
      setting,
    })),
    // One argument may set the type of all controllers.
    ...new Map(
      scsiControllers.map(({ type }) => [
        type.state === "absent" ? -1 : type.range[0],
        { name: () => "SCSI controller type", setting: type },
      ]),
    ).values(),
  ].flatMap(({ name, setting }) => {
    if (setting.state !== "unknown" || setting.expected === undefined) return [];
    const { expected, range } = setting;
    const value =
      LITERAL.exec(textAt(range).trim())
        ?.slice(1)
        .find((part) => part !== undefined) ?? "";
    const key = keyIn(range) ?? name();
    const meant = meantBy(value, expected, key);
    const data = { key, value: value.length > LONGEST ? "" : value, expected, ...(meant !== undefined && { meant }) };
    return [{ ruleId: "spec/type", messageId: "type", data, range, related: traceTo?.(range) ?? [] }];
  });

const optionOf = (name: SettingName): string => (name in ADVANCED ? ADVANCED[name as keyof typeof ADVANCED][0] : name);

const NUMBER_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const MIB: Readonly<Record<string, number>> = { m: 1, g: 1024, t: 1024 * 1024 };

/** Returns the value that a wrong one probably means; `undefined` if that is not clear. */
function meantBy(value: string, expected: string, key: string): string | undefined {
  const text = value.trim().toLowerCase();
  if (/whole number/.test(expected)) {
    const word = NUMBER_WORDS.indexOf(text);
    if (word >= 0) return String(word + 1);
    const [, count] = /^(\d{1,6}) ?(?:v?cpus?|cores?|sockets?)$/.exec(text) ?? [];
    if (count !== undefined) return count;
    const [, amount = "", unit = ""] = /^(\d{1,6}) ?([mgt])i?b?$/.exec(text) ?? [];
    // vSphere counts memory in MiB and writes MB; a key that names another unit is not clear.
    const isMemory = /mem|ram/i.test(key) && !/[gk]i?b/i.test(key);
    return isMemory && unit !== "" ? String(Number(amount) * (MIB[unit] ?? 1)) : undefined;
  }
  if (!/\btrue\b/i.test(expected)) return undefined;
  if (/^(?:enabled?|yes|on)$/.test(text)) return "true";
  return /^(?:disabled?|no|off)$/.test(text) ? "false" : undefined;
}
