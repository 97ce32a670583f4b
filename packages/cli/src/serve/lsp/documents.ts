import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createContext, Script } from "node:vm";
import type { ConfigFiles } from "@vmlint/core/config";
import { type CheckResult, Checks } from "@vmlint/core/editor";
import { CONFIG_NAMES, dayOf, editorLimit, isNeverEntered, VmlintError } from "@vmlint/core/program";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { diskFiles, foldersBelow, MOST_BYTES } from "../../files/disk.ts";
import { ignorer, SPEAKING } from "../../files/ignorer.ts";
import { fromSlashes, isWithin, shownPath, toSlashes } from "../../files/read-files.ts";
import { readNamed, workspaceAround } from "../../files/read-named.ts";
import { freeMemory, isFull } from "../../run/budget.ts";
import { dropStopped } from "../../run/running-rule.ts";

/** Settings that apply to a document besides its configuration. */
export interface Settings {
  /** Like `--host`. If empty, the configuration decides. */
  readonly host: string;
}

export interface Documents {
  /** Returns the findings in a document's current text, or `undefined` if its name or content shows that it is not a VM. */
  readonly check: (document: TextDocument, settings: Settings) => Promise<CheckResult | undefined>;
  /** Call this when a document is opened or edited, before checking it. Returns the open documents to check again. */
  readonly changed: (document: TextDocument) => Promise<readonly TextDocument[]>;
  readonly closed: (uri: string) => Promise<readonly TextDocument[]>;
  /** Call this when a file was changed, created or deleted on disk. */
  readonly fileChanged: (uri: string, what: "text" | "name") => Promise<readonly TextDocument[]>;
  /** Call this when unopened files may have changed, including configurations. */
  readonly forget: () => void;
  /** The files that an open configuration may refer to. */
  readonly filesOfConfig: (path: string) => ConfigFiles;
  readonly isOpen: (path: string) => boolean;
  /** Returns the URI of a file, in the client's spelling if the client has used it. */
  readonly uriOf: (path: string) => string;
}

/**
 * Checks documents together with the files on disk. Open documents replace their files. `folders` are the workspace folders from
 * `foldersOf`. Without folders nothing is searched, and a single file may refer only to files below `cwd`.
 */
export function documents(cwd: string, folders: () => readonly string[], told: Parameters<Checks["trace"]>[0]): Documents {
  const newIgnorer = () => ignorer({ findConfig: (folder) => configOf(folder, checks) }, cwd).ignores;
  let ignores = newIgnorer();
  const open = new Map<string, TextDocument>();
  // A client may spell URIs differently and recognizes only its own spelling.
  const clientUris = new Map<string, string>();
  const isInWorkspace = (path: string): boolean => folders().some((folder) => isSearched(fromSlashes(path), folder));
  const checks = new Checks({
    openText: (path) => open.get(path)?.getText(),
    // Each file is read once until something changes.
    read: async (path) => diskFiles().read(path),
    list: async (folder) => diskFiles().list(folder),
    openPaths: () => open.keys(),
    isSearched: isInWorkspace,
    search: async (endings, below) => (below ? [fromSlashes(below)] : folders()).flatMap((folder) => filesBelow(folder, endings)),
    isIgnored: (path) => ignores(fromSlashes(path), false),
    readNamed: (path, folder) => readNamed(fromSlashes(path), { workspace: workspaceAround(cwd, [fromSlashes(folder)]) }),
    homeOf: () => toSlashes(cwd),
    shownPath: (path) => shownPath(fromSlashes(path), cwd),
    isInside: (path) => (folders().length > 0 ? folders() : [cwd]).some((folder) => isWithin(fromSlashes(path), folder)),
    environment: process.env,
    today: () => dayOf(new Date()),
    inTime: inTimeOfCheck,
  });
  checks.trace(told);
  const among = (paths: ReadonlySet<string>): readonly TextDocument[] => [...paths].flatMap((path) => open.get(path) ?? []);
  const forget = (): void => {
    ignores = newIgnorer();
    checks.forgetAll();
  };
  const tell: Documents["fileChanged"] = async (uri, what) => {
    const path = pathOf(uri);
    if (path === undefined) return [];
    if (what === "name" || SPEAKING.has(basename(path))) ignores = newIgnorer();
    return among(await checks.changed(path, what));
  };
  return {
    async check(document, { host }) {
      const path = pathOf(document.uri);
      if (path === undefined) return undefined;
      const text = document.getText();
      if (text.length > MOST_BYTES) throw tooMuch(path, `it has more than ${MOST_BYTES / 1_000_000} million characters`);
      if (isFull()) {
        // Earlier checks are repeated when an editor next asks for them.
        forget();
        freeMemory();
        if (isFull()) throw tooMuch(path, "the memory of the language server is nearly full");
      }
      return checks.check({ path, text, host });
    },
    changed(document) {
      const path = pathOf(document.uri);
      if (path !== undefined) {
        open.set(path, document);
        clientUris.set(path, document.uri);
      }
      return tell(document.uri, "text");
    },
    closed(uri) {
      const path = pathOf(uri);
      // Another address may be open of the same file.
      if (path !== undefined && open.get(path)?.uri === uri) {
        open.delete(path);
        checks.close(path);
      }
      return tell(uri, "text");
    },
    async fileChanged(uri, what) {
      // An open configuration may name the file.
      const configs = [...open].flatMap(([path, document]) => (CONFIG_NAMES.includes(basename(path)) ? document : []));
      return [...(await tell(uri, what)), ...configs];
    },
    forget,
    filesOfConfig: (path) => checks.filesOfConfig(path),
    isOpen: (path) => open.has(path),
    uriOf: (path) => clientUris.get(path) ?? pathToFileURL(fromSlashes(path)).href,
  };
}

async function configOf(folder: string, checks: Checks) {
  const found = await checks.configOf(toSlashes(folder));
  return { ...found, folder: fromSlashes(found.folder) };
}

/** Calls a function, and throws if an editor would wait too long for it. */
export const inTimeOfCheck = editorLimit({ createContext, Script }, dropStopped);

const tooMuch = (path: string, reason: string): VmlintError =>
  new VmlintError("FILE_UNREADABLE", `vmlint does not check ${basename(path)}: ${reason}. Run vmlint on it in a terminal.`);

/** Returns the local path of a document with forward slashes, or `undefined` if the document is not a local file. */
export function pathOf(uri: string): string | undefined {
  try {
    // Some clients put a slash behind the address of a folder, or two between names.
    return toSlashes(resolve(fileURLToPath(uri)));
  } catch {
    return undefined;
  }
}

/** The folders of a workspace that are on this machine, as its system writes them. */
export const foldersOf = (named: readonly { readonly uri: string }[]): readonly string[] => [
  ...new Set(named.flatMap(({ uri }) => pathOf(uri) ?? []).map((path) => resolve(path))),
];

/** A workspace with more folders is probably a whole disk, so callers of a module are not searched in it. */
const MOST_FOLDERS = 20_000;

/** Whether `filesBelow` would find this file. */
const isSearched = (path: string, folder: string): boolean => isWithin(path, folder) && !isNeverEntered(path.slice(folder.length));

/** The files below a folder whose names end so. */
function filesBelow(start: string, endings: readonly string[]): readonly string[] {
  const found: string[] = [];
  let seen = 0;
  for (const { folder, entries } of foldersBelow(start)) {
    const files = entries.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.toLowerCase().endsWith(ending)));
    found.push(...files.map(({ name }) => toSlashes(join(folder, name))));
    if (++seen === MOST_FOLDERS) break;
  }
  return found;
}
