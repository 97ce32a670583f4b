import { relative } from "node:path";
import ignore from "ignore";
import { toSlashes } from "./read-files.ts";

/** The rules from the `.gitignore` of a folder and of the folders around it. */
export interface GitRules {
  /** The outermost of these folders. */
  readonly root: string;
  /** All lines, rewritten relative to the root. Later lines override earlier ones. */
  readonly lines: readonly string[];
  /** Whether git ignores an entry of the folder, which itself is not ignored. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
}

/** The default of git's core.ignoreCase on this system. */
const ignoreCase = process.platform === "win32" || process.platform === "darwin";

/**
 * The longest path of a system (PATH_MAX of Linux). A longer line matches no path, and may be too large for a regular expression.
 */
const LONGEST = 4096;

/** The library makes a regular expression of a line: one of four `**` took 27 s against a path of 200 folders made for it. */
const MOST_STARS = 4;

/** The library tries one line after another: 50,000 took 11 s. GitHub's longest template (github/gitignore, VisualStudio) has about 420. */
const MOST_LINES = 5000;

/** Returns the rules of a `.gitignore`, which override the rules of the folders around it. */
export function gitRules(folder: string, text: string, outer?: GitRules): GitRules {
  const root = outer?.root ?? folder;
  const below = toSlashes(relative(root, folder));
  const own = text.split(/\r?\n/).filter((line) => line.length <= LONGEST && (line.match(/\*+/g)?.length ?? 0) <= MOST_STARS);
  const lines = [...(outer?.lines ?? []), ...(below === "" ? own : own.map((line) => under(below, line)))].slice(0, MOST_LINES);
  const rules = ignore({ ignoreCase }).add(lines.map(inBytes));
  const start = root.endsWith("/") || root.endsWith("\\") ? root.length : root.length + 1;
  const ignores = (path: string, isFolder: boolean): boolean =>
    rules.test(`${inBytes(toSlashes(path.slice(start)))}${isFolder ? "/" : ""}`).ignored;
  return { root, lines, ignores };
}

/** A character for each byte, as git compares: to its `?`, an umlaut is two. */
const inBytes = (text: string): string => (ASCII.test(text) ? text : Buffer.from(text).toString("latin1"));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern covers all single bytes
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Rewrites a line for the file of a folder above. A line with a slash before its last character matches paths, any other line
 * matches names.
 */
function under(folder: string, line: string): string {
  const [, not = "", pattern = ""] = /^(!?)(.*?)(?<!\\) *$/.exec(line) ?? [];
  if (line.startsWith("#") || pattern === "" || pattern === "/") return "";
  const isPath = pattern.slice(0, -1).includes("/");
  return `${not}/${folder.replace(/[\\*?[\]]/g, "\\$&")}/${isPath ? "" : "**/"}${pattern.replace(/^\//, "")}`;
}
