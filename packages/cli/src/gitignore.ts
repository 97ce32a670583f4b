import ignore from "ignore";
import { toSlashes } from "./files.ts";

/** Whether git ignores an entry of a folder that it does not ignore. */
export type GitRules = (path: string, isFolder: boolean) => boolean;

/** As git's core.ignoreCase is where it makes a repository. */
const ignoreCase = process.platform === "win32" || process.platform === "darwin";

/** Longest path that a system takes (PATH_MAX of Linux): a longer line names none, and may be more than a regular expression can be. */
const LONGEST = 4096;

/** The rules of a `.gitignore`, above those of the folders around its own: the innermost that speaks of a path decides. */
export function gitRules(folder: string, text: string, outer?: GitRules): GitRules {
  const rules = ignore({ ignoreCase }).add(text.split(/\r?\n/).filter(({ length }) => length <= LONGEST));
  const start = folder.endsWith("/") || folder.endsWith("\\") ? folder.length : folder.length + 1;
  return (path, isFolder) => {
    const { ignored, unignored } = rules.test(`${toSlashes(path.slice(start))}${isFolder ? "/" : ""}`);
    return ignored || unignored ? ignored : (outer?.(path, isFolder) ?? false);
  };
}
