import { join, resolve, sep } from "node:path";
import { extendedIn, globMatcher, isTooWide } from "@vmlint/core/program";
import { usage } from "../args/command-output.ts";
import { foldersBelow } from "./disk.ts";
import { GLOB, statsOf, toSlashes } from "./read-files.ts";

/** Returns the files that a pattern matches, from the last folder of its path without a sign of a pattern. */
export function glob(pattern: string, cwd: string, isOutside: (path: string) => boolean): readonly string[] {
  const parts = pattern.replaceAll("\\", "/").split("/");
  const first = parts.findIndex((part) => GLOB.test(part));
  const start = resolve(cwd, `${parts.slice(0, first).join("/")}${first > 0 ? "/" : ""}`);
  const rest = parts.slice(first).join("/");
  const extended = extendedIn(rest);
  if (extended !== undefined) throw usage(`${pattern} has ${extended}, which no pattern means. Write {a,b}, or several patterns.`);
  if (isTooWide(rest)) throw usage(`The braces of ${pattern} stand for too many patterns. Name a folder.`);
  // A pattern that excludes would match all other files.
  const matches = rest.startsWith("!") ? () => false : globMatcher([rest]);
  const depth = /\*\*|[{]/.test(rest) ? Number.POSITIVE_INFINITY : parts.length - first;
  const found: string[] = [];
  for (const { folder, entries } of foldersBelow(start, depth)) {
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!matches(toSlashes(path.slice(start.endsWith(sep) ? start.length : start.length + 1)))) continue;
      if (entry.isFile() || (entry.isSymbolicLink() && statsOf(path)?.isFile() && !isOutside(path))) found.push(path);
    }
  }
  return found;
}
