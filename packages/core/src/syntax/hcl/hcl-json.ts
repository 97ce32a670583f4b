import {
  type Attribute,
  type Block,
  type Body,
  type Expression,
  type Label,
  type SyntaxError as Mistake,
  missing,
  type ParsedHcl,
  rangeOf,
  type Span,
} from "./ast.ts";
import { type JsonMember, type JsonString, type JsonValue, readJsonValues } from "./json-values.ts";
import { numberLiteral } from "./number-literal.ts";
import { parseTemplate } from "./parse-template.ts";

/** The properties of a body that are blocks, with their number of labels and their nested blocks. All others are attributes. */
export interface BlockTypes {
  readonly [type: string]: { readonly labels: number; readonly blocks: BlockTypes; readonly strings?: Strings };
}

/** The kind of the strings in a body's attributes: templates, or plain text if there are no names (hcl/json, expression.Value). */
type Strings = "templates" | "plain";

/** Parses `.tf.json` and `.pkr.json` (HashiCorp's specification, json/spec.md). JSON alone does not tell blocks from attributes. */
export function parseHclJson(text: string, types: BlockTypes, strings: Strings = "templates"): ParsedHcl {
  const { value, errors } = readJsonValues(text);
  const all = [...errors];
  return { body: { ...new Mapping(all).body(value, types, strings), start: 0, end: text.length }, comments: [], errors: all };
}

class Mapping {
  private readonly errors: Mistake[];

  constructor(errors: Mistake[]) {
    this.errors = errors;
  }

  /** A body is an object or an array of objects. A property "//" is a comment. */
  body(json: JsonValue, types: BlockTypes, strings: Strings): Body {
    const attributes: Attribute[] = [];
    const blocks: Block[] = [];
    for (const member of this.members(json)) {
      const type = Object.hasOwn(types, member.name.value) ? types[member.name.value] : undefined;
      if (type) for (const block of this.blocks(member.name, [], member.value, type)) blocks.push(block);
      else if (member.name.value !== "//") attributes.push(this.attribute(member, strings));
    }
    return { attributes, blocks, start: json.start, end: json.end };
  }

  private members(json: JsonValue): readonly JsonMember[] {
    if (json.kind === "object") return json.members;
    if (json.kind === "array") return json.items.flatMap((item) => (item.kind === "object" ? item.members : this.refuse(item)));
    return this.refuse(json);
  }

  private refuse(json: JsonValue): readonly never[] {
    if (json.kind !== "missing") this.errors.push({ message: "A JSON object is expected here.", range: rangeOf(json) });
    return [];
  }

  private attribute({ name, value }: JsonMember, strings: Strings): Attribute {
    const { start: nameStart, end: nameEnd } = inside(name);
    return { name: name.value, nameStart, nameEnd, value: this.expression(value, strings), ...memberSpan(name, value) };
  }

  /** Each level of objects is a label, up to the number for its type; then each object is a block. */
  private blocks(type: JsonString, labels: readonly Label[], json: JsonValue, blockType: BlockTypes[string]): readonly Block[] {
    if (labels.length < blockType.labels) {
      return this.members(json).flatMap(({ name, value }) =>
        this.blocks(type, [...labels, { value: name.value, ...inside(name) }], value, blockType),
      );
    }
    const { start: typeStart, end: typeEnd } = inside(type);
    // Null is not a block (hcl/json, body.unpackBlock).
    const bodies = json.kind === "array" ? json.items : json.kind === "scalar" && json.text === "null" ? [] : [json];
    return bodies.map((body) => ({
      type: type.value,
      typeStart,
      typeEnd,
      labels,
      body: this.body(body, blockType.blocks, blockType.strings ?? "templates"),
      ...memberSpan(type, body),
    }));
  }

  private expression(json: JsonValue, strings: Strings): Expression {
    const { start, end } = json;
    switch (json.kind) {
      case "missing":
        return missing(start, end);
      case "scalar":
        return KEYWORDS.has(json.text)
          ? { kind: "literal", start, end, value: JSON.parse(json.text) }
          : numberLiteral(json.text, start, end);
      case "string":
        return this.template(json, strings);
      case "array":
        return { kind: "tuple", start, end, items: json.items.map((item) => this.expression(item, strings)) };
      case "object": {
        const items = json.members.map(({ name, value }) => ({
          key: this.template(name, strings),
          value: this.expression(value, strings),
          ...memberSpan(name, value),
        }));
        return { kind: "object", start, end, items };
      }
    }
  }

  /** Shifts the template's ranges to the characters of the JSON string in the file. */
  private template(json: JsonString, strings: Strings): Expression {
    const { start, end, value, offsetOf } = json;
    const plain: Expression = { kind: "template", start, end, parts: [], heredoc: false };
    if (value === "") return plain;
    if (strings === "plain" || !/[$%]\{/.test(value))
      return { ...plain, parts: [{ kind: "text", value: value.normalize(), ...inside(json) }] };
    const { parts, errors } = parseTemplate(value);
    for (const error of errors) this.errors.push({ ...error, range: [offsetOf(error.range[0]), offsetOf(error.range[1])] });
    return errors.length > 0 ? missing(start, end) : { ...plain, parts: placed(parts, offsetOf) };
  }
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Returns the range of a string without its quotes. */
const inside = ({ start, end }: JsonString): Span => ({ start: start + 1, end: Math.max(start + 1, end - 1) });

const memberSpan = ({ start }: JsonString, { end }: JsonValue): Span => ({ start, end });

/** Returns a tree with shifted ranges. */
function placed<T>(tree: T, place: (offset: number) => number): T {
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((item) => placed(item, place)) as T;
  const entries = Object.entries(tree).map(([key, value]) => [key, key === "start" || key === "end" ? place(value) : placed(value, place)]);
  return Object.fromEntries(entries);
}
