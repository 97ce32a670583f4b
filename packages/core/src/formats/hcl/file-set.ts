import { type Files, joinPath } from "../../model/files.ts";

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
  let isKnown = true;
  // What is not known ends nothing: an editor learns by being asked what it has to read, and is not to be asked again for each file.
  const visit = (folder: string, at: number): void => {
    const part = parts[at];
    const names = files.list(joinPath(root, folder));
    left -= names.length + 1;
    if (left < 0 || (names.length === 0 && folder === "")) {
      isKnown = false;
      return;
    }
    const isLast = at === parts.length - 1;
    // At the end it is any file below.
    if (part === ANY_FOLDERS && !isLast) visit(folder, at + 1);
    const next = part === ANY_FOLDERS ? at : at + 1;
    for (const name of names) if (part?.test(name)) enter(folder === "" ? name : `${folder}/${name}`, next, isLast);
  };
  /** What is neither a folder with something in it nor a file that can be read may be either. */
  const enter = (path: string, next: number, isLast: boolean): void => {
    const place = joinPath(root, path);
    if (files.list(place).length > 0) {
      if (next < parts.length) visit(path, next);
    } else if (isLast) {
      if (isInside(place) && files.read(place) !== undefined) found.add(path);
      else isKnown = false;
    }
  };
  visit("", 0);
  return isKnown ? [...found] : undefined;
}

const ANY_FOLDERS = /^/;

/** Each more of them is more ways for a name to match, and nobody writes as many. */
const MOST_STARS = 4;

/** What a part of a pattern between slashes means; `undefined` for what is not followed. */
function partOf(part: string): RegExp | undefined {
  if (part === "**") return ANY_FOLDERS;
  if (part === "" || part === ".." || part === "." || /[[\]\\]|\*\*/.test(part) || part.split("*").length - 1 > MOST_STARS)
    return undefined;
  const [, before, choices, behind] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(part) ?? [];
  if (choices === undefined ? /[{}]/.test(part) : choices.split(",").includes("")) return undefined;
  const all = choices?.split(",").map((choice) => `${before}${choice}${behind}`) ?? [part];
  const source = all.map((one) =>
    one
      .replace(/[.+^$()|]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", "."),
  );
  return new RegExp(`^(?:${source.join("|")})$`, "su");
}
