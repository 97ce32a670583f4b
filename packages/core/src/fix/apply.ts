import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import type { TextEdit } from "../model/source.ts";
import { EditedRanges } from "./edited-ranges.ts";

/** A finding with its file. Each edit of its fixes names the file that it changes. */
export interface FoundDiagnostic extends Diagnostic {
  readonly path: string;
}

/** Returns the VM of a finding, or the file of a finding without a VM. */
export const vmOf = ({ vm, path }: FoundDiagnostic): string => vm ?? path;

export interface FixOptions {
  /** Also applies fixes that change how the VM runs. */
  readonly unsafe?: boolean;
}

export interface SelectedFix {
  readonly diagnostic: FoundDiagnostic;
  readonly fix: Fix;
}

/** Returns the fixes of a finding that may be applied, in order of preference. */
export const allowedFixes = ({ fixes }: FoundDiagnostic, { unsafe = false }: FixOptions): readonly Fix[] =>
  fixes.filter(({ safety }) => unsafe || safety === "safe");

/**
 * Returns the first allowed fix of each finding, in order. Leaves overlapping fixes for the next pass, and also a second unsafe fix of the
 * same VM, because it was computed for the old shape.
 */
export function selectFixes(diagnostics: readonly FoundDiagnostic[], options: FixOptions = {}): readonly SelectedFix[] {
  const fixes: SelectedFix[] = [];
  const edits = new EditedRanges();
  const reshaped = new Set<string>();
  for (const diagnostic of diagnostics) {
    const [fix] = allowedFixes(diagnostic, options);
    const isSecond = fix?.safety === "unsafe" && reshaped.has(vmOf(diagnostic));
    if (!fix || isSecond || edits.conflictsWith(fix)) continue;
    if (fix.safety === "unsafe") reshaped.add(vmOf(diagnostic));
    edits.add(fix);
    fixes.push({ diagnostic, fix });
  }
  return fixes;
}

export const editsOf = (fixes: readonly SelectedFix[]): readonly TextEdit[] => fixes.flatMap(({ fix }) => fix.edits);
