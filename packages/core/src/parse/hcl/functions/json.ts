import { parseReal, realText } from "../real.ts";
import { ANY, STRING } from "../type.ts";
import {
  boolValue,
  failure,
  hasLoose,
  isMapping,
  isSequence,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { type Definition, holds } from "./define.ts";

/** As `jsonencode` writes it, which escapes what Go's encoding/json escapes; `undefined` where something has no JSON. */
export function toJson(value: Value): string | undefined {
  if (isSequence(value)) {
    if (!value.ordered) return undefined;
    const items = value.items.map(toJson);
    return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
  }
  if (isMapping(value)) {
    const items = [...value.entries].map(([key, item]) => [jsonText(key), toJson(item)] as const);
    return items.some(([, item]) => item === undefined) ? undefined : `{${items.map(([key, item]) => `${key}:${item}`).join(",")}}`;
  }
  switch (value.kind) {
    case "string":
      return jsonText(value.value);
    case "number":
      // The digits of fractions depend on how they were computed.
      return typeof value.value === "number" ? realText(value.value) : undefined;
    case "bool":
      return String(value.value);
    default:
      return value.kind === "null" ? "null" : undefined;
  }
}

const jsonText = (text: string): string =>
  // Go versions differ in \b and \f; JSON.stringify writes the others alike.
  JSON.stringify(text)
    .replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/\\([bf])/g, (_, letter: string) => (letter === "b" ? "\\u0008" : "\\u000c"));

const TOKEN = /\s*(?:([[\]{},:])|(true|false|null)|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|("[^"\\]*(?:\\.[^"\\]*)*"))/y;
const MAX_DEPTH = 50;

/** A value read from JSON, with numbers as exact as Terraform's; `undefined` for what is not JSON. */
export function fromJson(text: string): Value | undefined {
  let at = 0;
  const next = (): RegExpExecArray | undefined => {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text) ?? undefined;
    if (match) at = TOKEN.lastIndex;
    return match;
  };
  const peek = (mark: string): boolean => {
    const before = at;
    if (next()?.[1] === mark) return true;
    at = before;
    return false;
  };
  const list = (depth: number): Value | undefined => {
    const items: Value[] = [];
    if (peek("]")) return tupleValue(items);
    do {
      const item = value(depth + 1);
      if (!item) return undefined;
      items.push(item);
    } while (peek(","));
    return peek("]") ? tupleValue(items) : undefined;
  };
  const object = (depth: number): Value | undefined => {
    const entries: [string, Value][] = [];
    if (peek("}")) return objectValue(entries);
    do {
      const key = unquoted(next()?.[4]);
      const item = key !== undefined && peek(":") ? value(depth + 1) : undefined;
      if (key === undefined || !item) return undefined;
      entries.push([key.normalize("NFC"), item]);
    } while (peek(","));
    return peek("}") ? objectValue(entries) : undefined;
  };
  const value = (depth: number): Value | undefined => {
    if (depth > MAX_DEPTH) return undefined;
    const [, mark, word, number, quoted] = next() ?? [];
    if (mark === "[") return list(depth);
    if (mark === "{") return object(depth);
    if (word !== undefined) return word === "null" ? nullValue() : boolValue(word === "true");
    if (number !== undefined) return numberValue(parseReal(number));
    const content = unquoted(quoted);
    return content === undefined ? undefined : stringValue(content);
  };
  const result = value(0);
  return result && text.slice(at).trim() === "" ? result : undefined;
}

function unquoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

const encode: Definition = {
  parameters: [{ type: ANY, nulls: true }],
  call: ([value]) => {
    const json = value && !hasLoose(value) ? toJson(value) : undefined;
    return json === undefined ? unknownValue("its JSON is not certain") : stringValue(json);
  },
};

/** Text that is no JSON here is unknown rather than a failure: Go's reader is the judge. */
const decode: Definition = {
  parameters: [{ type: STRING }],
  call: ([text]) => {
    const source = holds.text(text);
    const clearly = source.trim() === "" || /^\s*[A-Za-z]/.test(source);
    return (
      fromJson(source) ?? (clearly && !/^\s*(true|false|null)/.test(source) ? failure("it is not JSON") : unknownValue("it is not JSON"))
    );
  },
};

export const jsonFunctions: readonly (readonly [string, Definition])[] = [
  ["jsonencode", encode],
  ["jsondecode", decode],
];
