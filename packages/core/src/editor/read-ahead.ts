import { type Files, folderOf, nameOf } from "../model/files.ts";

/** Files with asynchronous access. Paths have forward slashes. */
export interface SlowFiles {
  /** Returns `undefined` for an unreadable file. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Returns the names in a folder; an empty list for an unreadable one. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Returns the text of a file in an open editor, saved or not; it replaces the result of `read`. */
  readonly openText: (path: string) => string | undefined;
  /** The paths of open files, whether they are on disk or not. */
  readonly openPaths: () => Iterable<string>;
}

/** A result, with the files and folders that it used. */
interface TrackedResult<T> {
  readonly result: T;
  readonly files: Files;
  readonly paths: ReadonlySet<string>;
}

/** Each round reads the files that the previous one lacked; no configuration has longer chains of references. */
const MOST_ROUNDS = 100;

/**
 * Runs synchronous code over asynchronous files: reads the files that it missed and runs it again until none is missing. Keeps the files
 * until they are forgotten.
 */
export class ReadAhead {
  readonly #slow: SlowFiles;
  readonly #texts = new Map<string, string | undefined>();
  readonly #lists = new Map<string, readonly string[]>();
  /** Reads in progress; a file that is forgotten meanwhile is not kept. */
  readonly #reading = new Map<string, Promise<void>>();
  /** Open files that are not known to be on the disk. */
  readonly #opened = new Set<string>();

  constructor(slow: SlowFiles) {
    this.#slow = slow;
  }

  /** Call it when the text of a file changed. */
  forget(path: string): void {
    this.#texts.delete(path);
    this.#reading.delete(path);
  }

  /** Call it when a file or folder appeared or disappeared. */
  forgetName(path: string): void {
    this.forget(path);
    for (const folder of [folderOf(path), path]) {
      this.#lists.delete(folder);
      this.#reading.delete(folder);
    }
    for (const cache of [this.#texts, this.#lists, this.#reading]) {
      for (const key of cache.keys()) if (key.startsWith(`${path}/`)) cache.delete(key);
    }
  }

  /** Whether a file that is not known to be on disk was opened or closed since the last call. */
  comesOrGoes(path: string): boolean {
    const isListed = this.#lists.get(folderOf(path))?.includes(nameOf(path)) === true;
    if (this.#slow.openText(path) === undefined) return this.#opened.delete(path) && !isListed;
    if (isListed || this.#opened.has(path)) return false;
    this.#opened.add(path);
    return true;
  }

  forgetAll(): void {
    this.#opened.clear();
    this.#texts.clear();
    this.#lists.clear();
    this.#reading.clear();
  }

  /** Returns the text of a file; `undefined` if it does not exist. */
  async text(path: string): Promise<string | undefined> {
    const { result } = await this.settle(({ read, list }) => (list(folderOf(path)).includes(nameOf(path)) ? read(path) : undefined));
    return result;
  }

  /** Returns a text that was read already. */
  known(path: string): string | undefined {
    return this.#textOf(path);
  }

  /** Runs `use` until it has all files that it reads. */
  async settle<T>(use: (files: Files) => T | Promise<T>): Promise<TrackedResult<T>> {
    const paths = new Set<string>();
    for (let round = 1; ; round++) {
      const texts = new Set<string>();
      const lists = new Set<string>();
      const files: Files = {
        read: (path) => {
          paths.add(path);
          if (!this.#hasText(path)) texts.add(path);
          return this.#textOf(path);
        },
        list: (folder) => {
          paths.add(folder);
          const names = this.#lists.get(folder);
          if (!names) lists.add(folder);
          return this.#withOpen(folder, names ?? []);
        },
      };
      const result = await use(files);
      if (texts.size + lists.size === 0 || round === MOST_ROUNDS) return { result, files, paths };
      await this.#read([...texts], [...lists]);
    }
  }

  /** Returns the names in a folder, including open files. */
  #withOpen(folder: string, names: readonly string[]): readonly string[] {
    const open = [...this.#slow.openPaths()].filter((path) => folderOf(path) === folder).map(nameOf);
    const added = open.filter((name) => !names.includes(name));
    return added.length > 0 ? [...names, ...added] : names;
  }

  #hasText = (path: string): boolean => this.#slow.openText(path) !== undefined || this.#texts.has(path);
  #textOf = (path: string): string | undefined => this.#slow.openText(path) ?? this.#texts.get(path);

  async #read(texts: readonly string[], folders: readonly string[]): Promise<void> {
    const fetchOnce = <T>(path: string, slow: (path: string) => Promise<T>, cache: Map<string, T>): Promise<void> => {
      const reading =
        this.#reading.get(path) ??
        slow(path).then((result) => {
          if (this.#reading.get(path) !== reading) return;
          this.#reading.delete(path);
          cache.set(path, result);
        });
      this.#reading.set(path, reading);
      return reading;
    };
    const missing = texts.filter((path) => !this.#hasText(path));
    await Promise.all([
      ...missing.map((path) => fetchOnce(path, this.#slow.read, this.#texts)),
      ...folders.map((folder) => fetchOnce(folder, this.#slow.list, this.#lists)),
    ]);
  }
}
