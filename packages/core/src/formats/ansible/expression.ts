import { parse, tokenize } from "@huggingface/jinja";
import { YAMLMap } from "yaml";
import { entriesOf, get, isList, isMapping, isNothing, isPlain, itemsOf, pairsOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { isOpen } from "./steps.ts";

/** The value of a Jinja expression if the files decide it. */
export type Result =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "items"; readonly items: readonly Value[] }
  | { readonly kind: "number"; readonly number: number; readonly isFloat: boolean }
  | { readonly kind: "text"; readonly text: string }
  /** A variable that no file sets. */
  | { readonly kind: "unset" };

/** Looks up a variable; `undefined` if only a run knows its value. */
export type Lookup = (name: string, path: readonly string[]) => Result | undefined;

/** The parser nodes that vmlint evaluates; for other types only a run knows the value. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly object?: Node;
  readonly property?: Node;
  readonly computed?: boolean;
  readonly callee?: Node;
  readonly args?: readonly Node[];
  readonly operand?: Node;
  readonly filter?: Node;
  readonly operator?: { readonly value: string };
  readonly left?: Node;
  readonly right?: Node;
}

/** People do not write longer expressions. */
const LONGEST = 1000;

/** Evaluates a text of the form `{{ expression }}`; `undefined` for any other text, or if only a run knows the value. */
export function evaluate(text: string, lookup: Lookup): Result | undefined {
  if (text.length > LONGEST) return undefined;
  let body: readonly Node[];
  try {
    // The parser does not accept dots in names; the filters of Ansible's own collection are the same with and without its prefix.
    body = parse(tokenize(text.replace(/\bansible\.builtin\./g, ""))).body as readonly Node[];
  } catch {
    // The parser does not know Ansible's own filters and tests, so only a run can evaluate these.
    return undefined;
  }
  const [only, second] = body;
  return only && !second ? resultOf(only, lookup) : undefined;
}

function resultOf(node: Node, lookup: Lookup): Result | undefined {
  switch (node.type) {
    case "IntegerLiteral":
      return { kind: "number", number: node.value as number, isFloat: false };
    case "StringLiteral":
      return { kind: "text", text: node.value as string };
    case "ArrayLiteral":
      return (node.value as readonly Node[]).length === 0 ? { kind: "items", items: [] } : undefined;
    case "Identifier":
    case "MemberExpression":
      return variable(node, lookup);
    case "BinaryExpression":
      // Jinja joins texts before it adds, and the parser does not.
      if (node.operator?.value === "~" && ["+", "-"].includes(node.left?.operator?.value ?? "")) return undefined;
      return binary(node, lookup);
    case "FilterExpression":
      return filtered(node, lookup);
    case "CallExpression":
      return called(node, lookup);
    default:
      return undefined;
  }
}

/** Names with a meaning in Jinja. */
const CONSTANTS = /^(?:[nN]one|[tT]rue|[fF]alse)$/;

/** The variables of all hosts, by host; and the name of the host that a task runs for. */
export const HOSTVARS = "hostvars";
export const THIS_HOST = "inventory_hostname";

/** A variable with literal members: `vm.cpus`, `vm['cpus']`. The host of `hostvars[item]` may be an expression. */
function variable(node: Node, lookup: Lookup): Result | undefined {
  const path: string[] = [];
  let at: Node | undefined = node;
  while (at?.type === "MemberExpression") {
    const { property, computed } = at;
    const isOfHost = computed === true && at.object?.type === "Identifier" && at.object.value === HOSTVARS;
    const member = isOfHost ? property && hostOf(property, lookup) : literalMember(property, computed);
    if (member === undefined) return undefined;
    path.unshift(member);
    at = at.object;
  }
  const name = at?.type === "Identifier" ? String(at.value) : undefined;
  return name === undefined || CONSTANTS.test(name) ? undefined : lookup(name, path);
}

const literalMember = (property: Node | undefined, computed: boolean | undefined): string | undefined =>
  property?.type === (computed ? "StringLiteral" : "Identifier") ? String(property.value) : undefined;

