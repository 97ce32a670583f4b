import { addTo } from "../../model/maps.ts";
import type { Range } from "../../model/source.ts";
import type { Expression, TemplatePart } from "./ast.ts";
import { convert, textToNumber } from "./convert.ts";
import { callFunction } from "./functions/call.ts";
import { applied, combined, truth } from "./operators.ts";
import type { Real } from "./real.ts";
import { type Namespace, type Scope, withNames } from "./scope.ts";
import {
  boolValue,
  failed,
  failure,
  followedBy,
  isKnown,
  isMapping,
  isSequence,
  joinTraces,
  loosened,
  numberValue,
  objectValue,
  partsMeter,
  type Sequence,
  type Step,
  sequenceValue,
  stringValue,
  tupleValue,
  type Unknown,
  unknownOf,
  unknownValue,
  type Value,
  withTrace,
} from "./value.ts";
import { equal, isScalar, isSequenceType, NUMBER, STRING, typeOf, unify } from "./value-type.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

const TOO_MUCH = "it takes too much work to evaluate";

/**
 * Evaluates an expression as Terraform would. Never throws: incomputable values are unknown, with a reason, and values that Terraform
 * refuses are failures. A known result never depends on an unknown value.
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  const resolved = resolve(expression, scope);
  return resolved.kind === "namespace" ? placed(resolved.whole(), expression, scope) : resolved;
}

function resolve(expression: Expression, scope: Scope): Value | Namespace {
  const { meter } = scope;
  const isEntered = meter.enter();
  const value = isEntered ? node(expression, scope) : unknownValue(TOO_MUCH);
  if (isEntered) meter.leave();
  if (value.kind === "namespace") return value;
  if (value.kind === "unknown") meter.unknowns++;
  return value.trace.length > 0 ? value : placed(value, expression, scope);
}

function node(expression: Expression, scope: Scope): Value | Namespace {
  switch (expression.kind) {
    case "literal":
      return literal(expression);
    case "template":
      return template(expression, scope);
    case "variable":
      return named(scope.name(expression.name), expression, scope);
    case "attribute":
      return attribute(expression, scope);
    case "index":
      return index(expression, scope);
    case "splat":
      return splat(expression, scope);
    case "splat-item":
      return scope.item ?? unknownValue("there is no splat around it");
    case "call":
      return call(expression, scope);
    case "tuple":
      return tuple(expression.items.map((item) => evaluate(item, scope)));
    case "object":
      return object(expression, scope);
    case "for":
      return forExpression(expression, scope);
    case "conditional":
      return conditional(expression, scope);
    case "binary":
      return binary(expression, scope);
    case "unary":
      return unary(expression, scope);
    case "parentheses":
      return resolve(expression.inner, scope);
    case "missing":
      return unknownValue("the expression is incomplete");
  }
}

const at = (expression: Expression, scope: Scope): Step => ({ range: rangeAt(expression, scope), what: expression });

const rangeAt = ({ start, end }: Expression, { offset }: Scope): Range => [start + offset, end + offset];

/** Adds the trace to a new value: first its own expression, then the traces of its sources. */
const placed = (value: Value, expression: Expression, scope: Scope, sources: readonly Value[] = []): Value =>
  withTrace(value, joinTraces([at(expression, scope)], ...sources.map((source) => source.trace)));

function literal({ value, text }: Of<"literal">): Value {
  if (value === null) return { kind: "null", type: undefined, trace: [] };
  if (typeof value === "boolean") return boolValue(value);
  if (text === undefined && Number.isSafeInteger(value)) return numberValue(value);
  return textToNumber(text ?? String(value));
}

function template(expression: Of<"template">, scope: Scope): Value {
  const { parts, heredoc } = expression;
  const only = parts[0];
  // A template with a single interpolation has the value of that, of any type (HCL, spec.md, "Template Interpolation Unwrapping").
  if (parts.length === 1 && only?.kind === "interpolation" && !heredoc) return evaluate(only.value, scope);
  const sources: Value[] = [];
  const text = join(parts, scope, sources);
  return typeof text === "string" ? placed(stringValue(text), expression, scope, sources) : text;
}

