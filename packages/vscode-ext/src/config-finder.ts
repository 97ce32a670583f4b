import { BASELINE, CONFIG_NAMES, type Config, EMPTY_CONFIG, holdsConfig } from "@vmlint/core";
import type { ConfigFiles, ConfigProblem as Problem } from "@vmlint/core/config";
import { type ConfigOfFolder, openBaseline, spansIn } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import { Diagnostic, Uri, workspace } from "vscode";
import { rangeAt } from "./locate.ts";
import { readFile } from "./read-file.ts";

/** The configuration a folder's files are checked by and the folder its globs start from. */
export interface FoundConfig {
  readonly config: Config;
  readonly folder: Uri;
  /** `undefined`: there is none. */
  readonly file: Uri | undefined;
  readonly baseline?: ConfigOfFolder["baseline"];
}

/** The error in a configuration that cannot be read. */
export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly file: Uri;
  readonly problems: readonly Diagnostic[];
  constructor(file: Uri, problems: readonly Diagnostic[]) {
    super(problems.map(({ message }) => message).join("\n"));
    this.file = file;
    this.problems = problems;
  }
}

export interface ConfigFinder {
  /**
   * Finds the nearest configuration, in this folder or above, within the readable folders. Rejects with a ConfigProblem if its
   * text is invalid.
   */
  readonly find: (folder: Uri) => Promise<FoundConfig>;
  /** The files that a configuration may refer to. */
  readonly filesOf: (config: Uri) => ConfigFiles;
  /** Whether a configuration or a file that one named, as they were last read, is this one or in this folder. */
  readonly isRead: (uri: Uri) => boolean;
  /** Call this when a configuration file was changed, created or deleted. */
  readonly forget: () => void;
}

/** Finds the configuration of documents, and remembers the answers for folders whose changes can be watched. */
export function configFinder(): ConfigFinder {
  const known = new Map<string, Promise<FoundConfig>>();
  const read = new Map<string, Uri>();
  const filesOf = (config: Uri) => filesBeside(config, topOf(Uri.joinPath(config, "..")), read);
  return {
    find(folder) {
      const none = { config: EMPTY_CONFIG, folder, file: undefined };
      if (folder.scheme === "untitled") return Promise.resolve(none);
      const look = () =>
        nearest(folder, topOf(folder)).then(async (found) => {
          if (found) read.set(found.file.toString(), found.file);
          const by = found ? await parse(found.file, found.text, filesOf(found.file)) : none;
          return { ...by, baseline: await knownBy(by, found ? by.folder : folderAround(folder), topOf(folder), read) };
        });
      if (!workspace.getWorkspaceFolder(folder)) return look();
      const found = known.get(folder.toString()) ?? look();
      known.set(folder.toString(), found);
      return found;
    },
    filesOf,
    isRead: (uri) => [...read.values()].some((file) => file.toString() === uri.toString() || isBelow(file, uri)),
    forget() {
      known.clear();
      read.clear();
    },
  };
}

/** Returns the configuration file that applies to a document, or `undefined` if no readable one exists. */
export async function configFileOf(configs: ConfigFinder, uri: Uri): Promise<Uri | undefined> {
  if (uri.scheme === "untitled") return undefined;
  return configs.find(Uri.joinPath(uri, "..")).then(
    ({ file }) => file,
    () => undefined,
  );
}

/** Returns the enclosing workspace folder, or the folder itself outside of a workspace. */
const folderAround = (folder: Uri): Uri => workspace.getWorkspaceFolder(folder)?.uri ?? folder;

/**
 * The schemes of local disks. On any other file system, the folders above may belong to other people, and reading them would
 * query their server.
 */
const DISKS = ["file", "vscode-remote"];

/** Returns the topmost folder that may be read. Only a trusted workspace may read files outside of its own folder. */
const topOf = (folder: Uri): Uri =>
  workspace.isTrusted && DISKS.includes(folder.scheme) ? folder.with({ path: "/" }) : folderAround(folder);

interface ConfigFile {
  readonly file: Uri;
  readonly text: string;
}

