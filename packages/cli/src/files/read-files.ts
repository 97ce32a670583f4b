import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, type Stats, statSync } from "node:fs";
import { relative, sep } from "node:path";
import { decodeVmx, type ReadBytes, VmlintError } from "@vmlint/core/program";

/** Files with staged content that differs from the disk. The staged content is checked. */
export interface Staged {
  /** Absolute, where links lead. */
  readonly paths: readonly string[];
  /** Whether a file is staged, also through a link to its folder. */
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => Uint8Array | undefined;
  /** Returns the names of staged files in a folder. */
  readonly list: (folder: string) => readonly string[];
}

/** Larger than nearly every file: those are read into one buffer, one after another, instead of each into its own. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** The longest text of V8 has 2^29 - 24 characters (Node 20): a larger file cannot become one. */
const MOST_FILE_BYTES = 500_000_000;

/** The bytes of a file, valid until the next one is read. */
export const readBytes = (path: string): Uint8Array => opened(path, (file) => readShort(file) ?? readOn(file));

/** Opens a file, passes it to `use` and closes it. */
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

/** Refuses a file as Node refuses one of 2 GiB. */
function checkSize(size: number): void {
  if (size > MOST_FILE_BYTES) throw Object.assign(new Error("too large"), { code: "ERR_FS_FILE_TOO_LARGE" });
}

/** All of a file that the shared buffer holds; of another, it then holds the beginning. */
function readShort(file: number): Uint8Array | undefined {
  const length = readSync(file, shared, 0, shared.length, null);
  return length < shared.length ? shared.subarray(0, length) : undefined;
}

/** Reads the rest of a file whose beginning is in the shared buffer. If the file grows meanwhile, the new part is not read. */
function readOn(file: number): Uint8Array {
  const { size } = fstatSync(file);
  checkSize(size);
  // Files in /proc and the like have no size.
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

/**
 * Decodes like a TextDecoder, which is slower to create in Node. The byte order mark is not part of the text, as in an editor.
 */
function decodeUtf8({ buffer, byteOffset, length }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, length).toString();
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Returns the stats of a path after following links, or `undefined` if it does not exist. */
export const statsOf = (path: string): Stats | undefined => statsBy(statSync, path);

function statsBy(look: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A link in a circle, or a folder that is not ours to look into.
  }
}

/** Returns another text for a file that was changed or replaced; `undefined` if it does not exist. */
export function versionOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return undefined;
  }
}

/** Whether something is at a path, be it a link that leads nowhere. */
export const isThere = (path: string): boolean => statsBy(lstatSync, path) !== undefined;

/** Whether a path is a regular file. Pipes and devices may be endless. */
export const isFile = (path: string, staged?: Staged): boolean => staged?.has(path) || (statsOf(path)?.isFile() ?? false);

/** The text of a file, in UTF-16 too: PowerShell redirects to that. */
export const readText = (path: string, staged?: Staged): string => decodeVmx(staged?.read(path) ?? readBytes(path), decode);

/** The text of a file that is read in one go, as nearly every one is; undefined for a larger one. */
export function shortText(path: string): string | undefined {
  const bytes = opened(path, readShort);
  return bytes && decodeVmx(bytes, decode);
}

/** The overlap of two adjacent parts in bytes. It keeps every word that identifies a format complete in one part. */
const OVERLAP = 1024;

/** Yields the text of a large file in parts. */
export function* partsOf(path: string): Iterable<string> {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    checkSize(fstatSync(file).size);
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

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EISDIR: "is a folder, not a file",
  ERR_FS_FILE_TOO_LARGE: "is larger than 500 MB",
};

/** Returns a path for reports: relative to the working directory, with forward slashes. */
export const shownPath = (path: string, cwd: string): string =>
  toSlashes(path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : relative(cwd, path)) || ".";

/** The signs of a pattern. */
export const GLOB = /[*?{}[\]!]/;

/** A path with forward slashes. */
export const toSlashes = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"));

/** A path of core, which has forward slashes, as the system writes it. */
export const fromSlashes = (path: string): string => (sep === "/" ? path : path.replaceAll("/", sep));

export interface Reading {
  /** Called with the path of each file before it is read. */
  readonly noted?: ((path: string) => void) | undefined;
  readonly staged?: Staged | undefined;
}

/** Whether a path is the folder itself or is inside it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Ignores unreadable files. A later run reports them. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
