import { type Format, type FormatEntry, isProject } from "../formats/format.ts";
import { defaultFormat, isJoint } from "../formats/index.ts";
import type { ParsedProject, ProjectInputs } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { hostCounts } from "../lint/hosted-vms.ts";
import type { LintedFile } from "../lint/lint-project.ts";
import { type Files, folderOf } from "../model/files.ts";
import { grouped } from "../model/maps.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import type { FoundConfig } from "./configs.ts";
import { type Recalled, recallOrCheck } from "./earlier-results.ts";
import type { Fixer } from "./fix-run.ts";
import type { FolderFacts, UnknownHost } from "./folders.ts";
import { inventoryReader } from "./inventory-reader.ts";
import type { SelectedFile } from "./select-files.ts";
import { type CheckedFile, checkUnit, type ReadText, type RunSettings, type Unit } from "./unit.ts";
import type { UnitChecks } from "./unit-checks.ts";

// The one place that checks files that someone asked for: the library and the command hand in how files are read and limited.

/** Reads, limits and reports the files of a run, by their paths in `selected`. */
export interface RunHost<S extends SelectedFile> {
  /** Writes a path of `selected` with forward slashes. */
  readonly slashes?: (path: string) => string;
  /** Reads a file that is checked by itself. */
  readonly read: (file: S, format: Format | undefined) => ReadText;
  /** Returns the result of another thread. */
  readonly recall?: (file: S, format: Format | undefined) => Recalled;
  /** Called if no VM is in a file. Returns whether it remains in the results. */
  readonly passOver: (file: S, reason: string) => boolean;
  /** Calls `check` on each file that is checked by itself, in the order of paths; by default on all. */
  readonly singles?: (files: readonly S[], check: (file: S) => LintedFile | undefined) => Iterable<LintedFile>;
  /** The files that projects may read. */
  readonly projectFiles: (projects: readonly S[]) => Files;
  /** Whether a project may be checked. */
  readonly mayCheck?: (paths: readonly string[]) => boolean;
  /** Receives the error of a file of a project that cannot be read. */
  readonly failed: (path: string, error: unknown) => void;
  /** Reads a project. */
  readonly inTime?: <T>(work: () => T) => T;
  readonly keeping?: Keeping | undefined;
  /** Checks a project. */
  readonly guarded?: (paths: readonly string[], check: () => readonly CheckedFile[]) => readonly CheckedFile[];
}

/** How a caller keeps answers between runs. */
interface Keeping extends Pick<Parameters<UnitChecks["begin"]>[0], "version" | "noted"> {
  /** Values of other inputs. */
  readonly around: readonly unknown[];
  /** Whether there is memory for more answers; by default always. */
  readonly hasRoom?: () => boolean;
}

type FoundFacts = FolderFacts<FoundConfig>;

/** A run that is not repeated keeps no answers. */
const ONCE: Keeping = { version: () => 0, noted: () => undefined, around: [], hasRoom: () => false };

/** The files of a run, with the options of its checks. */
export interface RunRequest<S extends SelectedFile>
  extends Pick<RunSettings, "rules" | "ignoreComments" | "onlyFindings" | "nameOf" | "show"> {
  readonly selected: readonly S[];
  /** The folders of these files and of files with an unusable configuration. */
  readonly folders: readonly string[];
  /** Files that list hosts. They need not be selected. */
  readonly listing: readonly S[];
  /** Returns the texts of files that list hosts, without unreadable ones. */
  readonly textsOf: (listing: readonly S[], formats: Formats) => readonly NamedText[];
  /** Returns the files that single files may refer to, by the folders of all configurations. */
  readonly files: (configFolders: readonly string[]) => Files;
  readonly inputs: ProjectInputs;
  /** Whether nothing hides findings. */
  readonly showsAll?: boolean;
}

interface NamedText {
  readonly path: string;
  readonly text: string;
}

export type Formats = ReadonlyMap<FormatEntry | undefined, Format>;

