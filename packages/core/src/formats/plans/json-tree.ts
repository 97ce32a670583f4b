import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { Range } from "../../model/source.ts";
import { type JsonValue, languageValue, readJsonValues } from "../../syntax/hcl/json-values.ts";
import { isMapping, nullValue, objectValue, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import type { InstanceBlocks, ResourceInstance } from "../hcl/resource-instance.ts";

/** A value of a JSON file; a missing value has no node. */
export interface Json {
  readonly node: JsonValue | undefined;
  readonly file: SourceFile;
}

/** Reads a file; the first error if it is not JSON. */
export function readJson(file: SourceFile): Json | Problem {
  const {
    value,
    errors: [error],
  } = readJsonValues(file.text);
  if (!error) return { node: value, file };
  return { ruleId: "spec/syntax", messageId: "syntax", data: { message: error.message }, range: rangeIn(file, error.range) };
}

/** Returns a missing value. */
export const nothingIn = ({ file }: Json): Json => ({ node: undefined, file });

export const get = ({ node, file }: Json, key: string): Json => ({
  node: node?.kind === "object" ? node.members.findLast(({ name }) => name.value === key)?.value : undefined,
  file,
});

export const entriesOf = ({ node, file }: Json): readonly (readonly [string, Json])[] =>
  node?.kind === "object" ? node.members.map(({ name, value }) => [name.value, { node: value, file }] as const) : [];

export const itemsOf = ({ node, file }: Json): readonly Json[] =>
  node?.kind === "array" ? node.items.map((item) => ({ node: item, file })) : [];

export const textOf = ({ node }: Json): string | undefined => (node?.kind === "string" ? node.value : undefined);

const scalarOf = ({ node }: Json): string | undefined => (node?.kind === "scalar" ? node.text : undefined);

export function numberOf(json: Json): number | undefined {
  const text = scalarOf(json);
  return text === undefined || /^[tfn]/.test(text) ? undefined : Number(text);
}

export const isTrue = (json: Json): boolean => scalarOf(json) === "true";

export const isThere = (json: Json): boolean => json.node !== undefined && scalarOf(json) !== "null";

/** Returns the range in the joined files; the beginning of the file for a missing value. */
export function rangeOf({ node, file }: Json): Range {
  const { start, end } = node ?? { start: 0, end: 0 };
  return [start + file.start, end + file.start];
}

/** Converts JSON to a value of the Terraform language. */
export const valueAt = ({ node, file }: Json): Value => (node ? languageValue(node, file) : nullValue());

const LATER = "it is known after apply";

/** Returns the value with its unknown members, which a plan omits from maps (Terraform, jsonplan.omitUnknowns). */
function valueWith(json: Json, later: Json): Value {
  if (isTrue(later) && !isThere(json)) return unknownValue(LATER);
  const value = valueAt(json);
  const open = entriesOf(later);
  if (open.length === 0 || !isMapping(value)) return value;
  const added = open.map(([key, inner]) => [key, valueWith(get(json, key), inner)] as const);
  return withTrace(objectValue([...value.entries, ...added], value.keys), value.trace);
}

/** Returns the attributes of a resource like a block. `later` has the unknown values, and `isLeftOut` finds arguments that are not set. */
export function writtenJson(
  values: Json,
  later: Json,
  range: Range,
  isLeftOut: (argument: string) => boolean = () => false,
): ResourceInstance {
  return {
    range,
    written: () =>
      entriesOf(values).flatMap(([name, value]) =>
        textOf(value) !== undefined || scalarOf(value) !== undefined ? { name, range: rangeOf(value) } : [],
      ),
    get(argument) {
      const value = get(values, argument);
      return isLeftOut(argument) ? valueAt(value) : valueWith(value, get(later, argument));
    },
    blocks(type): InstanceBlocks {
      const open = get(later, type);
      if (isTrue(open)) return { items: [], missing: LATER };
      const opens = itemsOf(open);
      const items = itemsOf(get(values, type)).map((item, at) => writtenJson(item, opens[at] ?? nothingIn(item), rangeOf(item)));
      return { items, missing: undefined };
    },
  };
}
