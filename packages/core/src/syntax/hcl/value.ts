import type { SourceFile } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import type { Expression } from "./ast.ts";
import { compareReal, type Real, realText } from "./real.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** One step in the trace of a value. */
export interface Step {
  readonly range: Range;
  /** Its description: "default of variable cpus", "argument cpus of module sql"; an expression describes itself. */
  readonly what: string | Expression;
}

/** The trace of a value. The first step is its literal; empty for a value from outside of all files. */
export type Trace = readonly Step[];

/**
 * A type of the Terraform language. `any` is the constraint of that name; `unsure` is the type of an unknown value, and `none` of the
 * literal `null`, which fits every type.
 */
export type Type =
  | { readonly kind: "string" | "number" | "bool" | "any" | "unsure" | "none" }
  | { readonly kind: "list" | "set" | "map"; readonly of: Type }
  | { readonly kind: "tuple"; readonly items: readonly Type[] }
  | { readonly kind: "object"; readonly attributes: ReadonlyMap<string, AttributeType> };

/** An attribute of an object type; `fallback` is the second argument of `optional`. */
export interface AttributeType {
  readonly type: Type;
  readonly optional: boolean;
  readonly fallback: Value | undefined;
}

/**
 * A value of the Terraform language. `loose` marks a number or bool that may also be its text, because the type of a related value is
 * unknown: `true ? 4 : data.x.cpus` is 4 or "4".
 */
export type Value = Null | Bool | Num | Str | Sequence | Mapping | Unknown;

interface TracedValue {
  readonly trace: Trace;
}
/** `type` is the declared type; without it, this is the literal `null`, which fits every type. */
export interface Null extends TracedValue {
  readonly kind: "null";
  readonly type: Type | undefined;
}
export interface Bool extends TracedValue {
  readonly kind: "bool";
  readonly value: boolean;
  readonly loose: boolean;
}
export interface Num extends TracedValue {
  readonly kind: "number";
  readonly value: Real;
  readonly loose: boolean;
  /** Comes from a function or a count, whose numbers have 53 or 64 bits in Go rather than 512, so results are only exact within these. */
  readonly short: boolean;
}
export interface Str extends TracedValue {
  readonly kind: "string";
  readonly value: string;
  /** Set if this is the whole text of a file, so that a decoded value has its places there. */
  readonly file?: (() => SourceFile) | undefined;
}
interface Compound extends TracedValue {
  /** Declared type of the elements of a list, set or map. */
  readonly of: Type | undefined;
  /** Whether no part is unknown. */
  readonly isKnown: boolean;
  /** The number of values inside, and their depth: both are limited, so that no value causes endless work. */
  readonly size: number;
  readonly depth: number;
}
export interface Sequence extends Compound {
  readonly kind: "tuple" | "list" | "set";
  readonly items: readonly Value[];
  /** False for a set whose order depends on Terraform's own hash. */
  readonly ordered: boolean;
}
/** Ranges in the joined files. */
export type Keys = ReadonlyMap<string, Range>;

export interface Mapping extends Compound {
  readonly kind: "object" | "map";
  /** In the order of its keys, as Terraform iterates. */
  readonly entries: ReadonlyMap<string, Value>;
  /** The ranges of literal keys. */
  readonly keys: Keys;
}
export interface Unknown extends TracedValue {
  readonly kind: "unknown";
  /** In words; completes "unknown because ...". */
  readonly reason: string;
  /** Terraform certainly fails here, so that `try` goes on and `can` is false. */
  readonly failed: boolean;
  /** The type of the resource with the value, "data.x" for a data source; `undefined` if it depends on several or on a choice. */
  readonly resource: string | undefined;
  /** The name of the object that the value refers to, if the configuration states it. */
  readonly refersTo?: string | undefined;
  /** The variable or local whose declaration Terraform or Packer refuses: it is missing, or there are several. */
  readonly refused?: { readonly kind: string; readonly name: string; readonly declarations: number } | undefined;
  /** The text of a number that is too large to follow. */
  readonly number?: string | undefined;
}

const MAX_TEXT = 1 << 20;
const MAX_SIZE = 100_000;
const MAX_DEPTH = 60;
const TOO_LARGE = "the value is too large to follow";

/** Returns a function that takes the parts of a value one by one, and returns the unknown value that they make once they are too many. */
export function partsMeter(): (part: Value) => Unknown | undefined {
  let size = 0;
  return (part) => {
    size += part.kind === "unknown" && part.reason === TOO_LARGE ? Infinity : sizeOf(part);
    return size > MAX_SIZE ? unknownValue(TOO_LARGE) : undefined;
  };
}
const NOWHERE: Trace = [];
const NO_KEYS: Keys = new Map();

export const unknownValue = (reason: string, trace: Trace = NOWHERE, resource?: string): Unknown => ({
  kind: "unknown",
  reason,
  failed: false,
  resource,
  trace,
});

