import type { Expression } from "./ast.ts";
import { parseReal, realText } from "./real.ts";
import type { AttributeType, Type } from "./value.ts";
import {
  boolValue,
  failed,
  failure,
  isMapping,
  isSequence,
  loosened,
  mappingValue,
  type Null,
  nullValue,
  numberValue,
  sequenceValue,
  setValue,
  stringValue,
  type Unknown,
  unknownValue,
  type Value,
  withTrace,
} from "./value.ts";
import { ANY, BOOL, hasAny, listOf, mapOf, NUMBER, neverConverts, STRING, setOf, typeOf, unify } from "./value-type.ts";

/**
 * Converts a value as Terraform does for a type constraint (Terraform, expressions/types, "Type Conversion"). Returns a failure if
 * Terraform refuses, and unknown if the result is uncertain. The trace stays.
 */
export function convert(value: Value, type: Type): Value {
  const converted = conversion(value, type);
  return converted.trace.length > 0 ? converted : withTrace(converted, value.trace);
}

function conversion(value: Value, type: Type): Value {
  if (value.kind === "unknown") return value;
  switch (type.kind) {
    case "any":
    case "none":
      return value;
    case "unsure":
      return loosened(value);
    case "string":
    case "number":
    case "bool":
      return value.kind === "null" ? typedNull(value, type) : toScalar(value, type.kind);
  }
  if (value.kind === "null") return typedNull(value, type);
  switch (type.kind) {
    case "list":
    case "set":
      return isSequence(value) ? toElements(value, type.kind, type.of) : failure(`a ${type.kind} is needed`);
    case "map":
      return isMapping(value) ? toMap(value, type.of) : failure("a map is needed");
    case "tuple":
      return isSequence(value) ? toTuple(value, type.items) : failure("a tuple is needed");
    case "object":
      return isMapping(value) ? toObject(value, type.attributes) : failure("an object is needed");
  }
}

const typedNull = (value: Null, type: Type): Value =>
  value.type && neverConverts(value.type, type) ? failure(`a ${type.kind} is needed`) : withTrace(nullValue(type), value.trace);

function toScalar(value: Value, kind: "string" | "number" | "bool"): Value {
  if (value.kind === kind) return value.kind === "string" || !value.loose ? value : { ...value, loose: false };
  if (kind === "string" && value.kind === "number") return stringValue(realText(value.value));
  if (kind === "string" && value.kind === "bool") return stringValue(String(value.value));
  if (kind === "number" && value.kind === "string") return textToNumber(value.value);
  if (kind === "bool" && value.kind === "string") return textToBool(value.value);
  return failure(`a ${kind} is needed`);
}

/** Text that clearly is or is not a decimal number; for other notations only Go's own parser is certain. */
export function textToNumber(text: string): Value {
  const number = /^-0*\.?0*$/.test(text) ? undefined : parseReal(text);
  if (number !== undefined) return numberValue(number);
  return /\d/.test(text) || /^[+-]?inf/i.test(text) ? unsureNumber(text) : failure(`"${clipped(text)}" is not a number`);
}

const unsureNumber = (text: string): Value =>
  /^[+-]?\d*\.?\d*([eE][+-]?\d+)?$/.test(text) || /inf/i.test(text)
    ? { ...unknownValue(`the number "${clipped(text)}" is too large to follow`), number: text }
    : failure(`"${clipped(text)}" is not a number`);

const clipped = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);

function textToBool(text: string): Value {
  if (text === "true" || text === "1") return boolValue(true);
  if (text === "false" || text === "0") return boolValue(false);
  return failure(`"${clipped(text)}" is not a bool`);
}

type SequenceValue = Extract<Value, { kind: "tuple" | "list" | "set" }>;
type MappingValue = Extract<Value, { kind: "object" | "map" }>;

const NO_COMMON_TYPE = "its elements are of types that do not go together";

function toElements(value: SequenceValue, kind: "list" | "set", of: Type): Value {
  if (kind === "list" && !value.ordered) return unknownValue("the order of a set of objects is Terraform's own");
  const elements = elementsOf(value, value.items, of);
  if (!("type" in elements)) return elements;
  const { items, type } = elements;
  return kind === "list" ? sequenceValue("list", items, type) : setValue(items, type);
}

function toMap(value: MappingValue, of: Type): Value {
  const elements = elementsOf(value, [...value.entries.values()], of);
  if (!("type" in elements)) return elements;
  const { items, type } = elements;
  const entries = [...value.entries.keys()].map((key, at) => [key, items[at] ?? nullValue()] as const);
  return mappingValue("map", entries, type, value.keys);
}

