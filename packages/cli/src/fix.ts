import { resolve } from "node:path";
import { type Chosen, decodeVmx, printable, type TextEdit } from "@vmlint/core";
import { editBytes, fixText, MOST_PASSES, type Refused } from "@vmlint/core/fix";
import { createTwoFilesPatch } from "diff";
import type { Fix, Fixable } from "./checking.ts";
import { decode } from "./files.ts";
import type { Io } from "./io.ts";
import type { Reviewer } from "./review.ts";
import { CHANGED, replaceFile } from "./write-file.ts";

export interface FixRequest {
  readonly unsafe: boolean;
  /** What was asked for: links are followed inside of it, and of the working directory. */
  readonly patterns: readonly string[];
  /** Writes nothing. */
  readonly dryRun: boolean;
  /** The findings of a file that may be fixed. */
  readonly open: Reviewer["open"];
}

export interface Fixer {
  readonly dryRun: boolean;
  readonly fix: Fix;
  /** What a dry run would have changed. */
  readonly diff: () => string;
}

/** Fixes files one after another, and says what it did and did not do. */
export function fixer({ unsafe, dryRun, patterns, open }: FixRequest, io: Io): Fixer {
  const diffs = new Map<string, { readonly before: string; readonly after: string }>();
  // A file of a project may be come back to.
  const said = new Set<string>();
  const roots = [io.cwd, ...patterns.map((pattern) => resolve(io.cwd, pattern))];
  const fix = (file: Fixable) => {
    const { path, shownPath, text, result } = file;
    const bytes = Buffer.from(file.bytes);
    const check = (changed: string) => {
      const again = changed === text ? result : file.lint(changed);
      const elsewhere = file.elsewhere?.(changed) ?? [];
      const others = elsewhere.flatMap((other) => open(other.shownPath, other.silencers, other.diagnostics));
      return { diagnostics: [...open(shownPath, file.silencers(changed, again), again.diagnostics), ...others], skipped: again.skipped };
    };
    const fixed = fixText(text, check, { unsafe });
    const say = (sentence: string) => io.err(`vmlint: ${printable(`${shownPath}: ${sentence}`)}.\n`);
    const sayOnce = (sentence: string) => {
      if (!said.has(`${path}: ${sentence}`)) say(sentence);
      said.add(`${path}: ${sentence}`);
    };
    const asked = (file.withheld ?? []).filter(({ safety }) => unsafe || safety === "safe");
    const stillOpen = new Set(
      open(
        shownPath,
        file.silencers(text, result),
        asked.map(({ diagnostic }) => diagnostic),
      ),
    );
    for (const { diagnostic, reason } of asked) if (stillOpen.has(diagnostic)) sayOnce(`${diagnostic.ruleId} is not fixed: ${reason}`);
    for (const refused of fixed.refused) sayOnce(wordRefused(refused));
    if (!fixed.finished) sayOnce(`there was still something to fix after ${MOST_PASSES} passes; run vmlint again`);
    if (fixed.passes.length === 0) return { text, result, wouldBe: text };
    if (dryRun) {
      diffs.set(shownPath, { before: diffs.get(shownPath)?.before ?? text, after: fixed.text });
      return { text, result, wouldBe: fixed.text };
    }
    // A project is read as a whole before the first of its files is fixed.
    const isSame = decodeVmx(bytes, decode) === text;
    const failure = isSame ? write(path, bytes, fixed.passes, roots) : CHANGED;
    if (failure !== undefined) {
      sayOnce(`not written: ${failure}`);
      return { text, result, wouldBe: text };
    }
    for (const chosen of fixed.applied) say(wordApplied(chosen));
    return { text: fixed.text, result: file.lint(fixed.text), wouldBe: fixed.text };
  };
  return { dryRun, fix, diff: () => [...diffs].map(([path, { before, after }]) => unified(path, before, after)).join("") };
}

const wordApplied = ({ diagnostic, fix }: Chosen): string => `fixed ${diagnostic.ruleId}: ${fix.title}`;

function wordRefused({ diagnostic: { ruleId }, found, skipped }: Refused): string {
  if (found.includes(ruleId)) return `${ruleId} is not fixed: no fix of it would settle it`;
  const bringing = found.length > 0 ? [`bring ${found.join(", ")}`] : [];
  const blinding = skipped.length > 0 ? [`keep ${skipped.join(", ")} from running`] : [];
  return `${ruleId} is not fixed: its fix would ${[...bringing, ...blinding].join(" and ")}`;
}

function write(path: string, before: Buffer, passes: readonly (readonly TextEdit[])[], roots: readonly string[]): string | undefined {
  let bytes: Uint8Array | undefined = before;
  for (const edits of passes) bytes &&= editBytes(bytes, edits, decode);
  return bytes ? replaceFile(path, bytes, before, roots) : "the fix cannot be written in the file's encoding";
}

function unified(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
  const [, from = "", to = "", ...hunks] = patch.split("\n");
  // As git does: a tab ends a name that has a space in it, for the programs that would end it there.
  const end = path.includes(" ") ? "\t" : "";
  return [from + end, to + end, ...hunks].join("\n");
}
