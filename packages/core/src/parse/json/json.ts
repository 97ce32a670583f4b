import type { Range } from "../../model/source.ts";
import type { Node } from "../node.ts";
import { type Broken, END, NEXT, readTape, SIZE, START, type Tape } from "./tape.ts";

export type { Broken } from "./tape.ts";

/** A value of a JSON document. */
export interface JsonNode extends Node {
  readonly get: (key: string) => JsonNode | undefined;
  readonly items: () => readonly JsonNode[];
  /** The keys of a mapping, in order. */
  readonly entries: () => readonly JsonEntry[];
}

export interface JsonEntry {
  readonly key: string;
  /** Without the quotes. */
  readonly keyRange: Range;
  /** `undefined` for null. */
  readonly value: JsonNode | undefined;
}

/** The documents of a JSON text, nearly always one; or where it is broken. */
export function readJson(text: string): { readonly documents: readonly JsonNode[] } | Broken {
  const tape = readTape(text);
  return tape.broken ?? { documents: nodesIn(tape, 0, tape.length) };
}

const NO_KEYS = { get: () => undefined, entries: () => [] } as const;
const NO_ITEMS = { items: () => [] } as const;

/** The value at a slot; nothing of it is made before it is asked for. */
function nodeAt(tape: Tape, slot: number): JsonNode | undefined {
  const { text, slots } = tape;
  const start = slots[slot + START] ?? 0;
  const end = slots[slot + END] ?? 0;
  const inside = slot + SIZE;
  const next = slots[slot + NEXT] ?? 0;
  switch (text[start]) {
    case "{":
      return {
        kind: "mapping",
        range: [start, end],
        text: undefined,
        get: (key) => valueIn(tape, inside, next, key),
        entries: () => entriesIn(tape, inside, next),
        ...NO_ITEMS,
      };
    case "[":
      return { kind: "list", range: [start, end], text: undefined, items: () => nodesIn(tape, inside, next), ...NO_KEYS };
    case '"':
      return { kind: "scalar", range: [start + 1, end - 1], text: unquoted(text, start, end), ...NO_KEYS, ...NO_ITEMS };
    case "n":
      return undefined;
    default:
      return { kind: "scalar", range: [start, end], text: text.slice(start, end), ...NO_KEYS, ...NO_ITEMS };
  }
}

function nodesIn(tape: Tape, from: number, to: number): readonly JsonNode[] {
  const found: JsonNode[] = [];
  for (let slot = from; slot < to; slot = tape.slots[slot + NEXT] ?? to) {
    const node = nodeAt(tape, slot);
    if (node) found.push(node);
  }
  return found;
}

function valueIn(tape: Tape, from: number, to: number, key: string): JsonNode | undefined {
  let found = -1;
  for (let slot = from; slot < to; slot = tape.slots[slot + SIZE + NEXT] ?? to) if (isKey(tape, slot, key)) found = slot + SIZE;
  return found < 0 ? undefined : nodeAt(tape, found);
}

function isKey({ text, slots }: Tape, slot: number, key: string): boolean {
  const start = slots[slot + START] ?? 0;
  const end = slots[slot + END] ?? 0;
  if (end - start === key.length + 2) return text.startsWith(key, start + 1);
  // A longer one may be the same with escapes in it.
  return end - start > key.length + 2 && text.slice(start, end).includes("\\") && unquoted(text, start, end) === key;
}

function entriesIn(tape: Tape, from: number, to: number): readonly JsonEntry[] {
  const found: JsonEntry[] = [];
  for (let slot = from; slot < to; slot = tape.slots[slot + SIZE + NEXT] ?? to) {
    const [start, end] = [tape.slots[slot + START] ?? 0, tape.slots[slot + END] ?? 0];
    found.push({ key: unquoted(tape.text, start, end), keyRange: [start + 1, end - 1], value: nodeAt(tape, slot + SIZE) });
  }
  return found;
}

/** A text without its quotes and escapes. */
export function unquoted(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}
