import { type Config, decodeVmx, EMPTY_CONFIG } from "@vmlint/core";
import { Diagnostic, Range, Uri, workspace } from "vscode";

/** In the order of preference, as on the command line. */
const NAMES = ["vmlint.yaml", "vmlint.yml", "vmlint.json"];

/** Matches every configuration file of a workspace. */
export const CONFIG_GLOB = `**/{${NAMES.join(",")}}`;

/** Whether a file is a configuration, by its name. */
export const isConfig = ({ path }: Uri): boolean => NAMES.some((name) => path.endsWith(`/${name}`));

/** The configuration a folder's files are checked by and the folder its globs start from. */
export interface FoundConfig {
  readonly config: Config;
  readonly folder: Uri;
}

/** What is wrong with a configuration that cannot be read. */
export class ConfigProblem extends Error {
  override readonly name = "ConfigProblem";
  readonly file: Uri;
  readonly problem: Diagnostic;
  constructor(file: Uri, problem: Diagnostic) {
    super(problem.message);
    this.file = file;
    this.problem = problem;
  }
}

export interface ConfigFinder {
  /** Looks from a folder up to the workspace folder; outside a workspace, in the folder alone. Rejects with a ConfigProblem. */
  readonly find: (folder: Uri) => Promise<FoundConfig>;
  /** To be called when a configuration file has changed, appeared or gone. */
  readonly forget: () => void;
}

/** Finds the configuration of documents, and remembers the answers for folders whose changes can be watched. */
export function configFinder(): ConfigFinder {
  const known = new Map<string, Promise<FoundConfig>>();
  return {
    find(folder) {
      const none = { config: EMPTY_CONFIG, folder };
      if (folder.scheme === "untitled") return Promise.resolve(none);
      const top = workspace.getWorkspaceFolder(folder)?.uri;
      if (!top) return nearest(folder, folder).then((found) => found ?? none);
      const found = known.get(folder.toString()) ?? nearest(folder, top).then((config) => config ?? none);
      known.set(folder.toString(), found);
      return found;
    },
    forget: () => known.clear(),
  };
}

async function nearest(start: Uri, top: Uri): Promise<FoundConfig | undefined> {
  for (let folder = start; ; folder = Uri.joinPath(folder, "..")) {
    for (const name of NAMES) {
      const file = Uri.joinPath(folder, name);
      const bytes = await readIfThere(file);
      if (bytes) return parse(file, top, name, new TextDecoder().decode(bytes));
    }
    if (folder.path.length <= top.path.length || folder.path === "/") return undefined;
  }
}

/** Every file system has its own error for a file that is not there, so any failure counts as that. */
async function readIfThere(file: Uri): Promise<Uint8Array | undefined> {
  try {
    return await workspace.fs.readFile(file);
  } catch {
    return undefined;
  }
}

async function parse(file: Uri, top: Uri, name: string, text: string): Promise<FoundConfig> {
  const folder = Uri.joinPath(file, "..");
  try {
    // The YAML reader is the larger half of the bundle: it starts only where there is something to read.
    const { readConfig } = await import("@vmlint/core/config");
    const read = (path: string) => readDump(Uri.joinPath(folder, path), top);
    // An editor opens what others wrote, and runs no code of theirs.
    return { config: await readConfig(text, name, { read, plugins: "ignored" }), folder };
  } catch (error) {
    throw new ConfigProblem(file, problemOf(text, name, error instanceof Error ? error.message : String(error)));
  }
}

/** Opening a folder is no leave to read outside of it, whatever a file in it asks for. */
async function readDump(dump: Uri, top: Uri): Promise<string> {
  if (!dump.path.startsWith(`${top.path.replace(/\/$/, "")}/`)) throw new Error("outside of the workspace");
  return decodeVmx(await workspace.fs.readFile(dump), (bytes, label) => new TextDecoder(label).decode(bytes));
}

/** `path:line:column: message` as a diagnostic that reaches to the end of its line; on the first line where another file is wrong. */
function problemOf(text: string, name: string, words: string): Diagnostic {
  const place = words.startsWith(`${name}:`) ? /^[^:]*:(\d+):(\d+): (.*)$/s.exec(words) : null;
  const [, line = "1", column = "1", message = words] = place ?? [];
  const row = Number(line) - 1;
  const length = text.split(/\r\n|\r|\n/)[row]?.length ?? 0;
  const problem = new Diagnostic(new Range(row, Number(column) - 1, row, length), message);
  problem.source = "vmlint";
  return problem;
}

/** The path of a document that a configuration's globs are matched against. */
export const pathBelow = (folder: Uri, { path }: Uri): string =>
  path.startsWith(`${folder.path}/`) ? path.slice(folder.path.length + 1) : path.replace(/^\//, "");
