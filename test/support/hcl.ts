import type { Attribute, Block, Body, Expression, ParsedHcl, TemplatePart } from "../../packages/core/src/syntax/hcl/ast.ts";
import { parseHcl } from "../../packages/core/src/syntax/hcl/parse.ts";

/** An expression with its structure made plain: every operation in parentheses, no blanks that mean nothing. */
export function show(e: Expression): string {
  switch (e.kind) {
    case "literal":
      return e.text ?? String(e.value);
    case "template":
      return `"${e.parts.map(showPart).join("|")}"`;
    case "variable":
      return e.name;
    case "attribute":
      return `${show(e.of)}.${e.name}`;
    case "index":
      return `${show(e.of)}[${show(e.key)}]`;
    case "splat":
      return `${show(e.of)}${e.full ? "[*]" : ".*"}{${show(e.each)}}`;
    case "splat-item":
      return "@";
    case "call":
      return `${e.name}(${e.args.map(show).join(", ")}${e.expand ? "..." : ""})`;
    case "tuple":
      return `[${e.items.map(show).join(", ")}]`;
    case "object":
      return `{${e.items.map(({ key, value }) => `${show(key)} = ${show(value)}`).join(", ")}}`;
    case "for": {
      const value = e.key ? `${show(e.key)} => ${show(e.value)}${e.group ? "..." : ""}` : show(e.value);
      return `<for ${e.keyName ?? "_"}, ${e.valueName} in ${show(e.collection)} : ${value}${e.condition ? ` if ${show(e.condition)}` : ""}>`;
    }
    case "conditional":
      return `(${show(e.condition)} ? ${show(e.then)} : ${show(e.otherwise)})`;
    case "binary":
      return `(${show(e.left)} ${e.operator} ${show(e.right)})`;
    case "unary":
      return `(${e.operator}${show(e.operand)})`;
    case "parentheses":
      return `(${show(e.inner)})`;
    case "missing":
      return "?";
  }
}

function showPart(part: TemplatePart): string {
  switch (part.kind) {
    case "text":
      return JSON.stringify(part.value).slice(1, -1);
    case "interpolation":
      return `\${${show(part.value)}}`;
    case "if":
      return `%if ${show(part.condition)}<${part.then.map(showPart).join("|")}>else<${part.otherwise.map(showPart).join("|")}>`;
    case "for":
      return `%for ${part.keyName ?? "_"}, ${part.valueName} in ${show(part.collection)}<${part.body.map(showPart).join("|")}>`;
  }
}

/** Every attribute, by the types and labels of the blocks around it and its name. */
export function* attributesOf(body: Body, path = ""): Generator<readonly [path: string, attribute: Attribute]> {
  for (const attribute of body.attributes) yield [path + attribute.name, attribute];
  for (const block of body.blocks) yield* attributesOf(block.body, `${path}${header(block)}/`);
}

export const header = ({ type, labels }: Block): string => [type, ...labels.map(({ value }) => value)].join(".");

/** Every attribute's path with its value. */
export const values = ({ body }: ParsedHcl): readonly string[] =>
  [...attributesOf(body)].map(([path, { value }]) => `${path} = ${show(value)}`);

/** A value that stands alone in a file. */
export function parsedValue(text: string): Expression {
  const { body, errors } = parseHcl(`x = ${text}\n`);
  const [attribute] = body.attributes;
  if (!attribute || errors.length > 0) throw new Error(`${JSON.stringify(errors)} in ${text}`);
  return attribute.value;
}

/** Returns the nodes of a tree whose range or name is outside of the text or of their parent. */
export function misplaced(tree: unknown, outer: readonly [number, number]): readonly string[] {
  if (typeof tree !== "object" || tree === null) return [];
  const { kind = "", start, end, nameStart, nameEnd, typeStart, typeEnd } = tree as Readonly<Record<string, number | undefined>>;
  const own = start === undefined ? outer : ([start, end ?? Number.NaN] as const);
  const wrong = [[start, end, outer] as const, [nameStart, nameEnd, own] as const, [typeStart, typeEnd, own] as const].flatMap(
    ([from, to = Number.NaN, [first, last]]) =>
      from === undefined || (from >= first && from <= to && to <= last) ? [] : `${kind} ${from} to ${to} in ${first} to ${last}`,
  );
  return [...wrong, ...Object.values(tree).flatMap((value) => misplaced(value, own))];
}