/** Returns the value of an expression that Terraform refuses. */
export const failure = (reason: string): Unknown => ({
  kind: "unknown",
  reason,
  failed: true,
  resource: undefined,
  trace: NOWHERE,
});

/** Returns the first failure. */
export function failed(values: Iterable<Value>): Unknown | undefined {
  for (const value of values) if (value.kind === "unknown" && value.failed) return value;
  return undefined;
}

/** Returns the first completely unknown value, preferably a failure. */
export const unknownOf = (...values: readonly Value[]): Unknown | undefined =>
  failed(values) ?? values.find((value): value is Unknown => value.kind === "unknown");

export const nullValue = (type?: Type): Null => (type ? { kind: "null", type, trace: NOWHERE } : NULL);

/** The value of every missing argument. */
const NULL: Null = { kind: "null", type: undefined, trace: NOWHERE };

export const boolValue = (value: boolean): Bool => ({ kind: "bool", value, loose: false, trace: NOWHERE });

/** `undefined` is a number that is too large, or that Terraform rounds in its own way. */
export const numberValue = (value: Real | undefined, short = false): Value =>
  value === undefined || (short && typeof value !== "number")
    ? unknownValue("the number cannot be computed exactly")
    : { kind: "number", value, loose: false, short, trace: NOWHERE };

/** A number from a function or a count. */
export const countValue = (value: Real | undefined): Value => numberValue(value, true);

