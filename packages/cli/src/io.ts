import type { Palette } from "@vmlint/core";
import type { Staged } from "./files.ts";

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
  /**
   * From now on an interruption waits until no file is half written. Gives back what lets it come through: to be awaited between
   * two files. Without this the system ends the process at once.
   */
  readonly interruptible: () => () => Promise<void>;
  /** Shows one line to whoever looks on, in place of the last; the next output erases it. `undefined` where nobody does. */
  readonly progress?: ((line: string) => void) | undefined;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Told of each file that is read besides those that were asked for. */
  readonly noted?: ((path: string) => void) | undefined;
  /** What counts in place of the files in their folders. */
  readonly staged?: Staged | undefined;
  /** Whether a file is what the command's own output goes to. */
  readonly writesTo?: (path: string) => boolean;
  /** Asks who runs it; `undefined` where nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}