/** Returns the text of template parts, and adds their values to `sources`. */
function join(parts: readonly TemplatePart[], scope: Scope, sources: Value[]): string | Unknown {
  let text = "";
  let unclear: Unknown | undefined;
  for (const part of parts) {
    const next = part.kind === "text" ? part.value : templatePart(part, scope, sources);
    if (typeof next === "string") text += next;
    else if (next.failed) return next;
    else unclear ??= next;
    if (!scope.meter.spend(1 + text.length / 256) || text.length > 1 << 20) return unknownValue(TOO_MUCH);
  }
  return unclear ?? text;
}

function templatePart(part: Exclude<TemplatePart, { kind: "text" }>, scope: Scope, sources: Value[]): string | Unknown {
  if (part.kind === "interpolation") {
    const value = evaluate(part.value, scope);
    sources.push(value);
    const text = value.kind === "null" ? failure("null cannot be part of a text") : convert(value, STRING);
    return text.kind === "string" ? text.value : asUnknown(text);
  }
  if (part.kind === "if") {
    const condition = truth(evaluate(part.condition, scope));
    return typeof condition === "boolean" ? join(condition ? part.then : part.otherwise, scope, sources) : condition;
  }
  const rounds = elements(evaluate(part.collection, scope));
  if (!Array.isArray(rounds)) return rounds;
  let text = "";
  for (const [key, value] of rounds) {
    const next = join(part.body, loop(scope, part.keyName, part.valueName, key, value), sources);
    if (typeof next !== "string") return next;
    text += next;
    if (!scope.meter.spend(1 + text.length / 256) || text.length > 1 << 20) return unknownValue(TOO_MUCH);
  }
  return text;
}

const asUnknown = (value: Value): Unknown => (value.kind === "unknown" ? value : failure("a text is needed"));

/** Returns the keys and values that a `for` iterates over, in Terraform's order. */
export function elements(value: Value): (readonly [Value, Value])[] | Unknown {
  if (value.kind === "unknown") return value;
  if (isMapping(value)) return [...value.entries].map(([key, item]) => [withTrace(stringValue(key), item.trace), item] as const);
  if (!isSequence(value)) return failure("only lists, sets, maps and objects can be iterated over");
  if (!value.ordered) return unknownValue("the order of a set of objects is Terraform's own", value.trace);
  return value.items.map((item, position) => [value.kind === "set" ? item : numberValue(position, true), item] as const);
}

function loop(scope: Scope, keyName: string | null, valueName: string, key: Value, value: Value): Scope {
  const names = new Map([[valueName, value]]);
  if (keyName !== null) names.set(keyName, withTrace(key, value.trace));
  return withNames(scope, names);
}

/** Returns the value of a name, with its use at the end of the trace. */
function named(resolved: Value | Namespace, expression: Expression, scope: Scope): Value | Namespace {
  if (resolved.kind === "namespace") return resolved;
  return withTrace(resolved, followedBy(resolved.trace, at(expression, scope)));
}

function attribute(expression: Of<"attribute">, scope: Scope): Value | Namespace {
  const of = resolve(expression.of, scope);
  if (of.kind === "namespace") return named(of.get(expression.name), expression, scope);
  return part(of, member(of, expression.name), expression, scope);
}

function index(expression: Of<"index">, scope: Scope): Value {
  const of = evaluate(expression.of, scope);
  const key = evaluate(expression.key, scope);
  const unknown = unknownOf(of, key);
  // An unknown index does not tell the resource of the element.
  if (unknown) return unknown === of ? unknown : { ...unknown, resource: undefined, refersTo: undefined };
  if (key.kind === "null") return failure("an index is null");
  if (isMapping(of)) {
    const name = convert(key, STRING);
    return name.kind === "string" ? part(of, member(of, name.value), expression, scope) : asUnknown(name);
  }
  if (!isSequence(of) || of.kind === "set") return failure("it cannot be indexed");
  const position = convert(key, NUMBER);
  return position.kind === "number" ? part(of, item(of, position.value), expression, scope) : asUnknown(position);
}

function item(of: Sequence, position: Real): Value {
  return (typeof position === "number" ? of.items[position] : undefined) ?? failure(`there is no element ${String(position)}`);
}

/** Returns an attribute by name; lists also accept a number, as in `list.0`. */
function member(of: Value, name: string): Value {
  if (of.kind === "unknown") return of;
  if (isMapping(of)) return of.entries.get(name) ?? failure(`there is no attribute "${name}"`);
  if ((of.kind === "list" || of.kind === "tuple") && /^\d{1,9}$/.test(name)) return item(of, Number(name));
  return failure(`there is no attribute "${name}"`);
}

