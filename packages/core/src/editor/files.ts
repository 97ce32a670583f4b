import { type Files, folderOf } from "../model/files.ts";

/** Files that take time to be read. Paths have forward slashes. */
export interface SlowFiles {
  /** `undefined` for what cannot be read. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Names of what is in a folder; none for one that cannot be read. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** The text of a file that is open in an editor, saved or not: it counts in place of what `read` gives. */
  readonly openText: (path: string) => string | undefined;
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
  /** Counts what is forgotten, so that nothing is kept that was read before. */
  #age = 0;

  constructor(slow: SlowFiles) {
    this.#slow = slow;
  }

  /** To be called when what a file says has changed. */
  forget(path: string): void {
    this.#age++;
    this.#texts.delete(path);
  }

  /** To be called when a file or folder has appeared or gone. */
  forgetName(path: string): void {
    this.forget(path);
    this.#lists.delete(folderOf(path));
    this.#lists.delete(path);
    for (const known of [this.#texts, this.#lists]) for (const one of known.keys()) if (one.startsWith(`${path}/`)) known.delete(one);
  }

  forgetAll(): void {
    this.#age++;
    this.#texts.clear();
    this.#lists.clear();
  }

  /** The text of one file. */
  async text(path: string): Promise<string | undefined> {
    await this.#read([path], []);
    return this.#textOf(path);
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
          return names ?? [];
        },
      };
      const result = await use(files);
      if (texts.size + lists.size === 0 || round === MOST_ROUNDS) return { result, files, paths };
      await this.#read([...texts], [...lists]);
    }
  }

  #hasText = (path: string): boolean => this.#slow.openText(path) !== undefined || this.#texts.has(path);
  #textOf = (path: string): string | undefined => this.#slow.openText(path) ?? this.#texts.get(path);

  async #read(texts: readonly string[], folders: readonly string[]): Promise<void> {
    const age = this.#age;
    const read = async (path: string): Promise<void> => {
      if (this.#hasText(path)) return;
      const text = await this.#slow.read(path);
      if (age === this.#age) this.#texts.set(path, text);
    };
    const list = async (folder: string): Promise<void> => {
      const names = await this.#slow.list(folder);
      if (age === this.#age) this.#lists.set(folder, names);
    };
    await Promise.all([...texts.map(read), ...folders.map(list)]);
  }
}
