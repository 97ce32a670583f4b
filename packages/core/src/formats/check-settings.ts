import { ceilingOf, LAST_HARDWARE, NEWEST_HARDWARE } from "../model/ceilings.ts";
import type { Problem } from "../model/problem.ts";
import { mistyped, type Setting, unknown, withText } from "../model/source.ts";
import type { SettingName, Settings, VmSpec } from "../model/spec.ts";
import { ADVANCED } from "./advanced.ts";

/** Longest value that a message quotes. */
const LONGEST = 60;

/** The parts of a VM that the checks need, and the rule that reports values of the wrong type. */
interface Context extends Pick<Partial<VmSpec>, "scsiControllers" | "traceTo"> {
  readonly ruleId?: string;
}

/** The settings of a VM, with the problems of their values. */
type Checked = Pick<VmSpec, "settings" | "problems">;

/**
 * Reports values of the wrong type, and numbers beyond their limits, which become unknown. Every reader passes its settings through this
 * function.
 */
export function checkSettings(settings: Settings, { scsiControllers = [], traceTo, ruleId = "spec/type" }: Context = {}): Checked {
  const problems: Problem[] = [];
  const within: Record<string, Setting<unknown>> = {};
  const report = (setting: Setting<unknown>, fallback: () => string): void => {
    if (setting.state !== "unknown" || setting.expected === undefined) return;
    const { expected, range, key = fallback() } = setting;
    const value = setting.text ?? "";
    const meant = meantBy(value, expected, key);
    const data = {
      key,
      value: value.length > LONGEST || value.includes("\n") ? "" : value,
      expected,
      ...(meant !== undefined && { meant }),
    };
    problems.push({ ruleId, messageId: "type", data, range, related: traceTo?.(range) ?? [] });
  };
  for (const name in settings) {
    const setting: Setting<unknown> = settings[name as SettingName];
    const ceiling = ceilingOf(name as SettingName);
    if (setting.state === "unknown") report(setting, () => optionOf(name as SettingName));
    if (setting.state !== "known" || typeof setting.value !== "number" || !ceiling) continue;
    const { value, range } = setting;
    const { least, most, what } = ceiling;
    if (value < least) {
      within[name] = mistyped("a positive whole number", range);
      report(withText(within[name], { text: String(value) }), () => optionOf(name as SettingName));
    } else if (value > most) {
      within[name] = unknown(`${value} ${what} are more than any ESXi host has`, range);
      problems.push({ ruleId: "spec/too-large", messageId: "large", data: { setting: name, value, what, most }, range });
    }
  }
  const { hardwareVersion } = settings;
  if (hardwareVersion.state === "known" && hardwareVersion.value > NEWEST_HARDWARE) {
    const { value, range } = hardwareVersion;
    const isNone = value > LAST_HARDWARE;
    if (isNone) within.hardwareVersion = unknown(`no ESXi release has hardware version ${value}`, range);
    const data = { value, newest: NEWEST_HARDWARE };
    problems.push({ ruleId: "spec/too-large", messageId: isNone ? "version" : "newer", data, range });
  }
  for (const { type } of scsiControllers) report(type, () => "SCSI controller type");
  return problems.length === 0 ? { settings } : { settings: { ...settings, ...within } as Settings, problems };
}

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
