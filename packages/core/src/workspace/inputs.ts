import { findHost } from "../config/config.ts";
import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { entryNamed, firstHolding, formatHolding, searchedFormatsOf } from "../formats/index.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import { type Files, folderOf, nameOf } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { onceFor } from "../model/memoize.ts";
import type { Language } from "../syntax/language.ts";
import { type FolderTarget, inventoryReader } from "./check-file.ts";
import { openConfigs } from "./configs.ts";
import { targetAgainst } from "./folders.ts";
import type { ConfigOfFolder, EditorHost } from "./host.ts";

/** How a caller asks for a text. */
interface Asked {
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string | undefined;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere: boolean;
}

/** The configuration and the target of a folder. */
export interface FolderFacts extends ConfigOfFolder, FolderTarget {
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
}

export type Inputs = ReturnType<typeof openInputs>;

/** All that answers depend on. A query asks for it, and runs again if it changes. */
export function openInputs(memo: Memo, host: EditorHost) {
  const text = memo.input("text", (path) => host.openText(path) ?? host.read(path));
  const names = memo.input("names", (folder) => host.list(folder), isEqual);
  const openPaths = memo.input("openPaths", (): readonly string[] => [...host.openPaths()], isEqual);
  const openIn = memo.query("openIn", (folder) => openPaths("").filter((path) => folderOf(path) === folder), isEqual);
  const list = memo.query("list", (folder): readonly string[] => [...new Set([...names(folder), ...openIn(folder).map(nameOf)])], isEqual);
  const search = memo.input("search", (endings) => host.search(endings.split(" ")), isEqual);
  const isSearched = memo.input("isSearched", (path) => host.isSearched(path));
  const isInside = memo.input("isInside", (path) => host.isInside(path));
  const ignored = memo.input("isIgnored", (path) => host.isIgnored?.(path) ?? false);
  const asked = memo.input("asked", (): Asked => ({ isNowhere: false }), isEqual);
  const hostWord = memo.input("host", () => "");
  const today = memo.input("today", () => host.today());
  const format = memo.input("format", (name) => entryNamed(name).load());
  const configs = openConfigs(memo, host, format);
  const given = host.config && memo.input("config", host.config);
  const config =
    given ??
    memo.query("config", (folder): ConfigOfFolder => {
      const { config: found, folder: own, relative } = configs.soundOf(folder);
      return { config: found, folder: own, relative, baseline: configs.baselineOf(folder) };
    });
  const language = memo.input("language", (name): Promise<Language> | undefined => entryNamed(name).language?.());
  const readHosts = memo.input("inventoryReader", () => inventoryReader());
  /** Files for parsers, which go on without a file that is on its way, so that all missing files load at once. */
  const files: Files = { read: (path) => memo.ifReady(() => text(path)), list: (folder) => memo.ifReady(() => list(folder)) ?? [] };
  const { inTime = (work) => work() } = host;

  const facts = memo.query("facts", (folder): FolderFacts => {
    const found = config(folder);
    const word = hostWord("");
    return { ...found, ...getOrInsert(targetsOf(found.config), word, () => targetBy(found.config, word)) };
  });
  /** The format of a file; `undefined` if the command would not check it. */
  const entryOf = memo.query("entryOf", (path): FormatEntry | undefined => {
    const found = attempt(() => config(folderOf(path)));
    if (!found || isIgnoredBy(found.config, found.relative(path)) || ignored(path)) return undefined;
    const content = text(path);
    const entry = content === undefined ? undefined : firstHolding(searchedFormatsOf(path), [content]);
    // Estates have reports of their own.
    return entry?.isPacked ? undefined : entry;
  });

  return {
    text,
    names,
    list,
    search,
    openPaths,
    isSearched,
    isInside,
    config,
    configs,
    asked,
    hostWord,
    today,
    format,
    language,
    readHosts,
    files,
    facts,
    entryOf,
    environment: host.environment,
    inTime,
    /** Whether a file is part of the workspace, or open. */
    counts: (path: string): boolean => isSearched(path) || openIn(folderOf(path)).includes(path),
  };
}

/** Returns the format of a single text; `undefined` if none accepts it. */
export const singleFormat = (path: string, text: string, alias: string | undefined): FormatEntry | undefined =>
  formatHolding(path, text) ?? (alias === undefined ? undefined : formatHolding(alias, text));

/** Returns an answer; `undefined` if it fails, because the document itself has the reason. */
export function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** The targets of a configuration, by the host of the setting: topologies are cached by target. */
const targetsOf = onceFor((_: ConfigOfFolder["config"]) => new Map<string, Pick<FolderFacts, "targetOf" | "badHost">>());

/** Returns the target of VMs, with the host of the editor's settings. */
export function targetBy(config: ConfigOfFolder["config"], word: string): Pick<FolderFacts, "targetOf" | "badHost"> {
  const lookup = word === "" ? undefined : findHost(word, config);
  const badHost = lookup && "explanation" in lookup ? lookup.explanation : undefined;
  // No other host replaces an unknown one.
  const host = badHost !== undefined ? null : lookup && "host" in lookup ? lookup.host : undefined;
  return { targetOf: targetAgainst(config, { host }), badHost };
}
