import { readFileSync } from "node:fs";
import { type Rule, rules, type Severity, VERSION } from "@vmlint/core";
import { configSchema } from "@vmlint/core/config-schema";
import { lintExample, pageOf } from "@vmlint/core/docs";
import { outputSchema } from "@vmlint/core/output-schema";
import { OPTIONS } from "../../packages/cli/src/args/options.ts";
import type { Schema } from "./schema-tables.ts";

/** The names and fields of a release that programs use. */
export interface ReleaseRecord {
  readonly version: string;
  /** The rules: each with its messages and their severities. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, Severity>>>>;
  /** The keys of the data of findings, each after its rule and message: `numa/wide-uneven odd nodes[]`. */
  readonly data: readonly string[];
  /** The public names, each after its entry: `@vmlint/core/size fits`. */
  readonly names: readonly string[];
  readonly options: readonly string[];
  /** The fields of --format json, each with its types: `diagnostics[].path`. */
  readonly json: Readonly<Record<string, string>>;
  /** The keys of vmlint.yaml, each with its types. `*` stands for any key. */
  readonly configuration: Readonly<Record<string, string>>;
}

type RecordedRule = Pick<Rule, "id" | "severity" | "severities" | "messageIds" | "history" | "since">;

const messagesOf = ({ messageIds, severity, severities = {} }: RecordedRule): Readonly<Record<string, Severity>> =>
  Object.fromEntries(messageIds.map((messageId) => [messageId, severities[messageId] ?? severity]));

export const rulesRecord = (list: readonly RecordedRule[]): ReleaseRecord["rules"] =>
  Object.fromEntries(list.map((rule) => [rule.id, messagesOf(rule)]));

/** The record of these sources. */
export async function current(): Promise<ReleaseRecord> {
  return {
    version: VERSION,
    rules: rulesRecord(rules),
    data: await dataOf(rules),
    names: publicNames(readFileSync("packages/core/api.txt", "utf8")),
    options: Object.keys(OPTIONS).sort(),
    json: fieldsOf(outputSchema),
    configuration: fieldsOf(configSchema),
  };
}

/** The keys of data in the findings of rules for their own examples, which have every message. */
async function dataOf(list: readonly Rule[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const rule of list)
    for (const example of pageOf(rule).bad)
      for (const { messageId, data } of await lintExample(rule, example))
        for (const key of keysOf(data)) found.add(`${rule.id} ${messageId} ${key}`);
  return [...found].sort();
}

/** Every key of a value, each with its path: `nodes[].id`. */
export function keysOf(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return [`${path}[]`, ...value.flatMap((item) => keysOf(item, `${path}[]`))];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const own = path === "" ? key : `${path}.${key}`;
    return [own, ...keysOf(item, own)];
  });
}

function publicNames(api: string): readonly string[] {
  return api.split("\n\n").flatMap((part) => {
    const [entry = "", ...names] = part.trimEnd().split("\n");
    return names.map((line) => `${entry} ${line.trim().split(":")[0]}`);
  });
}

/** Each field that a JSON Schema describes, with its types. */
export function fieldsOf(root: unknown): Readonly<Record<string, string>> {
  const { $defs = {} } = root as Schema;
  const types = new Map<string, Set<string>>();
  const visit = (path: string, schema: Schema): void => {
    const named = $defs[schema.$ref?.replace("#/$defs/", "") ?? ""];
    if (named) visit(path, named);
    for (const choice of schema.anyOf ?? []) visit(path, choice);
    const own = [schema.type ?? ("const" in schema ? typeof schema.const : [])].flat();
    if (path !== "") for (const type of own) types.set(path, (types.get(path) ?? new Set()).add(type));
    for (const [key, field] of Object.entries(schema.properties ?? {})) visit(path === "" ? key : `${path}.${key}`, field);
    if (typeof schema.additionalProperties === "object") visit(path === "" ? "*" : `${path}.*`, schema.additionalProperties);
    for (const item of [schema.items, ...(schema.prefixItems ?? [])]) if (item) visit(`${path}[]`, item);
  };
  visit("", root as Schema);
  return Object.fromEntries([...types].map(([path, set]) => [path, [...set].sort().join(" | ")] as const).sort());
}

/** Returns the changes since a release that are missing from the changelog above that release or from a rule's history. */
export function unannounced(
  released: ReleaseRecord,
  now: Omit<ReleaseRecord, "rules"> & { readonly rules: readonly RecordedRule[] },
  changelog: string,
): readonly string[] {
  const { version } = released;
  const heading = changelog.indexOf(`\n## ${version}\n`);
  const news = heading < 0 ? changelog : changelog.slice(0, heading);
  const problems: string[] = [];
  const mustSay = (name: string, change: string) => {
    if (!news.includes(`\`${name}\``)) problems.push(`${change}: the changelog above ${version} does not name \`${name}\``);
  };
  for (const [id, before] of Object.entries(released.rules)) {
    const rule = now.rules.find((candidate) => candidate.id === id);
    if (!rule) {
      mustSay(id, `${id} is gone`);
      continue;
    }
    const messages = messagesOf(rule);
    for (const [messageId, severity] of Object.entries(before)) {
      const changed = messages[messageId];
      if (changed === undefined) mustSay(id, `message ${messageId} of ${id} is gone`);
      else if (changed !== severity) {
        mustSay(id, `${messageId} of ${id} was ${severity} and is ${changed}`);
        const isInHistory = rule.history?.some(
          (entry) => entry.until === version && entry.severity === severity && (entry.messageId ?? messageId) === messageId,
        );
        if (!isInHistory) problems.push(`${messageId} of ${id} was ${severity} until ${version}: its history does not say so`);
      }
    }
  }
  for (const name of released.data) {
    const [id = "", messageId = "", key] = name.split(" ");
    const hasMessage = now.rules.some((rule) => rule.id === id && rule.messageIds.includes(messageId));
    if (hasMessage && !now.data.includes(name)) mustSay(id, `${key} in the data of ${messageId} of ${id} is gone`);
  }
  for (const name of released.names) if (!now.names.includes(name)) mustSay(name, `${name} is gone`);
  for (const name of released.options) if (!now.options.includes(name)) mustSay(`--${name}`, `--${name} is gone`);
  for (const [path, type] of Object.entries(released.json)) {
    const changed = now.json[path];
    // An object that is gone takes its fields with it.
    const object = path.split(/(?=\.|\[\])/)[0] ?? path;
    if (changed === undefined) mustSay(object in released.json && !(object in now.json) ? object : path, `the JSON field ${path} is gone`);
    else if (changed !== type) mustSay(path, `the JSON field ${path} was ${type} and is ${changed}`);
  }
  for (const [path, type] of Object.entries(released.configuration)) {
    const changed = now.configuration[path];
    if (changed === undefined) mustSay(path, `the key ${path} of vmlint.yaml is gone`);
    // A file that was valid stays valid if the key takes more than before.
    else if (!type.split(" | ").every((part) => changed.split(" | ").includes(part)))
      mustSay(path, `the key ${path} of vmlint.yaml took ${type} and takes ${changed}`);
  }
  return problems;
}
