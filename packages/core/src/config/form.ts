import type * as z from "zod/mini";
import { addTo } from "../model/maps.ts";
import { nearest } from "../model/nearest.ts";
import { PRESETS } from "../rules/preset-names.ts";
import { MOST_ALTERNATIVES } from "./globs.ts";
import { configSchema, host, override, type RawConfig, ROOT, suppression, workload } from "./schema.ts";

const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(configSchema.shape),
  hosts: Object.keys(host.shape),
  workload: Object.keys(workload.shape),
  suppress: Object.keys(suppression.shape),
  overrides: Object.keys(override.shape),
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

/** A part of a configuration whose form is wrong. */
export interface Wrong {
  readonly at: readonly PropertyKey[];
  /** Whether it is the key that is wrong, and not what it is worth. */
  readonly isKey: boolean;
  readonly message: string;
}

/** What a configuration says, and all that is wrong with its form. */
export function formOf(plain: unknown): { readonly raw: RawConfig; readonly wrong: readonly Wrong[] } {
  const parsed = configSchema.safeParse(plain ?? {});
  if (parsed.success) return { raw: parsed.data, wrong: [] };
  const wrong = parsed.error.issues.flatMap((issue) => explain(issue, isThere(plain, issue.path), valueAt(plain, issue.path)));
  const rest = without(
    plain,
    wrong.map(({ at }) => at),
  );
  return { raw: configSchema.safeParse(rest).data ?? {}, wrong };
}

/** Whether something is written at a place. */
function isThere(plain: unknown, at: readonly PropertyKey[]): boolean {
  let value = plain;
  for (const key of at) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return true;
}

/** A value without some of its parts. A list of which an item goes, goes as a whole: what stays has its place. */
function without(value: unknown, parts: readonly (readonly PropertyKey[])[]): unknown {
  if (typeof value !== "object" || value === null || parts.some(([key]) => key === undefined)) return undefined;
  const within = new Map<string, (readonly PropertyKey[])[]>();
  for (const [key, ...below] of parts) addTo(within, String(key), below);
  const left = Object.entries(value).map(([key, part]) => {
    const gone = within.get(key);
    return [key, gone ? without(part, gone) : part] as const;
  });
  if (!Array.isArray(value)) return Object.fromEntries(left.filter(([, part]) => part !== undefined));
  return left.some(([, part]) => part === undefined) ? undefined : left.map(([, part]) => part);
}

const valueAt = (plain: unknown, at: readonly PropertyKey[]): unknown =>
  at.reduce<unknown>((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key], plain);

/** What YAML takes for a key, and its author does not. */
const FOREIGN = [
  { sign: /^<<$/, message: "<< is not read as a merge: write the settings out, or share them by extends:." },
  { sign: /^\/[/*]/, message: "This is not a comment: JSON has no comments, and YAML comments start with #." },
];

/** What is wrong, in a sentence each. */
function explain(issue: z.core.$ZodIssue, isThere: boolean, value: unknown): readonly Wrong[] {
  const { path } = issue;
  const where = path.map(String).join(".");
  // What is missing is wrong with what it is missing in.
  const at = isThere ? path : path.slice(0, -1);
  const one = (message: string): readonly Wrong[] => [{ at, isKey: !isThere, message }];
  // One of a union: which of its parts zod complains about is its own affair.
  const near = (words: readonly string[]): string => (typeof value === "string" && /[a-z]/i.test(value) ? hint(value, words) : "");
  if (path[0] === "extends" && path.length === 2) return one(`${where} must be one of ${EXTENDABLE}.${near([...PRESETS, ROOT])}`);
  switch (issue.code) {
    case "unrecognized_keys": {
      const section = path.includes("workload") ? "workload" : String(path[0] ?? "");
      return issue.keys.map((key) => {
        const message =
          FOREIGN.find(({ sign }) => sign.test(key))?.message ??
          `There is no setting "${where ? `${where}.` : ""}${key}".${hint(key, KEYS[section] ?? [])}`;
        return { at: [...path, key], isKey: true, message };
      });
    }
    case "invalid_value":
      return one(`${where} must be one of ${issue.values.join(", ")}.${near(issue.values.map(String))}`);
    case "invalid_type":
      // Of the other lists text is no part.
      if (issue.expected === "array" && typeof value === "string" && !Object.hasOwn(KEYS, where))
        return one(`${where} must be a list: write ${JSON.stringify([value])}.`);
      return one(isThere ? `${where || "A configuration"} must be ${TYPES[issue.expected] ?? issue.expected}.` : `${where} is missing.`);
    case "too_small":
      if (path.at(-1) === "nps" && value === 0)
        return one(`${where} must be more than 0: write numaNodes: 1 for one node over all sockets.`);
      return one(`${where} must be ${issue.inclusive ? "0 or more" : "more than 0"}.`);
    case "too_big":
      return one(
        issue.origin === "string"
          ? `${where} is longer than the ${issue.maximum} characters that a pattern may have.`
          : `${where} must be ${issue.maximum} or less.`,
      );
    case "invalid_format":
      return one(`${where} must be a disk such as scsi1:0.`);
    case "custom":
      return one(`${where} stands for more than ${MOST_ALTERNATIVES} patterns by its braces: write several with fewer.`);
    default:
      return one(`${where} is not valid.`);
  }
}

/** A question to add to a sentence about a name that is not there. */
export const hint = (name: string, names: readonly string[]): string => {
  const near = nearest(name, names);
  return near ? ` Did you mean "${near}"?` : "";
};
