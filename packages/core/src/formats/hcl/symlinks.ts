import { type Files, folderOf, type SourceFile, type Sources } from "../../model/files.ts";
import { addTo, grouped } from "../../model/maps.ts";
import type { Range } from "../../model/source.ts";

/** Files that links show under several paths: what is changed in one of them is changed in all. */
export interface Symlinks {
  /** A place under each path of its file. */
  readonly placesOf: (range: Range) => readonly Range[];
  /** Folders that have a file in common with a folder; from each of them, one comes to all. */
  readonly foldersBeside: (folder: string) => readonly string[];
}

export function symlinksAmong(sources: Sources, { real }: Pick<Files, "real">): Symlinks {
  const same = new Map<SourceFile, readonly SourceFile[]>();
  const folders = new Map<string, string[]>();
  // One file has one text: only where two have the same, the system is asked.
  const alike = real ? severalOf(sources.files, ({ text }) => text) : [];
  for (const files of alike.flatMap((some) => severalOf(some, ({ path }) => real?.(path) ?? path))) {
    const [first, ...others] = files;
    if (!first) continue;
    for (const file of files) same.set(file, files);
    for (const { path } of others) {
      addTo(folders, folderOf(path), folderOf(first.path));
      addTo(folders, folderOf(first.path), folderOf(path));
    }
  }
  return {
    placesOf: (range) => {
      const file = same.size > 0 ? sources.at(range[0]) : undefined;
      const files = file && same.get(file);
      return files ? files.map(({ start }): Range => [range[0] - file.start + start, range[1] - file.start + start]) : [range];
    },
    foldersBeside: (folder) => folders.get(folder) ?? [],
  };
}

/** Those that have something in common with another. */
const severalOf = (files: readonly SourceFile[], common: (file: SourceFile) => string): readonly (readonly SourceFile[])[] =>
  [...grouped(files, common).values()].filter(({ length }) => length > 1);

/** As `users` says it of each path of a file, of all of them together. */
export const acrossSymlinks =
  (users: (range: Range) => number, links: () => Symlinks): ((range: Range) => number) =>
  (range) =>
    links()
      .placesOf(range)
      .reduce((count, place) => count + users(place), 0);
