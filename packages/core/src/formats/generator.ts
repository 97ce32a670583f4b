import { ABSENT, type Range, type Setting, unknown, valueIfKnown } from "../model/source.ts";
import type { Source } from "../model/sources.ts";
import type { Board, BoardTypes, DroppedArgument, Generator, SettingName, SettingValues, TreatedArgument } from "../model/spec.ts";
import { PARTS } from "./board.ts";

/** A program that creates VMs from a format: its defaults, and the arguments that it refuses, changes or ignores. */
export interface GeneratorRecord extends Generator {
  /** Its code, with the version that was read. */
  readonly source: Source;
  /** The values of missing arguments. */
  readonly defaults?: SettingValues;
  readonly treats?: readonly Treatment[];
}

type Part = SettingName | keyof BoardTypes;

/** How a VM comes about: from nothing, as a clone, or it is there already. */
export type Origin = "new" | "clone" | "existing";

/** One thing that a generator does to an argument. */
export type Treatment = { readonly part: Part } & (
  | { readonly does: "requires" }
  /** It refuses lower values, warns about them, or sends `least` in their place. */
  | { readonly does: "refuses" | "warns" | "raises"; readonly least: number }
  /** It refuses hardware versions without an ESXi release. */
  | { readonly does: "refuses"; readonly versions: readonly number[] }
  | { readonly does: "refuses"; readonly with: Part }
  | { readonly does: "refuses" | "ignores"; readonly without: Part }
  | { readonly does: "ignores"; readonly of: readonly Origin[] }
);

interface Stated {
  /** The settings, which get the values that are sent. */
  readonly settings: Record<SettingName, Setting<unknown>>;
  readonly board: Board | undefined;
  readonly origin: Origin;
  /** Why the value of an ignored argument is unknown. */
  readonly reason: string;
  readonly range: Range;
  readonly argumentOf: (part: Part) => string | undefined;
}

/** Gives the settings the values that a generator sends, and returns the arguments that it treats otherwise. */
export function treated({ name: by, treats = [] }: GeneratorRecord, stated: Stated): readonly DroppedArgument[] {
  const { settings, board = {}, range, argumentOf } = stated;
  const of = (part: Part): Setting<unknown> => ({ ...board, ...settings })[part as SettingName] ?? ABSENT;
  return treats.flatMap((treatment): readonly DroppedArgument[] => {
    const { part } = treatment;
    const [setting, argument = part] = [of(part), argumentOf(part)];
    const because = reasonFor(treatment, setting, { ...stated, of });
    if (!because) return [];
    const { sent, ...reason } = because;
    if (part in settings && sent) settings[part as SettingName] = sent;
    const at = setting.state === "absent" ? range : setting.range;
    return [{ argument, value: String(valueIfKnown(setting) ?? ""), range: at, because: { by, ...reason } }];
  });
}

/** Whether it treats a part of the mainboard. */
export const treatsBoard = ({ treats = [] }: GeneratorRecord): boolean => treats.some(({ part }) => part in PARTS);

/** Whether a generator leaves out a part of the mainboard. */
export const leavesOut = ({ treats = [] }: GeneratorRecord, part: Part, origin: Origin): boolean =>
  treats.some((one) => one.part === part && "of" in one && one.of.includes(origin));

type Reason = Omit<TreatedArgument, "by"> & { readonly sent?: Setting<unknown> };

function reasonFor(
  treatment: Treatment,
  setting: Setting<unknown>,
  { origin, reason, argumentOf, of }: Stated & { readonly of: (part: Part) => Setting<unknown> },
): Reason | undefined {
  if (treatment.does === "requires") return setting.state === "absent" ? { message: "missing" } : undefined;
  if (setting.state !== "known") return undefined;
  const { value, range } = setting;
  if ("least" in treatment) {
    const { least, does } = treatment;
    if (typeof value !== "number" || value >= least) return undefined;
    if (does === "raises") return { message: "raised", least, sent: { ...setting, value: least } };
    return { message: does === "warns" ? "warned" : "low", least };
  }
  if (value === false || value === 0) return undefined;
  if ("versions" in treatment) return treatment.versions.includes(value as number) ? { message: "noVersion" } : undefined;
  if ("with" in treatment) {
    const other = of(treatment.with);
    const isSet = other.state === "known" && other.value !== false && other.value !== 0;
    return isSet ? { message: "together", other: argumentOf(treatment.with) ?? treatment.with } : undefined;
  }
  const sent = origin === "new" ? ABSENT : unknown(reason, range);
  if ("without" in treatment) {
    const other = of(treatment.without);
    const isAlone = other.state === "absent" || valueIfKnown(other) === "auto";
    if (!isAlone) return undefined;
    const argument = argumentOf(treatment.without) ?? treatment.without;
    return treatment.does === "ignores" ? { message: "alone", other: argument, sent } : { message: "incomplete", other: argument };
  }
  if (!treatment.of.includes(origin)) return undefined;
  return { message: origin === "clone" ? "ofTemplate" : "ofExisting", sent };
}
