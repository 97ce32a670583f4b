import {
  type Diagnostic,
  type Files,
  type Format,
  folderOf,
  type LintedFile,
  type LintResult,
  list,
  type OpenedProject,
  type Fix as Proposed,
} from "@vmlint/core";
import type { ProjectFile } from "@vmlint/core/project";
import type { FileSuppressions } from "@vmlint/core/suppress";
import { type CheckResult, type Fix, type Fixable, type Fixed, partlyStaged, shownPath, type Unfixed } from "./checking.ts";
import { apart, blocksIn, vmsIn } from "./fix-apart.ts";
import type { Io } from "./io.ts";
import { fromSlashes, readBytes } from "./read-files.ts";

/** A project whose files are fixed. */
export interface FixedProject extends OpenedProject {
  readonly format: Format;
  /** The files that were asked for. */
  readonly paths: readonly string[];
  /**
   * Whether a file is in a named folder or in the folder of a named file. Other files may have callers that this run does not
   * read.
   */
  readonly isSelected: (path: string) => boolean;
  readonly files: Files;
  /** Whether the text of a file is what is staged of it: the file is not fixed. */
  readonly partly: (path: string) => boolean;
  readonly holdsValues: (path: string) => boolean;
  readonly suppressionsOf: (path: string, text: string, vms: LintedFile["vms"]) => FileSuppressions;
}

/** After so many rounds over its files a project is left as it is. */
const MOST_ROUNDS = 10;

/** Fixes a project and returns the remaining findings, or the findings before the fixes in a dry run. */
export function fixProject(fixed: FixedProject, fix: Fix, io: Io): readonly ProjectFile[] {
  const before = fixed.check(fixed.project);
  const blocksOf = blocksIn(fixed.project);
  // The texts by real path, because a file may have several paths through links.
  const changed = new Map<string, string>();
  let linted = before;
  let isDry = false;
  const textOf = (path: string): string | undefined => changed.get(realOf(path, fixed)) ?? fixed.files.read(path);
  /** Whether there was something to fix in one of the files, which share no VM: each is fixed as if it were alone. */
  const fixAtOnce = (paths: readonly string[]): boolean => {
    const own = new Map(linted.map((file) => [file.path, file]));
    const vmsOf = vmsIn(linted);
    const works = new Map<string, ReturnType<Fix>>();
    for (const path of paths) {
      const text = textOf(path);
      if (text !== undefined) works.set(path, fix(fixable(fixed, path, text, own.get(path), io)));
    }
    let last = { texts: new Map<string, string>(), linted };
    const lintWith = (all: ReadonlyMap<string, string>): readonly ProjectFile[] => {
      const texts = new Map([...all].filter(([path, text]) => text !== textOf(path)));
      if (!sameTexts(texts, last.texts)) last = { texts, linted: relinted(fixed, linted, texts, textOf) };
      return last.linted;
    };
    const ended = inStep(works, (texts) => {
      const says = indexOf(lintWith(texts));
      return (path) => foundIn(says, path, vmsOf.get(path) ?? new Set(), fixed, io);
    });
    const texts = new Map([...ended].map(([path, { wouldBe }]) => [path, wouldBe]));
    linted = lintWith(texts);
    for (const [path, text] of last.texts) changed.set(realOf(path, fixed), text);
    isDry ||= [...ended.values()].some(({ text, wouldBe }) => text !== wouldBe);
    return last.texts.size > 0;
  };
  for (const path of pathsOfFixes(linted)) if (fixed.partly(path)) io.err(partlyStaged(shownPath(path, io.cwd)));
  // A fix in one file may create a finding in an earlier file.
  for (let round = 0, isFixed = true; isFixed && round < MOST_ROUNDS; round++) {
    isFixed = false;
    const left = (done: ReadonlySet<string>) => [...pathsOfFixes(linted)].filter((path) => !(fixed.partly(path) || done.has(path)));
    for (let done = new Set<string>(), paths = left(done); paths.length > 0; paths = left(done)) {
      const some = apart(paths, blocksOf(linted));
      if (fixAtOnce(some)) isFixed = true;
      done = new Set([...done, ...some]);
    }
  }
  return isDry ? before : linted;
}

