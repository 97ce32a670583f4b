import { DISABLE } from "../formats/directive.ts";
import type { Format, FormatEntry } from "../formats/format.ts";
import { defaultFormat } from "../formats/index.ts";
import { inputsIn, type ParsedProject, type ProjectInputs } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { lintedVm } from "../lint/assume.ts";
import { type HostCounts, hostCounts, hostedVms, hostKeys } from "../lint/hosted-vms.ts";
import { type LintOptions, type LintResult, lintText } from "../lint/lint.ts";
import { type ProjectFile, readProject } from "../lint/lint-project.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import { type Files, folderOf } from "../model/files.ts";
import { grouped } from "../model/maps.ts";
import type { VmSpec } from "../model/spec.ts";
import type { LintedFile } from "../report/result.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { checkProject, contextIn, type FolderTarget, suppressionsOf, targetsIn } from "./check-file.ts";
import { type Fixer, fixProject, fixSingle } from "./fix-run.ts";

// The one place that checks files: the library, the command and editors hand in how files are read, kept and limited.

/** The options for files that are checked by themselves. */
interface RunSettings {
  /** The files that single files may refer to. */
  readonly files: Files;
  readonly rules: readonly Rule[] | undefined;
  readonly againstAt: (path: string) => FolderTarget | undefined;
  /** The hosts of VMs without a configured host. */
  readonly inventory: Inventory | undefined;
  /** Whether a configuration or a baseline may hide findings of a file. */
  readonly hides: (path: string) => boolean;
  readonly ignoreComments?: boolean;
  /** Whether several files may describe the same VM, so that all VMs are needed. */
  readonly describes?: boolean;
  /** Whether single files list only VMs that cross-VM rules need. */
  readonly onlyFindings?: boolean;
  /** Filled with the suppressions of files, by the path in results. */
  readonly suppressions: Map<string, FileSuppressions>;
  /** Writes paths as results show them; by default they stay. */
  readonly show?: (file: LintedFile) => LintedFile;
}

/** The options for all files of a run. */
export interface CheckRun extends RunSettings {
  /** Finds the configuration of a folder, for `againstAt`. */
  readonly findFolder: (folder: string) => Promise<unknown>;
  /** Calls `check` on each single file, in the order of paths. */
  readonly singles: (check: (file: SingleFile) => LintedFile | undefined) => Iterable<LintedFile>;
  readonly projects: readonly ProjectRequest[];
  /** Opens a project with `open`, and returns how it is checked; `undefined` if it is not. */
  readonly openProject: (request: ProjectRequest, open: OpenProject) => Promise<CheckProject | undefined>;
}

/** A file that is checked by itself. */
export interface SingleFile {
  /** With forward slashes. */
  readonly path: string;
  /** The path in results. */
  readonly name: string;
  readonly format: Format | undefined;
  readonly read: () => ReadText;
  /** Returns the result of another thread. */
  readonly recall?: (() => Recalled) | undefined;
  /** Called if no VM is in the file. Returns whether it remains in the results. */
  readonly passOver: (reason: string, text: string) => boolean;
}

interface ReadText {
  readonly text: string;
  /** The bytes, if each character is one byte. */
  readonly bytes?: Uint8Array | undefined;
}

/** The result of another thread, which lists no VMs. */
export interface EarlierResult extends Omit<LintResult, "vms"> {
  /** The hosts of its VMs, for cross-VM rules; see `hostKeys`. */
  readonly hosts: readonly (string | null)[];
  /** Whether the text may hide findings by itself. */
  readonly silences: boolean;
}

/** The result of another thread, or a place to keep a result for it. */
export interface Recalled {
  readonly kept?: EarlierResult | undefined;
  readonly keep?: ((text: string, result: LintResult) => void) | undefined;
}

/** Files of a format that refer to each other. */
export interface ProjectRequest {
  readonly entry: FormatEntry;
  readonly format: Format;
  readonly paths: readonly string[];
  readonly files: Files;
  readonly inputs: ProjectInputs;
}

/** Reads a project; some of its paths or another reader can be given. */
type OpenProject = (changed?: Partial<Pick<ProjectRequest, "paths" | "format" | "files">>) => Promise<OpenedProject>;

interface OpenedProject {
  readonly project: ParsedProject;
  /** Checks the project, after it fixed it if there is a fixer. */
  readonly check: (fixer: Fixer | undefined) => readonly ProjectFile[];
}

