import { type Alias, type Document, isAlias, isMap, isPair, isScalar, isSeq, Lexer, type Node, type Pair } from "yaml";
import { ABSENT, mistyped, type Range, type Setting, unknown } from "../../model/source.ts";
import type { Waypoint } from "../../model/spec.ts";
import type { Read } from "../values.ts";
import { isTemplate } from "../vmx/escape.ts";
import { composeDocuments } from "./compose.ts";
import { type Masked, maskTemplates } from "./mask.ts";

/** A document of a YAML stream; what is wrong with its syntax is in `errors`, and the rest is still there. */
export interface Tree {
  readonly root: Value;
  readonly errors: readonly { readonly message: string; readonly range: Range }[];
}

/** What every value of a text shares: the text as its author wrote it, and the templates in it. */
export interface Source extends Omit<Masked, "text"> {
  readonly text: string;
  /** Whether the branches are those inside of one VM. */
  readonly scoped?: boolean;
}

/** A value in a document; absent ones too, so that a path can be followed without looking. */
export interface Value {
  readonly node: Node | undefined;
  readonly document: Document;
  readonly source: Source;
  /** Where it counts, when it is written elsewhere or is a part of a text: such a value is read, and never edited. */
  readonly usedAt?: Range;
  /** The part of a text that it is. */
  readonly part?: string;
  /** What set it, where that is not where it counts. */
  readonly setBy?: Waypoint;
  /** Why it is not known. */
  readonly unsure?: string;
}

/** A key of a mapping with its value. */
export interface Entry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Value;
}

/** Every document of a text. Settings that keep the library linear: duplicate keys are for the caller to find. */
export function readDocuments(text: string): readonly Tree[] {
  // The library takes a byte order mark for indentation.
  const { text: masked, ...templates } = maskTemplates(text.replace(/^\ufeff/, "\n"));
  const source: Source = { text, ...templates };
  return composeDocuments(masked, { uniqueKeys: false, strict: false }).map((document: Document) => ({
    root: { node: (document.contents as Node | null) ?? undefined, document, source },
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

/** What each alias of a document stands for: the library looks through all of the document for one. */
const targets = new WeakMap<Document, ReadonlyMap<Alias, Node>>();

/** Follows an alias to what it stands for. */
function resolved({ node, document }: Value): Node | undefined {
  if (!isAlias(node)) return node;
  const known = targets.get(document) ?? targetsIn(document);
  targets.set(document, known);
  return known.get(node);
}

/** The last node before each alias that has its anchor. Without recursion: a document may be nested deeper than the stack. */
function targetsIn(document: Document): ReadonlyMap<Alias, Node> {
  const found = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) found.set(node, target);
    } else if (isPair(node)) open.push(node.value, node.key);
    else if (isScalar(node) || isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (!isScalar(node)) for (let i = node.items.length - 1; i >= 0; i--) open.push(node.items[i]);
    }
  }
  return found;
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
      keyRange: within([key.range[0], key.range[1]], value.source.text),
      value: { ...value, node: child ?? undefined },
    };
    if (entry.key !== "<<") own.push(entry);
    else if (merges > 0) merged.push(...[entry.value, ...itemsOf(entry.value)].flatMap((from) => entriesOf(from, merges - 1)));
  }
  return [...merged, ...own];
}

const nothing = (value: Value): Value => ({ ...value, node: undefined });

/** The value of a key; of a key that is set twice the last, as YAML's readers take it. */
export function get(value: Value, key: string): Value {
  const node = resolved(value);
  if (!isMap(node)) return nothing(value);
  const { items } = node as { items: readonly Pair<Node, Node | null>[] };
  let merges = false;
  for (let i = items.length - 1; i >= 0; i--) {
    const pair = items[i];
    if (!isScalar(pair?.key)) continue;
    const name = pair.key.value;
    if (name === key || (typeof name !== "string" && String(name) === key)) return { ...value, node: pair.value ?? undefined };
    merges ||= name === "<<";
  }
  return merges ? (entriesOf(value).findLast((entry) => entry.key === key)?.value ?? nothing(value)) : nothing(value);
}

/** The value at the end of a path of keys. */
export const at = (value: Value, path: readonly string[]): Value => path.reduce(get, value);

/** The items of a list; none for anything else. In a VM without those that a template may leave out. */
export function itemsOf(value: Value): readonly Value[] {
  const node = resolved(value);
  if (!isSeq(node)) return [];
  const items = node.items.map((item) => ({ ...value, node: item as Node }));
  return value.source.scoped ? items.filter((item) => !isInBranch(rangeOf(item), value.source)) : items;
}

/** Whether a template decides that a place is there. */
const isInBranch = ([from, to]: Range, { branches }: Source): boolean => branches.some(([start, end]) => start <= from && to <= end);

