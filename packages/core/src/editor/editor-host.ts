import type { Config } from "../config/config.ts";
import type { SlowFiles } from "./files.ts";
import type { LeaveKnown } from "./known.ts";

/** What an editor hands in. Paths have forward slashes and begin with one, or name a file that lies nowhere. */
export interface EditorHost extends SlowFiles {
  /** The files of the workspace, or of one folder in it, whose names end so, for those that call others. */
  readonly search: (endings: readonly string[], folder?: string) => Promise<readonly string[]>;
  /** Whether a file that lies there is one of the workspace. */
  readonly isSearched: (path: string) => boolean;
  /** Rejects where it cannot be read; whoever asked for a check is told. */
  readonly config: (folder: string) => Promise<ConfigOfFolder>;
  /** Whether a file that stands alone may take something of another that is not in its own folder. */
  readonly isInside: (path: string) => boolean;
  /** Where variables may get their values from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As 2026-12-31. */
  readonly today: () => string;
}

/** The configuration of a folder. */
export interface ConfigOfFolder {
  readonly config: Config;
  /** The path of a file as the configuration's globs are matched against it. */
  readonly relative: (path: string) => string;
  /** Of each file by its path; missing where there is no baseline. */
  readonly leaveKnown?: ((path: string) => LeaveKnown) | undefined;
}
