import { isMap, isNode, isPair, isScalar, isSeq, type Pair, type Scalar, type YAMLMap } from "yaml";
import type { Range } from "../../model/source.ts";
import { readDocuments, type Tree } from "./tree.ts";

/** A word of a document: a key, or a scalar value. */
export interface CursorPlace {
  readonly tree: Tree;
  /** The path of a key's mapping, or of the value itself. */
  readonly path: readonly (string | number)[];
  /** The nodes on the path: the document itself, then one per part of the path. */
  readonly nodes: readonly unknown[];
  readonly scalar: Scalar;
  /** The range of the word, without its quotes. */
  readonly range: Range;
  readonly pair: Pair | undefined;
  readonly isKey: boolean;
  /** Between braces or brackets. */
  readonly isFlow: boolean;
}

/** Returns the word at an offset. */
export function placeAt(text: string, offset: number): CursorPlace | undefined {
  return placeIn(text, [offset, offset]);
}

/** A private-use character that marks the cursor. */
const CURSOR = "\uE000";

/** Returns the typed part of the word. */
export const writtenAt = ({ scalar }: CursorPlace): string => String(scalar.value).replace(CURSOR, "");

/** Whether the user is typing this value. */
export const isBeingWritten = ({ value }: Scalar): boolean => typeof value === "string" && value.includes(CURSOR);

/** Returns the word that a user begins or continues at an offset, with an empty range if there is none yet. */
export function placeToWrite(text: string, offset: number): CursorPlace | undefined {
  // A word directly before a comment would absorb it.
  if (text[offset] === "#" && !/\S/.test(text[offset - 1] ?? "")) return undefined;
  const place = placeIn(text.slice(0, offset) + CURSOR + text.slice(offset), [offset, offset + 1]);
  if (!place || !isAligned(place, text)) return undefined;
  const [start, end] = place.range;
  const line = offset + text.slice(offset).search(/[\r\n]|$/);
  const last = Math.max(Math.min(end - CURSOR.length, line), offset);
  const before = text.slice(start, offset);
  // Directly after the colon of a key, its value does not belong to the word.
  const isBehindKey = place.scalar.type === "PLAIN" && before.endsWith(":") && text.slice(offset, last).trim() !== "";
  return /[\r\n]/.test(before) || isBehindKey ? undefined : { ...place, range: [start, last] };
}

/** Whether a key has the indentation of its mapping; otherwise it does not belong to it. */
function isAligned({ nodes, isKey, isFlow, scalar }: CursorPlace, text: string): boolean {
  const map = nodes.at(-1);
  const first = isMap(map) ? map.items[0]?.key : undefined;
  if (!isKey || isFlow || !isScalar(first)) return true;
  return columnOf(text, first.range?.[0] ?? 0) === columnOf(text, scalar.range?.[0] ?? 0);
}

function columnOf(text: string, offset: number): number {
  const line = text.slice(0, offset);
  return offset - Math.max(...["\n", "\r", "\ufeff"].map((end) => line.lastIndexOf(end)));
}

function placeIn(text: string, [from, to]: Range): CursorPlace | undefined {
  const covers = (node: unknown): boolean => {
    const range = isNode(node) ? node.range : undefined;
    return !!range && range[0] <= from && to <= range[1];
  };
  for (const tree of readDocuments(text)) {
    if (!covers(tree.root.node)) continue;
    const cursor = descend(tree, covers);
    if (cursor) return { ...cursor, range: withoutQuotes(cursor.scalar, text) };
  }
  return undefined;
}

/** A loop instead of recursion, because a document may be nested deeper than the stack. */
function descend(tree: Tree, covers: (node: unknown) => boolean): Omit<CursorPlace, "range"> | undefined {
  let node: unknown = tree.root.node;
  const path: (string | number)[] = [];
  const nodes: unknown[] = [node];
  let isFlow = false;
  let pair: Pair | undefined;
  for (;;) {
    if (isScalar(node)) return { tree, path, nodes, scalar: node, pair, isKey: false, isFlow };
    if (isMap(node)) {
      isFlow ||= node.flow === true;
      pair = (node as YAMLMap).items.find(({ key, value }) => covers(key) || covers(value));
      if (!pair || !isScalar(pair.key)) return undefined;
      if (covers(pair.key)) return { tree, path, nodes, scalar: pair.key, pair, isKey: true, isFlow };
      path.push(String(pair.key.value));
      node = pair.value;
    } else if (isSeq(node)) {
      isFlow ||= node.flow === true;
      const index = node.items.findIndex((item) => !isPair(item) && covers(item));
      if (index < 0) return undefined;
      path.push(index);
      node = node.items[index];
    } else return undefined;
    nodes.push(node);
  }
}

function withoutQuotes({ range, type }: Scalar, text: string): Range {
  const [start, end] = range ?? [0, 0];
  if (type !== "QUOTE_DOUBLE" && type !== "QUOTE_SINGLE") return [start, end];
  const closed = end - start > 1 && text[end - 1] === text[start];
  return [start + 1, closed ? end - 1 : end];
}