export const isMapping = (value: Value): boolean => isMap(resolved(value));

export const isList = (value: Value): boolean => isSeq(resolved(value));

/** Whether nothing is written there, or `null`. */
export function isNothing(value: Value): boolean {
  const node = resolved(value);
  return node === undefined || (isScalar(node) && node.value === null);
}

/** Where a key can be put before the others of a mapping; `undefined` for one in braces, or one that stands elsewhere. */
export function startOfBlock({ node }: Value): number | undefined {
  if (!(isMap(node) || isSeq(node)) || node.flow) return undefined;
  const first = isMap(node) ? (node.items[0]?.key as Node | null | undefined) : node.range ? node : undefined;
  return first?.range?.[0];
}

/** A value whose templates count from where it starts: one around the whole of it decides nothing inside. */
export function scoped(value: Value): Value {
  const { source } = value;
  if (!source.marked) return value;
  const [start, end] = spanOf(value);
  const inside = (ranges: readonly Range[]) => ranges.filter(([from]) => from > start && from < end);
  const inserts = [...inside(source.inserts), ...insertsBehind(end, source)];
  return { ...value, source: { ...source, scoped: true, branches: inside(source.branches), inserts } };
}

/** Templates, comments and blanks. */
const NO_CONTENT = /^(?:\s|\{\{[^}]*\}\}|\{%[^%]*%\}|\{#[^#]*#\}|#[^\n]*)*$/;

/** What is brought in behind the last line of a value belongs to it: how deep it goes only the template knows. */
function insertsBehind(end: number, { text, inserts }: Source): readonly Range[] {
  const found: Range[] = [];
  let last = end;
  for (const insert of inserts) {
    const [from, to] = insert;
    if (from < end) continue;
    if (!NO_CONTENT.test(text.slice(last, from))) break;
    found.push(insert);
    last = to;
  }
  return found;
}

/** Where a value stands: without its quotes, so that it can be written anew. */
export function rangeOf({ node, source, usedAt }: Value): Range {
  if (usedAt) return usedAt;
  const [start, end] = node?.range ?? [0, 0];
  const quoted = isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE") && end - start >= 2;
  return within(quoted ? [start + 1, end - 1] : [start, end], source.text);
}

/** All that belongs to a value, up to the next: comments and template lines behind it too. */
export function spanOf({ node, source }: Value): Range {
  const [start, , end] = node?.range ?? [0, 0, 0];
  return within([start, end], source.text);
}

/** A scalar as its author wrote it: `8.0` keeps its zero, `014` is no octal number, and a template is still one. */
function written(node: Node | undefined, { marked, text }: Source): string | undefined {
  if (!isScalar(node)) return undefined;
  if (marked && node.range) {
    const quotes = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE" ? 1 : 0;
    const original = text.slice(node.range[0] + quotes, node.range[1] - quotes);
    if (isTemplate(original)) return original;
  }
  return node.type === "PLAIN" ? (node.source ?? String(node.value)) : String(node.value);
}

/** The text of a scalar; `undefined` for anything else. */
export const textOf = (value: Value): string | undefined =>
  value.part ?? (isNothing(value) ? undefined : written(resolved(value), value.source));

/** Whether a scalar stands plain, without quotes. */
export function isPlain(value: Value): boolean {
  const node = resolved(value);
  return isScalar(node) && node.type === "PLAIN";
}

/** Why a value of a template is not known; with the default that a shell-like variable carries. */
function filledIn(text: string): string {
  const fallback = /^\$\{[^{}]*?:?[-=]([^{}]+)\}$/.exec(text.trim())?.[1];
  return fallback === undefined ? "a template fills it in" : `a template fills it in, with ${fallback} where nothing else is set`;
}

/** A scalar, or a list of them, as a three-valued setting. */
export function settingOf<T>(value: Value, read: Read<T>): Setting<T> {
  if (isNothing(value)) return ABSENT;
  const range = rangeOf(value);
  if (value.unsure !== undefined) return unknown(value.unsure, range);
  const { text: whole } = value.source;
  if (isInBranch(range, value.source)) return unknown("a template decides whether it is there", range);
  const list = resolved(value);
  const items = itemsOf(value).map((item) => written(resolved(item), item.source));
  if (isSeq(list) && items.length < list.items.length) return unknown("a template decides what is in it", range);
  const text = items.length > 0 && !items.includes(undefined) ? items.join(",") : textOf(value);
  if (text === undefined)
    return isTemplate(whole.slice(...range)) ? unknown("a template fills it in", range) : mistyped("a single value", range);
  return isTemplate(text) ? unknown(filledIn(text), range) : read(text, range);
}
