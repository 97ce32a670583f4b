import { Document, isMap, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { HostFacts } from "../hosts/host-facts.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import { nameOf } from "../model/files.ts";
import { startOfLine, type TextEdit } from "../model/source.ts";
import { readLayer } from "./layers.ts";

/** A host for `hosts:` of a configuration, with its name. */
export interface DeclaredHost {
  readonly name: string;
  readonly facts: HostFacts;
  /** A comment about it. */
  readonly note?: string;
}

/**
 * Returns the text of a configuration with another `host:`, and with a declaration of it if there is one. Everything else stays as it is.
 * `undefined` if the text has a layout that it cannot edit. Throws CONFIG_INVALID if the configuration is invalid.
 */
export function withHost(text: string, path: string, host: string | DeclaredHost): string | undefined {
  const before = readLayer(text, path).raw;
  const name = typeof host === "string" ? host : host.name;
  const declared = typeof host === "string" ? text : withEntry(text, path, ["hosts", name], host.facts);
  const changed = declared === undefined ? undefined : withEntry(declared, path, ["host"], name);
  const after = { ...before, host: name, ...(typeof host !== "string" && { hosts: { ...before.hosts, [name]: host.facts } }) };
  try {
    return changed !== undefined && isSame(readLayer(changed, path).raw, after) ? changed : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two configurations are the same in another order of keys. */
export const isSame = (a: object, b: object): boolean => sorted(a) === sorted(b);

/** Returns a value as JSON, with the keys of each map in order. */
const sorted = (value: object): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Returns the text with a value at a path of keys. */
function withEntry(text: string, path: string, keys: readonly string[], value: unknown): string | undefined {
  const document = parseDocument(text, { logLevel: "error" });
  const edit = entryEdit(text, nameOf(path) === "package.json" ? document.get("vmlint", true) : document.contents, keys, value);
  return edit && applyEdits(text, [edit]);
}

function entryEdit(text: string, node: unknown, [key = "", ...below]: readonly string[], value: unknown): TextEdit | undefined {
  const pair = isMap(node) ? pairOf(node, key) : undefined;
  if (pair && below.length > 0 && isMap(pair.value)) return entryEdit(text, pair.value, below, value);
  const nested = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return pair ? replaced(pair, nested, isMap(node) && node.flow === true) : added(text, node, key, nested);
}

/** Returns the entry of a map with a key. */
export const pairOf = (map: YAMLMap, name: string) =>
  map.items.find(({ key }) => isScalar(key) && key.value === name) as Pair<Node, Node | null> | undefined;

function replaced({ value }: Pair<Node, Node | null>, now: unknown, isJson: boolean): TextEdit | undefined {
  const range = value?.range;
  return range ? { range: [range[0], range[1]], newText: textOf(now, isJson) } : undefined;
}

/** Adds an entry before the first one of a map, or at the end of a text without one. */
function added(text: string, node: unknown, name: string, value: unknown): TextEdit | undefined {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const at = isMap(node) ? (node.items[0]?.key as Node | undefined)?.range?.[0] : undefined;
  if (isMap(node) && node.flow) {
    const entry = `${JSON.stringify(name)}: ${textOf(value, true)}`;
    const start = node.range?.[0] ?? 0;
    if (at === undefined) return insert(start + 1, entry);
    const gap = text.slice(start + 1, at);
    return insert(at, `${entry},${/[\r\n]/.test(gap) ? gap : " "}`);
  }
  const entry = `${textOf(name, false)}: ${textOf(value, false)}${eol}`;
  if (at !== undefined) return insert(at, `${entry}${" ".repeat(at - startOfLine(text, at))}`);
  if (node && !(isScalar(node) && node.value === null)) return undefined;
  return insert(text.length, `${text === "" || /[\r\n]$/.test(text) ? "" : eol}${entry}`);
}

/** Returns a value as YAML or JSON in one line. */
const textOf = (value: unknown, isJson: boolean): string => (isJson ? JSON.stringify(value) : inOneLine(value));

/** Returns a value as YAML in one line. */
export function inOneLine(value: unknown): string {
  const document = new Document(value);
  if (isMap(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0 }).trimEnd();
}

export const insert = (at: number, newText: string): TextEdit => ({ range: [at, at], newText });
