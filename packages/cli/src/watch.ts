import { type FSWatcher, readdirSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CONFIG_NAMES, NEVER_ENTERED } from "@vmlint/core";
import { shown, statsOf } from "./files.ts";
import type { Io } from "./io.ts";

export interface WatchRequest {
  readonly patterns: readonly string[];
  /** Files that the runs write. */
  readonly outputs: readonly string[];
  /** One run; tells of each file that it reads besides those that the patterns mean, and says itself what goes wrong. */
  readonly run: (noted: (path: string) => void) => Promise<void>;
}

/** Milliseconds of quiet before a run: editors and git write several files, and some of them twice. */
const QUIET = 100;

/** What may change in a folder above those that are searched. */
const ABOVE = [...CONFIG_NAMES, ".gitignore"];

/** Written by this program. */
const OWN = /^\..*\.(part|vmlint-tmp)$|\.vmlint-cache$/;

/** The names that count in a folder; `undefined`: all. */
type Watchlist = Map<string, Set<string> | undefined>;

/** Runs again whenever a file changes that the last run depended on, until the process is ended. */
export async function runAgain({ patterns, outputs, run }: WatchRequest, io: Io): Promise<never> {
  const roots = (patterns.length > 0 ? patterns : ["."]).map((pattern) => resolve(io.cwd, pattern));
  const written = new Set(outputs);
  let wake = () => {};
  let changes = 0;
  const watching = watcher((path) => {
    if (written.has(path) || OWN.test(basename(path))) return;
    changes++;
    wake();
  }, io);
  let noted = new Set<string>();
  try {
    for (;;) {
      // Before the run, so that nothing is missed that changes during it.
      watching.sync(watchlist(roots, noted));
      const before = changes;
      noted = new Set();
      if (io.isTerminal) io.out(CLEAR);
      await run((path) => noted.add(path));
      watching.sync(watchlist(roots, noted));
      io.err("vmlint: waiting for changes; Ctrl-C ends.\n");
      if (changes === before) await new Promise<void>((changed) => (wake = changed));
      for (let seen = -1; seen !== changes; await new Promise((quiet) => setTimeout(quiet, QUIET))) seen = changes;
    }
  } finally {
    // They would keep the process.
    watching.sync(new Map());
  }
}

/** The screen, what was scrolled off it, and the cursor to its first place. */
const CLEAR = "\u001b[2J\u001b[3J\u001b[H";

function watchlist(roots: readonly string[], noted: ReadonlySet<string>): Watchlist {
  const list: Watchlist = new Map();
  const add = (folder: string, names: readonly string[]): void => {
    const known = list.get(folder);
    if (!list.has(folder)) list.set(folder, new Set(names));
    else if (known) for (const name of names) known.add(name);
  };
  for (const root of roots) {
    // A glob is searched from its first folder that is there; so is what is not there yet.
    let start = root;
    while (!isFolder(start) && start !== dirname(start)) start = dirname(start);
    if (start === root || /[*?{[]/.test(root)) for (const folder of foldersIn(start)) list.set(folder, undefined);
    else add(start, [basename(root), root.slice(start.length + 1).split(/[\\/]/)[0] ?? ""]);
    for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
      add(folder, ABOVE);
      add(dirname(folder), [basename(folder), ...ABOVE]);
    }
  }
  for (const path of noted) {
    if (isFolder(path)) list.set(path, undefined);
    else add(dirname(path), [basename(path)]);
  }
  return list;
}

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** A folder and those in it that are ever searched; links are not followed. */
function foldersIn(start: string): readonly string[] {
  const found = [start];
  for (const folder of found) {
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !NEVER_ENTERED.has(entry.name)) found.push(join(folder, entry.name));
    } catch {
      // It is gone, or not ours to read, which the run says.
    }
  }
  return found;
}

/** Watches folder by folder: what Node watches recursively on Linux are single files, of which a system allows too few. */
function watcher(changed: (path: string) => void, io: Io) {
  const open = new Map<string, FSWatcher>();
  let list: Watchlist = new Map();
  let isTold = false;
  const close = (folder: string): void => {
    open.get(folder)?.close();
    open.delete(folder);
  };
  const start = (folder: string): void => {
    try {
      const one = watch(folder, { persistent: true }, (_, name) => {
        if (name === null) return changed(folder);
        const path = join(folder, name);
        // It may be another folder of the same name by now.
        for (const inner of open.keys()) if (inner === path || inner.startsWith(join(path, "/"))) close(inner);
        const names = list.get(folder);
        if (!names || names.has(name)) changed(path);
      });
      one.on("error", () => close(folder));
      open.set(folder, one);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || isTold) return;
      isTold = true;
      io.err(`vmlint: ${shown(folder, io.cwd)} cannot be watched (${code}): not all changes will be seen.\n`);
    }
  };
  return {
    sync(wanted: Watchlist): void {
      list = wanted;
      for (const folder of open.keys()) if (!wanted.has(folder)) close(folder);
      for (const folder of wanted.keys()) if (!open.has(folder)) start(folder);
    },
  };
}
