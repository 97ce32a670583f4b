import { resolve } from "node:path";
import { editBytes, MOST_PASSES, type RejectedFix, type SelectedFix } from "@vmlint/core/fix";
import { decodeVmx, type FixedPart, type Fixer, fixTitle, list, type Paint, printable, quotedLine } from "@vmlint/core/program";
import { createTwoFilesPatch, diffLines } from "diff";
import { isVmlintError } from "../args/command-output.ts";
import { realOf } from "../files/disk.ts";
import { decode, fromSlashes, isWithin, readBytes, reasonOf, shownPath } from "../files/read-files.ts";
import { CHANGED, stageFile } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import { shownPath as shown } from "./checking.ts";
import type { LintRun } from "./lint-files.ts";
import type { Reviewer } from "./reviewer.ts";

export interface FixRequest {
  readonly unsafe: boolean;
  /** The named paths. Links are followed inside of these paths and of the working directory. */
  readonly patterns: readonly string[];
  /** Writes nothing. */
  readonly dryRun: boolean;
  /** The findings of a file that may be fixed. */
  readonly openFindings: Reviewer["openFindings"];
  readonly run: Pick<LintRun, "isSelected" | "lockOf">;
}

interface DryRun {
  readonly fixer: Fixer;
  readonly dryRun: boolean;
  /** Returns the diff of a dry run. */
  readonly diff: () => string;
}

const NONE_KEPT = { texts: new Map<string, string>(), failed: new Set<string>() };

/** Returns a fixer that writes files, and reports on stderr which fixes it made and which it did not. */
export function fixing({ unsafe, dryRun, patterns, openFindings, run }: FixRequest, io: Io): DryRun {
  const printed = new Set<string>();
  const roots = [io.cwd, ...patterns.map((pattern) => resolve(io.cwd, pattern))];
  const say = (paths: readonly string[], sentence: string): void => {
    const names = list(
      paths.map((path) => shown(path, io.cwd)),
      "and",
    );
    io.err(`vmlint: ${printable(`${names}: ${sentence}`)}.\n`);
  };
  /** Several attempts may have the same failure. */
  const sayOnce = (path: string, sentence: string): void => {
    if (!printed.has(`${path}: ${sentence}`)) say([path], sentence);
    printed.add(`${path}: ${sentence}`);
  };
  const changed = ({ diagnostic, fix }: Pick<SelectedFix, "diagnostic"> & Partial<SelectedFix>): readonly string[] => {
    const edits = (fix ?? diagnostic.fixes.find(({ safety }) => unsafe || safety === "safe"))?.edits ?? [];
    return [...new Set(edits.map(({ path = diagnostic.path }) => path))];
  };
  const tell = ({ locked, unfixed, rejected, finished, texts }: FixedPart): void => {
    for (const path of locked)
      if (run.lockOf(path) === "staged") sayOnce(path, "not fixed: some of its changes are not staged; stage or discard them first");
    for (const one of unfixed) sayOnce(one.path, `${one.diagnostic.ruleId} is not fixed: ${wordUnfixed(one, io.cwd)}`);
    for (const refused of rejected) sayOnce(changed(refused)[0] ?? refused.diagnostic.path, wordRefused(refused));
    if (!finished) sayOnce([...texts.keys()][0] ?? "", `there was still something to fix after ${MOST_PASSES} passes; run vmlint again`);
  };
  const diffs = openDiffs(changed, sayOnce, io);
  /** Writes all files of a part, or no file if one cannot be written. */
  const write = (part: FixedPart): ReturnType<Fixer["keep"]> => {
    const failed = new Set<string>();
    const notWritten = (path: string, reason: string): void => {
      failed.add(path);
      sayOnce(path, `not written: ${reason}`);
    };
    const staged = [...part.texts.keys()].flatMap((path) => {
      const file = stage(path, part, roots);
      if (typeof file !== "string") return { path, ...file };
      notWritten(path, file);
      return [];
    });
    if (failed.size > 0) {
      for (const { discard } of staged) discard();
      return { ...NONE_KEPT, failed };
    }
    for (const { path, commit } of staged) {
      const reason = commit();
      if (reason !== undefined) notWritten(path, reason);
    }
    for (const chosen of part.applied) {
      const paths = changed(chosen);
      if (!paths.some((path) => failed.has(path))) say(paths, wordApplied(chosen));
    }
    return { texts: new Map([...part.texts].filter(([path]) => !failed.has(path))), failed };
  };
  const fixer: Fixer = {
    unsafe,
    openFindings: (path, suppressions, diagnostics) => openFindings(shown(path, io.cwd), suppressions, diagnostics),
    isLocked: (path) => run.lockOf(path) !== undefined,
    isSelected: run.isSelected,
    keep: (part) => {
      if (dryRun) diffs.add(part);
      const kept = dryRun ? NONE_KEPT : write(part);
      tell(part);
      return kept;
    },
  };
  return { dryRun, fixer, diff: diffs.text };
}

