import { closeSync, type Dirent, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type AnyEntry, type Config, decodeVmx, EMPTY_CONFIG, formatsOf, type ReadBytes, VmlintError } from "@vmlint/core";

/** Folders that hold other people's files. */
const NEVER_ENTERED = new Set([".git", ".terraform", "node_modules"]);

const GLOB = /[*?{}[\]!]/;

export interface Input {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  /** Those its name promises: none for a named file with another name, several where only its content tells. */
  readonly formats: readonly AnyEntry[];
  /** Asked for by its own name, not found in a folder. */
  readonly named: boolean;
  /** What came from the standard input. */
  readonly bytes?: Uint8Array;
}

export interface FileRequest {
  readonly patterns: readonly string[];
  /** The one format of every file, whatever its name. */
  readonly format?: AnyEntry | undefined;
  /** What the standard input is called: its format and configuration are found by it. */
  readonly stdinName?: string | undefined;
}

/** The pattern that means the standard input. */
export const STDIN = "-";

/**
 * Paths, folders, globs and "-" -> the files they mean, sorted, each once. Throws FILE_UNREADABLE for a path that is not
 * there. With a format, folders are searched for its endings alone.
 */
export async function findFiles({ patterns, format, stdinName }: FileRequest, cwd: string): Promise<readonly Input[]> {
  const found = new Map<string, Input>();
  const named = (path: string, bytes?: Uint8Array): void => {
    found.set(path, { path, folder: dirname(path), formats: format ? [format] : formatsOf(path), named: true, ...(bytes && { bytes }) });
  };
  for (const pattern of patterns) {
    const path = resolve(cwd, pattern);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (pattern === STDIN) named(resolve(cwd, stdinName ?? STDIN), await readStandardInput());
    else if (stats?.isDirectory()) walk(path, found, format);
    else if (stats?.isFile()) named(path);
    else if (stats) throw new VmlintError("FILE_UNREADABLE", `${pattern} is neither a file nor a folder.`);
    else if (GLOB.test(pattern)) for (const file of await glob(pattern, cwd)) addFound(file, dirname(file), found, format);
    else throw new VmlintError("FILE_UNREADABLE", `${pattern} does not exist.`);
  }
  return [...found.keys()].sort().map((path) => found.get(path) as Input);
}

/** A file found in a folder counts where its name promises a format, and does not hide that it was also named. */
function addFound(path: string, folder: string, found: Map<string, Input>, only: AnyEntry | undefined): void {
  const promised = formatsOf(path);
  const formats = only ? promised.filter((format) => format === only) : promised;
  if (formats.length > 0 && !found.has(path)) found.set(path, { path, folder, formats, named: false });
}

async function glob(pattern: string, cwd: string): Promise<readonly string[]> {
  const { glob: search } = await import("tinyglobby");
  const ignore = [...NEVER_ENTERED].map((folder) => `**/${folder}/**`);
  const files = await search(pattern.replaceAll("\\", "/"), { cwd, ignore, dot: true, absolute: true, followSymbolicLinks: false });
  return files.map((file) => resolve(file));
}

/** Symbolic links to folders are not followed: they may lead outside, or in a circle. */
function walk(folder: string, found: Map<string, Input>, only: AnyEntry | undefined): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(folder, cause);
  }
  for (const entry of entries) {
    const path = folder + sep + entry.name;
    if (entry.isFile()) addFound(path, folder, found, only);
    else if (entry.isDirectory()) {
      if (!NEVER_ENTERED.has(entry.name)) walk(path, found, only);
    } else if (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile()) addFound(path, folder, found, only);
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

/** It can be read once, and a comparison of hosts asks for it once for each. */
let standardInput: Promise<Uint8Array> | undefined;

/** As a stream: a descriptor that another program has made non-blocking cannot be read at once. */
function readStandardInput(): Promise<Uint8Array> {
  const read = async (): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    for await (const part of process.stdin) parts.push(part);
    return Buffer.concat(parts);
  };
  standardInput ??= read().catch((cause: unknown) => {
    throw unreadable("The standard input", cause);
  });
  return standardInput;
}

/** Hands `use` a reader of parts of a file, for a file too large to be read whole. */
export function readParts<T>(path: string, use: (read: ReadBytes) => T): T {
  try {
    const file = openSync(path, "r");
    try {
      return use((offset, length) => {
        const part = Buffer.allocUnsafe(length);
        return part.subarray(0, readSync(file, part, 0, length, offset));
      });
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

/** Where the known findings of a configuration's files are kept when nothing else is said. */
const BASELINE = "vmlint-baseline.json";

export const baselinePath = ({ config, folder }: FoundConfig): string => resolve(folder, config.baseline ?? BASELINE);

/** Whether a path is a folder or lies in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The path that an override's globs are matched against. */
export const pathInConfig = ({ folder }: FoundConfig, path: string): string => toSlashes(relative(folder, path));
