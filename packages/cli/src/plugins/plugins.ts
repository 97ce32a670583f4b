import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Rule } from "@vmlint/core";
import { type Plugin, rulesOf } from "@vmlint/core/plugins";
import { rules as ours, printable, VmlintError } from "@vmlint/core/program";
import { type ErrnoException, moduleResolve } from "import-meta-resolve";
import { isVmlintError } from "../args/command-output.ts";
import { readText, shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { runRule } from "../run/running-rule.ts";
import { provideCore } from "./plugin-core.ts";

/** The rules that plugins bring to a run. */
export interface Plugins {
  readonly rules: readonly Rule[];
  /** Ours and theirs, by id. */
  readonly allRules: readonly Rule[];
  /** Whether a plugin has failed, including its unfinished asynchronous work. */
  readonly haveFailed: () => Promise<boolean>;
}

/** A plugin from the command line or a configuration. */
interface Named {
  readonly word: string;
  /** The folder that paths and packages are resolved from. */
  readonly folder: string;
}

/** The plugins of the command line and of its configuration file. */
interface NamedBy {
  readonly plugin?: readonly string[] | undefined;
  readonly config?: string | undefined;
}

/** Loads the plugins from the command line and from a named configuration. Their code runs inside vmlint. */
export async function loadPlugins({ plugin = [], config }: NamedBy, io: Io): Promise<Plugins> {
  const named = plugin.map((word): Named => ({ word, folder: io.cwd }));
  if (config !== undefined) {
    const { pluginsIn } = await import("@vmlint/core/config");
    const path = resolve(io.cwd, config);
    if (existsSync(path))
      named.push(...pluginsIn(readText(path), shownPath(path, io.cwd)).map((word) => ({ word, folder: dirname(path) })));
  }
  const files = new Map(named.map((one) => fileOf(one, io.cwd)));
  provideCore();
  const failures = new Set<string>();
  const fails = (what: string, error: unknown): void => {
    const words = `${what}: ${wordOf(error, [...files.keys()])}`;
    if (!failures.has(words)) io.err(`vmlint: ${printable(words)}.\n`);
    failures.add(words);
  };
  // Otherwise Node ends the run with its own message, and no report is written.
  hear((error) => fails(`a task of plugin ${[...files.values()].join(" or ")} failed`, error));
  const rules = rulesOf(
    await Promise.all([...files].map(([file, name]) => load(file, name))),
    (rule, name, error) => fails(`rule ${rule.id} failed. This is a bug in its plugin ${name}. The run continues without the rule`, error),
    (rule, name, check) => runRule(`rule ${rule.id} of plugin ${name}`, check),
  );
  const haveFailed = async (): Promise<boolean> => {
    await new Promise((resume) => void setImmediate(resume));
    return failures.size > 0;
  };
  return { rules, allRules: [...ours, ...rules].sort((a, b) => (a.id < b.id ? -1 : 1)), haveFailed };
}

/** Calls a function with every unhandled asynchronous error. */
function hear(tell: (error: unknown) => void): void {
  process.on("unhandledRejection", tell).on("uncaughtException", tell);
}

/** A path begins as one, so that no file that happens to lie around is taken for a package, nor the other way round. */
const PATH = /^(\.{0,2}[\\/]|[a-z]:[\\/])/i;

/** The module of a plugin, and how messages name it. */
function fileOf({ word, folder }: Named, cwd: string): readonly [file: string, name: string] {
  if (PATH.test(word)) {
    const file = resolve(folder, word);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return [file, shownPath(file, cwd)];
    throw invalid(`plugin ${word}: there is no file ${shownPath(file, cwd)}: write the path of the module file.`);
  }
  try {
    return [packageFile(word, folder), word];
  } catch (cause) {
    const where = folder === cwd ? "this folder" : shownPath(folder, cwd);
    // Node's own words name the file that is missing, or what the package does not export.
    if (isThere(word, folder)) throw invalid(`plugin ${word}, installed for ${where}, has no module to load: ${wordOf(cause)}.`, cause);
    const asPath = existsSync(resolve(folder, word)) ? `, or write ./${word} for the file` : "";
    throw invalid(`plugin ${word}: no such package is installed for ${where}: install it there${asPath}.`, cause);
  }
}

/** Resolves a package by `import`, or by `require` if it has no ES modules. */
function packageFile(word: string, folder: string): string {
  const find = (how: string): string =>
    fileURLToPath(moduleResolve(word, pathToFileURL(join(folder, "package.json")), new Set(["node", how])));
  try {
    return find("import");
  } catch (error) {
    if ((error as ErrnoException).code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
    return find("require");
  }
}

/** Whether a folder, or one above it, has a package of that name, or of the name that a path into it begins with. */
function isThere(word: string, folder: string): boolean {
  const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(word) ?? [];
  return existsSync(join(folder, "node_modules", name)) || (dirname(folder) !== folder && isThere(word, dirname(folder)));
}

async function yamlExports(file: string, name: string): Promise<unknown> {
  const { yamlRules } = await import("./yaml-rules.ts");
  try {
    return yamlRules(readText(file), name);
  } catch (cause) {
    if (isVmlintError(cause)) throw cause;
    throw invalid(`plugin ${name} is not YAML: ${printable(wordOf(cause))}.`, cause);
  }
}

async function load(file: string, name: string): Promise<Plugin> {
  if (/\.ya?ml$/i.test(file)) return { name, exports: await yamlExports(file, name) };
  try {
    return { name, exports: await unlessNeverDone(import(pathToFileURL(file).href)) };
  } catch (cause) {
    if (isVmlintError(cause)) throw invalid(`plugin ${name}: ${printable(cause.message)}`, cause);
    throw invalid(`plugin ${name} cannot be loaded: ${printable(wordOf(cause, [file]))}.`, cause);
  }
}

/** Node ends without a word, as after a run that passed, where a module awaits what never comes. */
async function unlessNeverDone<T>(module: Promise<T>): Promise<T> {
  let end = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(new Error("it waits for a promise that never settles"));
  });
  process.once("beforeExit", end);
  return Promise.race([module, ended]).finally(() => process.off("beforeExit", end));
}

/**
 * Returns an error as a sentence, with the place in a plugin that threw it. A thrown value may be anything, and reading its
 * message may fail.
 */
function wordOf(error: unknown, files: readonly string[] = []): string {
  try {
    if (!(error instanceof Error)) return String(error);
    const places = files.flatMap((file) => [`${pathToFileURL(file).href}:`, `${file}:`]);
    const frame = (error.stack ?? "").split("\n").find((line) => /^ +at /.test(line) && places.some((place) => line.includes(place)));
    return `${error.name}: ${error.message}${frame === undefined ? "" : ` (${frame.trim().replace("file://", "")})`}`;
  } catch {
    return "an error without words";
  }
}

const invalid = (message: string, cause?: unknown): VmlintError => new VmlintError("PLUGIN_INVALID", message, { cause });