/** Does the work of several files in step, so that what all of them ask is runSteps at once. */
function inStep(
  works: ReadonlyMap<string, ReturnType<Fix>>,
  answers: (texts: ReadonlyMap<string, string>) => (path: string) => CheckResult,
): ReadonlyMap<string, Fixed> {
  const texts = new Map<string, string>();
  const ended = new Map<string, Fixed>();
  const take = (path: string, { done, value }: IteratorResult<string, Fixed>): void => {
    if (done) ended.set(path, value);
    texts.set(path, done ? value.wouldBe : value);
  };
  for (const [path, work] of works) take(path, work.next());
  while (ended.size < works.size) {
    const answer = answers(texts);
    for (const [path, work] of works) if (!ended.has(path)) take(path, work.next(answer(path)));
  }
  return ended;
}

const sameTexts = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  some.size === others.size && [...some].every(([path, text]) => others.get(path) === text);

const realOf = (path: string, { files }: FixedProject): string => files.real?.(path) ?? path;

/** The findings by file and by VM. */
interface FindingIndex {
  readonly files: ReadonlyMap<string, ProjectFile>;
  /** The files with something about a VM. */
  readonly about: ReadonlyMap<string, ReadonlySet<ProjectFile>>;
}

function indexOf(linted: readonly ProjectFile[]): FindingIndex {
  const about = new Map<string, Set<ProjectFile>>();
  for (const file of linted) {
    const vms = [...file.vms.map(({ spec }) => spec.name), ...file.diagnostics.flatMap(namesIn)];
    for (const vm of vms) about.set(vm, (about.get(vm) ?? new Set()).add(file));
  }
  return { files: new Map(linted.map((file) => [file.path, file])), about };
}

const namesIn = ({ vm, vms = vm === null ? [] : [vm] }: Diagnostic): readonly string[] => vms;

/**
 * Returns the findings of a file, and the findings elsewhere about the VMs that it changes, because a fix may harm a VM in any
 * file.
 */
function foundIn(
  { files, about }: FindingIndex,
  path: string,
  vms: ReadonlySet<string | null>,
  { isSelected, suppressionsOf, project }: FixedProject,
  { cwd }: Io,
): CheckResult {
  const own = files.get(path);
  const folders = project.together?.(folderOf(path));
  const others = new Set([...vms].flatMap((vm) => [...(about.get(vm ?? "") ?? [])]));
  const otherFiles = [...others].filter((file) => file !== own && (!folders || folders.has(folderOf(file.path))));
  return {
    result: own ? { ...own, diagnostics: fixedIn(own, path, isSelected) } : NOTHING,
    otherFiles: otherFiles.map((file) => {
      const diagnostics = file.diagnostics.filter((one) => namesIn(one).some((vm) => vms.has(vm)));
      return {
        shownPath: shownPath(file.path, cwd),
        suppressions: suppressionsOf(file.path, file.text, file.vms),
        diagnostics: fixedIn({ path: file.path, diagnostics }, path, isSelected),
        skipped: file.skipped,
      };
    }),
  };
}

function fixable(
  { format, suppressionsOf, isSelected, holdsValues }: FixedProject,
  path: string,
  text: string,
  own: ProjectFile | undefined,
  { cwd }: Io,
): Fixable {
  return {
    path: fromSlashes(path),
    shownPath: shownPath(path, cwd),
    text,
    bytes: () => readBytes(path),
    holdsValues: holdsValues(path),
    suppressions: (other, { vms }) => suppressionsOf(path, other, vms),
    // Formatting is left out for files with values, because the diff would show their other lines.
    tidy: (after) => (holdsValues(path) ? [] : (format.tidy?.(path, text, after) ?? [])),
    withheld: own ? unfixedIn(own, isSelected, cwd) : [],
  };
}

