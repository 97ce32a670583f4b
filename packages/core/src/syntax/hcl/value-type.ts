import { sequence } from "../../model/sequence.ts";
import { type AttributeType, isCompound, type Type, type Value } from "./value.ts";

export const STRING: Type = { kind: "string" };
export const NUMBER: Type = { kind: "number" };
export const BOOL: Type = { kind: "bool" };
export const ANY: Type = { kind: "any" };
export const UNSURE: Type = { kind: "unsure" };
const NONE: Type = { kind: "none" };

export const listOf = (of: Type): Type => ({ kind: "list", of });
export const setOf = (of: Type): Type => ({ kind: "set", of });
export const mapOf = (of: Type): Type => ({ kind: "map", of });
const required = (type: Type): AttributeType => ({ type, optional: false, fallback: undefined });

/** Returns the type that a value shows. */
export function typeOf(value: Value): Type {
  switch (value.kind) {
    case "string":
      return STRING;
    case "number":
    case "bool":
      return value.loose ? UNSURE : { kind: value.kind };
    case "null":
      return value.type ?? NONE;
    case "tuple":
      return { kind: "tuple", items: value.items.map(typeOf) };
    case "object":
      return { kind: "object", attributes: new Map([...value.entries].map(([key, item]) => [key, required(typeOf(item))])) };
    case "list":
    case "set":
      return { kind: value.kind, of: value.of ?? element(value.items) };
    case "map":
      return { kind: "map", of: value.of ?? element([...value.entries.values()]) };
    default:
      return UNSURE;
  }
}

const element = (items: readonly Value[]): Type => (items.length === 0 ? UNSURE : (unify(items.map(typeOf)) ?? UNSURE));

/** Whether a type contains `any`, which takes the type of the value. */
export function hasAny(type: Type): boolean {
  if ("of" in type) return hasAny(type.of);
  if (type.kind === "tuple") return type.items.some(hasAny);
  return type.kind === "any" || (type.kind === "object" && [...type.attributes.values()].some((attribute) => hasAny(attribute.type)));
}

/**
 * The types that a literal `null` may combine with at any depth: inside of a list, set or map not with compound types, because it keeps its
 * own type there.
 */
type Nulls = "beside all" | "beside scalars";

/**
 * Returns the type that all of these convert to, as for the two results of a conditional or the elements of `tolist`; `undefined` if there
 * is none. Follows go-cty's convert.UnifyUnsafe, checked against Terraform itself.
 */
export function unify(types: readonly Type[], nulls: Nulls = "beside all"): Type | undefined {
  const present = types.filter(({ kind }) => kind !== "none");
  const type = unifySome(present, nulls);
  const hasParts = type !== undefined && ("of" in type || type.kind === "tuple" || type.kind === "object");
  return hasParts && present.length < types.length && nulls === "beside scalars" ? undefined : type;
}

function unifySome(present: readonly Type[], nulls: Nulls): Type | undefined {
  const [first] = present;
  if (!first) return NONE;
  const kinds = new Set(present.map(({ kind }) => kind));
  if (kinds.has("any")) return UNSURE;
  const unsure = kinds.delete("unsure");
  if (isSubset(kinds, ["string", "number", "bool"])) {
    if (kinds.has("string")) return STRING;
    if (kinds.size > 1) return undefined;
    return unsure || kinds.size === 0 ? UNSURE : first;
  }
  if (unsure) return isSubset(kinds, ["tuple", "list", "set"]) || isSubset(kinds, ["object", "map"]) ? UNSURE : undefined;
  if (isSubset(kinds, ["tuple", "list", "set"])) return unifySequences(present, kinds, nulls);
  if (isSubset(kinds, ["object", "map"])) return unifyMappings(present, kinds, nulls);
  return undefined;
}

const isSubset = (kinds: ReadonlySet<string>, of: readonly string[]): boolean => [...kinds].every((kind) => of.includes(kind));

function unifySequences(types: readonly Type[], kinds: ReadonlySet<string>, nulls: Nulls): Type | undefined {
  const tuples = types.flatMap((type) => (type.kind === "tuple" ? [type.items] : []));
  const length = tuples[0]?.length ?? 0;
  if (tuples.length === types.length && tuples.every((items) => items.length === length)) {
    const items = sequence(length, (at) =>
      unify(
        tuples.map((tuple) => tuple[at] ?? NONE),
        nulls,
      ),
    );
    const all = items.flatMap((type) => type ?? []);
    return all.length === length ? { kind: "tuple", items: all } : undefined;
  }
  // Terraform keeps a list there despite its type.
  if (kinds.has("set") && kinds.has("list")) return undefined;
  const inside = types.flatMap((type) => (type.kind === "tuple" ? type.items : "of" in type ? [type.of] : []));
  const [first, ...others] = inside;
  // With a tuple, it keeps the elements of the set unchanged.
  if (kinds.has("set") && kinds.has("tuple") && first && others.some((other) => sameType(first, other) !== true)) return undefined;
  const of = unify(inside, "beside scalars");
  return of && { kind: kinds.has("set") ? "set" : "list", of };
}

