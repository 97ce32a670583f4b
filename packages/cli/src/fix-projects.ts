import { sep } from "node:path";
import { type Files, folderOf, type LintedFile, type LintResult, lastAnswer, type ParsedProject, type Fix as Proposed } from "@vmlint/core";
import type { ProjectFile } from "@vmlint/core/project";
import type { Silencers } from "@vmlint/core/suppress";
import { type Fix, type Fixable, partlyStaged, shownPath, type Unfixed } from "./checking.ts";
import { readBytes } from "./files.ts";
import type { Io } from "./io.ts";

/** A project whose files are fixed. */
export interface FixedProject {
  readonly project: ParsedProject;
  /** The files that were asked for. */
  readonly paths: readonly string[];
  /** Whether a file lies in a folder that was asked for, or beside a file that was: of what lies elsewhere, not all uses are known. */
  readonly isAsked: (path: string) => boolean;
  readonly files: Files;
  /** Those of its files whose text is not that of the file, which therefore is not fixed. */
  readonly partly: ReadonlySet<string>;
  readonly holdsValues: (path: string) => boolean;
  /** Reads some of them again, with other texts. */
  readonly read: (paths: readonly string[], files: Files) => ParsedProject;
  readonly lint: (parsed: ParsedProject) => readonly ProjectFile[];
  readonly silencersOf: (path: string, text: string, vms: LintedFile["vms"]) => Silencers;
}

/** After so many rounds over its files a project is left as it is. */
const MOST_ROUNDS = 10;

/** What is left once each file was fixed; what was found before, in a dry run. */
export function fixProject(fixed: FixedProject, fix: Fix, io: Io): readonly ProjectFile[] {
  const before = fixed.lint(fixed.project);
  const changed = new Map<string, string>();
  let linted = before;
  let isDry = false;
  /** Whether there was something to fix. */
  const fixIn = (path: string): boolean => {
    const text = changed.get(path) ?? fixed.files.read(path);
    if (text === undefined || fixed.partly.has(path)) return false;
    const now = linted;
    const found = lastAnswer((other: string) =>
      other === text ? now : relinted(fixed, now, path, withTexts(fixed.files, changed, path, other)),
    );
    const { wouldBe, text: written } = fix(fixable(fixed, path, text, found, io));
    if (wouldBe === text) return false;
    isDry = wouldBe !== written;
    linted = found(wouldBe);
    changed.set(path, wouldBe);
    return true;
  };
  for (const path of pathsOfFixes(linted)) if (fixed.partly.has(path)) io.err(partlyStaged(shownPath(path, io.cwd)));
  // What is fixed in one file may leave something to be fixed in one before it.
  for (let round = 0, isFixed = true; isFixed && round < MOST_ROUNDS; round++) {
    isFixed = false;
    for (const path of pathsOfFixes(linted)) if (fixIn(path)) isFixed = true;
  }
  return isDry ? before : linted;
}

/** What one text of a file is checked by: what all files of the project say with it. */
function fixable(
  { silencersOf, isAsked, holdsValues }: FixedProject,
  path: string,
  text: string,
  found: (text: string) => readonly ProjectFile[],
  { cwd }: Io,
): Fixable {
  const lint = (other: string) => ofFile(found(other), path, isAsked);
  return {
    path: path.replaceAll("/", sep),
    shownPath: shownPath(path, cwd),
    bytes: readBytes(path),
    text,
    result: lint(text),
    lint,
    holdsValues: holdsValues(path),
    silencers: (other, { vms }) => silencersOf(path, other, vms),
    elsewhere: (other) =>
      found(other).flatMap((file) => {
        const diagnostics = file.path === path ? [] : fixedIn(file, path, isAsked).filter(({ fixes }) => fixes.length > 0);
        if (diagnostics.length === 0) return [];
        return { shownPath: shownPath(file.path, cwd), silencers: silencersOf(file.path, file.text, file.vms), diagnostics };
      }),
    withheld: found(text).flatMap((file) => (file.path === path ? unfixedIn(file, isAsked, cwd) : [])),
  };
}

/** What is found once a file has changed: only what is read as one with it is read again. */
function relinted({ project, paths, read, lint }: FixedProject, now: readonly ProjectFile[], path: string, files: Files) {
  const folders = project.together?.(folderOf(path));
  if (!folders) return lint(read(paths, files));
  const isRead = (one: string): boolean => folders.has(folderOf(one));
  return [...now.filter((file) => !isRead(file.path)), ...lint(read(paths.filter(isRead), files))];
}

/** What is read of a project keeps these for as long as it lives; here, they keep nothing of what was found with the texts before. */
const withTexts = (files: Files, changed: ReadonlyMap<string, string>, path: string, text: string): Files => ({
  ...files,
  read: (one) => (one === path ? text : (changed.get(one) ?? files.read(one))),
});

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
function ofFile(files: readonly ProjectFile[], path: string, isAsked: FixedProject["isAsked"]): LintResult {
  const file = files.find((one) => one.path === path);
  return file ? { ...file, diagnostics: fixedIn(file, path, isAsked) } : NOTHING;
}

/** The findings of a file with those of their fixes that change one file alone, which was asked for. */
function fixedIn(file: ProjectFile, path: string, isAsked: FixedProject["isAsked"]): LintResult["diagnostics"] {
  const isThere = ({ edits }: Proposed): boolean => isAsked(path) && edits.every((edit) => (edit.path ?? file.path) === path);
  const withoutPath = (fix: Proposed): Proposed => ({ ...fix, edits: fix.edits.map(({ range, newText }) => ({ range, newText })) });
  return file.diagnostics.map((one) => ({ ...one, fixes: one.fixes.filter(isThere).map(withoutPath) }));
}

/** The findings of a file that are not fixed since more than their VMs may take a value from the place. */
function unfixedIn({ path: own, withheld, diagnostics }: ProjectFile, isAsked: FixedProject["isAsked"], cwd: string): readonly Unfixed[] {
  const shared = withheld.map(({ diagnostic, safety, path = own }): Unfixed => {
    const reason = `something else depends on the place in ${shownPath(path, cwd)} that it would change`;
    return { diagnostic, safety, reason };
  });
  const elsewhere = diagnostics.flatMap((diagnostic): Unfixed | readonly [] => {
    const outside = ({ edits }: Proposed) => edits.map(({ path = own }) => path).find((path) => !isAsked(path));
    const [first] = diagnostic.fixes;
    const path = first && outside(first);
    if (!first || path === undefined || !diagnostic.fixes.every(outside)) return [];
    return { diagnostic, safety: first.safety, reason: `its fix would change ${shownPath(path, cwd)}, which was not asked for` };
  });
  return [...shared, ...elsewhere];
}
