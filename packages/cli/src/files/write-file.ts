import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { namesIn } from "./disk.ts";
import { isWithin } from "./read-files.ts";

/** A file whose new content is written next to it. */
interface StagedFile {
  /** Replaces the file. Returns the reason if it cannot be replaced. */
  readonly commit: () => string | undefined;
  readonly discard: () => void;
}

/**
 * Replaces a file atomically: a reader at any moment, or after a crash, finds the old or the new file. The new content is written
 * next to the file, flushed and renamed. Returns the reason if the file cannot be replaced without a loss.
 *
 * `expected` is the current content of the file, `undefined` if it must not exist yet. Links are followed only inside of `roots`.
 */
export function replaceFile(...file: Parameters<typeof stageFile>): string | undefined {
  const staged = stageFile(...file);
  return typeof staged === "string" ? staged : staged.commit();
}

/** Writes the new content next to the file. A caller with several files replaces them when all are written. */
export function stageFile(
  path: string,
  content: Uint8Array,
  expected: Uint8Array | undefined,
  roots: readonly string[],
): StagedFile | string {
  let temporary: string | undefined;
  const discard = (): void => {
    if (temporary !== undefined) rmSync(temporary, { force: true });
  };
  const orReason = <T>(work: () => T): T | string => {
    try {
      return work();
    } catch (error) {
      discard();
      const { code, message } = error as NodeJS.ErrnoException;
      return code === undefined ? message : whyNotWritten(code);
    }
  };
  return orReason(() => {
    const file = expected === undefined ? path : targetOf(path, roots);
    if (file === undefined) return "it is a link that leads out of the folder";
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const wrong = expected && whyNot(file, stats, expected);
    if (wrong) return wrong;
    if (expected === undefined && stats) return stats.isSymbolicLink() ? "it is a link that leads nowhere" : CHANGED;
    if (expected === undefined) makeFolder(dirname(file));
    const name = nameBeside(file);
    writeWhole(name, content, stats, () => {
      temporary = name;
    });
    const commit = (): string | undefined => {
      // Compared as late as possible. Only a change between these two lines could be lost.
      if (expected && !readFileSync(file).equals(expected)) {
        discard();
        return CHANGED;
      }
      renameSync(name, file);
      flushFolder(dirname(file));
      return undefined;
    };
    return { commit: () => orReason(commit), discard };
  });
}

/**
 * Returns a temporary name in a file's folder. No format has its ending, so vmlint never reads a leftover as a VM. It omits the
 * file's own name, which may have the maximum length, and adds a random part, because every container has a process 1.
 */
export function nameBeside(file: string): string {
  removeLeftovers(dirname(file));
  return join(dirname(file), `.${process.pid}-${Math.random().toString(36).slice(2)}.vmlint-tmp`);
}

const LEFTOVER = /^\.(\d+)-[a-z0-9]+\.vmlint-tmp$/;

/**
 * Milliseconds until a temporary file is a leftover. Another container may still write it, whose process ids do not show here.
 */
const IN_USE = 5000;

/** Removes what runs that were killed left in a folder. */
export function removeLeftovers(folder: string, names: readonly string[] = namesIn(folder)): void {
  for (const name of names) {
    const pid = Number(LEFTOVER.exec(name)?.[1] ?? 0);
    if (pid === 0 || pid === process.pid || isRunning(pid)) continue;
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || Date.now() - stats.mtimeMs < IN_USE) continue;
    try {
      rmSync(path, { force: true });
    } catch {
      // A leftover does no harm.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Makes a folder and those above it. Node's own way never comes back where the system makes none, as in /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

/** Why a file is not replaced that another program has written. */
export const CHANGED = "it was changed meanwhile";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "it may not be written (EACCES)",
  ENOENT: "it is no longer there",
  ENOSPC: "the disk is full",
  EPERM: "its owner or mode cannot be kept (EPERM)",
  EROFS: "the disk is read-only",
};

/**
 * Returns the reason for a system error. Windows reports the same errors for a read-only file and for a file that another program
 * has open.
 */
export const whyNotWritten = (code: string, platform: string = process.platform): string =>
  platform === "win32" && ["EACCES", "EBUSY", "EPERM"].includes(code)
    ? `it is read-only, or open in another program (${code})`
    : (REASONS[code] ?? code);

/** The file that a link stands for; `undefined` when that lies elsewhere. */
function targetOf(path: string, roots: readonly string[]): string | undefined {
  if (!lstatSync(path).isSymbolicLink()) return path;
  const target = realpathSync(path);
  // The folder of the link's target counts: a link that is itself a named path does not make its target a named folder.
  return roots.some((root) => existsSync(root) && isWithin(dirname(target), realpathSync(root))) ? target : undefined;
}

function whyNot(file: string, stats: Stats | undefined, expected: Uint8Array): string | undefined {
  if (!stats) return REASONS.ENOENT;
  if (stats.nlink > 1) return "it has a second name (a hard link) that would keep the old text";
  // Renaming asks for leave to write in the folder only, which is not leave to change a read-only file.
  accessSync(file, constants.W_OK);
  return readFileSync(file).equals(expected) ? undefined : CHANGED;
}

/** A new file with the mode and owner of the one it replaces. */
function writeWhole(name: string, content: Uint8Array, stats: Stats | undefined, created: () => void): void {
  const descriptor = openSync(name, "wx", stats ? stats.mode & 0o777 : 0o666);
  created();
  try {
    for (let rest = content; rest.length > 0; ) rest = rest.subarray(writeSync(descriptor, rest));
    if (stats) {
      // Owner first: changing it may take bits off the mode.
      if (process.getuid && (stats.uid !== process.getuid() || stats.gid !== process.getgid?.())) {
        fchownSync(descriptor, stats.uid, stats.gid);
      }
      fchmodSync(descriptor, stats.mode & 0o7777);
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** So that the new name outlives a power failure. Not every system lets a folder be opened. */
function flushFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file is whole either way.
  }
}
