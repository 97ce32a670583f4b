import type { LintedFile, Recalled } from "@vmlint/core/program";
import { fromSlashes, shownPath as shownFile } from "../files/read-files.ts";
import type { Faults } from "./fault.ts";

// Types and functions that the checks of single files and of projects share.

/** Options for the checks of single files and of projects. */
export interface Shared {
  /** Filled with files whose reading or checking failed; without it, one ends the run. */
  readonly faults: Faults | undefined;
  /** Whether the run has time and memory left for some files, by absolute paths. */
  readonly within: (...paths: readonly string[]) => boolean;
}

/** The results of other threads. */
export interface ThreadResults {
  /** Returns the result of a file by its path in reports, or takes over a new one. */
  readonly find: (name: string, format: string) => Recalled;
}

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
      ...(diagnostic.vmPath !== undefined && { vmPath: name(diagnostic.vmPath) }),
      ...(diagnostic.cell && { cell: show(diagnostic.cell) }),
      related: diagnostic.related.map(show),
      fixes: diagnostic.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(show) })),
    })),
  };
}