/** The configuration nearest to a folder that is one. */
async function nearest(
  start: Uri,
  top: Uri,
  isOne: (text: string, name: string) => boolean | Promise<boolean> = () => true,
): Promise<ConfigFile | undefined> {
  for (let folder = start; ; folder = Uri.joinPath(folder, "..")) {
    for (const name of CONFIG_NAMES) {
      const file = Uri.joinPath(folder, name);
      const text = await readIfThere(file);
      if (text === undefined || !holdsConfig(name, text)) continue;
      if (await isOne(text, name)) return { file, text };
      break;
    }
    // Above the root of a disk is that root: on Windows "/c:/", which is longer than any top.
    if (folder.path.length <= top.path.length || Uri.joinPath(folder, "..").path === folder.path) return undefined;
  }
}

/** Each file system reports a missing file with its own error, so every error is treated as a missing file. */
async function readIfThere(file: Uri): Promise<string | undefined> {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}

async function parse(file: Uri, text: string, files: ConfigFiles): Promise<FoundConfig> {
  // The YAML reader is the larger half of the bundle, so it is loaded only with a configuration to read.
  const { readConfigTyped } = await import("@vmlint/core/config");
  const { config, problems } = await readConfigTyped(text, nameOf(file.path), files);
  if (problems.length === 0) return { config, folder: Uri.joinPath(file, ".."), file };
  throw new ConfigProblem(file, configDiagnostics(text, problems));
}

/**
 * Returns the baseline of a configuration, or the default baseline of a folder without one. Returns `undefined` if the file is
 * missing.
 */
async function knownBy(
  { config: { baseline = BASELINE }, file: config }: FoundConfig,
  folder: Uri,
  top: Uri,
  seen: Map<string, Uri>,
): Promise<FoundConfig["baseline"]> {
  const file = baseline.startsWith("/") ? folder.with({ path: baseline }) : Uri.joinPath(folder, baseline);
  seen.set(file.toString(), file);
  const problemIn = (of: Uri, text: string, message: string) =>
    new ConfigProblem(of, configDiagnostics(text, [{ range: [0, 0], message }]));
  // Without the baseline, old findings would be shown as new ones.
  if (config && !isBelow(file, top)) {
    const why = workspace.isTrusted ? "" : ", which is not trusted";
    throw problemIn(config, "", `${baseline} is not read: it lies outside of the workspace${why}.`);
  }
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return openBaseline(text, file.path, file.path.slice(file.path.lastIndexOf("/") + 1));
  } catch (error) {
    throw problemIn(file, text, (error as Error).message);
  }
}

function filesBeside(config: Uri, top: Uri, seen: Map<string, Uri>): ConfigFiles {
  const folder = Uri.joinPath(config, "..");
  return {
    // An editor opens what others wrote, and runs no code of theirs.
    plugins: "ignored",
    async read(path) {
      const file = path.startsWith("/") ? config.with({ path }) : Uri.joinPath(folder, path);
      if (!isBelow(file, top)) throw new Error("outside of the workspace");
      seen.set(file.toString(), file);
      return readFile(file);
    },
    async root() {
      if (folder.path.length <= top.path.length) return undefined;
      const { isRoot } = await import("@vmlint/core/config");
      const found = await nearest(Uri.joinPath(folder, ".."), top, isRoot);
      return found && `${"../".repeat(depthBelow(folder, Uri.joinPath(found.file, "..")))}${nameOf(found.file.path)}`;
    },
  };
}

const isBelow = ({ path }: Uri, top: Uri): boolean => path.startsWith(slashed(top.path));

/** A folder with a slash behind it, as the root of a disk has one already. */
const slashed = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

/** How many folders lie between one and another above it. */
const depthBelow = ({ path }: Uri, above: Uri): number => path.split("/").length - above.path.replace(/\/$/, "").split("/").length;

/** Returns the problems of a configuration as diagnostics in its text. */
export function configDiagnostics(text: string, problems: readonly Problem[]): Diagnostic[] {
  const find = spansIn(text);
  return problems.flatMap(({ range, message }) => {
    const span = find({ range });
    const problem = span && new Diagnostic(rangeAt(span), message);
    if (problem) problem.source = "vmlint";
    return problem ?? [];
  });
}

/** The path of a document that a configuration's globs are matched against. */
export const pathBelow = (folder: Uri, { path }: Uri): string =>
  path.startsWith(slashed(folder.path)) ? path.slice(slashed(folder.path).length) : path.replace(/^\//, "");
