import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import { rangeOf } from "../../syntax/hcl/ast.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { evaluate } from "../../syntax/hcl/evaluate.ts";
import { type Namespace, namespace, type Scope, withNames } from "../../syntax/hcl/scope.ts";
import { BOOL, NUMBER } from "../../syntax/hcl/type.ts";
import { isMapping, isSequence, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import type { ConfigBlock, ExpressionInFile, PlacedBlock } from "./config-block.ts";

/** The scope of a module's names in one of its files. */
export type ScopeIn = (file: SourceFile) => Scope;

export type Names = ReadonlyMap<string, Value | Namespace>;

/** The value of an expression that stands in a file. */
export const valueAt = ({ value, file }: ExpressionInFile, scopeIn: ScopeIn): Value => evaluate(value, scopeIn(file));

/** The same value, said to be written at `what` if it was written in the expression itself. */
export function labelled(value: Value, { value: expression, file }: ExpressionInFile, what: string): Value {
  const first = value.trace[0];
  const [start, end] = placeOf({ value: expression, file });
  if (!first || first.range[0] < start || first.range[1] > end) return value;
  return withTrace(value, [{ range: first.range, what }, ...value.trace.slice(1)]);
}

/** Scopes with more names, such as `each`. */
export const scopesWith = (scopeIn: ScopeIn, names: Names): ScopeIn =>
  names.size === 0 ? scopeIn : (file) => withNames(scopeIn(file), names);

/** One instance that `count` or `for_each` makes: what its address ends in, and what its names mean. */
export interface Repeated {
  readonly key: string | number | undefined;
  readonly suffix: string;
  readonly names: Names;
}

/** `reason`: how many there are is unknown; one then stands for all. */
export interface Repetition {
  readonly by: "nothing" | "count" | "each";
  readonly items: readonly Repeated[];
  readonly reason?: string;
}

const NO_NAMES: Names = new Map();
const ONCE: Repetition = { by: "nothing", items: [{ key: undefined, suffix: "", names: NO_NAMES }] };

/** More instances than any file spells out; they differ in nothing that can be said of each. */
const MOST = 2000;

/** The instances that `count`, `for_each` and `enabled` of a resource or a module call make. */
export function repetitionOf({ attributes, blocks }: ConfigBlock, scopeIn: ScopeIn): Repetition {
  const enabled = inLifecycle("enabled", blocks).at(-1);
  if (enabled) return onceIf(valueAt(enabled, scopeIn));
  const count = attributes.get("count");
  if (count) return counted(valueAt(count, scopeIn));
  const forEach = attributes.get("for_each");
  return forEach ? forEachOf(valueAt(forEach, scopeIn)) : ONCE;
}

/** All that `lifecycle` sets an argument to; that of an override file is the last. */
export const inLifecycle = (argument: string, blocks: readonly PlacedBlock[]): readonly ExpressionInFile[] =>
  blocks.flatMap(({ block: { type, body }, file }) =>
    type === "lifecycle" ? body.attributes.flatMap(({ name, value }) => (name === argument ? { value, file } : [])) : [],
  );

/** OpenTofu 1.11, meta-arguments/enabled; Terraform refuses it. */
function onceIf(given: Value): Repetition {
  const value = convert(given, BOOL);
  if (value.kind === "bool") return value.value ? ONCE : { by: "nothing", items: [] };
  return { ...ONCE, reason: value.kind === "unknown" ? value.reason : "whether it is enabled is not known" };
}

function counted(given: Value): Repetition {
  const value = convert(given, NUMBER);
  const count = value.kind === "number" ? value.value : undefined;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > MOST) return unclear("count", value);
  const items = Array.from({ length: count }, (_, index): Repeated => {
    const number: Value = { kind: "number", value: index, loose: false, short: true, trace: value.trace };
    return { key: index, suffix: `[${index}]`, names: new Map([["count", namespace("count", (name) => only(name, { index: number }))]]) };
  });
  return { by: "count", items };
}

function forEachOf(value: Value): Repetition {
  const pairs: (readonly [string, Value])[] | undefined = isMapping(value)
    ? [...value.entries]
    : isSequence(value) && value.kind === "set"
      ? value.items.flatMap((item) => (item.kind === "string" ? [[item.value, item] as const] : []))
      : undefined;
  if (!pairs || pairs.length > MOST || (isSequence(value) && pairs.length < value.items.length)) return unclear("each", value);
  const items = pairs.map(([key, item]): Repeated => {
    const text: Value = { kind: "string", value: key, trace: item.trace };
    return {
      key,
      suffix: suffixOf(key),
      names: new Map([["each", namespace("each", (name) => only(name, { key: text, value: item }))]]),
    };
  });
  return { by: "each", items };
}

/** A key as it stands in an address (Terraform, addrs.toHCLQuotedString). */
export const suffixOf = (key: string): string =>
  `["${key.replace(/["\\\n\r\t]|[$%](?=\{)|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (one) => ESCAPES[one] ?? codeOf(one))}"]`;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  $: "$$",
  "%": "%%",
};

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

function only(name: string, values: Readonly<Record<string, Value>>): Value {
  return (Object.hasOwn(values, name) && values[name]) || unknownValue(`there is no "${name}" here`);
}

function unclear(by: "count" | "each", value: Value): Repetition {
  const reason = value.kind === "unknown" ? value.reason : "how many there are is not known";
  const nothing = namespace(by, () => unknownValue(reason));
  return { by, reason, items: [{ key: undefined, suffix: "[*]", names: new Map([[by, nothing]]) }] };
}

/** A range of an expression in the row of all files. */
export const placeOf = ({ value, file }: ExpressionInFile): Range => rangeIn(file, rangeOf(value));

/** Looks a name up once; one that is asked for while it is looked up depends on itself. */
export function kept(what: string, find: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>();
  return (name) => {
    const known = values.get(name);
    if (known) return known;
    values.set(name, unknownValue(`${what} ${name} depends on itself`));
    const value = find(name);
    values.set(name, value);
    return value;
  };
}
