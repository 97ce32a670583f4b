import { type Config, EMPTY_CONFIG } from "../config/config.ts";
import { isIgnoredBy, NEVER_ENTERED } from "../config/names.ts";
import type { AnyEntry, FormatEntry, ProjectEntry } from "../formats/format.ts";
import { formatHolding, formatsOf, isAlone, projectHolding } from "../formats/index.ts";
import { type Files, folderOf, joinPath } from "../model/files.ts";

/** A file of the workspace with the format it is read as. */
export interface SelectedFile {
  readonly path: string;
  readonly text: string;
  /** `undefined`: the default format. */
  readonly entry: AnyEntry | undefined;
  /** Whether the caller named it, in place of a folder it is in. */
  readonly isNamed: boolean;
}

/** What is known of the folder that a file is in. */
export interface ConfigOf {
  readonly config: Config;
  /** The path that the globs of the configuration are matched against. */
  readonly relative: (path: string) => string;
}

export const NO_CONFIG: ConfigOf = { config: EMPTY_CONFIG, relative: (path) => path };

/** The files that some paths mean: files as they are named, and of folders those that may hold a VM and are not ignored. */
export async function selectFiles(
  paths: readonly string[],
  files: Files,
  configOf: (folder: string) => Promise<ConfigOf>,
): Promise<readonly SelectedFile[]> {
  const found = new Map<string, SelectedFile>();
  const add = async (path: string, isNamed: boolean): Promise<void> => {
    const text = files.read(path);
    if (text === undefined) {
      const names = files.list(path);
      for (const name of names) if (!NEVER_ENTERED.has(name)) await add(path === "." ? name : joinPath(path, name), false);
      return;
    }
    if (found.has(path) || (!isNamed && formatsOf(path).length === 0)) return;
    const { config, relative } = await configOf(folderOf(path));
    if (!isNamed && isIgnoredBy(config, relative(path))) return;
    const entry = projectHolding(path, text) ?? formatHolding(path, text);
    if (entry && isAlone(entry) === false && entry.mayHold?.(text) === false) return;
    if (entry || isNamed) found.set(path, { path, text, entry: entry ?? formatsOf(path).find(isAlone), isNamed });
  };
  for (const path of paths) await add(path, true);
  return withoutDerived([...found.values()], files).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Without those that a program wrote from files beside them. */
function withoutDerived(selected: readonly SelectedFile[], files: Files): SelectedFile[] {
  const projects = new Set(selected.flatMap(({ path, entry }) => (isProject(entry) && !entry.separate ? folderOf(path) : [])));
  return selected.filter(({ path, text, entry, isNamed }) => {
    if (isNamed || !isProject(entry)) return true;
    const folder = folderOf(path);
    return !entry.isDerived?.(text, { hasProject: projects.has(folder), read: (name) => files.read(joinPath(folder, name)) });
  });
}

const isProject = (entry: AnyEntry | undefined): entry is ProjectEntry => entry !== undefined && !isAlone(entry);

/** Selected files by their formats: those that are read one by one, and those that are read together. */
export function byFormat(selected: readonly SelectedFile[]) {
  const single: (SelectedFile & { readonly entry: FormatEntry | undefined })[] = [];
  const joint = new Map<ProjectEntry, SelectedFile[]>();
  for (const file of selected) {
    const { entry } = file;
    if (!isProject(entry)) single.push({ ...file, entry });
    else joint.set(entry, [...(joint.get(entry) ?? []), file]);
  }
  return { single, joint };
}
