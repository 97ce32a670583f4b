import type { Range } from "../../model/source.ts";
import type { Waypoint } from "../../model/spec.ts";
import {
  type Attribute,
  type Block,
  type Body,
  type Expression,
  nameRange,
  rangeOf,
  type Span,
  type TemplatePart,
} from "../../syntax/hcl/ast.ts";
import { evaluate } from "../../syntax/hcl/evaluate.ts";
import { realText } from "../../syntax/hcl/real.ts";
import type { Scope } from "../../syntax/hcl/scope.ts";
import { stepText } from "../../syntax/hcl/step-text.ts";
import { isCompound, isMapping, isSequence, MAX_STEPS, partsOf, type Value } from "../../syntax/hcl/value.ts";
import type { EvaluatedPlace, EvaluatedValue } from "../project.ts";
import type { ConfigBlock } from "./config-block.ts";
import { traceTo } from "./origins.ts";

/** An expression with its range. */
interface ExpressionAt {
  readonly expression: Expression;
  readonly range: Range;
  /** The top-level block that contains it. */
  readonly block: Block;
  /** Whether it uses names of an enclosing loop or block, so it cannot be evaluated alone. */
  readonly isBound: boolean;
}

const covers = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/**
 * Returns the variable at an offset of a file or, in a block of the types in `evaluated`, the argument or the smallest expression that is
 * not a literal.
 */
export function expressionAt(body: Body, offset: number, evaluated: ReadonlySet<string>): ExpressionAt | undefined {
  const block = body.blocks.find((candidate) => covers(candidate, offset));
  if (block?.type === "variable") return atVariable(block, offset);
  return block && evaluated.has(block.type) ? inBody(block.body, offset, block, false) : undefined;
}

/** The head of a variable's block and its default stand for the variable. */
function atVariable(block: Block, offset: number): ExpressionAt | undefined {
  const [label] = block.labels;
  if (!label) return undefined;
  const defaultValue = block.body.attributes.find(({ name }) => name === "default");
  const head: Span = { start: block.start, end: label.end };
  const place = [head, defaultValue].find((span) => span && covers(span, offset));
  if (!place) return undefined;
  // Evaluated like a use of the variable.
  const { start, end } = place;
  const of: Expression = { kind: "variable", name: "var", start, end };
  return { expression: { kind: "attribute", of, name: label.value, start, end }, range: rangeOf(place), block, isBound: false };
}

function inBody(body: Body, offset: number, block: Block, isBound: boolean): ExpressionAt | undefined {
  const attribute = body.attributes.find((candidate) => covers(candidate, offset));
  if (attribute) return inAttribute(attribute, offset, block, isBound);
  const inner = body.blocks.find((candidate) => covers(candidate, offset));
  return inner && inBody(inner.body, offset, block, isBound || inner.type === "dynamic");
}

function inAttribute(attribute: Attribute, offset: number, block: Block, isBound: boolean): ExpressionAt | undefined {
  const { nameStart, nameEnd, value } = attribute;
  if (nameStart <= offset && offset <= nameEnd) return { expression: value, range: nameRange(attribute), block, isBound };
  const match = inExpression(value, offset, isBound);
  return match && { ...match, range: rangeOf(match.expression), block };
}

type ExpressionMatch = Pick<ExpressionAt, "expression" | "isBound"> | undefined;

function inExpression(expression: Expression, offset: number, isBound: boolean): ExpressionMatch {
  if (!covers(expression, offset)) return undefined;
  if (expression.kind === "attribute" || expression.kind === "variable") return { expression, isBound };
  if (expression.kind === "index") return inExpression(expression.key, offset, isBound) ?? { expression, isBound };
  const binds = isBound || expression.kind === "for" || expression.kind === "splat";
  for (const child of childrenOf(expression)) {
    const match = inExpression(child, offset, binds);
    if (match) return match;
  }
  return SPEAKS_FOR_ITSELF.has(expression.kind) ? undefined : { expression, isBound };
}

const SPEAKS_FOR_ITSELF = new Set<Expression["kind"]>(["literal", "tuple", "object", "missing", "splat-item", "parentheses", "template"]);

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "template":
      return expression.parts.flatMap(inPart);
    case "splat":
      return [expression.of];
    case "call":
      return expression.args;
    case "tuple":
      return expression.items;
    case "object":
      return expression.items.flatMap(({ key, value }) => [key, value]);
    case "for": {
      const { collection, key, value, condition } = expression;
      return [collection, key, value, condition].filter((part) => part !== null);
    }
    case "conditional":
      return [expression.condition, expression.then, expression.otherwise];
    case "binary":
      return [expression.left, expression.right];
    case "unary":
      return [expression.operand];
    case "parentheses":
      return [expression.inner];
    default:
      return [];
  }
}

