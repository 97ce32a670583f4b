import type { Palette } from "@vmlint/core/program";
import type { Staged } from "./files/read-files.ts";
import type { DiskWorkspace } from "./run/disk-workspace.ts";

/** Everything of the process that the command touches, files aside: bin.ts hands in the real one. */
export interface Io {
  readonly cwd: string;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints to stdout, only for the report. */
  readonly out: (text: string) => void;
  /** Notes and errors. */
  readonly err: (text: string) => void;
  /** The day it is for who runs it, as 2026-12-31. */
  readonly today: () => string;
  /** Whether no person looks on who could do something about it at once. */
  readonly ci: boolean;
  readonly palette: Palette;
  /**
   * From now on an interruption waits until no file is half written. Gives back what lets it come through: to be awaited between
   * two files. Without this the system ends the process at once.
   */
  readonly interruptible: () => () => Promise<void>;
  /** Shows one line on the terminal, in place of the previous one. The next output erases it. `undefined` without a terminal. */
  readonly progress?: ((line: string) => void) | undefined;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Called with each file that is read besides the checked files. */
  readonly noted?: ((path: string) => void) | undefined;
  /** Staged contents. They replace the files on disk. */
  readonly staged?: Staged | undefined;
  /** Whether a file is what the command's own output goes to. */
  readonly writesTo?: (path: string) => boolean;
  /** The workspace of earlier runs, in a program that runs several times. */
  readonly disk?: DiskWorkspace | undefined;
  /** Asks a question on the terminal. `undefined` without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}
