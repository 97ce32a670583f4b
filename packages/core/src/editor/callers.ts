import { folderOf } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { reachedFrom } from "../model/reach.ts";

/** Which folders call which as modules, by what their files say. */
export class Callers {
  /** By file: the folders it calls. */
  readonly #called = new Map<string, readonly string[]>();

  /** What a file calls now; whether that is something else than before. */
  set(path: string, folders: readonly string[]): boolean {
    const before = this.#called.get(path) ?? [];
    if (folders.length === 0) this.#called.delete(path);
    else this.#called.set(path, folders);
    return before.join("\n") !== folders.join("\n");
  }

  /** The files in a folder and below it that call others. */
  below(folder: string): readonly string[] {
    return [...this.#called.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  /** Some folders, and those they call, and so on from each of these. */
  withCalled(folders: readonly string[]): readonly string[] {
    const calledIn = new Map<string, Set<string>>();
    for (const [path, called] of this.#called)
      for (const one of called) if (!one.endsWith("*")) getOrInsert(calledIn, folderOf(path), () => new Set()).add(one);
    return [...reachedFrom(folders, (one) => calledIn.get(one) ?? [])];
  }

  /** The folders that nothing calls and from which a folder is reached; of such that call each other in a circle, the first. */
  rootsOf(folder: string): readonly string[] {
    const callers = new Map<string, Set<string>>();
    for (const [path, folders] of this.#called)
      for (const called of folders) getOrInsert(callers, called, () => new Set()).add(folderOf(path));
    const some = [...callers].filter(([called]) => called.endsWith("*"));
    const callersOf = (one: string): readonly string[] => [
      ...(callers.get(one) ?? []),
      ...some.flatMap(([called, from]) => (one.startsWith(called.slice(0, -1)) ? [...from] : [])),
    ];
    const above = reachedFrom([folder], callersOf);
    // One that may be called is read as a root: what it is then, the format knows.
    const isRoot = (one: string): boolean => [...(callers.get(one) ?? [])].every((caller) => caller === one);
    const roots = [...above].filter(isRoot);
    return roots.length > 0 ? roots.sort() : [...above].sort().slice(0, 1);
  }
}