/** Collects the diffs of a dry run. */
function openDiffs(changed: (chosen: SelectedFix) => readonly string[], say: (path: string, sentence: string) => void, io: Io) {
  // By real path, so that a file with several paths is changed once.
  const diffs = new Map<string, Changed>();
  const add = ({ before, texts, applied, holdsValues: holds }: FixedPart): void => {
    for (const [path, after] of texts) {
      const text = before.get(path) ?? "";
      const holdsValues = holds(path);
      const real = realOf(fromSlashes(path));
      const known = diffs.get(real);
      const mark = known?.mark ?? markOf(path, text);
      const name = shownReal(real, io) ?? shown(path, io.cwd);
      const titles = applied.filter((chosen) => changed(chosen).includes(path)).flatMap(notesOf);
      const notes = [...new Set([...(known?.notes ?? []), ...titles])];
      const change = { shownPath: name, notes, mark, before: known?.before ?? text, after, holdsValues };
      if (!isShowable(change.before, change.after, hiding(holdsValues))) {
        say(path, "the diff is not shown, because these lines contain other values");
      } else {
        diffs.set(real, change);
        if (mark === undefined && !known) say(path, "its diff cannot be applied, because the file is not UTF-8");
      }
    }
  };
  return { add, text: () => [...diffs.values()].map((change) => asSeen(unified(change), io)).join("") };
}

/** Returns the comments above the diff of a file: the chosen fix, and the other fixes of its finding. Programs skip them. */
const notesOf = ({ diagnostic, fix }: SelectedFix): readonly string[] => [
  `# ${diagnostic.ruleId}: ${printable(fixTitle(fix))}`,
  ...diagnostic.fixes.flatMap((other) => (other.title === fix.title ? [] : [`#   or: ${printable(fixTitle(other))}`])),
];

/** Colours a diff on a terminal, and escapes its control characters. A program that applies the diff gets every byte. */
function asSeen(diff: string, { isTerminal, palette }: Io): string {
  if (!isTerminal) return diff;
  const paints: Readonly<Record<string, Paint>> = { "-": palette.red, "+": palette.green, "@": palette.cyan, "#": palette.dim };
  const lineOf = (line: string): string => {
    const shown = line.replace(/[^\t\r]+|\r(?!$)/g, printable);
    return (/^(---|\+\+\+) /.test(line) ? palette.bold : (paints[line[0] ?? ""] ?? String))(shown);
  };
  return diff.split("\n").map(lineOf).join("\n");
}

const wordApplied = ({ diagnostic, fix }: SelectedFix): string => `fixed ${diagnostic.ruleId}: ${fix.title}`;

function wordUnfixed({ reason, changed }: FixedPart["unfixed"][number], cwd: string): string {
  const place = shown(changed, cwd);
  if (reason === "changes-other-vms") return "its fix would change other VMs, too";
  if (reason === "changes-other-values") return `another value depends on the place in ${place} that it would change`;
  return `its fix would change ${place}, which was not asked for`;
}

function wordRefused({ diagnostic: { ruleId }, newFindings, skipped }: RejectedFix): string {
  if (newFindings.includes(ruleId)) return `${ruleId} is not fixed: its fixes do not resolve it`;
  const bringing = newFindings.length > 0 ? [`bring ${newFindings.join(", ")}`] : [];
  const blinding = skipped.length > 0 ? [`keep ${skipped.join(", ")} from running`] : [];
  return `${ruleId} is not fixed: its fix would ${[...bringing, ...blinding].join(" and ")}`;
}

