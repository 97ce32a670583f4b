import type { Columns } from "./columns.ts";
import { lastWhere } from "./search.ts";
import type { Range } from "./source.ts";

/**
 * Access to the other files of a run, implemented by commands and editors. Paths have forward slashes.
 *
 * @example
 * const files: Files = { read: (path) => texts.get(path), list: () => [...texts.keys()] };
 */
export interface Files {
  /** Returns `undefined` for an unreadable file. */
  readonly read: (path: string) => string | undefined;
  /** Returns the names in a folder, including folders on a disk; an empty list for an unreadable folder. */
  readonly list: (folder: string) => readonly string[];
  /** Returns a path with symbolic links resolved; missing if there are no links. */
  readonly real?: ((path: string) => string) | undefined;
}

/** The location of a text, for formats that read other files. */
export interface FileContext {
  readonly path: string;
  readonly files: Files;
  /** The files with values that the configuration names, as `varFiles:`. */
  readonly valueFiles?: readonly string[] | undefined;
  /** The columns of a table of VMs that the configuration names, as `columns:`. */
  readonly columns?: Columns | undefined;
}

/** One of several joined files; `start` is the offset of its first character. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly start: number;
}

/** The files of a project, joined so that a range needs no file name. */
export class Sources {
  readonly #files: SourceFile[] = [];
  readonly #byPath = new Map<string, SourceFile>();
  #end = 0;

  /** Adds each path once; later calls keep the first text. */
  add(path: string, text: string): SourceFile {
    const known = this.#byPath.get(path);
    if (known) return known;
    const file = { path, text, start: this.#end };
    this.#files.push(file);
    this.#byPath.set(path, file);
    // One extra position at the end of each file, so that an empty range there is not in the next file.
    this.#end += text.length + 1;
    return file;
  }

  /** Returns the file at an offset. */
  at(offset: number): SourceFile | undefined {
    return this.#files[lastWhere(this.#files, ({ start }) => start <= offset)];
  }

  get files(): readonly SourceFile[] {
    return this.#files;
  }
}

/** Returns the text of a range of the joined files. */
export function textIn(sources: Sources, [start, end]: Range): string {
  const file = sources.at(start);
  return file ? file.text.slice(start - file.start, end - file.start) : "";
}

/** Converts a range of one file to a range of the joined files. */
export const rangeIn = ({ start }: SourceFile, range: Range): Range => [range[0] + start, range[1] + start];

/** Returns the root of an absolute path: `/`, or a drive or network share of Windows; "" for a relative path. */
const rootOf = (path: string): string => /^(?:\/\/[^/]+\/[^/]+|[A-Za-z]:\/|\/)/.exec(path)?.[0] ?? "";

/** Returns the folder of a path; "." if it has none. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  const root = rootOf(path);
  return slash < 0 ? "." : slash < root.length ? root : path.slice(0, slash);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Returns a path relative to a folder. */
export function pathFrom(folder: string, path: string): string {
  // Nearly all paths are below the folder, and need no names.
  if (folder.length > 1 && path.startsWith(folder) && path[folder.length] === "/" && !ODD_NAMES.test(path))
    return path.slice(folder.length + 1);
  const [from, to] = [folder, path].map((place) => place.split("/").filter((part) => part !== "" && part !== ".")) as [string[], string[]];
  const differs = from.findIndex((part, at) => part !== to[at]);
  const same = differs < 0 ? from.length : differs;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}

/** Empty names, `.` and `..`. */
const ODD_NAMES = /\/\.{0,2}(?:\/|$)/;

/** Returns the path of `relative` inside of a folder, without `.` and, if possible, without `..`. */
export function joinPath(folder: string, relative: string): string {
  const parts: string[] = [];
  const whole = rootOf(relative) ? relative : folder.endsWith("/") ? folder + relative : `${folder}/${relative}`;
  const root = rootOf(whole);
  for (const part of whole.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  const joined = parts.join("/");
  return root === "" ? joined || "." : joined === "" || root.endsWith("/") ? root + joined : `${root}/${joined}`;
}

/**
 * Returns the normal form of a path that a program or a person names: forward slashes, no `.`, no trailing slash, and `..` at most at the
 * beginning.
 */
export const normalPath = (path: string): string => joinPath(".", path.replaceAll("\\", "/"));

/** Returns a key for a normal path: Windows ignores the case. */
export const pathKey = (path: string): string => (/^(?:[A-Za-z]:\/|\/\/)/.test(path) ? path.toLowerCase() : path);
