import { Document, isAlias, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import type { Format, FormatEntry } from "../formats/format.ts";
import type { importHost } from "../hosts/index.ts";
import type { importNamed } from "../importers/import-named.ts";
import { folderOf, joinPath, nameOf } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { LineIndex, type Position } from "../model/source.ts";
import { foreignFact, parseWorkload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { composeDocuments } from "../syntax/yaml/compose.ts";
import { formOf } from "./form.ts";
import { type Mistake, raise, type WrongPart, whyNotRead } from "./mistakes.ts";
import { refusedKey } from "./refused-key.ts";
import { isFile, type RawConfig, ROOT } from "./schema.ts";

/** A path of keys in a configuration. */
export type Path = readonly PropertyKey[];

/** One file of a configuration: the main file or an extended one. */
export interface Layer {
  /** The path as messages show it. */
  readonly path: string;
  /** The offset in the main file that leads to this file; 0 for the main file itself. */
  readonly namedAt: number;
  readonly text: string;
  /** The values without the parts that have the wrong type. */
  readonly raw: RawConfig;
  /** Whether a part, its parents and its children are without errors. */
  readonly isSound: (at: Path) => boolean;
  /** Resolves a file named here to a path relative to the main configuration. */
  readonly resolve: (file: string) => string;
  /** Returns the range of a value, or of its key. */
  readonly offsetOf: (path: Path, ofKey?: boolean) => number;
  readonly rangeOf: (path: Path) => readonly [start: number, end: number];
  readonly positionOf: (offset: number) => Position;
  /** Records an error for a value or its key. */
  readonly report: (at: Path, wrong: string | WrongPart, ofKey?: boolean) => void;
}

/** Loads the files and plugins that a configuration names. Paths are relative to the configuration. */
export interface ConfigFiles {
  readonly read: (path: string) => Promise<string>;
  /** Returns the path of the nearest configuration above with `root: true`; missing if there is no file system to search. */
  readonly root?: () => Promise<string | undefined>;
  /** The rules of plugins. `ignored` means that plugins are not loaded, and unknown plugin rules are not reported. */
  readonly plugins?: readonly Rule[] | "ignored";
  /** Whether the user named the configuration. Only then may it load plugins, which are code. */
  readonly isTrusted?: boolean;
}

/** Like ConfigFiles, without waiting. */
export interface ConfigSources extends Pick<ConfigFiles, "plugins" | "isTrusted"> {
  /** Throws if a file cannot be read. */
  readonly read: (path: string) => string;
  readonly root?: (() => string | undefined) | undefined;
  /** The reader of host dumps, which most configurations do not need. */
  readonly hosts: () => { readonly importHost: typeof importHost };
  readonly format: (entry: FormatEntry) => Format;
  /** The importers, which few configurations need. */
  readonly importers: () => { readonly importNamed: typeof importNamed };
}

/** Returns the text of a file that a configuration names, or the error. */
export function textOrError(read: (path: string) => string, path: string): string | Error {
  try {
    return read(path);
  } catch (error) {
    return error as Error;
  }
}

/** Returns a configuration and all files that it extends, each once, with extended files first. Errors go to `mistakes`. */
export function readLayers(text: string, path: string, files: ConfigSources, mistakes: Mistake[]): readonly Layer[] {
  const layerByFile = new Map<string, Layer>();
  const add = (current: Layer, file: string, ancestors: readonly string[]): void => {
    for (const [i, entry] of (current.raw.extends ?? []).entries()) {
      const refuse = (message: string) => current.report(["extends", i], message);
      const base = entry === ROOT ? files.root?.() : isFile(entry) ? current.resolve(entry) : null;
      if (base === null) continue;
      if (base === undefined) refuse("No configuration above this one says root: true.");
      else if (base === file) refuse(`${entry} is this file: it cannot extend itself.`);
      else if (ancestors.includes(base)) refuse(`${entry} extends this file too: remove one of the two.`);
      else if (!layerByFile.has(base)) {
        const content = textOrError(files.read, base);
        if (typeof content !== "string") refuse(whyNotRead(entry, content));
        else {
          const namedAt = ancestors.length === 0 ? current.offsetOf(["extends", i]) : current.namedAt;
          const layer = parseLayer(content, joinPath(folderOf(path), base), mistakes, folderOf(base));
          add({ ...layer, namedAt }, base, [...ancestors, file]);
        }
      }
    }
    layerByFile.set(file, current);
  };
  add(parseLayer(text, path, mistakes), nameOf(path), []);
  return [...layerByFile.values()];
}

/** Reads one file on its own. Throws CONFIG_INVALID if a part has the wrong type. */
export function readLayer(text: string, path: string): Layer {
  const mistakes: Mistake[] = [];
  const layer = parseLayer(text, path, mistakes);
  raise(mistakes);
  return layer;
}

/** Parses one file. Errors go to `mistakes`. */
export function parseLayer(text: string, path: string, mistakes: Mistake[], folder = "."): Layer {
  const lines = new LineIndex(text);
  const [document = new Document(null), another] = composeDocuments(text, { logLevel: "error", uniqueKeys: false });
  const positionOf = (offset: number): Position => lines.at(offset);
  const note = (at: Path, offset: number, wrong: string | WrongPart): void => {
    mistakes.push({ path, at, offset, position: positionOf(offset), ...(typeof wrong === "string" ? { message: wrong } : wrong) });
  };
  const report: Layer["report"] = (at, wrong, ofKey) => note(at, offsetOf(document, at, ofKey), wrong);
  const plain = withParsedWorkloads(
    plainOf(document, another, path, (offset, message) => note([], offset, message)),
    report,
  );
  const { wrong, raw } = formOf(plain);
  for (const { at, isKey, ...part } of wrong) report(at, part, isKey);
  return {
    path,
    namedAt: 0,
    text,
    raw,
    isSound: (at) => !mistakes.some((mistake) => mistake.path === path && mistake.at.every((key, i) => i >= at.length || key === at[i])),
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

/** Returns the values of a document, with one-line workloads expanded into their facts. */
function withParsedWorkloads(plain: unknown, report: Layer["report"]): unknown {
  if (!isRecord(plain)) return plain;
  const parsed = (part: Readonly<Record<string, unknown>>, at: Path): Readonly<Record<string, unknown>> => {
    if (typeof part.workload !== "string") {
      const { workload: facts } = part;
      const foreign = isRecord(facts) && foreignFact(facts);
      if (foreign) {
        const { field, allowed } = foreign;
        report([...at, "workload", field], `workload.${field} of ${String(facts.kind)} must be one of ${allowed.join(", ")}.`);
      }
      return part;
    }
    const workload = parseWorkload(part.workload);
    if (typeof workload !== "string") return { ...part, workload };
    report([...at, "workload"], workload);
    return { ...part, workload: undefined };
  };
  const { overrides } = plain;
  const top = parsed(plain, []);
  if (!Array.isArray(overrides)) return top;
  return {
    ...top,
    overrides: overrides.map((override: unknown, i) => (isRecord(override) ? parsed(override, ["overrides", i]) : override)),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the values of a document, or nothing for invalid YAML. Only the first syntax error is reported, because it mostly causes the
 * rest.
 */
function plainOf(
  document: Document,
  another: Document.Parsed | undefined,
  path: string,
  report: (offset: number, message: string) => void,
): unknown {
  const isManifest = nameOf(path) === "package.json";
  // Later checks handle the other cases.
  if (isManifest && isMap(document.contents)) document.contents.items = document.contents.items.filter(({ key }) => isNamed(key, "vmlint"));
  const [error] = document.errors;
  const refusal = refusedKey(document);
  if (error) report(error.pos[0], error.message);
  else if (refusal) report(refusal.at, refusal.message);
  else if (another) report(another.range[0], "A configuration is one document: remove the second ---.");
  if (error || refusal || another) return undefined;
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
    // An alias without its anchor, or too many aliases.
    report(0, cause instanceof Error ? cause.message : String(cause));
    return undefined;
  }
}

/** YAML reads `esxi: 8.0` and `version: 2019` as numbers, and 8.0 would lose its zero. The source text keeps it. */
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
  return (document.contents as NodeWithRange | null)?.range?.[0] ?? 0;
}

/** The library's own conversion confuses number keys with text keys, and does not follow aliases. */
const nodeAt = (document: Document, path: Path): NodeWithRange | null | undefined =>
  path.reduce<unknown>((node, key) => {
    const target = isAlias(node) ? node.resolve(document) : node;
    return isSeq(target) ? target.items[Number(key)] : pairAt(target, key)?.value;
  }, document.contents) as NodeWithRange | null | undefined;

const pairAt = (node: unknown, key: PropertyKey | undefined): PairWithRange | undefined =>
  isMap(node) ? pairsOf(node).get(String(key)) : undefined;

/** The first pair of each key. A search of all keys for each key takes a minute in a mapping of 20,000 hosts. */
const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, PairWithRange>>();

const pairsOf = (map: YAMLMap): ReadonlyMap<string, PairWithRange> =>
  getOrInsert(
    pairs,
    map,
    () => new Map(map.items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair as PairWithRange]] : []))),
  );

interface PairWithRange {
  readonly key: NodeWithRange;
  readonly value?: NodeWithRange | null;
}

const isNamed = (key: unknown, name: string): boolean => isScalar(key) && String(key.value) === name;

interface NodeWithRange {
  readonly range?: readonly [number, number, number] | null;
}
