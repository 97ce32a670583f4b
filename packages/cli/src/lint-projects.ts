import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { type Files, type GivenOption, type HostModel, type LintedFile, lintParsed, type ProjectEntry, type Rule } from "@vmlint/core";
import { byFile } from "@vmlint/core/project";
import { decode, type Input, pathInConfig, shown, toSlashes } from "./files.ts";
import { tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";
import type { Folder } from "./lint-files.ts";

interface Request {
  readonly rules: readonly Rule[] | undefined;
  readonly variables: readonly GivenOption[];
  readonly source?: string | undefined;
}

/** Lints the files whose format says that they refer to each other, all of one format at once. Sorted by path. */
export async function lintProjects(
  inputs: readonly Input[],
  folders: ReadonlyMap<string, Folder>,
  { rules, variables, source }: Request,
  io: Io,
): Promise<readonly LintedFile[]> {
  const files = diskFiles();
  const byEntry = new Map<ProjectEntry, string[]>();
  for (const { path, entry } of wantedFiles(inputs, files, io)) byEntry.set(entry, [...(byEntry.get(entry) ?? []), path]);
  const told = new Set<HostModel>();
  const found: LintedFile[] = [];
  for (const [entry, paths] of byEntry) {
    const format = await entry.loadProject();
    const first = format.parseProject(paths, files, { environment: io.env, options: variables, source });
    const project = (await first.more?.()) ?? first;
    const result = lintParsed(project, format.edit, {
      rules,
      target: (vm) => {
        const path = project.pathOf(vm).replaceAll("/", sep);
        const against = folders.get(dirname(path));
        return against?.targetOf(vm, () => pathInConfig(against.config, path)) ?? {};
      },
    });
    for (const { target } of result.vms) if (target.host) tellAssumptions(target.host, told, io);
    for (const file of byFile(result, project)) found.push(withShownPaths(file, io.cwd));
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files that may write a VM. A named one that does not gets a note. */
function wantedFiles(inputs: readonly Input[], files: Files, io: Io): readonly { readonly path: string; readonly entry: ProjectEntry }[] {
  const found = inputs.flatMap(({ path, folder, format, named }) => {
    if (!format || !("loadProject" in format)) return [];
    const slashed = toSlashes(path);
    if (format.mayHold?.(files.read(slashed) ?? "") !== false) return { path: slashed, folder, entry: format, named };
    if (named) io.err(`vmlint: ${shown(path, io.cwd)} is not checked: nothing in it is a VM.\n`);
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

/** The disk, each file and folder of it read once. What is no ordinary file is not read. */
function diskFiles(): Files {
  const texts = new Map<string, string | undefined>();
  const lists = new Map<string, readonly string[]>();
  return {
    read(path) {
      if (!texts.has(path)) texts.set(path, readFile(path));
      return texts.get(path);
    },
    list(folder) {
      const known = lists.get(folder) ?? namesIn(folder);
      lists.set(folder, known);
      return known;
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
