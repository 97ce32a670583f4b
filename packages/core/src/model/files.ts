import { lastWhere } from "./search.ts";
import type { Range } from "./source.ts";

/**
 * What a parser may read beside the file it is given; handed in by the command or the editor. Paths have forward slashes.
 *
 * @example
 * const files: Files = { read: (path) => texts.get(path), list: () => [...texts.keys()] };
 */
export interface Files {
  /** `undefined` for what cannot be read. */
  readonly read: (path: string) => string | undefined;
  /** Names of what is in a folder, folders too where they are asked of a disk; none for one that cannot be read. */
  readonly list: (folder: string) => readonly string[];
  /** Where a path leads when links are followed; missing where there are none. */
  readonly real?: ((path: string) => string) | undefined;
  /** Finds something once for all who are handed views of the same files; what that asked of them counts as asked by each. */
  readonly share?: (<T>(finder: object, key: string, find: () => T) => T) | undefined;
}

/** Where a text lies, for a format whose files take values of those beside them. */
export interface Beside {
  readonly path: string;
  readonly files: Files;
}

/** One of several files whose ranges lie in one row: `start` is where its own first character stands there. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly start: number;
}

/** The files that VMs are written over, one behind another, so that a range needs to name no file. */
export class Sources {
  readonly #files: SourceFile[] = [];
  readonly #byPath = new Map<string, SourceFile>();
  #end = 0;

  /** Each path once; later its first text is kept. */
  add(path: string, text: string): SourceFile {
    const known = this.#byPath.get(path);
    if (known) return known;
    const file = { path, text, start: this.#end };
    this.#files.push(file);
    this.#byPath.set(path, file);
    // One position for the end of each file, so that an empty range there is not the beginning of the next.
    this.#end += text.length + 1;
    return file;
  }

  /** The file that an offset lies in. */
  at(offset: number): SourceFile | undefined {
    return this.#files[lastWhere(this.#files, ({ start }) => start <= offset)];
  }

  get files(): readonly SourceFile[] {
    return this.#files;
  }
}

/** The text of a range in the row of all files. */
export function textIn(sources: Sources, [start, end]: Range): string {
  const file = sources.at(start);
  return file ? file.text.slice(start - file.start, end - file.start) : "";
}

/** A range of one file as it is in the row of all. */
export const rangeIn = ({ start }: SourceFile, range: Range): Range => [range[0] + start, range[1] + start];

/** What an absolute path begins with that no folder is above: `/`, of Windows a drive or a share. "" for another path. */
const rootOf = (path: string): string => /^(?:\/\/[^/]+\/[^/]+|[A-Za-z]:\/|\/)/.exec(path)?.[0] ?? "";

/** The folder of a path; "." where it names none. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  const root = rootOf(path);
  return slash < 0 ? "." : slash < root.length ? root : path.slice(0, slash);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A path as it is written from a folder. */
export function pathFrom(folder: string, path: string): string {
  const [from, to] = [folder, path].map((one) => one.split("/").filter((part) => part !== "")) as [string[], string[]];
  const differs = from.findIndex((part, at) => part !== to[at]);
  const same = differs < 0 ? from.length : differs;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}

/** The path that `relative` means inside of a folder, without `.` and, as far as it goes, without `..`. */
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