function unifyMappings(types: readonly Type[], kinds: ReadonlySet<string>, nulls: Nulls): Type | undefined {
  const objects = types.flatMap((type) => (type.kind === "object" ? [type.attributes] : []));
  const names = [...(objects[0]?.keys() ?? [])];
  const alike = objects.every((attributes) => attributes.size === names.length && names.every((name) => attributes.has(name)));
  if (!kinds.has("map") && alike) {
    const attributes = new Map<string, AttributeType>();
    for (const name of names) {
      const type = unify(
        objects.map((object) => object.get(name)?.type ?? NONE),
        nulls,
      );
      if (!type) return undefined;
      attributes.set(name, required(type));
    }
    return { kind: "object", attributes };
  }
  const inside = types.flatMap((type) =>
    type.kind === "object" ? [...type.attributes.values()].map((attribute) => attribute.type) : "of" in type ? [type.of] : [],
  );
  const of = unify(inside, "beside scalars");
  return of && mapOf(of);
}

const isVague = ({ kind }: Type): boolean => kind === "any" || kind === "unsure" || kind === "none";

/** Whether both types are the same; `undefined` if one is unknown. */
export function sameType(a: Type, b: Type): boolean | undefined {
  if (isVague(a) || isVague(b)) return undefined;
  if (a.kind !== b.kind) return false;
  if ("of" in a && "of" in b) return sameType(a.of, b.of);
  if (a.kind === "tuple" && b.kind === "tuple") {
    return a.items.length === b.items.length && every(a.items.map((item, at) => sameType(item, b.items[at] ?? NONE)));
  }
  if (a.kind === "object" && b.kind === "object") {
    if (a.attributes.size !== b.attributes.size) return false;
    return every([...a.attributes].map(([name, { type }]) => sameTypeIn(type, b.attributes.get(name))));
  }
  return true;
}

export const isScalar = ({ kind }: Type): boolean => kind === "string" || kind === "number" || kind === "bool";

export const isSequenceType = ({ kind }: Type): boolean => kind === "list" || kind === "set" || kind === "tuple";

/** Rows of types that convert to each other if the value allows it. */
const ALIKE: readonly (readonly string[])[] = [
  ["string", "number"],
  ["string", "bool"],
  ["list", "set", "tuple"],
  ["map", "object"],
];

/** Whether Terraform refuses a conversion for every value, including null and empty ones (go-cty, convert.GetConversionUnsafe). */
export function neverConverts(from: Type, to: Type): boolean {
  if (isVague(from) || isVague(to)) return false;
  if (from.kind !== to.kind && !ALIKE.some((row) => row.includes(from.kind) && row.includes(to.kind))) return true;
  return "of" in from && "of" in to && neverConverts(from.of, to.of);
}

const sameTypeIn = (type: Type, other: AttributeType | undefined): boolean | undefined =>
  other === undefined ? false : sameType(type, other.type);

/** False if one is false; otherwise unknown if one is unknown. */
export const every = (answers: readonly (boolean | undefined)[]): boolean | undefined =>
  answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;

/**
 * Whether `==` holds; `undefined` if it is unknown. Values of two types are never equal (Terraform, expressions/operators, "Equality
 * Operators"), except that `null` equals `null`.
 */
export function equal(a: Value, b: Value): boolean | undefined {
  if (a.kind === "unknown" || b.kind === "unknown") return undefined;
  if (a.kind === "null" || b.kind === "null") return a.kind === b.kind;
  const same = sameType(typeOf(a), typeOf(b));
  return same === false ? false : every([contentsEqual(a, b), same]);
}

function contentsEqual(a: Value, b: Value): boolean | undefined {
  if (a.kind === "unknown" || b.kind === "unknown") return undefined;
  if (a.kind === "null" || b.kind === "null") return a.kind === b.kind;
  if (!isCompound(a) && !isCompound(b)) return scalarsEqual(a, b);
  if ("items" in a && "items" in b) {
    if (a.kind === "set" && !a.ordered) return a.items.length === b.items.length ? undefined : false;
    if (a.items.length !== b.items.length) return false;
    return every(a.items.map((item, at) => contentsEqual(item, b.items[at] ?? item)));
  }
  if ("entries" in a && "entries" in b) {
    if (a.entries.size !== b.entries.size) return false;
    return every([...a.entries].map(([key, item]) => contentsEqualIn(item, b.entries.get(key))));
  }
  return false;
}

const contentsEqualIn = (value: Value, other: Value | undefined): boolean | undefined =>
  other === undefined ? false : contentsEqual(value, other);

type Scalar = Extract<Value, { kind: "string" | "number" | "bool" }>;

function scalarsEqual(a: Scalar, b: Scalar): boolean | undefined {
  // Here a loose number or bool meets another kind of value, and may be text.
  if (a.kind !== b.kind) return undefined;
  if (a.kind === "number" && b.kind === "number") {
    return typeof a.value === "number" || typeof b.value === "number"
      ? a.value === b.value
      : a.value.mantissa === b.value.mantissa && a.value.exponent === b.value.exponent;
  }
  return a.value === b.value;
}
