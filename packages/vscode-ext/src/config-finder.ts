import { BASELINE, CONFIG_NAMES, type Config, EMPTY_CONFIG, folderOf, holdsConfig, joinPath, pathFrom } from "@vmlint/core";
import type { ConfigFiles, ConfigProblem as Problem } from "@vmlint/core/config";
import { type ConfigOfFolder, openBaseline } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import type { FileAccess } from "./file-access.ts";

/** The configuration a folder's files are checked by and the folder its globs start from. */
export interface FoundConfig {
  readonly config: Config;
  readonly folder: string;
  /** `undefined`: there is none. */
  readonly file: string | undefined;
  readonly baseline?: ConfigOfFolder["baseline"];
}

/** The error in a configuration that cannot be read. */
export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly file: string;
  readonly text: string;
  readonly problems: readonly Problem[];
  constructor(file: string, text: string, problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join("\n"));
    this.file = file;
    this.text = text;
    this.problems = problems;
  }
}

export interface ConfigFinder {
  /**
   * Finds the nearest configuration, in this folder or above, within the readable folders. Rejects with a ConfigProblem if its
   * text is invalid.
   */
  readonly find: (folder: string) => Promise<FoundConfig>;
  /** The files that a configuration may refer to. */
  readonly filesOf: (config: string) => ConfigFiles;
  /** Whether a configuration or a file that one named, as they were last read, is this one or in this folder. */
  readonly isRead: (path: string) => boolean;
  /** Call this when a configuration file was changed, created or deleted. */
  readonly forget: () => void;
}

/** Finds the configuration of documents, and remembers the answers for folders whose changes can be watched. */
export function configFinder(access: FileAccess): ConfigFinder {
  const known = new Map<string, Promise<FoundConfig>>();
  const read = new Set<string>();
  const reading: Reading = { access, read };
  return {
    find(folder) {
      const look = async (): Promise<FoundConfig> => {
        const top = topOf(folder, access);
        const found = await nearest(folder, top, access);
        if (found) read.add(found.file);
        const none = { config: EMPTY_CONFIG, folder, file: undefined };
        const by = found ? await parse(found, filesBeside(found.file, top, reading)) : none;
        return { ...by, baseline: await knownBy(by, found ? by.folder : folderAround(folder, access), top, reading) };
      };
      if (access.folderAround(folder) === undefined) return look();
      const found = known.get(folder) ?? look();
      known.set(folder, found);
      return found;
    },
    filesOf: (config) => filesBeside(config, topOf(folderOf(config), access), reading),
    isRead: (path) => [...read].some((file) => file === path || isBelow(file, path)),
    forget() {
      known.clear();
      read.clear();
    },
  };
}

/** How files are read, and the paths of the files read so far. */
interface Reading {
  readonly access: FileAccess;
  readonly read: Set<string>;
}

/** Returns the enclosing workspace folder, or the folder itself outside of a workspace. */
const folderAround = (folder: string, access: FileAccess): string => access.folderAround(folder) ?? folder;

/** Returns the topmost folder that may be read. Only a trusted workspace may read files outside of its own folder. */
const topOf = (folder: string, access: FileAccess): string => (access.isTrusted() && access.isDisk ? "/" : folderAround(folder, access));

interface ConfigFile {
  readonly file: string;
  readonly text: string;
}

/** The root of a disk, as URIs write it: on Windows `/c:`, and nothing is above it. */
const isDiskRoot = (folder: string): boolean => /^\/(?:[A-Za-z]:\/?)?$/.test(folder) || folderOf(folder) === folder;

/** The configuration nearest to a folder that is one. */
async function nearest(
  start: string,
  top: string,
  access: FileAccess,
  isOne: (text: string, name: string) => boolean | Promise<boolean> = () => true,
): Promise<ConfigFile | undefined> {
  for (let folder = start; ; folder = folderOf(folder)) {
    for (const name of CONFIG_NAMES) {
      const file = joinPath(folder, name);
      const text = await readIfThere(file, access);
      if (text === undefined || !holdsConfig(pathFrom(folderAround(start, access), file), text)) continue;
      if (await isOne(text, name)) return { file, text };
      break;
    }
    if (folder.length <= top.length || isDiskRoot(folder)) return undefined;
  }
}

/** Each file system reports a missing file with its own error, so every error is treated as a missing file. */
export const readIfThere = (path: string, { read }: Pick<FileAccess, "read">): Promise<string | undefined> =>
  read(path).catch(() => undefined);

async function parse({ file, text }: ConfigFile, files: ConfigFiles): Promise<FoundConfig> {
  // The YAML reader is the larger half of the bundle, so it is loaded only with a configuration to read.
  const { readConfigTyped } = await import("@vmlint/core/config");
  const { config, problems } = await readConfigTyped(text, nameOf(file), files);
  if (problems.length === 0) return { config, folder: folderOf(file), file };
  throw new ConfigProblem(file, text, problems);
}

/**
 * Returns the baseline of a configuration, or the default baseline of a folder without one. Returns `undefined` if the file is
 * missing.
 */
async function knownBy(
  { config: { baseline = BASELINE }, file: config }: FoundConfig,
  folder: string,
  top: string,
  { access, read }: Reading,
): Promise<FoundConfig["baseline"]> {
  const file = joinPath(folder, baseline);
  read.add(file);
  const problemIn = (of: string, text: string, message: string) => new ConfigProblem(of, text, [{ range: [0, 0], message }]);
  // Without the baseline, old findings would be shown as new ones.
  if (config !== undefined && !isBelow(file, top)) {
    const why = access.isTrusted() ? "" : ", which is not trusted";
    throw problemIn(config, "", `${baseline} is not read: it lies outside of the workspace${why}.`);
  }
  const text = await readIfThere(file, access);
  if (text === undefined) return undefined;
  try {
    return openBaseline(text, file, nameOf(file));
  } catch (error) {
    throw problemIn(file, text, (error as Error).message);
  }
}

function filesBeside(config: string, top: string, { access, read }: Reading): ConfigFiles {
  const folder = folderOf(config);
  return {
    // An editor opens what others wrote, and runs no code of theirs.
    plugins: "ignored",
    async read(path) {
      const file = joinPath(folder, path);
      if (!isBelow(file, top)) throw new Error("outside of the workspace");
      read.add(file);
      return access.read(file);
    },
    async root() {
      if (folder.length <= top.length) return undefined;
      const { isRoot } = await import("@vmlint/core/config");
      const found = await nearest(folderOf(folder), top, access, isRoot);
      return found && pathFrom(folder, found.file);
    },
  };
}

export const isBelow = (path: string, top: string): boolean => path.startsWith(slashed(top));

/** A folder with a slash behind it, as the root of a disk has one already. */
const slashed = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

/** The path of a document that a configuration's globs are matched against. */
export const pathBelow = (folder: string, path: string): string =>
  isBelow(path, folder) ? path.slice(slashed(folder).length) : path.replace(/^\//, "");
