import { type Format, type FormatEntry, isProject } from "../formats/format.ts";
import { defaultFormat, isAlone } from "../formats/index.ts";
import type { ParsedProject, ProjectInputs } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { hostCounts } from "../lint/hosted-vms.ts";
import type { LintedFile } from "../lint/lint-project.ts";
import { type Files, folderOf } from "../model/files.ts";
import { grouped } from "../model/maps.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { configuredInputs, inventoryReader } from "./check-file.ts";
import { type Recalled, recallOrCheck } from "./earlier-results.ts";
import type { Fixer } from "./fix-run.ts";
import type { Folders } from "./folders.ts";
import { openAnswers, type RunAnswers } from "./run-answers.ts";
import type { SelectedFile } from "./select-files.ts";
import { type CheckedFile, checkUnit, type ReadText, type RunSettings, type Unit } from "./unit.ts";

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

/** Answers that a caller keeps between runs, with their inputs. */
interface Keeping extends Pick<Parameters<RunAnswers["begin"]>[0], "version" | "noted"> {
  readonly answers: RunAnswers;
  /** Values of other inputs. */
  readonly around: readonly unknown[];
  /** Whether there is memory for more answers; by default always. */
  readonly hasRoom?: () => boolean;
}

/** The answers of a run that is not repeated. */
const ONCE: Omit<Keeping, "answers"> = { version: () => 0, noted: () => undefined, around: [], hasRoom: () => false };

/** The files of a run, with the options of its checks. */
export interface RunRequest<S extends SelectedFile>
  extends Pick<RunSettings, "inventory" | "rules" | "ignoreComments" | "describes" | "onlyFindings" | "nameOf" | "show"> {
  readonly selected: readonly S[];
  readonly folders: Folders;
  /** The files that single files may refer to. */
  readonly files: Files;
  readonly inputs: ProjectInputs;
  /** Whether nothing hides findings. */
  readonly showsAll?: boolean;
}

/** Opened files. */
export interface Run {
  readonly projects: readonly ParsedProject[];
  /** Checks all files one at a time, on demand, in the order of their paths. */
  readonly check: (fixer?: Fixer) => Iterable<LintedFile>;
  /** By the path in results. Filled while the files are checked. */
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
}

/** Loads the formats of files. */
export async function formatsOfAll(files: Iterable<Pick<SelectedFile, "entry">>): Promise<ReadonlyMap<FormatEntry | undefined, Format>> {
  const formats = new Map<FormatEntry | undefined, Format>();
  for (const entry of new Set(Array.from(files, (one) => one.entry))) if (entry) formats.set(entry, await entry.load());
  return formats;
}

/** Returns the hosts that texts list, or `undefined` if they list none; `aim` names a host or cluster of theirs for all VMs. */
export const inventoryIn = async (
  texts: readonly { readonly path: string; readonly text: string }[],
  files: Files,
  aim?: string,
): Promise<Inventory | undefined> => (texts.length > 0 ? (await inventoryReader())(texts, files, aim) : undefined);