type CheckProject = (fixer: Fixer | undefined) => readonly LintedFile[];

/** Opens projects. Returns a function that checks all files one at a time, on demand, in the order of their paths. */
export async function openRun(run: CheckRun): Promise<(fixer?: Fixer) => Iterable<LintedFile>> {
  const projects: CheckProject[] = [];
  for (const request of run.projects) {
    const check = await run.openProject(request, opening(request, run));
    if (check) projects.push((fixer) => check(fixer).map((file) => finished(file, file.path, request.format, run)));
  }
  return (fixer) => {
    const ofProjects = projects.flatMap((check) => check(fixer)).sort((a, b) => (a.path < b.path ? -1 : 1));
    const counting = { ...run, hostCounts: run.onlyFindings ? hostCounts() : undefined };
    const singles = run.singles((file) => checkSingle(file, counting, fixer));
    return merged(singles, ofProjects);
  };
}

interface Asking extends Pick<RunSettings, "describes" | "hides" | "ignoreComments"> {
  /** The VMs of the files before. With a full host, results of other threads are enough without their VMs. */
  readonly hostCounts?: HostCounts | undefined;
}

/** Checks one file by itself; `undefined` if it was passed over. */
export function checkSingle(file: SingleFile, run: RunSettings & Asking, fixer?: Fixer): LintedFile | undefined {
  const { path, name, format } = file;
  const { kept, keep } = file.recall?.() ?? {};
  const enough = kept && isEnough(run, path, kept) ? kept : undefined;
  if (enough?.diagnostics.length === 0 && enough.foreign === undefined) {
    const { skipped, vmCount, ran } = enough;
    return { path: name, text: "", vms: [], diagnostics: [], skipped, foreign: undefined, vmCount, ran };
  }
  const { text: known, bytes } = file.read();
  const keeps = run.onlyFindings && !fixer && !asksVms(run, path, known.includes(DISABLE)) ? wantedTogether() : undefined;
  const reading = readingOf(file, run);
  const first: LintResult = kept
    ? { ...kept, vms: enough ? [] : vmsIn(known, { ...reading, bytes }) }
    : lintText(known, { ...reading, bytes, keeps });
  keep?.(known, first);
  const isFixed = fixer && (first.withheld || first.diagnostics.some(({ fixes }) => fixes.length > 0));
  const { text, result } = isFixed ? fixedText(file, { text: known, result: first }, run, fixer) : { text: known, result: first };
  const { vms, vmCount, ran, diagnostics, skipped, foreign: reason } = result;
  run.hostCounts?.add(vms);
  // An unpacked text differs from the content of the file.
  const foreign = reason !== undefined && !format?.unpack && text.trim() === "" ? EMPTY : reason;
  if (foreign !== undefined && !file.passOver(foreign, text)) return undefined;
  if (foreign === undefined) remember({ path, name, text, vms }, format, run);
  // Not spread: that makes each an object of its own shape, which all who read it pay for.
  const found: LintedFile = { path: name, text, vms, diagnostics, skipped, foreign, vmCount, ran };
  const led = diagnostics.flatMap(({ related }) => related.flatMap((place) => place.path ?? []));
  if (led.length === 0 && diagnostics.every(({ cell }) => cell?.path === undefined)) return found;
  return shown({ ...found, path, otherTexts: new Map(led.map((other) => [other, run.files.read(other) ?? ""])) }, run);
}

const fixedText = (
  file: SingleFile,
  { text, result }: { readonly text: string; readonly result: LintResult },
  run: RunSettings,
  fixer: Fixer,
) =>
  fixSingle(
    { path: file.path, text, result },
    (of) => lintText(of, readingOf(file, run)),
    (of) => silencing(of, file.format, run),
    fixer,
  );

/** The reason for a file without text. */
export const EMPTY = "it is empty";

interface TextReading extends LintOptions {
  readonly target: (vm: VmSpec) => Target;
}

function readingOf({ path, format }: SingleFile, { files, againstAt, inventory, rules }: RunSettings): TextReading {
  const against = againstAt(path);
  if (!against) throw new Error(`the configuration of ${path} was not searched`);
  return { format, context: contextIn(against, path, files), ...targetsIn(against, path, inventory), rules };
}

