import { type Config, EMPTY_CONFIG } from "../config/config.ts";
import { BASELINE, CONFIG_NAMES, holdsConfig } from "../config/names.ts";
import { type Files, folderOf, joinPath, pathFrom } from "../model/files.ts";
import type { ConfigOf } from "./select-files.ts";

/** A configuration with its location. */
export interface FoundConfig extends ConfigOf {
  /** The base folder of its globs. */
  readonly folder: string;
}

/** Returns the path of a configuration's baseline, even if the file does not exist. */
export const baselineOf = ({ config, folder }: FoundConfig): string => joinPath(folder, config.baseline ?? BASELINE);

const found = (config: Config, folder: string): FoundConfig => ({ config, folder, relative: (path) => pathFrom(folder, path) });

/** Returns a function that finds the configuration of a folder: the given one, otherwise the nearest one in the folder or above. */
export function configFinder(files: Files, given: Config | string | undefined): (folder: string) => Promise<FoundConfig> {
  const read = async (text: string, path: string): Promise<FoundConfig> => {
    const { readConfig } = await import("../config/parse.ts");
    const folder = folderOf(path);
    const readFile = async (file: string): Promise<string> => {
      const content = files.read(joinPath(folder, file));
      if (content === undefined) throw new Error(`${file} cannot be read`);
      return content;
    };
    return found(await readConfig(text, path, { read: readFile, plugins: "ignored" }), folder);
  };
  if (given !== undefined) {
    const only = typeof given === "string" ? read(given, "vmlint.yaml") : Promise.resolve(found(given, "."));
    return () => only;
  }
  const known = new Map<string, Promise<FoundConfig>>();
  const nearest = (folder: string): Promise<FoundConfig> => {
    const seen = known.get(folder);
    if (seen) return seen;
    const path = CONFIG_NAMES.map((name) => joinPath(folder, name)).find((one) => isConfig(one, files.read(one)));
    const parent = folderOf(folder);
    const own =
      path !== undefined
        ? read(files.read(path) ?? "", path)
        : parent === folder
          ? Promise.resolve(found(EMPTY_CONFIG, "."))
          : nearest(parent);
    known.set(folder, own);
    return own;
  };
  return nearest;
}

const isConfig = (path: string, text: string | undefined): boolean =>
  text !== undefined && holdsConfig(path.slice(path.lastIndexOf("/") + 1), text);
