import { closeSync, type Dirent, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Config, decodeVmx, EMPTY_CONFIG, type FormatEntry, formatOf, type ProjectEntry, VmlintError } from "@vmlint/core";

/** Folders that hold other people's files. */
const NEVER_ENTERED = new Set([".git", ".terraform", "node_modules"]);

const GLOB = /[*?{}[\]!]/;

export interface Input {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  /** Undefined for a named file whose name promises no format. */
  readonly format: FormatEntry | ProjectEntry | undefined;
  /** Asked for by its own name, not found in a folder. */
  readonly named: boolean;
}

/** Paths, folders and globs -> the files they mean, sorted, each once. Throws FILE_UNREADABLE for a path that is not there. */
export async function findFiles(patterns: readonly string[], cwd: string): Promise<readonly Input[]> {
  const found = new Map<string, Input>();
  for (const pattern of patterns) {
    const path = resolve(cwd, pattern);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) walk(path, found);
    else if (stats?.isFile()) found.set(path, { path, folder: dirname(path), format: formatOf(path), named: true });
    else if (stats) throw new VmlintError("FILE_UNREADABLE", `${pattern} is neither a file nor a folder.`);
    else if (GLOB.test(pattern)) for (const file of await glob(pattern, cwd)) addFound(file, dirname(file), found);
    else throw new VmlintError("FILE_UNREADABLE", `${pattern} does not exist.`);
  }
  return [...found.keys()].sort().map((path) => found.get(path) as Input);
}

/** A file found in a folder counts where its name promises a format, and does not hide that it was also named. */
function addFound(path: string, folder: string, found: Map<string, Input>): void {
  const format = formatOf(path);
  if (format && !found.has(path)) found.set(path, { path, folder, format, named: false });
}

async function glob(pattern: string, cwd: string): Promise<readonly string[]> {
  const { glob: search } = await import("tinyglobby");
  const ignore = [...NEVER_ENTERED].map((folder) => `**/${folder}/**`);
  const files = await search(pattern.replaceAll("\\", "/"), { cwd, ignore, dot: true, absolute: true, followSymbolicLinks: false });
  return files.map((file) => resolve(file));
}

/** Symbolic links to folders are not followed: they may lead outside, or in a circle. */
function walk(folder: string, found: Map<string, Input>): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(folder, cause);
  }
  for (const entry of entries) {
    const path = folder + sep + entry.name;
    if (entry.isFile()) addFound(path, folder, found);
    else if (entry.isDirectory()) {
      if (!NEVER_ENTERED.has(entry.name)) walk(path, found);
    } else if (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile()) addFound(path, folder, found);
  }
}

/** Larger than nearly every file: those are read into one buffer, one after another, instead of each into its own. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** The bytes of a file, valid until the next one is read. */
export function readBytes(path: string): Uint8Array {
  try {
    const file = openSync(path, "r");
    try {
      const length = readSync(file, shared, 0, shared.length, null);
      return length < shared.length ? shared.subarray(0, length) : Buffer.concat([shared, readFileSync(file)]);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Nearly every file is UTF-8. A byte order mark is no part of the text, as in an editor. */
const utf8 = new TextDecoder();

/** Throws a RangeError on a label that no decoder has. */
export const decode = (bytes: Uint8Array, label: string): string => (label === "utf-8" ? utf8 : new TextDecoder(label)).decode(bytes);

/** The text of a file, in UTF-16 too: PowerShell redirects to that. */
export const readText = (path: string): string => decodeVmx(readBytes(path), decode);

function unreadable(path: string, cause: unknown): VmlintError {
  const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new VmlintError("FILE_UNREADABLE", `${path} cannot be read${reason}.`, { cause });
}

/** As reports print a path: relative to the working directory, with forward slashes. */
export const shown = (path: string, cwd: string): string =>
  toSlashes(path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : relative(cwd, path)) || ".";

export const toSlashes = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"));

const CONFIG_NAMES = ["vmlint.yaml", "vmlint.yml", "vmlint.json"];

export interface FoundConfig {
  readonly config: Config;
  /** Folder that the globs of its overrides start from. */
  readonly folder: string;
}

/** Finds and reads configurations: the one named on the command line for every file, or the nearest above each. */
export function configFinder(named: string | undefined, cwd: string): (folder: string) => Promise<FoundConfig> {
  const read = async (path: string): Promise<FoundConfig> => {
    const { readConfig } = await import("@vmlint/core/config");
    const folder = dirname(path);
    const text = Buffer.from(readBytes(path)).toString("utf8");
    return { config: await readConfig(text, shown(path, cwd), async (file) => readText(resolve(folder, file))), folder };
  };
  const known = new Map<string, Promise<FoundConfig>>();
  const nearest = (folder: string): Promise<FoundConfig> => {
    const seen = known.get(folder);
    if (seen) return seen;
    const name = CONFIG_NAMES.find((candidate) => existsSync(join(folder, candidate)));
    const parent = dirname(folder);
    const found =
      name !== undefined
        ? read(join(folder, name))
        : parent === folder
          ? Promise.resolve({ config: EMPTY_CONFIG, folder: cwd })
          : nearest(parent);
    known.set(folder, found);
    return found;
  };
  if (named === undefined) return nearest;
  const path = resolve(cwd, named);
  if (!existsSync(path)) throw new VmlintError("CONFIG_INVALID", `${named} does not exist.`);
  const only = read(path);
  return () => only;
}

/** The path that an override's globs are matched against. */
export const pathInConfig = ({ folder }: FoundConfig, path: string): string => toSlashes(relative(folder, path));
