import { applyEdits } from "../lint/apply-edits.ts";
import type { Diagnostic, Fix } from "../model/diagnostic.ts";
import type { TextEdit } from "../model/source.ts";
import { EditedRanges } from "./edited-ranges.ts";

export interface FixOptions {
  /** Also fixes that change how the VM runs. */
  readonly unsafe?: boolean;
}

/** A finding with the fix chosen for it. */
export interface Chosen {
  readonly diagnostic: Diagnostic;
  readonly fix: Fix;
}

export interface Applied {
  readonly text: string;
  readonly applied: readonly Chosen[];
}

/** The fixes of a finding that may be applied to its text, in the order they are to be tried: none that changes another file. */
export const allowedFixes = ({ fixes }: Diagnostic, { unsafe = false }: FixOptions): readonly Fix[] =>
  fixes.filter(({ safety, edits }) => (unsafe || safety === "safe") && edits.every(({ path }) => path === undefined));

/**
 * One pass: the first allowed fix of each finding, in the order of the findings. A fix that meets the place of one before it is
 * left for the next pass, and so is a second unsafe one of a VM: it was computed from the shape that the first one changes.
 * A fix that changes another file, as one of a project may, is not applied.
 */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[], options: FixOptions = {}): Applied {
  const chosen: Chosen[] = [];
  const edited = new EditedRanges();
  const reshaped = new Set<string | null>();
  for (const diagnostic of diagnostics) {
    const [fix] = allowedFixes(diagnostic, options);
    const isSecond = fix?.safety === "unsafe" && reshaped.has(diagnostic.vm);
    if (!fix || isSecond || edited.conflictsWith(fix)) continue;
    if (fix.safety === "unsafe") reshaped.add(diagnostic.vm);
    edited.add(fix);
    chosen.push({ diagnostic, fix });
  }
  return { text: applyEdits(text, editsOf(chosen)), applied: chosen };
}

export const editsOf = (chosen: readonly Chosen[]): readonly TextEdit[] => chosen.flatMap(({ fix }) => fix.edits);
