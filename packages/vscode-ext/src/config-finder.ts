import { folderOf, pathFrom, VmlintError } from "@vmlint/core/program";
import type { FileAccess } from "./file-access.ts";

/** Returns where configurations are searched, and which of their files may be read. */
export function configHost(access: FileAccess) {
  const homeOf = (folder: string): string => access.folderAround(folder) ?? folder;
  const topOf = (folder: string): string => topFor(folder, access);
  return {
    topOf,
    homeOf,
    shownPath: (path: string): string => pathBelow(homeOf(folderOf(path)), path),
    readNamed: (path: string, folder: string): Promise<string> => {
      if (isBelow(path, topOf(folder))) return access.read(path);
      const why = access.isTrusted() ? "" : ", which is not trusted";
      throw new VmlintError("FILE_UNREADABLE", `${pathFrom(folder, path)} is not read: it lies outside of the workspace${why}.`);
    },
  };
}

/** The topmost folder that may be read. Only a trusted workspace may read files outside of its own folder. On Windows, a disk is `/c:`. */
const topFor = (folder: string, access: FileAccess): string =>
  access.isTrusted() && access.isDisk ? (/^\/[A-Za-z]:/.exec(folder)?.[0] ?? "/") : (access.folderAround(folder) ?? folder);

/** Each file system reports a missing file with its own error, so every error is treated as a missing file. */
export const readIfThere = (path: string, { read }: Pick<FileAccess, "read">): Promise<string | undefined> =>
  read(path).catch(() => undefined);

export const isBelow = (path: string, top: string): boolean => path.startsWith(slashed(top));

/** A folder with a slash behind it, as the root of a disk has one already. */
const slashed = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

/** The path of a document that a configuration's globs are matched against. */
export const pathBelow = (folder: string, path: string): string =>
  isBelow(path, folder) ? path.slice(slashed(folder).length) : path.replace(/^\//, "");
