import { type FixedFiles, fixFiles } from "../fix/fix-files.ts";
import type { Format } from "../formats/format.ts";
import type { ParsedProject } from "../formats/project.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import type { LintResult } from "../lint/lint.ts";
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

type CheckedFile = Pick<LintedFile, "path" | "text" | "vms" | "diagnostics" | "skipped" | "withheld" | "isSecret">;

/** Files that are checked together, and may be fixed. */
interface FixablePart<F extends CheckedFile> {
  readonly found: readonly F[];
  readonly texts: ReadonlyMap<string, string>;
  readonly nameOf?: (path: string) => string;
  readonly check: (texts: ReadonlyMap<string, string>) => readonly F[];
  readonly suppressionsOf: (file: Pick<CheckedFile, "path" | "text" | "vms">) => FileSuppressions;
  readonly tidy?: Format["tidy"];
  readonly holdsValues: (path: string) => boolean;
  readonly withheldFor: Unfixed["reason"];
}

/** Fixes a text that is checked by itself. Returns its findings after the fixes, or the ones before in a dry run. */
export function fixSingle(
  { path, text, result }: { readonly path: string; readonly text: string; readonly result: LintResult },
  check: (text: string) => LintResult,
  suppressionsOf: (file: Pick<CheckedFile, "path" | "text" | "vms">) => FileSuppressions,
  fixer: Fixer,
): { readonly text: string; readonly result: LintResult } {
  const asFile = (of: string, { withheld = [], ...found }: LintResult) => ({ ...found, withheld, path, text: of });
  const resultOf = (of: string): LintResult => (of === text ? result : check(of));
  const [left] = fixPart(
    {
      found: [asFile(text, result)],
      texts: new Map(fixer.isLocked?.(path) ? [] : [[path, text]]),
      check: (texts) => [asFile(texts.get(path) ?? text, resultOf(texts.get(path) ?? text))],
      suppressionsOf,
      holdsValues: () => false,
      withheldFor: "changes-other-vms",
    },
    fixer,
  );
  return left ? { text: left.text, result: left } : { text, result };
}

/** A project whose files are fixed. */
interface FixableProject {
  readonly project: ParsedProject;
  readonly paths: readonly string[];
  readonly files: Files;
  readonly tidy: Format["tidy"];
  readonly read: (paths: readonly string[], files: Files) => ParsedProject;
  readonly check: (project: ParsedProject) => readonly LintedFile[];
  readonly suppressionsOf: (file: Pick<CheckedFile, "path" | "text" | "vms">) => FileSuppressions;
  readonly holdsValues: (path: string) => boolean;
}

/** Fixes a project. Returns its findings after the fixes, or the ones before in a dry run. */
export function fixProject(fixable: FixableProject, fixer: Fixer): readonly LintedFile[] {
  const { project, files, paths, read, check, suppressionsOf, holdsValues, tidy } = fixable;
  const found = check(project);
  // A file may have several paths through links: its text has the first one.
  const realOf = (path: string): string => files.real?.(path) ?? path;
  const pathsOf = new Map<string, string[]>();
  for (const { path } of project.sources.files) addTo(pathsOf, realOf(path), path);
  const nameOf = (path: string): string => pathsOf.get(realOf(path))?.[0] ?? path;
  const mayChange = (path: string): boolean =>
    path === nameOf(path) && fixer.isSelected(path) && !fixer.isLocked?.(path) && !project.isSecret?.(path);
  const texts = new Map(project.sources.files.flatMap(({ path, text }) => (mayChange(path) ? [[path, text] as const] : [])));

  let last = { texts: texts as ReadonlyMap<string, string>, found };
  const checkWith = (changed: ReadonlyMap<string, string>): readonly LintedFile[] => {
    const now = new Map([...texts, ...changed]);
    const stale = [...now].flatMap(([path, text]) => (text === last.texts.get(path) ? [] : (pathsOf.get(realOf(path)) ?? [path])));
    if (stale.length > 0) last = { texts: now, found: relinted(stale, now, last.found) };
    return last.found;
  };
  /** Reads only the folders that are read together with a changed file. */
  const relinted = (stale: readonly string[], now: ReadonlyMap<string, string>, before: readonly LintedFile[]): readonly LintedFile[] => {
    const changed: Files = { ...files, read: (path) => now.get(nameOf(path)) ?? files.read(path) };
    const { together } = project;
    if (!together) return check(read(paths, changed));
    const folders = new Set(stale.flatMap((path) => [...together(folderOf(path))]));
    const isRead = (path: string): boolean => folders.has(folderOf(path));
    return [...before.filter((file) => !isRead(file.path)), ...check(read(paths.filter(isRead), changed))];
  };
  const part = { found, texts, nameOf, check: checkWith, suppressionsOf, holdsValues, withheldFor: "changes-other-values" } as const;
  return fixPart({ ...part, ...(tidy && { tidy }) }, fixer);
}

function fixPart<F extends CheckedFile>(part: FixablePart<F>, fixer: Fixer): readonly F[] {
  const open = (file: F, some = file.diagnostics) =>
    some.length === 0 ? [] : fixer.openFindings(file.path, part.suppressionsOf(file), some);
  const check = (texts: ReadonlyMap<string, string>) =>
    part.check(texts).map((file) => ({ path: file.path, diagnostics: open(file), skipped: file.skipped }));
  const unfixed = part.found.flatMap((file) => {
    if (file.isSecret || fixer.isLocked?.(file.path)) return [];
    const all = unfixedIn(file, part, fixer);
    const shown = new Set(
      open(
        file,
        all.map(({ diagnostic }) => diagnostic),
      ),
    );
    return all.filter(({ diagnostic }) => shown.has(diagnostic));
  });
  const locked = [...pathsOfFixes(part.found)].filter((path) => fixer.isLocked?.(path));
  for (let { texts } = part; ; ) {
    const fixed = tidied(fixFiles({ ...part, texts, check }, fixer), texts, part);
    const { texts: kept, failed } = fixer.keep({ ...fixed, before: texts, unfixed, locked, holdsValues: part.holdsValues });
    if (kept.size > 0) return part.check(kept);
    if (failed.size === 0) return part.found;
    texts = new Map([...texts].filter(([path]) => !failed.has(path)));
  }
}

/** Returns the files with fixes, and the files that these would change. */
function pathsOfFixes(found: readonly CheckedFile[]): ReadonlySet<string> {
  const open = found.filter(({ isSecret }) => !isSecret);
  const secret = new Set(found.flatMap(({ path, isSecret }) => (isSecret ? path : [])));
  const own = open.filter(({ diagnostics, withheld = [] }) => withheld.length > 0 || diagnostics.some(({ fixes }) => fixes.length > 0));
  const edits = open.flatMap(({ diagnostics }) => diagnostics.flatMap(({ fixes }) => fixes.flatMap((one) => one.edits)));
  return new Set([...own.map(({ path }) => path), ...edits.flatMap(({ path }) => (path === undefined || secret.has(path) ? [] : path))]);
}

/** Returns the findings of a file whose fixes would change other VMs, other values, or files that were not asked for. */
function unfixedIn<F extends CheckedFile>(
  { path: own, withheld = [], diagnostics }: F,
  { withheldFor }: FixablePart<F>,
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
function tidied<F extends CheckedFile>(
  fixed: FixedFiles,
  before: ReadonlyMap<string, string>,
  { tidy, holdsValues }: FixablePart<F>,
): FixedFiles {
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
