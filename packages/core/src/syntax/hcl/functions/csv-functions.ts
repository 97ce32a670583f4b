import { objectValue, sequenceValue, stringValue, unknownValue, type Value } from "../value.ts";
import { STRING, typeOf } from "../value-type.ts";
import { type Definition, holds } from "./define-function.ts";

/** Returns the records of a text by Go's rules (encoding/csv, Reader); `undefined` if Go refuses the text. */
function recordsOf(written: string): readonly (readonly string[])[] | undefined {
  const text = written.replaceAll("\r\n", "\n").replace(/\r$/, "");
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    // Empty lines are not records.
    if (text[at] === "\n") {
      at++;
      continue;
    }
    const record: string[] = [];
    for (let isMore = true; isMore; at++) {
      const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
      if (!field) return undefined;
      record.push(field.value);
      at = field.end;
      isMore = text[at] === ",";
    }
    records.push(record);
  }
  return records;
}

interface Field {
  readonly value: string;
  /** The offset of the comma or line end after the field. */
  readonly end: number;
}

function plainField(text: string, start: number): Field | undefined {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\n") end++;
  const value = text.slice(start, end);
  return value.includes('"') ? undefined : { value, end };
}

/** Two quotes stand for one; after the closing quote the field must end. */
function quotedField(text: string, start: number): Field | undefined {
  let end = start + 1;
  for (; ; end += 2) {
    end = text.indexOf('"', end);
    if (end < 0) return undefined;
    if (text[end + 1] !== '"') break;
  }
  const isEnd = end + 1 === text.length || text[end + 1] === "," || text[end + 1] === "\n";
  return isEnd ? { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 } : undefined;
}

/** Returns a list with an object per line, with attribute names from the first line (cty, stdlib/csv.go). */
function decoded(text: string): Value {
  const [names, ...rows] = recordsOf(text) ?? [];
  const isRead = names && new Set(names).size === names.length && rows.every((row) => row.length === names.length);
  if (!isRead) return unknownValue("it is no CSV that vmlint reads");
  const objectOf = (row: readonly string[]) => objectValue(names.map((name, at) => [name, stringValue(row[at] ?? "")]));
  return sequenceValue("list", rows.map(objectOf), typeOf(objectOf([])));
}

export const csvFunctions: readonly (readonly [string, Definition])[] = [
  ["csvdecode", { parameters: [{ type: STRING }], call: ([text]) => decoded(holds.text(text)) }],
];
