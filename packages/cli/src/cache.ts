import { createHash, hash as hashAtOnce } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Diagnostic, type Files, type LintedFile, type LintResult, type Skip, VERSION, type WithoutVm } from "@vmlint/core";
import { buildId } from "./build-id.ts";
import { usage } from "./command-output.ts";
import type { Io } from "./io.ts";
import { isFile, shownPath, statsOf, toSlashes } from "./read-files.ts";
import { makeFolder, nameBeside } from "./write-file.ts";

/** The result of an earlier run on a text, before suppressions. */
export interface CachedResult extends Pick<LintResult, "diagnostics" | "skipped" | "foreign" | "withheld" | "ran"> {
  readonly vmCount: number;
  /** The hosts of its VMs; see `hostKeys` of core. Cross-VM rules ask for the VMs themselves. */
  readonly hosts: readonly (string | null)[];
  /** Whether the text may hide findings by itself. */
  readonly silences: boolean;
}

/** One file of a project that was read as a unit. */
export interface CachedFile extends Omit<CachedResult, "foreign">, Pick<LintedFile, "path" | "isSecret"> {
  /** The other files that its findings lead to. */
  readonly others: readonly string[];
}

/** Files that refer to each other, as they were when they were read. */
export interface CachedProject {
  readonly files: readonly CachedFile[];
  /** The variables that they declare, where values were given to some. */
  readonly variables: readonly string[];
  readonly withoutVm: readonly WithoutVm[];
  /** All folders that were read, each with a key of the configuration that applied to its files. */
  readonly folders: readonly (readonly [folder: string, against: string])[];
}

/** One earlier answer about a sibling file: a hash of its content, or empty if the file was missing. */
type Reply = readonly [kind: Kind, path: string, answer: string];

/** The sibling files that a result depends on. */
type Reads = readonly Reply[];

type Kind = Exclude<keyof Files, "share">;

/** Files, with every read of them so far. */
export interface Watched {
  readonly files: Files;
  readonly asked: () => Reads;
}

/** Everything that a file's result depends on, except the content of files. */
export interface About {
  /** The path in reports. */
  readonly name: string;
  /** The name of its format. */
  readonly format: string;
  /** Stands for what it is checked against. */
  readonly against: string;
}

/** A file that stands alone, as it was when it was read. */
interface Subject extends About {
  /** A hash of its bytes. */
  readonly content: string;
  readonly stamp: Stamp | null;
}

/** The result of a file that was checked before, or a place for a new one. */
interface FoundResult {
  readonly kept?: CachedResult | undefined;
  /** The files to read while the file is checked; the result is then given to `keep`. */
  readonly files?: Files;
  readonly keep?: (kept: CachedResult) => void;
}

/** Results of files that stand alone, from earlier runs or from other threads. */
export interface FileResults {
  readonly hash: (content: string | Uint8Array) => string;
  /** Finds the result of a file. It reads the file only if it may have changed. */
  readonly find: (about: About, path: string, read: () => Uint8Array, files: Files) => FoundResult;
}

/** The size and times of a file. While these are equal, so is the content. */
type Stamp = readonly [size: number, mtimeMs: number, ctimeMs: number, ino: number];

/** Results of earlier runs, with their dependencies. */
export interface Cache extends FileResults {
  readonly watch: (files: Files) => Watched;
  readonly findProject: (name: string, key: string, files: Files) => CachedProject | undefined;
  readonly keepProject: (name: string, key: string, asked: Reads, project: CachedProject) => void;
  /** Replaces the cache file in one step if this run has new results. */
  readonly save: () => void;
}

/** The file that is written into the working directory. */
const NAME = ".vmlint-cache";

/** How the file begins, however it is laid out. */
const FAMILY = "vmlint-cache-";

/** The first word of the file. It changes with the layout of the file. */
const FORM = `${FAMILY}6`;

/**
 * For how many milliseconds before a run a file must have been left alone: two changes in one step of the file system's clock look
 * like one. FAT's steps are the longest, of two seconds (Microsoft, "File Times").
 */
const SETTLED = 3000;

/** 132 bits identify any texts that were not crafted to collide. */
export const hash = (content: string | Uint8Array): string => sha256(content).slice(0, 22);