/** Returns the findings after some texts changed. It reads only the folders that are read together with a changed file. */
function relinted(
  fixed: FixedProject,
  now: readonly ProjectFile[],
  texts: ReadonlyMap<string, string>,
  textOf: (path: string) => string | undefined,
): readonly ProjectFile[] {
  if (texts.size === 0) return now;
  const { project, paths, files, read, check } = fixed;
  const byReal = new Map([...texts].map(([path, text]) => [realOf(path, fixed), text]));
  // The reader of a project lives as long as the project, so it must not hold the earlier findings.
  const changed: Files = { ...files, read: (path) => byReal.get(realOf(path, fixed)) ?? textOf(path) };
  const { together } = project;
  if (!together) return check(read(paths, changed));
  const folders = new Set([...texts.keys()].flatMap((path) => [...together(folderOf(path))]));
  const isRead = (one: string): boolean => folders.has(folderOf(one));
  return [...now.filter((file) => !isRead(file.path)), ...check(read(paths.filter(isRead), changed))];
}

const NOTHING: LintResult = { vms: [], diagnostics: [], skipped: [], foreign: undefined };

/** Returns the files with fixes, files with findings first. */
function pathsOfFixes(linted: readonly ProjectFile[]): ReadonlySet<string> {
  const open = linted.filter(({ isSecret }) => !isSecret);
  const own = open.filter(({ diagnostics, withheld }) => withheld.length > 0 || diagnostics.some(({ fixes }) => fixes.length > 0));
  const secret = new Set(linted.flatMap(({ path, isSecret }) => (isSecret ? path : [])));
  const edits = open.flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes.flatMap((one) => one.edits)));
  return new Set([...own.map(({ path }) => path), ...edits.flatMap(({ path }) => (path === undefined || secret.has(path) ? [] : path))]);
}

/** Returns the findings of a file with the fixes that change only one file, which must be in the named paths. */
function fixedIn(
  file: Pick<ProjectFile, "path" | "diagnostics">,
  path: string,
  isSelected: FixedProject["isSelected"],
): LintResult["diagnostics"] {
  const isThere = ({ edits }: Proposed): boolean => isSelected(path) && edits.every((edit) => (edit.path ?? file.path) === path);
  const withoutPath = (fix: Proposed): Proposed => ({ ...fix, edits: fix.edits.map(({ range, newText }) => ({ range, newText })) });
  return file.diagnostics.map((one) => ({ ...one, fixes: one.fixes.filter(isThere).map(withoutPath) }));
}

/** The findings of a file that are not fixed since more than their VMs may take a value from the place. */
function unfixedIn(
  { path: own, withheld, diagnostics }: ProjectFile,
  isSelected: FixedProject["isSelected"],
  cwd: string,
): readonly Unfixed[] {
  const shared = withheld.map(({ diagnostic, safety, path = own }): Unfixed => {
    const reason = `another value depends on the place in ${shownPath(path, cwd)} that it would change`;
    return { diagnostic, safety, reason };
  });
  const unfixedElsewhere = diagnostics.flatMap((diagnostic): Unfixed | readonly [] => {
    const filesOf = ({ edits }: Proposed) => [...new Set(edits.map(({ path = own }) => path))];
    const outside = (fix: Proposed) => filesOf(fix).find((path) => !isSelected(path));
    const [first] = diagnostic.fixes;
    if (!first || !diagnostic.fixes.every((fix) => outside(fix) !== undefined || filesOf(fix).length > 1)) return [];
    const path = outside(first);
    const reason =
      path === undefined
        ? `its fix would change ${list(
            filesOf(first).map((file) => shownPath(file, cwd)),
            "and",
          )} together: change them by hand`
        : `its fix would change ${shownPath(path, cwd)}, which was not asked for`;
    return { diagnostic: { ...diagnostic, fixes: [] }, safety: first.safety, reason };
  });
  return [...shared, ...unfixedElsewhere];
}
