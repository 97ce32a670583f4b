import { createHash, hash as hashAtOnce } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Diagnostic, type Files, type LintedFile, type LintResult, type Skip, VERSION } from "@vmlint/core";
import { isFile, shown } from "./files.ts";
import type { Io } from "./io.ts";

/** What an earlier run found in a text, before anything was hidden. */
export interface Kept extends Pick<LintResult, "diagnostics" | "skipped" | "foreign"> {
  readonly vmCount: number;
  /** Whether one of the VMs has a host: rules over several VMs and pictures then ask for the VMs themselves. */
  readonly hosts: boolean;
  /** Whether the text may hide findings by itself. */
  readonly silences: boolean;
}

/** One file of those that were read as one. */
export interface KeptFile extends Pick<LintedFile, "path" | "diagnostics" | "skipped" | "isSecret"> {
  readonly vmCount: number;
  /** The other files that its findings lead to. */
  readonly others: readonly string[];
}

/** What of the files around it a result depends on: each with a hash of what was there, empty for what was not. */
type Asked = readonly (readonly [kind: keyof Files, path: string, answer: string])[];

/** Files, and all that was asked of them so far. */
export interface Watched {
  readonly files: Files;
  readonly asked: () => Asked;
}

/** Results of earlier runs. A key stands for all that a result depends on besides what was asked of `Files`. */
export interface Cache {
  readonly hash: (content: string | Uint8Array) => string;
  readonly watch: (files: Files) => Watched;
  readonly find: (path: string, key: string, files: Files) => Kept | undefined;
  readonly keep: (path: string, key: string, asked: Asked, kept: Kept) => void;
  readonly findProject: (name: string, key: string, files: Files) => readonly KeptFile[] | undefined;
  readonly keepProject: (name: string, key: string, asked: Asked, files: readonly KeptFile[]) => void;
  /** Replaces the file in one step, where this run has found something else than it holds. */
  readonly save: () => void;
}

/** The file that is written into the working directory. */
const NAME = ".vmlint-cache";

/** The first word of the file; another one where it is laid out in another way. */
const FORM = "vmlint-cache-1";

/** 132 bits: enough to tell any texts apart that nobody made to be alike. */
const hash = (content: string | Uint8Array): string => sha256(content).slice(0, 22);

/** Node has it in one step, without the objects of a stream, since 20.12. */
const sha256: (content: string | Uint8Array) => string = hashAtOnce
  ? (content) => hashAtOnce("sha256", content, "base64")
  : (content) => createHash("sha256").update(content).digest("base64");

type Shared = Omit<Diagnostic, "evidence" | "docsUrl">;

/** Findings with what many of them share left out, and the number of the checks that were skipped. */
interface Packed {
  readonly diagnostics: readonly Shared[];
  readonly skipped: number;
}

/** The file's content. What many entries share stands in it once, and is named by its number. */
interface Stored {
  /** What made it, and where: another build of vmlint, or Node's, may find something else. */
  readonly by: string;
  readonly skips: readonly (readonly Skip[])[];
  /** By rule, what all of its findings say. */
  readonly pages: Readonly<Record<string, Pick<Diagnostic, "evidence" | "docsUrl">>>;
  readonly results: readonly (Omit<Kept, keyof Packed> & Packed)[];
  readonly files: readonly (readonly [path: string, key: string, result: number, asked?: Asked])[];
  readonly projects: readonly (readonly [
    name: string,
    key: string,
    files: readonly (Omit<KeptFile, keyof Packed> & Packed)[],
    asked: Asked,
  ])[];
}

const EMPTY: Stored = { by: "", skips: [], pages: {}, results: [], files: [], projects: [] };

interface Entry<T> {
  readonly key: string;
  readonly asked: Asked | undefined;
  readonly kept: () => T;
}

/** The cache of a working directory: a file in it, the one that is named, or one for it in the folder that is named. */
export function openCache(location: string | undefined, io: Io): Cache {
  const path = placeOf(location, io.cwd);
  const by = [VERSION, readFileSync(join(__dirname, "build.id"), "utf8"), process.version, io.cwd].join("\n");
  const stored = read(path, by);
  const { files: known, projects } = entriesOf(stored);
  const touched = new Set<string>();
  let isNew = false;

  const answers = new Map<string, string>();
  const isSame = ({ asked }: Entry<unknown>, files: Files): boolean =>
    !asked ||
    asked.every(([kind, about, answer]) => {
      const name = `${kind} ${about}`;
      const now = answers.get(name) ?? answerOf(kind, about, files);
      answers.set(name, now);
      return now === answer;
    });
  const find = <T>(entries: Map<string, Entry<T>>, name: string, key: string, files: Files): T | undefined => {
    touched.add(name);
    const entry = entries.get(name);
    return entry?.key === key && isSame(entry, files) ? entry.kept() : undefined;
  };
  const keep = <T>(entries: Map<string, Entry<T>>, name: string, key: string, asked: Asked, kept: T): void => {
    entries.set(name, { key, asked, kept: () => kept });
    isNew = true;
  };

  return {
    hash,
    watch,
    find: (name, key, files) => find(known, name, key, files),
    keep: (name, key, asked, kept) => keep(known, name, key, asked, kept),
    findProject: (name, key, files) => find(projects, name, key, files),
    keepProject: (name, key, asked, kept) => keep(projects, name, key, asked, kept),
    save: () => {
      if (!isNew) return;
      // What another run looked at is kept as long as there is such a file.
      for (const name of known.keys()) if (!touched.has(name) && !existsSync(resolve(io.cwd, name))) known.delete(name);
      const failure = write(path, pack(by, known, projects));
      if (failure !== undefined)
        io.err(`vmlint: ${shown(path, io.cwd)} is not written (${failure}): the next run checks everything again.\n`);
    },
  };
}

