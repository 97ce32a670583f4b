import {
  type AnyNode,
  type ArrayNode,
  type MemberNode,
  type NumberNode,
  type ObjectNode,
  parse as parseJson,
  type StringNode,
  type ValueNode,
} from "@humanwhocodes/momoa";
import type { Range } from "../../model/source.ts";
import type { Attribute, Block, Body, Expression, Label, ParsedHcl, TemplatePart } from "./ast.ts";
import { numberLiteral } from "./numbers.ts";
import { parseHcl } from "./parse.ts";

/** How many labels the blocks of a type have; a type that is not named is an attribute, or a block without labels. */
export type BlockLabels = ReadonlyMap<string, number>;

/** Reads HCL's JSON syntax (HashiCorp's specification, json/spec.md) into the tree of the native one. */
export function parseJsonSyntax(text: string, labels: BlockLabels): ParsedHcl {
  try {
    const { body } = parseJson(text, { ranges: true });
    if (body.type === "Object") return { body: bodyOf(body, text, labels), comments: [], errors: [] };
    return failed("The file must hold one object.", text);
  } catch (error) {
    // A text nested deeper than the stack is told apart from no other mistake: it is none of Terraform's files.
    return failed(error instanceof RangeError ? "It is nested too deeply." : (error as Error).message.replace(/\s*\(\d+:\d+\)$/, ""), text);
  }
}

const failed = (message: string, text: string): ParsedHcl => ({
  body: { attributes: [], blocks: [], range: [0, text.length] },
  comments: [],
  errors: [{ message, range: [0, Math.min(1, text.length)] }],
});

const rangeOf = (node: AnyNode): Range => [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
const nameIn = ({ name }: MemberNode): string => (name.type === "String" ? name.value : name.name);
/** Without the quotes. */
const nameRange = ({ name }: MemberNode): Range => [rangeOf(name)[0] + 1, rangeOf(name)[1] - 1];

function bodyOf(object: ObjectNode, text: string, labels: BlockLabels): Body {
  const attributes: Attribute[] = [];
  const blocks: Block[] = [];
  for (const member of object.members) {
    const name = nameIn(member);
    const count = labels.get(name);
    if (count === undefined) {
      attributes.push({ name, nameRange: nameRange(member), value: expressionOf(member.value, text), range: rangeOf(member) });
    }
    // Only who reads it knows whether an object is a value or a block.
    blocks.push(...blocksOf(member, member.value, [], count ?? 0, text, count === undefined ? labels : NESTED));
  }
  return { attributes, blocks, range: rangeOf(object) };
}

/** Inside of a block only `dynamic` has a label. */
const NESTED: BlockLabels = new Map([["dynamic", 1]]);

function blocksOf(
  member: MemberNode,
  value: ValueNode,
  labels: readonly Label[],
  missing: number,
  text: string,
  inside: BlockLabels,
): readonly Block[] {
  if (value.type === "Array") return value.elements.flatMap((item) => blocksOf(member, item.value, labels, missing, text, inside));
  if (value.type !== "Object") return [];
  if (missing > 0) {
    return value.members.flatMap((inner) => {
      const label = { value: nameIn(inner), range: nameRange(inner) };
      return blocksOf(member, inner.value, [...labels, label], missing - 1, text, inside);
    });
  }
  return [{ type: nameIn(member), typeRange: nameRange(member), labels, body: bodyOf(value, text, inside), range: rangeOf(value) }];
}

/** A JSON value as an expression: its strings are templates. */
function expressionOf(node: ValueNode, text: string): Expression {
  const range = rangeOf(node);
  switch (node.type) {
    case "Object":
      return { kind: "object", range, items: node.members.map((member) => objectItem(member, text)) };
    case "Array":
      return { kind: "tuple", range, items: (node as ArrayNode).elements.map((item) => expressionOf(item.value, text)) };
    case "String":
      return templateOf(node, text);
    case "Number":
      return numberLiteral(text.slice(...rangeOf(node as NumberNode)), range);
    case "Boolean":
      return { kind: "literal", range, value: node.value };
    default:
      return { kind: "literal", range, value: null };
  }
}

function objectItem(member: MemberNode, text: string) {
  const key = member.name.type === "String" ? templateOf(member.name, text) : plain(nameIn(member), nameRange(member));
  return { key, value: expressionOf(member.value, text), range: rangeOf(member) };
}

const plain = (value: string, range: Range): Expression => {
  const parts: readonly TemplatePart[] = value === "" ? [] : [{ kind: "text", value, range }];
  return { kind: "template", range, parts, heredoc: false };
};

const MARKER = "END_OF_TEMPLATE";
const BEFORE = `x = <<${MARKER}\n`;

/** A string is read as a heredoc is, which has no escapes of its own either. */
function templateOf(node: StringNode, text: string): Expression {
  const { value } = node;
  const range = rangeOf(node);
  if (!/[$%]\{/.test(value) || value.includes(MARKER)) return plain(value, range);
  const { body, errors } = parseHcl(`${BEFORE}${value}\n${MARKER}\n`);
  const template = body.attributes[0]?.value;
  if (errors.length > 0 || template?.kind !== "template") return { kind: "missing", range };
  const parts = withoutLastNewline(template.parts);
  const isVerbatim = !text.slice(...range).includes("\\");
  const start = range[0] + 1 - BEFORE.length;
  const place = ([from, to]: Range): Range => (isVerbatim ? [from + start, Math.min(to + start, range[1])] : range);
  return { kind: "template", range, parts: moved(parts, place), heredoc: false };
}

function withoutLastNewline(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const last = parts.at(-1);
  if (last?.kind !== "text") return parts;
  const value = last.value.replace(/\n$/, "");
  return value === "" ? parts.slice(0, -1) : [...parts.slice(0, -1), { ...last, value }];
}

/** A tree with all its ranges changed. */
function moved<T>(tree: T, place: (range: Range) => Range): T {
  if (Array.isArray(tree)) return tree.map((item) => moved(item, place)) as T;
  if (typeof tree !== "object" || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, /[rR]ange$/.test(key) ? place(value as Range) : moved(value, place)]),
  ) as T;
}
