import { rangeIn, type SourceFile } from "../../../model/files.ts";
import { objectValue, sequenceValue, stringValue, unknownValue, type Value, withTrace } from "../value.ts";
import { STRING, typeOf } from "../value-type.ts";
import { type Definition, fileOf, holds } from "./define-function.ts";

/** Returns the records of a text by Go's rules (encoding/csv, Reader); `undefined` if Go refuses the text. */
function recordsOf(written: string): readonly (readonly Field[])[] | undefined {
  const text = written.replaceAll("\r\n", "\n").replace(/\r$/, "");
  const records: Field[][] = [];
  let at = 0;
  while (at < text.length) {
    // Empty lines are not records.
    if (text[at] === "\n") {
      at++;
      continue;
    }
    const record: Field[] = [];
    for (let isMore = true; isMore; at++) {
      const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
      if (!field) return undefined;
      record.push(field);
      at = field.end;
      isMore = text[at] === ",";
    }
    records.push(record);
  }
  return records;
}

interface Field {
  readonly value: string;
  readonly start: number;
  /** The offset of the comma or line end after the field. */
  readonly end: number;
}

function plainField(text: string, start: number): Field | undefined {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\n") end++;
  const value = text.slice(start, end);
  return value.includes('"') ? undefined : { value, start, end };
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
  return isEnd ? { value: text.slice(start + 1, end).replaceAll('""', '"'), start, end: end + 1 } : undefined;
}

/** Returns a list with an object per line, with attribute names from the first line (cty, stdlib/csv.go). */
function decoded(text: string, file: SourceFile | undefined): Value {
  const [names, ...rows] = recordsOf(text) ?? [];
  const isRead =
    names && new Set(names.map(({ value }) => value)).size === names.length && rows.every((row) => row.length === names.length);
  if (!isRead) return unknownValue("it is not CSV that vmlint can read");
  // Carriage returns are not part of the offsets.
  const placed = file?.text.includes("\r") ? undefined : file;
  const textAt = (field: Field | undefined): Value => {
    const value = stringValue(field?.value ?? "");
    return placed && field ? withTrace(value, [{ range: rangeIn(placed, [field.start, field.end]), what: "written here" }]) : value;
  };
  const objectOf = (row: readonly Field[]): Value => {
    const object = objectValue(names.map((name, at) => [name.value, textAt(row[at])]));
    const [first, last] = [row[0], row.at(-1)];
    return placed && first && last
      ? withTrace(object, [{ range: rangeIn(placed, [first.start, last.end]), what: "written here" }])
      : object;
  };
  return sequenceValue("list", rows.map(objectOf), typeOf(objectOf([])));
}

export const csvFunctions: readonly (readonly [string, Definition])[] = [
  ["csvdecode", { parameters: [{ type: STRING }], call: ([text]) => decoded(holds.text(text), fileOf(text)) }],
];