/** Adds the trace to a part of a value: first the place of the part, then the trace of the whole. */
function part(whole: Value, value: Value, expression: Expression, scope: Scope): Value {
  if (value === whole) return value;
  const [first, ...way] = whole.trace;
  const [head, ...rest] = value.trace;
  const isInside = first && head && first.range[0] <= head.range[0] && head.range[1] <= first.range[1];
  const joined = isInside ? joinTraces([{ ...head, what: first.what }, ...rest], way) : joinTraces(value.trace, whole.trace);
  return withTrace(value, followedBy(joined, at(expression, scope)));
}

function splat(expression: Of<"splat">, scope: Scope): Value {
  const of = evaluate(expression.of, scope);
  if (of.kind === "unknown") return of;
  // A single value is a list of itself, and null is an empty list (HCL, ops.go: SplatExpr.Value, "Splat of null value").
  if (of.kind === "null") return of.type && isSequenceType(of.type) ? failure("a list is null") : tupleValue([]);
  if (isSequence(of) && !of.ordered) return unknownValue("the order of a set of objects is Terraform's own");
  // For an empty list, Terraform checks the type for the attribute.
  const { each } = expression;
  const type = isSequence(of) && of.items.length === 0 ? of.of : undefined;
  if (type && isScalar(type) && each.kind !== "splat-item") return failure("text and numbers have no parts");
  const name = each.kind === "attribute" && each.of.kind === "splat-item" ? each.name : undefined;
  if (type?.kind === "object" && name !== undefined && !type.attributes.has(name)) return failure(`there is no attribute "${name}"`);
  const items = (isSequence(of) ? of.items : [of]).map((item) => evaluate(each, { ...scope, item }));
  return failed(items) ?? placed(sequenceValue(of.kind === "list" || of.kind === "set" ? "list" : "tuple", items), expression, scope, [of]);
}

const tuple = (items: readonly Value[]): Value => failed(items) ?? tupleValue(items);

function object({ items }: Of<"object">, scope: Scope): Value {
  const entries: [string, Value][] = [];
  const keys = new Map<string, Range>();
  let unclear: Unknown | undefined;
  for (const { key, value } of items) {
    const name = keyText(objectKey(key, scope));
    const content = evaluate(value, scope);
    if (content.kind === "unknown" && content.failed) return content;
    if (typeof name === "string") {
      entries.push([name, content]);
      keys.set(name, rangeAt(key, scope));
    } else if (name.failed) return name;
    else unclear ??= name;
  }
  return unclear ?? objectValue(entries, keys);
}

const objectKey = (key: Expression, scope: Scope): Value => (key.kind === "variable" ? stringValue(key.name) : evaluate(key, scope));

function keyText(key: Value): string | Unknown {
  const text = key.kind === "null" ? failure("a key is null") : convert(key, STRING);
  return text.kind === "string" ? text.value : asUnknown(text);
}

function forExpression(expression: Of<"for">, scope: Scope): Value {
  const collection = evaluate(expression.collection, scope);
  const rounds = elements(collection);
  if (!Array.isArray(rounds)) return rounds;
  const pairs: (readonly [string, Value])[] = [];
  let unclear: Unknown | undefined;
  const excess = partsMeter();
  for (const [key, value] of rounds) {
    if (!scope.meter.spend(1)) return unknownValue(TOO_MUCH);
    const round = oneRound(expression, loop(scope, expression.keyName, expression.valueName, key, value));
    if (round === "left out") continue;
    if (!Array.isArray(round)) {
      if (round.failed) return round;
      unclear ??= round;
    } else {
      const tooLarge = excess(round[1]);
      if (tooLarge) return tooLarge;
      pairs.push(round);
    }
  }
  if (unclear) return unclear;
  const result = expression.key ? gathered(expression, pairs) : tuple(pairs.map(([, value]) => value));
  return placed(result, expression, scope, [collection]);
}

function oneRound(expression: Of<"for">, scope: Scope): [string, Value] | "left out" | Unknown {
  const condition = expression.condition ? truth(evaluate(expression.condition, scope)) : true;
  if (condition === false) return "left out";
  if (condition !== true) return condition;
  const key = expression.key ? keyText(evaluate(expression.key, scope)) : "";
  const value = evaluate(expression.value, scope);
  if (value.kind === "unknown" && value.failed) return value;
  return typeof key === "string" ? [key, value] : key;
}

