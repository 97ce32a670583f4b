import type { Range } from "../../model/source.ts";
import type { DataNode } from "../node.ts";
import { type Broken, END, NEXT, readTape, SIZE, START, type Tape } from "./tape.ts";

export type { Broken } from "./tape.ts";

/** A value of a JSON document. */
export interface JsonNode extends DataNode {
  readonly get: (key: string) => JsonNode | undefined;
  readonly items: () => readonly JsonNode[];
  /** The keys of a mapping, in order. */
  readonly entries: () => readonly JsonEntry[];
}

interface JsonEntry {
  readonly key: string;
  /** Without the quotes. */
  readonly keyRange: Range;
  /** `undefined` for null. */
  readonly value: JsonNode | undefined;
}

/** Shorter lists and objects are indexed one at a time on demand: VMs are, but lists of thousands of them are not. */
const SMALL = 1 << 16;

/** Returns the documents of a JSON text, nearly always one, or the place of its first error. */
export function readJson(text: string): { readonly documents: readonly JsonNode[] } | Broken {
  const tape = readTape(text, text.length > SMALL ? SMALL : 0);
  return tape.broken ?? { documents: new PartialIndex(tape).nodes(0, tape.length) };
}

/** An index with the most recently used of its unindexed parts. */
class PartialIndex {
  readonly tape: Tape;
  private inner: readonly [slot: number, part: PartialIndex] | undefined;

  constructor(tape: Tape) {
    this.tape = tape;
  }

  /** Returns the index for the contents of a list or object. */
  inside(slot: number): readonly [part: PartialIndex, from: number, to: number] {
    const { text, slots } = this.tape;
    const [start = 0, end = 0, next = 0] = [slots[slot + START], slots[slot + END], slots[slot + NEXT]];
    if (next > slot + SIZE || end - start <= "{}".length) return [this, slot + SIZE, next];
    if (this.inner?.[0] !== slot) this.inner = [slot, new PartialIndex(readTape(text, 0, [start, end]))];
    const [, part] = this.inner;
    return [part, SIZE, part.tape.length];
  }

  /** Returns the values between two slots, without null. */
  nodes(from: number, to: number): readonly JsonNode[] {
    const { slots } = this.tape;
    const items: JsonNode[] = [];
    for (let slot = from; slot < to; slot = slots[slot + NEXT] ?? to) {
      const node = this.node(slot);
      if (node) items.push(node);
    }
    return items;
  }

  node(slot: number): JsonNode | undefined {
    const { text, slots } = this.tape;
    const start = slots[slot + START] ?? 0;
    return text[start] === "n" ? undefined : new Value(this, slot, text[start], [start, slots[slot + END] ?? 0]);
  }
}

/** A value whose contents are created on demand. */
class Value implements JsonNode {
  readonly kind: DataNode["kind"];
  readonly range: Range;
  readonly text: string | undefined;
  private readonly part: PartialIndex;
  private readonly slot: number;

  constructor(part: PartialIndex, slot: number, first: string | undefined, range: Range) {
    const { text } = part.tape;
    const [start, end] = range;
    const isText = first === '"';
    this.part = part;
    this.slot = slot;
    this.kind = first === "{" ? "mapping" : first === "[" ? "list" : "scalar";
    this.range = isText ? [start + 1, end - 1] : range;
    this.text = isText ? unquoted(text, start, end) : this.kind === "scalar" ? text.slice(start, end) : undefined;
  }

  get(key: string): JsonNode | undefined {
    if (this.kind !== "mapping") return undefined;
    const [part, from, to] = this.part.inside(this.slot);
    const { slots } = part.tape;
    let last = -1;
    for (let slot = from; slot < to; slot = slots[slot + SIZE + NEXT] ?? to) if (isKey(part.tape, slot, key)) last = slot + SIZE;
    return last < 0 ? undefined : part.node(last);
  }

  items(): readonly JsonNode[] {
    if (this.kind !== "list") return [];
    const [part, from, to] = this.part.inside(this.slot);
    return part.nodes(from, to);
  }

  entries(): readonly JsonEntry[] {
    if (this.kind !== "mapping") return [];
    const [part, from, to] = this.part.inside(this.slot);
    const { text, slots } = part.tape;
    const items: JsonEntry[] = [];
    for (let slot = from; slot < to; slot = slots[slot + SIZE + NEXT] ?? to) {
      const [start, end] = [slots[slot + START] ?? 0, slots[slot + END] ?? 0];
      items.push({ key: unquoted(text, start, end), keyRange: [start + 1, end - 1], value: part.node(slot + SIZE) });
    }
    return items;
  }
}

function isKey({ text, slots }: Tape, slot: number, key: string): boolean {
  const start = slots[slot + START] ?? 0;
  const end = slots[slot + END] ?? 0;
  if (end - start === key.length + 2) return text.startsWith(key, start + 1);
  if (end - start < key.length + 2) return false;
  // A longer key may be the same with escapes in it.
  const first = text[start + 1];
  return (first === "\\" || first === key[0]) && unquoted(text, start, end) === key;
}

/** Returns a text without its quotes and escapes. */
export function unquoted(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}
