import { dirname, resolve } from "node:path";
import {
  type CheckRun,
  type Files,
  type Fixer,
  type Format,
  type FormatEntry,
  faultOf,
  grouped,
  type HostModel,
  isAlone,
  type LintedFile,
  lintedVm,
  nearest,
  type ParsedProject,
  type ProjectRequest,
  printable,
  targetInProject,
  type VariableOption,
  type WithoutVm,
  withoutDerived,
} from "@vmlint/core";
import type { Inventory } from "@vmlint/core/inventory";
import { byFile, type ProjectFile } from "@vmlint/core/project";
import { secondsAtOnce } from "./budget.ts";
import type { Cache, CachedFile, CachedProject } from "./cache.ts";
import { aboutVms, type Shared } from "./checking.ts";
import type { Chosen } from "./choose.ts";
import { isVmlintError } from "./command-output.ts";
import { diskFiles, filesWithin } from "./disk.ts";
import { type Faults, orFault } from "./fault.ts";
import type { Folders } from "./folders.ts";
import { tellAssumptions } from "./host-finder.ts";
import type { Io } from "./io.ts";
import { fromSlashes, isWithin, shownPath, toSlashes } from "./read-files.ts";
import { repositoryAround } from "./read-named.ts";
import { inTime } from "./time-limit.ts";

interface Request extends Pick<Shared, "cache" | "faults" | "within"> {
  /** Whether a cached file lists enough; the cache stores no VMs. */
  readonly isEnough: (file: CachedFile) => boolean;
  readonly variables: readonly VariableOption[];
  readonly source: string | undefined;
  readonly inventory: Inventory | undefined;
  /** The names in folders that were searched. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** Filled with named files that hold no VM, and the reason. */
  readonly empty?: Map<string, string> | undefined;
  /** Filled with resources and module calls that create no VM. */
  readonly withoutVm?: WithoutVm[] | undefined;
}

/** The projects of a run, with a function that opens one. */
export interface Projects extends Pick<CheckRun, "projects" | "openProject"> {
  /** Called when all projects are open. */
  readonly opened: () => void;
}

/** Finds the files of each project format, which are read together. */
export async function projectsOf(inputs: readonly Chosen[], folders: Folders, request: Request, io: Io): Promise<Projects> {
  const wanted = wantedFiles(inputs, request, io);
  if (wanted.length === 0) return { projects: [], openProject: async () => undefined, opened: () => {} };
  const texts = new Map(wanted.map(({ path, text }) => [path, text]));
  const lists = new Map([...request.listed].map(([folder, names]) => [toSlashes(folder), names]));
  const files = withinRepository(
    diskFiles({ texts, lists }, io),
    wanted.map(({ folder }) => folder),
    request,
    io,
  );
  const named = request.variables.flatMap((option) => (option.kind === "value" ? option.name : []));
  const declared = new Set<string>();
  const valueFilesOf = (folder: string): readonly string[] => {
    const config = folders.byPath.get(fromSlashes(folder))?.config;
    return (config?.config.varFiles ?? []).map((file) => toSlashes(resolve(config?.folder ?? "", file)));
  };
  const templatesOf = (folder: string) => folders.byPath.get(fromSlashes(folder))?.config.config.assumptions?.templates ?? [];
  const topOf = (folder: string): string | undefined => {
    const own = fromSlashes(folder);
    const top = repositoryAround(own) ?? (isWithin(own, io.cwd) ? io.cwd : undefined);
    return top === undefined ? undefined : toSlashes(top);
  };
  const projects: ProjectRequest[] = [];
  for (const [entry, some] of grouped(wanted, (one) => one.entry)) {
    const format = await entry.load();
    const inputs = {
      environment: environmentOf(format, io),
      options: request.variables,
      source: request.source,
      valueFilesOf,
      templatesOf,
      topOf,
    };
    projects.push({ entry, format, paths: some.map(({ path }) => path), files, inputs });
  }
  const againstAt = (path: string) => folders.byPath.get(nameOfFolder(path))?.against;

  const openProject: Projects["openProject"] = async (one, open) => {
    const { entry, format, paths } = one;
    const place = request.cache && (await placeIn(request.cache, one, { folders, inventory: request.inventory }));
    const kept = place?.known?.files;
    for (const name of place?.known?.variables ?? []) declared.add(name);
    request.withoutVm?.push(...(place?.known?.withoutVm ?? []));
    const tellHosts = hostTeller(io);
    if (kept?.every((file) => request.isEnough(file))) return () => tellHosts(kept.map((file) => revived(file, files)));
    const own = paths.map(fromSlashes);
    if (!request.within(...own)) return undefined;
    const readInTime: Format["read"] = (reading) => inTime(secondsAtOnce(), () => format.read(reading));
    const opened = await readSound(partsOf(paths, entry), request.faults, (some) =>
      open({ format: { ...format, read: readInTime }, paths: some, files: kept ? files : (place?.files ?? files) }),
    );
    if (!opened) return undefined;
    const { project } = opened;
    const { withoutVm = [] } = project;
    if (!kept) request.withoutVm?.push(...withoutVm);
    const variables = named.length > 0 ? [...(project.variables?.() ?? [])] : [];
    for (const name of variables) declared.add(name);
    const check = (fixer: Fixer | undefined): readonly ProjectFile[] => {
      if (kept) return withVms(kept, project, files, { againstAt, inventory: request.inventory });
      const linted = opened.check(fixer);
      place?.keep(linted, { variables, withoutVm, read: project.sources.files.map(({ path }) => path) });
      return linted;
    };
    return (fixer) => tellHosts(orFault(own, request.faults, () => inTime(secondsAtOnce(), () => check(fixer))) ?? []);
  };
  return { projects, openProject, opened: () => tellUndeclared(named, declared, io) };
}

