import type { ConfigFiles } from "@vmlint/core/config";
import { bugSentence, type CheckResult, Checks, type FoundConfig, UnusableConfig } from "@vmlint/core/editor";
import { dayOf, editorLimit, isNeverEntered, type Scripts } from "@vmlint/core/program";
import { configHost, pathBelow, readIfThere } from "./config-finder.ts";
import type { FileAccess } from "./file-access.ts";
import { type OpenFile, type Overviews, overviewOf } from "./file-overview.ts";

/** Checks the files of one file system. It runs in the thread of the extensions and in one of its own, and finds the same in both. */
export interface FileChecks extends Overviews {
  /** Returns the nearest configuration of a folder. Rejects with UnusableConfig if it has an error. */
  readonly configOf: (folder: string) => Promise<FoundConfig>;
  /** The files that an open configuration may refer to. */
  readonly filesOfConfig: (config: string) => ConfigFiles;
  /** The files in editors, by path. */
  readonly open: Map<string, OpenFile>;
  /**
   * Returns the findings of a file, or of a document in its place. Rejects with UnusableConfig, also if the check failed or took too long.
   * Returns `undefined` for a file without VM, or an ignored one.
   */
  readonly check: (path: string, document?: OpenFile) => Promise<CheckResult | undefined>;
  /** Calls a function, and throws if it takes too long. */
  readonly inTime: <T>(work: () => T) => T;
  /** Call this when an editor was closed. */
  readonly close: (path: string) => void;
}

/** There is a process where the extension runs in Node, and none in a browser. */
const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined = Reflect.get(globalThis, "process");

/** With `scripts`, the time of a check has a limit. */
export function fileChecks(access: FileAccess, scripts?: Scripts): FileChecks {
  const open = new Map<string, OpenFile>();
  const inTime: FileChecks["inTime"] = scripts ? editorLimit(scripts) : (work) => work();
  const isInside = (path: string): boolean => access.folderAround(path) !== undefined;
  const mayRead = (path: string): boolean => access.isTrusted() || isInside(path);
  const read = async (path: string) => (mayRead(path) ? readIfThere(path, access) : undefined);
  const checks = new Checks({
    openText: (path) => open.get(path)?.text,
    read,
    list: async (folder) => (mayRead(folder) ? access.list(folder) : []),
    openPaths: () => open.keys(),
    isSearched: (path) => {
      const folder = access.folderAround(path);
      return folder !== undefined && !isNeverEntered(pathBelow(folder, path));
    },
    search: access.search,
    isInside,
    ...configHost(access),
    // Terraform in a terminal of the same editor has the same.
    environment: process?.env ?? {},
    today: () => dayOf(new Date()),
    inTime,
  });
  const check: FileChecks["check"] = async (path, document = open.get(path)) => {
    const text = document?.text ?? (await read(path));
    if (text === undefined) return undefined;
    const { alias, isNowhere = false } = document ?? {};
    try {
      return await checks.check({ path, text, ...(alias !== undefined && { alias }), host: "", isNowhere });
    } catch (error) {
      if (error instanceof UnusableConfig) throw error;
      const message = bugSentence(path, error);
      throw new UnusableConfig(message, { file: path, text, problems: [{ range: [0, 0], message }] });
    }
  };
  return {
    configOf: (folder) => checks.configOf(folder),
    filesOfConfig: (config) => checks.filesOfConfig(config),
    open,
    check,
    inTime,
    close(path) {
      open.delete(path);
      checks.close(path);
    },
    async overview(path) {
      try {
        const checked = await check(path);
        if (checked && checked.result.foreign === undefined) return overviewOf(checked);
        if (!open.has(path)) checks.close(path);
        return undefined;
      } catch (error) {
        if (!(error instanceof UnusableConfig)) throw error;
        const { file, text, problems } = error;
        return { file, text, problems };
      }
    },
    async changed(path, what, document) {
      if (document) open.set(path, document);
      else open.delete(path);
      return [...(await checks.changed(path, what))];
    },
    isRead: async (path) => checks.isConfig(path),
    forget() {
      checks.forgetAll();
    },
  };
}
