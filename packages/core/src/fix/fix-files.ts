import { applyEdits } from "../lint/apply-edits.ts";
import type { Diagnostic, Fix, Skip } from "../model/diagnostic.ts";
import { addTo, grouped } from "../model/maps.ts";
import type { TextEdit } from "../model/source.ts";
import { editsOf, type FixOptions, type SelectedFix, selectFixes } from "./apply.ts";
import { type Pass, proveFixes } from "./prove-fixes.ts";
import { type CheckState, isNone, type RejectedFix, regressionsOf, type State } from "./regressions.ts";

/** After so many passes, texts are left as they are. */
export const MOST_PASSES = 10;

/** Files that are fixed together, because a fix may change several of them. */
export interface Fixable {
  /** The files that fixes may change. */
  readonly texts: ReadonlyMap<string, string>;
  /** Returns the name in `texts` of a file that has several paths. */
  readonly nameOf?: ((path: string) => string) | undefined;
  /** Checks the files with other texts. */
  readonly check: (texts: ReadonlyMap<string, string>) => readonly FoundInFile[];
}

/** The findings in a file. */
export interface FoundInFile {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
}

export interface FixedFiles {
  /** The new texts of the files that changed. */
  readonly texts: ReadonlyMap<string, string>;
  /** For each of these files, the edits of each pass, on the text that the pass before it left. */
  readonly passes: ReadonlyMap<string, readonly (readonly TextEdit[])[]>;
  readonly applied: readonly SelectedFix[];
  readonly rejected: readonly RejectedFix[];
  /** False when there was still something to fix after the last pass. */
  readonly finished: boolean;
}

type Check = (texts: ReadonlyMap<string, string>) => State;

/**
 * Fixes files until nothing is left to fix. A fix counts only when the files, linted again, no longer have its finding, have no
 * new one, and no check that ran before is skipped: so fixes that fight are refused instead of going round in circles, and
 * fixing what is fixed changes nothing.
 */
export function fixFiles({ texts, nameOf = (path) => path, check }: Fixable, options: FixOptions = {}): FixedFiles {
  const passes = new Map<string, (readonly TextEdit[])[]>();
  const stateOf: Check = (now) => ({ texts: now, ...joined(check(now), (path) => (texts.has(nameOf(path)) ? nameOf(path) : undefined)) });
  let applied: readonly SelectedFix[] = [];
  let state = stateOf(texts);
  for (let count = 0; ; count++) {
    const { fixes, next, rejected } = pass(state, stateOf, options);
    if (fixes.length === 0 || count === MOST_PASSES) {
      const changed = new Map([...state.texts].filter(([path, text]) => text !== texts.get(path)));
      return { texts: changed, passes, applied, rejected, finished: fixes.length === 0 };
    }
    for (const [path = "", edits] of grouped(editsOf(fixes), (edit) => edit.path)) addTo(passes, path, edits);
    applied = [...applied, ...fixes];
    state = next;
  }
}

function pass(state: State, check: Check, options: FixOptions): Pass {
  const safe = selectFixes(state.diagnostics);
  if (safe.length > 0) {
    const next = check(withEdits(state.texts, editsOf(safe)));
    if (isNone(regressionsOf(state, next, safe))) return { fixes: safe, next, rejected: [] };
  }
  return proveFixes(state, (edits) => check(withEdits(state.texts, edits)), options);
}

function withEdits(texts: ReadonlyMap<string, string>, edits: readonly TextEdit[]): ReadonlyMap<string, string> {
  const byPath = grouped(edits, ({ path = "" }) => path);
  const withOwn = (path: string, text: string): string => {
    const own = byPath.get(path);
    return own ? applyEdits(text, own) : text;
  };
  return new Map([...texts].map(([path, text]) => [path, withOwn(path, text)]));
}

/** Joins the findings of files, without fixes that change a file that has no name. */
function joined(files: readonly FoundInFile[], nameOf: (path: string) => string | undefined): CheckState {
  const withPath = (fix: Fix, own: string): readonly Fix[] => {
    const edits = fix.edits.flatMap((edit) => {
      const path = nameOf(edit.path ?? own);
      return path === undefined ? [] : [{ ...edit, path }];
    });
    return edits.length === fix.edits.length ? [{ ...fix, edits }] : [];
  };
  return {
    diagnostics: files.flatMap(({ path, diagnostics }) =>
      diagnostics.map((diagnostic) => ({ ...diagnostic, path, fixes: diagnostic.fixes.flatMap((fix) => withPath(fix, path)) })),
    ),
    skipped: files.flatMap(({ skipped }) => skipped),
  };
}
