import { type Alias, type Document, isAlias, isMap, isPair, isScalar, isSeq, Lexer, type Node, Pair, Scalar, YAMLMap } from "yaml";
import { getOrInsert } from "../../model/maps.ts";
import { ABSENT, beforeLineEnd, mistyped, type Range, type Setting, unknown, withText } from "../../model/source.ts";
import type { Waypoint } from "../../model/spec.ts";
import { isTemplate } from "../template-marker.ts";
import type { Read } from "../values.ts";
import { composeLoosely } from "./compose.ts";
import { type Masked, maskTemplates } from "./mask.ts";

/** A document of a YAML stream; `errors` has its syntax errors, and the rest of the tree is still usable. */
export interface Tree {
  readonly root: Value;
  readonly errors: readonly { readonly message: string; readonly range: Range }[];
}

/** The data shared by all values of a text: the original text, and its templates. */
export interface Source extends Omit<Masked, "text"> {
  readonly text: string;
  /** Whether `branches` only has those inside of one VM. */
  readonly scoped?: boolean;
  /** Whether a template decides if this VM exists, and how often. */
  readonly decided?: boolean;
  /** Replaces a value that is a template, where other files decide it. */
  readonly fill?: ((value: Value) => Value) | undefined;
  /** The places of nodes that were made from a text of another language. */
  readonly places?: ReadonlyMap<unknown, NodePlace>;
}

/** A place of a node, and why its value is unknown. */
export interface NodePlace {
  readonly range: Range;
  readonly unsure?: string;
}

/** A value in a document, possibly absent, so that a path can be followed without checks. */
export interface Value {
  readonly node: Node | undefined;
  readonly document: Document;
  readonly source: Source;
  /** The place of its use, if it is defined elsewhere or is a part of a text: such a value is read, and never edited. */
  readonly usedAt?: Range;
  /** The text of the value, if it is a part of a scalar. */
  readonly part?: string;
  /** The place that set it, if it differs from the place of its use. */
  readonly setBy?: Waypoint;
  /** Why it is unknown. */
  readonly unsure?: string;
}

/** A key of a mapping with its value. */
export interface Entry {
  /** The mapping that contains it, which `<<` may include. */
  readonly of: object;
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Value;
}