/** Returns the parts of a project that are read as a unit: folders, or single files of a format with separate files. */
function partsOf(paths: readonly string[], { separate }: FormatEntry): readonly (readonly string[])[] {
  if (separate) return paths.map((path) => [path]);
  return [...new Set(paths.map(nameOfFolder))].map((folder) => paths.filter((path) => nameOfFolder(path) === folder));
}

/**
 * Reads all parts and returns the result, or `undefined` if no part is readable. If a bug occurs in a part, its files are
 * recorded as faults and the remaining parts are read together.
 */
async function readSound<T>(
  parts: readonly (readonly string[])[],
  faults: Faults | undefined,
  read: (paths: readonly string[]) => Promise<T>,
): Promise<T | undefined> {
  const errorOf = (some: readonly (readonly string[])[]) =>
    read(some.flat()).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
  const all = await errorOf(parts);
  if ("result" in all) return all.result;
  if (!faults || isVmlintError(all.error)) throw all.error;
  const sound: (readonly string[])[] = [];
  for (const part of parts) {
    const alone = parts.length > 1 ? await errorOf([part]) : all;
    if ("result" in alone) sound.push(part);
    else for (const path of part) faults.set(fromSlashes(path), faultOf(alone.error));
  }
  if (sound.length === 0) return undefined;
  if (sound.length < parts.length) return readSound(sound, faults, read);
  // They fail only together, so it is unknown which file is at fault.
  for (const path of sound.flat()) faults.set(fromSlashes(path), faultOf(all.error));
  return undefined;
}

/**
 * Limits a project to the repositories of its files. Without a repository, the end of a project is unknown, so there is no limit.
 */
function withinRepository(files: Files, folders: readonly string[], { variables, source }: Request, io: Io): Files {
  const tops = [...new Set(folders)].map((folder) => repositoryAround(folder));
  if (tops.some((top) => top === undefined)) return files;
  const named = variables.flatMap((option) => (option.kind === "file" ? dirname(fromSlashes(option.path)) : []));
  const reached = [io.cwd, ...tops.flatMap((top) => top ?? []), ...named, ...(source === undefined ? [] : [fromSlashes(source)])];
  return { ...filesWithin([...new Set(reached)], files, io.staged), ...(files.real && { real: files.real }) };
}

const nameOfFolder = (path: string): string => dirname(fromSlashes(path));

/** Says which values of the command line no configuration has a variable for. */
function tellUndeclared(names: readonly string[], declared: ReadonlySet<string>, io: Io): void {
  for (const name of new Set(names)) {
    if (declared.has(name)) continue;
    const near = nearest(name, [...declared]);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    io.err(`vmlint: --var ${printable(name)} has no effect: no configuration with a VM declares it.${printable(hint)}\n`);
  }
}

