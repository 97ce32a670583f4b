import type { SourceFile } from "../../../model/files.ts";
import { lastAnswer, onceFor } from "../../../model/memoize.ts";
import { languageValue, readJsonValues } from "../json-values.ts";
import { realText } from "../real.ts";
import { failure, hasLoose, isMapping, isSequence, stringValue, unknownValue, type Value } from "../value.ts";
import { ANY, STRING } from "../value-type.ts";
import { type Definition, fileOf, holds } from "./define-function.ts";

/** Returns the text of `jsonencode`, with the escapes of Go's encoding/json; `undefined` if a value has no JSON form. */
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
      // The digits of fractions depend on the order of their computation.
      return typeof value.value === "number" ? realText(value.value) : undefined;
    case "bool":
      return String(value.value);
    default:
      return value.kind === "null" ? "null" : undefined;
  }
}

/** Returns a text as Go's encoding/json writes it. Since Go 1.22 this equals JSON.stringify, except for these characters. */
export const jsonText = (text: string): string =>
  JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns a value read from JSON, with numbers as exact as Terraform's; `undefined` for invalid JSON. */
function fromJson(text: string, file?: SourceFile): Value | undefined {
  // Only files may begin with a byte order mark.
  const { value, errors } = readJsonValues(text);
  return errors.length > 0 || text.startsWith("\ufeff") ? undefined : languageValue(value, file);
}

const encode: Definition = {
  parameters: [{ type: ANY, nulls: true }],
  call: ([value]) => {
    const json = value && !hasLoose(value) ? toJson(value) : undefined;
    return json === undefined ? unknownValue("its JSON is not certain") : stringValue(json);
  },
};

const jsonOfText = lastAnswer((text) => fromJson(text));
const jsonOfFile = onceFor((file: SourceFile) => fromJson(file.text, file));

/** Invalid JSON is unknown rather than a failure, because Go's reader may accept it. */
const decode: Definition = {
  parameters: [{ type: STRING }],
  call: ([text]) => {
    const source = holds.text(text);
    const clearly = source.trim() === "" || /^\s*[A-Za-z]/.test(source);
    const file = fileOf(text);
    return (
      (file ? jsonOfFile(file) : jsonOfText(source)) ??
      (clearly && !/^\s*(true|false|null)/.test(source) ? failure("it is not JSON") : unknownValue("it is not JSON"))
    );
  },
};

export const jsonFunctions: readonly (readonly [string, Definition])[] = [
  ["jsonencode", encode],
  ["jsondecode", decode],
];
