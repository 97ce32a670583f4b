import { readdirSync, readFileSync, statSync } from "node:fs";
import { createContext, Script } from "node:vm";
import { parentPort } from "node:worker_threads";
import { isBelow } from "./config-finder.ts";
import { type FileAccess, textOfFile } from "./file-access.ts";
import { type FileChecks, fileChecks } from "./file-checks.ts";
import type { OpenFile, Overviews } from "./file-overview.ts";
import { connect } from "./thread-calls.ts";

/** The state of the editor that checks depend on. */
export interface WorkspaceState {
  readonly folders: readonly string[];
  readonly isTrusted: boolean;
  readonly open: ReadonlyMap<string, OpenFile>;
}

/** The functions of the thread. `begin` comes first, and again when a configuration, a setting or the workspace has changed. */
export interface CheckThread extends Pick<Overviews, "overview" | "changed" | "isRead"> {
  readonly begin: (state: WorkspaceState) => void;
}

/** The functions of the thread of the extensions. */
export interface Editor {
  readonly search: (endings: readonly string[], folder?: string) => Promise<readonly string[]>;
}

/** The path of a file as the system writes it: Windows has no slash before the letter of a disk. */
const native = (path: string): string => path.replace(/^\/(?=[A-Za-z]:)/, "");

/** Checks the files of a workspace on the disk, off the thread of the extensions, which loads this file too. */
function serve(port: NonNullable<typeof parentPort>): void {
  let state: WorkspaceState = { folders: [], isTrusted: false, open: new Map() };
  const access: FileAccess = {
    async read(path) {
      const stats = statSync(native(path));
      return textOfFile({ isFile: stats.isFile(), size: stats.size }, () => readFileSync(native(path)));
    },
    async list(folder) {
      try {
        return readdirSync(native(folder));
      } catch {
        return [];
      }
    },
    search: (endings, folder) => editor.call("search", endings, folder),
    folderAround: (path) =>
      state.folders.filter((folder) => path === folder || isBelow(path, folder)).sort((a, b) => b.length - a.length)[0],
    isTrusted: () => state.isTrusted,
    isDisk: true,
  };
  const files: FileChecks = fileChecks(access, { createContext, Script });
  const editor = connect<Editor, CheckThread>(port, {
    begin(changed) {
      state = changed;
      files.open.clear();
      for (const [path, file] of changed.open) files.open.set(path, file);
      files.forget();
    },
    overview: files.overview,
    changed: files.changed,
    isRead: files.isRead,
  });
}

if (parentPort) serve(parentPort);
