import type { Range } from "../../model/source.ts";
import type { Attribute, Block, Body, Expression, Label, SyntaxError as Mistake, ParsedHcl } from "./ast.ts";
import { missing } from "./expressions.ts";
import { type JsonMember, type JsonString, type JsonValue, readJsonValues } from "./json-values.ts";
import { numberLiteral } from "./numbers.ts";
import { parseTemplate } from "./templates.ts";

/** Which properties of a body are blocks, how many labels they have, and which blocks lie in them. All others are attributes. */
export interface BlockTypes {
  readonly [type: string]: { readonly labels: number; readonly blocks: BlockTypes };
}

/** Parses `.tf.json` and `.pkr.json` (HashiCorp's specification, json/spec.md). JSON alone does not tell blocks from attributes. */
export function parseHclJson(text: string, types: BlockTypes): ParsedHcl {
  const { value, errors } = readJsonValues(text);
  const all = [...errors];
  return { body: { ...new Mapping(all).body(value, types), range: [0, text.length] }, comments: [], errors: all };
}

class Mapping {
  private readonly errors: Mistake[];

  constructor(errors: Mistake[]) {
    this.errors = errors;
  }

  /** A body is an object or an array of objects. A property "//" is a comment. */
  body(json: JsonValue, types: BlockTypes): Body {
    const attributes: Attribute[] = [];
    const blocks: Block[] = [];
    for (const member of this.members(json)) {
      const type = Object.hasOwn(types, member.name.value) ? types[member.name.value] : undefined;
      if (type) for (const block of this.blocks(member.name, [], member.value, type)) blocks.push(block);
      else if (member.name.value !== "//") attributes.push(this.attribute(member));
    }
    return { attributes, blocks, range: json.range };
  }

  private members(json: JsonValue): readonly JsonMember[] {
    if (json.kind === "object") return json.members;
    if (json.kind === "array") return json.items.flatMap((item) => (item.kind === "object" ? item.members : this.refuse(item)));
    return this.refuse(json);
  }

  private refuse({ kind, range }: JsonValue): readonly never[] {
    if (kind !== "missing") this.errors.push({ message: "A JSON object is expected here.", range });
    return [];
  }

  private attribute({ name, value }: JsonMember): Attribute {
    return { name: name.value, nameRange: inside(name), value: this.expression(value), range: [name.range[0], value.range[1]] };
  }

  /** Each level of objects gives a label, until there are as many as the type has; then each object is a block. */
  private blocks(type: JsonString, labels: readonly Label[], json: JsonValue, wanted: BlockTypes[string]): readonly Block[] {
    if (labels.length < wanted.labels) {
      return this.members(json).flatMap(({ name, value }) =>
        this.blocks(type, [...labels, { value: name.value, range: inside(name) }], value, wanted),
      );
    }
    const bodies = json.kind === "array" ? json.items : [json];
    return bodies.map((body) => ({
      type: type.value,
      typeRange: inside(type),
      labels,
      body: this.body(body, wanted.blocks),
      range: [type.range[0], body.range[1]],
    }));
  }

  private expression(json: JsonValue): Expression {
    const { range } = json;
    switch (json.kind) {
      case "missing":
        return missing(range);
      case "scalar":
        return KEYWORDS.has(json.text) ? { kind: "literal", range, value: JSON.parse(json.text) } : numberLiteral(json.text, range);
      case "string":
        return this.template(json);
      case "array":
        return { kind: "tuple", range, items: json.items.map((item) => this.expression(item)) };
      case "object": {
        const items = json.members.map(({ name, value }) => ({
          key: this.template(name),
          value: this.expression(value),
          range: [name.range[0], value.range[1]] as const,
        }));
        return { kind: "object", range, items };
      }
    }
  }

  /** A string is a template; what it holds lies where its characters lie in the file. */
  private template(json: JsonString): Expression {
    const { value, range, offsetOf } = json;
    const plain: Expression = { kind: "template", range, parts: [], heredoc: false };
    if (value === "") return plain;
    if (!/[$%]\{/.test(value)) return { ...plain, parts: [{ kind: "text", value: value.normalize(), range: inside(json) }] };
    const place = ([start, end]: Range): Range => [offsetOf(start), offsetOf(end)];
    const { parts, errors } = parseTemplate(value);
    for (const error of errors) this.errors.push({ ...error, range: place(error.range) });
    return errors.length > 0 ? missing(range) : { ...plain, parts: placed(parts, place) };
  }
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Where a string lies without its quotes. */
const inside = ({ range: [start, end] }: JsonString): Range => [start + 1, Math.max(start + 1, end - 1)];

/** A tree whose ranges are moved. */
function placed<T>(tree: T, place: (range: Range) => Range): T {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((item) => placed(item, place)) as T;
  const entries = Object.entries(tree).map(([key, value]) => [key, /range$/i.test(key) ? place(value) : placed(value, place)]);
  return Object.fromEntries(entries);
}