function inPart(part: TemplatePart): readonly Expression[] {
  switch (part.kind) {
    case "text":
      return [];
    case "interpolation":
      return [part.value];
    case "if":
      return [part.condition, ...[...part.then, ...part.otherwise].flatMap(inPart)];
    case "for":
      return [part.collection, ...part.body.flatMap(inPart)];
  }
}

/** A scope for an expression; `of` distinguishes several scopes. */
export interface NamedScope {
  readonly of: string;
  readonly scope: Scope;
}

/** Whether a value may contain a secret. */
type IsSecret = (value: Value) => boolean;

/** Returns a test for secrets by the names of sensitive variables: a value is secret if it passed, or may have passed, through one. */
export function secretBy(variables: ReadonlySet<string>): IsSecret {
  if (variables.size === 0) return () => false;
  const names = [...variables].map((name) => name.replace(/[^\w-]/g, ""));
  const through = new RegExp(`(?:\\bvar\\.|\\bvariable )(?:${names.join("|")})(?![\\w-])`);
  const isSecret: IsSecret = (value) =>
    value.trace.length >= MAX_STEPS ||
    value.trace.some((step) => through.test(stepText(step))) ||
    (isCompound(value) && [...partsOf(value)].some(isSecret));
  return isSecret;
}

/** Returns the variables that are declared sensitive. */
export const sensitiveAmong = (variables: Iterable<readonly [string, ConfigBlock]>): ReadonlySet<string> =>
  new Set([...variables].filter(([, { attributes }]) => isTrue(attributes.get("sensitive")?.value)).map(([name]) => name));

/** Any expression except a literal `false` may be true. */
const isTrue = (flag: Expression | undefined): boolean => flag !== undefined && !(flag.kind === "literal" && flag.value === false);

/** Returns the values of an expression in several scopes, equal ones only once. Hides secrets. */
export function evaluatedIn(
  { expression, isBound }: ExpressionAt,
  range: Range,
  scopes: readonly NamedScope[],
  isSecret: IsSecret,
): EvaluatedPlace | undefined {
  const values = new Map<string, { value: EvaluatedValue; of: string[] }>();
  for (const { of, scope } of scopes) {
    const value = evaluate(expression, scope);
    if (value.kind === "unknown" && isBound) return undefined;
    const evaluated = evaluatedValue(value, range, isSecret);
    const key = `${evaluated.text} ${evaluated.reason}`;
    const entry = values.get(key);
    if (entry) {
      entry.of.push(of);
      // Equal values with different traces: neither trace applies to all.
      if (!sameTrace(entry.value.trace, evaluated.trace)) entry.value = { ...entry.value, trace: [] };
    } else values.set(key, { value: evaluated, of: [of] });
  }
  if (values.size === 0) return undefined;
  return { range, values: [...values.values()].map(({ value, of }) => ({ ...value, of: of.filter((name) => name !== "") })) };
}

const sameTrace = (a: readonly Waypoint[], b: readonly Waypoint[]): boolean =>
  a.length === b.length && a.every(({ range }, at) => range[0] === b[at]?.range[0]);

function evaluatedValue(value: Value, range: Range, isSecret: IsSecret): EvaluatedValue {
  if (isSecret(value)) return { text: undefined, reason: "it is sensitive", of: [], trace: [] };
  const trace = traceTo(value.trace, range);
  return value.kind === "unknown"
    ? { text: undefined, reason: value.reason, of: [], trace }
    : { text: valueText(value, MOST_TEXT), of: [], trace };
}

/** Longer values do not fit a hover. */
const MOST_TEXT = 300;

/** Returns a value in the notation of the language, shortened if it is long. */
export function valueText(value: Value, room: number): string {
  switch (value.kind) {
    case "null":
      return "null";
    case "bool":
      return String(value.value);
    case "number":
      return realText(value.value);
    case "string":
      return JSON.stringify(value.value.length > room ? `${value.value.slice(0, room)}...` : value.value);
    case "unknown":
      return "(unknown)";
    default:
      return isMapping(value) ? mappingText(value.entries, room) : sequenceText(isSequence(value) ? value.items : [], room);
  }
}

const mappingText = (entries: ReadonlyMap<string, Value>, room: number): string =>
  `{ ${fitted([...entries], room, ([key, item], itemRoom) => `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${valueText(item, itemRoom)}`)} }`;

const sequenceText = (items: readonly Value[], room: number): string => `[${fitted(items, room, valueText)}]`;

function fitted<T>(items: readonly T[], room: number, text: (item: T, itemRoom: number) => string): string {
  const texts: string[] = [];
  let remaining = room;
  for (const item of items) {
    if (remaining <= 0) {
      texts.push("...");
      break;
    }
    const part = text(item, remaining);
    texts.push(part);
    remaining -= part.length + 2;
  }
  return texts.join(", ");
}
