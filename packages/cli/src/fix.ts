import type { Chosen, TextEdit } from "@vmlint/core";
import { editBytes, fixText, MOST_PASSES, type Refused } from "@vmlint/core/fix";
import { createTwoFilesPatch } from "diff";
import { decode } from "./files.ts";
import type { Io } from "./io.ts";
import type { Fix, Fixable } from "./lint-files.ts";
import type { Reviewer } from "./review.ts";
import { replaceFile } from "./write-file.ts";

export interface FixRequest {
  readonly unsafe: boolean;
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
export function fixer({ unsafe, dryRun, open }: FixRequest, io: Io): Fixer {
  const diffs: string[] = [];
  const fix = (file: Fixable) => {
    const { path, shownPath, text, result } = file;
    const bytes = Buffer.from(file.bytes);
    const check = (changed: string) => {
      const again = changed === text ? result : file.lint(changed);
      return { diagnostics: open(shownPath, file.silencers(changed, again), again.diagnostics), skipped: again.skipped };
    };
    const fixed = fixText(text, check, { unsafe });
    const say = (sentence: string) => io.err(`vmlint: ${shownPath}: ${sentence}.\n`);
    for (const refused of fixed.refused) say(wordRefused(refused));
    if (!fixed.finished) say(`there was still something to fix after ${MOST_PASSES} passes; run vmlint again`);
    if (fixed.passes.length === 0) return { text, result };
    if (dryRun) {
      diffs.push(unified(shownPath, text, fixed.text));
      return { text, result };
    }
    const failure = write(path, bytes, fixed.passes, io.cwd);
    if (failure !== undefined) {
      say(`not written: ${failure}`);
      return { text, result };
    }
    for (const chosen of fixed.applied) say(wordApplied(chosen));
    return { text: fixed.text, result: file.lint(fixed.text) };
  };
  return { dryRun, fix, diff: () => diffs.join("") };
}

const wordApplied = ({ diagnostic, fix }: Chosen): string => `fixed ${diagnostic.ruleId}: ${fix.title}`;

const wordRefused = ({ diagnostic, because }: Refused): string =>
  because.includes(diagnostic.ruleId)
    ? `${diagnostic.ruleId} is not fixed: no fix of it would settle it`
    : `${diagnostic.ruleId} is not fixed: its fix would bring ${because.join(", ")}`;

function write(path: string, before: Buffer, passes: readonly (readonly TextEdit[])[], cwd: string): string | undefined {
  let bytes: Uint8Array | undefined = before;
  for (const edits of passes) bytes &&= editBytes(bytes, edits, decode);
  return bytes ? replaceFile(path, bytes, before, cwd) : "the fix cannot be written in the file's encoding";
}

function unified(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
  const [, from = "", to = "", ...hunks] = patch.split("\n");
  // As git does: a tab ends a name that has a space in it, for the programs that would end it there.
  const end = path.includes(" ") ? "\t" : "";
  return [from + end, to + end, ...hunks].join("\n");
}
