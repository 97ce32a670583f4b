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
}

/** Lints the files whose format says that they refer to each other, all of one format at once. Sorted by path. */
export async function lintProjects(
  inputs: readonly Input[],
  folders: ReadonlyMap<string, Folder>,
  { rules, variables }: Request,
  io: Io,
): Promise<readonly LintedFile[]> {
  const files = diskFiles();
  const byEntry = new Map<ProjectEntry, string[]>();
  for (const { path, format, named } of inputs) {
    if (!format || !("loadProject" in format)) continue;
    const slashed = toSlashes(path);
    if (!named && format.mayHold?.(files.read(slashed) ?? "") === false) continue;
    byEntry.set(format, [...(byEntry.get(format) ?? []), slashed]);
  }
  const told = new Set<HostModel>();
  const found: LintedFile[] = [];
  for (const [entry, paths] of byEntry) {
    const format = await entry.loadProject();
    const project = format.parseProject(paths, files, { environment: io.env, options: variables });
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
