import { type Baseline, openBaseline } from "../baseline/baseline.ts";
import { type Config, EMPTY_CONFIG } from "../config/config.ts";
import { BASELINE, CONFIG_NAMES, holdsConfig } from "../config/config-names.ts";
import type { ConfigFiles, ConfigSources } from "../config/layers.ts";
import { lazyParts } from "../config/lazy-parts.ts";
import type { ConfigProblem } from "../config/read-config.ts";
import type { Format } from "../formats/format.ts";
import type { Memo, Query } from "../memo/memo.ts";
import { VmlintError } from "../model/errors.ts";
import { folderOf, joinPath, nameOf, pathFrom } from "../model/files.ts";

/** How configurations are found and read. Paths have forward slashes. */
export interface ConfigHost {
  /** Returns the text of a file as it is saved; `undefined` for an unreadable file. */
  readonly read: (path: string) => string | undefined | Promise<string | undefined>;
  /** Reads a file that the configuration of a folder names; rejects with the reason. By default, each file can be read. */
  readonly readNamed?: ((path: string, folder: string) => string | Promise<string>) | undefined;
  /** The topmost folder whose configuration counts for a folder. */
  readonly topOf?: ((folder: string) => string) | undefined;
  /** The folder that has the baseline of files without a configuration. */
  readonly homeOf?: ((folder: string) => string) | undefined;
  /** The path of a configuration in messages. */
  readonly shownPath?: ((path: string) => string) | undefined;
  /** The rules of plugins, which are code. By default none runs: the files may be from another author. */
  readonly trusted?: Pick<ConfigSources, "plugins" | "isTrusted"> | undefined;
}

/** A configuration with its location. */
export interface FoundConfig {
  readonly config: Config;
  /** The path relative to the configuration, for its globs. */
  readonly relative: (path: string) => string;
  /** The base folder of its globs. */
  readonly folder: string;
  /** Missing without a configuration. */
  readonly path?: string;
  /** The errors of entries that do not apply, each a sentence. */
  readonly mistakes?: readonly string[];
  /** Whether no entry applies. Files of such a configuration are not checked. */
  readonly isUnusable?: true;
}

/** Which configuration counts for a folder. */
export interface ConfigChoice {
  /** The one for every file, or its path; by default the nearest one. */
  readonly only?: FoundConfig | string | undefined;
  /** Whether an error only loses its entry, or the files of its configuration. By default it is thrown. */
  readonly tolerates?: boolean;
}

/** The errors of a configuration or a baseline that cannot be used. */
export class UnusableConfig extends VmlintError {
  readonly file: string;
  readonly text: string;
  readonly problems: readonly ConfigProblem[];

  constructor(message: string, { file, text, problems }: Pick<UnusableConfig, "file" | "text" | "problems">) {
    super("CONFIG_INVALID", message);
    this.file = file;
    this.text = text;
    this.problems = problems;
  }
}

/** Returns the path of a configuration's baseline, even if the file does not exist. */
export const baselineOf = ({ config, folder }: FoundConfig): string => joinPath(folder, config.baseline ?? BASELINE);

export const foundConfig = (config: Config, folder: string, path?: string): FoundConfig => ({
  config,
  folder,
  relative: (of) => pathFrom(folder, of),
  ...(path !== undefined && { path }),
});

interface Searched {
  readonly shownPath: (path: string) => string;
  readonly saved: Query<string | undefined>;
  readonly reader: Query<Pick<typeof import("../config/read-config.ts"), "isRoot">>;
}

/** Searches folders for configuration files. */
function openSearch(memo: Memo, { saved, reader, shownPath }: Searched) {
  /** The configuration file in a folder. */
  const configIn = memo.query("configIn", (folder): string | undefined => {
    const paths = CONFIG_NAMES.map((name) => joinPath(folder, name));
    const texts = paths.map((path) => memo.ifReady(() => saved(path)));
    return paths.find((path, at) => texts[at] !== undefined && holdsConfig(shownPath(path), texts[at]));
  });
  /** The nearest configuration file, in a folder or above. */
  const nearest = memo.query("nearestConfig", (key): string | undefined => {
    const [folder = "", top = ""] = key.split("\n");
    return configIn(folder) ?? above(folder, top, nearest);
  });
  const above = <T>(folder: string, top: string, ask: (key: string) => T): T | undefined => {
    // Which folder is above `..` is not known.
    const parent = nameOf(folder) === ".." ? folder : folderOf(folder);
    return parent === folder || folder.length <= top.length ? undefined : ask([parent, top].join("\n"));
  };
  const root = memo.query("rootConfig", (key): string | undefined => {
    const [folder = "", top = ""] = key.split("\n");
    const path = configIn(folder);
    return path !== undefined && reader("").isRoot(saved(path) ?? "", path) ? path : above(folder, top, root);
  });
  return { configIn, nearest, above, root };
}

interface ReadConfigs {
  readonly saved: Query<string | undefined>;
  readonly reader: Query<Pick<typeof import("../config/read-config.ts"), "usableConfig" | "typedConfig">>;
  readonly shownPath: (path: string) => string;
  readonly sourcesOf: (path: string) => ConfigSources;
}