function placeOf(location: string | undefined, cwd: string): string {
  if (location === undefined) return join(cwd, NAME);
  const path = resolve(cwd, location);
  const isFolder = /[\\/]$/.test(location) || (existsSync(path) && statSync(path).isDirectory());
  return isFolder ? join(path, `${hash(cwd).replaceAll(/[+/]/g, "_")}${NAME}`) : path;
}

function answerOf(kind: Asked[number][0], path: string, files: Files): string {
  const answer = files[kind]?.(path);
  return answer === undefined ? "" : hash(typeof answer === "string" ? answer : JSON.stringify(answer));
}

function watch(files: Files): Watched {
  const asked = new Map<string, Asked[number]>();
  const note = (kind: Asked[number][0], path: string): void => {
    const name = `${kind} ${path}`;
    if (!asked.has(name)) asked.set(name, [kind, path, answerOf(kind, path, files)]);
  };
  const { real } = files;
  return {
    files: {
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

/** Nothing where there is no such file, where another program or build wrote it, or where a part of it was lost. */
function read(path: string, by: string): Stored {
  try {
    // A pipe or a device would be read for ever.
    if (!isFile(path)) return EMPTY;
    const text = readFileSync(path, "utf8");
    const end = text.indexOf("\n");
    const content = text.slice(end + 1);
    if (text.slice(0, end) !== headOf(content)) return EMPTY;
    const stored: Stored = JSON.parse(content);
    return stored.by === by ? stored : EMPTY;
  } catch {
    return EMPTY;
  }
}

const headOf = (content: string): string => `${FORM} ${hash(content)}`;

/** Gives back why not, where it cannot be written. */
function write(path: string, stored: Stored): string | undefined {
  const content = JSON.stringify(stored);
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(part, `${headOf(content)}\n${content}`);
    renameSync(part, path);
    return undefined;
  } catch (error) {
    if (existsSync(part)) rmSync(part, { force: true });
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function entriesOf({ skips, pages, results, files, projects }: Stored) {
  const whole = <T extends Packed>({ diagnostics, skipped, ...rest }: T) => ({
    ...rest,
    diagnostics: diagnostics.map((one): Diagnostic => ({ ...one, ...(pages[one.ruleId] ?? NO_PAGE) })),
    skipped: skips[skipped] ?? [],
  });
  const made = new Map<number, Kept>();
  const keptOf = (number: number): Kept => {
    const kept = made.get(number) ?? whole(results[number] as Stored["results"][number]);
    made.set(number, kept);
    return kept;
  };
  return {
    files: new Map(files.map(([path, key, result, asked]): [string, Entry<Kept>] => [path, { key, asked, kept: () => keptOf(result) }])),
    projects: new Map(
      projects.map(([name, key, of, asked]): [string, Entry<readonly KeptFile[]>] => [name, { key, asked, kept: () => of.map(whole) }]),
    ),
  };
}

const NO_PAGE: Pick<Diagnostic, "evidence" | "docsUrl"> = { evidence: null, docsUrl: "" };

function pack(by: string, files: ReadonlyMap<string, Entry<Kept>>, projects: ReadonlyMap<string, Entry<readonly KeptFile[]>>): Stored {
  const pages: Record<string, Pick<Diagnostic, "evidence" | "docsUrl">> = {};
  const skips = numbered<readonly Skip[]>();
  const results = numbered<Stored["results"][number]>();
  const packed = <T extends Pick<Kept, keyof Packed>>({ diagnostics, skipped, ...rest }: T) => ({
    ...rest,
    diagnostics: diagnostics.map(({ evidence, docsUrl, ...shared }) => {
      pages[shared.ruleId] = { evidence, docsUrl };
      return shared;
    }),
    skipped: skips.of(skipped),
  });
  const storedFiles = [...files].map(([path, { key, asked, kept }]): Stored["files"][number] => {
    const number = results.of(packed(kept()));
    return asked && asked.length > 0 ? [path, key, number, asked] : [path, key, number];
  });
  const storedProjects = [...projects].map(([name, { key, asked = [], kept }]) => [name, key, kept().map(packed), asked] as const);
  return { by, skips: skips.all, pages, results: results.all, files: storedFiles, projects: storedProjects };
}

/** Gives the same number to what is written in the same way. */
function numbered<T>() {
  const numbers = new Map<string, number>();
  const all: T[] = [];
  return {
    all,
    of: (one: T): number => {
      const text = JSON.stringify(one);
      const number = numbers.get(text) ?? all.push(one) - 1;
      numbers.set(text, number);
      return number;
    },
  };
}
