import { isIgnoredBy, NEVER_ENTERED } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { firstHolding, formatsOf, isAlone, isJoint, projectsOf, searchedFormatsOf } from "../formats/index.ts";
import { type Files, folderOf, joinPath } from "../model/files.ts";
import type { FoundConfig } from "./configs.ts";

/** A file to check, with its format. */
export interface SelectedFile {
  readonly path: string;
  /** `undefined`: the default format. */
  readonly entry: FormatEntry | undefined;
  /** Whether the caller named the file itself rather than a folder. */
  readonly isNamed: boolean;
}

/** A file of the workspace with its text. */
export interface SelectedText extends SelectedFile {
  readonly text: string;
}

/** Selects files of a workspace. */
export interface Selecting {
  readonly files: Files;
  readonly configOf: (folder: string) => Promise<FoundConfig>;
  /** Receives folders that are entered only if they are named, and files with their configuration if it is unusable. */
  readonly passOver?: ((path: string, unusable?: FoundConfig) => void) | undefined;
}

/** Returns the files for some paths: named files, and the files of folders that may contain a VM and are not ignored. */
export async function selectFiles(
  paths: readonly string[],
  { files, configOf, passOver = () => undefined }: Selecting,
): Promise<readonly SelectedText[]> {
  const found = new Map<string, SelectedText>();
  const add = async (path: string, isNamed: boolean): Promise<void> => {
    const text = files.read(path);
    if (text === undefined) {
      const names = files.list(path);
      for (const name of names) {
        const inner = path === "." ? name : joinPath(path, name);
        if (NEVER_ENTERED.has(name)) passOver(inner);
        else await add(inner, false);
      }
      return;
    }
    const candidates = isNamed ? formatsOf(path) : searchedFormatsOf(path);
    if (found.has(path) || (!isNamed && candidates.length === 0)) return;
    const own = await configOf(folderOf(path));
    if (!isNamed && isIgnoredBy(own.config, own.relative(path))) return;
    const entry = firstHolding(candidates, [text]) ?? (isNamed ? candidates.find(isAlone) : undefined);
    // A named text that is of no project may be a VM under another name.
    if (!entry && !(isNamed && projectsOf(path).every(({ project }) => project === "file"))) return;
    if (own.isUnusable) passOver(path, own);
    else found.set(path, { path, text, entry, isNamed });
  };
  for (const path of paths) await add(path, true);
  return withoutDerived([...found.values()], files).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Removes files that were generated from the files next to them. */
export function withoutDerived<T extends SelectedText>(selected: readonly T[], files: Pick<Files, "read">): T[] {
  const projects = new Set(selected.flatMap(({ path, entry }) => (entry?.project === "folders" ? folderOf(path) : [])));
  return selected.filter(({ path, text, entry, isNamed }) => {
    if (isNamed || !isJoint(entry)) return true;
    const folder = folderOf(path);
    return !entry.isDerived?.(text, { hasProject: projects.has(folder), read: (name) => files.read(joinPath(folder, name)) });
  });
}
