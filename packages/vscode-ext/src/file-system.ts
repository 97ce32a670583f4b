import { dayOf, NEVER_ENTERED } from "@vmlint/core";
import { Checks } from "@vmlint/core/editor";
import { type CancellationToken, FileType, RelativePattern, type TextDocument, Uri, workspace } from "vscode";
import { type ConfigFinder, pathBelow } from "./config-finder.ts";
import { isExternal } from "./document-filter.ts";
import { readFile } from "./read-file.ts";

/** One file system: the disk, or that of a virtual workspace. Core knows its files by their paths alone. */
export interface FileSystem {
  readonly checks: Checks;
  /** The documents of it that are open, by path. */
  readonly open: Map<string, TextDocument>;
  /** The paths of files that are shown as they are on the disk while they are not open. */
  readonly looked: Set<string>;
  /** The text of a file on the disk; `undefined` for what cannot or may not be read. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The files of the workspace whose names end so. */
  readonly search: (endings: readonly string[], until: Until) => Promise<readonly string[]>;
  readonly uriOf: (path: string) => Uri;
}

/** When to stop looking for files. */
export interface Until {
  /** The maximum number of files, or of folders if they are read one by one. */
  readonly maxCount?: number;
  readonly token?: CancellationToken;
}

/** The callers of a module are searched in at most this many files, which is more than a typical workspace has. */
const MOST_CALLERS = 10_000;

/** There is a process where the extension runs in Node, and none in a browser. */
const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined = Reflect.get(globalThis, "process");

/** The file system of a document. */
export function fileSystemOf(document: Uri, configs: ConfigFinder): FileSystem {
  const base = document.with({ path: "/", query: "", fragment: "" });
  const open = new Map<string, TextDocument>();
  const uriOf = (path: string): Uri => base.with({ path });
  const isInside = (path: string): boolean => workspace.getWorkspaceFolder(uriOf(path)) !== undefined;
  // Only a trusted workspace may read files outside of its own folder.
  const mayRead = (path: string): boolean => workspace.isTrusted || isInside(path);
  const read = async (path: string) => (mayRead(path) ? readText(uriOf(path)) : undefined);
  const searchHere: FileSystem["search"] = (endings, until) => search(base, endings, until);
  const checks = new Checks({
    openText: (path) => {
      const document = open.get(path);
      return document && textOf(document);
    },
    read,
    list: async (folder) => (mayRead(folder) ? (await entriesOf(uriOf(folder))).map(([name]) => name) : []),
    openPaths: () => open.keys(),
    isSearched: (path) => isInside(path) && !isExternal(uriOf(path)),
    search: (endings, folder) => {
      const until = { maxCount: MOST_CALLERS };
      return folder === undefined ? searchHere(endings, until) : below(uriOf(folder), endings, until);
    },
    isInside,
    config: async (folder) => {
      const { config, folder: start, baseline } = await configs.find(uriOf(folder));
      return { config, relative: (path) => pathBelow(start, uriOf(path)), baseline };
    },
    // Terraform in a terminal of the same editor has the same.
    environment: process?.env ?? {},
    today: () => dayOf(new Date()),
  });
  return { checks, open, looked: new Set(), read, search: searchHere, uriOf };
}

const texts = new WeakMap<TextDocument, { readonly version: number; readonly text: string }>();

/** Returns the text of a document. VS Code joins its lines on each `getText()`, so the text is cached by version. */
export function textOf(document: TextDocument): string {
  const known = texts.get(document);
  if (known?.version === document.version) return known.text;
  const text = document.getText();
  texts.set(document, { version: document.version, text });
  return text;
}

/** Each file system reports a missing file with its own error, so every error is treated as a missing file. */
async function readText(file: Uri): Promise<string | undefined> {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}

async function entriesOf(folder: Uri): Promise<readonly [string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

async function search(base: Uri, endings: readonly string[], until: Until): Promise<readonly string[]> {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === base.scheme && uri.authority === base.authority);
  const found = await Promise.all(folders.map(({ uri }) => below(uri, endings, until)));
  return found.flat();
}

/** Some file systems have no search. If the search fails or finds nothing, the folders are read one by one. */
async function below(folder: Uri, endings: readonly string[], until: Until): Promise<readonly string[]> {
  const pattern = new RelativePattern(folder, `**/*{${endings.join(",")}}`);
  const found = await workspace.findFiles(pattern, `**/{${[...NEVER_ENTERED].join(",")}}/**`, until.maxCount, until.token).then(
    (files) => files.map(({ path }) => path),
    () => [],
  );
  return found.length > 0 ? found : walk(folder, endings, until);
}

async function walk(
  start: Uri,
  endings: readonly string[],
  { maxCount = Number.POSITIVE_INFINITY, token }: Until,
): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [start];
  for (let seen = 0; seen < maxCount && !token?.isCancellationRequested; seen++) {
    const folder = folders.pop();
    if (!folder) break;
    for (const [name, type] of await entriesOf(folder)) {
      const entry = Uri.joinPath(folder, name);
      if (type === FileType.Directory && !NEVER_ENTERED.has(name)) folders.push(entry);
      else if (type === FileType.File && endings.some((ending) => name.toLowerCase().endsWith(ending))) found.push(entry.path);
    }
  }
  return found;
}
