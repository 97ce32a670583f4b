import { rangeIn, type SourceFile } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { lastWhere } from "../../model/search.ts";
import type { Range } from "../../model/source.ts";
import { DEEPEST, excessOf, TOO_DEEP, tooLarge } from "../extent.ts";
import { unquoted } from "../json/json.ts";
import { END, NEXT, readTape, SIZE, START, type Tape } from "../json/tape.ts";
import { type SyntaxError as Mistake, type Node, rangeOf, type Span } from "./ast.ts";
import { textToNumber } from "./convert.ts";
import { parseReal } from "./real.ts";
import { boolValue, nullValue, numberValue, objectValue, stringValue, tupleValue, type Value, withTrace } from "./value.ts";

export type JsonValue =
  | Node<"object", { readonly members: readonly JsonMember[] }>
  | Node<"array", { readonly items: readonly JsonValue[] }>
  | JsonString
  /** A number in its notation, true, false or null. */
  | Node<"scalar", { readonly text: string }>
  /** A missing value. */
  | Node<"missing", object>;

export interface JsonString extends Span {
  readonly kind: "string";
  readonly value: string;
  /** Returns the offset in the text of a character of the value. */
  readonly offsetOf: (index: number) => number;
}

export interface JsonMember {
  readonly name: JsonString;
  readonly value: JsonValue;
}

/** Parses JSON (RFC 8259) with ranges. Stops at the first error and keeps the part before it. */
export function readJsonValues(text: string): { readonly value: JsonValue; readonly errors: readonly Mistake[] } {
  const tape = readTape(text);
  const excess = excessOf(tape.length / SIZE, "JSON values");
  const values = new Values(tape);
  const value = tape.length > 0 && excess === undefined ? values.at(0, 0) : values.nothing;
  const { errors } = values;
  if (excess !== undefined) return { value: values.nothing, errors: [{ message: tooLarge(excess), range: [0, 0] }] };
  if (tape.broken) errors.push({ message: `From here on, the text is not JSON: ${tape.broken.message}.`, range: values.end });
  else if (tape.length === 0) errors.push({ message: "A JSON value is missing here.", range: values.end });
  const next = tape.slots[NEXT] ?? 0;
  const behind = tape.slots[next + START] ?? text.length;
  if (next < tape.length) errors.push({ message: "Nothing is expected behind the value.", range: [behind, behind] });
  return { value, errors };
}

/** Converts JSON to a value of the language; with a file, each part has its own trace. */
export function languageValue(node: JsonValue, file?: SourceFile): Value {
  const value = untraced(node, file);
  return file ? withTrace(value, [{ range: rangeIn(file, rangeOf(node)), what: "written here" }]) : value;
}

function untraced(node: JsonValue, file: SourceFile | undefined): Value {
  switch (node.kind) {
    case "string":
      return stringValue(node.value);
    case "array":
      return tupleValue(node.items.map((item) => languageValue(item, file)));
    case "object":
      return objectValue(
        node.members.map(({ name, value }) => [keyOf(name), languageValue(value, file)] as const),
        file && new Map(node.members.map(({ name }) => [keyOf(name), rangeIn(file, rangeOf(name))])),
      );
    case "scalar":
      if (node.text === "null") return nullValue();
      return node.text === "true" || node.text === "false" ? boolValue(node.text === "true") : numberIn(node.text);
    default:
      return nullValue();
  }
}

function numberIn(text: string): Value {
  const number = parseReal(text);
  return number === undefined ? textToNumber(text) : numberValue(number);
}

const keyOf = ({ value }: JsonString): string => value.normalize("NFC");

/** Returns the tree of a tape, down to the depth that configurations use. */
class Values {
  readonly errors: Mistake[] = [];
  /** The end of the parsed text. */
  readonly end: Range;
  /** Replaces a missing value. */
  readonly nothing: JsonValue;
  private readonly tape: Tape;

  constructor(tape: Tape) {
    const offset = tape.broken?.offset ?? tape.text.length;
    this.tape = tape;
    this.end = [offset, offset];
    this.nothing = { kind: "missing", start: offset, end: offset };
  }

  at(slot: number, depth: number): JsonValue {
    const { text, slots } = this.tape;
    const [start = 0, end = 0] = [slots[slot + START], slots[slot + END]];
    const first = text[start];
    if (first === '"') return this.string(slot);
    if (first !== "{" && first !== "[") return { kind: "scalar", start, end, text: text.slice(start, end) };
    if (depth >= DEEPEST) {
      if (this.errors.length === 0) this.errors.push({ message: TOO_DEEP, range: [start, start] });
      return { kind: "missing", start, end };
    }
    return first === "{" ? this.object(slot, depth + 1) : this.array(slot, depth + 1);
  }

  private object(slot: number, depth: number): JsonValue {
    const { slots } = this.tape;
    const members: JsonMember[] = [];
    const next = slots[slot + NEXT] ?? 0;
    for (let key = slot + SIZE; key < next; key = slots[key + SIZE + NEXT] ?? next) {
      const value = key + SIZE < next ? this.at(key + SIZE, depth) : this.nothing;
      members.push({ name: this.string(key), value });
      if (key + SIZE >= next) break;
    }
    return { kind: "object", ...this.spanOf(slot), members };
  }

  private array(slot: number, depth: number): JsonValue {
    const { slots, broken } = this.tape;
    const items: JsonValue[] = [];
    const next = slots[slot + NEXT] ?? 0;
    for (let item = slot + SIZE; item < next; item = slots[item + NEXT] ?? next) items.push(this.at(item, depth));
    if (broken?.open.at(-1) === slot) items.push(this.nothing);
    return { kind: "array", ...this.spanOf(slot), items };
  }

  private string(slot: number): JsonString {
    const { text } = this.tape;
    const { start, end } = this.spanOf(slot);
    const escapes = once(() => escapesIn(text, start, end));
    return {
      kind: "string",
      start,
      end,
      // Half of a surrogate pair is U+FFFD (Go, encoding/json: Unmarshal).
      value: unquoted(text, start, end).toWellFormed(),
      offsetOf: (index) => offsetOf(index, start + 1, escapes()),
    };
  }

  private spanOf(slot: number): Span {
    const { slots } = this.tape;
    return { start: slots[slot + START] ?? 0, end: slots[slot + END] ?? 0 };
  }
}

/** Returns the index of each escape in the value of a string, with its end in the text. */
function escapesIn(text: string, start: number, end: number): readonly (readonly [index: number, end: number])[] {
  let saved = 0;
  return [...text.slice(start + 1, end - 1).matchAll(/\\(?:u.{4}|.)/g)].map(({ index, 0: sequence }) => {
    saved += sequence.length - 1;
    const behind = start + 1 + index + sequence.length;
    return [behind - start - 1 - saved, behind];
  });
}

function offsetOf(index: number, start: number, escapes: readonly (readonly [index: number, end: number])[]): number {
  const [from, end] = escapes[lastWhere(escapes, ([at]) => at <= index)] ?? [0, start];
  return end + index - from;
}
