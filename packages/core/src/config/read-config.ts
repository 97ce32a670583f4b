import type { Range } from "../model/source.ts";
import { readTemplates } from "./assumptions.ts";
import { type Config, EMPTY_CONFIG } from "./config.ts";
import { type ConfigFiles, type Layer, parseLayer, readLayer, readLayers } from "./layers.ts";
import { dumpNamed, hostWords, merge, OWN_FILE } from "./merge-config.ts";
import { inOrder, losesItsEntry, type Mistake, raise, sentence, whyNotRead } from "./mistakes.ts";
import { isPreset } from "./schema.ts";

export type { ConfigFiles } from "./layers.ts";

/** Like parseConfig, for a configuration that names files: other configurations (`extends:`) or host dumps (`from:`). */
export async function readConfig(text: string, path: string, files: ConfigFiles): Promise<Config> {
  return (await readWithLayers(text, path, files)).config;
}

/** The usable parts of a configuration, and a sentence for each error, `path:line:column: message`. */
export interface UsableConfig {
  readonly config: Config;
  readonly mistakes: readonly string[];
}

/**
 * Like readConfig, but an error in a rule or a suppression only loses that entry. Throws on all others: a VM would get the wrong host,
 * workload or value without them.
 */
export async function readUsableConfig(text: string, path: string, files: ConfigFiles): Promise<UsableConfig> {
  const mistakes: Mistake[] = [];
  const { config } = await layersAndConfig(text, path, files, mistakes);
  if (!mistakes.every(losesItsEntry)) raise(mistakes);
  return { config, mistakes: inOrder(mistakes).map(sentence) };
}

/** An error with its range. */
export interface ConfigProblem {
  readonly range: Range;
  readonly message: string;
}

/** A configuration during editing: its usable values and all errors. */
export interface TypedConfig {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
}

/** Like readConfig, but returns errors instead of throwing. */
export async function readConfigTyped(text: string, path: string, files: ConfigFiles): Promise<TypedConfig> {
  const lineEnd = (start: number): number => start + text.slice(start).search(/[\r\n]|$/);
  const problemAt = (offset: number, message: string): ConfigProblem => ({ range: [offset, lineEnd(offset)], message });
  const mistakes: Mistake[] = [];
  try {
    const { config, layers } = await layersAndConfig(text, path, files, mistakes);
    // Errors in another file appear at the entry of `extends:` that leads to it.
    const problemOf = (mistake: Mistake): ConfigProblem =>
      mistake.path === path
        ? problemAt(mistake.offset, mistake.message)
        : problemAt(layers.find((layer) => layer.path === mistake.path)?.namedAt ?? 0, sentence(mistake));
    return { config, problems: inOrder(mistakes).map(problemOf) };
  } catch (error) {
    return { config: EMPTY_CONFIG, problems: [problemAt(0, error instanceof Error ? error.message : String(error))] };
  }
}

/** The plugins that the main file names. */
export const pluginsIn = (text: string, path: string): readonly string[] => readLayer(text, path).raw.plugins ?? [];

interface WithLayers {
  readonly config: Config;
  /** The files of the configuration, which show the source of each value. */
  readonly layers: readonly Layer[];
}

/** Throws CONFIG_INVALID on any error. */
export async function readWithLayers(text: string, path: string, files: ConfigFiles): Promise<WithLayers> {
  const mistakes: Mistake[] = [];
  const result = await layersAndConfig(text, path, files, mistakes);
  raise(mistakes);
  return result;
}

async function layersAndConfig(text: string, path: string, configFiles: ConfigFiles, mistakes: Mistake[]): Promise<WithLayers> {
  const layers = await readLayers(text, path, configFiles, mistakes);
  checkPlugins(layers, configFiles);
  const files = layers.flatMap(({ raw, resolve }) => Object.values(raw.hosts ?? {}).map(({ from }) => from && resolve(from)));
  const modules = layers.flatMap((layer) =>
    hostWords(layer).flatMap((word) => {
      const dump = dumpNamed(word);
      return dump ? [{ ...dump, file: layer.resolve(dump.plain) }] : [];
    }),
  );
  const dumps = [...new Set([...files.filter((file) => file !== undefined), ...modules.map(({ plain }) => plain)])];
  const { plugins } = configFiles;
  const templates = await readTemplates(layers, configFiles);
  await checkVarFiles(layers, configFiles);
  if (dumps.length === 0) return { config: merge(layers, mistakes, { plugins, templates }), layers };
  // A separate entry point: most configurations do not use dumps.
  const { importHost } = await import("../hosts/index.ts");
  const descriptions = new Set(modules.flatMap(({ plain, isText }) => (isText ? plain : [])));
  const placeOf = new Map(modules.map(({ plain, file }) => [plain, file]));
  const textOf = async (file: string): Promise<string | Error> =>
    descriptions.has(file) ? file : configFiles.read(placeOf.get(file) ?? file).catch((error: unknown) => error as Error);
  const readDump = async (file: string) => [file, await textOf(file)] as const;
  const texts = new Map(await Promise.all(dumps.map(readDump)));
  return { config: merge(layers, mistakes, { plugins, dumps: { importHost, texts }, templates }), layers };
}

/** A misspelt file would leave its values unknown without a word. */
async function checkVarFiles(layers: readonly Layer[], configFiles: ConfigFiles): Promise<void> {
  for (const { raw, resolve, report } of layers) {
    for (const [i, file] of (raw.varFiles ?? []).entries()) {
      const text = await configFiles.read(resolve(file)).catch((error: unknown) => error as Error);
      if (typeof text !== "string") report(["varFiles", i], whyNotRead(file, text));
    }
  }
}

/**
 * Returns the configuration in the text of a `vmlint.yaml`. Throws CONFIG_INVALID with `path:line:column`, problem and remedy for each
 * error: a half-read configuration would not check what its author intends.
 */
export function parseConfig(text: string, path: string): Config {
  const mistakes: Mistake[] = [];
  const layer = parseLayer(text, path, mistakes);
  for (const [i, entry] of (layer.raw.extends ?? []).entries()) {
    if (!isPreset(entry)) layer.report(["extends", i], `${entry} is ${OWN_FILE}`);
  }
  checkPlugins([layer]);
  const config = merge([layer], mistakes);
  raise(mistakes);
  return config;
}

/** A plugin is code, so a configuration that vmlint finds on its own must not load one. */
function checkPlugins(layers: readonly Layer[], { plugins, isTrusted = false }: Partial<ConfigFiles> = {}): void {
  if (plugins === "ignored") return;
  for (const layer of layers.filter(({ raw }) => raw.plugins !== undefined)) {
    const refuse = (origin: string) => layer.report(["plugins"], `plugins: loads code, so it works ${origin}`, true);
    if (!isTrusted) refuse(`only if the command line names the configuration (--config ${layer.path}) or each plugin (--plugin NAME).`);
    else if (layer !== layers.at(-1)) refuse("only in the file that --config names, not in one it extends: write it there.");
  }
}

/** Whether a configuration sets `root: true`, the target of `extends: [root]`. */
export function isRoot(text: string, path: string): boolean {
  return /\broot\b/.test(text) && readLayer(text, path).raw.root === true;
}
