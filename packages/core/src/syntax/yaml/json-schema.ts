import { isMap, isScalar } from "yaml";
import { isBeingWritten } from "./cursor-place.ts";

/** The parts of JSON Schema that vmlint's schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
}

/** One alternative of a value: a schema without references and alternatives. */
export interface SchemaPart {
  readonly schema: JsonSchema;
  /** The name of its definition, if it has one. */
  readonly definition: string | undefined;
}

/** Returns the alternatives of a value that agree with the present keys of the mapping. */
export function partsOf(root: JsonSchema, schema: JsonSchema, node?: unknown, definition?: string): readonly SchemaPart[] {
  if (schema.$ref !== undefined) {
    const { $ref, ...ownSchema } = schema;
    const name = $ref.replace(/^#\/\$defs\//, "");
    return partsOf(root, { ...root.$defs?.[name], ...ownSchema }, node, name);
  }
  if (schema.anyOf) return schema.anyOf.flatMap((option) => partsOf(root, describedAs(schema, option), node, definition));
  return contradicts(schema, node) ? [] : [{ schema, definition }];
}

const describedAs = ({ description }: JsonSchema, option: JsonSchema): JsonSchema =>
  description === undefined || option.description !== undefined ? option : { ...option, description };

/** `kind: VirtualMachineList` is not a VirtualMachine. */
function contradicts({ properties = {} }: JsonSchema, node: unknown): boolean {
  if (!isMap(node)) return false;
  return node.items.some(({ key, value }) => {
    const constant = isScalar(key) ? ownOf(properties, key.value)?.const : undefined;
    return constant !== undefined && isScalar(value) && value.value !== constant && value.value !== null && !isBeingWritten(value);
  });
}

/** Returns the alternatives of the value of a key, or of a list item. */
export function partsBelow(root: JsonSchema, parts: readonly SchemaPart[], key: unknown, node?: unknown): readonly SchemaPart[] {
  return parts.flatMap(({ schema: { properties = {}, additionalProperties, items } }) => {
    const other = typeof additionalProperties === "object" ? additionalProperties : undefined;
    const below = typeof key === "number" ? items : (ownOf(properties, key) ?? other);
    return below ? partsOf(root, below, node) : [];
  });
}

const ownOf = (properties: Readonly<Record<string, JsonSchema>>, key: unknown): JsonSchema | undefined =>
  Object.hasOwn(properties, String(key)) ? properties[String(key)] : undefined;

/** Returns the possible values if they are listed; for a number that may also be text, the number. */
export function valuesOf({ enum: listed, const: only, type }: JsonSchema): readonly (string | number | boolean)[] {
  if (only !== undefined) return [only as string];
  if (type === "boolean") return [true, false];
  const values = (listed ?? []) as readonly (string | number)[];
  return values.filter((value) => typeof value === "number" || !values.includes(Number(value)));
}

export const isObject = ({ type }: JsonSchema): boolean => type === "object";

const TYPES: Readonly<Record<string, string>> = {
  object: "mapping",
  array: "list",
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
};

/** Returns the type of a value in a word or two. */
export const typeOf = ({ type = [] }: JsonSchema): string =>
  [type]
    .flat()
    .map((name) => TYPES[name] ?? name)
    .join(" or ");
