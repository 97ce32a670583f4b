import { type Alias, type Document, isAlias, isMap, isPair, isScalar, isSeq, Lexer, type Node, Pair, Scalar, YAMLMap } from "yaml";
import { getOrInsert } from "../../model/maps.ts";
import { ABSENT, beforeLineEnd, mistyped, type Range, type Setting, unknown } from "../../model/source.ts";
import type { Waypoint } from "../../model/spec.ts";
import { isTemplate } from "../template-marker.ts";
import type { Read } from "../values.ts";
import { composeLoosely } from "./compose.ts";
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
  /** Whether a template decides that this VM is there, and how often. */
  readonly decided?: boolean;
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
  /** The mapping that it is written in, which `<<` may bring in. */
  readonly of: object;
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Value;
}

/** Every document of a text. Settings that keep the library linear: duplicate keys are for the caller to find. */
export function readDocuments(text: string): readonly Tree[] {
  // The library takes a byte order mark for indentation.
  const { text: masked, ...templates } = maskTemplates(text.replace(/^\ufeff/, "\n"));
  const source: Source = { text, ...templates };
  return composeLoosely(masked, { strict: false, uniqueKeys: false }).map((document: Document) => {
    const excess = excessOf(document, text);
    const missing = templates.marked ? [] : missingOf(document, text);
    const errors = [...document.errors.map(({ message, pos }) => ({ message, range: within(pos, text) })), ...missing];
    return {
      root: { node: excess ? undefined : ((document.contents as Node | null) ?? undefined), document, source },
      errors: excess ? [excess, ...errors] : errors,
    };
  });
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

const within = ([start, end]: readonly [number, number], text: string): Range =>
  beforeLineEnd([Math.min(start, text.length), Math.min(Math.max(start, end), text.length)], text);

/** What the aliases of a document stand for. */
interface Aliases {
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Each of those once. */
  readonly shared: ReadonlySet<Node>;
  /** Those that stand for nothing. */
  readonly missing: readonly Alias[];
  /** How many values they add, where each is written out; those inside of others too. */
  readonly added: number;
  /** How many values are written. */
  readonly written: number;
}

/** The library looks through all of the document for each alias. */
const followed = new WeakMap<Document, Aliases>();

const aliasesOf = (document: Document): Aliases => getOrInsert(followed, document, () => aliasesIn(document));

/** Follows an alias to what it stands for. */
const resolved = ({ node, document }: Value): Node | undefined => (isAlias(node) ? aliasesOf(document).targets.get(node) : node);

/** Where a node with an anchor ends. */
interface End {
  readonly of: Node;
  /** How many values there were before it. */
  readonly from: number;
}

/** The last node before each alias that has its anchor. Without recursion: a document may be nested deeper than the stack. */
function aliasesIn(document: Document): Aliases {
  const targets = new Map<Alias, Node>();
  const missing: Alias[] = [];
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, number>();
  let [written, added] = [0, 0];
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
      else missing.push(node);
      // One inside of what it stands for has no end.
      added += (target && sizes.get(target)) ?? 0;
    } else if (isPair(node)) open.push(node.value, node.key);
    else if (isScalar(node) || isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) {
        anchors.set(node.anchor, node);
        open.push({ of: node, from: written + added } satisfies End);
      }
      written++;
      if (!isScalar(node)) for (let i = node.items.length - 1; i >= 0; i--) open.push(node.items[i]);
    } else if (node) {
      const { of, from } = node as End;
      sizes.set(of, written + added - from);
    }
  }
  return { targets, shared: new Set(targets.values()), missing, added, written };
}

/**
 * How many values aliases may add to any document; to one that is longer, as many as are written. go-yaml v3 begins to count at as many
 * (decode.go: alias_ratio_range_low).
 */
const MOST_ADDED = 400_000;

/** Aliases that stand for nothing, which every reader of YAML refuses. */
function missingOf(document: Document, text: string): Tree["errors"] {
  if (!text.includes("*")) return [];
  const [first] = aliasesOf(document).missing;
  if (!first) return [];
  const [start, end] = first.range ?? [0, 0];
  return [{ message: `there is no earlier anchor ${first.source}`, range: within([start, end], text) }];
}

/** What is wrong with a document whose aliases stand for far more than is written: each reader of it would be kept busy. */
function excessOf(document: Document, text: string): Tree["errors"][number] | undefined {
  if (!text.includes("*")) return undefined;
  const { targets, added, written } = aliasesOf(document);
  if (added <= Math.max(MOST_ADDED, written)) return undefined;
  const [last] = [...targets.keys()].slice(-1);
  const [start, end] = last?.range ?? [0, 0];
  return {
    message: `the aliases up to this one stand for more than ${MOST_ADDED} values, and nothing is read`,
    range: within([start, end], text),
  };
}

type Mapping = YAMLMap<Node, Node | null>;

/**
 * The mappings that one is made of, the strongest first: itself, then those that `<<` brings in, of a list its first item before the
 * others (https://yaml.org/type/merge.html). One that comes again adds nothing.
 */
function layersOf(value: Value): ReadonlySet<Mapping> {
  const layers = new Set<Mapping>();
  const open: Value[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    const node = resolved(next);
    if (!isMap<Node, Node | null>(node) || layers.has(node)) continue;
    layers.add(node);
    for (const { key, value: child } of node.items) {
      if (!isScalar(key) || String(key.value) !== "<<") continue;
      const merged = { ...value, node: child ?? undefined };
      for (const item of [merged, ...itemsOf(merged)].reverse()) open.push(item);
    }
  }
  return layers;
}