/** Writes the edited content of a file next to it. Returns the reason if the file cannot be written. */
function stage(path: string, { before, passes }: FixedPart, roots: readonly string[]): ReturnType<typeof stageFile> {
  const old = bytesNow(path);
  if (typeof old === "string") return old;
  // It was read before others of its project were fixed.
  if (decodeVmx(old, decode) !== before.get(path)) return CHANGED;
  let after: Uint8Array | undefined = old;
  for (const edits of passes.get(path) ?? []) after &&= editBytes(after, edits, decode);
  return after ? stageFile(fromSlashes(path), after, old, roots) : "the fix cannot be written in the file's encoding";
}

function bytesNow(path: string): Buffer | string {
  try {
    return Buffer.from(readBytes(fromSlashes(path)));
  } catch (error) {
    if (isVmlintError(error)) return `it ${reasonOf(error.cause)}`;
    throw error;
  }
}

const MARK = "\ufeff";

/** Returns the byte order mark of a file whose text was read without it. A program that applies a diff compares bytes. */
function markOf(path: string, text: string): string | undefined {
  const now = bytesNow(path);
  return ["", MARK].find((mark) => typeof now === "string" || now.equals(Buffer.from(mark + text)));
}

/** The name of a file in the working directory, as programs that apply a diff want it: they follow no link. */
function shownReal(path: string, { cwd }: Io): string | undefined {
  const folder = realOf(cwd);
  return isWithin(path, folder) ? shownPath(path, folder) : undefined;
}

/** A file that a dry run would have changed. */
interface Changed {
  readonly shownPath: string;
  readonly notes: readonly string[];
  /** Whether it holds values of variables, which may be passwords. */
  readonly holdsValues: boolean;
  /** A byte order mark, or none; `undefined` where the text is in another encoding than UTF-8. */
  readonly mark: string | undefined;
  readonly before: string;
  readonly after: string;
}

/** A quoted text, with a following `:` or `=` if it is a name. */
const TEXT = /"(?:[^"\\]|\\.)*"(\s*[:=])?/g;

/** Hides values as reports do; in a file of values all texts, because each may be a password. */
const hiding = (holdsValues: boolean) =>
  holdsValues ? (line: string) => line.replace(TEXT, (text, isName) => (isName ? text : text.replace(/[^"]/g, "*"))) : quotedLine;

/** Whether the changed lines have no value to hide besides what changes. */
function isShowable(before: string, after: string, hide: (line: string) => string): boolean {
  const changes = diffLines(before, after);
  return changes.every(({ removed, value }, i) => {
    if (!removed) return true;
    const [lines, added] = [value.split("\n"), changes[i + 1]?.added ? (changes[i + 1]?.value.split("\n") ?? []) : []];
    return lines.every((line, at) => {
      const changed = lines.length === added.length ? (added[at] ?? "") : "";
      let start = 0;
      while (start < line.length && line[start] === changed[start]) start++;
      let end = line.length;
      while (end > start && line[end - 1] === changed[end - 1 + changed.length - line.length]) end--;
      // The finding's own value may change.
      const isOne = lines.length === added.length && !/["=:,]/.test(line.slice(start, end));
      return isOne ? hide(line.slice(0, start) + line.slice(end)) === line.slice(0, start) + line.slice(end) : hide(line) === line;
    });
  });
}

/** Whether the context of a diff has no value that reports would hide. */
const isQuotable = (patch: string): boolean => patch.split("\n").every((line) => !line.startsWith(" ") || quotedLine(line) === line);

/** Returns a diff. For files with values it shows only changed lines, because other lines may hold a password. */
function unified({ shownPath: path, notes, mark = "", before, after, holdsValues }: Changed): string {
  const patchWith = (context: number): string =>
    createTwoFilesPatch(`a/${path}`, `b/${path}`, mark + before, mark + after, undefined, undefined, { context });
  // Fewer lines of context, if a line may hold a password.
  const patch = (holdsValues ? [0] : [3, 2, 1]).map(patchWith).find(isQuotable) ?? patchWith(0);
  const [, from = "", to = "", ...hunks] = patch.split("\n");
  // Like git, ends a name with a space with a tab, for programs that would otherwise cut the name there.
  const end = path.includes(" ") ? "\t" : "";
  return [...notes, from + end, to + end, ...hunks].join("\n");
}
