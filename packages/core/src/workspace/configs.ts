import { type Config, EMPTY_CONFIG } from "../config/config.ts";
import { BASELINE, CONFIG_NAMES, holdsConfig } from "../config/config-names.ts";
import { type Files, folderOf, joinPath, nameOf, pathFrom } from "../model/files.ts";
import { once } from "../model/memoize.ts";
import type { NotChecked } from "../report/json-report.ts";
import type { ConfigOf } from "./select-files.ts";

/** A configuration with its location. */
export interface FoundConfig extends ConfigOf {
  /** The base folder of its globs. */
  readonly folder: string;
  /** The errors of entries that do not apply. */
  readonly mistakes?: NotChecked;
}

/** Returns the path of a configuration's baseline, even if the file does not exist. */
export const baselineOf = ({ config, folder }: FoundConfig): string => joinPath(folder, config.baseline ?? BASELINE);

const foundConfig = (config: Config, folder: string): FoundConfig => ({ config, folder, relative: (path) => pathFrom(folder, path) });

/**
 * Returns a function that finds the configuration of a folder: the given one, otherwise the nearest one in the folder or above. An error
 * that only loses its own entry is in `mistakes`; with `isStrict`, each error throws.
 */
export function configFinder(
  files: Files,
  fixedConfig: Config | string | undefined,
  isStrict = false,
): (folder: string) => Promise<FoundConfig> {
  const read = async (text: string, path: string): Promise<FoundConfig> => {
    const { readConfig, readUsableConfig } = await import("../config/read-config.ts");
    const folder = folderOf(path);
    const readFile = async (file: string): Promise<string> => {
      const content = files.read(joinPath(folder, file));
      if (content === undefined) throw new Error(`${file} cannot be read`);
      return content;
    };
    const configFiles = { read: readFile, plugins: "ignored" } as const;
    if (isStrict) return foundConfig(await readConfig(text, path, configFiles), folder);
    const { config, mistakes } = await readUsableConfig(text, path, configFiles);
    const usable = foundConfig(config, folder);
    return mistakes.length > 0 ? { ...usable, mistakes: { path, reason: mistakes.join(" ").replace(/\.$/, "") } } : usable;
  };
  if (fixedConfig !== undefined) {
    // Read on demand: an earlier rejection would have no caller.
    const only = once(() =>
      typeof fixedConfig === "string" ? read(fixedConfig, "vmlint.yaml") : Promise.resolve(foundConfig(fixedConfig, ".")),
    );
    return () => only();
  }
  const known = new Map<string, Promise<FoundConfig>>();
  const nearest = (folder: string): Promise<FoundConfig> => {
    const seen = known.get(folder);
    if (seen) return seen;
    const path = CONFIG_NAMES.map((name) => joinPath(folder, name)).find((one) => isConfig(one, files.read(one)));
    // Which folder is above `..` is not known.
    const parent = nameOf(folder) === ".." ? folder : folderOf(folder);
    const own =
      path !== undefined
        ? read(files.read(path) ?? "", path)
        : parent === folder
          ? Promise.resolve(foundConfig(EMPTY_CONFIG, "."))
          : nearest(parent);
    known.set(folder, own);
    return own;
  };
  return nearest;
}

const isConfig = (path: string, text: string | undefined): boolean => text !== undefined && holdsConfig(path, text);
