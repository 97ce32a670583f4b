import { type FoundConfig, UnusableConfig } from "@vmlint/core/editor";
import { folderOf, NEVER_ENTERED, type Scripts } from "@vmlint/core/program";
import { type CancellationToken, FileType, RelativePattern, type TextDocument, Uri, workspace } from "vscode";
import { type FileAccess, textOfFile } from "./file-access.ts";
import { type FileChecks, fileChecks } from "./file-checks.ts";
import type { OpenFile, Overviews } from "./file-overview.ts";

/** One file system: the disk, or that of a virtual workspace. Core knows its files by their paths alone. */
export interface FileSystem {
  /** Checks open files. */
  readonly files: FileChecks;
  /** Checks the files that are not open. */
  readonly unopened: Overviews;
  /** The documents that are open, by path. */
  readonly documents: Map<string, TextDocument>;
  /** The paths of files that are shown as they are on the disk while they are not open. */
  readonly looked: Set<string>;
  /** The files of the workspace whose names end so. */
  readonly search: (endings: readonly string[], token: CancellationToken) => Promise<readonly string[]>;
  readonly uriOf: (path: string) => Uri;
}

export interface FileSystems {
  readonly of: (uri: Uri) => FileSystem;
  readonly all: () => Iterable<FileSystem>;
}

/** The parts of the editor that a thread needs to check files of the disk. */
export interface Workspace extends Pick<FileAccess, "search" | "isTrusted"> {
  readonly folders: () => readonly string[];
  readonly open: ReadonlyMap<string, OpenFile>;
}

/** Checks the files of the disk in a thread of its own. */
export type StartThread = (workspace: Workspace) => Overviews;

/** The parts of a desktop that a browser lacks: a thread for the disk, and a way to stop a check that takes too long. */
export interface Desktop {
  readonly startThread: StartThread;
  readonly scripts: Scripts;
}

/** The file systems of documents. */
export function fileSystems(desktop: Desktop | undefined): FileSystems {
  const known = new Map<string, FileSystem>();
  return {
    of(uri) {
      const key = `${uri.scheme}://${uri.authority}`;
      const found = known.get(key) ?? fileSystemOf(uri, desktop);
      known.set(key, found);
      return found;
    },
    all: () => known.values(),
  };
}

/** Finds the nearest configuration of a file. Returns the error of an unreadable configuration. */
export async function configAround(systems: FileSystems, uri: Uri): Promise<FoundConfig | UnusableConfig> {
  return systems
    .of(uri)
    .files.configOf(folderOf(uri.path))
    .catch((error: unknown) => {
      if (error instanceof UnusableConfig) return error;
      throw error;
    });
}

/** When to stop looking for files. */
interface Until {
  /** The maximum number of files, or of folders if they are read one by one. */
  readonly maxCount?: number;
  readonly token?: CancellationToken;
}

/** The callers of a module are searched in at most this many files, which is more than a typical workspace has. */
const MOST_CALLERS = 10_000;

/** The schemes of local disks. */
const DISKS = ["file", "vscode-remote"];

function fileSystemOf(document: Uri, desktop: Desktop | undefined): FileSystem {
  const base = document.with({ path: "/", query: "", fragment: "" });
  const uriOf = (path: string): Uri => base.with({ path });
  const folders = () => (workspace.workspaceFolders ?? []).flatMap(({ uri }) => (isOn(base, uri) ? [uri] : []));
  const search = async (endings: readonly string[], until: Until) =>
    (await Promise.all(folders().map((folder) => below(folder, endings, until)))).flat();
  const access: FileAccess = {
    read: (path) => readFile(uriOf(path)),
    list: async (folder) => (await entriesOf(uriOf(folder))).map(([name]) => name),
    search: (endings, folder) => {
      const until = { maxCount: MOST_CALLERS };
      return folder === undefined ? search(endings, until) : below(uriOf(folder), endings, until);
    },
    folderAround: (path) => workspace.getWorkspaceFolder(uriOf(path))?.uri.path,
    isTrusted: () => workspace.isTrusted,
    isDisk: DISKS.includes(base.scheme),
  };
  const files = fileChecks(access, desktop?.scripts);
  const { isTrusted } = access;
  const isOfThread = base.scheme === "file" && base.authority === "";
  const unopened =
    isOfThread && desktop
      ? desktop.startThread({ search: access.search, isTrusted, folders: () => folders().map(({ path }) => path), open: files.open })
      : files;
  return { files, unopened, documents: new Map(), looked: new Set(), search: (endings, token) => search(endings, { token }), uriOf };
}

const isOn = (base: Uri, { scheme, authority }: Uri): boolean => scheme === base.scheme && authority === base.authority;

/** Returns a document as a file, with its text of the moment when it is read. */
export const openFile = (document: TextDocument): OpenFile => ({
  get text() {
    return textOf(document);
  },
  alias: `.${document.languageId}`,
  isNowhere: document.isUntitled,
});

const texts = new WeakMap<TextDocument, { readonly version: number; readonly text: string }>();

/** Returns the text of a document. VS Code joins its lines on each `getText()`, so the text is cached by version. */
function textOf(document: TextDocument): string {
  const known = texts.get(document);
  if (known?.version === document.version) return known.text;
  const text = document.getText();
  texts.set(document, { version: document.version, text });
  return text;
}

async function readFile(file: Uri): Promise<string> {
  if (file.scheme === "untitled") throw new Error("it is not saved");
  const { type, size } = await workspace.fs.stat(file);
  return textOfFile({ isFile: (type & FileType.File) !== 0, size }, () => workspace.fs.readFile(file));
}

async function entriesOf(folder: Uri): Promise<readonly [string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
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
