import { resolve } from "node:path";
import { applyEdits, decodeVmx, printable, type SelectedFix, type TextEdit } from "@vmlint/core";
import { editBytes, type FixSteps, fixing, MOST_PASSES, mapAnswers, type RejectedFix } from "@vmlint/core/fix";
import { createTwoFilesPatch } from "diff";
import type { CheckResult, Fix, Fixable, Fixed } from "./checking.ts";
import { isVmlintError } from "./command-output.ts";
import { realOf } from "./disk.ts";
import type { Io } from "./io.ts";
import { decode, isWithin, reasonOf, shownPath } from "./read-files.ts";
import type { Reviewer } from "./reviewer.ts";
import { CHANGED, replaceFile } from "./write-file.ts";

export interface FixRequest {
  readonly unsafe: boolean;
  /** The named paths. Links are followed inside of these paths and of the working directory. */
  readonly patterns: readonly string[];
  /** Writes nothing. */
  readonly dryRun: boolean;
  /** The findings of a file that may be fixed. */
  readonly openFindings: Reviewer["openFindings"];
}

interface Fixer {
  readonly dryRun: boolean;
  readonly fix: Fix;
  /** Returns the diff of a dry run. */
  readonly diff: () => string;
}

/** Returns a fixer that fixes files one after another, and reports on stderr which fixes it made and which it did not. */
export function fixer({ unsafe, dryRun, patterns, openFindings }: FixRequest, io: Io): Fixer {
  // The changes by real path, so that a file with several paths is changed once.
  const diffs = new Map<string, Changed>();
  // A file of a project may be come back to.
  const printed = new Set<string>();
  const roots = [io.cwd, ...patterns.map((pattern) => resolve(io.cwd, pattern))];
  const fix = function* (file: Fixable): FixSteps<Fixed, CheckResult> {
    const { path, shownPath, text } = file;
    const check = ({ result, otherFiles = [] }: CheckResult, of: string) => {
      const others = otherFiles.flatMap((other) => openFindings(other.shownPath, other.suppressions, other.diagnostics));
      const own = openFindings(shownPath, file.suppressions(of, result), result.diagnostics);
      return { diagnostics: [...own, ...others], skipped: [result, ...otherFiles].flatMap(({ skipped }) => skipped) };
    };
    const { result } = yield text;
    const fixed = yield* mapAnswers(fixing(text, { unsafe }), check);
    const say = (sentence: string) => io.err(`vmlint: ${printable(`${shownPath}: ${sentence}`)}.\n`);
    const sayOnce = (sentence: string) => {
      if (!printed.has(`${path}: ${sentence}`)) say(sentence);
      printed.add(`${path}: ${sentence}`);
    };
    // With --fix-unsafe, a finding that still has a fix needs no message about a withheld one.
    const withheld = (file.withheld ?? []).filter(({ diagnostic, safety }) => (unsafe ? diagnostic.fixes.length === 0 : safety === "safe"));
    const stillOpen = new Set(
      openFindings(
        shownPath,
        file.suppressions(text, result),
        withheld.map(({ diagnostic }) => diagnostic),
      ),
    );
    for (const { diagnostic, reason } of withheld) if (stillOpen.has(diagnostic)) sayOnce(`${diagnostic.ruleId} is not fixed: ${reason}`);
    for (const refused of fixed.rejected) sayOnce(wordRefused(refused));
    if (!fixed.finished) sayOnce(`there was still something to fix after ${MOST_PASSES} passes; run vmlint again`);
    if (fixed.passes.length === 0) return { text, wouldBe: text };
    const tidied = file.tidy?.(fixed.text) ?? [];
    const after = applyEdits(fixed.text, tidied);
    if (dryRun) {
      const { holdsValues = false } = file;
      const real = realOf(path);
      const known = diffs.get(real);
      const mark = known?.mark ?? markOf(file);
      const changed = { shownPath: shownReal(real, io) ?? shownPath, mark, before: known?.before ?? text, after, holdsValues };
      if (holdsValues && !isShowable(changed.before, changed.after)) {
        sayOnce("the diff is not shown, because these lines contain other values");
      } else {
        diffs.set(real, changed);
        if (mark === undefined && !known) sayOnce("its diff is of its text and cannot be applied: the file is not in UTF-8");
      }
      return { text, wouldBe: after };
    }
    // A project is read as a whole before the first of its files is fixed.
    const failure = write(file, [...fixed.passes, tidied], roots);
    if (failure !== undefined) {
      sayOnce(`not written: ${failure}`);
      return { text, wouldBe: text };
    }
    for (const chosen of fixed.applied) say(wordApplied(chosen));
    return { text: after, wouldBe: after };
  };
  return { dryRun, fix, diff: () => [...diffs.values()].map(unified).join("") };
}

