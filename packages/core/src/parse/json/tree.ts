import { type ObjectNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import type { SourceFile } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import type { Written, WrittenBlocks } from "../hcl/project/written.ts";
import { parseReal } from "../hcl/real.ts";
import {
  boolValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
  withTrace,
} from "../hcl/value.ts";

/** A value of a JSON file; one that is not there has no node. */
export interface Json {
  readonly node: ValueNode | undefined;
  readonly file: SourceFile;
}

/** Reads a file; `undefined` for what is no JSON. */
export function readJson(file: SourceFile): Json | undefined {
  try {
    return { node: parse(file.text, { ranges: true }).body, file };
  } catch {
    return undefined;
  }
}

const nameOf = (member: ObjectNode["members"][number]): string => (member.name.type === "String" ? member.name.value : member.name.name);

export const get = ({ node, file }: Json, key: string): Json => ({
  node: node?.type === "Object" ? node.members.find((member) => nameOf(member) === key)?.value : undefined,
  file,
});

export const entriesOf = ({ node, file }: Json): readonly (readonly [string, Json])[] =>
  node?.type === "Object" ? node.members.map((member) => [nameOf(member), { node: member.value, file }] as const) : [];

export const itemsOf = ({ node, file }: Json): readonly Json[] =>
  node?.type === "Array" ? node.elements.map(({ value }) => ({ node: value, file })) : [];

export const textOf = ({ node }: Json): string | undefined => (node?.type === "String" ? node.value : undefined);

export const numberOf = ({ node }: Json): number | undefined => (node?.type === "Number" ? node.value : undefined);

export const isTrue = ({ node }: Json): boolean => node?.type === "Boolean" && node.value;

export const isThere = ({ node }: Json): boolean => node !== undefined && node.type !== "Null";

/** In the row of all files; the whole file's beginning for what is not there. */
export function rangeOf({ node, file }: Json): Range {
  const [start, end] = node?.range ?? [0, 0];
  return [start + file.start, end + file.start];
}

/** The value as the Terraform language has it. */
export function valueAt(json: Json): Value {
  const { node } = json;
  const value = untraced(json);
  return node ? withTrace(value, [{ range: rangeOf(json), what: "written here" }]) : value;
}

function untraced(json: Json): Value {
  const { node, file } = json;
  switch (node?.type) {
    case "String":
      return stringValue(node.value);
    case "Number":
      return numberValue(parseReal(file.text.slice(...(node.range ?? [0, 0]))));
    case "Boolean":
      return boolValue(node.value);
    case "Array":
      return tupleValue(itemsOf(json).map(valueAt));
    case "Object":
      return objectValue(entriesOf(json).map(([key, item]) => [key, valueAt(item)] as const));
    default:
      return nullValue();
  }
}

const LATER = "it is known after apply";

/** The attributes of a resource as if they were written; `later` says which are not known yet. */
export function writtenJson(values: Json, later: Json, range: Range): Written {
  return {
    range,
    get(argument) {
      const value = get(values, argument);
      return isTrue(get(later, argument)) && !isThere(value) ? unknownValue(LATER) : valueAt(value);
    },
    blocks(type): WrittenBlocks {
      const open = get(later, type);
      if (isTrue(open)) return { items: [], missing: LATER };
      const opens = itemsOf(open);
      const items = itemsOf(get(values, type)).map((item, at) =>
        writtenJson(item, opens[at] ?? { node: undefined, file: item.file }, rangeOf(item)),
      );
      return { items, missing: undefined };
    },
  };
}