/** Opens the files that are read together, so that all files can be checked one at a time. */
export async function openRun<S extends SelectedFile>(request: RunRequest<S>, host: RunHost<S>): Promise<Run> {
  const { selected, folders, files, rules, inventory, show, nameOf, onlyFindings = false } = request;
  const { slashes = (path) => path, inTime = (work) => work(), keeping = { answers: openAnswers(), ...ONCE } } = host;
  const formats = await formatsOfAll(selected);
  const { describes = false, ignoreComments, showsAll = false } = request;
  const { answers, version, noted, hasRoom = () => true } = keeping;
  const folderOfFile = (path: string) => answers.folder(folderOf(path));
  const settings: RunSettings = {
    rules,
    againstAt: (path) => folderOfFile(path)?.against,
    inventory,
    hides: (path) => !showsAll && folderOfFile(path)?.hides === true,
    ignoreComments: ignoreComments || showsAll,
    describes,
    onlyFindings,
    ...(nameOf && { nameOf }),
    ...(show && { show }),
  };
  const around = [inventory, rules, describes, ignoreComments, showsAll, onlyFindings, ...keeping.around];
  const folderAt = (path: string) => folders.byPath.get(path);
  answers.begin({ version, noted, folderAt, around, hasRoom, settings, inTime });
  // An unchecked folder has no configuration here.
  const configured = configuredInputs((folder) => {
    answers.config(folder);
    return folderAt(folder)?.against;
  });
  const inputs = { ...request.inputs, ...configured };
  const suppressions = new Map<string, FileSuppressions>();
  const finish = ({ file, silencing }: CheckedFile): LintedFile => {
    if (silencing) suppressions.set(file.path, silencing);
    return file;
  };
  const joint = selected.filter(isJoint);
  const projects = joint.length > 0 ? await openProjects(joint, { settings, inputs, folders, answers }, host) : [];
  const own = answers.files("single", files);
  const checkOne = (file: S, counting: Parameters<typeof recallOrCheck>[1], fixer: Fixer | undefined): LintedFile | undefined => {
    const path = slashes(file.path);
    const { entry } = file;
    const format = entry ? (formats.get(entry) ?? defaultFormat) : defaultFormat;
    const unitOf = (given: ReadText, from = files): Unit => ({ entry, format, paths: [path], files: from, inputs, given });
    const read = () => host.read(file, format);
    const key = ["single", entry?.name, file.isNamed, path].join("\n");
    const readAnew = (): Unit => {
      answers.version(path);
      // A kept unit has no bytes: the next file may overwrite their memory.
      return unitOf({ text: read().text }, own);
    };
    const [checked] =
      !fixer && answers.keeps(key)
        ? answers.check({ key, unitOf: readAnew })
        : [recallOrCheck({ unitOf, path, read, recalled: host.recall?.(file, format) ?? {} }, counting, fixer)];
    if (!checked) return undefined;
    counting.hostCounts?.add(checked.file.vms);
    const { foreign } = checked.file;
    return foreign !== undefined && !host.passOver(file, foreign) ? undefined : finish(checked);
  };
  return {
    projects: projects.map(({ project }) => project),
    suppressions,
    check: (fixer) => {
      const ofProjects = projects.flatMap(({ check }) => check(fixer).map(finish)).sort((a, b) => (a.path < b.path ? -1 : 1));
      const counting = { ...settings, hostCounts: onlyFindings ? hostCounts() : undefined };
      return merged(
        (host.singles ?? eachFile)(
          selected.filter((file) => !isJoint(file)),
          (file) => checkOne(file, counting, fixer),
        ),
        ofProjects,
      );
    },
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

const isJoint = <S extends SelectedFile>(file: S): file is S & { readonly entry: FormatEntry } =>
  file.entry !== undefined && !isAlone(file.entry);

/** The data for all projects of a run. */
interface OfRun {
  readonly settings: RunSettings;
  readonly inputs: ProjectInputs;
  readonly folders: Folders;
  readonly answers: RunAnswers;
}

async function openProjects<S extends SelectedFile>(
  joint: readonly (S & { readonly entry: FormatEntry })[],
  run: OfRun,
  host: RunHost<S>,
): Promise<readonly OpenProject[]> {
  const { slashes = (path) => path, mayCheck = () => true, failed, guarded = (_, check) => check() } = host;
  const files = run.answers.files("project", host.projectFiles(joint));
  const projects: OpenProject[] = [];
  for (const [entry, some] of grouped(joint, (one) => one.entry)) {
    const format = await entry.load();
    const paths = some.map(({ path }) => slashes(path));
    if (!mayCheck(paths)) continue;
    const open = (own: readonly string[]) => openProject({ entry, format, paths: own, files, inputs: run.inputs }, run);
    const opened = await openSound({ paths, separate: entry.separate }, { open, failed });
    if (!opened) continue;
    const { project, check } = opened;
    projects.push({ project, check: (fixer) => guarded(paths, () => check(fixer)) });
  }
  return projects;
}

async function openProject(unit: Unit, { folders, settings, answers }: OfRun): Promise<OpenProject> {
  const asked = { key: ["project", unit.entry?.name, ...unit.paths].join("\n"), unitOf: () => unit };
  const { read } = await answers.read(asked);
  const { parsed } = read;
  if (!isProject(parsed)) throw new Error(`${unit.format.name} files are read one by one`);
  // Findings may also be in modules outside of the named paths.
  for (const folder of new Set(parsed.sources.files.map(({ path }) => folderOf(path)))) await folders.find(folder);
  return { project: parsed, check: (fixer) => (fixer ? checkUnit(unit, read, settings, { fixer }) : answers.check(asked)) };
}

/** Opens some files of a project, and receives the error of a file that fails. */
interface Opening<T> {
  readonly open: (paths: readonly string[]) => Promise<T>;
  readonly failed: (path: string, error: unknown) => void;
}

/**
 * Opens a project; `undefined` if no part can be. If it fails, each folder is tried alone, or each file of a format with separate files, and
 * all sound parts are opened together.
 */
async function openSound<T>(
  { paths, separate }: { readonly paths: readonly string[]; readonly separate: boolean | undefined },
  { open, failed }: Opening<T>,
): Promise<T | undefined> {
  const parts = [...grouped(paths, (path) => (separate ? path : folderOf(path))).values()];
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
  if (sound.length < parts.length) return openSound({ paths: sound.flat(), separate }, { open, failed });
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
