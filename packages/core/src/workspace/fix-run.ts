import { type FixedFiles, fixFiles } from "../fix/fix-files.ts";
import type { Format } from "../formats/format.ts";
import type { ParsedProject } from "../formats/project.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import type { LintedFile } from "../lint/lint-project.ts";
import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import { type Files, folderOf } from "../model/files.ts";
import { addTo } from "../model/maps.ts";
import type { TextEdit } from "../model/source.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";

// Fixes files that are checked together. The library and the command hand in a `Fixer`, which keeps or writes the new texts.

export interface Fixer {
  /** Also applies fixes that change how the VM runs. */
  readonly unsafe: boolean;
  /** Returns the findings of a file that are to be fixed: nothing hides them. */
  readonly openFindings: (path: string, suppressions: FileSuppressions, diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
  /** Whether a file cannot be changed. */
  readonly isLocked?: (path: string) => boolean;
  /** Whether a fix may change a file: callers of another file may be missing in this run. */
  readonly isSelected: (path: string) => boolean;
  /** Takes the fixes of files. */
  readonly keep: (fixed: FixedPart) => KeptFixes;
}

/** Files with their fixes. */
export interface FixedPart extends FixedFiles {
  readonly before: ReadonlyMap<string, string>;
  readonly unfixed: readonly Unfixed[];
  /** Files that have something to fix, and are locked. */
  readonly locked: readonly string[];
  /** Whether a file holds values of variables, which may be passwords. */
  readonly holdsValues: (path: string) => boolean;
}

interface KeptFixes {
  /** The new texts; a dry run keeps none. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that could not be written. If no file was written, the fixes are chosen again without these files. */
  readonly failed: ReadonlySet<string>;
}

/** A finding that is not fixed because its fix would change too much. */
export interface Unfixed {
  readonly path: string;
  readonly diagnostic: Diagnostic;
  readonly reason: "changes-other-vms" | "changes-other-values" | "not-selected";
  /** The file that the fix would change. */
  readonly changed: string;
}

/** Files that are read together, and may be fixed. */
interface FixableFiles {
  readonly found: readonly LintedFile[];
  /** All files that were read. */
  readonly sources: readonly Pick<LintedFile, "path" | "text">[];
  readonly isSecret: ParsedProject["isSecret"];
  readonly together: ParsedProject["together"];
  readonly paths: readonly string[];
  readonly files: Files;
  /** Reads and checks some of the paths with changed files. */
  readonly check: (paths: readonly string[], files: Files) => readonly LintedFile[];
  readonly suppressionsOf: (file: Pick<LintedFile, "path" | "text" | "vms">) => FileSuppressions;
  readonly tidy: Format["tidy"];
  readonly holdsValues: (path: string) => boolean;
  /** Why a fix is not made whose place others share. */
  readonly withheldFor: Unfixed["reason"];
}

/** Fixes files that are read together. Returns their findings after the fixes, or the ones before in a dry run. */
export function fixFilesOf(fixable: FixableFiles, fixer: Fixer): readonly LintedFile[] {
  const { found, sources, files, suppressionsOf, holdsValues } = fixable;
  // A file may have several paths through links: its text has the first one.
  const realOf = (path: string): string => files.real?.(path) ?? path;
  const pathsOf = new Map<string, string[]>();
  for (const { path } of sources) addTo(pathsOf, realOf(path), path);
  const namesOf = (path: string): readonly string[] => pathsOf.get(realOf(path)) ?? [path];
  const nameOf = (path: string): string => namesOf(path)[0] ?? path;
  const mayChange = (path: string): boolean =>
    path === nameOf(path) && fixer.isSelected(path) && !fixer.isLocked?.(path) && !fixable.isSecret?.(path);
  const all = new Map(sources.flatMap(({ path, text }) => (mayChange(path) ? [[path, text] as const] : [])));

  let last = { texts: all as ReadonlyMap<string, string>, found };
  const checkWith = (changed: ReadonlyMap<string, string>): readonly LintedFile[] => {
    const texts = new Map([...all, ...changed]);
    const stale = [...texts].flatMap(([path, text]) => (text === last.texts.get(path) ? [] : namesOf(path)));
    if (stale.length > 0) last = { texts, found: checkedAnew(stale, { texts, found: last.found }, nameOf, fixable) };
    return last.found;
  };
  const open = (file: LintedFile, some = file.diagnostics) =>
    some.length === 0 ? [] : fixer.openFindings(file.path, suppressionsOf(file), some);
  const check = (texts: ReadonlyMap<string, string>) =>
    checkWith(texts).map((file) => ({ path: file.path, diagnostics: open(file), skipped: file.skipped }));
  const unfixed = found.flatMap((file) => {
    if (file.isSecret || fixer.isLocked?.(file.path)) return [];
    const those = unfixedIn(file, fixable, fixer);
    const shown = new Set(
      open(
        file,
        those.map(({ diagnostic }) => diagnostic),
      ),
    );
    return those.filter(({ diagnostic }) => shown.has(diagnostic));
  });
  const locked = [...pathsOfFixes(found)].filter((path) => fixer.isLocked?.(path));
  for (let texts: ReadonlyMap<string, string> = all; ; ) {
    const fixed = tidied(fixFiles({ texts, nameOf, check }, fixer), texts, fixable);
    const { texts: kept, failed } = fixer.keep({ ...fixed, before: texts, unfixed, locked, holdsValues });
    if (kept.size > 0) return checkWith(kept);
    if (failed.size === 0) return found;
    texts = new Map([...texts].filter(([path]) => !failed.has(path)));
  }
}

/** Checks only the folders that are read together with a changed file. */
function checkedAnew(
  stale: readonly string[],
  { texts, found }: { readonly texts: ReadonlyMap<string, string>; readonly found: readonly LintedFile[] },
  nameOf: (path: string) => string,
  { files, paths, check, together }: FixableFiles,
): readonly LintedFile[] {
  const changed: Files = { ...files, read: (path) => texts.get(nameOf(path)) ?? files.read(path) };
  if (!together) return check(paths, changed);
  const folders = new Set(stale.flatMap((path) => [...together(folderOf(path))]));
  const isRead = (path: string): boolean => folders.has(folderOf(path));
  return [...found.filter((file) => !isRead(file.path)), ...check(paths.filter(isRead), changed)];
}

/** Returns the files with fixes, and the files that these would change. */
function pathsOfFixes(found: readonly LintedFile[]): ReadonlySet<string> {
  const open = found.filter(({ isSecret }) => !isSecret);
  const secret = new Set(found.flatMap(({ path, isSecret }) => (isSecret ? path : [])));
  const own = open.filter(({ diagnostics, withheld = [] }) => withheld.length > 0 || diagnostics.some(({ fixes }) => fixes.length > 0));
  const edits = open.flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes.flatMap((one) => one.edits)));
  return new Set([...own.map(({ path }) => path), ...edits.flatMap(({ path }) => (path === undefined || secret.has(path) ? [] : path))]);
}

