import type { Format, FormatEntry } from "../formats/format.ts";
import { formats, formatsOf } from "../formats/index.ts";
import { decodeVmx } from "../formats/vmx/encoding.ts";
import { type Files, folderOf, nameOf, normalPath, pathKey } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { content, isBytes, listOf, method, path as pathCheck, record, refuse, text } from "./arguments.ts";

// The files that a program hands in, as all other code reads them: texts by normal paths.

/** The content of a file. */
export type Content = string | Uint8Array;

/** Contents by path, as a map or a plain object. */
export type Contents = ReadonlyMap<string, Content> | Readonly<Record<string, Content>>;

/** Functions that read files, of bytes, too. */
export type Readers = Omit<Files, "read"> & { readonly read: (path: string) => Content | undefined };

/** Files of a program. */
export interface GivenFiles extends Files {
  /** The paths that hold all files; a program that reads files from a disk means the current folder. */
  readonly all: readonly string[];
  /** The paths of all files, if they were handed in as contents. */
  readonly given: readonly string[];
  /** Returns the path that the files have for a named one. */
  readonly known: (path: string) => string;
  /** Loads what unpacks the archives among the files. */
  readonly prepare: () => Promise<void>;
}

/** Deeper than any folder of a person; a function `list` that ignores its argument makes folders without end. */
const DEEPEST = 200;

/** Not among core's types, and in every browser and in Node. */
declare const TextDecoder: new (label: string) => { readonly decode: (bytes: Uint8Array) => string };

/** Returns the files that a program hands in. Throws USAGE if they are neither contents nor functions, or name a file twice. */
export function givenFiles(files: Contents | Readers, at: string): GivenFiles {
  record(files, at);
  return isReaders(files) ? filesOfReaders(files, at) : filesOfContents(files, at);
}

const isReaders = (files: Contents | Readers): files is Readers => typeof (files as Partial<Readers>).read === "function";

function filesOfReaders(files: Readers, at: string): GivenFiles {
  method(files.list, `${at}.list`);
  const archives = new Archives();
  return {
    ...(files.real && { real: files.real.bind(files) }),
    all: ["."],
    given: [],
    known: (path) => path,
    prepare: () => archives.load(formats),
    read: (path) => {
      const given = files.read(path);
      if (given === undefined || typeof given === "string") return given;
      content(given, `${at}.read(${JSON.stringify(path)})`);
      return archives.textOf(path, given);
    },
    list: (folder) => {
      const names = files.list(folder);
      listOf(text)(names, `${at}.list(${JSON.stringify(folder)})`);
      if (names.length > 0 && folder.split("/").length > DEEPEST)
        refuse(`${at}.list makes folders without end, such as ${folder.slice(0, 40)}: it must return the names in the folder it is given.`);
      return names.filter((name) => name !== "" && name !== "." && name !== "..");
    },
  };
}

function filesOfContents(contents: Contents, at: string): GivenFiles {
  const byPath = new Map<string, { readonly path: string; readonly given: string; readonly content: Content }>();
  const folders = new Map<string, { readonly path: string; readonly names: Set<string> }>();
  for (const [given, one] of contents instanceof Map ? contents : Object.entries(contents)) {
    pathCheck(given, `a path of ${at}`);
    content(one, `${at}[${JSON.stringify(given)}]`);
    const path = normalPath(given);
    const before = byPath.get(pathKey(path));
    if (before) refuse(`${at} has ${path} twice: as ${before.given} and as ${given}.`);
    byPath.set(pathKey(path), { path, given, content: one });
    let name = path;
    for (let folder = folderOf(path); folder !== name; name = folder, folder = folderOf(folder)) {
      const known = folders.get(pathKey(folder)) ?? { path: folder, names: new Set() };
      folders.set(pathKey(folder), known);
      known.names.add(nameOf(name));
    }
  }
  for (const [key, { path, given }] of byPath)
    if (folders.has(key) || folderOf(path) === path) refuse(`${at} has ${given} as a file, and that is a folder.`);
  const archives = new Archives();
  const texts = new Map<string, string>();
  const packed = [...byPath.values()].flatMap((one) => (typeof one.content === "string" ? [] : formatsOf(one.path)));
  return {
    all: byPath.size === 0 ? ["."] : [...folders.values()].flatMap(({ path }) => (folderOf(path) === path ? path : [])),
    given: [...byPath.values()].map(({ path }) => path),
    known: (path) => byPath.get(pathKey(path))?.path ?? folders.get(pathKey(path))?.path ?? path,
    prepare: () => archives.load(packed),
    read: (path) => {
      const one = byPath.get(pathKey(path));
      return one && getOrInsert(texts, one.path, () => archives.textOf(one.path, one.content));
    },
    list: (folder) => [...(folders.get(pathKey(folder))?.names ?? [])],
  };
}

/** Turns bytes into texts. The text of an archive is its descriptor. */
class Archives {
  readonly #formats = new Map<FormatEntry, Format>();

  /** Loads the formats of archives, once each. */
  async load(entries: Iterable<FormatEntry>): Promise<void> {
    for (const entry of entries) if (entry.isPacked && !this.#formats.has(entry)) this.#formats.set(entry, await entry.load());
  }

  textOf(path: string, given: Content): string {
    const [format] = formatsOf(path).flatMap((entry) => this.#formats.get(entry) ?? []);
    return textOf(given, format);
  }
}

/** Returns the text of a file, or of the descriptor in an archive. */
export function textOf(given: Content, format: Format | undefined): string {
  if (!isBytes(given)) return given;
  const bytes = format?.unpack ? format.unpack((offset, length) => given.subarray(offset, offset + length)) : given;
  return bytes ? decodeVmx(bytes, (some, label) => new TextDecoder(label).decode(some)) : "";
}