/** Opened files. */
export interface Run {
  readonly projects: readonly ParsedProject[];
  readonly inventory: Inventory | undefined;
  /** Whether files of several formats may describe one VM. */
  readonly describes: boolean;
  /** The configurations of all files. */
  readonly configs: readonly FoundConfig[];
  /** Returns the configuration of a folder with such files. */
  readonly configIn: (folder: string) => FoundConfig | undefined;
  /** Whether something may hide findings. */
  readonly hides: boolean;
  /** Checks all files one at a time, on demand, in the order of their paths. */
  readonly check: (fixer?: Fixer) => Iterable<LintedFile>;
  /** By the path in results. Filled while the files are checked. */
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
  /** All rules of the run; built-in rules by default. */
  readonly rules: readonly Rule[] | undefined;
}

/** The folders of a workspace, and the checks of its units. */
export interface RunParts {
  /** Finds the configurations and targets of some folders. */
  readonly find: (folders: readonly string[]) => Promise<readonly FoundFacts[]>;
  /** Returns the configuration and the targets of a folder; `undefined` before they are found. */
  readonly factsOf: (folder: string) => FoundFacts | undefined;
  /** Whether a configuration or a baseline may hide findings in a folder that is found. */
  readonly hides: (folder: string) => boolean;
  /** The inputs that configurations give. */
  readonly given: Partial<ProjectInputs>;
  readonly checks: UnitChecks;
}

/** The first parts of a run, before its host is made. */
export interface Opened {
  readonly formats: Formats;
  readonly inventory: Inventory | undefined;
}

/** Opens the files that are read together, so that all files can be checked one at a time. */
export async function openRun<S extends SelectedFile>(
  parts: RunParts,
  request: RunRequest<S>,
  hostOf: (opened: Opened) => RunHost<S>,
): Promise<Run> {
  const { selected, listing, rules, ignoreComments, showsAll = false } = request;
  const formats = await formatsOfAll([...selected, ...listing]);
  const folders = await foldersOf(parts, request.folders);
  const files = request.files(folders.configs().map(({ folder }) => folder));
  const inventory = await inventoryIn(request, { formats, files, badHost: folders.badHost() });
  const host = hostOf({ formats, inventory });
  const describes = new Set(selected.map(({ entry }) => entry)).size > 1;
  const { nameOf, show, onlyFindings = false } = request;
  const settings: RunSettings = {
    rules,
    againstAt: (path) => parts.factsOf(folderOf(path)),
    inventory,
    hides: (path) => !showsAll && parts.hides(folderOf(path)),
    ignoreComments: ignoreComments || showsAll,
    describes,
    onlyFindings,
    ...(nameOf && { nameOf }),
    ...(show && { show }),
  };
  const { inTime = (work) => work(), keeping = ONCE } = host;
  const { version, noted, hasRoom = () => true } = keeping;
  const around = [inventory, rules, describes, ignoreComments, showsAll, onlyFindings, ...keeping.around];
  parts.checks.begin({ version, noted, around, hasRoom, settings, inTime });
  const suppressions = new Map<string, FileSuppressions>();
  const opened: OfRun<S> = {
    ...{ host, settings, formats, folders, checks: parts.checks },
    inputs: { ...request.inputs, ...parts.given },
    finish({ file, silencing }) {
      if (silencing) suppressions.set(file.path, silencing);
      return file;
    },
  };
  const projects = await openProjects(selected.filter(isOfProject), opened);
  return {
    ...{ inventory, describes, rules, suppressions },
    projects: projects.map(({ project }) => project),
    configs: folders.configs(),
    configIn: folders.at,
    hides: folders.paths().some(parts.hides),
    check: (fixer) => {
      const ofProjects = projects.flatMap(({ check }) => check(fixer).map(opened.finish)).sort((a, b) => (a.path < b.path ? -1 : 1));
      const counting = { ...settings, hostCounts: onlyFindings ? hostCounts() : undefined };
      const alone = selected.filter((file) => !isOfProject(file));
      const checkOne = checkerOf(files, counting, opened);
      return merged(
        (host.singles ?? eachFile)(alone, (file) => checkOne(file, fixer)),
        ofProjects,
      );
    },
  };
}