/** Returns the findings of a file whose fixes would change other VMs, other values, or files that were not asked for. */
function unfixedIn(
  { path: own, withheld = [], diagnostics }: LintedFile,
  { withheldFor }: FixableFiles,
  { unsafe, isSelected }: Fixer,
): readonly Unfixed[] {
  const shared = withheld.flatMap(({ diagnostic, safety, path = own }): Unfixed | readonly [] => {
    // With unsafe fixes, a finding that still has one needs no message.
    const counts = unsafe ? diagnostic.fixes.length === 0 : safety === "safe";
    return counts ? { path: own, diagnostic, reason: withheldFor, changed: path } : [];
  });
  const outside = ({ edits }: Fix): string | undefined => edits.map(({ path = own }) => path).find((path) => !isSelected(path));
  const elsewhere = diagnostics.flatMap((diagnostic): Unfixed | readonly [] => {
    const [first] = diagnostic.fixes;
    const changed = first && outside(first);
    if (changed === undefined || !diagnostic.fixes.every((fix) => outside(fix) !== undefined)) return [];
    if (!unsafe && first?.safety !== "safe") return [];
    return { path: own, diagnostic, reason: "not-selected", changed };
  });
  return [...shared, ...elsewhere];
}

/** Restores the formatting of fixed files. Files with values stay as they are, because a diff would show their other lines. */
function tidied(fixed: FixedFiles, before: ReadonlyMap<string, string>, { tidy, holdsValues }: FixableFiles): FixedFiles {
  if (!tidy) return fixed;
  const edits = new Map<string, readonly TextEdit[]>(
    [...fixed.texts].map(([path, text]) => [path, holdsValues(path) ? [] : tidy(path, before.get(path) ?? "", text)]),
  );
  const editsOf = (path: string): readonly TextEdit[] => edits.get(path) ?? [];
  return {
    ...fixed,
    texts: new Map([...fixed.texts].map(([path, text]) => [path, applyEdits(text, editsOf(path))])),
    passes: new Map([...fixed.passes].map(([path, passes]) => [path, [...passes, editsOf(path)]])),
  };
}
