import type { Baseline } from "../baseline/baseline.ts";
import type { Config } from "../config/config.ts";
import type { ConfigHost } from "./configs.ts";

/** Files with asynchronous access. Paths have forward slashes. */
export interface SlowFiles {
  /** Returns `undefined` for an unreadable file. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Returns the names in a folder; an empty list for an unreadable one. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Returns the text of a file in an open editor, saved or not; it replaces the result of `read`. */
  readonly openText: (path: string) => string | undefined;
  /** The paths of open files, whether they are on disk or not. */
  readonly openPaths: () => Iterable<string>;
}

/** The interface that an editor implements. Paths are absolute with forward slashes, or name a file without folder. */
export interface EditorHost extends SlowFiles, Pick<ConfigHost, "readNamed" | "topOf" | "homeOf" | "shownPath"> {
  /** Finds files by extension in the workspace, or in one folder, for the searches of module calls and of VMs of one machine. */
  readonly search: (endings: readonly string[], folder?: string) => Promise<readonly string[]>;
  /** Whether a file at this path is part of the workspace. */
  readonly isSearched: (path: string) => boolean;
  /** Whether the command would ignore a file of the workspace, besides `ignore:` of configurations. */
  readonly isIgnored?: (path: string) => Promise<boolean>;
  /** Replaces the search for configurations. Rejects if one cannot be read; the check then fails with this error. */
  readonly config?: ((folder: string) => Promise<ConfigOfFolder>) | undefined;
  /** Whether a single file may use files outside of its own folder. */
  readonly isInside: (path: string) => boolean;
  /** The environment for variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As 2026-12-31. */
  readonly today: () => string;
  /** Calls a function, and throws if it takes too long. Without it, there is no limit. */
  readonly inTime?: <T>(work: () => T) => T;
}

/** The configuration of a folder. */
export interface ConfigOfFolder {
  readonly config: Config;
  /** The folder of the configuration, for its paths. */
  readonly folder: string;
  /** Returns the path of a file relative to the configuration, for its globs. */
  readonly relative: (path: string) => string;
  readonly baseline?: Baseline | undefined;
}