function hostOf(node: Node, lookup: Lookup): string | undefined {
  if (node.type === "Identifier" && node.value === THIS_HOST) return THIS_HOST;
  const result = resultOf(node, lookup);
  return result && plainText(result);
}

function binary({ operator, left, right }: Node, lookup: Lookup): Result | undefined {
  const [leftResult, other] = [left && resultOf(left, lookup), right && resultOf(right, lookup)];
  if (!leftResult || !other || !operator) return undefined;
  const [a, b] = [numberOf(leftResult), numberOf(other)];
  if (a !== undefined && b !== undefined) return calculate(operator.value, a, b);
  const [listA, listB] = [listOf(leftResult), listOf(other)];
  if (operator.value === "+" && listA && listB) return { kind: "items", items: [...listA, ...listB] };
  const [textA, textB] = [plainText(leftResult), plainText(other)];
  const joins = operator.value === "~" || (operator.value === "+" && isText(leftResult) && isText(other));
  return joins && textA !== undefined && textB !== undefined ? { kind: "text", text: textA + textB } : undefined;
}

/** Python's arithmetic on whole numbers: `/` returns a float, `//` and `%` round down. */
function calculate(operator: string, a: number, b: number): Result | undefined {
  if (b === 0 && /^[/%]/.test(operator)) return undefined;
  const results: Readonly<Record<string, number>> = {
    "+": a + b,
    "-": a - b,
    "*": a * b,
    "/": a / b,
    "//": Math.floor(a / b),
    "%": a - b * Math.floor(a / b),
  };
  const number = results[operator];
  if (number === undefined || Math.abs(number) > Number.MAX_SAFE_INTEGER) return undefined;
  return { kind: "number", number, isFloat: operator === "/" };
}

function filtered({ operand, filter }: Node, lookup: Lookup): Result | undefined {
  const name = (filter?.type === "CallExpression" ? filter.callee?.value : filter?.value) as string | undefined;
  const args = filter?.type === "CallExpression" ? (filter.args ?? []) : [];
  const input = operand && resultOf(operand, lookup);
  if (!input) return undefined;
  if (name === "default" || name === "d") return withDefault(input, args, lookup);
  return input.kind === "unset" ? undefined : FILTERS[name ?? ""]?.(input, args, lookup);
}

/** `default(x)`, and `default(x, true)`, which also replaces values that are false in Python. */
function withDefault(input: Result, [fallback, falsy]: readonly Node[], lookup: Lookup): Result | undefined {
  const counts = falsy?.type === "Identifier" && /^true$/i.test(String(falsy.value));
  if (falsy && !counts) return undefined;
  if (input.kind === "unset" || (counts && isEmpty(input))) return fallback && resultOf(fallback, lookup);
  return input;
}

const isEmpty = (input: Result): boolean => plainText(input) === "" || listOf(input)?.length === 0 || numberOf(input) === 0;

type Filter = (input: Result, args: readonly Node[], lookup: Lookup) => Result | undefined;

/** The filters that vmlint evaluates, as Jinja and ansible-core define them. */
const FILTERS: Readonly<Record<string, Filter>> = {
  int: (input, args) => {
    const text = input.kind === "number" ? String(Math.trunc(input.number)) : plainText(input)?.trim();
    return args.length === 0 && text !== undefined && /^[-+]?\d{1,15}$/.test(text)
      ? { kind: "number", number: Number(text), isFloat: false }
      : undefined;
  },
  string: (input) => {
    const text = plainText(input);
    return text === undefined ? undefined : { kind: "text", text };
  },
  list: (input) => {
    const items = listOf(input);
    return items && { kind: "items", items };
  },
  dict2items: (input, args) => (args.length === 0 && input.kind === "value" ? pairs(input.value) : undefined),
  combine: (input, args, lookup) => {
    const inputs = [input, ...args.map((arg) => resultOf(arg, lookup))];
    return combined(
      inputs.flatMap((result) => (result?.kind === "value" && isMapping(result.value) ? [result.value] : [])),
      inputs.length,
    );
  },
  selectattr: (input, args) => selected(input, args, true),
  rejectattr: (input, args) => selected(input, args, false),
};

