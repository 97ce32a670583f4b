import type { LintResult } from "../lint.ts";

/** One linted file, as reporters see it. */
export interface FileResult extends LintResult {
  /** Relative to the working directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
}