/** Returns the environment variables that a format may read. */
function environmentOf({ environment: start }: Format, { env }: Io): Readonly<Record<string, string | undefined>> {
  return start === undefined ? {} : Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith(start)));
}

/** The cached facts about a project besides its findings. */
interface About extends Pick<CachedProject, "variables" | "withoutVm"> {
  /** Every file with a part of it. */
  readonly read: readonly string[];
}

/** A project's place in the cache: all of its files are one result. */
async function placeIn(
  cache: Cache,
  { entry: { name }, paths, inputs, files }: ProjectRequest,
  { folders, inventory }: { readonly folders: Folders; readonly inventory: Inventory | undefined },
) {
  const key = cache.hash(JSON.stringify([paths, inputs, inventory?.key]));
  const watched = cache.watch(files);
  const keep = (linted: readonly ProjectFile[], { variables, withoutVm, read: readPaths }: About): void => {
    const kept = linted.map(({ path, text, diagnostics, skipped, isSecret = false, vms, otherTexts, ran }) => {
      const led = [...(otherTexts?.keys() ?? [])];
      return { path, diagnostics, skipped, isSecret, others: led, ran, ...aboutVms(text, { vms }) };
    });
    const against = [...new Set([...paths, ...readPaths].map(nameOfFolder))].map(
      (path) => [path, folders.byPath.get(path)?.key ?? ""] as const,
    );
    cache.keepProject(name, key, watched.asked(), { files: kept, variables, withoutVm, folders: against });
  };
  const found = cache.findProject(name, key, files);
  const isSame = async (): Promise<boolean> => {
    for (const [path, against] of found?.folders ?? []) if ((await folders.find(path)).key !== against) return false;
    return true;
  };
  return { known: (await isSame()) ? found : undefined, files: watched.files, keep };
}

/** Returns a file from the cache, with its VMs if they were read again. */
function revived({ path, diagnostics, skipped, isSecret, others, vmCount, ran }: CachedFile, files: Files, vms?: LintedFile["vms"]) {
  const textOf = (of: string): string => files.read(of) ?? "";
  const led = others.length > 0 && { otherTexts: new Map(others.map((other) => [other, textOf(other)])) };
  const found = { path, text: textOf(path), diagnostics, skipped, foreign: undefined, withheld: [], ...led, ...(isSecret && { isSecret }) };
  return { ...found, vms: vms ?? [], vmCount, ran };
}

function withVms(
  kept: readonly CachedFile[],
  project: ParsedProject,
  files: Files,
  { againstAt, inventory }: Pick<CheckRun, "againstAt" | "inventory">,
): readonly ProjectFile[] {
  const vms = project.vms.map((spec) => lintedVm(spec, targetInProject(project, againstAt, spec, inventory)));
  const byPath = new Map(byFile({ vms, diagnostics: [], skipped: new Map() }, project).map((file) => [file.path, file.vms]));
  return kept.map((file) => revived(file, files, byPath.get(file.path) ?? []));
}

/** Returns a function that prints the assumptions about the hosts of files. */
function hostTeller(io: Io): (linted: readonly ProjectFile[]) => readonly ProjectFile[] {
  const reportedHosts = new Set<HostModel>();
  return (linted) => {
    for (const { vms } of linted) for (const { target } of vms) if (target.host) tellAssumptions(target.host, reportedHosts, io);
    return linted;
  };
}

/** Returns the files that may declare a VM. A named file that does not gets a note. */
function wantedFiles(inputs: readonly Chosen[], { empty }: Request, io: Io) {
  const found = inputs.flatMap(({ path, folder, format, isNamed, text }) => {
    if (!format || isAlone(format)) return [];
    if (text !== undefined) return [{ path: toSlashes(path), folder, entry: format, isNamed, text }];
    empty?.set(path, "there is no VM in it");
    io.err(`vmlint: ${shownPath(path, io.cwd)} is not checked: there is no VM in it.\n`);
    return [];
  });
  return withoutDerived(found, diskFiles(undefined, io));
}