/** The parts that all units of a run share. */
interface OfRun<S> {
  readonly host: RunHost<S & SelectedFile>;
  readonly settings: RunSettings;
  readonly formats: Formats;
  readonly folders: FoldersOfRun;
  readonly checks: UnitChecks;
  readonly inputs: ProjectInputs;
  /** Keeps the suppressions of a file. */
  readonly finish: (checked: CheckedFile) => LintedFile;
}

type FoldersOfRun = Awaited<ReturnType<typeof foldersOf>>;

/** Finds the configurations of folders. Errors in a configuration are reported with its own folder. */
async function foldersOf({ find: findAll }: RunParts, first: readonly string[]) {
  const found = new Map<string, FoundFacts>();
  const find = async (some: readonly string[]): Promise<void> => {
    const added = [...new Set(some)].filter((folder) => !found.has(folder));
    for (const [at, facts] of (await findAll(added)).entries()) found.set(added[at] ?? "", facts);
  };
  await find(first);
  await find(Array.from(found.values(), ({ folder }) => folder));
  return {
    find,
    at: (folder: string): FoundFacts | undefined => found.get(folder),
    paths: () => [...found.keys()],
    configs: () => [...new Map(Array.from(found.values(), (one) => [one.path, one])).values()],
    badHost: () => [...found.values()].find(({ badHost }) => badHost)?.badHost,
  };
}

/** Loads the formats of files. */
export async function formatsOfAll(files: Iterable<Pick<SelectedFile, "entry">>): Promise<Formats> {
  const formats = new Map<FormatEntry | undefined, Format>();
  for (const entry of new Set(Array.from(files, (one) => one.entry))) if (entry) formats.set(entry, await entry.load());
  return formats;
}

/** Returns the hosts that the files of a run list; throws HOST_UNKNOWN if neither they nor a configuration have the host of all VMs. */
async function inventoryIn<S extends SelectedFile>(
  { listing, textsOf }: RunRequest<S>,
  { formats, files, badHost }: { readonly formats: Formats; readonly files: Files; readonly badHost: UnknownHost | undefined },
): Promise<Inventory | undefined> {
  const texts = textsOf(listing, formats);
  const inventory = texts.length > 0 ? (await inventoryReader())(texts, files, badHost?.word) : undefined;
  if (badHost && inventory?.aimsAtNothing !== false) throw badHost.error;
  return inventory;
}

/** Returns a function that checks a file by itself. */
function checkerOf<S extends SelectedFile>(files: Files, counting: Parameters<typeof recallOrCheck>[1], run: OfRun<S>) {
  const { checks, formats, inputs, finish, host } = run;
  const { slashes = (path) => path } = host;
  const own = checks.files("single", files);
  return (file: S, fixer: Fixer | undefined): LintedFile | undefined => {
    const path = slashes(file.path);
    const { entry } = file;
    const format = entry ? (formats.get(entry) ?? defaultFormat) : defaultFormat;
    const unitOf = (given: ReadText, from = files): Unit => ({ entry, format, paths: [path], files: from, inputs, given });
    const read = () => host.read(file, format);
    const key = ["single", entry?.name, file.isNamed, path].join("\n");
    const readAnew = (): Unit => {
      checks.version(path);
      // A kept unit has no bytes: the next file may overwrite their memory.
      return unitOf({ text: read().text }, own);
    };
    const [checked] =
      !fixer && checks.keeps(key)
        ? checks.check({ key, unitOf: readAnew })
        : [recallOrCheck({ unitOf, path, read, recalled: host.recall?.(file, format) ?? {} }, counting, fixer)];
    if (!checked) return undefined;
    counting.hostCounts?.add(checked.file.vms);
    const { foreign } = checked.file;
    return foreign !== undefined && !host.passOver(file, foreign) ? undefined : finish(checked);
  };
}

function* eachFile<S>(files: readonly S[], check: (file: S) => LintedFile | undefined): Iterable<LintedFile> {
  for (const one of files) {
    const file = check(one);
    if (file) yield file;
  }
}

