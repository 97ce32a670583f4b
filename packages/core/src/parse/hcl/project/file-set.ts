import { type Files, joinPath } from "../../../model/files.ts";

/** Far more than a configuration reads its VMs from. */
const MOST_LISTED = 5_000;

/**
 * The files in a folder that a pattern of Terraform's `fileset` means, each by its path from there (bmatcuk/doublestar: `*` and `?` for what
 * is no slash, `{a,b}`, and `**` for any folders); `undefined` where that is not known, as with a pattern in other characters, or
 * a link that leads out of the configuration.
 */
export function fileSet(root: string, pattern: string, files: Files, isInside: (path: string) => boolean): readonly string[] | undefined {
  const parts = pattern.split("/").map(partOf);
  if (parts.some((part, at) => part === undefined || (part === ANY_FOLDERS && parts[at - 1] === part))) return undefined;
  const found = new Set<string>();
  let left = MOST_LISTED;
  /** Whether all is known. */
  const visit = (folder: string, at: number): boolean => {
    const part = parts[at];
    const path = joinPath(root, folder);
    const names = files.list(path);
    left -= names.length + 1;
    if (left < 0 || (names.length === 0 && folder === "")) return false;
    const inside = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
    const isLast = at === parts.length - 1;
    if (part === ANY_FOLDERS) {
      // At the end it is any file below.
      const rest = isLast ? at : at + 1;
      return (isLast || visit(folder, rest)) && names.every((name) => enter(inside(name), at, isLast));
    }
    return names.filter((name) => part?.test(name)).every((name) => enter(inside(name), at + 1, isLast));
  };
  /** What is neither a folder with something in it nor a file that can be read may be either. */
  const enter = (path: string, next: number, isLast: boolean): boolean => {
    const place = joinPath(root, path);
    if (files.list(place).length > 0) return next === parts.length || visit(path, next);
    if (!isLast) return true;
    if (!isInside(place) || files.read(place) === undefined) return false;
    found.add(path);
    return true;
  };
  return visit("", 0) ? [...found] : undefined;
}

const ANY_FOLDERS = /^/;

/** Each more of them is more ways for a name to match, and nobody writes as many. */
const MOST_STARS = 4;

/** What a part of a pattern between slashes means; `undefined` for what is not followed. */
function partOf(part: string): RegExp | undefined {
  if (part === "**") return ANY_FOLDERS;
  if (part === "" || part === ".." || part === "." || /[[\]\\]|\*\*/.test(part) || part.split("*").length > MOST_STARS) return undefined;
  const [, before, choices, behind] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(part) ?? [];
  if (choices === undefined && /[{}]/.test(part)) return undefined;
  const all = choices === undefined ? [part] : choices.split(",").map((choice) => `${before}${choice}${behind}`);
  const source = all.map((one) =>
    one
      .replace(/[.+^$()|]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", "."),
  );
  return new RegExp(`^(?:${source.join("|")})$`, "su");
}