/** The entries of a mapping, in order, those that `<<` brings in first; none for anything else. Keys are plain words. */
export function entriesOf(value: Value): readonly Entry[] {
  return [...layersOf(value)].reverse().flatMap((of) =>
    of.items.flatMap(({ key, value: child }) => {
      if (!isScalar(key) || !key.range || String(key.value) === "<<") return [];
      const keyRange = within([key.range[0], key.range[1]], value.source.text);
      return [{ of, key: String(key.value), keyRange, value: { ...value, node: child ?? undefined } }];
    }),
  );
}

/** The entries of a mapping as mappings of their own, `{ key, value }`; of a key that is set twice the last. */
export const pairsOf = (value: Value): readonly Value[] =>
  [...new Map(entriesOf(value).map((entry) => [entry.key, entry])).values()].map(({ key, keyRange: [start, end], value: child }) => {
    const name = new Scalar(key);
    name.range = [start, end, end];
    const node = new YAMLMap<Node, Node | null>();
    node.items.push(
      new Pair<Node, Node | null>(new Scalar("key"), name),
      new Pair<Node, Node | null>(new Scalar("value"), child.node ?? null),
    );
    return { ...value, node };
  });

const nothing = (value: Value): Value => ({ ...value, node: undefined });

/** The value of a key; of a key that is set twice the last, as YAML's readers take it. */
export function get(value: Value, key: string): Value {
  const node = resolved(value);
  if (!isMap<Node, Node | null>(node)) return nothing(value);
  const own = pairOf(node, key);
  if (own) return { ...value, node: own.value ?? undefined };
  if (!pairOf(node, "<<")) return nothing(value);
  for (const layer of layersOf(value)) {
    const pair = pairOf(layer, key);
    if (pair) return { ...value, node: pair.value ?? undefined };
  }
  return nothing(value);
}

/** The keys of mappings with many, of which one may be asked for each variable of a text. */
const indices = new WeakMap<Mapping, ReadonlyMap<string, Pair<Node, Node | null>>>();
const MANY = 50;

/** The last pair with a key. */
function pairOf(mapping: Mapping, key: string): Pair<Node, Node | null> | undefined {
  const { items } = mapping;
  if (items.length > MANY) {
    const index = () => new Map(items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
    return getOrInsert(indices, mapping, index).get(key);
  }
  for (let i = items.length - 1; i >= 0; i--) {
    const pair = items[i];
    if (!isScalar(pair?.key)) continue;
    const name = pair.key.value;
    if (name === key || (typeof name !== "string" && String(name) === key)) return pair;
  }
  return undefined;
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

/** Where the keys of a mapping begin, or the items of a list; `undefined` for one in braces, or one that stands elsewhere. */
export function startOfBlock({ node }: Value): number | undefined {
  if (!(isMap(node) || isSeq(node)) || node.flow) return undefined;
  const first = isMap(node) ? (node.items[0]?.key as Node | null | undefined) : node.range ? node : undefined;
  return first?.range?.[0];
}

/** Where the value of an entry ends that is on one line: the one that is `near`, else the first. Not one that a template may leave out. */
export function lineOfBlock({ node, source }: Value, near: Value | undefined): number | undefined {
  if (!(isMap(node) || isSeq(node))) return undefined;
  const ranges = node.items.flatMap((item): Range[] => {
    const one = (isPair(item) ? item.value : item) as Node | null;
    const range = one?.range && within([one.range[0], one.range[1]], source.text);
    const isBelow = isPair(item) && (isMap(one) || isSeq(one)) && !one.flow;
    const isLine = range && !isBelow && range[0] < range[1] && !/[\r\n]/.test(source.text.slice(...range)) && !isInBranch(range, source);
    return isLine ? [range] : [];
  });
  const wanted = ranges.find(([start]) => start === near?.node?.range?.[0]) ?? ranges[0];
  return wanted?.[1];
}

/** Whether a place is a part of the arguments of an alias stands for. */
export const isAliased = ({ document, source }: Value, place: number): boolean =>
  source.text.includes("*") && [...aliasesOf(document).shared].some(({ range }) => range && range[0] <= place && place < range[1]);

/** A value whose templates count from where it starts: one around the whole of it decides nothing inside. */
export function scoped(value: Value): Value {
  const { source } = value;
  if (!source.marked) return value;
  const [start, end] = spanOf(value);
  const inside = (ranges: readonly Range[]) => ranges.filter(([from]) => from > start && from < end);
  const inserts = [...inside(source.inserts), ...insertsBehind(end, source)];
  const decided = source.decided || isInBranch([start, end], source);
  return { ...value, source: { ...source, scoped: true, decided, branches: inside(source.branches), inserts } };
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
  return fallback === undefined ? "a template fills it in" : `a template fills it in, with ${fallback} as default`;
}

/** A scalar, or a list of them, as a three-valued setting. */
export function settingOf<T>(value: Value, read: Read<T>): Setting<T> {
  const range = rangeOf(value);
  if (isAlias(value.node) && !resolved(value)) return unknown("no anchor has the name of its alias", range);
  if (isNothing(value)) return ABSENT;
  if (value.unsure !== undefined) return unknown(value.unsure, range);
  const { text: whole } = value.source;
  if (isInBranch(range, value.source)) return unknown("a template decides whether it is there", range);
  const list = resolved(value);
  const items = itemsOf(value).map((item) => written(resolved(item), item.source));
  if (isSeq(list) && items.length < list.items.length) return unknown("a template decides what is in it", range);
  const isList = isSeq(list) && !items.includes(undefined);
  const text = isList ? items.join(",") : textOf(value);
  if (text === undefined)
    return isTemplate(whole.slice(...range)) ? unknown("a template fills it in", range) : mistyped("a single value", range);
  return isTemplate(text) ? unknown(filledIn(text), range) : read(text, range);
}
