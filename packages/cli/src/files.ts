import { closeSync, existsSync, fstatSync, lstatSync, openSync, readFileSync, readSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { BASELINE, CONFIG_NAMES, type Config, decodeVmx, EMPTY_CONFIG, holdsConfig, type ReadBytes, VmlintError } from "@vmlint/core";
import type { ConfigFiles } from "@vmlint/core/config";

/** Files that differ from what is staged of them, which counts in their place. */
export interface Staged {
  /** Absolute, where links lead. */
  readonly paths: readonly string[];
  /** Whether a file is one of them, whichever way leads to its folder. */
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => Uint8Array | undefined;
  /** The names of those in a folder. */
  readonly list: (folder: string) => readonly string[];
}

/** Larger than nearly every file: those are read into one buffer, one after another, instead of each into its own. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** The bytes of a file, valid until the next one is read. */
export const readBytes = (path: string): Uint8Array => opened(path, (file) => readShort(file) ?? readOn(file));

/** What `use` makes of a file that is open. */
function opened<T>(path: string, use: (file: number) => T): T {
  try {
    const file = openSync(path, "r");
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** All of a file that the shared buffer holds; of another, it then holds the beginning. */
function readShort(file: number): Uint8Array | undefined {
  const length = readSync(file, shared, 0, shared.length, null);
  return length < shared.length ? shared.subarray(0, length) : undefined;
}

/** All of a file of which the shared buffer holds the beginning. One that grows while it is read is read as far as it went before. */
function readOn(file: number): Uint8Array {
  const { size } = fstatSync(file);
  // What is no file on a disk has no size.
  if (size <= shared.length) return Buffer.concat([shared, readFileSync(file)]);
  const all = Buffer.allocUnsafeSlow(size);
  let end = shared.copy(all);
  for (let read = -1; end < size && read !== 0; end += read) read = readSync(file, all, end, size - end, null);
  return all.subarray(0, end);
}

/** Hands `use` a reader of parts of a file, for a file too large to be read whole. */
export const readParts = <T>(path: string, use: (read: ReadBytes) => T): T =>
  opened(path, (file) => {
    const { size } = fstatSync(file);
    return use((offset, length) => {
      const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      return part.subarray(0, readSync(file, part, 0, part.length, offset));
    });
  });

/** Throws a RangeError on a label that no decoder has. Nearly every file is UTF-8. */
export const decode = (bytes: Uint8Array, label: string): string =>
  label === "utf-8" ? decodeUtf8(bytes) : new TextDecoder(label).decode(bytes);

/** As a TextDecoder, which Node has to make first. A byte order mark is no part of the text, as in an editor. */
function decodeUtf8({ buffer, byteOffset, length }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, length).toString();
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** What is at a path, wherever links lead; nothing for one that leads nowhere. */
export const statsOf = (path: string): Stats | undefined => statsBy(statSync, path);

function statsBy(look: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A link in a circle, or a folder that is not ours to look into.
  }
}

/** Whether a path is that of a file: pipes and devices may have no end. */
export const isFile = (path: string, staged?: Staged): boolean => staged?.has(path) || (statsOf(path)?.isFile() ?? false);

/** The text of a file, in UTF-16 too: PowerShell redirects to that. */
export const readText = (path: string, staged?: Staged): string => decodeVmx(staged?.read(path) ?? readBytes(path), decode);

/** The text of a file that is read in one go, as nearly every one is; undefined for a larger one. */
export function shortText(path: string): string | undefined {
  const bytes = opened(path, readShort);
  return bytes && decodeVmx(bytes, decode);
}

/** What two parts of a file have in common, so that a word that tells a format stands whole in one of them. */
const OVERLAP = 1024;

/** The text of a file from its beginning on, for one that is not short. */
export function* partsOf(path: string): Iterable<string> {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    let part: Buffer = shared;
    let length = readSync(file, part, 0, part.length, null);
    yield decodeVmx(part.subarray(0, length), decode);
    const [first, second] = part;
    // UTF-16 is marked at its beginning alone.
    if (length === part.length && (first === 0xff || first === 0xfe) && (second === 0xff || second === 0xfe)) return yield readText(path);
    while (length === part.length) {
      const next = part === shared ? Buffer.allocUnsafeSlow(16 * part.length) : part;
      part.copy(next, 0, part.length - OVERLAP);
      length = OVERLAP + readSync(file, next, OVERLAP, next.length - OVERLAP, null);
      part = next;
      yield decode(part.subarray(0, length), "utf-8");
    }
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The error for a file that is there and cannot be read. */
export const unreadable = (path: string, cause: unknown): VmlintError =>
  new VmlintError("FILE_UNREADABLE", `${path} ${reasonOf(cause)}.`, { cause });

/** Why a file cannot be read, by the error of the system. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? `cannot be read${code && ` (${code})`}`;
}

const REASONS: Readonly<Record<string, string>> = { ENOENT: "does not exist", EISDIR: "is a folder, not a file" };

/** As reports print a path: relative to the working directory, with forward slashes. */
export const shown = (path: string, cwd: string): string =>
  toSlashes(path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : relative(cwd, path)) || ".";

/** A path with forward slashes. */
export const toSlashes = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"));

/** A path of core, which has forward slashes, as the system writes it. */
export const fromSlashes = (path: string): string => (sep === "/" ? path : path.replaceAll("/", sep));

export interface FoundConfig {
  readonly config: Config;
  /** Folder that the globs of its overrides start from. */
  readonly folder: string;
  /** Absolute; `undefined` where there is no configuration. */
  readonly path?: string;
  /** Every file that it was made of, with its text. */
  readonly sources?: Sources;
}

type Sources = (readonly [path: string, text: string])[];

/** Finds the configuration of a folder. */
export type ConfigFinder = (folder: string) => Promise<FoundConfig>;

/** Finds and reads configurations: the one named on the command line for every file, or the nearest above each. */
export function configFinder(
  named: string | undefined,
  cwd: string,
  plugins?: ConfigFiles["plugins"],
  { noted, staged }: Reading = {},
): ConfigFinder {
  const read = async (path: string): Promise<FoundConfig> => {
    const { readConfig } = await import("@vmlint/core/config");
    const folder = dirname(path);
    noted?.(path);
    const text = readText(path, staged);
    const sources: Sources = [[path, text]];
    const found = (file: string, content: string) => sources.push([file, content]);
    const beside = { ...filesBeside(path, plugins, { found, noted, staged }), isTrusted: named !== undefined };
    return { config: await readConfig(text, shown(path, cwd), beside), folder, path, sources };
  };
  const readFound = async (path: string): Promise<FoundConfig> => {
    if (isFile(path, staged)) return read(path);
    const what = existsSync(path) ? "no file" : "a link that leads nowhere";
    throw new VmlintError("CONFIG_INVALID", `${shown(path, cwd)} is ${what}: vmlint looks for its configuration there.`);
  };
  const known = new Map<string, Promise<FoundConfig>>();
  const nearest = (folder: string): Promise<FoundConfig> => {
    const seen = known.get(folder);
    if (seen) return seen;
    const path = configIn(folder, staged);
    const parent = dirname(folder);
    const found =
      path !== undefined ? readFound(path) : parent === folder ? Promise.resolve({ config: EMPTY_CONFIG, folder: cwd }) : nearest(parent);
    known.set(folder, found);
    return found;
  };
  if (named === undefined) return nearest;
  const path = resolve(cwd, named);
  if (!existsSync(path) && !staged?.has(path)) throw new VmlintError("CONFIG_INVALID", `${named} does not exist.`);
  const only = read(path);
  return () => only;
}

export interface Reading {
  /** Told of the path of each file that is to be read. */
  readonly noted?: ((path: string) => void) | undefined;
  readonly staged?: Staged | undefined;
}

interface ReadingBeside extends Reading {
  /** Told of each file that was read, with its text. */
  readonly found?: (file: string, text: string) => void;
}

/** Reads what a configuration names. */
export function filesBeside(path: string, plugins?: ConfigFiles["plugins"], { found, noted, staged }: ReadingBeside = {}): ConfigFiles {
  const folder = dirname(path);
  return {
    ...(plugins && { plugins }),
    read: async (file) => {
      noted?.(resolve(folder, file));
      const text = readText(resolve(folder, file), staged);
      found?.(file, text);
      return text;
    },
    root: async () => {
      const { isRoot } = await import("@vmlint/core/config");
      for (let at = folder; at !== dirname(at); ) {
        at = dirname(at);
        const above = configIn(at, staged);
        if (above !== undefined && isRoot(readText(above, staged), above)) return toSlashes(relative(folder, above));
      }
      return undefined;
    },
  };
}

/** Whether it is worth a look what plugins a configuration names. One that is not there is for its own reader to miss. */
export const mayNamePlugins = (path: string): boolean => existsSync(path) && /\bplugins\b/.test(readText(path));

/** The configuration that lies in a folder; one that cannot be read, too. */
export function configIn(folder: string, staged?: Staged): string | undefined {
  const isThere = (name: string, path: string) =>
    name === "package.json"
      ? isFile(path, staged) && holdsConfig(name, readText(path, staged))
      : staged?.has(path) || statsBy(lstatSync, path) !== undefined;
  const name = CONFIG_NAMES.find((one) => isThere(one, join(folder, one)));
  return name && join(folder, name);
}

export const baselinePath = ({ config, folder }: FoundConfig): string => resolve(folder, config.baseline ?? BASELINE);

/** Whether a path is a folder or lies in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** The path that an override's globs are matched against. */
export const pathInConfig = ({ folder }: FoundConfig, path: string): string => toSlashes(relative(folder, path));