/** A project with a function that checks it, after it fixed it if there is a fixer. */
interface OpenProject {
  readonly project: ParsedProject;
  readonly check: (fixer: Fixer | undefined) => readonly CheckedFile[];
}

const isOfProject = <S extends SelectedFile>(file: S): file is S & { readonly entry: FormatEntry } => isJoint(file.entry);

async function openProjects<S extends SelectedFile>(
  joint: readonly (S & { readonly entry: FormatEntry })[],
  run: OfRun<S>,
): Promise<readonly OpenProject[]> {
  if (joint.length === 0) return [];
  const { host, inputs, checks } = run;
  const { slashes = (path) => path, mayCheck = () => true, failed, guarded = (_, check) => check() } = host;
  const files = checks.files("project", host.projectFiles(joint));
  const projects: OpenProject[] = [];
  for (const [entry, some] of grouped(joint, (one) => one.entry)) {
    const format = await entry.load();
    const paths = some.map(({ path }) => slashes(path));
    if (!mayCheck(paths)) continue;
    const open = (own: readonly string[]) => openProject({ entry, format, paths: own, files, inputs }, run);
    const opened = await openSound({ paths, project: entry.project }, { open, failed });
    if (!opened) continue;
    const { project, check } = opened;
    projects.push({ project, check: (fixer) => guarded(paths, () => check(fixer)) });
  }
  return projects;
}

async function openProject(
  unit: Unit,
  { folders, settings, checks }: Pick<OfRun<SelectedFile>, "folders" | "settings" | "checks">,
): Promise<OpenProject> {
  const asked = { key: ["project", unit.entry?.name, ...unit.paths].join("\n"), unitOf: () => unit };
  const { read } = await checks.read(asked);
  const { parsed } = read;
  if (!isProject(parsed)) throw new Error(`${unit.format.name} files are read one by one`);
  // Findings may also be in modules outside of the named paths.
  await folders.find(parsed.sources.files.map(({ path }) => folderOf(path)));
  return { project: parsed, check: (fixer) => (fixer ? checkUnit(unit, read, settings, { fixer }) : checks.check(asked)) };
}

/** Opens some files of a project, and receives the error of a file that fails. */
interface Opening<T> {
  readonly open: (paths: readonly string[]) => Promise<T>;
  readonly failed: (path: string, error: unknown) => void;
}

/**
 * Opens a project; `undefined` if no part can be. If it fails, each folder is tried alone, or each file that is a project, and
 * all sound parts are opened together.
 */
async function openSound<T>(
  { paths, project }: { readonly paths: readonly string[]; readonly project: FormatEntry["project"] },
  { open, failed }: Opening<T>,
): Promise<T | undefined> {
  const parts = [...grouped(paths, (path) => (project === "file" ? path : folderOf(path))).values()];
  const attempt = (some: readonly string[]) => open(some).catch((error: unknown) => ({ error }) as const);
  const isFailed = (result: T | { readonly error: unknown }): result is { readonly error: unknown } =>
    typeof result === "object" && result !== null && "error" in result;
  const all = await attempt(paths);
  if (!isFailed(all)) return all;
  const sound: (readonly string[])[] = [];
  for (const part of parts) {
    const alone = parts.length > 1 ? await attempt(part) : all;
    if (!isFailed(alone)) sound.push(part);
    else for (const path of part) failed(path, alone.error);
  }
  if (sound.length === 0) return undefined;
  if (sound.length < parts.length) return openSound({ paths: sound.flat(), project }, { open, failed });
  // They fail only together, so it is unknown which file is at fault.
  for (const path of sound.flat()) failed(path, all.error);
  return undefined;
}

/** Both in the order of their paths. */
function* merged(some: Iterable<LintedFile>, others: readonly LintedFile[]): Iterable<LintedFile> {
  let next = 0;
  for (const file of some) {
    for (let other = others[next]; other && other.path < file.path; other = others[++next]) yield other;
    yield file;
  }
  yield* others.slice(next);
}
