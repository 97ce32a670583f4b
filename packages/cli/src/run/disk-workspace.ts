import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { ConfigFiles } from "@vmlint/core/config";
import { BASELINE, type FoundConfig, openRuns, type RunOptions, type Runs, VmlintError } from "@vmlint/core/program";
import { fromSlashes, ifReadable, isFile, isThere, type Reading, readText, shownPath, toSlashes } from "../files/read-files.ts";
import { readNamed, workspaceAround } from "../files/read-named.ts";

/** The files of the disk, for one run or several. */
export interface DiskWorkspace {
  readonly runs: Runs;
  /** Begins a run. Throws CONFIG_INVALID if the configuration that the command line names is missing. */
  readonly begin: (options: Omit<RunOptions, "only">) => void;
  readonly findConfig: (folder: string) => Promise<FoundConfig>;
  /** The files that any run read besides the checked files. */
  readonly seen: Set<string>;
  /** Called with each file that this run reads for a configuration. */
  noted: Reading["noted"];
}

interface Opening extends Reading {
  /** The configuration that the command line names. */
  readonly config?: string | undefined;
  readonly plugins?: ConfigFiles["plugins"];
}

/** Opens the files of the disk. A configuration that the command line names may read any file. */
export function openDisk(cwd: string, { config, plugins, noted, staged }: Opening = {}): DiskWorkspace {
  const named = config === undefined ? undefined : resolve(cwd, config);
  const runs = openRuns({
    read: (path) => {
      const file = fromSlashes(path);
      if (file === named) return readText(file, staged);
      const isOptional = basename(file) === "package.json";
      if (isFile(file, staged)) return isOptional ? ifReadable(() => readNamed(file, { staged })) : readNamed(file, { staged });
      if (isOptional || !isThere(file)) return undefined;
      const what = existsSync(file) ? "no file" : "a link that leads nowhere";
      throw new VmlintError("CONFIG_INVALID", `${shownPath(file, cwd)} is ${what}: vmlint looks for its configuration there.`);
    },
    readNamed: (path, folder) => {
      const file = fromSlashes(path);
      disk.noted?.(file);
      return readNamed(file, { workspace: named === undefined ? workspaceAround(cwd, [fromSlashes(folder)]) : undefined, staged });
    },
    homeOf: () => toSlashes(cwd),
    shownPath: (path) => shownPath(fromSlashes(path), cwd),
    trusted: { ...(plugins && { plugins }), isTrusted: named !== undefined },
  });
  const disk: DiskWorkspace = {
    runs,
    seen: new Set(),
    noted,
    begin(options) {
      if (named !== undefined && !existsSync(named) && !staged?.has(named))
        throw new VmlintError("CONFIG_INVALID", `${config} does not exist.`);
      runs.changed(() => true);
      runs.begin({ ...options, only: named && toSlashes(named) });
    },
    async findConfig(folder) {
      const found = await runs.configOf(toSlashes(folder));
      if (found.path !== undefined) disk.noted?.(fromSlashes(found.path));
      return found;
    },
  };
  return disk;
}

/** Finds the configuration of a folder, which the system writes. */
export type ConfigFinder = DiskWorkspace["findConfig"];

/** Finds configurations for a caller that checks no files. An error ends the search. */
export function configFinder(cwd: string, opening: Opening = {}): ConfigFinder {
  const disk = openDisk(cwd, opening);
  disk.begin({ against: {}, hasBaseline: () => false });
  return disk.findConfig;
}

/** Whether a configuration may name plugins. Its own reader reports a missing file. */
export const mayNamePlugins = (path: string): boolean => existsSync(path) && isFile(path) && /\bplugins\b/.test(readNamed(path));

/** The baseline of a configuration, whether there is one or not. */
export const baselinePath = ({ config, folder }: FoundConfig): string => resolve(fromSlashes(folder), config.baseline ?? BASELINE);
