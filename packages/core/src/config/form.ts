import type * as z from "zod/mini";
import { addTo } from "../model/maps.ts";
import { didYouMean, misspelling } from "../model/nearest.ts";
import { PRESETS } from "../rules/preset-names.ts";
import { extendedIn, MOST_ALTERNATIVES } from "./globs.ts";
import type { WrongPart } from "./mistakes.ts";
import { assumedSettings, configSchema, host, override, type RawConfig, ROOT, suppression, workload } from "./schema.ts";

const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(configSchema.shape),
  hosts: Object.keys(host.shape),
  workload: Object.keys(workload.shape),
  suppress: Object.keys(suppression.shape),
  overrides: Object.keys(override.shape),
  templates: Object.keys(assumedSettings.shape),
  assume: Object.keys(assumedSettings.shape),
};

const TYPES: Readonly<Record<string, string>> = {
  object: "a mapping",
  record: "a mapping",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

const EXTENDABLE = `${PRESETS.join(", ")}, ${ROOT}, or a file such as ./base.yaml`;

/** A part of a configuration that has the wrong type. */
interface FormError extends WrongPart {
  readonly at: readonly PropertyKey[];
  /** Whether the key is wrong, not its value. */
  readonly isKey: boolean;
}

/** Each error takes a search for its position and for similar words. Beyond, a configuration is of no use. */
const MOST_WRONG = 200;

/** Returns the valid parts of a configuration, and the type errors: nothing valid if there are very many. */
export function formOf(plain: unknown): { readonly raw: RawConfig; readonly wrong: readonly FormError[] } {
  const parsed = configSchema.safeParse(plain ?? {});
  if (parsed.success) return { raw: parsed.data, wrong: [] };
  const { issues } = parsed.error;
  const wrong = issues.slice(0, MOST_WRONG).flatMap((issue) => explain(issue, isThere(plain, issue.path), valueAt(plain, issue.path)));
  if (issues.length > MOST_WRONG || wrong.length > MOST_WRONG) {
    const message = `A configuration with more than ${MOST_WRONG} mistakes is not read.`;
    return { raw: {}, wrong: [...wrong.slice(0, MOST_WRONG), { at: [], isKey: false, message }] };
  }
  const rest = withoutParts(
    plain,
    wrong.map(({ at }) => at),
  );
  return { raw: configSchema.safeParse(rest).data ?? {}, wrong };
}

/** Whether the configuration has a value at a path. */
function isThere(plain: unknown, at: readonly PropertyKey[]): boolean {
  let value = plain;
  for (const key of at) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return true;
}

/** Returns a value without some parts. A list that loses an item is dropped whole, so that indexes stay valid. */
function withoutParts(value: unknown, parts: readonly (readonly PropertyKey[])[]): unknown {
  if (typeof value !== "object" || value === null || parts.some(([key]) => key === undefined)) return undefined;
  const pathsByKey = new Map<string, (readonly PropertyKey[])[]>();
  for (const [key, ...rest] of parts) addTo(pathsByKey, String(key), rest);
  const remaining = Object.entries(value).map(([key, part]) => {
    const removed = pathsByKey.get(key);
    return [key, removed ? withoutParts(part, removed) : part] as const;
  });
  if (!Array.isArray(value)) return Object.fromEntries(remaining.filter(([, part]) => part !== undefined));
  return remaining.some(([, part]) => part === undefined) ? undefined : remaining.map(([, part]) => part);
}

const valueAt = (plain: unknown, at: readonly PropertyKey[]): unknown =>
  at.reduce<unknown>((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key], plain);

/** YAML keys that authors do not see as keys. */
const FOREIGN = [
  { sign: /^<<$/, message: "vmlint does not merge <<: write the settings out, or share them with extends:." },
  { sign: /^\/[/*]/, message: "This is not a comment: JSON has no comments, and YAML comments start with #." },
];

/** Returns a sentence for each error. */
function explain(issue: z.core.$ZodIssue, isThere: boolean, value: unknown): readonly FormError[] {
  const { path } = issue;
  const place = path.map(String).join(".");
  // A missing key is reported at its parent.
  const at = isThere ? path : path.slice(0, -1);
  const error = (message: string): readonly FormError[] => [{ at, isKey: !isThere, message }];
  const noneOf = (allowed: string, names: readonly string[]): readonly FormError[] => {
    const misspelt = misspelling(value, names);
    return [{ at, isKey: !isThere, message: `${place} must be one of ${allowed}.${didYouMean(misspelt)}`, misspelt }];
  };
  // Zod reports the errors of an arbitrary member of a union, so these are replaced.
  if (path[0] === "extends" && path.length === 2) return noneOf(EXTENDABLE, [...PRESETS, ROOT]);
  switch (issue.code) {
    case "invalid_union":
      return explainUnion(issue, value, error);
    case "unrecognized_keys": {
      const section = path.includes("workload") ? "workload" : String(path[0] ?? "");
      return issue.keys.slice(0, MOST_WRONG + 1).map((key) => {
        const foreign = FOREIGN.find(({ sign }) => sign.test(key))?.message;
        const misspelt = foreign === undefined ? misspelling(key, KEYS[section] ?? []) : undefined;
        const message = foreign ?? `There is no setting "${place ? `${place}.` : ""}${key}".${didYouMean(misspelt)}`;
        return { at: [...path, key], isKey: true, message, misspelt };
      });
    }
    case "invalid_value":
      return noneOf(issue.values.join(", "), issue.values.map(String));
    case "invalid_type":
      // All other lists only accept objects, so one text in brackets would not help.
      if (issue.expected === "array" && typeof value === "string" && !Object.hasOwn(KEYS, place))
        return error(`${place} must be a list: write ${JSON.stringify([value])}.`);
      return error(isThere ? `${place || "A configuration"} must be ${TYPES[issue.expected] ?? issue.expected}.` : `${place} is missing.`);
    case "too_small":
      if (path.at(-1) === "nps" && value === 0)
        return error(`${place} must be more than 0: write numaNodes: 1 for one node over all sockets.`);
      return error(`${place} must be ${issue.inclusive ? "0 or more" : "more than 0"}.`);
    case "too_big":
      return error(
        issue.origin === "string"
          ? `${place} is longer than the ${issue.maximum} characters that a pattern may have.`
          : `${place} must be ${issue.maximum} or less.`,
      );
    case "invalid_format":
      return error(`${place} must be a disk such as scsi1:0.`);
    case "custom": {
      const extended = extendedIn(String(value));
      if (extended !== undefined)
        return error(`${place} has ${extended}, which no pattern means: write {a,b}, several patterns, or \\( for a parenthesis.`);
      return error(`${place} expands to more than ${MOST_ALTERNATIVES} patterns: write several patterns with fewer braces.`);
    }
    default:
      return error(`${place} is not valid.`);
  }
}

/** Explains a value that may be settings, a number, a word or the name of a file. */
function explainUnion(
  { path, errors }: z.core.$ZodIssueInvalidUnion,
  value: unknown,
  error: (message: string) => readonly FormError[],
): readonly FormError[] {
  const place = path.map(String).join(".");
  if (path[0] === "templates" && path.length === 2) {
    if (typeof value !== "object" || value === null) return error(`${place} must be settings, or a file with the template.`);
    const inSettings = errors.at(-1) ?? [];
    return inSettings.flatMap((issue) => explain({ ...issue, path: [...path, ...issue.path] }, true, valueAt(value, issue.path)));
  }
  const name = path.at(-1);
  return error(`${place} must be ${name === "coresPerSocket" ? "a whole number of 1 or more, or auto" : "a whole number, or unlimited"}.`);
}
