import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { VmlintError } from "@vmlint/core/program";
import { MOST_BYTES, realOf } from "./disk.ts";
import { isWithin, readText, type Staged, statsOf } from "./read-files.ts";

/**
 * Returns the folders that may hold files named by a repository: the working directory, and the repository around each folder.
 */
export const workspaceAround = (cwd: string, folders: readonly string[]): readonly string[] => [
  ...new Set([cwd, ...folders.map((folder) => repositoryAround(folder) ?? outermostConfigured(folder))].map(realOf)),
];

/** The outermost folder from here up with a configuration, which others below may extend; the folder itself if there is none. */
function outermostConfigured(folder: string): string {
  let outermost = folder;
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, "vmlint.yaml"))) outermost = at;
  return outermost;
}

/** The nearest folder from here up that holds `.git`. */
export function repositoryAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

interface Allowed {
  /** Folders that must hold the file. Without them any file is allowed, because the command line names the configuration. */
  readonly workspace?: readonly string[] | undefined;
  readonly staged?: Staged | undefined;
}

/**
 * Returns the text of a file that a configuration names. Throws FILE_UNREADABLE if it is not a regular file, larger than 16 MB,
 * or outside of the workspace. A pipe would block, and a device may be endless.
 */
export function readNamed(path: string, allowed: Allowed = {}): string {
  checkNamed(path, allowed);
  return readText(path, allowed.staged);
}

/** Throws FILE_UNREADABLE as readNamed does. */
export function checkNamed(path: string, { workspace, staged }: Allowed): void {
  const fail = (reason: string): never => {
    throw new VmlintError("FILE_UNREADABLE", `${path} ${reason}.`);
  };
  if (staged?.has(path)) return;
  const real = realOf(path);
  if (workspace && !workspace.some((folder) => isWithin(real, folder)))
    fail("is not read, because it lies outside of the workspace. Copy it into the repository, or name the configuration with --config");
  const stats = statsOf(path);
  if (stats && !stats.isDirectory() && !stats.isFile()) fail("is not read, because it is not a regular file");
  if (stats && stats.size > MOST_BYTES) fail(`is not read, because it is larger than ${MOST_BYTES / 1e6} MB`);
}