const wordApplied = ({ diagnostic, fix }: SelectedFix): string => `fixed ${diagnostic.ruleId}: ${fix.title}`;

function wordRefused({ diagnostic: { ruleId }, newFindings, skipped }: RejectedFix): string {
  if (newFindings.includes(ruleId)) return `${ruleId} is not fixed: no fix of it would settle it`;
  const bringing = newFindings.length > 0 ? [`bring ${newFindings.join(", ")}`] : [];
  const blinding = skipped.length > 0 ? [`keep ${skipped.join(", ")} from running`] : [];
  return `${ruleId} is not fixed: its fix would ${[...bringing, ...blinding].join(" and ")}`;
}

/** Writes a file with edits applied. Returns the reason if the file cannot be written. */
function write({ path, text, bytes }: Fixable, passes: readonly (readonly TextEdit[])[], roots: readonly string[]): string | undefined {
  const before = bytesNow(bytes);
  if (typeof before === "string") return before;
  // It was read before others of its project were fixed.
  if (decodeVmx(before, decode) !== text) return CHANGED;
  let after: Uint8Array | undefined = before;
  for (const edits of passes) after &&= editBytes(after, edits, decode);
  return after ? replaceFile(path, after, before, roots) : "the fix cannot be written in the file's encoding";
}

function bytesNow(read: Fixable["bytes"]): Buffer | string {
  try {
    return Buffer.from(read());
  } catch (error) {
    if (isVmlintError(error)) return `it ${reasonOf(error.cause)}`;
    throw error;
  }
}

const MARK = "\ufeff";

/** Returns the byte order mark of a file whose text was read without it. A program that applies a diff compares bytes. */
function markOf({ text, bytes }: Fixable): string | undefined {
  const now = bytesNow(bytes);
  return ["", MARK].find((mark) => typeof now === "string" || now.equals(Buffer.from(mark + text)));
}

/** The name of a file in the working directory, as programs that apply a diff want it: they follow no link. */
function shownReal(path: string, { cwd }: Io): string | undefined {
  const folder = realOf(cwd);
  return isWithin(path, folder) ? shownPath(path, folder) : undefined;
}

/** A file that a dry run would have changed. */
interface Changed extends Required<Pick<Fixable, "shownPath" | "holdsValues">> {
  /** A byte order mark, or none; `undefined` where the text is in another encoding than UTF-8. */
  readonly mark: string | undefined;
  readonly before: string;
  readonly after: string;
}

/** A quoted text, with a following `:` or `=` if it is a name. */
const TEXT = /"(?:[^"\\]|\\.)*"(\s*[:=])?/g;

const holdsText = (part: string): boolean => [...part.matchAll(TEXT)].some(([, isName]) => isName === undefined);

/** Whether a line holds only names and numbers besides the changed part. */
function changesAlone(line: string, changed: string): boolean {
  const more = changed.length - line.length;
  let start = 0;
  let end = line.length;
  while (start < end && line[start] === changed[start]) start++;
  while (end > start && line[end - 1] === changed[end - 1 + more]) end--;
  return !(holdsText(line.slice(0, start)) || line.slice(start, end).includes('"') || holdsText(line.slice(end)));
}

/** Whether the lines that change in a file of values show no other text, which may be a password. */
function isShowable(before: string, after: string): boolean {
  const [from, to] = [before.split("\n"), after.split("\n")];
  return from.length === to.length && from.every((line, at) => line === to[at] || changesAlone(line, to[at] ?? ""));
}

/** Returns a diff. For files with values it shows only changed lines, because other lines may hold a password. */
function unified({ shownPath: path, mark = "", before, after, holdsValues }: Changed): string {
  const context = holdsValues ? 0 : 3;
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, mark + before, mark + after, undefined, undefined, { context });
  const [, from = "", to = "", ...hunks] = patch.split("\n");
  // Like git, ends a name with a space with a tab, for programs that would otherwise cut the name there.
  const end = path.includes(" ") ? "\t" : "";
  return [from + end, to + end, ...hunks].join("\n");
}
