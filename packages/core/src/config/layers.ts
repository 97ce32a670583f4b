import { type Document, LineCounter, parseDocument } from "yaml";
import { VmlintError } from "../model/errors.ts";
import { folderOf, joinPath, nameOf } from "../model/files.ts";
import type { Position } from "../model/source.ts";
import type { Rule } from "../rules/define.ts";
import { configSchema, explain, isFile, type RawConfig, ROOT } from "./schema.ts";

/** Where something stands in a configuration. */
export type Path = readonly PropertyKey[];

/** One file of a configuration: the one that was found, or one that it extends. */
export interface Layer {
  /** As messages name it. */
  readonly path: string;
  readonly text: string;
  readonly raw: RawConfig;
  /** A file that this one names, by its path relative to the configuration that was found. */
  readonly resolve: (file: string) => string;
  /** Where a value stands, or its key. */
  readonly offsetOf: (path: Path, ofKey?: boolean) => number;
  readonly rangeOf: (path: Path) => readonly [start: number, end: number];
  readonly positionOf: (offset: number) => Position;
  /** Throws CONFIG_INVALID with `path:line:column`. */
  readonly fail: (offset: number, message: string) => never;
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

/** A configuration and the files it extends, each before those that build on it, each once. */
export async function readLayers(text: string, path: string, files: ConfigFiles): Promise<readonly Layer[]> {
  const known = new Map<string, Layer>();
  const add = async (own: Layer, file: string, above: readonly string[]): Promise<void> => {
    for (const [i, entry] of (own.raw.extends ?? []).entries()) {
      const at = own.offsetOf(["extends", i]);
      const below = entry === ROOT ? await files.root?.() : isFile(entry) ? own.resolve(entry) : null;
      if (below === null) continue;
      if (below === undefined) return own.fail(at, "No configuration above this one says root: true.");
      if (below === file) own.fail(at, `${entry} is this file: it cannot extend itself.`);
      if (above.includes(below)) own.fail(at, `${entry} extends this file in turn: take one of the two out.`);
      if (known.has(below)) continue;
      const content = await files.read(below).catch(() => own.fail(at, `${entry} cannot be read: its path must be relative to this file.`));
      await add(parseLayer(content, joinPath(folderOf(path), below), folderOf(below)), below, [...above, file]);
    }
    known.set(file, own);
  };
  await add(parseLayer(text, path), nameOf(path), []);
  return [...known.values()];
}

/** Text of one file -> what it says. Throws CONFIG_INVALID with its place, what is wrong and what would be right. */
export function parseLayer(text: string, path: string, folder = "."): Layer {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: line - 1, column: col - 1 };
  };
  const fail = (offset: number, message: string): never => {
    const { line, column } = positionOf(offset);
    throw new VmlintError("CONFIG_INVALID", `${path}:${line + 1}:${column + 1}: ${message}`);
  };
  const [error] = document.errors;
  if (error) return fail(error.pos[0], error.message);
  if (nameOf(path) === "package.json") document.contents = document.get("vmlint", true) as typeof document.contents;

  let plain: unknown;
  try {
    plain = withVersionsAsText(document);
  } catch (cause) {
    // An alias without its anchor, or more aliases than a configuration can need.
    return fail(0, cause instanceof Error ? cause.message : String(cause));
  }
  const parsed = configSchema.safeParse(plain ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (!issue) throw new Error("zod reported a failure without an issue");
    return fail(offsetOf(document, issue.path), explain(issue, document.hasIn(issue.path)));
  }
  return {
    path,
    text,
    raw: parsed.data,
    resolve: (file) => joinPath(folder, file),
    offsetOf: (at, ofKey) => offsetOf(document, at, ofKey),
    rangeOf: (at) => {
      const node = document.getIn(at, true) as Ranged | undefined;
      return [node?.range?.[0] ?? 0, node?.range?.[1] ?? 0];
    },
    positionOf,
    fail,
  };
}

/** `esxi: 8.0` and `version: 2019` are numbers to YAML, and 8.0 would lose its zero: take the author's own text. */
function withVersionsAsText(document: Document): unknown {
  const versions: [Path, string][] = [];
  const value: unknown = document.toJS();
  const collect = (path: Path) => {
    const node = document.getIn(path, true) as { source?: string; value?: unknown } | undefined;
    if (typeof node?.value === "number" && node.source !== undefined) versions.push([path, node.source]);
  };
  const record = (value ?? {}) as { hosts?: object; overrides?: unknown[] };
  if (record.hosts && typeof record.hosts === "object") for (const name of Object.keys(record.hosts)) collect(["hosts", name, "esxi"]);
  collect(["workload", "version"]);
  for (const i of Array.isArray(record.overrides) ? record.overrides.keys() : []) collect(["overrides", i, "workload", "version"]);
  for (const [path, source] of versions) document.setIn(path, source);
  return versions.length > 0 ? document.toJS() : value;
}

function offsetOf(document: Document, path: Path, ofKey = false): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = pairsOf(parent).find((p) => p.key.value === key);
    if (pair) return (ofKey || length < path.length ? pair.key.range?.[0] : (pair.value?.range?.[0] ?? pair.key.range?.[0])) ?? 0;
    const node = document.getIn(path.slice(0, length), true) as Ranged | undefined;
    if (node?.range) return node.range[0];
  }
  return (document.contents as Ranged | null)?.range?.[0] ?? 0;
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

function pairsOf(node: unknown): readonly { readonly key: Ranged & { readonly value?: unknown }; readonly value?: Ranged | null }[] {
  const items = (node as { items?: unknown[] } | undefined)?.items ?? [];
  return items.filter((item): item is { key: Ranged & { value?: unknown } } => typeof item === "object" && item !== null && "key" in item);
}
