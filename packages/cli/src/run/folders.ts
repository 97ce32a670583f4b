import type { Config, HostModel, Workload } from "@vmlint/core";
import { type Folders, openFolders, type VmlintError } from "@vmlint/core/program";
import { isVmlintError } from "../args/command-output.ts";
import { fromSlashes, isFile, isThere, toSlashes } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { baselinePath, type ConfigFinder, type FoundConfig } from "./find-config.ts";
import { hostFinder } from "./host-finder.ts";

interface Wanted {
  readonly host: string | undefined;
  readonly workload: Workload | undefined;
  readonly together: boolean;
  /** Everything is remembered that a baseline needs. */
  readonly baseline: boolean;
  readonly findConfig: ConfigFinder;
}

interface FoldersOfRun extends Folders<FoundConfig> {
  /** Why no host has the name from the command line. An inventory may have it. */
  readonly unknownHost: () => VmlintError | undefined;
}

/** Finds what the files of each folder are checked against. */
export function findFolders({ host, baseline, findConfig, ...against }: Wanted, io: Io): FoldersOfRun {
  const findHost = host === undefined ? undefined : hostFinder(host, io);
  let unknownHost: VmlintError | undefined;
  const folders = openFolders({
    ...against,
    slashes: toSlashes,
    configOf: (folder) => findConfig(fromSlashes(folder)),
    async hostOf(config: Config): Promise<HostModel | undefined> {
      try {
        return await findHost?.(config);
      } catch (error) {
        if (!isVmlintError(error) || error.code !== "HOST_UNKNOWN") throw error;
        unknownHost = error;
        return undefined;
      }
    },
    hasBaseline(config) {
      const path = baselinePath(config);
      io.noted?.(path);
      // An entry that exists but is not a file is rejected when it is read.
      return isThere(path) || isFile(path, io.staged) || baseline;
    },
  });
  return { ...folders, unknownHost: () => unknownHost };
}
