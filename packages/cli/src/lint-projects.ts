import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { type Files, type GivenOption, type HostModel, isAlone, type LintedFile, lintParsed, type ProjectEntry } from "@vmlint/core";
import { byFile } from "@vmlint/core/project";
import { decode, pathInConfig, shown, toSlashes } from "./files.ts";
import { tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";
import { type Chosen, type Folder, type Shared, silencersIn } from "./lint-files.ts";

interface Request extends Shared {
  readonly variables: readonly GivenOption[];
  readonly source: string | undefined;
}

/** Lints the files whose format says that they refer to each other, all of one format at once. Sorted by path. */
export async function lintProjects(
  inputs: readonly Chosen[],
  folders: ReadonlyMap<string, Folder>,
  { rules, silencers, ignoreComments, variables, source }: Request,
  io: Io,
): Promise<readonly LintedFile[]> {
  const wanted = wantedFiles(inputs, io);
  if (wanted.length === 0) return [];
  const files = diskFiles(new Map(wanted.map(({ path, text }) => [path, text])));
  const byEntry = new Map<ProjectEntry, string[]>();
  for (const { path, entry } of wanted) {
    const paths = byEntry.get(entry);
    if (paths) paths.push(path);
    else byEntry.set(entry, [path]);
  }
  const told = new Set<HostModel>();
  const found: LintedFile[] = [];
  for (const [entry, paths] of byEntry) {
    const format = await entry.loadProject();
    const first = format.parseProject(paths, files, { environment: io.env, options: variables, source });
    const project = (await first.more?.()) ?? first;
    const folderOf = (path: string): Folder | undefined => folders.get(dirname(path.replaceAll("/", sep)));
    const result = lintParsed(project, format.edit, {
      rules,
      target: (vm) => {
        const path = project.pathOf(vm);
        const against = folderOf(path);
        return against?.targetOf(vm, () => pathInConfig(against.config, path.replaceAll("/", sep))) ?? {};
      },
    });
    for (const { target } of result.vms) if (target.host) tellAssumptions(target.host, told, io);
    for (const file of byFile(result, project)) {
      const shownFile = withShownPaths(file, io.cwd);
      const comments = { comments: (text: string) => format.comments?.(file.path, text) ?? [] };
      silencers.set(shownFile.path, silencersIn(file.text, file.vms, file.path, folderOf(file.path), comments, ignoreComments));
      found.push(shownFile);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface WantedFile {
  readonly path: string;
  readonly folder: string;
  readonly entry: ProjectEntry;
  readonly named: boolean;
  readonly text: string;
}

/** The files that may write a VM. A named one that does not gets a note. */
function wantedFiles(inputs: readonly Chosen[], io: Io): readonly WantedFile[] {
  const found = inputs.flatMap(({ path, folder, format, named, text }): readonly WantedFile[] => {
    if (!format || isAlone(format)) return [];
    if (text !== undefined) return [{ path: toSlashes(path), folder, entry: format, named, text }];
    io.err(`vmlint: ${shown(path, io.cwd)} is not checked: nothing in it is a VM.\n`);
    return [];
  });
  const projects = new Set(found.flatMap(({ entry, folder }) => (entry.derived ? [] : folder)));
  return found.filter(({ entry, folder, named }) => named || !entry.derived || !projects.has(folder));
}

/** Paths as a report prints them. */
function withShownPaths(file: LintedFile, cwd: string): LintedFile {
  const name = (path: string): string => shown(path.replaceAll("/", sep), cwd);
  const show = <T extends { readonly path?: string }>(place: T): T =>
    place.path === undefined ? place : { ...place, path: name(place.path) };
  return {
    ...show(file),
    ...(file.others && { others: new Map([...file.others].map(([path, text]) => [name(path), text])) }),
    diagnostics: file.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      related: diagnostic.related.map(show),
      fixes: diagnostic.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(show) })),
    })),
  };
}

/** No file that describes machines is larger. */
const MOST_BYTES = 16_000_000;

/** The disk, each file and folder of it read once, beside what was read already. What is no ordinary file is not read. */
function diskFiles(known: ReadonlyMap<string, string>): Files {
  const texts = new Map<string, string | undefined>(known);
  const lists = new Map<string, readonly string[]>();
  return {
    read(path) {
      if (!texts.has(path)) texts.set(path, readFile(path));
      return texts.get(path);
    },
    list(folder) {
      const names = lists.get(folder) ?? namesIn(folder);
      lists.set(folder, names);
      return names;
    },
  };
}

function readFile(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? decode(readFileSync(path), "utf-8") : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
