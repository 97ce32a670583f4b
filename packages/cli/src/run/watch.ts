import { existsSync, type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CONFIG_NAMES, formatsOf } from "@vmlint/core/program";
import { foldersBelow, namesIn } from "../files/disk.ts";
import { isFile, shownPath, statsOf } from "../files/read-files.ts";
import type { Io } from "../io.ts";

interface WatchRequest {
  readonly patterns: readonly string[];
  /** Files that the runs write. */
  readonly outputs: readonly string[];
  /** One run, which says itself what goes wrong. */
  readonly run: (io: Io) => Promise<void>;
}

/** Milliseconds of quiet before a run: editors and git write several files, and some of them twice. */
const QUIET = 100;

/** Files to watch in the folders above a searched folder. */
const ABOVE = [...CONFIG_NAMES, ".gitignore"];

/** Written by this program. */
const OWN = /^\..*\.vmlint-tmp$/;

/** The watched entries of a folder. */
interface Watched {
  /** Files and folders. */
  readonly names: Set<string>;
  /** Whatever a search would find in it counts, too. */
  isSearched: boolean;
  /** The entries of the folder at the time of the run. Later entries count as a change. */
  listed?: ReadonlySet<string>;
}

type Watchlist = Map<string, Watched>;

/** Runs again whenever a file changes that the last run depended on, until the process is ended. */
export async function runAgain({ patterns, outputs, run }: WatchRequest, outside: Io): Promise<never> {
  const roots = (patterns.length > 0 ? patterns : ["."]).map((pattern) => resolve(outside.cwd, pattern));
  const written = new Set(outputs);
  let wake = () => {};
  let changes = 0;
  let changed = new Set<string>();
  const watching = watcher((path) => {
    if (written.has(path) || OWN.test(basename(path)) || outside.writesTo?.(path)) return;
    changes++;
    changed.add(path);
    wake();
  }, outside);
  // The output since the last run began. If a pipe writes it to a file in the folder, that file is not a change.
  let [report, output] = ["", ""];
  let noted = new Set<string>();
  const io: Io = {
    ...outside,
    noted: (path) => noted.add(path),
    out: (text) => {
      report += text;
      output += text;
      outside.out(text);
    },
    err: (text) => {
      output += text;
      outside.err(text);
    },
  };
  const hasNews = async (): Promise<boolean> => {
    if (changed.size === 0) await new Promise<void>((woken) => (wake = woken));
    for (let seen = -1; seen !== changes; await new Promise((quiet) => setTimeout(quiet, QUIET))) seen = changes;
    const paths = [...changed];
    changed = new Set();
    return !paths.every((path) => endsWith(path, [report, output]));
  };
  try {
    for (;;) {
      // Before the run, so that nothing is missed that changes during it.
      const list = watchlist(roots, noted);
      watching.sync(list);
      changed = new Set();
      noted = new Set();
      [report, output] = ["", ""];
      if (io.isTerminal) outside.out(CLEAR);
      await run(io);
      watching.sync(watchlist(roots, noted, list));
      io.err("vmlint: waiting for changes; Ctrl-C ends.\n");
      while (!(await hasNews()));
    }
  } finally {
    // They would keep the process.
    watching.sync(new Map());
  }
}

/** Whether a file ends with some text: that of a pipe may have what earlier runs printed before it. */
function endsWith(path: string, texts: readonly string[]): boolean {
  try {
    const content = isFile(path) ? readFileSync(path, "utf8") : "";
    return texts.some((text) => text !== "" && content.endsWith(text));
  } catch {
    return false; // It is gone, or not ours to read, which the run says.
  }
}

/** Clears the screen and its scrollback, and moves the cursor to the top. */
const CLEAR = "\u001b[2J\u001b[3J\u001b[H";

/** `before` is the watchlist before the run. Changes are reported only after the run. */
function watchlist(roots: readonly string[], noted: ReadonlySet<string>, before?: Watchlist): Watchlist {
  const list: Watchlist = new Map();
  const add = (folder: string, names: readonly string[]): Watched => {
    const known = list.get(folder) ?? { names: new Set(), isSearched: false };
    list.set(folder, known);
    for (const name of names) known.names.add(name);
    return known;
  };
  for (const root of roots) {
    // A glob or a missing path is watched from its first existing folder.
    let start = root;
    while (!isFolder(start) && start !== dirname(start)) start = dirname(start);
    if (start === root || /[*?{[]/.test(root)) for (const { folder } of foldersBelow(start)) add(folder, ABOVE).isSearched = true;
    else add(start, [basename(root), root.slice(start.length + 1).split(/[\\/]/)[0] ?? ""]);
    for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
      add(folder, ABOVE);
      add(dirname(folder), [basename(folder), ...ABOVE]);
    }
  }
  for (const path of noted) {
    if (isFolder(path)) add(path, []).listed = before?.get(path)?.listed ?? new Set(namesIn(path));
    else add(dirname(path), [basename(path)]);
  }
  return list;
}

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** Whether a changed path may affect the next run. A file that no run reads may be the run's own output. */
function counts(watched: Watched | undefined, path: string): boolean {
  const name = basename(path);
  if (!watched || watched.names.has(name)) return true;
  if (watched.isSearched && (formatsOf(path).length > 0 || isFolder(path))) return true;
  return watched.listed !== undefined && watched.listed.has(name) !== existsSync(path);
}

/**
 * Watches folder by folder. On Linux, recursive watching in Node watches each file, and systems limit the number of watched
 * files.
 */
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
        const isKnownFolder = open.has(path);
        // It may be another folder of the same name by now.
        for (const inner of open.keys()) if (inner === path || inner.startsWith(join(path, "/"))) close(inner);
        if (isKnownFolder || counts(list.get(folder), path)) changed(path);
      });
      one.on("error", () => close(folder));
      open.set(folder, one);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || isTold) return;
      isTold = true;
      io.err(`vmlint: ${shownPath(folder, io.cwd)} cannot be watched (${code}): not all changes will be seen.\n`);
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
