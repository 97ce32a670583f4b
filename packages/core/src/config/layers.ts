import { Document, isAlias, isMap, isScalar, isSeq } from "yaml";
import { folderOf, joinPath, nameOf } from "../model/files.ts";
import { LineIndex, type Position } from "../model/source.ts";
import { parseWorkload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { composeDocuments } from "../syntax/yaml/compose.ts";
import { formOf } from "./form.ts";
import { type Mistake, raise, whyNotRead } from "./mistakes.ts";
import { refusedKey } from "./refused-key.ts";
import { isFile, type RawConfig, ROOT } from "./schema.ts";

/** Where something stands in a configuration. */
export type Path = readonly PropertyKey[];

/** One file of a configuration: the one that was found, or one that it extends. */
export interface Layer {
  /** As messages name it. */
  readonly path: string;
  /** Where the configuration that was found names it, or the file through which it comes to be extended; 0 in that itself. */
  readonly namedAt: number;
  readonly text: string;
  /** What it says, without the parts whose form is wrong. */
  readonly raw: RawConfig;
  /** Whether nothing wrong was noted of a part, of what it is part of, and of what is in it. */
  readonly isSound: (at: Path) => boolean;
  /** A file that this one names, by its path relative to the configuration that was found. */
  readonly resolve: (file: string) => string;
  /** Where a value stands, or its key. */
  readonly offsetOf: (path: Path, ofKey?: boolean) => number;
  readonly rangeOf: (path: Path) => readonly [start: number, end: number];
  readonly positionOf: (offset: number) => Position;
  /** Notes what is wrong at a place, or with its key. */
  readonly report: (at: Path, message: string, ofKey?: boolean) => void;
}

/** What a configuration may name, by its path relative to the configuration. */
export interface ConfigFiles {
  readonly read: (path: string) => Promise<string>;
  /** The path of the nearest configuration above that says `root: true`; where nobody looks for one, there is none. */
  readonly root?: () => Promise<string | undefined>;
  /** The rules that plugins brought; `ignored`: none are loaded here, and what is said of them is passed over. */
  readonly plugins?: readonly Rule[] | "ignored";
  /** Whether it is the user who named the configuration: only then may it name plugins, which are code. */
  readonly isTrusted?: boolean;
}

/** A configuration and the files it extends, each before those that build on it, each once. What is wrong with them goes to `mistakes`. */
export async function readLayers(text: string, path: string, files: ConfigFiles, mistakes: Mistake[]): Promise<readonly Layer[]> {
  const known = new Map<string, Layer>();
  const add = async (own: Layer, file: string, above: readonly string[]): Promise<void> => {
    for (const [i, entry] of (own.raw.extends ?? []).entries()) {
      const refuse = (message: string) => own.report(["extends", i], message);
      const below = entry === ROOT ? await files.root?.() : isFile(entry) ? own.resolve(entry) : null;
      if (below === null) continue;
      if (below === undefined) refuse("No configuration above this one says root: true.");
      else if (below === file) refuse(`${entry} is this file: it cannot extend itself.`);
      else if (above.includes(below)) refuse(`${entry} extends this file in turn: take one of the two out.`);
      else if (!known.has(below)) {
        const content = await files.read(below).catch((error: unknown) => error as Error);
        if (typeof content !== "string") refuse(whyNotRead(entry, content));
        else {
          const namedAt = above.length === 0 ? own.offsetOf(["extends", i]) : own.namedAt;
          const layer = parseLayer(content, joinPath(folderOf(path), below), mistakes, folderOf(below));
          await add({ ...layer, namedAt }, below, [...above, file]);
        }
      }
    }
    known.set(file, own);
  };
  await add(parseLayer(text, path, mistakes), nameOf(path), []);
  return [...known.values()];
}

/** What one file says by itself. Throws CONFIG_INVALID where its form is wrong. */
export function readLayer(text: string, path: string): Layer {
  const mistakes: Mistake[] = [];
  const layer = parseLayer(text, path, mistakes);
  raise(mistakes);
  return layer;
}

/** Who gets more mistakes of form mends these first; the place of each is looked for among all keys. */
const MOST_WRONG = 200;

/** Text of one file -> what it says. All that is wrong with its form goes to `mistakes`. */
export function parseLayer(text: string, path: string, mistakes: Mistake[], folder = "."): Layer {
  const lines = new LineIndex(text);
  const [document = new Document(null), another] = composeDocuments(text, { logLevel: "error", uniqueKeys: false });
  const positionOf = (offset: number): Position => lines.at(offset);
  const note = (at: Path, offset: number, message: string): void => {
    mistakes.push({ path, at, offset, position: positionOf(offset), message });
  };
  const report: Layer["report"] = (at, message, ofKey) => note(at, offsetOf(document, at, ofKey), message);
  const plain = withParsedWorkloads(
    plainOf(document, another, path, (offset, message) => note([], offset, message)),
    report,
  );
  const { wrong, raw } = formOf(plain);
  for (const { at, isKey, message } of wrong.slice(0, MOST_WRONG)) report(at, message, isKey);
  return {
    path,
    namedAt: 0,
    text,
    raw,
    isSound: (at) => !mistakes.some((one) => one.path === path && one.at.every((key, i) => i >= at.length || key === at[i])),
    resolve: (file) => joinPath(folder, file),
    offsetOf: (at, ofKey) => offsetOf(document, at, ofKey),
    rangeOf: (at) => {
      const node = nodeAt(document, at);
      return [node?.range?.[0] ?? 0, node?.range?.[1] ?? 0];
    },
    positionOf,
    report,
  };
}

/** The values of a document, with each workload that is written in one line as its facts. */
function withParsedWorkloads(plain: unknown, report: Layer["report"]): unknown {
  if (!isRecord(plain)) return plain;
  const parsed = (part: Readonly<Record<string, unknown>>, at: Path): Readonly<Record<string, unknown>> => {
    if (typeof part.workload !== "string") return part;
    const workload = parseWorkload(part.workload);
    if (typeof workload !== "string") return { ...part, workload };
    report([...at, "workload"], workload);
    return { ...part, workload: undefined };
  };
  const { overrides } = plain;
  const own = parsed(plain, []);
  if (!Array.isArray(overrides)) return own;
  return { ...own, overrides: overrides.map((one: unknown, i) => (isRecord(one) ? parsed(one, ["overrides", i]) : one)) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values of a document; none of one that is no YAML. Of what is wrong with that the first is said: the rest mostly follows from it. */
function plainOf(
  document: Document,
  another: Document.Parsed | undefined,
  path: string,
  report: (offset: number, message: string) => void,
): unknown {
  const isManifest = nameOf(path) === "package.json";
  // The rest is for others to judge.
  if (isManifest && isMap(document.contents)) document.contents.items = document.contents.items.filter(({ key }) => isNamed(key, "vmlint"));
  const [error] = document.errors;
  const refused = refusedKey(document);
  if (error) report(error.pos[0], error.message);
  else if (refused) report(refused.at, refused.message);
  else if (another) report(another.range[0], "A configuration is one document: take out the second ---.");
  if (error || refused || another) return undefined;
  if (isManifest) {
    const value = document.get("vmlint", true) as typeof document.contents | undefined;
    if (!isMap(value)) {
      report(value?.range?.[0] ?? 0, value ? 'vmlint must be a mapping, such as { "host": "lab" }.' : 'There is no "vmlint" in this file.');
      return undefined;
    }
    document.contents = value;
  }
  try {
    return withVersionsAsText(document);
  } catch (cause) {
    // An alias without its anchor, or more aliases than a configuration can need.
    report(0, cause instanceof Error ? cause.message : String(cause));
    return undefined;
  }
}

/** `esxi: 8.0` and `version: 2019` are numbers to YAML, and 8.0 would lose its zero: take the author's own text. */
function withVersionsAsText(document: Document): unknown {
  const value: unknown = document.toJS();
  let isChanged = false;
  const collect = (path: Path) => {
    const node = nodeAt(document, path) as { source?: string; value?: unknown } | undefined;
    if (typeof node?.value !== "number" || node.source === undefined) return;
    node.value = node.source;
    isChanged = true;
  };
  const record = (value ?? {}) as { hosts?: object; overrides?: unknown[] };
  if (record.hosts && typeof record.hosts === "object") for (const name of Object.keys(record.hosts)) collect(["hosts", name, "esxi"]);
  collect(["workload", "version"]);
  for (const i of Array.isArray(record.overrides) ? record.overrides.keys() : []) collect(["overrides", i, "workload", "version"]);
  return isChanged ? document.toJS() : value;
}

function offsetOf(document: Document, path: Path, ofKey = false): number {
  for (let length = path.length; length > 0; length--) {
    const pair = pairAt(nodeAt(document, path.slice(0, length - 1)), path[length - 1]);
    if (pair) return (ofKey || length < path.length ? pair.key.range?.[0] : (pair.value?.range?.[0] ?? pair.key.range?.[0])) ?? 0;
    const node = nodeAt(document, path.slice(0, length));
    if (node?.range) return node.range[0];
  }
  return (document.contents as Ranged | null)?.range?.[0] ?? 0;
}

/** The library's own way takes a key that is written as a number for another than the text of it, and follows no alias. */
const nodeAt = (document: Document, path: Path): Ranged | null | undefined =>
  path.reduce<unknown>((node, key) => {
    const there = isAlias(node) ? node.resolve(document) : node;
    return isSeq(there) ? there.items[Number(key)] : pairAt(there, key)?.value;
  }, document.contents) as Ranged | null | undefined;

function pairAt(node: unknown, key: PropertyKey | undefined): { readonly key: Ranged; readonly value?: Ranged | null } | undefined {
  const pair = isMap(node) ? node.items.find((one) => isNamed(one.key, String(key))) : undefined;
  return pair as { readonly key: Ranged; readonly value?: Ranged | null } | undefined;
}

const isNamed = (key: unknown, name: string): boolean => isScalar(key) && String(key.value) === name;

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}
