import type { LintResult } from "../lint.ts";

/** One file and all that was understood of it. */
export interface LintedFile extends LintResult {
  /** Relative to the working directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** What a report of findings keeps of a file: of a clean one next to nothing, so that a large run stays small. */
export interface FileResult extends Pick<LintedFile, "path" | "text" | "diagnostics" | "skipped"> {
  readonly vmCount: number;
}

/** Drops what reports of findings do not read. */
export function summarize({ path, text, diagnostics, skipped, vms }: LintedFile): FileResult {
  return { path, text: diagnostics.length > 0 ? text : "", diagnostics, skipped, vmCount: vms.length };
}

export interface Tool {
  readonly name: string;
  readonly version: string;
}
