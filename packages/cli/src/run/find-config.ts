import { existsSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { Config } from "@vmlint/core";
import type { ConfigFiles } from "@vmlint/core/config";
import {
  BASELINE,
  type FoundConfig as Configuration,
  configsOf,
  EMPTY_CONFIG,
  openAnswers,
  type RunAnswers,
  VmlintError,
} from "@vmlint/core/program";
import { isVmlintError } from "../args/command-output.ts";
import { fromSlashes, ifReadable, isFile, isThere, type Reading, readText, shownPath, toSlashes } from "../files/read-files.ts";
import { readNamed, workspaceAround } from "../files/read-named.ts";

/** A configuration with its location; its paths are as the system writes them. */
export interface FoundConfig extends Configuration {
  /** Whether errors make it unusable. Its files are then not checked. */
  readonly isUnusable?: true;
}

/** The errors of configurations, each a sentence, by the path of the configuration. */
export type ConfigMistakes = Map<string, readonly string[]>;

/** Finds the configuration of a folder. */
export type ConfigFinder = (folder: string) => Promise<FoundConfig>;

/** The answers that a program keeps between runs. */
export interface Kept {
  readonly answers: RunAnswers;
  /** The files that any run read besides the checked files. */
  readonly seen: Set<string>;
  noted?: Reading["noted"];
  configs?: ReturnType<typeof diskConfigs>;
}

export const openKept = (): Kept => ({ answers: openAnswers(), seen: new Set() });

interface Configuring extends Reading {
  /** The one configuration, which the command line names. */
  readonly named?: string | undefined;
  readonly plugins?: ConfigFiles["plugins"];
}

/** Opens the configurations of the disk. One that the command line names may read any file. */
export function diskConfigs(cwd: string, { named, plugins, noted, staged }: Configuring = {}) {
  return configsOf({
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
      noted?.(file);
      return readNamed(file, { workspace: named === undefined ? workspaceAround(cwd, [fromSlashes(folder)]) : undefined, staged });
    },
    homeOf: () => toSlashes(cwd),
    shownPath: (path) => shownPath(fromSlashes(path), cwd),
    trusted: { ...(plugins && { plugins }), isTrusted: named !== undefined },
  });
}

/**
 * Finds and reads configurations: the one named on the command line for every file, or the nearest above each. Errors go to `mistakes`;
 * without it, they end the run.
 */
export function configFinder(
  configPath: string | undefined,
  cwd: string,
  plugins?: ConfigFiles["plugins"],
  { noted, staged }: Reading = {},
  mistakes?: ConfigMistakes,
  kept?: Kept,
): ConfigFinder {
  const named = configPath === undefined ? undefined : resolve(cwd, configPath);
  if (named !== undefined && !existsSync(named) && !staged?.has(named))
    throw new VmlintError("CONFIG_INVALID", `${configPath} does not exist.`);
  const open = (note: Reading["noted"]) => diskConfigs(cwd, { named, plugins, noted: note, staged });
  if (kept) kept.noted = noted;
  if (kept) kept.configs ??= open((path) => kept.noted?.(path));
  const configs = kept?.configs ?? open(noted);
  kept?.configs?.changed(() => true);
  const read = async (key: string): Promise<FoundConfig> => {
    const path = fromSlashes(key);
    const folder = dirname(path);
    noted?.(path);
    try {
      const { config, mistakes: own } = await (mistakes ? configs.usable : configs.sound)(key);
      if (own) mistakes?.set(path, own);
      return found(config, folder, path);
    } catch (error) {
      // A configuration that the command line names is for every file, so nothing is left to check.
      if (!mistakes || named !== undefined || !isVmlintError(error) || error.code !== "CONFIG_INVALID") throw error;
      mistakes.set(path, error.message.split("\n"));
      return { ...found(EMPTY_CONFIG, folder, path), isUnusable: true };
    }
  };
  const known = new Map<string, Promise<FoundConfig>>();
  const none = found(EMPTY_CONFIG, cwd);
  return async (folder) => {
    const key = named === undefined ? await configs.nearestTo(toSlashes(folder)) : toSlashes(named);
    if (key === undefined) return none;
    const one = known.get(key) ?? read(key);
    known.set(key, one);
    return one;
  };
}

/** Whether a configuration may name plugins. Its own reader reports a missing file. */
export const mayNamePlugins = (path: string): boolean => existsSync(path) && isFile(path) && /\bplugins\b/.test(readNamed(path));

/** The baseline of a configuration, whether there is one or not. */
export const baselinePath = ({ config, folder }: FoundConfig): string => resolve(folder, config.baseline ?? BASELINE);

const found = (config: Config, folder: string, path?: string): FoundConfig => ({
  config,
  folder,
  relative: (of) => toSlashes(relative(folder, fromSlashes(of))),
  ...(path !== undefined && { path }),
});
