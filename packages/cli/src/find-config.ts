import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { BASELINE, CONFIG_NAMES, type Config, EMPTY_CONFIG, holdsConfig, VmlintError } from "@vmlint/core";
import type { ConfigFiles } from "@vmlint/core/config";
import { isVmlintError } from "./command-output.ts";
import { ifReadable, isFile, isThere, type Reading, readText, type Staged, shownPath, toSlashes } from "./read-files.ts";
import { readNamed, workspaceAround } from "./read-named.ts";

export interface FoundConfig {
  readonly config: Config;
  /** Folder that the globs of its overrides start from. */
  readonly folder: string;
  /** Absolute. `undefined` without a configuration. */
  readonly path?: string;
  /** Every file that it was made of, with its text. */
  readonly sources?: Sources;
  /** Whether errors make it unusable. Its files are then not checked. */
  readonly isUnusable?: true;
}

/** The errors of configurations, each a sentence, by the path of the configuration. */
export type ConfigMistakes = Map<string, readonly string[]>;

type Sources = (readonly [path: string, text: string])[];

/** Finds the configuration of a folder. */
export type ConfigFinder = (folder: string) => Promise<FoundConfig>;

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
): ConfigFinder {
  const read = async (path: string): Promise<FoundConfig> => {
    const { readConfig, readUsableConfig } = await import("@vmlint/core/config");
    const folder = dirname(path);
    noted?.(path);
    const text = configPath === undefined ? readNamed(path, { staged }) : readText(path, staged);
    const sources: Sources = [[path, text]];
    const onFile = (file: string, content: string) => sources.push([file, content]);
    const beside = {
      ...filesBeside(path, plugins, { onFile, noted, staged, cwd: configPath === undefined ? cwd : undefined }),
      isTrusted: configPath !== undefined,
    };
    if (!mistakes) return { config: await readConfig(text, shownPath(path, cwd), beside), folder, path, sources };
    try {
      const { config, mistakes: own } = await readUsableConfig(text, shownPath(path, cwd), beside);
      if (own.length > 0) mistakes.set(path, own);
      return { config, folder, path, sources };
    } catch (error) {
      // A configuration that the command line names is for every file, so nothing is left to check.
      if (configPath !== undefined || !isVmlintError(error) || error.code !== "CONFIG_INVALID") throw error;
      mistakes.set(path, error.message.split("\n"));
      return { config: EMPTY_CONFIG, folder, path, sources, isUnusable: true };
    }
  };
  const readFound = async (path: string): Promise<FoundConfig> => {
    if (isFile(path, staged)) return read(path);
    const what = existsSync(path) ? "no file" : "a link that leads nowhere";
    throw new VmlintError("CONFIG_INVALID", `${shownPath(path, cwd)} is ${what}: vmlint looks for its configuration there.`);
  };
  const known = new Map<string, Promise<FoundConfig>>();
  const nearest = (folder: string): Promise<FoundConfig> => {
    const seen = known.get(folder);
    if (seen) return seen;
    const path = configIn(folder, cwd, staged);
    const parent = dirname(folder);
    const found =
      path !== undefined ? readFound(path) : parent === folder ? Promise.resolve({ config: EMPTY_CONFIG, folder: cwd }) : nearest(parent);
    known.set(folder, found);
    return found;
  };
  if (configPath === undefined) return nearest;
  const path = resolve(cwd, configPath);
  if (!existsSync(path) && !staged?.has(path)) throw new VmlintError("CONFIG_INVALID", `${configPath} does not exist.`);
  const only = read(path);
  return () => only;
}

interface ReadingBeside extends Reading {
  /** Called with each file that was read, and its text. */
  readonly onFile?: (file: string, text: string) => void;
  /** Files are read only in this folder and in the repository of the configuration; anywhere without it. */
  readonly cwd?: string | undefined;
}

/** Reads what a configuration names. */
export function filesBeside(
  path: string,
  plugins?: ConfigFiles["plugins"],
  { onFile, noted, staged, cwd }: ReadingBeside = {},
): ConfigFiles {
  const folder = dirname(path);
  const workspace = cwd === undefined ? undefined : workspaceAround(cwd, [folder]);
  return {
    ...(plugins && { plugins }),
    read: async (file) => {
      noted?.(resolve(folder, file));
      const text = readNamed(resolve(folder, file), { workspace, staged });
      onFile?.(file, text);
      return text;
    },
    root: async () => {
      const { isRoot } = await import("@vmlint/core/config");
      for (let at = folder; at !== dirname(at); ) {
        at = dirname(at);
        const above = configIn(at, cwd, staged);
        if (above !== undefined && isRoot(readNamed(above, { staged }), above)) return toSlashes(relative(folder, above));
      }
      return undefined;
    },
  };
}

/** Whether a configuration may name plugins. Its own reader reports a missing file. */
export const mayNamePlugins = (path: string): boolean => existsSync(path) && isFile(path) && /\bplugins\b/.test(readNamed(path));

/** Returns the path of the configuration in a folder, even if it is unreadable. */
export function configIn(folder: string, cwd: string | undefined, staged?: Staged): string | undefined {
  const isOne = (name: string, path: string): boolean => {
    if (!isFile(path, staged)) return name !== "package.json" && isThere(path);
    const text = ifReadable(() => readNamed(path, { staged }));
    return text === undefined ? name !== "package.json" : holdsConfig(cwd === undefined ? path : shownPath(path, cwd), text);
  };
  const name = CONFIG_NAMES.find((one) => isOne(one, join(folder, one)));
  return name && join(folder, name);
}

/** The baseline of a configuration, whether there is one or not. */
export const baselinePath = ({ config, folder }: FoundConfig): string => resolve(folder, config.baseline ?? BASELINE);

/** The path that an override's globs are matched against. */
export const pathInConfig = ({ folder }: FoundConfig, path: string): string => toSlashes(relative(folder, path));
