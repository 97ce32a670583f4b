import { type Files, folderOf, type SourceFile, type Sources } from "../../model/files.ts";
import { addTo, grouped } from "../../model/maps.ts";
import type { Range } from "../../model/source.ts";

/** Files that symbolic links show under several paths. A change of one changes all. */
export interface Symlinks {
  /** Returns a range in every path of its file. */
  readonly placesOf: (range: Range) => readonly Range[];
  /** Returns the folders that share a file with a folder; all linked folders can be reached from each other. */
  readonly foldersBeside: (folder: string) => readonly string[];
}

export function symlinksAmong(sources: Sources, { real }: Pick<Files, "real">): Symlinks {
  const same = new Map<SourceFile, readonly SourceFile[]>();
  const folders = new Map<string, string[]>();
  // Linked files have the same text. Only files with equal texts cost a system call.
  const alike = real ? severalOf(sources.files, ({ text }) => text) : [];
  for (const files of alike.flatMap((group) => severalOf(group, ({ path }) => real?.(path) ?? path))) {
    const [first, ...rest] = files;
    if (!first) continue;
    for (const file of files) same.set(file, files);
    for (const { path } of rest) {
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

/** Returns the members that share a key with another member. */
const severalOf = (files: readonly SourceFile[], common: (file: SourceFile) => string): readonly (readonly SourceFile[])[] =>
  [...grouped(files, common).values()].filter(({ length }) => length > 1);

/** Sums `users` over all paths of a file. */
export const acrossSymlinks =
  (users: (range: Range) => number, links: () => Symlinks): ((range: Range) => number) =>
  (range) =>
    links()
      .placesOf(range)
      .reduce((count, place) => count + users(place), 0);
