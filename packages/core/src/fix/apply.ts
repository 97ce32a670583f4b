import { applyEdits } from "../lint/apply-edits.ts";
import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import type { TextEdit } from "../model/source.ts";
import { EditedRanges } from "./edited-ranges.ts";

export interface FixOptions {
  /** Also applies fixes that change how the VM runs. */
  readonly unsafe?: boolean;
}

export interface SelectedFix {
  readonly diagnostic: Diagnostic;
  readonly fix: Fix;
}

export interface AppliedFixes {
  readonly text: string;
  readonly applied: readonly SelectedFix[];
}

/** Returns the fixes of a finding that may apply to its text, in order of preference. Fixes that edit another file are excluded. */
export const allowedFixes = ({ fixes }: Diagnostic, { unsafe = false }: FixOptions): readonly Fix[] =>
  fixes.filter(({ safety, edits }) => (unsafe || safety === "safe") && edits.every(({ path }) => path === undefined));

/**
 * Applies the first allowed fix of each finding, in order. Leaves overlapping fixes for the next pass, and also a second unsafe fix of the
 * same VM, because it was computed for the old shape. Skips fixes that edit another file, such as another file of a project.
 */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[], options: FixOptions = {}): AppliedFixes {
  const fixes: SelectedFix[] = [];
  const edits = new EditedRanges();
  const reshaped = new Set<string | null>();
  for (const diagnostic of diagnostics) {
    const [fix] = allowedFixes(diagnostic, options);
    const isSecond = fix?.safety === "unsafe" && reshaped.has(diagnostic.vm);
    if (!fix || isSecond || edits.conflictsWith(fix)) continue;
    if (fix.safety === "unsafe") reshaped.add(diagnostic.vm);
    edits.add(fix);
    fixes.push({ diagnostic, fix });
  }
  return { text: applyEdits(text, editsOf(fixes)), applied: fixes };
}

export const editsOf = (fixes: readonly SelectedFix[]): readonly TextEdit[] => fixes.flatMap(({ fix }) => fix.edits);