/** Normalised as Terraform's strings are (cty, docs/types.md: "NFC"). */
export const stringValue = (text: string): Value =>
  text.length > MAX_TEXT ? unknownValue("the text is too long to follow") : { kind: "string", value: normalised(text), trace: NOWHERE };

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what need not be normalised.
const normalised = (text: string): string => (/^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFC"));

function measure(values: Iterable<Value>): { isKnown: boolean; size: number; depth: number } {
  let isKnown = true;
  let size = 1;
  let depth = 1;
  for (const value of values) {
    if (value.kind === "unknown") isKnown = false;
    size += 1;
    if (value.kind === "string") size += value.value.length >> 6;
    if (!isCompound(value)) continue;
    isKnown &&= value.isKnown;
    size += value.size;
    depth = Math.max(depth, value.depth + 1);
  }
  return { isKnown, size, depth };
}

/** Returns a tuple or list. */
export function sequenceValue(kind: "tuple" | "list", items: readonly Value[], of?: Type): Value {
  const measured = measure(items);
  if (measured.size > MAX_SIZE || measured.depth > MAX_DEPTH) return unknownValue(TOO_LARGE);
  return { kind, items, of, ordered: true, ...measured, trace: NOWHERE };
}

export const tupleValue = (items: readonly Value[]): Value => sequenceValue("tuple", items);

/** Returns an object or map; a later entry replaces an earlier one of the same key. */
export function mappingValue(kind: "object" | "map", entries: Iterable<readonly [string, Value]>, of?: Type, keys = NO_KEYS): Value {
  const unique = new Map(entries);
  const sorted = unique.size < 2 ? unique : new Map([...unique].sort(([a], [b]) => compareUtf8(a, b)));
  const measured = measure(sorted.values());
  if (measured.size + sorted.size > MAX_SIZE || measured.depth > MAX_DEPTH) return unknownValue(TOO_LARGE);
  return { kind, entries: sorted, keys, of, ...measured, trace: NOWHERE };
}

export const objectValue = (entries: Iterable<readonly [string, Value]>, keys?: Keys): Value =>
  mappingValue("object", entries, undefined, keys);

/**
 * Returns a set of distinct values in Terraform's order: text by bytes, numbers by size, false before true (cty, set_internals.go). With an
 * unknown element, its length is unknown.
 */
export function setValue(items: readonly Value[], of?: Type): Value {
  const measured = measure(items);
  if (measured.size > MAX_SIZE || measured.depth > MAX_DEPTH) return unknownValue(TOO_LARGE);
  if (!measured.isKnown) return unknownValue(reasonIn(items) ?? TOO_LARGE);
  const simple = items.every((item) => !isCompound(item));
  const unclear = items.length > 1 && items.some((item) => item.kind === "number" && item.loose);
  if (unclear) return unknownValue("it is not known whether the set holds numbers or text");
  const unique = new Map(items.map((item) => [identity(item), item]));
  const values = simple ? [...unique.values()].sort(inSet) : [...unique.values()];
  const ordered = simple || values.length < 2;
  return { kind: "set", items: values, of, ordered, ...measured, trace: NOWHERE };
}

function inSet(a: Value, b: Value): number {
  if (a.kind === "string" && b.kind === "string") return compareUtf8(a.value, b.value);
  if (a.kind === "number" && b.kind === "number") return compareReal(a.value, b.value);
  if (a.kind === "bool" && b.kind === "bool") return Number(a.value) - Number(b.value);
  // Null comes last.
  return Number(a.kind === "null") - Number(b.kind === "null");
}

/** Returns a text that is equal for equal values of one type. */
function identity(value: Value): string {
  switch (value.kind) {
    case "number":
      return realText(value.value);
    case "string":
      return JSON.stringify(value.value);
    case "bool":
      return String(value.value);
    case "tuple":
    case "list":
    case "set":
      return `[${value.items.map(identity).join()}]`;
    case "object":
    case "map":
      return `{${[...value.entries].map(([key, item]) => `${JSON.stringify(key)}:${identity(item)}`).join()}}`;
    default:
      return value.kind;
  }
}

export const isSequence = (value: Value): value is Sequence => value.kind === "tuple" || value.kind === "list" || value.kind === "set";

export const isMapping = (value: Value): value is Mapping => value.kind === "object" || value.kind === "map";

export const isCompound = (value: Value): value is Sequence | Mapping => isSequence(value) || isMapping(value);

export const isKnown = (value: Value): boolean => value.kind !== "unknown" && (!isCompound(value) || value.isKnown);

/** Returns why one of these values is partly unknown, if so. */
export function reasonIn(values: Iterable<Value>): string | undefined {
  for (const value of values) {
    const reason = value.kind === "unknown" ? value.reason : isCompound(value) && !value.isKnown ? reasonIn(partsOf(value)) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The values directly inside. */
export const partsOf = (value: Sequence | Mapping): Iterable<Value> => (isSequence(value) ? value.items : value.entries.values());

/** Returns the work to visit all of a value. */
export const sizeOf = (value: Value): number =>
  isCompound(value) ? value.size : value.kind === "string" ? 1 + (value.value.length >> 6) : 1;

/** Whether a number or bool inside may be text. */
export const hasLoose = (value: Value): boolean =>
  isCompound(value) ? [...partsOf(value)].some(hasLoose) : (value.kind === "number" || value.kind === "bool") && value.loose;

/** Returns the value if a related value may change its type: numbers may be text, and a list may be a set. */
export function loosened(value: Value): Value {
  if (value.kind === "number" || value.kind === "bool") return value.loose ? value : { ...value, loose: true };
  if (isMapping(value)) {
    const entries = [...value.entries].map(([key, item]) => [key, loosened(item)] as const);
    return withTrace(mappingValue(value.kind, entries, undefined, value.keys), value.trace);
  }
  if (!isSequence(value)) return value;
  const items = value.items.map(loosened);
  if (value.kind === "set") return withTrace(setValue(items), value.trace);
  if (items.length > 1) return unknownValue("it is not known whether this is a list or a set", value.trace);
  return withTrace(sequenceValue(value.kind, items), value.trace);
}

/** Returns the value with another trace. A case per kind, because a spread of differently shaped objects is the slowest copy. */
export function withTrace(value: Value, trace: Trace): Value {
  if (value.trace === trace) return value;
  switch (value.kind) {
    case "null":
      return { kind: "null", type: value.type, trace };
    case "bool":
      return { kind: "bool", value: value.value, loose: value.loose, trace };
    case "number":
      return { kind: "number", value: value.value, loose: value.loose, short: value.short, trace };
    case "string":
      return value.file ? { ...value, trace } : { kind: "string", value: value.value, trace };
    case "unknown":
      return {
        kind: "unknown",
        reason: value.reason,
        failed: value.failed,
        resource: value.resource,
        trace,
        ...(value.refersTo !== undefined && { refersTo: value.refersTo }),
        ...(value.refused && { refused: value.refused }),
        ...(value.number !== undefined && { number: value.number }),
      };
    case "object":
    case "map": {
      const { kind, entries, keys, of, isKnown, size, depth } = value;
      return { kind, entries, keys, of, isKnown, size, depth, trace };
    }
    default: {
      const { kind, items, of, ordered, isKnown: known, size, depth } = value;
      return { kind, items, of, ordered, isKnown: known, size, depth, trace };
    }
  }
}

/** No finding needs more steps. */
export const MAX_STEPS = 12;

/** Appends a step to a trace, unless its place is already part of it. */
export const followedBy = (trace: Trace, step: Step): Trace =>
  trace.length >= MAX_STEPS || trace.some((other) => samePlace(other, step)) ? trace : trace.concat(step);

/** Joins traces; each place occurs once. */
export function joinTraces(...traces: readonly Trace[]): Trace {
  const first = traces[0] ?? NOWHERE;
  if (traces.length === 1) return first;
  const steps = first.slice(0, MAX_STEPS);
  for (let at = 1; at < traces.length; at++) {
    for (const step of traces[at] ?? NOWHERE) {
      if (steps.length === MAX_STEPS) return steps;
      if (!steps.some((other) => samePlace(other, step))) steps.push(step);
    }
  }
  return steps;
}

const samePlace = (a: Step, b: Step): boolean => a.range[0] === b.range[0] && a.range[1] === b.range[1];