/** The VMs of a text that was checked before. */
const vmsIn = (text: string, { format = defaultFormat, bytes, context, target }: TextReading): readonly LintedVm[] =>
  format
    .read({ paths: [context?.path ?? ""], files: context?.files, text, bytes, inputs: inputsIn(context) })
    .vms.map((spec) => lintedVm(spec, target(spec)));

/** Returns a result without its VMs. */
export const earlierResult = (
  text: string,
  { diagnostics, skipped, foreign, withheld, ran, vms, vmCount = vms.length }: LintResult,
): EarlierResult => ({
  diagnostics,
  skipped,
  foreign,
  withheld,
  ran,
  vmCount,
  hosts: hostKeys(vms),
  silences: text.includes(DISABLE),
});

/** Whether the VMs of a file are needed besides its findings. */
const asksVms = (run: Asking, path: string, silences: boolean): boolean => run.describes || mayHide(run, path, silences);

/** Whether a suppression may hide findings of a file. */
const mayHide = ({ hides, ignoreComments }: Asking, path: string, silences: boolean): boolean =>
  hides(path) || (!ignoreComments && silences);

/** Whether the result of another thread lists enough; it lists no VMs. */
const isEnough = (run: Asking, path: string, { hosts, silences }: Pick<EarlierResult, "hosts" | "silences">): boolean =>
  hosts.every((host) => host !== null && run.hostCounts?.isFull(host)) && !asksVms(run, path, silences);

/** Returns a function that selects the VMs of a file that cross-VM rules need, and all VMs of an inventory. */
function wantedTogether(): (vm: LintedVm) => boolean {
  const place = hostedVms();
  return (vm) => vm.spec.template === true || place([vm]).length > 0 || vm.spec.runsOn !== undefined;
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
export async function openSound<T>(
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

const opening =
  ({ entry, format, paths, files, inputs }: ProjectRequest, run: CheckRun): OpenProject =>
  async (changed = {}) => {
    const own = { paths: changed.paths ?? paths, files: changed.files ?? files };
    const { project, read } = await readProject(changed.format ?? format, { ...own, inputs });
    // Findings may also be in modules outside of the named paths.
    for (const folder of new Set(project.sources.files.map(({ path }) => folderOf(path)))) await run.findFolder(folder);
    const check = (parsed: ParsedProject): readonly ProjectFile[] => checkProject(parsed, run.againstAt, run);
    const fixable = {
      ...own,
      project,
      tidy: format.tidy,
      read: (some: readonly string[], from: Files) => read({ paths: some, files: from, inputs }),
      check,
      suppressionsOf: (file: Pick<LintedFile, "path" | "text" | "vms">) => silencing(file, format, run),
      holdsValues: (path: string) =>
        entry.values?.some((ending) => path.endsWith(ending)) ||
        inputs.options.some((option) => option.kind === "file" && option.path === path),
    };
    return { project, check: (fixer) => (fixer ? fixProject(fixable, fixer) : check(project)) };
  };

function finished(file: LintedFile, path: string, format: Format, run: CheckRun): LintedFile {
  const named = shown(file, run);
  remember({ path, name: named.path, text: file.text, vms: file.vms }, format, run);
  return named;
}

const shown = (file: LintedFile, { show }: RunSettings): LintedFile => show?.(file) ?? file;

/** Stores the suppressions of a file, if it may have some. */
function remember(
  file: Pick<LintedFile, "path" | "text" | "vms"> & { readonly name: string },
  format: Format | undefined,
  run: RunSettings,
): void {
  if (mayHide(run, file.path, file.text.includes(DISABLE))) run.suppressions.set(file.name, silencing(file, format, run));
}

/** Returns the suppressions and baseline for findings of a file. With `ignoreComments` it leaves out comments. */
export const silencing = (
  { path, text, vms }: Pick<LintedFile, "path" | "text" | "vms">,
  { comments }: Format = defaultFormat,
  { againstAt, ignoreComments }: Pick<RunSettings, "againstAt" | "ignoreComments">,
): FileSuppressions => suppressionsOf({ path, text, vms, comments: ignoreComments ? undefined : comments, against: againstAt(path) });

/** Both in the order of their paths. */
function* merged(some: Iterable<LintedFile>, others: readonly LintedFile[]): Iterable<LintedFile> {
  let next = 0;
  for (const file of some) {
    for (let other = others[next]; other && other.path < file.path; other = others[++next]) yield other;
    yield file;
  }
  yield* others.slice(next);
}
