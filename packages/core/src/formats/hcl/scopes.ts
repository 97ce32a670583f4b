import { rangeIn, type SourceFile } from "../../model/files.ts";
import { sequence } from "../../model/sequence.ts";
import type { Range } from "../../model/source.ts";
import { rangeOf } from "../../syntax/hcl/ast.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import { evaluate } from "../../syntax/hcl/evaluate.ts";
import { type Namespace, namespace, type Scope, withNames } from "../../syntax/hcl/scope.ts";
import { isMapping, isSequence, unknownValue, type Value, withTrace } from "../../syntax/hcl/value.ts";
import { BOOL, NUMBER } from "../../syntax/hcl/value-type.ts";
import type { ConfigBlock, ExpressionInFile, PlacedBlock } from "./config-block.ts";

/** Returns the scope of a module's names in one of its files. */
export type ScopeIn = (file: SourceFile) => Scope;

export type Names = ReadonlyMap<string, Value | Namespace>;

/** Returns the value of an expression in a file. */
export const valueAt = ({ value, file }: ExpressionInFile, scopeIn: ScopeIn): Value => evaluate(value, scopeIn(file));

/** Returns the same value; if it is a literal of the expression, its trace starts with `what`. */
export function labelled(value: Value, { value: expression, file }: ExpressionInFile, label: string): Value {
  const first = value.trace[0];
  const [start, end] = placeOf({ value: expression, file });
  if (!first || first.range[0] < start || first.range[1] > end) return value;
  return withTrace(value, [{ range: first.range, what: label }, ...value.trace.slice(1)]);
}

/** Extends scopes with names such as `each`. */
export const scopesWith = (scopeIn: ScopeIn, names: Names): ScopeIn =>
  names.size === 0 ? scopeIn : (file) => withNames(scopeIn(file), names);

/** One instance of `count` or `for_each`: the key in its address and its scope. */
interface RepeatedBlock {
  readonly key: string | number | undefined;
  readonly suffix: string;
  readonly names: Names;
}

/** `reason`: the number of instances is unknown, and one stands for all. */
export interface Repetition {
  readonly by: "nothing" | "count" | "each";
  readonly items: readonly RepeatedBlock[];
  readonly reason?: string;
}

const NO_NAMES: Names = new Map();
const ONCE: Repetition = { by: "nothing", items: [{ key: undefined, suffix: "", names: NO_NAMES }] };

/** More instances than any file lists; all of them look the same to the rules. */
const MOST = 2000;

/** Returns the instances of a resource or a module call by `count`, `for_each` and `enabled`. */
export function repetitionOf({ attributes, blocks }: ConfigBlock, scopeIn: ScopeIn): Repetition {
  const enabled = inLifecycle("enabled", blocks).at(-1);
  if (enabled) return onceIf(valueAt(enabled, scopeIn));
  const count = attributes.get("count");
  if (count) return counted(valueAt(count, scopeIn));
  const forEach = attributes.get("for_each");
  return forEach ? forEachOf(valueAt(forEach, scopeIn)) : ONCE;
}

/** Returns all values of an argument of `lifecycle`; override files come last. */
export const inLifecycle = (argument: string, blocks: readonly PlacedBlock[]): readonly ExpressionInFile[] =>
  blocks.flatMap(({ block: { type, body }, file }) =>
    type === "lifecycle" ? body.attributes.flatMap(({ name, value }) => (name === argument ? { value, file } : [])) : [],
  );

/** Completes "there is none, because". */
export const whyEmpty = (by: Repetition["by"]): string =>
  ({ nothing: "enabled is false", count: "count is 0", each: "for_each is empty" })[by];

/** OpenTofu 1.11, meta-arguments/enabled; Terraform does not accept it. */
function onceIf(condition: Value): Repetition {
  const value = convert(condition, BOOL);
  if (value.kind === "bool") return value.value ? ONCE : { by: "nothing", items: [] };
  return { ...ONCE, reason: value.kind === "unknown" ? value.reason : "it is unknown whether it is enabled" };
}

function counted(countValue: Value): Repetition {
  const value = convert(countValue, NUMBER);
  const count = value.kind === "number" ? value.value : undefined;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > MOST) return unknownRepetition("count", value);
  const items = sequence(count, (index): RepeatedBlock => {
    const number: Value = { kind: "number", value: index, loose: false, short: true, trace: value.trace };
    return {
      key: index,
      suffix: `[${index}]`,
      names: new Map([["count", namespace("count", (name) => namespaceOf(name, { index: number }))]]),
    };
  });
  return { by: "count", items };
}

function forEachOf(value: Value): Repetition {
  const pairs: (readonly [string, Value])[] | undefined = isMapping(value)
    ? [...value.entries]
    : isSequence(value) && value.kind === "set"
      ? value.items.flatMap((item) => (item.kind === "string" ? [[item.value, item] as const] : []))
      : undefined;
  if (!pairs || pairs.length > MOST || (isSequence(value) && pairs.length < value.items.length)) return unknownRepetition("each", value);
  const items = pairs.map(([key, item]): RepeatedBlock => {
    const text: Value = { kind: "string", value: key, trace: item.trace };
    return {
      key,
      suffix: suffixOf(key),
      names: new Map([["each", namespace("each", (name) => namespaceOf(name, { key: text, value: item }))]]),
    };
  });
  return { by: "each", items };
}

/** Returns a key in the notation of addresses (Terraform, addrs.toHCLQuotedString). */
export const suffixOf = (key: string): string =>
  `["${key.replace(/["\\\n\r\t]|[$%](?=\{)|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => ESCAPES[character] ?? codeOf(character))}"]`;

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

function namespaceOf(name: string, values: Readonly<Record<string, Value>>): Value {
  return (Object.hasOwn(values, name) && values[name]) || unknownValue(`there is no "${name}" here`);
}

function unknownRepetition(by: "count" | "each", value: Value): Repetition {
  const reason = value.kind === "unknown" ? value.reason : "their number is unknown";
  const nothing = namespace(by, () => unknownValue(reason));
  return { by, reason, items: [{ key: undefined, suffix: "[*]", names: new Map([[by, nothing]]) }] };
}

/** Returns the range of an expression in the joined files. */
export const placeOf = ({ value, file }: ExpressionInFile): Range => rangeIn(file, rangeOf(value));

/** Looks up each name once. A name that is used during its own lookup depends on itself. */
export function cachedNames(label: string, find: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>();
  return (name) => {
    const cached = values.get(name);
    if (cached) return cached;
    values.set(name, unknownValue(`${label} ${name} depends on itself`));
    const value = find(name);
    values.set(name, value);
    return value;
  };
}