function gathered({ group }: Of<"for">, pairs: readonly (readonly [string, Value])[]): Value {
  if (!group) {
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) return failure("two elements have the same key");
    return objectValue(pairs);
  }
  const groups = new Map<string, Value[]>();
  for (const [key, value] of pairs) addTo(groups, key, value);
  return objectValue([...groups].map(([key, values]) => [key, tupleValue(values)] as const));
}

/** Both results are converted to one type (Terraform, expressions/conditionals, "Result Types"). */
function conditional(expression: Of<"conditional">, scope: Scope): Value {
  const condition = truth(evaluate(expression.condition, scope));
  if (typeof condition !== "boolean") {
    if (condition.failed) return condition;
    const then = evaluate(expression.then, scope);
    const otherwise = evaluate(expression.otherwise, scope);
    return isKnown(then) && equal(then, otherwise) === true ? then : unknownValue(condition.reason, condition.trace);
  }
  const { then, otherwise } = expression;
  const [branch, left] = condition ? [then, otherwise] : [otherwise, then];
  const chosen = evaluate(branch, scope);
  const other = evaluate(left, scope);
  if (chosen.kind === "unknown") return chosen;
  if (other.kind === "unknown" && other.failed) return hasTypeWhenFailed(left) ? loosened(chosen) : chosen;
  const type = unify([typeOf(chosen), typeOf(other)]);
  return type ? convert(chosen, type) : unknownValue("the two results of the condition are of different types");
}

/** Whether the reference implementation gives an expression a type, such as text, even if its evaluation fails. */
const hasTypeWhenFailed = (expression: Expression): boolean =>
  expression.kind === "parentheses"
    ? hasTypeWhenFailed(expression.inner)
    : !["index", "attribute", "call", "variable"].includes(expression.kind);

function unary(expression: Of<"unary">, scope: Scope): Value {
  const operand = evaluate(expression.operand, scope);
  const value = applied(expression.operator, operand);
  return value.kind === "unknown" ? value : placed(value, expression, scope, [operand]);
}

function binary(expression: Of<"binary">, scope: Scope): Value {
  const left = evaluate(expression.left, scope);
  const right = evaluate(expression.right, scope);
  const value = combined(expression.operator, left, right, scope.meter);
  return value.kind === "unknown" ? value : placed(value, expression, scope, [left, right]);
}

function call(expression: Of<"call">, scope: Scope): Value {
  const { name } = expression;
  if (name === "try" || name === "can") return attempt(expression, scope);
  const args = expression.args.map((argument) => evaluate(argument, scope));
  const unclear = failed(args);
  if (unclear) return unclear;
  const spread = expression.expand ? expanded(args) : args;
  if (!Array.isArray(spread)) return spread as Unknown;
  const value = callFunction(name, spread, scope);
  // A function that returns an argument, or a part of one, keeps its trace.
  if (value.trace.length > 0) return withTrace(value, followedBy(value.trace, at(expression, scope)));
  return placed(value, expression, scope, args);
}

/** Expands the last argument of `max(list...)`. */
function expanded(args: readonly Value[]): readonly Value[] | Unknown {
  const last = args.at(-1);
  if (!last) return failure("there is nothing to expand");
  if (last.kind === "unknown") return last;
  if (!isSequence(last)) return failure("only a list can be expanded into arguments");
  if (!last.ordered) return unknownValue("the order of a set of objects is Terraform's own");
  return [...args.slice(0, -1), ...last.items];
}

/**
 * Evaluates `try` and `can`. Only an argument without any unknown part certainly succeeds; an argument that certainly fails is skipped
 * (Terraform, functions/try and functions/can).
 */
function attempt(expression: Of<"call">, scope: Scope): Value {
  const { args, name } = expression;
  if (args.length === 0 || (name === "can" && args.length > 1)) return failure(`${name}() has the wrong number of arguments`);
  const last: Unknown[] = [];
  for (const argument of args) {
    const before = scope.meter.unknowns;
    const value = evaluate(argument, scope);
    if (value.kind === "unknown" && value.failed) {
      last[0] = value;
      continue;
    }
    if (scope.meter.unknowns !== before || !isKnown(value)) return unknownValue(unknownOf(value)?.reason ?? "a part of it is unknown");
    return name === "can" ? boolValue(true) : value;
  }
  return name === "can" ? boolValue(false) : (last[0] ?? failure("every argument fails"));
}
