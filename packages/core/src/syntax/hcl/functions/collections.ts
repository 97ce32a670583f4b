import { sequence } from "../../../model/sequence.ts";
import { convert } from "../convert.ts";
import { add, type Real } from "../real.ts";
import { compareUtf8 } from "../utf8-order.ts";
import type { Type } from "../value.ts";
import {
  boolValue,
  countValue,
  failure,
  isMapping,
  isSequence,
  type Mapping,
  mappingValue,
  type Num,
  nullValue,
  numberValue,
  objectValue,
  type Sequence,
  sequenceValue,
  setValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../value.ts";
import {
  ANY,
  BOOL,
  equal,
  every,
  listOf,
  mapOf,
  NUMBER,
  neverConverts,
  STRING,
  sameType,
  setOf,
  typeOf,
  UNSURE,
  unify,
} from "../value-type.ts";
import { type Definition, holds, type Parameter, wholeNumber } from "./define-function.ts";
import { graphemes } from "./text-functions.ts";

const WHOLE: Parameter = { type: ANY };
const PARTS: Parameter = { type: ANY, unknowns: "parts" };
const TEXT: Parameter = { type: STRING };
const INDEX: Parameter = { type: NUMBER };
const TEXTS: Parameter = { type: listOf(STRING) };

const ORDER = "the order of a set of objects is Terraform's own";

/** Defines a function of a list or tuple, and further arguments. */
const ofList = (call: (list: Sequence, args: readonly Value[]) => Value, ...others: readonly Parameter[]): Definition => ({
  parameters: [PARTS, ...others],
  call: ([list, ...args]) => (list && isSequence(list) && list.kind !== "set" ? call(list, args) : failure("a list is needed")),
});

const ofMapping = (call: (mapping: Mapping) => Value): Definition => ({
  parameters: [PARTS],
  call: ([mapping]) => (mapping && isMapping(mapping) ? call(mapping) : failure("a map or object is needed")),
});

/** Returns the kind of list that corresponds to an object or a map. */
const listLike = (mapping: Mapping, items: readonly Value[], of?: Type): Value =>
  mapping.kind === "map" ? sequenceValue("list", items, of) : tupleValue(items);

function length([value]: readonly Value[]): Value {
  if (!value) return failure("length() of nothing");
  if (isSequence(value)) return countValue(value.items.length);
  if (isMapping(value)) return countValue(value.entries.size);
  if (value.kind !== "string") return failure("only a text, list, set or map has a length");
  const characters = graphemes(value.value);
  return characters ? countValue(characters.length) : unknownValue("characters outside of plain Latin text are unsupported");
}

/** Wraps around at the end (Terraform, functions/element); negative indexes depend on the version of Terraform. */
function element(list: Sequence, [position]: readonly Value[]): Value {
  const at = wholeNumber(position);
  if (typeof at !== "number") return at;
  if (list.items.length === 0) return failure("element() of an empty list");
  if (at < 0) return unknownValue("element() with a negative index depends on Terraform's version");
  return list.items[at % list.items.length] ?? failure("there is no such element");
}

function slice(list: Sequence, [from, to]: readonly Value[]): Value {
  const [start, end] = [holds.number(from), holds.number(to)];
  if (!isPosition(start) || !isPosition(end) || start > end || end > list.items.length)
    return failure("slice() reaches outside of the list");
  return list.kind === "list" ? sequenceValue("list", list.items.slice(start, end), list.of) : tupleValue(list.items.slice(start, end));
}

const isPosition = (number: Real): number is number => typeof number === "number" && Number.isInteger(number) && number >= 0;

function reverse([list]: readonly Value[]): Value {
  if (!list || !isSequence(list)) return failure("a list is needed");
  if (!list.ordered) return unknownValue(ORDER);
  const items = list.items.toReversed();
  return list.kind === "tuple" ? tupleValue(items) : sequenceValue("list", items, list.of);
}

function concat(lists: readonly Value[]): Value {
  const sequences = lists.filter((list): list is Sequence => isSequence(list) && list.kind !== "set");
  if (sequences.length < lists.length) return failure("concat() takes lists");
  const items = sequences.flatMap((list) => list.items);
  if (sequences.some((list) => list.kind === "tuple")) return tupleValue(items);
  const type = unify(sequences.map(typeOf));
  return type ? convert(sequenceValue("list", items), type) : unknownValue("the lists have elements of types that do not go together");
}

/** Flattens nested lists at every depth, but not lists in maps (Terraform, functions/flatten). */
function flatten([list]: readonly Value[]): Value {
  if (!list || !isSequence(list)) return failure("a list is needed");
  const items = flat(list);
  return Array.isArray(items) ? tupleValue(items) : unknownValue(items as string);
}

function flat(list: Sequence): Value[] | string {
  if (!list.ordered) return ORDER;
  const values: Value[] = [];
  for (const item of list.items) {
    // An unknown element may be a list of any length.
    if (item.kind === "unknown") return item.reason;
    const inner = isSequence(item) ? flat(item) : [item];
    if (typeof inner === "string") return inner;
    for (const value of inner) values.push(value);
  }
  return values;
}

/** Keeps the first of equal elements. The argument is a list of one type. */
function distinct([list]: readonly Value[]): Value {
  if (!list || !isSequence(list)) return failure("a list is needed");
  if (list.items.length > 500) return unknownValue("the list is too long to compare its elements");
  const items: Value[] = [];
  for (const item of list.items) {
    const answers = items.map((other) => equal(other, item));
    if (answers.includes(true)) continue;
    if (answers.includes(undefined)) return unknownValue("it is not known whether two elements are equal");
    items.push(item);
  }
  return sequenceValue("list", items, list.of);
}

function contains([list, value]: readonly Value[]): Value {
  if (!list || !value || !isSequence(list)) return failure("a list or set is needed");
  const answers = list.items.map((item) => equal(item, value));
  if (answers.includes(true)) return boolValue(true);
  return answers.includes(undefined) ? unknownValue("it is not known whether an element is equal") : boolValue(false);
}

function indexOf(list: Sequence, [value]: readonly Value[]): Value {
  for (const [at, item] of list.items.entries()) {
    const same = value && equal(item, value);
    if (same === undefined) return unknownValue("it is not known whether an element is equal");
    if (same) return countValue(at);
  }
  return failure("the list does not contain the value");
}

/** Returns the first argument that is neither null nor an empty text, after conversion to one type (Terraform, functions/coalesce). */
function coalesce(args: readonly Value[]): Value {
  const type = unify(args.map(typeOf));
  if (!type) return unknownValue("the arguments of coalesce() are of different types");
  for (const value of args) {
    if (value.kind === "null") continue;
    if (value.kind === "unknown") return value;
    const converted = convert(value, type);
    if (converted.kind === "string" && converted.value === "") continue;
    return converted;
  }
  return failure("every argument of coalesce() is null or empty");
}

/** Returns the first non-empty list unchanged (go-cty, function/stdlib/collection.go: CoalesceListFunc). */
function coalesceList(args: readonly Value[]): Value {
  for (const value of args) {
    if (value.kind === "null") continue;
    if (!isSequence(value)) return value.kind === "unknown" ? value : failure("coalescelist() takes lists");
    if (value.items.length === 0) continue;
    const areLists = args.every(({ kind }) => kind === "list" || kind === "tuple" || kind === "unknown");
    return areLists ? value : unknownValue("the arguments of coalescelist() are not all lists");
  }
  return failure("every list is empty");
}

/** Returns an attribute of an object unchanged; the default of a map is converted to its element type. */
function lookup([mapping, key, fallback]: readonly Value[]): Value {
  if (!mapping || !key || !isMapping(mapping)) return failure("lookup() takes a map or object");
  const name = holds.text(key);
  const entry = mapping.entries.get(name);
  if (mapping.kind === "object") return entry ?? fallback ?? failure(`there is no attribute "${name}"`);
  const type = typeOf(mapping);
  const other = fallback && type.kind === "map" && fallback.kind !== "unknown" ? convert(fallback, type.of) : fallback;
  if (other?.kind === "unknown" && other.failed) return other;
  return entry ?? other ?? failure(`the map has no key "${name}"`);
}

/**
 * Later arguments win; null arguments are skipped. Maps of one type make a map, all other combinations, including a literal null, an object
 * (Terraform, functions/merge).
 */
function merge(args: readonly Value[]): Value {
  const present = args.filter((value) => value.kind !== "null" || (value.type && neverConverts(value.type, mapOf(ANY))));
  const mappings = present.filter(isMapping);
  if (mappings.length < present.length) {
    const unknown = present.find((value) => value.kind === "unknown");
    if (unknown && present.every((value) => isMapping(value) || value.kind === "unknown")) return unknownValue(unknown.reason);
    // With a literal null, the types are not checked, and empty or null arguments are skipped (go-cty, stdlib.MergeFunc).
    const isChecked = args.every((value) => value.kind !== "null" || value.type);
    return isChecked ? failure("merge() takes maps and objects") : unknownValue("merge() gets null and a value that is not a map");
  }
  const entries = mappings.flatMap((mapping) => [...mapping.entries]);
  const keys = new Map(mappings.flatMap((mapping) => [...mapping.keys]));
  const [first] = mappings;
  const ofOneType = first?.kind === "map" && every(args.map((value) => sameType(typeOf(value), typeOf(first)))) === true;
  return ofOneType ? mappingValue("map", entries, first.of, keys) : objectValue(entries, keys);
}

function zipmap([keys, values]: readonly Value[]): Value {
  if (!keys || !values || !isSequence(keys) || !isSequence(values) || values.kind === "set") return failure("zipmap() takes lists");
  if (keys.items.length !== values.items.length) return failure("zipmap() takes lists of the same length");
  const entries = keys.items.map((key, at) => [holds.text(key), values.items[at] ?? nullValue()] as const);
  if (keys.items.some((key) => key.kind !== "string")) return failure("zipmap() does not accept a null key");
  return values.kind === "list" ? mappingValue("map", entries, values.of) : objectValue(entries);
}

function sum([list]: readonly Value[]): Value {
  if (!list || !isSequence(list) || list.items.length === 0) return failure("sum() takes a list that is not empty");
  let total: Num | undefined;
  for (const item of list.items) {
    if (item.kind === "null") return failure("sum() is given null");
    const number = convert(item, NUMBER);
    if (number.kind !== "number") return number;
    const next: Value = total ? numberValue(add(total.value, number.value), total.short && number.short) : number;
    if (next.kind !== "number") return next;
    total = next;
  }
  return total ? numberValue(total.value, total.short) : failure("sum() takes a list that is not empty");
}

function one([list]: readonly Value[]): Value {
  if (!list || !isSequence(list)) return failure("one() takes a list, set or tuple");
  if (list.items.length > 1) return failure("one() is given more than one element");
  return list.items[0] ?? nullValue(list.of);
}

const allOrAny =
  (all: boolean) =>
  ([list]: readonly Value[]): Value => {
    if (!list || !isSequence(list)) return failure("a list is needed");
    const bools = list.items.map((item) => item.kind === "bool" && item.value);
    return boolValue(all ? bools.every(Boolean) : bools.some(Boolean));
  };

function compact([list]: readonly Value[]): Value {
  if (!list || !isSequence(list)) return failure("a list is needed");
  const items = list.items.filter((item) => item.kind === "string" && item.value !== "");
  return sequenceValue("list", items, STRING);
}

function sort([list]: readonly Value[]): Value {
  if (!list || !isSequence(list)) return failure("a list is needed");
  if (list.items.some((item) => item.kind !== "string")) return failure("sort() does not accept null");
  return sequenceValue(
    "list",
    list.items.toSorted((a, b) => compareUtf8(holds.text(a), holds.text(b))),
    STRING,
  );
}

/** Returns the arguments as sets of one type. */
function sets(args: readonly Value[]): readonly Sequence[] | Value {
  if (!args.every(isSequence)) return failure("sets are needed");
  const pairs = args.map((list) => [list, convert(list, setOf(ANY))] as const);
  const type = unify(pairs.map(([list, set]) => setOf(elementType(list, set))));
  const isUnclear = pairs.some(([, set]) => isSequence(set) && set.items.length > 0 && set.of?.kind === "none");
  if (!type || isUnclear) return unknownValue("the sets have elements of types that do not go together");
  const converted = pairs.map(([, set]) => convert(set, type));
  const unknown = converted.find((set) => !isSequence(set));
  return unknown ?? converted.filter(isSequence);
}

/** The type of an empty set matters too if it is known (go-cty, function/stdlib/set.go: setOperationReturnType). */
function elementType({ kind, of }: Sequence, set: Value): Type {
  if (!isSequence(set)) return UNSURE;
  return set.items.length === 0 && kind !== "tuple" ? (of ?? UNSURE) : (set.of ?? UNSURE);
}

const setFunction = (combine: (sets: readonly Sequence[]) => readonly Value[]): Definition => ({
  parameters: [WHOLE],
  rest: WHOLE,
  call: (args) => {
    const sequences = sets(args);
    if (!Array.isArray(sequences)) return sequences as Value;
    const all = sequences as readonly Sequence[];
    if (all.some((set) => !set.ordered)) return unknownValue("sets of objects are not computed with");
    return setValue(combine(all), all[0]?.of);
  },
});

const has = (set: Sequence, value: Value): boolean => set.items.some((item) => equal(item, value) === true);

/** Returns every combination as a list of tuples, or as a set if all arguments are sets (Terraform, functions/setproduct). */
function product(args: readonly Value[]): Value {
  const lists = args.filter(isSequence);
  if (lists.length < args.length || lists.length < 2) return failure("setproduct() takes two or more lists");
  const isSet = lists.every((list) => list.kind === "set");
  // For a mix of sets and lists, Terraform makes a set in arbitrary order.
  if (lists.some((list) => list.kind === "set") || lists.some((list) => !list.ordered))
    return unknownValue("setproduct() of sets is not evaluated");
  if (isSet || lists.reduce((count, list) => count * list.items.length, 1) > 10_000)
    return unknownValue("setproduct() makes too many elements");
  const uniform = lists.map((list) => convert(list, listOf(ANY)));
  const unclear = uniform.find((list) => !isSequence(list));
  if (unclear) return unclear;
  let rows: (readonly Value[])[] = [[]];
  for (const list of uniform.filter(isSequence)) rows = rows.flatMap((row) => list.items.map((item) => [...row, item]));
  const row: Type = { kind: "tuple", items: uniform.map((list) => (isSequence(list) && list.of) || UNSURE) };
  return sequenceValue("list", rows.map(tupleValue), row);
}

function matchKeys([values, keys, wanted]: readonly Value[]): Value {
  if (!values || !keys || !wanted || !isSequence(values) || !isSequence(keys) || !isSequence(wanted)) return failure("lists are needed");
  if (values.items.length !== keys.items.length) return failure("matchkeys() takes lists of the same length");
  const type = unify([typeOf(keys), typeOf(wanted)]);
  if (!type) return unknownValue("the keys are of types that do not go together");
  const [ready, sought] = [convert(keys, type), convert(wanted, type)];
  if (!isSequence(ready) || !isSequence(sought)) return unknownValue("the keys are of types that do not go together");
  const found: Value[] = [];
  for (const [at, key] of ready.items.entries()) {
    const answers = sought.items.map((item) => equal(item, key));
    const value = values.items[at];
    if (answers.includes(true) && value) found.push(value);
    else if (answers.includes(undefined)) return unknownValue("it is not known whether two keys are equal");
  }
  return sequenceValue("list", found, values.of);
}

function chunks([list, size]: readonly Value[]): Value {
  const width = wholeNumber(size);
  if (typeof width !== "number") return width;
  if (!list || !isSequence(list) || width < 0) return failure("chunklist() takes a size");
  const step = width === 0 ? Math.max(1, list.items.length) : width;
  const count = Math.ceil(list.items.length / step);
  const rows = sequence(count, (at) => sequenceValue("list", list.items.slice(at * step, (at + 1) * step), list.of));
  return sequenceValue("list", rows);
}

/** Terraform's "Collection Functions", by the page functions/NAME. */
export const collectionFunctions: readonly (readonly [string, Definition])[] = [
  ["length", { parameters: [PARTS], call: length }],
  ["element", ofList(element, INDEX)],
  ["slice", ofList(slice, INDEX, INDEX)],
  ["index", ofList(indexOf, WHOLE)],
  ["reverse", { parameters: [PARTS], call: reverse }],
  ["concat", { parameters: [PARTS], rest: PARTS, call: concat }],
  ["flatten", { parameters: [PARTS], call: flatten }],
  ["distinct", { parameters: [{ type: listOf(ANY) }], call: distinct }],
  ["contains", { parameters: [PARTS, WHOLE], call: contains }],
  ["coalesce", { parameters: [], rest: { type: ANY, nulls: true, unknowns: "all" }, call: coalesce }],
  ["coalescelist", { parameters: [PARTS], rest: { type: ANY, nulls: true, unknowns: "all" }, call: coalesceList }],
  ["lookup", { parameters: [PARTS, TEXT, { type: ANY, nulls: true, unknowns: "all" }], least: 2, call: lookup }],
  ["merge", { parameters: [], rest: { type: ANY, nulls: true, unknowns: "all" }, call: merge }],
  ["keys", ofMapping((mapping) => listLike(mapping, [...mapping.entries.keys()].map(stringValue), STRING))],
  ["values", ofMapping((mapping) => listLike(mapping, [...mapping.entries.values()], mapping.of))],
  ["zipmap", { parameters: [{ type: listOf(STRING) }, PARTS], call: zipmap }],
  ["sum", { parameters: [WHOLE], call: sum }],
  ["one", { parameters: [PARTS], call: one }],
  ["alltrue", { parameters: [{ type: listOf(BOOL) }], call: allOrAny(true) }],
  ["anytrue", { parameters: [{ type: listOf(BOOL) }], call: allOrAny(false) }],
  ["compact", { parameters: [TEXTS], call: compact }],
  ["sort", { parameters: [TEXTS], call: sort }],
  ["setunion", setFunction((all) => all.flatMap((set) => set.items))],
  ["setintersection", setFunction(([first, ...others]) => first?.items.filter((item) => others.every((set) => has(set, item))) ?? [])],
  ["setsubtract", { ...setFunction(([a, b]) => a?.items.filter((item) => b && !has(b, item)) ?? []), least: 1 }],
  ["setproduct", { parameters: [WHOLE], rest: WHOLE, call: product }],
  ["matchkeys", { parameters: [{ type: listOf(ANY) }, { type: listOf(ANY) }, { type: listOf(ANY) }], call: matchKeys }],
  ["chunklist", { parameters: [{ type: listOf(ANY) }, INDEX], call: chunks }],
];