/** Parses every document of a text. The options keep the library linear; callers find duplicate keys. */
export function readDocuments(text: string, fill?: Source["fill"]): readonly Tree[] {
  // The library reads a byte order mark as indentation.
  const { text: masked, ...templates } = maskTemplates(text.replace(/^\ufeff/, "\n"));
  const source: Source = { text, ...templates, ...(fill && { fill }) };
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

/** Control characters that the library's lexer emits between tokens; the text does not contain them. */
const [DOCUMENT, FLOW_ERROR_END, SCALAR] = ["\x02", "\x18", "\x1f"];

/** Returns the ranges of comments; a `#` inside of a value is not one. */
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

/** The targets of a document's aliases. */
interface Aliases {
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly shared: ReadonlySet<Node>;
  /** Aliases without a target. */
  readonly missing: readonly Alias[];
  /** The number of values that expanded aliases add, including nested ones. */
  readonly added: number;
  /** The number of written values. */
  readonly written: number;
}

/** The library searches the whole document for each alias. */
const followed = new WeakMap<Document, Aliases>();

const aliasesOf = (document: Document): Aliases => getOrInsert(followed, document, () => aliasesIn(document));

/** Returns the target of an alias. */
const resolved = ({ node, document }: Value): Node | undefined => (isAlias(node) ? aliasesOf(document).targets.get(node) : node);

/** The end of a node with an anchor. */
interface End {
  readonly of: Node;
  /** The number of values before it. */
  readonly from: number;
}

/** Finds the last node with its anchor before each alias. Without recursion, because a document may be nested deeper than the stack. */
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
      // An alias inside of its own target is infinite.
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
 * The most values that aliases may add to any document; a longer document may add its own number of values. go-yaml v3 starts to check at
 * the same number (decode.go: alias_ratio_range_low).
 */
const MOST_ADDED = 400_000;

/** Aliases without a target, which every YAML reader refuses. */
function missingOf(document: Document, text: string): Tree["errors"] {
  if (!text.includes("*")) return [];
  const [first] = aliasesOf(document).missing;
  if (!first) return [];
  const [start, end] = first.range ?? [0, 0];
  return [{ message: `there is no earlier anchor ${first.source}`, range: within([start, end], text) }];
}

/** Returns an error for a document whose aliases multiply its size so far that they would block each reader. */
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
 * Returns the mappings that make up a mapping, strongest first: itself, then the mappings that `<<` includes, list items in order
 * (https://yaml.org/type/merge.html). Repeated mappings add nothing.
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

/** Returns the entries of a mapping in order, entries of `<<` first; an empty list for any other value. Keys are plain words. */
export function entriesOf(value: Value): readonly Entry[] {
  return [...layersOf(value)].reverse().flatMap((of) =>
    of.items.flatMap(({ key, value: child }) => {
      if (!isScalar(key) || String(key.value) === "<<") return [];
      const keyRange = value.source.places?.get(key)?.range ?? (key.range && within([key.range[0], key.range[1]], value.source.text));
      if (!keyRange) return [];
      return [{ of, key: String(key.value), keyRange, value: { ...value, node: child ?? undefined } }];
    }),
  );
}

/** Returns the entries of a mapping as mappings `{ key, value }`; for a duplicate key the last one. */
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

/** Whether rendering replaces a scalar, maybe by a mapping: `cpu: {{ toYaml .Values.cpu }}`. In YAML, such as a playbook, it is a text. */
const isRendered = (value: Value): boolean => value.source.template && isTemplate(textOf(value) ?? "");

const FILLED_IN = "a template fills it in";

const nothing = (value: Value): Value => ({ ...value, node: undefined });

/** Returns the value of a key; for a duplicate key the last one, like YAML readers do. */
export function get(value: Value, key: string): Value {
  const node = resolved(value);
  // Parts of an unknown value are unknown.
  if (unsureOf(value) !== undefined) return value;
  if (!isMap<Node, Node | null>(node)) return isRendered(value) ? { ...value, unsure: FILLED_IN } : nothing(value);
  const own = pairOf(node, key);
  if (own) return filled({ ...value, node: own.value ?? undefined });
  if (!pairOf(node, "<<")) return nothing(value);
  for (const layer of layersOf(value)) {
    const pair = pairOf(layer, key);
    if (pair) return { ...value, node: pair.value ?? undefined };
  }
  return nothing(value);
}

const unsureOf = ({ node, source, unsure }: Value): string | undefined => unsure ?? source.places?.get(node)?.unsure;

const filled = (value: Value): Value => (value.source.fill && isScalar(value.node) ? value.source.fill(value) : value);

/** Indexes of large mappings, which may be searched once per variable of a text. */
const indices = new WeakMap<Mapping, ReadonlyMap<string, Pair<Node, Node | null>>>();
const MANY = 50;

/** Returns the last pair with a key. */
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

/** Returns the value at the end of a path of keys. */
export const at = (value: Value, path: readonly string[]): Value => path.reduce(get, value);

/** Returns the items of a list; an empty list for any other value. In a VM, items that a template may omit are left out. */
export function itemsOf(value: Value): readonly Value[] {
  const node = resolved(value);
  if (!isSeq(node)) return [];
  const items = node.items.map((item) => ({ ...value, node: item as Node }));
  return value.source.scoped ? items.filter((item) => !isInBranch(rangeOf(item), value.source)) : items;
}

/** Whether a template decides if a value exists. */
const isInBranch = ([from, to]: Range, { branches }: Source): boolean => branches.some(([start, end]) => start <= from && to <= end);

export const isMapping = (value: Value): boolean => isMap(resolved(value));

export const isList = (value: Value): boolean => isSeq(resolved(value));

/** Whether the value is empty or `null`. */
export function isNothing(value: Value): boolean {
  const node = resolved(value);
  return node === undefined || (isScalar(node) && node.value === null);
}

/** Returns the start of a mapping's keys, or of a list's items; `undefined` for one in braces, or an alias. */
export function startOfBlock({ node }: Value): number | undefined {
  if (!(isMap(node) || isSeq(node)) || node.flow) return undefined;
  const first = isMap(node) ? (node.items[0]?.key as Node | null | undefined) : node.range ? node : undefined;
  return first?.range?.[0];
}

/** Returns the end of a one-line entry: preferably of `near`, otherwise of the first. Skips entries that a template may omit. */
export function lineOfBlock({ node, source }: Value, near: Value | undefined): number | undefined {
  if (!(isMap(node) || isSeq(node))) return undefined;
  const ranges = node.items.flatMap((item): Range[] => {
    const child = (isPair(item) ? item.value : item) as Node | null;
    const range = child?.range && within([child.range[0], child.range[1]], source.text);
    const isBelow = isPair(item) && (isMap(child) || isSeq(child)) && !child.flow;
    const isLine = range && !isBelow && range[0] < range[1] && !/[\r\n]/.test(source.text.slice(...range)) && !isInBranch(range, source);
    return isLine ? [range] : [];
  });
  const wanted = ranges.find(([start]) => start === near?.node?.range?.[0]) ?? ranges[0];
  return wanted?.[1];
}

/** Whether a range is inside of an alias' target. */
export const isAliased = ({ document, source }: Value, place: number): boolean =>
  source.text.includes("*") && [...aliasesOf(document).shared].some(({ range }) => range && range[0] <= place && place < range[1]);

/** Returns a value whose templates count from its own start: a template around the whole value decides nothing inside. */
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

/** Returns the insertions directly behind a value. They belong to it, because only the template knows their depth. */
function insertsBehind(end: number, { text, inserts }: Source): readonly Range[] {
  const ranges: Range[] = [];
  let last = end;
  for (const insert of inserts) {
    const [from, to] = insert;
    if (from < end) continue;
    if (!NO_CONTENT.test(text.slice(last, from))) break;
    ranges.push(insert);
    last = to;
  }
  return ranges;
}

/** Returns the range of a value without its quotes, so that it can be replaced. */
export function rangeOf({ node, source, usedAt }: Value): Range {
  const place = usedAt ?? source.places?.get(node)?.range;
  if (place) return place;
  const [start, end] = node?.range ?? [0, 0];
  const quoted = isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE") && end - start >= 2;
  return within(quoted ? [start + 1, end - 1] : [start, end], source.text);
}

/** Returns the range of a value up to the next one, including comments and template lines after it. */
export function spanOf({ node, source }: Value): Range {
  const [start, , end] = node?.range ?? [0, 0, 0];
  return within([start, end], source.text);
}

/** Returns the source text of a scalar: `8.0` keeps its zero, `014` is not octal, and a template stays. */
function written(node: Node | undefined, { marked, text }: Source): string | undefined {
  if (!isScalar(node)) return undefined;
  if (marked && node.range) {
    const quotes = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE" ? 1 : 0;
    const original = text.slice(node.range[0] + quotes, node.range[1] - quotes);
    if (isTemplate(original)) return original;
  }
  return node.type === "PLAIN" ? (node.source ?? String(node.value)) : String(node.value);
}

/** Returns the text of a scalar; `undefined` for any other value. */
export const textOf = (value: Value): string | undefined =>
  value.part ?? (isNothing(value) ? undefined : written(resolved(value), value.source));

/** Whether a scalar is plain, without quotes. */
export function isPlain(value: Value): boolean {
  const node = resolved(value);
  return isScalar(node) && node.type === "PLAIN";
}

/** Returns why a templated value is unknown, with the default of a shell-like variable. */
function filledIn(text: string): string {
  const fallback = /^\$\{[^{}]*?:?[-=]([^{}]+)\}$/.exec(text.trim())?.[1];
  return fallback === undefined ? FILLED_IN : `${FILLED_IN}, with ${fallback} as default`;
}

/** Reads a scalar, or a list of scalars, as a three-valued setting. Messages name it by its key. */
export function settingOf<T>(value: Value, read: Read<T>, key?: string): Setting<T> {
  const range = rangeOf(value);
  if (isAlias(value.node) && !resolved(value)) return unknown("no anchor has the name of its alias", range);
  if (isNothing(value)) return ABSENT;
  const unsure = unsureOf(value);
  if (unsure !== undefined) return unknown(unsure, range);
  const { text: whole } = value.source;
  if (isInBranch(range, value.source)) return unknown("a template decides whether it is there", range);
  const list = resolved(value);
  const items = itemsOf(value).map((item) => written(resolved(item), item.source));
  if (isSeq(list) && items.length < list.items.length) return unknown("a template decides what is in it", range);
  const isList = isSeq(list) && !items.includes(undefined);
  const text = isList ? items.join(",") : textOf(value);
  if (text === undefined)
    return isTemplate(whole.slice(...range))
      ? unknown(FILLED_IN, range)
      : withText(mistyped("a single value", range), { key, text: whole.slice(...range) });
  return isTemplate(text)
    ? unknown(filledIn(text), range)
    : withText(read(text, range), { key, text: isList ? whole.slice(...range) : text });
}
