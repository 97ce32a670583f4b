import { type Document, isMap, isScalar, stringify } from "yaml";
import { startOfLine } from "../../model/source.ts";
import type { Completion, Hover } from "../language.ts";
import { type CursorPlace, placeAt, placeToWrite, writtenAt } from "./cursor-place.ts";
import { isObject, type JsonSchema, partsBelow, partsOf, type SchemaPart, typeOf, valuesOf } from "./json-schema.ts";

/** A completion for a definition of the schema. */
export interface Word {
  readonly text: string;
  /** In one line. */
  readonly detail: string;
  readonly markdown: string;
}

/** Returns the words of a definition, by its name in `$defs`, or the keys of a mapping. `written` is the typed part. */
export type Words = (definition: string, document: Document, written: string) => readonly Word[];

export interface SchemaLanguage {
  readonly complete: (text: string, offset: number) => readonly Completion[];
  readonly hover: (text: string, offset: number) => Hover | undefined;
}

/** Returns the editor support for documents with a JSON Schema. */
export function schemaLanguage(root: JsonSchema, words: Words): SchemaLanguage {
  const partsAt = ({ path, nodes }: CursorPlace): readonly SchemaPart[] =>
    path.reduce<readonly SchemaPart[]>((parts, key, i) => partsBelow(root, parts, key, nodes[i + 1]), partsOf(root, root, nodes[0]));

  return {
    complete(text, offset) {
      const place = placeToWrite(text, offset);
      if (!place) return [];
      const parts = partsAt(place);
      const offered = [...(takesKeys(place, text) ? keysOf(parts, place, text) : []), ...(place.isKey ? [] : choices(parts, place, text))];
      return [...new Map(offered.map((item) => [item.label, item])).values()];
    },
    hover(text, offset) {
      const place = placeAt(text, offset);
      if (!place) return undefined;
      const word = String(place.scalar.value);
      const around = partsAt(place);
      const parts = place.isKey ? partsBelow(root, around, word) : around;
      if (parts.length === 0) return undefined;
      const match = wordsOf(around, place).find((candidate) => candidate.text === word);
      const key = place.isKey ? word : place.path.findLast((step) => typeof step === "string");
      const markdown = match ? `**${word}**\n\n${match.markdown}` : `**${key ?? word}**\n\n${about(parts)}`;
      return { range: place.range, markdown };
    },
  };

  function keysOf(parts: readonly SchemaPart[], place: CursorPlace, text: string): Completion[] {
    const usedKeys = new Set(place.isKey ? siblingsOf(place) : []);
    const words = new Map(wordsOf(parts, place).map((word) => [word.text, word]));
    return parts.flatMap(({ schema: { properties = {} } }) =>
      Object.keys(properties)
        .filter((key) => !usedKeys.has(key))
        .map((key): Completion => {
          const below = partsBelow(root, parts, key);
          return {
            label: key,
            kind: "key",
            detail: words.get(key)?.detail ?? typesOf(below),
            markdown: words.get(key)?.markdown ?? about(below),
            inSchema: true,
            range: place.range,
            snippet: keySnippet(key, below, place, text),
          };
        }),
    );
  }

  function choices(parts: readonly SchemaPart[], place: CursorPlace, text: string): Completion[] {
    const values = parts.flatMap(({ schema }) => valuesOf(schema));
    const known = wordsOf(
      parts.filter(({ schema }) => !isObject(schema)),
      place,
    );
    const words = new Map(known.map((word) => [word.text, word]));
    return [...new Set([...values, ...words.keys()])].map((value) => ({
      label: String(value),
      kind: "value",
      detail: words.get(String(value))?.detail ?? "",
      markdown: words.get(String(value))?.markdown ?? about(parts),
      ...(values.includes(value) && { inSchema: true }),
      range: place.range,
      snippet: escaped(valueText(value, place, text)),
    }));
  }

  function wordsOf(parts: readonly SchemaPart[], place: CursorPlace): readonly Word[] {
    const { document } = place.tree.root;
    return parts.flatMap(({ definition }) => (definition === undefined ? [] : words(definition, document, writtenAt(place))));
  }
}

