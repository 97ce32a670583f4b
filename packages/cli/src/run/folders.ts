import {
  type Config,
  type FolderTarget,
  type HostModel,
  sameHost,
  type Target,
  targetOf,
  type VmlintError,
  type Workload,
} from "@vmlint/core";
import { isVmlintError } from "../args/command-output.ts";
import { fromSlashes, isFile, isThere, shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { baselinePath, type ConfigFinder, type FoundConfig, pathInConfig } from "./find-config.ts";
import { hostFinder } from "./host-finder.ts";

/** The configuration and target for the files of a folder. */
export interface Folder {
  /** The path prefix of its files in a report. */
  readonly prefix: string;
  readonly config: FoundConfig;
  readonly against: FolderTarget;
  /** Whether its configuration or a baseline may hide findings of its files. */
  readonly hides: boolean;
}

/** The folders of all files with findings. */
export interface Folders {
  /** The folders so far, by path. */
  readonly byPath: ReadonlyMap<string, Folder>;
  readonly find: (path: string) => Promise<Folder>;
  /** Why no host has the name from the command line. An inventory may have it. */
  readonly unknownHost: () => VmlintError | undefined;
}

interface Wanted {
  readonly host: string | undefined;
  readonly workload: Workload | undefined;
  readonly together: boolean;
  /** Everything is remembered that a baseline needs. */
  readonly baseline: boolean;
  readonly findConfig: ConfigFinder;
}

/** Finds what the files of each folder are checked against. */
export function findFolders({ host, workload, together, baseline, findConfig }: Wanted, io: Io): Folders {
  const findHost = host === undefined ? undefined : hostFinder(host, io);
  const byPath = new Map<string, Folder>();
  const withBaseline = new Map<FoundConfig, boolean>();
  const hasBaseline = (config: FoundConfig): boolean => {
    const known = withBaseline.get(config);
    if (known !== undefined) return known;
    const path = baselinePath(config);
    io.noted?.(path);
    // An entry that exists but is not a file is rejected when it is read.
    const has = isThere(path) || isFile(path, io.staged);
    withBaseline.set(config, has);
    return has;
  };
  let unknownHost: VmlintError | undefined;
  const knownHost = async (config: Config): Promise<HostModel | undefined> => {
    try {
      return await findHost?.(config);
    } catch (error) {
      if (!isVmlintError(error) || error.code !== "HOST_UNKNOWN") throw error;
      unknownHost = error;
      return undefined;
    }
  };
  const find = async (path: string): Promise<Folder> => {
    const config = await findConfig(path);
    const given = await knownHost(config.config);
    const target = targetOf(config.config, given, workload);
    return {
      prefix: path === io.cwd ? "" : `${shownPath(path, io.cwd)}/`,
      config,
      against: {
        config: config.config,
        relative: (of) => pathInConfig(config, fromSlashes(of)),
        targetOf: together ? (...of) => onOneMachine(target(...of)) : target,
      },
      hides: hasBaseline(config) || baseline || config.config.suppress !== undefined,
    };
  };
  return {
    byPath,
    unknownHost: () => unknownHost,
    find: async (path) => {
      const folder = byPath.get(path) ?? (await find(path));
      byPath.set(path, folder);
      return folder;
    },
  };
}

const onOneMachine = (target: Target): Target => (target.host ? { ...target, machine: sameHost(target.host) } : target);
