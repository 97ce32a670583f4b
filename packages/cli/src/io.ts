import type { Palette } from "@vmlint/core";

/** Everything of the process that the command touches, files aside: bin.ts hands in the real one. */
export interface Io {
  readonly cwd: string;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The report, and nothing else. */
  readonly out: (text: string) => void;
  /** Notes and errors. */
  readonly err: (text: string) => void;
  /** The day it is for who runs it, as 2026-12-31. */
  readonly today: () => string;
  /** Whether no person looks on who could do something about it at once. */
  readonly ci: boolean;
  readonly palette: Palette;
}