/** Whether a key can be typed: at a key, or at the start of a mapping, but not after the key of a one-line mapping. */
function takesKeys(place: CursorPlace, text: string): boolean {
  return place.isKey || place.isFlow || /^(?:\s|-(?=\s))*$/.test(text.slice(startOfLine(text, place.range[0]), place.range[0]));
}

function siblingsOf({ nodes, scalar }: CursorPlace): readonly string[] {
  const map = nodes.at(-1);
  return isMap(map) ? map.items.flatMap(({ key }) => (isScalar(key) && key !== scalar ? [String(key.value)] : [])) : [];
}

const typesOf = (parts: readonly SchemaPart[]): string =>
  [...new Set(parts.map(({ schema }) => typeOf(schema)))].filter(Boolean).join(" or ");

/** Returns the meaning of a key, and in a second line its possible values. */
function about(parts: readonly SchemaPart[]): string {
  const values = parts.filter(({ definition }) => definition === undefined).flatMap(({ schema }) => valuesOf(schema));
  const listed =
    values.length > 0 ? `Values: ${[...new Set(values)].map((value) => `\`${value}\``).join(", ")}` : `Type: ${typesOf(parts)}`;
  return [parts.find(({ schema }) => schema.description)?.schema.description, listed].filter(Boolean).join("\n\n");
}

/** Few enough to read through in the completion of a key. */
const MOST_CHOICES = 20;

function keySnippet(key: string, below: readonly SchemaPart[], place: CursorPlace, text: string): string {
  const quoted = text[place.range[0] - 1] === '"' || text[place.range[0] - 1] === "'";
  const isJson = isJsonIn(place);
  const name = escaped(quoted ? key : isJson ? JSON.stringify(key) : plain(key));
  if (quoted || /^["']?[ \t]*:/.test(text.slice(place.range[1]))) return name;
  const values = below.flatMap(({ schema }) => valuesOf(schema));
  const isText = below.every(({ schema: { type } }) => type === "string");
  if (values.length > 0 && values.length <= MOST_CHOICES) {
    const choice = `\${1|${values.map((value) => (isJson ? JSON.stringify(value) : plain(value)).replace(/[\\,|]/g, "\\$&")).join(",")}|}`;
    return `${name}: ${choice}$0`;
  }
  const [first] = below;
  const isList = first?.schema.type === "array";
  const holdsMappings = isList && first?.schema.items?.type === "object";
  if (place.isFlow) return `${name}: ${isList ? "[$0]" : first && isObject(first.schema) ? "{ $0 }" : isJson && isText ? '"$0"' : "$0"}`;
  // A new line is indented like the previous one, whose key may follow dashes.
  const line = text.slice(startOfLine(text, place.range[0]), place.range[0]);
  const deeper = `\n${" ".repeat(line.length - line.search(/\S|$/) + 2)}`;
  if (holdsMappings) return `${name}:${deeper}- $0`;
  if (isList) return `${name}: [$0]`;
  return `${name}:${first && isObject(first.schema) ? deeper : " "}$0`;
}

function valueText(value: string | number | boolean, place: CursorPlace, text: string): string {
  const quote = text[place.range[0] - 1];
  if (quote === '"') return JSON.stringify(String(value)).slice(1, -1);
  if (quote === "'") return String(value).replaceAll("'", "''");
  return isJsonIn(place) ? JSON.stringify(value) : plain(value);
}

/** JSON, or YAML in its notation. */
const isJsonIn = ({ tree: { root } }: CursorPlace): boolean => isMap(root.node) && root.node.flow === true;

const plain = (value: unknown): string => stringify(value, { lineWidth: 0 }).trimEnd();

const escaped = (snippet: string): string => snippet.replace(/[\\$}]/g, "\\$&");
