import type { Format, FormatEntry } from "../formats/format.ts";
import { projectsOf } from "../formats/index.ts";
import { Callers } from "./callers.ts";
import type { EditorHost } from "./editor-host.ts";
import type { ReadAhead } from "./read-ahead.ts";

/** The number of files to read at a time. */
const AT_ONCE = 64;

/** Finds the calls between folders of the workspace, per format, on first use. */
export class WorkspaceCallers {
  readonly #host: Pick<EditorHost, "isSearched" | "list" | "openPaths" | "openText" | "search">;
  readonly #files: ReadAhead;
  readonly #callers = new Map<FormatEntry, Promise<Callers>>();
  /** Files whose calls a check found changed before the editor reported a change. */
  readonly #ahead = new Set<string>();

  constructor(host: EditorHost, files: ReadAhead) {
    this.#host = host;
    this.#files = files;
  }

  /** Returns the calls for the check of a file, whose text may be newer than the last reported change. */
  async callersFor(path: string, entry: FormatEntry, format: Format): Promise<Callers> {
    const callers = await this.callersBy(entry, format);
    if (callers.set(path, await this.#calledBy(path, entry, format))) this.#ahead.add(path);
    return callers;
  }

  /** Whether a change at a path changed the called folders. */
  async differ(path: string, change: "text" | "name"): Promise<boolean> {
    // Deleting a folder deletes its files, which the editor does not report one by one.
    const affected = change === "name" ? (await Promise.all(this.#callers.values())).flatMap((callers) => callers.foldersBelow(path)) : [];
    const changed = [path, ...affected, ...(change === "name" ? await this.#cameWith(path) : [])];
    const differs = await Promise.all(changed.map((changedPath) => this.#callsOthers(changedPath)));
    const wereAhead = changed.map((changedPath) => this.#ahead.delete(changedPath));
    return differs.includes(true) || wereAhead.includes(true);
  }

  /** Whether a file is part of the workspace, or open. */
  counts(path: string): boolean {
    return this.#host.isSearched(path) || this.#host.openText(path) !== undefined;
  }

  forgetAll(): void {
    this.#callers.clear();
    this.#ahead.clear();
  }

  /** Returns the calls between all files of a format. */
  callersBy(entry: FormatEntry, format: Format): Promise<Callers> {
    const cached = this.#callers.get(entry);
    if (cached) return cached;
    const readCallers = async (): Promise<Callers> => {
      const callers = new Callers();
      if (!format.refersTo) return callers;
      const paths = [...new Set([...(await this.#host.search(entry.extensions)), ...this.#host.openPaths()])];
      for (let group = paths.splice(0, AT_ONCE); group.length > 0; group = paths.splice(0, AT_ONCE)) {
        const texts = await Promise.all(group.map((path) => this.#files.text(path)));
        group.forEach((path, at) => void callers.set(path, calledBy(path, texts[at], entry, format)));
      }
      return callers;
    };
    const pending = readCallers();
    this.#callers.set(entry, pending);
    return pending;
  }

  /** Returns the files with possible calls in a new folder, which the editor does not report one by one. */
  async #cameWith(folder: string): Promise<readonly string[]> {
    if (this.#callers.size === 0 || !this.#host.isSearched(folder) || (await this.#host.list(folder)).length === 0) return [];
    const searches = [...this.#callers.keys()].map(({ extensions }) => this.#host.search(extensions, folder));
    return (await Promise.all(searches)).flat();
  }

  /** Whether the calls of a file changed. */
  async #callsOthers(path: string): Promise<boolean> {
    for (const entry of projectsOf(path)) {
      const cached = this.#callers.get(entry);
      if (!cached) continue;
      const [callers, format] = await Promise.all([cached, entry.load()]);
      if (callers.set(path, await this.#calledBy(path, entry, format))) return true;
    }
    return false;
  }

  /** Returns the folders that a file calls; an empty list for a file outside of the workspace. */
  async #calledBy(path: string, entry: FormatEntry, format: Format): Promise<readonly string[]> {
    return this.counts(path) ? calledBy(path, await this.#files.text(path), entry, format) : [];
  }
}

function calledBy(path: string, text: string | undefined, { extensions, mayHold }: FormatEntry, format: Format): readonly string[] {
  const isOne = extensions.some((extension) => path.toLowerCase().endsWith(extension));
  return text === undefined || !isOne || mayHold?.(text) === false ? [] : (format.refersTo?.(path, text) ?? []);
}
