import { type Files, joinPath } from "../../model/files.ts";

/** Configurations read their VMs from far fewer files. */
const MOST_LISTED = 5_000;

/**
 * Returns the relative paths of files that match a pattern of Terraform's `fileset` (bmatcuk/doublestar: `*` and `?` for characters except
 * a slash, `{a,b}`, and `**` for any folders); `undefined` if it is unknown, such as for other pattern characters, or for a link that leads
 * out of the configuration.
 */
export function fileSet(root: string, pattern: string, files: Files, isInside: (path: string) => boolean): readonly string[] | undefined {
  const parts = pattern.split("/").map(partOf);
  if (parts.some((part, at) => part === undefined || (part === ANY_FOLDERS && parts[at - 1] === part))) return undefined;
  const paths = new Set<string>();
  let remaining = MOST_LISTED;
  let isComplete = true;
  // Unknown folders do not stop the search: an editor sees all folders to read in one pass.
  const visit = (folder: string, at: number): void => {
    const part = parts[at];
    const names = files.list(joinPath(root, folder));
    remaining -= names.length + 1;
    if (remaining < 0 || (names.length === 0 && folder === "")) {
      isComplete = false;
      return;
    }
    const isLast = at === parts.length - 1;
    // A final `**` matches any file below.
    if (part === ANY_FOLDERS && !isLast) visit(folder, at + 1);
    const next = part === ANY_FOLDERS ? at : at + 1;
    for (const name of names) if (part?.test(name)) enter(folder === "" ? name : `${folder}/${name}`, next, isLast);
  };
  /** A path that is neither a non-empty folder nor a readable file may be either of them. */
  const enter = (path: string, next: number, isLast: boolean): void => {
    const place = joinPath(root, path);
    if (files.list(place).length > 0) {
      if (next < parts.length) visit(path, next);
    } else if (isLast) {
      if (isInside(place) && files.read(place) !== undefined) paths.add(path);
      else isComplete = false;
    }
  };
  visit("", 0);
  return isComplete ? [...paths] : undefined;
}

const ANY_FOLDERS = /^/;

/** Each star multiplies the ways to match a name, and real patterns have few. */
const MOST_STARS = 4;

/** Returns the meaning of a pattern part between slashes; `undefined` if it is not supported. */
function partOf(part: string): RegExp | undefined {
  if (part === "**") return ANY_FOLDERS;
  if (part === "" || part === ".." || part === "." || /[[\]\\]|\*\*/.test(part) || part.split("*").length - 1 > MOST_STARS)
    return undefined;
  const [, before, choices, after] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(part) ?? [];
  if (choices === undefined ? /[{}]/.test(part) : choices.split(",").includes("")) return undefined;
  const alternatives = choices?.split(",").map((choice) => `${before}${choice}${after}`) ?? [part];
  const source = alternatives.map((alternative) =>
    alternative
      .replace(/[.+^$()|]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", "."),
  );
  return new RegExp(`^(?:${source.join("|")})$`, "su");
}
