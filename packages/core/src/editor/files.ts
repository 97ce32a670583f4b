import { type Files, folderOf, nameOf } from "../model/files.ts";

/** Files that take time to be read. Paths have forward slashes. */
export interface SlowFiles {
  /** `undefined` for what cannot be read. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Names of what is in a folder; none for one that cannot be read. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** The text of a file that is open in an editor, saved or not: it counts in place of what `read` gives. */
  readonly openText: (path: string) => string | undefined;
  /** The files that are open: each is in its folder, on the disk or not yet. */
  readonly openPaths: () => Iterable<string>;
}

/** What came of the files, and which files and folders it took. */
export interface Used<T> {
  readonly result: T;
  readonly files: Files;
  readonly paths: ReadonlySet<string>;
}

/** Each round reads what the one before could not go on without: deeper than any configuration refers from file to file. */
const MOST_ROUNDS = 100;

/**
 * Lets code that reads files at once run over files that take time: what it asked for and was not there yet is read, and it runs again,
 * until nothing is missing. What was read is kept until it is forgotten.
 */
export class ReadAhead {
  readonly #slow: SlowFiles;
  readonly #texts = new Map<string, string | undefined>();
  readonly #lists = new Map<string, readonly string[]>();
  /** What is being read, by whoever asked first: what is forgotten meanwhile is not kept. */
  readonly #reading = new Map<string, Promise<void>>();
  /** Files that were opened and not known to be on the disk. */
  readonly #opened = new Set<string>();

  constructor(slow: SlowFiles) {
    this.#slow = slow;
  }

  /** To be called when what a file says has changed. */
  forget(path: string): void {
    this.#texts.delete(path);
    this.#reading.delete(path);
  }

  /** To be called when a file or folder has appeared or gone. */
  forgetName(path: string): void {
    this.forget(path);
    for (const folder of [folderOf(path), path]) {
      this.#lists.delete(folder);
      this.#reading.delete(folder);
    }
    for (const known of [this.#texts, this.#lists, this.#reading]) {
      for (const one of known.keys()) if (one.startsWith(`${path}/`)) known.delete(one);
    }
  }

  /** Whether a file that is not known to be on the disk has been opened, or closed, since this was asked last. */
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

  /** The text of one file; `undefined` for one that is not there. */
  async text(path: string): Promise<string | undefined> {
    const { result } = await this.settle(({ read, list }) => (list(folderOf(path)).includes(nameOf(path)) ? read(path) : undefined));
    return result;
  }

  /** Runs `use` until it has all files that it asks for. */
  async settle<T>(use: (files: Files) => T | Promise<T>): Promise<Used<T>> {
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

  /** What is in a folder by its names on the disk, with those that are open. */
  #withOpen(folder: string, names: readonly string[]): readonly string[] {
    const open = [...this.#slow.openPaths()].filter((path) => folderOf(path) === folder).map(nameOf);
    const more = open.filter((name) => !names.includes(name));
    return more.length > 0 ? [...names, ...more] : names;
  }

  #hasText = (path: string): boolean => this.#slow.openText(path) !== undefined || this.#texts.has(path);
  #textOf = (path: string): string | undefined => this.#slow.openText(path) ?? this.#texts.get(path);

  async #read(texts: readonly string[], folders: readonly string[]): Promise<void> {
    const kept = <T>(path: string, slow: (path: string) => Promise<T>, known: Map<string, T>): Promise<void> => {
      const reading =
        this.#reading.get(path) ??
        slow(path).then((found) => {
          if (this.#reading.get(path) !== reading) return;
          this.#reading.delete(path);
          known.set(path, found);
        });
      this.#reading.set(path, reading);
      return reading;
    };
    const wanted = texts.filter((path) => !this.#hasText(path));
    await Promise.all([
      ...wanted.map((path) => kept(path, this.#slow.read, this.#texts)),
      ...folders.map((folder) => kept(folder, this.#slow.list, this.#lists)),
    ]);
  }
}