/** Converts the elements to one type; with `any` in it, the elements are unified again (go-cty, conversionUnifyCollectionElements). */
function elementsOf(
  value: SequenceValue | MappingValue,
  items: readonly Value[],
  of: Type,
): { readonly items: readonly Value[]; readonly type: Type } | Unknown {
  if (items.length === 0 && value.of && neverConverts(value.of, of)) return failure(`elements that are a ${of.kind} are needed`);
  const converted = items.map((item) => convert(item, of));
  const refused = failed(converted);
  if (refused) return refused;
  if (!hasAny(of)) return { items: converted, type: of };
  const declared = of.kind === "any" ? value.of : undefined;
  const type = declared ?? (items.length > 0 || of.kind === "any" ? unify(converted.map(typeOf), "beside scalars") : of);
  if (!type) return unknownValue(NO_COMMON_TYPE);
  const alike = converted.map((item) => convert(item, type));
  return failed(alike) ?? { items: alike, type };
}

function toTuple(value: SequenceValue, types: readonly Type[]): Value {
  if (!value.ordered) return unknownValue("the order of a set of objects is Terraform's own");
  if (value.items.length !== types.length) return failure(`a tuple of ${types.length} elements is needed`);
  const items = value.items.map((item, at) => convert(item, types[at] ?? ANY));
  return failed(items) ?? sequenceValue("tuple", items);
}

/** Drops attributes that the object type does not have; optional attributes that are missing or null get their default. */
function toObject(value: MappingValue, attributes: ReadonlyMap<string, AttributeType>): Value {
  const entries: [string, Value][] = [];
  for (const [name, { type, optional, fallback }] of attributes) {
    const attribute = value.entries.get(name);
    if (attribute === undefined && !optional) return failure(`attribute "${name}" is required`);
    const chosen = fallback !== undefined && (attribute === undefined || attribute.kind === "null") ? fallback : (attribute ?? nullValue());
    entries.push([name, convert(chosen, type)]);
  }
  return failed(entries.map(([, item]) => item)) ?? mappingValue("object", entries, undefined, value.keys);
}

/** Old notations: bare `list`, `map` and `set` accept any element type. */
const NAMED: { readonly [name: string]: Type } = {
  string: STRING,
  number: NUMBER,
  bool: BOOL,
  any: ANY,
  list: listOf(ANY),
  map: mapOf(ANY),
  set: setOf(ANY),
};

/** Reads a type constraint (Terraform, expressions/type-constraints); `undefined` if it is invalid. */
export function readType(expression: Expression, evaluated: (fallback: Expression) => Value, depth = 0): Type | undefined {
  if (depth > 30) return undefined;
  const read = (inner: Expression | undefined) => inner && readType(inner, evaluated, depth + 1);
  if (expression.kind === "parentheses") return read(expression.inner);
  if (expression.kind === "variable") return Object.hasOwn(NAMED, expression.name) ? NAMED[expression.name] : undefined;
  if (expression.kind !== "call") return undefined;
  const [argument] = expression.args;
  if (!argument || expression.args.length !== 1) return undefined;
  if (expression.name === "tuple" && argument.kind === "tuple") {
    const items = argument.items.flatMap((item) => read(item) ?? []);
    return items.length === argument.items.length ? { kind: "tuple", items } : undefined;
  }
  if (expression.name === "object" && argument.kind === "object") return readObject(argument, evaluated, depth);
  const of = read(argument);
  if (!of) return undefined;
  const kinds: { readonly [name: string]: (type: Type) => Type } = { list: listOf, set: setOf, map: mapOf };
  return Object.hasOwn(kinds, expression.name) ? kinds[expression.name]?.(of) : undefined;
}

function readObject(object: Extract<Expression, { kind: "object" }>, evaluated: (fallback: Expression) => Value, depth: number) {
  const attributes = new Map<string, AttributeType>();
  for (const { key, value } of object.items) {
    const name = literalText(key);
    if (name === undefined) return undefined;
    const optional = value.kind === "call" && value.name === "optional";
    const [inner, fallback] = optional ? value.args : [value];
    const type = inner && readType(inner, evaluated, depth + 1);
    if (!type) return undefined;
    attributes.set(name, { type, optional, fallback: fallback && convert(evaluated(fallback), type) });
  }
  return { kind: "object", attributes } as const;
}

/** Returns the text of a string without interpolation. */
export function literalText(expression: Expression): string | undefined {
  if (expression.kind === "variable") return expression.name;
  if (expression.kind !== "template") return undefined;
  const texts = expression.parts.flatMap((part) => (part.kind === "text" ? part.value : []));
  return texts.length === expression.parts.length ? texts.join("") : undefined;
}