/** Since 20.12, Node hashes in one call, without the objects of a stream. */
const sha256: (content: string | Uint8Array) => string = hashAtOnce
  ? (content) => hashAtOnce("sha256", content, "base64")
  : (content) => createHash("sha256").update(content).digest("base64");

/** Findings without the parts that many share, and the number of the skipped checks. */
interface Packed {
  readonly diagnostics: readonly Omit<Diagnostic, "evidence" | "docsUrl">[];
  readonly skipped: number;
}

type PackedFile = Omit<CachedFile, keyof Packed> & Packed;

/** The stored result of a file. It refers to shared parts by number. */
interface Entry extends Omit<Subject, "against"> {
  readonly against: number;
  readonly result: number;
  readonly asked?: readonly number[] | undefined;
}

type ProjectEntry = readonly [
  name: string,
  key: string,
  files: readonly PackedFile[],
  asked: readonly number[],
  variables: readonly string[],
  folders: CachedProject["folders"],
  withoutVm: readonly WithoutVm[],
];

/** The file's content. Parts that many entries share are stored once and referred to by number. */
interface Stored {
  /** The build of vmlint and the release of Node. Another build may report different findings. */
  readonly by: string;
  readonly skips: (readonly Skip[])[];
  /** The texts that all findings of a rule share, by rule. */
  readonly pages: Record<string, Pick<Diagnostic, "evidence" | "docsUrl">>;
  readonly against: string[];
  readonly asked: Reply[];
  readonly results: (Omit<CachedResult, keyof Packed> & Packed)[];
  readonly files: readonly Entry[];
  readonly projects: readonly ProjectEntry[];
}

/** Opens the cache of a working directory: the default file, the given file, or a file in the given folder. `build` names these sources. */
export function openCache(location: string | undefined, io: Io, build = buildId()): Cache {
  const settled = Date.now() - SETTLED;
  const path = placeOf(location, io.cwd);
  const by = [VERSION, build, process.version, io.cwd].join("\n");
  const found = read(path, by);
  if (found === FOREIGN && location !== undefined)
    throw usage(`--cache-location: ${shownPath(path, io.cwd)} exists and is not a cache of vmlint. Name another file or a folder.`);
  const stored = (found !== FOREIGN && found) || { by, skips: [], pages: {}, against: [], asked: [], results: [], files: [], projects: [] };
  const files = new Map(stored.files.map((entry) => [entry.name, entry]));
  const projects = new Map(stored.projects.map((entry) => [entry[0], entry]));
  const touched = new Set<string>();
  const [pack, unpack] = packing(stored);
  const made: CachedResult[] = [];
  const answerOf = answering(path);
  const isSame = asksAgain(stored.asked, answerOf);
  const numbersOf = numbering(stored.asked);
  let isNew = false;
  const keep = ({ name, format, against, content, stamp }: Subject, asked: Reads, kept: CachedResult): void => {
    // Most files are checked against the same as the one before.
    const number = against === stored.against.at(-1) ? stored.against.length - 1 : stored.against.push(against) - 1;
    const result = stored.results.push(pack(kept)) - 1;
    files.set(name, { name, format, against: number, content, stamp, result, asked: asked.length > 0 ? numbersOf(asked) : undefined });
    isNew = true;
  };
  return {
    hash,
    watch: (from) => watch(from, answerOf),
    find: (about, at, readNow, from) => {
      const { name, format, against } = about;
      touched.add(name);
      const stamp = stampOf(at, settled);
      const entry = files.get(name);
      const isAsked = entry?.format === format && stored.against[entry.against] === against;
      const known = isAsked && (!entry.asked || isSame(entry.asked, from)) ? entry : undefined;
      if (!known || !isEqual(known.stamp, stamp)) {
        const content = hash(readNow());
        if (known?.content !== content) {
          const watched = watch(from, answerOf);
          return { files: watched.files, keep: (kept) => keep({ ...about, content, stamp }, watched.asked(), kept) };
        }
        files.set(name, { ...known, stamp });
        isNew ||= stamp !== null;
      }
      const kept = made[known.result] ?? unpack(stored.results[known.result] as Stored["results"][number]);
      made[known.result] = kept;
      return { kept };
    },
    findProject: (name, key, from) => {
      const [, before, known = [], asked, variables = [], folders = [], withoutVm = []] = projects.get(name) ?? [];
      return before === key && asked && isSame(asked, from) ? { files: known.map(unpack), variables, folders, withoutVm } : undefined;
    },
    keepProject: (name, key, asked, { files: kept, variables, folders, withoutVm }) => {
      projects.set(name, [name, key, kept.map(pack), numbersOf(asked), variables, folders, withoutVm]);
      isNew = true;
    },
    save: () => {
      if (!isNew) return;
      // An entry from another run remains while its file exists.
      for (const name of files.keys()) if (!touched.has(name) && !existsSync(resolve(io.cwd, name))) files.delete(name);
      const failure = write(path, compacted({ ...stored, files: [...files.values()], projects: [...projects.values()] }));
      if (failure !== undefined)
        io.err(`vmlint: ${shownPath(path, io.cwd)} is not written (${failure}): the next run checks everything again.\n`);
    },
  };
}

