import type { Range } from "../../model/source.ts";
import type { Expression } from "./ast.ts";
import { compareReal, type Real, realText } from "./real.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** One place a value came through. */
export interface Step {
  readonly range: Range;
  /** What is there: "default of variable cpus", "argument cpus of module sql"; an expression speaks for itself. */
  readonly what: string | Expression;
}

/** The way of a value; the first step is where it was written, none for what was set outside of any file. */
export type Trace = readonly Step[];

/**
 * A type of the Terraform language. `any` is the constraint of that name; `unsure` is the type of something unknown, and `none` that of
 * the literal `null`, which fits every other.
 */
export type Type =
  | { readonly kind: "string" | "number" | "bool" | "any" | "unsure" | "none" }
  | { readonly kind: "list" | "set" | "map"; readonly of: Type }
  | { readonly kind: "tuple"; readonly items: readonly Type[] }
  | { readonly kind: "object"; readonly attributes: ReadonlyMap<string, AttributeType> };

/** One attribute of an object type; `fallback` is the second argument of `optional`. */
export interface AttributeType {
  readonly type: Type;
  readonly optional: boolean;
  readonly fallback: Value | undefined;
}

/**
 * A value of the Terraform language. `loose` marks a number or bool that may be its own text instead, because the type of something
 * beside it is not known: `true ? 4 : data.x.cpus` is 4 or "4".
 */
export type Value = Null | Bool | Num | Str | Sequence | Mapping | Unknown;

interface Traced {
  readonly trace: Trace;
}
/** `type` is the declared one; without it this is the literal `null`, which fits every type. */
export interface Null extends Traced {
  readonly kind: "null";
  readonly type: Type | undefined;
}
export interface Bool extends Traced {
  readonly kind: "bool";
  readonly value: boolean;
  readonly loose: boolean;
}
export interface Num extends Traced {
  readonly kind: "number";
  readonly value: Real;
  readonly loose: boolean;
  /**
   * Made by a function or a count, where Go's numbers have 53 or 64 bits and not 512: what two such numbers make is exact only while it
   * needs no more.
   */
  readonly short: boolean;
}
export interface Str extends Traced {
  readonly kind: "string";
  readonly value: string;
}
interface Compound extends Traced {
  /** Declared type of the elements of a list, set or map. */
  readonly of: Type | undefined;
  /** Nothing inside is unknown. */
  readonly known: boolean;
  /** Values inside, and how deep they lie: kept small, so that no value can make work without end. */
  readonly size: number;
  readonly depth: number;
}
export interface Sequence extends Compound {
  readonly kind: "tuple" | "list" | "set";
  readonly items: readonly Value[];
  /** False for a set whose order only Terraform's own hash decides. */
  readonly ordered: boolean;
}
/** Places in the row of all files. */
export type Keys = ReadonlyMap<string, Range>;

export interface Mapping extends Compound {
  readonly kind: "object" | "map";
  /** In the order of its keys, as Terraform iterates. */
  readonly entries: ReadonlyMap<string, Value>;
  /** Where each key is written, of those that are written out. */
  readonly keys: Keys;
}
export interface Unknown extends Traced {
  readonly kind: "unknown";
  /** In words; completes "unknown because ...". */
  readonly reason: string;
  /** Terraform certainly fails here, so that `try` goes on and `can` is false. */
  readonly failed: boolean;
  /** The type of the resource that has it when Terraform runs, "data.x" of a data source; `undefined` where it is of several or chosen by one. */
  readonly resource: string | undefined;
}

const MAX_TEXT = 1 << 20;
const MAX_SIZE = 100_000;
const MAX_DEPTH = 60;
const TOO_LARGE = "the value is too large to follow";
const NOWHERE: Trace = [];
const NO_KEYS: Keys = new Map();

export const unknownValue = (reason: string, trace: Trace = NOWHERE, resource?: string): Unknown => ({
  kind: "unknown",
  reason,
  failed: false,
  resource,
  trace,
});

/** Of an expression that Terraform refuses. */
export const failure = (reason: string): Unknown => ({
  kind: "unknown",
  reason,
  failed: true,
  resource: undefined,
  trace: NOWHERE,
});

/** The first of these that fails. */
export function failed(values: Iterable<Value>): Unknown | undefined {
  for (const value of values) if (value.kind === "unknown" && value.failed) return value;
  return undefined;
}

/** The first of these that is unknown as a whole, a failure before others. */
export const unknownOf = (...values: readonly Value[]): Unknown | undefined =>
  failed(values) ?? values.find((value): value is Unknown => value.kind === "unknown");

