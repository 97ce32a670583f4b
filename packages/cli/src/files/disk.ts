import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Files } from "@vmlint/core";
import { decodeVmx, NEVER_ENTERED, once } from "@vmlint/core/program";
import { decode, fromSlashes, isWithin, type Reading, readText, type Staged, toSlashes } from "./read-files.ts";

/** No file that describes machines is larger. */
export const MOST_BYTES = 16_000_000;

/** Texts and names that were already read. */
interface Known {
  readonly texts: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Returns a reader of the disk that reads each file, folder and link once. It reads only regular files. */
export function diskFiles(knownFiles?: Known, { noted, staged }: Reading = {}): Files {
  const texts = new Map<string, string | undefined>(knownFiles?.texts);
  const lists = new Map<string, readonly string[]>();
  const places = new Map<string, string>();
  /** Returns the real path, also of a missing file in an existing folder. */
  const whereItIs = (path: string): string => {
    const folder = dirname(path);
    const place = places.get(path) ?? realPath(path) ?? (folder === path ? path : join(whereItIs(folder), basename(path)));
    places.set(path, place);
    return place;
  };
  return {
    read(path) {
      if (!texts.has(path)) {
        noted?.(path);
        texts.set(path, staged?.has(path) ? readText(path, staged) : readFile(path));
      }
      return texts.get(path);
    },
    list(folder) {
      const listed = lists.get(folder);
      if (listed) return listed;
      const found = knownFiles?.lists.get(folder);
      if (!found) noted?.(folder);
      const names = [...new Set([...(found ?? namesIn(folder)), ...(staged?.list(folder) ?? [])])];
      lists.set(folder, names);
      return names;
    },
    real: (path) => toSlashes(whereItIs(fromSlashes(path))),
  };
}

function readFile(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= MOST_BYTES ? decodeVmx(readFileSync(path), decode) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the names in a folder, or an empty list if it is missing or unreadable. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Yields a folder and the searched folders in it, `depth` levels in all, each with its entries. It does not follow links. */
export function* foldersBelow(
  start: string,
  depth = Number.POSITIVE_INFINITY,
): Iterable<{ readonly folder: string; readonly entries: readonly Dirent[] }> {
  const folders = [{ folder: start, level: 1 }];
  for (const { folder, level } of folders) {
    const entries = entriesIn(folder).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (level < depth)
      for (const entry of entries)
        if (entry.isDirectory() && !NEVER_ENTERED.has(entry.name)) folders.push({ folder: join(folder, entry.name), level: level + 1 });
    yield { folder, entries };
  }
}

/** Returns the entries of a folder, or an empty list if it is missing or unreadable. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Files that most runs never ask for. */
export function lazyFiles(make: () => Files): Files {
  const made = once(make);
  return { read: (path) => made().read(path), list: (folder) => made().list(folder) };
}

/** Returns a reader limited to some folders, after following links. Files outside of them do not exist for it. */
export function filesWithin(folders: readonly string[], files: Files, staged?: Staged): Files {
  const real = folders.flatMap((folder) => realPath(folder) ?? []);
  const known = new Map<string, boolean>();
  const isInside = (path: string): boolean => {
    const own = fromSlashes(path);
    const found = known.get(path) ?? isIn(staged?.has(own) ? realOf(own) : realPath(own), real);
    known.set(path, found);
    return found;
  };
  return {
    read: (path) => (isInside(path) ? files.read(path) : undefined),
    list: (folder) => (isInside(folder) ? files.list(folder) : []),
  };
}

const isIn = (path: string | undefined, folders: readonly string[]): boolean =>
  path !== undefined && folders.some((folder) => isWithin(path, folder));

/** Returns the path after following links, or `undefined` for a missing file and for a pipe under the name of a descriptor. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Returns the path after following links, also of a missing file. */
export const realOf = (path: string): string =>
  realPath(path) ?? (dirname(path) === path ? path : join(realOf(dirname(path)), basename(path)));

/**
 * Returns a path of the command line in the case of the disk. Windows finds names in any case, but the command compares texts. Links
 * stay links.
 */
export function asOnDisk(path: string, cwd: string): string {
  if (sep === "/") return path;
  const whole = resolve(cwd, path);
  const real = realPath(whole);
  return real !== undefined && real !== whole && real.toLowerCase() === whole.toLowerCase() ? real : path;
}