function placeOf(location: string | undefined, cwd: string): string {
  if (location === undefined) return join(cwd, NAME);
  const path = resolve(cwd, location);
  const isFolder = /[\\/]$/.test(location) || (existsSync(path) && statSync(path).isDirectory());
  return isFolder ? join(path, `${hash(cwd).replaceAll(/[+/]/g, "_")}${NAME}`) : path;
}

/**
 * Returns `null` for a file that changed so recently that a second change could have the same times. The system sets the time of
 * the last change, and programs cannot.
 */
function stampOf(path: string, settled: number): Stamp | null {
  const stats = statsOf(path);
  if (!stats || stats.mtimeMs > settled || stats.ctimeMs > settled) return null;
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

const isEqual = (a: Stamp | null, b: Stamp | null): boolean =>
  a !== null && b !== null && a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];

type Answer = (kind: Kind, path: string, files: Files) => string;

/** The first run creates the cache in its folder. This does not count as a change of the folder. */
function answering(cache: string): Answer {
  const folder = toSlashes(dirname(cache));
  const own = basename(cache);
  const listed = (path: string, names: readonly string[]) => JSON.stringify(path === folder ? names.filter((name) => name !== own) : names);
  return (kind, path, files) => {
    const answer = kind === "list" ? listed(path, files.list(path)) : files[kind]?.(path);
    return answer === undefined ? "" : hash(answer);
  };
}

type ReadsByName = Map<string, Reply>;

/** Values computed once for all readers of the same files, with the reads that they depend on. */
const shared = new WeakMap<Files, WeakMap<object, Map<string, { readonly value: unknown; readonly asked: ReadsByName }>>>();

function watch(files: Files, answerOf: Answer): Watched {
  let asked: ReadsByName = new Map();
  const note = (kind: Kind, path: string): void => {
    const name = `${kind} ${path}`;
    if (!asked.has(name)) asked.set(name, [kind, path, answerOf(kind, path, files)]);
  };
  const finders = shared.get(files) ?? new WeakMap();
  shared.set(files, finders);
  const share = <T>(finder: object, key: string, find: () => T): T => {
    const found = finders.get(finder) ?? new Map();
    finders.set(finder, found);
    if (!found.has(key)) {
      const before = asked;
      asked = new Map();
      try {
        found.set(key, { value: find(), asked });
      } finally {
        asked = before;
      }
    }
    const known = found.get(key);
    for (const [name, one] of known.asked) asked.set(name, one);
    return known.value;
  };
  const { real } = files;
  return {
    files: {
      share,
      read: (path) => {
        note("read", path);
        return files.read(path);
      },
      list: (path) => {
        note("list", path);
        return files.list(path);
      },
      ...(real && {
        real: (path) => {
          note("real", path);
          return real(path);
        },
      }),
    },
    asked: () => [...asked.values()],
  };
}

/** Returns a function that checks whether all recorded reads still give the same answers. It checks each read once. */
function asksAgain(all: readonly Reply[], answerOf: Answer): (asked: readonly number[], files: Files) => boolean {
  const known = new Map<Files, Map<number, boolean>>();
  return (asked, files) => {
    const answers = known.get(files) ?? new Map<number, boolean>();
    known.set(files, answers);
    return asked.every((number) => {
      const isSame = answers.get(number) ?? isAnswered(all[number], answerOf, files);
      answers.set(number, isSame);
      return isSame;
    });
  };
}