export const nullValue = (type?: Type): Null => (type ? { kind: "null", type, trace: NOWHERE } : NULL);

/** What stands for everything that is left out. */
const NULL: Null = { kind: "null", type: undefined, trace: NOWHERE };

export const boolValue = (value: boolean): Bool => ({ kind: "bool", value, loose: false, trace: NOWHERE });

/** `undefined` is a number too large, or one Terraform rounds in a way of its own. */
export const numberValue = (value: Real | undefined, short = false): Value =>
  value === undefined || (short && typeof value !== "number")
    ? unknownValue("the number cannot be computed exactly")
    : { kind: "number", value, loose: false, short, trace: NOWHERE };

/** A number that a function or a count made. */
export const countValue = (value: Real | undefined): Value => numberValue(value, true);

/** Normalised as Terraform's strings are (cty, docs/types.md: "NFC"). */
export const stringValue = (text: string): Value =>
  text.length > MAX_TEXT ? unknownValue("the text is too long to follow") : { kind: "string", value: normalised(text), trace: NOWHERE };

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what need not be normalised.
const normalised = (text: string): string => (/^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFC"));

function measure(values: Iterable<Value>): { known: boolean; size: number; depth: number } {
  let known = true;
  let size = 1;
  let depth = 1;
  for (const value of values) {
    if (value.kind === "unknown") known = false;
    size += 1;
    if (value.kind === "string") size += value.value.length >> 6;
    if (!isCompound(value)) continue;
    known &&= value.known;
    size += value.size;
    depth = Math.max(depth, value.depth + 1);
  }
  return { known, size, depth };
}

/** A tuple or list. */
export function sequenceValue(kind: "tuple" | "list", items: readonly Value[], of?: Type): Value {
  const measured = measure(items);
  if (measured.size > MAX_SIZE || measured.depth > MAX_DEPTH) return unknownValue(TOO_LARGE);
  return { kind, items, of, ordered: true, ...measured, trace: NOWHERE };
}

export const tupleValue = (items: readonly Value[]): Value => sequenceValue("tuple", items);

/** An object or map; a later entry replaces an earlier one of the same key. */
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
 * A set: each value once, in Terraform's order: text by its bytes, numbers by size, false before true (cty, set_internals.go).
 * With an unknown element it is unknown how many elements there are.
 */
export function setValue(items: readonly Value[], of?: Type): Value {
  const measured = measure(items);
  if (measured.size > MAX_SIZE || measured.depth > MAX_DEPTH) return unknownValue(TOO_LARGE);
  if (!measured.known) return unknownValue(reasonIn(items) ?? TOO_LARGE);
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

/** A text that is the same for the same values of one type. */
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

/** Nothing of it is unknown. */
export const isKnown = (value: Value): boolean => value.kind !== "unknown" && (!isCompound(value) || value.known);

/** Why one of these values is not wholly known, if so. */
export function reasonIn(values: Iterable<Value>): string | undefined {
  for (const value of values) {
    const reason = value.kind === "unknown" ? value.reason : isCompound(value) && !value.known ? reasonIn(parts(value)) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The values directly inside. */
export const parts = (value: Sequence | Mapping): Iterable<Value> => (isSequence(value) ? value.items : value.entries.values());

/** How much work it is to look at all of a value. */
export const sizeOf = (value: Value): number =>
  isCompound(value) ? value.size : value.kind === "string" ? 1 + (value.value.length >> 6) : 1;

/** Whether a number or bool inside may be text. */
export const hasLoose = (value: Value): boolean =>
  isCompound(value) ? [...parts(value)].some(hasLoose) : (value.kind === "number" || value.kind === "bool") && value.loose;

/** The value of which something beside it may change the type: numbers may be text, and a list may be a set. */
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

/** The same value with another way. Written out by kind: a spread of values of many shapes is the slowest way to copy one. */
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
      return { kind: "string", value: value.value, trace };
    case "unknown":
      return { kind: "unknown", reason: value.reason, failed: value.failed, resource: value.resource, trace };
    case "object":
    case "map": {
      const { kind, entries, keys, of, known, size, depth } = value;
      return { kind, entries, keys, of, known, size, depth, trace };
    }
    default: {
      const { kind, items, of, ordered, known, size, depth } = value;
      return { kind, items, of, ordered, known, size, depth, trace };
    }
  }
}

/** No finding needs more steps than these. */
export const MAX_STEPS = 12;

/** A trace with one more step behind it, if that is at a place of its own. */
export const followedBy = (trace: Trace, step: Step): Trace =>
  trace.length >= MAX_STEPS || trace.some((other) => samePlace(other, step)) ? trace : trace.concat(step);

/** Traces joined, each place once. */
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
