import { dirname, sep } from "node:path";
import {
  type Files,
  type Given,
  type GivenOption,
  type HostModel,
  isAlone,
  type LintedFile,
  type LintResult,
  lastAnswer,
  type ParsedProject,
  type ProjectEntry,
  type ProjectFormat,
  type Fix as Proposed,
  type Severities,
  severitiesIn,
  type Target,
  type VmSpec,
} from "@vmlint/core";
import { byFile, lintProject, type ProjectFile, type Withheld } from "@vmlint/core/project";
import type { Cache, KeptFile } from "./cache.ts";
import {
  aboutVms,
  type Chosen,
  type Fix,
  type Folder,
  isEnough,
  mayHide,
  partlyStaged,
  type Shared,
  shownPath,
  silencersIn,
  type Unfixed,
  withShownPaths,
} from "./checking.ts";
import { diskFiles } from "./disk.ts";
import { pathInConfig, readBytes, shown, toSlashes } from "./files.ts";
import { tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";

interface Request extends Shared {
  readonly variables: readonly GivenOption[];
  readonly source: string | undefined;
  /** The names in folders that were searched. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
}

/** Lints files once all their formats are loaded. */
export type LintProjects = (fix?: Fix) => readonly LintedFile[];

/** Reads the files whose format says that they refer to each other, all of one format at once. Results are sorted by path. */
export async function lintProjects(
  inputs: readonly Chosen[],
  folders: ReadonlyMap<string, Folder>,
  request: Request,
  io: Io,
): Promise<LintProjects> {
  const wanted = wantedFiles(inputs, io);
  if (wanted.length === 0) return () => [];
  const texts = new Map(wanted.map(({ path, text }) => [path, text]));
  const lists = new Map([...request.listed].map(([folder, names]) => [toSlashes(folder), names]));
  const files = diskFiles({ texts, lists }, io.noted);
  const partly = new Set(inputs.flatMap(({ path, isPartlyStaged }) => (isPartlyStaged ? toSlashes(path) : [])));
  const byEntry = new Map<ProjectEntry, string[]>();
  for (const { path, entry } of wanted) {
    const paths = byEntry.get(entry);
    if (paths) paths.push(path);
    else byEntry.set(entry, [path]);
  }
  const folderOf = (path: string): Folder | undefined => folders.get(dirname(path.replaceAll("/", sep)));
  const linters: LintProjects[] = [];
  for (const [entry, paths] of byEntry) {
    const format = await entry.loadProject();
    const given = { environment: environmentOf(format, io), options: request.variables, source: request.source };
    const place = request.cache && placeIn(request.cache, { name: entry.name, paths, given, files, folderOf });
    const kept = place?.known;
    const finish = finisher(format, folderOf, request, io);
    if (kept?.every((file) => isEnough(file, folderOf(file.path), request))) {
      linters.push(() => finish(kept.map((file) => revived(file, files))));
      continue;
    }
    const read = (from: Files) => format.parseProject(paths, from, given);
    const first = read(kept ? files : (place?.files ?? files));
    const more = await first.more?.();
    const project = more ?? first;
    const lint = linter(
      { format, project, read: more ? undefined : read, files, partly, keep: place?.keep, finish, folderOf },
      request,
      io,
    );
    linters.push(kept ? () => finish(withVms(kept, project, files, folderOf)) : lint);
  }
  return (fix) => linters.flatMap((lintOne) => lintOne(fix)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What a format may know of the environment. */
function environmentOf({ environment: start }: ProjectFormat, { env }: Io): Readonly<Record<string, string | undefined>> {
  return start === undefined ? {} : Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith(start)));
}

type FolderOf = (path: string) => Folder | undefined;

interface Wish {
  readonly name: string;
  readonly paths: readonly string[];
  readonly given: Given;
  readonly files: Files;
  readonly folderOf: FolderOf;
}

/** A project's place in the cache: all of its files are one result. */
function placeIn(cache: Cache, { name, paths, given, files, folderOf }: Wish) {
  const keys = new Map(paths.map((path) => [dirname(path), folderOf(path)?.key]));
  const key = cache.hash(JSON.stringify([paths, [...keys], given]));
  const watched = cache.watch(files);
  const keep = (linted: readonly ProjectFile[]): void => {
    const kept = linted.map(({ path, text, diagnostics, skipped, isSecret = false, vms, others }) => {
      const led = [...(others?.keys() ?? [])];
      return { path, diagnostics, skipped, isSecret, others: led, ...aboutVms(text, { vms }) };
    });
    cache.keepProject(name, key, watched.asked(), kept);
  };
  return { known: cache.findProject(name, key, files), files: watched.files, keep };
}

/** A file as it was linted before, without its VMs or with those that were read again. */
function revived({ path, diagnostics, skipped, isSecret, others, vmCount }: KeptFile, files: Files, vms?: LintedFile["vms"]) {
  const textOf = (of: string): string => files.read(of) ?? "";
  const led = others.length > 0 && { others: new Map(others.map((other) => [other, textOf(other)])) };
  const found = { path, text: textOf(path), diagnostics, skipped, foreign: undefined, withheld: [], ...led, ...(isSecret && { isSecret }) };
  return { ...found, vms: vms ?? [], vmCount };
}

function withVms(kept: readonly KeptFile[], project: ParsedProject, files: Files, folderOf: FolderOf): readonly ProjectFile[] {
  const target = targetIn(project, folderOf);
  const vms = project.vms.map((spec) => ({ spec, target: target(spec) }));
  const byPath = new Map(byFile({ vms, diagnostics: [], skipped: new Map() }, project).map((file) => [file.path, file.vms]));
  return kept.map((file) => revived(file, files, byPath.get(file.path) ?? []));
}

const targetIn =
  (project: ParsedProject, folderOf: FolderOf) =>
  (vm: VmSpec): Target => {
    const path = project.pathOf(vm);
    const against = folderOf(path);
    return against?.targetOf(vm, () => pathInConfig(against.config, path.replaceAll("/", sep))) ?? {};
  };

type Finish = (linted: readonly ProjectFile[]) => readonly LintedFile[];

/** Says what was assumed of hosts, remembers what may hide findings, and shows paths as reports print them. */
function finisher(format: ProjectFormat, folderOf: FolderOf, request: Request, io: Io): Finish {
  const told = new Set<HostModel>();
  return (linted) => {
    for (const { vms } of linted) for (const { target } of vms) if (target.host) tellAssumptions(target.host, told, io);
    return linted.map((file) => {
      const { path, text, vms } = file;
      const shownFile = withShownPaths(file, io.cwd);
      const against = folderOf(path);
      if (mayHide(text, against, request))
        request.silencers.set(shownFile.path, silencersIn(text, vms, path, against, commentsIn(format, path), request.ignoreComments));
      return shownFile;
    });
  };
}

const commentsIn = (format: ProjectFormat, path: string) => ({ comments: (text: string) => format.comments?.(path, text) ?? [] });

/** A project, and how it is read again with other texts; missing where that takes what must be loaded first. */
interface Read {
  readonly format: ProjectFormat;
  readonly project: ParsedProject;
  readonly read: ((files: Files) => ParsedProject) | undefined;
  readonly files: Files;
  /** Those of them whose text is not that of the file, which therefore is not fixed. */
  readonly partly: ReadonlySet<string>;
  readonly keep: ((linted: readonly ProjectFile[]) => void) | undefined;
  readonly finish: Finish;
  readonly folderOf: FolderOf;
}

function linter({ format, project, read, files, partly, keep, finish, folderOf }: Read, request: Request, io: Io): LintProjects {
  const { rules, ignoreComments } = request;
  const severitiesOf = (path: string): Severities | undefined => {
    const { config } = folderOf(path) ?? {};
    return config && severitiesIn(config.config, () => pathInConfig(config, path.replaceAll("/", sep)));
  };
  const lint = (parsed: ParsedProject): readonly ProjectFile[] => {
    return byFile(lintProject(parsed, format.edit, { rules, target: targetIn(parsed, folderOf), severitiesOf }), parsed);
  };
  const silencersOf = (path: string, text: string, vms: LintedFile["vms"]) =>
    silencersIn(text, vms, path, folderOf(path), commentsIn(format, path), ignoreComments);
  const fixedBy = (fix: Fix, readAgain: (files: Files) => ParsedProject): readonly ProjectFile[] => {
    const before = lint(project);
    let linted = before;
    let isDry = false;
    const changed = new Map<string, string>();
    /** Whether there was something to fix. */
    const fixIn = (path: string): boolean => {
      const text = changed.get(path) ?? files.read(path);
      if (text === undefined || partly.has(path)) return false;
      const now = linted;
      const relint = (other: string) =>
        lint(readAgain({ ...files, read: (one) => (one === path ? other : (changed.get(one) ?? files.read(one))) }));
      const found = lastAnswer((other: string) => (other === text ? now : relint(other)));
      const lintOne = (other: string) => ofFile(found(other), path);
      const fixed = fix({
        path: path.replaceAll("/", sep),
        shownPath: shownPath(path, io.cwd),
        bytes: readBytes(path),
        text,
        result: lintOne(text),
        lint: lintOne,
        silencers: (other, { vms }) => silencersOf(path, other, vms),
        elsewhere: (other) =>
          found(other).flatMap((file) => {
            const diagnostics = file.path === path ? [] : fixedIn(file, path).filter(({ fixes }) => fixes.length > 0);
            if (diagnostics.length === 0) return [];
            return { shownPath: shownPath(file.path, io.cwd), silencers: silencersOf(file.path, file.text, file.vms), diagnostics };
          }),
        withheld: now.flatMap((file) => (file.path === path ? file.withheld.map((one) => unfixed(one, path, io.cwd)) : [])),
      });
      if (fixed.wouldBe === text) return false;
      isDry = fixed.wouldBe !== fixed.text;
      linted = found(fixed.wouldBe);
      changed.set(path, fixed.wouldBe);
      return true;
    };
    for (const path of pathsOfFixes(linted)) if (partly.has(path)) io.err(partlyStaged(shownPath(path, io.cwd)));
    // What is fixed in one file may leave something to be fixed in one before it.
    for (let round = 0, isFixed = true; isFixed && round < MOST_ROUNDS; round++) {
      isFixed = false;
      for (const path of pathsOfFixes(linted)) if (fixIn(path)) isFixed = true;
    }
    return isDry ? before : linted;
  };
  return (fix) => {
    const linted = fix && read ? fixedBy(fix, read) : lint(project);
    keep?.(linted);
    return finish(linted);
  };
}

/** After so many rounds over its files a project is left as it is. */
const MOST_ROUNDS = 10;

const NOTHING: LintResult = { vms: [], diagnostics: [], skipped: [], foreign: undefined };

/** The files that fixes change, or would change; those with findings first. */
function pathsOfFixes(linted: readonly ProjectFile[]): ReadonlySet<string> {
  const open = linted.filter(({ isSecret }) => !isSecret);
  const own = open.filter(({ diagnostics, withheld }) => withheld.length > 0 || diagnostics.some(({ fixes }) => fixes.length > 0));
  const secret = new Set(linted.flatMap(({ path, isSecret }) => (isSecret ? path : [])));
  const edits = open.flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes.flatMap((one) => one.edits)));
  return new Set([...own.map(({ path }) => path), ...edits.flatMap(({ path }) => (path === undefined || secret.has(path) ? [] : path))]);
}

/** What a file is fixed by: only what changes itself. */
function ofFile(files: readonly ProjectFile[], path: string): LintResult {
  const file = files.find((one) => one.path === path);
  return file ? { ...file, diagnostics: fixedIn(file, path) } : NOTHING;
}

/** The findings of a file with those of their fixes that change one file alone. */
function fixedIn(file: ProjectFile, path: string): LintResult["diagnostics"] {
  const isThere = ({ edits }: Proposed): boolean => edits.every((edit) => (edit.path ?? file.path) === path);
  const withoutPath = (fix: Proposed): Proposed => ({ ...fix, edits: fix.edits.map(({ range, newText }) => ({ range, newText })) });
  return file.diagnostics.map((one) => ({ ...one, fixes: one.fixes.filter(isThere).map(withoutPath) }));
}

function unfixed({ diagnostic, safety, path, users }: Withheld, own: string, cwd: string): Unfixed {
  const reason = `${users} values of VMs come from the place in ${shownPath(path ?? own, cwd)} that it would change`;
  return { diagnostic, safety, reason };
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
