import { folderOf } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { reachedFrom } from "../model/reach.ts";

/** The module calls between folders, by the text of their files. */
export class Callers {
  /** The called folders of each file. */
  readonly #called = new Map<string, readonly string[]>();
  /** The folders that call each folder, or each prefix. */
  #callers: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  /** Sets the calls of a file; returns whether they changed. */
  set(path: string, folders: readonly string[]): boolean {
    const before = this.#called.get(path) ?? [];
    if (folders.length === 0) this.#called.delete(path);
    else this.#called.set(path, folders);
    const differs = before.join("\n") !== folders.join("\n");
    if (differs) this.#callers = undefined;
    return differs;
  }

  /** Returns the files in or below a folder that call others. */
  foldersBelow(folder: string): readonly string[] {
    return [...this.#called.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  /** Returns some folders and all folders that they call, directly or indirectly. */
  withCalled(folders: readonly string[]): readonly string[] {
    const calledIn = new Map<string, Set<string>>();
    for (const [path, calls] of this.#called)
      for (const callee of calls) if (!callee.endsWith("*")) getOrInsert(calledIn, folderOf(path), () => new Set()).add(callee);
    return [...reachedFrom(folders, (current) => calledIn.get(current) ?? [])];
  }

  /** Returns the folders without callers that lead to a folder; of folders in a circle, the first. */
  rootsOf(folder: string): readonly string[] {
    this.#callers ??= callersIn(this.#called);
    const callers = this.#callers;
    const patterns = [...callers].filter(([pattern]) => pattern.endsWith("*"));
    const callersOf = (callee: string): readonly string[] => [
      ...(callers.get(callee) ?? []),
      ...patterns.flatMap(([pattern, from]) => (callee.startsWith(pattern.slice(0, -1)) ? [...from] : [])),
    ];
    const ancestors = reachedFrom([folder], callersOf);
    // A folder that may be called is read as a root; the format decides later.
    const isRoot = (candidate: string): boolean => [...(callers.get(candidate) ?? [])].every((caller) => caller === candidate);
    const roots = [...ancestors].filter(isRoot);
    return roots.length > 0 ? roots.sort() : [...ancestors].sort().slice(0, 1);
  }
}

function callersIn(called: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const [path, folders] of called) for (const callee of folders) getOrInsert(callers, callee, () => new Set()).add(folderOf(path));
  return callers;
}
