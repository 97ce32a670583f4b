import { type Dirent, readdirSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { type FormatEntry, formatsOf, getOrInsert, hint, NEVER_ENTERED, searchedFormatsOf, VmlintError } from "@vmlint/core/program";
import { usage } from "../args/command-output.ts";
import { COMMANDS } from "../args/options.ts";
import type { ConfigFinder } from "../run/disk-workspace.ts";
import { realOf } from "./disk.ts";
import { ignorer, isIgnored, type Rules, SPEAKING } from "./ignorer.ts";
import { GLOB, isWithin, type Staged, shownPath, statsOf, unreadable } from "./read-files.ts";
import { workspaceAround } from "./read-named.ts";

export interface Input {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  /** The formats that fit the file's name. Empty for a named file with an unknown ending; several if only the content decides. */
  readonly formats: readonly FormatEntry[];
  /** Asked for by its own name, not found in a folder. */
  readonly isNamed: boolean;
  /** The bytes from standard input or from the index of git. */
  readonly bytes?: Uint8Array | undefined;
  /** The file has unstaged changes, so the checked text differs from the file. */
  readonly isPartlyStaged?: true | undefined;
}

export interface FileRequest {
  readonly patterns: readonly string[];
  /** The format from --format-in, for every file. */
  readonly format?: FormatEntry | undefined;
  /** The name for standard input. It decides the format and the configuration. */
  readonly stdinName?: string | undefined;
  /** Finds configurations. Files that they ignore are skipped. */
  readonly findConfig: ConfigFinder;
  /** Check files that `.gitignore` excludes. */
  readonly noGitignore?: boolean | undefined;
  /** Files and folders that are ignored are left out though they are named. */
  readonly forceExclude?: boolean | undefined;
  /** Staged contents. They replace the files on disk. */
  readonly staged?: Staged | undefined;
  /** Filled with the names in each folder that is searched. */
  readonly listed?: Map<string, readonly string[]>;
  /** Receives paths that cannot be written as text. */
  readonly lost?: Set<string> | undefined;
  /** Whether --changed is set. A missing path may then be meant as its commit. */
  readonly changed?: boolean;
  /** Called with each unreadable path. Without it, an unreadable path ends the search. */
  readonly unlessLost?: UnlessLost;
}

/** Calls `use` on a path. If the path is unreadable, this reports it and returns `undefined`; for a named path it throws. */
export type UnlessLost = <T>(at: Pick<Input, "path" | "isNamed">, use: () => T) => T | undefined;

/** The pattern that means the standard input. */
export const STDIN = "-";

/**
 * Paths, folders, globs and "-" -> the files they mean, sorted, each once. Throws FILE_UNREADABLE for a path that is not
 * there. With a format, folders are searched for its endings alone.
 */
export async function findFiles(request: FileRequest, cwd: string, note: (sentence: string) => void): Promise<readonly Input[]> {
  const { patterns, format, stdinName, forceExclude = false, staged } = request;
  const inputs = new Map<string, Input>();
  const excluded: string[] = [];
  const searched: string[] = [];
  const { rulesOfNamed, enter, ignores } = ignorer(request, cwd);
  const named = (path: string, bytes?: Uint8Array): void => {
    inputs.set(path, { path, folder: dirname(path), formats: format ? [format] : formatsOf(path), isNamed: true, ...(bytes && { bytes }) });
  };
  const workspaces = new Map<string, readonly string[]>();
  /** Whether a link leads out of the repository of its folder, and out of the working directory. It is then not followed. */
  const isOutside = (path: string): boolean => {
    const folder = dirname(path);
    const real = realOf(path);
    const isIn = getOrInsert(workspaces, folder, () => workspaceAround(cwd, [folder])).some((top) => isWithin(real, top));
    if (!isIn) note(`${shownPath(path, cwd)} is not checked: the link leads out of the workspace`);
    return !isIn;
  };
  const lose = (path: string) => {
    request.lost?.add(path);
    note(`${shownPath(path, cwd)} is not checked: its name is not UTF-8`);
  };
  for (const pattern of patterns) {
    // Usually an unset variable of a script. An empty path would mean the current folder, which the caller did not name.
    if (pattern === "") throw usage('One of the paths is empty (""): leave it out, or write . for this folder.');
    const path = pattern === STDIN ? resolve(cwd, stdinName ?? STDIN) : resolve(cwd, pattern);
    const stats = pattern === STDIN ? undefined : statsOf(path);
    const isGone = !stats && staged?.has(path);
    const isThere = stats?.isDirectory() || stats?.isFile() || isGone || (pattern === STDIN && stdinName !== undefined);
    if (forceExclude && isThere && (await ignores(path, stats?.isDirectory() ?? false))) excluded.push(shownPath(path, cwd));
    else if (pattern === STDIN) named(path, await readStandardInput());
    else if (stats?.isDirectory()) {
      await walk(path, await rulesOfNamed(path), { request, enter, inputs, lose, isOutside });
      searched.push(realOf(path));
    } else if (stats?.isFile() || isGone) named(path);
    else if (stats) throw new VmlintError("FILE_UNREADABLE", `${pattern} is neither a file nor a folder. Use - to read stdin.`);
    else if (GLOB.test(pattern)) {
      const { glob } = await import("./glob.ts");
      const files = glob(pattern, cwd, isOutside);
      if (files.length === 0) note(`${pattern} matches no file`);
      for (const file of files) if (!(await ignores(file, false))) addFound(file, dirname(file), inputs, promised(file, format));
    } else
      throw new VmlintError(
        "FILE_UNREADABLE",
        `${pattern} does not exist.${request.changed ? ` If it is a commit, write --changed=${pattern}.` : commandNear(pattern)}`,
      );
  }
  // Staged files that are missing on disk.
  for (const path of staged?.paths ?? []) {
    if (!searched.some((folder) => isWithin(path, folder)) || statsOf(path) || (await ignores(path, false))) continue;
    addFound(path, dirname(path), inputs, promised(path, format));
  }
  if (excluded.length > 0) note(`not checked, since it is ignored: ${excluded.join(", ")}`);
  return [...inputs.keys()].sort().map((path) => inputs.get(path) as Input);
}

/** Advice for words that are not commands. */
const MEANT: Readonly<Record<string, string>> = {
  help: "vmlint --help prints the help.",
  version: "vmlint --version prints the version.",
  lint: "Checking needs no command: vmlint PATH.",
  check: "Checking needs no command: vmlint PATH.",
};

/** Returns advice for a missing path that resembles a command. */
export function commandNear(word: string): string {
  if (Object.hasOwn(MEANT, word)) return ` ${MEANT[word]}`;
  if (COMMANDS.includes(word)) return ` A command comes before the paths: vmlint ${word} ...`;
  return /^[a-z-]+$/i.test(word) ? hint(word, COMMANDS, (command) => `vmlint ${command}`) : "";
}

/** Adds a file from a folder if its name fits a format, unless it was named too. */
function addFound(path: string, folder: string, found: Map<string, Input>, formats: readonly FormatEntry[]): void {
  if (formats.length > 0 && !found.has(path)) found.set(path, { path, folder, formats, isNamed: false });
}

function promised(path: string, only: FormatEntry | undefined): readonly FormatEntry[] {
  const formats = formatsOf(path);
  return only ? formats.filter((format) => format === only) : formats;
}

/** The state that all searches of a run share. */
interface Search extends Pick<ReturnType<typeof ignorer>, "enter"> {
  readonly request: FileRequest;
  readonly inputs: Map<string, Input>;
  /** Receives paths that cannot be written as text. */
  readonly lose: (path: string) => void;
  readonly isOutside: (path: string) => boolean;
}

/** Symbolic links to folders are not followed: they may lead outside, or in a circle. */
async function walk(start: string, above: Rules, { request, enter, inputs, lose, isOutside }: Search): Promise<void> {
  const { format: only, listed, staged, unlessLost = (_, use) => use() } = request;
  const folders: (readonly [folder: string, rules: Rules])[] = [[start, above]];
  for (let next = folders.pop(); next; next = folders.pop()) {
    const [folder, outer] = next;
    const entries = unlessLost({ path: folder, isNamed: folder === start }, () => entriesOf(folder)) ?? [];
    listed?.set(
      folder,
      entries.map(({ name }) => name),
    );
    const speaking =
      folder === start ? [] : [...entries.map(({ name }) => name), ...(staged?.list(folder) ?? [])].filter((name) => SPEAKING.has(name));
    const rules = speaking.length > 0 ? await enter(outer, folder, speaking) : outer;
    for (const entry of entries) {
      const path = folder.endsWith(sep) ? folder + entry.name : folder + sep + entry.name;
      // A name that is no UTF-8 reads with U+FFFD, as which it may be that of another file, or of a pipe, which is never read to its end.
      const isOther = entry.isSymbolicLink() || entry.name.includes("\ufffd");
      const stats = () => (isOther ? statsOf(path) : entry);
      if (entry.isDirectory()) {
        if (NEVER_ENTERED.has(entry.name) || isIgnored(rules, path, true)) continue;
        if (stats()) folders.push([path, rules]);
        else lose(path);
        continue;
      }
      const formats = only ? promised(path, only) : searchedFormatsOf(path);
      if (formats.length === 0 || isIgnored(rules, path, false)) continue;
      if (entry.isSymbolicLink() && stats()?.isFile() && isOutside(path)) continue;
      if (stats()?.isFile()) addFound(path, folder, inputs, formats);
      else if (entry.isFile() && !stats()) lose(path);
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

/** It can be read once, and a comparison of hosts asks for it once for each. */
let standardInput: Promise<Uint8Array> | undefined;

/** Read as a stream, because another program may have made the descriptor non-blocking. */
export function readStandardInput(): Promise<Uint8Array> {
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
