import { type Files, joinPath } from "../../model/files.ts";

/** More folders of a repository are not searched. */
const MOST_FOLDERS = 3000;
const MOST_DEPTH = 8;

/** Rare names in a folder: those whose ending is not a number. */
const IS_FILE = /\.[a-z]\w*$/i;

/** Folders that tools fill. */
const NEVER = new Set(["node_modules", "vendor"]);

/** Returns the paths of files in and below a folder, by their names. */
export function filesBelow(top: string, files: Files, isWanted: (name: string) => boolean): readonly string[] {
  const paths: string[] = [];
  let folders = [top];
  let remaining = MOST_FOLDERS;
  for (let depth = 0; depth < MOST_DEPTH && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (remaining-- <= 0) return paths;
      for (const name of files.list(folder)) {
        const path = joinPath(folder, name);
        if (isWanted(name)) paths.push(path);
        else if (!name.startsWith(".") && !NEVER.has(name) && !IS_FILE.test(name)) below.push(path);
      }
    }
    folders = below;
  }
  return paths;
}