const isAnswered = (one: Reply | undefined, answerOf: Answer, files: Files): boolean =>
  one !== undefined && answerOf(one[0], one[1], files) === one[2];

/** Returns a function that numbers reads. A read that several results share keeps its number. */
function numbering(all: Reply[]): (asked: Reads) => readonly number[] {
  const numbers = new Map<Reply, number>();
  const numberOf = (one: Reply): number => {
    const number = numbers.get(one) ?? all.push(one) - 1;
    numbers.set(one, number);
    return number;
  };
  return (asked) => asked.map(numberOf);
}

/** A file with other content, which the cache must not replace. */
const FOREIGN = "foreign";

/** Returns `undefined` if the file is missing, incomplete or from another build. */
function read(path: string, by: string): Stored | typeof FOREIGN | undefined {
  try {
    // A pipe or a device would be read for ever.
    if (!isFile(path)) return existsSync(path) ? FOREIGN : undefined;
    const text = readFileSync(path, "utf8");
    if (text !== "" && !text.startsWith(FAMILY)) return FOREIGN;
    const end = text.indexOf("\n");
    const content = text.slice(end + 1);
    if (text.slice(0, end) !== headOf(content)) return undefined;
    const stored: Stored = JSON.parse(content);
    return stored.by === by ? stored : undefined;
  } catch {
    return undefined;
  }
}

const headOf = (content: string): string => `${FORM} ${hash(content)}`;

/** Returns the reason if the file cannot be written. */
function write(path: string, stored: Stored): string | undefined {
  const content = JSON.stringify(stored);
  const part = nameBeside(path);
  try {
    makeFolder(dirname(path));
    writeFileSync(part, `${headOf(content)}\n${content}`);
    renameSync(part, path);
    return undefined;
  } catch (error) {
    if (existsSync(part)) rmSync(part, { force: true });
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

const NO_PAGE: Pick<Diagnostic, "evidence" | "docsUrl"> = { evidence: null, docsUrl: "" };

/** Moves what findings share into the tables, and back. */
function packing({ skips, pages }: Stored) {
  const pack = <T extends Pick<CachedResult, keyof Packed>>({ diagnostics, skipped, ...rest }: T) => ({
    ...rest,
    diagnostics: diagnostics.map(({ evidence, docsUrl, ...one }) => {
      pages[one.ruleId] = { evidence, docsUrl };
      return one;
    }),
    skipped: skips.push(skipped) - 1,
  });
  const unpack = <T extends Packed>({ diagnostics, skipped, ...rest }: T) => ({
    ...rest,
    diagnostics: diagnostics.map((one): Diagnostic => {
      const { evidence, docsUrl } = pages[one.ruleId] ?? NO_PAGE;
      return { ...one, evidence, docsUrl };
    }),
    skipped: skips[skipped] ?? [],
  });
  return [pack, unpack] as const;
}

/** Returns the cache with each part once, and without unused parts. */
function compacted(stored: Stored): Stored {
  const skips = renumbered(stored.skips);
  const against = renumbered(stored.against);
  const asked = renumbered(stored.asked);
  const withSkips = <T extends Packed>(one: T): T => ({ ...one, skipped: skips.of(one.skipped) });
  const results = renumbered(stored.results, withSkips);
  return {
    ...stored,
    files: stored.files.map((one) => ({
      ...one,
      against: against.of(one.against),
      result: results.of(one.result),
      asked: one.asked?.map(asked.of),
    })),
    projects: stored.projects.map(([name, key, files, replies, ...rest]) => [
      name,
      key,
      files.map(withSkips),
      replies.map(asked.of),
      ...rest,
    ]),
    skips: skips.all,
    against: against.all,
    asked: asked.all,
    results: results.all,
  };
}

/** Returns a function that gives parts new numbers. Parts with the same JSON get the same number. */
function renumbered<T>(old: readonly T[], change: (one: T) => T = (one) => one) {
  const numbers = new Map<number, number>();
  const byText = new Map<string, number>();
  const all: T[] = [];
  const numberOf = (one: T): number => {
    const text = JSON.stringify(one);
    const number = byText.get(text) ?? all.push(one) - 1;
    byText.set(text, number);
    return number;
  };
  return {
    all,
    of: (number: number): number => {
      const known = numbers.get(number) ?? numberOf(change(old[number] as T));
      numbers.set(number, known);
      return known;
    },
  };
}