/** Returns the keys and values of a mapping as items; nothing if a template creates a key. */
export const pairsIn = (mapping: Value): readonly Value[] =>
  entriesOf(mapping).some(({ keyRange }) => isOpen(mapping.source.text.slice(...keyRange))) ? [] : pairsOf(mapping);

function pairs(value: Value): Result | undefined {
  const items = isMapping(value) ? pairsIn(value) : [];
  return items.length > 0 ? { kind: "items", items } : undefined;
}

/** Merges mappings of one file, the last one strongest. Each value keeps its range. */
function combined(mappings: readonly Value[], expected: number): Result | undefined {
  const [first] = mappings;
  if (!first || mappings.length < expected || mappings.some(({ document }) => document !== first.document)) return undefined;
  const node = new YAMLMap();
  for (const { node: mapping } of mappings) {
    if (!(mapping instanceof YAMLMap)) return undefined;
    node.items.push(...mapping.items);
  }
  return { kind: "value", value: { ...first, node: node as NonNullable<Value["node"]> } };
}

/** Filters a list by one attribute: `selectattr('name', 'equalto', 'sql01')`, `selectattr('enabled')`. */
function selected(input: Result, [attribute, test, operand]: readonly Node[], keeps: boolean): Result | undefined {
  const items = listOf(input);
  if (!items || attribute?.type !== "StringLiteral" || String(attribute.value).includes(".")) return undefined;
  const results = items.map((item) => holds(get(item, String(attribute.value)), test, operand));
  if (results.includes(undefined)) return undefined;
  return { kind: "items", items: items.filter((_, i) => results[i] === keeps) };
}

function holds(value: Value, test: Node | undefined, operand: Node | undefined): boolean | undefined {
  const text = textOf(value);
  if (text?.includes("{{") || value.unsure !== undefined) return undefined;
  if (test === undefined) return isPlain(value) ? /^(?:true|yes|on)$/i.test(text ?? "") || undefined : undefined;
  if (test.value === "defined") return !isNothing(value);
  const isEqual = test.value === "equalto" || test.value === "==" || test.value === "eq";
  // In Python a number never equals a text, so only texts are compared.
  return isEqual && operand?.type === "StringLiteral" && text !== undefined && !/^[\d.+-]/.test(text) ? text === operand.value : undefined;
}

/** `query('dict', x)` and `q` return the same as `dict2items`. `lookup` returns a single item without its list. */
function called({ callee, args = [] }: Node, lookup: Lookup): Result | undefined {
  const [kind, iterable, more] = args;
  const isQuery = callee?.type === "Identifier" && ["lookup", "query", "q"].includes(String(callee.value));
  if (!isQuery || kind?.type !== "StringLiteral" || kind.value !== "dict" || !iterable || more) return undefined;
  const collection = resultOf(iterable, lookup);
  const items = collection?.kind === "value" ? pairs(collection.value) : undefined;
  return callee.value === "lookup" && items?.kind === "items" && items.items.length === 1 ? undefined : items;
}

/** Only a plain number is a number in YAML; Python multiplies a quoted one as text. */
function numberOf(result: Result): number | undefined {
  if (result.kind === "number") return result.isFloat ? undefined : result.number;
  if (result.kind !== "value" || result.value.part !== undefined || !isPlain(result.value)) return undefined;
  const text = textOf(result.value) ?? "";
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

function listOf(result: Result): readonly Value[] | undefined {
  if (result.kind === "items") return result.items;
  return result.kind === "value" && isList(result.value) ? itemsOf(result.value) : undefined;
}

const isText = (result: Result): boolean => result.kind === "text" || (result.kind === "value" && !isPlain(result.value));

/** Returns the text of a scalar result except floats; `undefined` if it contains a template. */
export function plainText(result: Result): string | undefined {
  if (result.kind === "text") return result.text;
  if (result.kind === "number") return result.isFloat ? undefined : String(result.number);
  const text = result.kind === "value" ? textOf(result.value) : undefined;
  return text?.includes("{{") ? undefined : text;
}
