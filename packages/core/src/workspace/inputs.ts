import { isIgnoredBy } from "../config/config-names.ts";
import type { FormatEntry } from "../formats/format.ts";
import { entryNamed, firstHolding, formatHolding, searchedFormatsOf } from "../formats/index.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import { type Files, folderOf, nameOf } from "../model/files.ts";
import type { Language } from "../syntax/language.ts";
import { openConfigs } from "./configs.ts";
import { type Against, openFolders } from "./folders.ts";
import type { ConfigOfFolder, EditorHost } from "./host.ts";
import { inventoryReader } from "./inventory-reader.ts";

/** How a caller asks for a text. */
interface Asked {
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string | undefined;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere: boolean;
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
  const replaced = host.config && memo.input("config", host.config);
  const config =
    replaced ??
    memo.query("config", (folder): ConfigOfFolder => {
      const { config: found, folder: own, relative } = configs.soundOf(folder);
      return { config: found, folder: own, relative, baseline: configs.baselineOf(folder) };
    });
  const language = memo.input("language", (name): Promise<Language> | undefined => entryNamed(name).language?.());
  const readHosts = memo.input("inventoryReader", () => inventoryReader());
  /** Files for parsers, which go on without a file that is on its way, so that all missing files load at once. */
  const files: Files = { read: (path) => memo.ifReady(() => text(path)), list: (folder) => memo.ifReady(() => list(folder)) ?? [] };
  const { inTime = (work) => work() } = host;

  const against = memo.query("against", (): Against => ({ host: hostWord("") || undefined }), isEqual);
  const { facts, given } = openFolders(memo, { config, against });
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
    given,
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