/** Reads configuration files. */
function openReaders(memo: Memo, { saved, reader, shownPath, sourcesOf }: ReadConfigs) {
  /** A configuration file; an error that only loses its own entry is in `mistakes`. */
  const usable = memo.query("usableConfig", (path): FoundConfig => {
    const { config, mistakes } = reader("").usableConfig(saved(path) ?? "", shownPath(path), sourcesOf(path));
    const found = foundConfig(config, folderOf(path), path);
    return mistakes.length > 0 ? { ...found, mistakes } : found;
  });
  /** A configuration file without errors. */
  const sound = memo.query("soundConfig", (path): FoundConfig => {
    const text = saved(path) ?? "";
    const { usableConfig, typedConfig } = reader("");
    const { value, error } = memo.outcome(() => usableConfig(text, shownPath(path), sourcesOf(path), true));
    if (value) return foundConfig(value.config, folderOf(path), path);
    const { problems } = typedConfig(text, nameOf(path), sourcesOf(path));
    throw new UnusableConfig(error instanceof Error ? error.message : String(error), { file: path, text, problems });
  });
  /** A configuration file that is unusable if it cannot be read as a whole. */
  const tolerated = memo.query("toleratedConfig", (path): FoundConfig => {
    const { value, error } = memo.outcome(() => usable(path));
    if (value) return value;
    if (!(error instanceof VmlintError && error.code === "CONFIG_INVALID")) throw error;
    return { ...foundConfig(EMPTY_CONFIG, folderOf(path), path), isUnusable: true, mistakes: error.message.split("\n") };
  });
  return { usable, sound, tolerated };
}

/** Answers which configuration is the nearest to a folder. Only saved files count. */
export function openConfigs(memo: Memo, host: ConfigHost, format: (name: string) => Format) {
  const saved = memo.input("saved", (path) => host.read(path));
  const named = memo.input("named", (key) => {
    const [path = "", folder = ""] = key.split("\n");
    return host.readNamed?.(path, folder);
  });
  const reader = memo.input("configReader", () => import("../config/read-config.ts"));
  const parts = lazyParts(memo);
  const { topOf = () => "", homeOf = () => ".", shownPath = (path) => path, trusted = { plugins: "ignored" } } = host;
  const readNamed = (path: string, folder: string): string => {
    const text = host.readNamed ? named([path, folder].join("\n")) : saved(path);
    if (text === undefined) throw new Error(`${path} cannot be read`);
    return text;
  };

  const { configIn, nearest, above, root } = openSearch(memo, { saved, reader, shownPath });
  const sourcesOf = (path: string): ConfigSources => {
    const folder = folderOf(path);
    return {
      ...trusted,
      ...parts,
      read: (file) => readNamed(joinPath(folder, file), folder),
      root: () => {
        const found = above(folder, topOf(folder), root);
        return found && pathFrom(folder, found);
      },
      format: ({ name }) => format(name),
    };
  };
  const { usable, sound, tolerated } = openReaders(memo, { saved, reader, shownPath, sourcesOf });
  const nearestTo = (folder: string): string | undefined => nearest([folder, topOf(folder)].join("\n"));
  const without = memo.query("noConfig", (home) => foundConfig(EMPTY_CONFIG, home));
  const chosenOf = (folder: string, { only, tolerates }: ConfigChoice): FoundConfig => {
    if (typeof only === "object") return only;
    // No file is left without the one for every file.
    if (only !== undefined) return (tolerates ? usable : sound)(only);
    const path = nearestTo(folder);
    return path === undefined ? without(homeOf(folder)) : (tolerates ? tolerated : sound)(path);
  };
  const soundOf = memo.query("configOf", (folder) => chosenOf(folder, {}));
  return {
    /** Returns the nearest configuration; throws UnusableConfig if it has an error. */
    soundOf,
    /** Returns the configuration of a folder. */
    chosenOf,
    configIn,
    nearestTo,
    /** The files that a configuration may name, for callers that wait. */
    filesOf: (path: string): ConfigFiles => waitedFor(memo, sourcesOf(path)),
    /** Returns the baseline of a folder; throws UnusableConfig if it cannot be used. */
    baselineOf: memo.query("baseline", (folder) => baselineIn(memo, soundOf(folder), readNamed)),
    /** Whether a configuration, a file that one names or a baseline is at a path or below it, as they were last read. */
    isRead: (path: string): boolean => {
      const isHere = (one: string): boolean => one === path || one.startsWith(`${path}/`);
      return (
        [...saved.keys()].some((one) => isHere(one) && saved.last(one) !== undefined) ||
        [...named.keys()].some((key) => isHere(key.split("\n")[0] ?? ""))
      );
    },
    /** Whether a change of a path makes an input stale. */
    isHit: (input: string, key: string, isChanged: (path: string) => boolean): boolean =>
      (input === "saved" && isChanged(key)) || (input === "named" && isChanged(key.split("\n")[0] ?? "")),
  };
}

const waitedFor = (memo: Memo, { read, root, plugins, isTrusted }: ConfigSources): ConfigFiles => ({
  ...(plugins && { plugins }),
  ...(isTrusted && { isTrusted }),
  read: (file) => memo.settle(() => read(file)),
  root: () => memo.settle(() => root?.()),
});

function baselineIn(memo: Memo, found: FoundConfig, readNamed: (path: string, folder: string) => string): Baseline | undefined {
  const path = baselineOf(found);
  const { value: text, error: unread } = memo.outcome(() => readNamed(path, found.folder));
  const isRefused = unread instanceof Error && unread.name === "VmlintError" && unread.cause === undefined;
  if (text === undefined && !isRefused) return undefined;
  const { value, error } = memo.outcome(() => (text === undefined ? undefined : openBaseline(text, path, nameOf(path))));
  if (value) return value;
  // Without the baseline, old findings would be shown as new ones.
  const why = unread ?? error;
  const message = why instanceof Error ? why.message : String(why);
  const file = text === undefined ? (found.path ?? path) : path;
  throw new UnusableConfig(message, { file, text: text ?? "", problems: [{ range: [0, 0], message }] });
}
