import type { SelectedFix } from "../fix/apply.ts";
import { fixing } from "../fix/fix-text.ts";
import type { RejectedFix } from "../fix/regressions.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import type { Diagnostic, Skip } from "../model/diagnostic.ts";
import type { Range, TextEdit } from "../model/source.ts";

/** The findings of files with some texts. */
interface FoundInTexts {
  readonly diagnostics: readonly { readonly path: string; readonly diagnostic: Diagnostic }[];
  readonly skipped: readonly Skip[];
}

interface FixedFiles {
  /** The new texts of the files that changed. */
  readonly texts: ReadonlyMap<string, string>;
  readonly applied: readonly SelectedFix[];
  readonly refused: readonly RejectedFix[];
}

interface FixRequest {
  readonly unsafe: boolean;
  /** Whether the fixes of a finding may be applied. */
  readonly mayFix: (path: string, diagnostic: Diagnostic) => boolean;
}

/**
 * Fixes several files at once, each fix proven by checking again. The files are one text to `fixing`, with a mark between them that no file
 * contains, so a fix may change several of them.
 */
export async function fixFiles(
  texts: ReadonlyMap<string, string>,
  check: (texts: ReadonlyMap<string, string>) => Promise<FoundInTexts>,
  { unsafe, mayFix }: FixRequest,
): Promise<FixedFiles> {
  if (texts.size === 0) return { texts, applied: [], refused: [] };
  const paths = [...texts.keys()];
  const mark = markFor([...texts.values()]);
  const join = (parts: readonly string[]): string => parts.join(mark);
  const split = (joined: string): ReadonlyMap<string, string> => new Map(joined.split(mark).map((text, i) => [paths[i] ?? "", text]));
  const answer = async (joined: string) => {
    const now = split(joined);
    const starts = startsOf(now, mark.length);
    const found = await check(now);
    const diagnostics = found.diagnostics.map(({ path, diagnostic }) => inJoined(path, diagnostic, starts, mayFix(path, diagnostic)));
    return { diagnostics, skipped: found.skipped };
  };
  const work = fixing(join([...texts.values()]), { unsafe });
  let step = work.next();
  while (!step.done) step = work.next(await answer(step.value));
  const { text, applied, rejected } = step.value;
  return { texts: new Map([...split(text)].filter(([path, now]) => now !== texts.get(path))), applied, refused: rejected };
}

/** Returns a text that occurs in no file. */
function markFor(texts: readonly string[]): string {
  let mark = "\0";
  while (texts.some((text) => text.includes(mark))) mark += "\0";
  return `\n${mark}\n`;
}

function startsOf(texts: ReadonlyMap<string, string>, gap: number): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  let start = 0;
  for (const [path, text] of texts) {
    starts.set(path, start);
    start += text.length + gap;
  }
  return starts;
}

/** Returns a finding with ranges of the joined text, without fixes that change other files. */
function inJoined(path: string, diagnostic: Diagnostic, starts: ReadonlyMap<string, number>, mayFix: boolean): Diagnostic {
  const moved = ([from, to]: Range, start: number): Range => [from + start, to + start];
  const place = (edit: TextEdit): TextEdit | undefined => {
    const start = starts.get(edit.path ?? path);
    return start === undefined ? undefined : { range: moved(edit.range, start), newText: edit.newText };
  };
  const fixes = (mayFix ? diagnostic.fixes : []).flatMap((fix) => {
    const edits = fix.edits.map(place);
    return edits.every((edit) => edit !== undefined) ? [{ ...fix, edits }] : [];
  });
  return { ...diagnostic, range: moved(diagnostic.range, starts.get(path) ?? 0), fixes };
}

/** Returns a single edit that turns one text into another. */
export function editBetween(before: string, after: string): TextEdit {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { range: [start, before.length - end], newText: after.slice(start, after.length - end) };
}

/** Adds the edits that restore the formatting of texts. */
export const tidied = (
  texts: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
  tidy: (path: string, before: string, after: string) => readonly TextEdit[],
): ReadonlyMap<string, string> =>
  new Map([...texts].map(([path, text]) => [path, applyEdits(text, tidy(path, before.get(path) ?? "", text))]));
