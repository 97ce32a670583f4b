import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rules as ours, printable, type Rule, VmlintError } from "@vmlint/core";
import { type Plugin, rulesOf } from "@vmlint/core/plugins";
import { resolve as resolvePackage } from "import-meta-resolve";
import { readText, shown } from "./files.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";

/** The rules that plugins bring to a run. */
export interface Plugins {
  readonly rules: readonly Rule[];
  /** Ours and theirs, by id. */
  readonly all: readonly Rule[];
  /** Those that failed; filled while files are checked. */
  readonly failed: ReadonlySet<string>;
}

/** A plugin as the command line or a configuration names it. */
interface Named {
  readonly word: string;
  /** The folder that paths and packages are looked for from. */
  readonly folder: string;
}

/** Loads the plugins that the command line names, and those of a configuration that it names. Each runs as part of vmlint. */
export async function loadPlugins({ plugin = [], config }: Flags, io: Io): Promise<Plugins> {
  const named = plugin.map((word): Named => ({ word, folder: io.cwd }));
  if (config !== undefined) {
    const { pluginsIn } = await import("@vmlint/core/config");
    const path = resolve(io.cwd, config);
    if (existsSync(path)) named.push(...pluginsIn(readText(path), shown(path, io.cwd)).map((word) => ({ word, folder: dirname(path) })));
  }
  const files = new Map(named.map((one) => [fileOf(one, io.cwd), one.word]));
  const failed = new Set<string>();
  const rules = rulesOf(await Promise.all([...files].map(([file, word]) => load(file, word, io.cwd))), (rule, name, error) => {
    failed.add(rule.id);
    io.err(
      `vmlint: ${printable(`rule ${rule.id} failed, which is a fault of its plugin ${name}, and is left out from here on: ${wordOf(error)}`)}.\n`,
    );
  });
  return { rules, all: [...ours, ...rules].sort((a, b) => (a.id < b.id ? -1 : 1)), failed };
}

/** A path begins as one, so that no file that happens to lie around is taken for a package, nor the other way round. */
const PATH = /^(\.{0,2}[\\/]|[a-z]:[\\/])/i;

function fileOf({ word, folder }: Named, cwd: string): string {
  if (PATH.test(word)) {
    const file = resolve(folder, word);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    throw invalid(`plugin ${word}: there is no file ${shown(file, cwd)}: a path goes to the module itself.`);
  }
  try {
    return fileURLToPath(resolvePackage(word, pathToFileURL(join(folder, "package.json")).href));
  } catch (cause) {
    const asPath = existsSync(resolve(folder, word)) ? `, or write ./${word} for the file` : "";
    throw invalid(`plugin ${word}: no such package is installed for ${shown(folder, cwd)}: install it there${asPath}.`, cause);
  }
}

async function load(file: string, word: string, cwd: string): Promise<Plugin> {
  const name = PATH.test(word) ? shown(file, cwd) : word;
  try {
    return { name, exports: await unlessNeverDone(import(pathToFileURL(file).href)) };
  } catch (cause) {
    throw invalid(`plugin ${name} cannot be loaded: ${printable(wordOf(cause))}.`, cause);
  }
}

/** Node ends without a word, as after a run that passed, where a module awaits what never comes. */
async function unlessNeverDone<T>(module: Promise<T>): Promise<T> {
  let end = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(new Error("it awaits what never comes"));
  });
  process.once("beforeExit", end);
  return Promise.race([module, ended]).finally(() => process.off("beforeExit", end));
}

/** An error in a sentence, with where it was thrown. */
function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, frame] = /^ +at (?!.*node:)(.*)$/m.exec(error.stack ?? "") ?? [];
  return `${error.name}: ${error.message}${frame === undefined ? "" : ` (at ${frame.replace("file://", "")})`}`;
}

const invalid = (message: string, cause?: unknown): VmlintError => new VmlintError("PLUGIN_INVALID", message, { cause });
