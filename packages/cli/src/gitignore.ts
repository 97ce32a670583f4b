import { relative } from "node:path";
import ignore from "ignore";
import { toSlashes } from "./files.ts";

/** What the `.gitignore` of a folder and those of the folders around it say together. */
export interface GitRules {
  /** The outermost of these folders. */
  readonly root: string;
  /** Of all these files, each line as it would stand in that of the root; the later counts. */
  readonly lines: readonly string[];
  /** Whether git ignores an entry of the folder, which itself is not ignored. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
}

/** As git's core.ignoreCase is where it makes a repository. */
const ignoreCase = process.platform === "win32" || process.platform === "darwin";

/** Longest path that a system takes (PATH_MAX of Linux): a longer line names none, and may be more than a regular expression can be. */
const LONGEST = 4096;

/** The library makes a regular expression of a line: one of four `**` took 27 s against a path of 200 folders made for it. */
const MOST_STARS = 4;

/** The rules of a `.gitignore`, above those of the folders around its own. */
export function gitRules(folder: string, text: string, outer?: GitRules): GitRules {
  const root = outer?.root ?? folder;
  const below = toSlashes(relative(root, folder));
  const own = text.split(/\r?\n/).filter((line) => line.length <= LONGEST && (line.match(/\*+/g)?.length ?? 0) <= MOST_STARS);
  const lines = [...(outer?.lines ?? []), ...(below === "" ? own : own.map((line) => under(below, line)))];
  const rules = ignore({ ignoreCase }).add(lines.map(inBytes));
  const start = root.endsWith("/") || root.endsWith("\\") ? root.length : root.length + 1;
  const ignores = (path: string, isFolder: boolean): boolean =>
    rules.test(`${inBytes(toSlashes(path.slice(start)))}${isFolder ? "/" : ""}`).ignored;
  return { root, lines, ignores };
}

/** A character for each byte, as git compares: to its `?`, an umlaut is two. */
const inBytes = (text: string): string => (ASCII.test(text) ? text : Buffer.from(text).toString("latin1"));

// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is one byte
const ASCII = /^[\x00-\x7f]*$/;

/** A line as it stands in the file of a folder above: one with a slash that is not its last character is about paths, another about names. */
function under(folder: string, line: string): string {
  const [, not = "", pattern = ""] = /^(!?)(.*?)(?<!\\) *$/.exec(line) ?? [];
  if (line.startsWith("#") || pattern === "" || pattern === "/") return "";
  const isPath = pattern.slice(0, -1).includes("/");
  return `${not}/${folder.replace(/[\\*?[\]]/g, "\\$&")}/${isPath ? "" : "**/"}${pattern.replace(/^\//, "")}`;
}
