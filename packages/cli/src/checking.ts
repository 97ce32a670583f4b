import { DISABLE, type LintedFile, type LintResult, printable, type TextEdit } from "@vmlint/core";
import type { FixSteps } from "@vmlint/core/fix";
import type { FileSuppressions } from "@vmlint/core/suppress";
import type { Cache, CachedResult } from "./cache.ts";
import type { Faults } from "./fault.ts";
import { fromSlashes, shownPath as shownFile } from "./read-files.ts";

// Types and functions that the checks of single files and of projects share.

/** A file whose findings may be fixed. */
export interface Fixable {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
  readonly text: string;
  /** Reads the current content of the file. */
  readonly bytes: () => Uint8Array;
  /** The suppressions and baseline that apply to a text of this file. */
  readonly suppressions: (text: string, result: LintResult) => FileSuppressions;
  /** The file holds values of variables, which may be passwords, so a diff shows only changed lines. */
  readonly holdsValues?: boolean;
  /** Returns edits that format the text after fixes. */
  readonly tidy?: (fixed: string) => readonly TextEdit[];
  /** Findings that are not fixed because the fix would change too much. */
  readonly withheld?: readonly Unfixed[] | undefined;
}

/** The findings in a text. */
export interface CheckResult {
  readonly result: LintResult;
  /** Findings in other files about VMs that this file changes. */
  readonly otherFiles?: readonly OtherFileResult[];
}

/** A finding that is not fixed, and why. */
export interface Unfixed {
  readonly diagnostic: LintResult["diagnostics"][number];
  readonly safety: "safe" | "unsafe";
  readonly reason: string;
}

/** Findings in other files than the fixed file. */
interface OtherFileResult extends Pick<LintResult, "diagnostics" | "skipped"> {
  readonly shownPath: string;
  readonly suppressions: FileSuppressions;
}

/** Fixes a file. Returns its findings after the fixes, also in a dry run. */
export type Fix = (file: Fixable) => FixSteps<Fixed, CheckResult>;

export interface Fixed {
  readonly text: string;
  readonly wouldBe: string;
}

/** Options for the checks of single files and of projects. */
export interface Shared {
  readonly cache: Cache | undefined;
  /** Filled with files whose reading or checking failed by a bug; without it, one ends the run. */
  readonly faults: Faults | undefined;
  /** Whether the run has time and memory left for some files, by absolute paths. */
  readonly within: (...paths: readonly string[]) => boolean;
}

/** Why a file is not fixed that is checked as it is staged. */
export const partlyStaged = (shownPath: string): string =>
  `vmlint: ${printable(shownPath)}: not fixed: some of its changes are not staged; stage or discard them first.\n`;

/** A path with forward slashes, as a report prints it. */
export const shownPath = (path: string, cwd: string): string => shownFile(fromSlashes(path), cwd);

/** Paths as a report prints them. */
export function withShownPaths(file: LintedFile, cwd: string): LintedFile {
  const name = (path: string): string => shownPath(path, cwd);
  const show = <T extends { readonly path?: string }>(place: T): T =>
    place.path === undefined ? place : { ...place, path: name(place.path) };
  return {
    ...show(file),
    vms: file.vms.map(({ spec, target, locate }) => (locate ? { spec, target, locate: (range) => show(locate(range)) } : { spec, target })),
    ...(file.otherTexts && { otherTexts: new Map([...file.otherTexts].map(([path, text]) => [name(path), text])) }),
    diagnostics: file.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      related: diagnostic.related.map(show),
      fixes: diagnostic.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(show) })),
    })),
  };
}

/** Returns the cached facts about the VMs of a text. */
export const aboutVms = (
  text: string,
  { vms, vmCount = vms.length }: Pick<LintResult, "vms" | "vmCount">,
): Pick<CachedResult, "vmCount" | "hosts" | "silences"> => ({
  vmCount,
  hosts: vms.some(({ target }) => target.host),
  silences: text.includes(DISABLE),
});
