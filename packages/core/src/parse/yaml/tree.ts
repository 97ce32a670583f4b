import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, type Node, type Pair, parseAllDocuments } from "yaml";
import { ABSENT, mistyped, type Range, type Setting, unknown } from "../../model/source.ts";
import type { Read } from "../values.ts";
import { isTemplate } from "../vmx/escape.ts";

/** A document of a YAML stream; what is wrong with its syntax is in `errors`, and the rest is still there. */
export interface Tree {
  readonly root: Value;
  readonly errors: readonly { readonly message: string; readonly range: Range }[];
}

/** A value in a document; absent ones too, so that a path can be followed without looking. */
export interface Value {
  readonly node: Node | undefined;
  readonly document: Document;
  readonly text: string;
}

/** A key of a mapping with its value. */
export interface Entry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Value;
}

/** Every document of a text. Settings that keep the library linear: duplicate keys are for the caller to find. */
export function readDocuments(text: string): readonly Tree[] {
  const documents = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent", strict: false });
  if (!Array.isArray(documents)) return [];
  return documents.map((document: Document) => ({
    root: { node: (document.contents as Node | null) ?? undefined, document, text },
    errors: document.errors.map(({ message, pos }) => ({ message, range: within(pos, text) })),
  }));
}

/** Marks that the library's lexer puts between the pieces of a text: they stand for no character of it. */
const [DOCUMENT, FLOW_ERROR_END, SCALAR] = ["\x02", "\x18", "\x1f"];

/** Where comments are, which a `#` inside a value is not. */
export function commentsOf(text: string): readonly Range[] {
  const comments: Range[] = [];
  let at = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && (token === DOCUMENT || token === FLOW_ERROR_END || token === SCALAR)) {
      isScalar = token === SCALAR;
      continue;
    }
    if (!isScalar && token.startsWith("#")) comments.push([at, at + token.length]);
    isScalar = false;
    at += token.length;
  }
  return comments;
}

const within = ([start, end]: readonly [number, number], text: string): Range => [
  Math.min(start, text.length),
  Math.min(Math.max(start, end), text.length),
];

/** Follows an alias to what it stands for. */
function resolved({ node, document }: Value): Node | undefined {
  return isAlias(node) ? (node.resolve(document) as Node | undefined) : node;
}

/** How deep `<<` is followed: an alias may stand for ever more of itself. */
const MOST_MERGES = 3;

/** The entries of a mapping, in order, those that `<<` brings in first; none for anything else. Keys are plain words. */
export function entriesOf(value: Value, merges = MOST_MERGES): readonly Entry[] {
  const node = resolved(value);
  if (!isMap(node)) return [];
  const own: Entry[] = [];
  const merged: Entry[] = [];
  for (const { key, value: child } of node.items as readonly Pair<Node, Node | null>[]) {
    if (!isScalar(key) || !key.range) continue;
    const entry = {
      key: String(key.value),
      keyRange: [key.range[0], key.range[1]] as const,
      value: { ...value, node: child ?? undefined },
    };
    if (entry.key !== "<<") own.push(entry);
    else if (merges > 0) merged.push(...[entry.value, ...itemsOf(entry.value)].flatMap((from) => entriesOf(from, merges - 1)));
  }
  return [...merged, ...own];
}

/** The value of a key; of a key that is set twice the last, as YAML's readers take it. */
export const get = (value: Value, key: string): Value =>
  entriesOf(value).findLast((entry) => entry.key === key)?.value ?? { ...value, node: undefined };

/** The items of a list; none for anything else. */
export function itemsOf(value: Value): readonly Value[] {
  const node = resolved(value);
  return isSeq(node) ? node.items.map((item) => ({ ...value, node: item as Node })) : [];
}

export const isMapping = (value: Value): boolean => isMap(resolved(value));

/** Whether nothing is written there, or `null`. */
export function isNothing(value: Value): boolean {
  const node = resolved(value);
  return node === undefined || (isScalar(node) && node.value === null);
}

/** Where a value stands: without its quotes, so that it can be written anew. */
export function rangeOf({ node, text }: Value): Range {
  const [start, end] = node?.range ?? [0, 0];
  const quoted = isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE") && end - start >= 2;
  return within(quoted ? [start + 1, end - 1] : [start, end], text);
}

/** A scalar as its author wrote it: `8.0` keeps its zero, `014` is no octal number. */
function written(node: Node | undefined): string | undefined {
  if (!isScalar(node)) return undefined;
  return node.type === "PLAIN" ? (node.source ?? String(node.value)) : String(node.value);
}

/** The text of a scalar; `undefined` for anything else. */
export const textOf = (value: Value): string | undefined => (isNothing(value) ? undefined : written(resolved(value)));

/** A scalar, or a list of them, as a three-valued setting. */
export function settingOf<T>(value: Value, read: Read<T>): Setting<T> {
  if (isNothing(value)) return ABSENT;
  const range = rangeOf(value);
  const items = itemsOf(value).map((item) => written(resolved(item)));
  const text = items.length > 0 && !items.includes(undefined) ? items.join(",") : written(resolved(value));
  if (text === undefined)
    return isTemplate(value.text.slice(...range)) ? unknown("a template fills it in", range) : mistyped("a single value", range);
  return isTemplate(text) ? unknown("a template fills it in", range) : read(text, range);
}
