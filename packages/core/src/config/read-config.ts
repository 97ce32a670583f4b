import type { Format, FormatEntry } from "../formats/format.ts";
import { entryNamed } from "../formats/index.ts";
import type { ImportVm } from "../importers/import-vm.ts";
import { Memo } from "../memo/memo.ts";
import { type Fix, renamed } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import type { Misspelling } from "../model/nearest.ts";
import type { Range } from "../model/source.ts";
import { readTemplates } from "./assumptions.ts";
import { type Config, EMPTY_CONFIG } from "./config.ts";
import { type ConfigFiles, type ConfigSources, type Layer, parseLayer, readLayer, readLayers, textOrError } from "./layers.ts";
import { lazyParts } from "./lazy-parts.ts";
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
  return withSources(files, (sources) => usableConfig(text, path, sources));
}

/** Like readUsableConfig, without waiting; with `isStrict`, each error throws. */
export function usableConfig(text: string, path: string, sources: ConfigSources, isStrict = false): UsableConfig {
  const mistakes: Mistake[] = [];
  const { config } = layersAndConfig(text, path, sources, mistakes);
  if (isStrict || !mistakes.every(losesItsEntry)) raise(mistakes);
  return { config, mistakes: inOrder(mistakes).map(sentence) };
}

/** An error with its range, and fixes of a misspelt name. */
export interface ConfigProblem {
  readonly range: Range;
  readonly message: string;
  readonly fixes?: readonly Fix[];
}

/** A configuration during editing: its usable values and all errors. */
export interface TypedConfig {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
}

/** Like readConfig, but returns errors instead of throwing. */
export async function readConfigTyped(text: string, path: string, files: ConfigFiles): Promise<TypedConfig> {
  return withSources(files, (sources) => typedConfig(text, path, sources)).catch((error) => failed(text, error));
}

/** Like readConfigTyped, without waiting. */
export function typedConfig(text: string, path: string, sources: ConfigSources): TypedConfig {
  const mistakes: Mistake[] = [];
  const { config, layers } = layersAndConfig(text, path, sources, mistakes);
  // Errors in another file appear at the entry of `extends:` that leads to it.
  const problemOf = (mistake: Mistake): ConfigProblem =>
    mistake.path === path
      ? problemAt(text, mistake.offset, mistake.message, mistake.misspelt)
      : problemAt(text, layers.find((layer) => layer.path === mistake.path)?.namedAt ?? 0, sentence(mistake));
  return { config, problems: inOrder(mistakes).map(problemOf) };
}

function problemAt(text: string, offset: number, message: string, misspelt?: Misspelling): ConfigProblem {
  const lineEnd = offset + text.slice(offset).search(/[\r\n]|$/);
  const at = misspelt ? text.slice(0, lineEnd).indexOf(misspelt.word, offset) : -1;
  const fixes = misspelt && at >= 0 ? misspelt.names.map((name) => renamed(name, [at, at + misspelt.word.length])) : [];
  return { range: [offset, lineEnd], message, fixes };
}

const failed = (text: string, error: unknown): TypedConfig => ({
  config: EMPTY_CONFIG,
  problems: [problemAt(text, 0, error instanceof Error ? error.message : String(error))],
});

/** Runs code that reads files without waiting, as soon as they are there. */
function withSources<T>(files: ConfigFiles, use: (sources: ConfigSources) => T): Promise<T> {
  const memo = new Memo();
  const { plugins, isTrusted = false } = files;
  const read = memo.input("read", (path) => files.read(path));
  const root = memo.input("root", () => files.root?.());
  const parts = lazyParts(memo);
  const loading = new Map<string, FormatEntry>();
  const load = memo.input("format", (name) => (loading.get(name) as FormatEntry).load());
  const format = (entry: FormatEntry): Format => load(loading.set(entry.name, entry) && entry.name);
  const answer = memo.query("config", () =>
    use({
      read,
      ...parts,
      format,
      isTrusted,
      root: () => root(""),
      ...(plugins && { plugins }),
    }),
  );
  return memo.settle(() => answer(""));
}

/** The plugins that the main file names. */
export const pluginsIn = (text: string, path: string): readonly string[] => readLayer(text, path).raw.plugins ?? [];

interface WithLayers {
  readonly config: Config;
  /** The files of the configuration, which show the source of each value. */
  readonly layers: readonly Layer[];
}

/** Throws CONFIG_INVALID on any error. */
export const readWithLayers = (text: string, path: string, files: ConfigFiles): Promise<WithLayers> =>
  withSources(files, (sources) => {
    const mistakes: Mistake[] = [];
    const result = layersAndConfig(text, path, sources, mistakes);
    raise(mistakes);
    return result;
  });

function layersAndConfig(text: string, path: string, sources: ConfigSources, mistakes: Mistake[]): WithLayers {
  const layers = readLayers(text, path, sources, mistakes);
  checkPlugins(layers, sources);
  const files = layers.flatMap(({ raw, resolve }) => Object.values(raw.hosts ?? {}).map(({ from }) => from && resolve(from)));
  const modules = layers.flatMap((layer) =>
    hostWords(layer).flatMap((word) => {
      const dump = dumpNamed(word);
      return dump ? [{ ...dump, file: layer.resolve(dump.plain) }] : [];
    }),
  );
  const dumps = [...new Set([...files.filter((file) => file !== undefined), ...modules.map(({ plain }) => plain)])];
  const { plugins, read } = sources;
  const templates = readTemplates(layers, sources);
  const imports = importOf(layers, sources);
  checkVarFiles(layers, read);
  if (dumps.length === 0) return { config: merge(layers, mistakes, { plugins, templates, imports }), layers };
  const placeOf = new Map(modules.map(({ plain, file }) => [plain, file]));
  const textOf = (file: string): string | Error => textOrError(read, placeOf.get(file) ?? file);
  const texts = new Map(dumps.map((file) => [file, textOf(file)] as const));
  const { importHost } = sources.hosts();
  return { config: merge(layers, mistakes, { plugins, dumps: { importHost, texts }, templates, imports }), layers };
}

/** Returns the import that `migrate:` of the last file names. */
function importOf(layers: readonly Layer[], sources: ConfigSources): ImportVm | undefined {
  const layer = layers.findLast(({ raw }) => raw.migrate !== undefined);
  if (!layer?.raw.migrate) return undefined;
  const { to, by } = layer.raw.migrate;
  const found = sources.importers().importNamed({ to, ...(by !== undefined && { by }) });
  if (!("problem" in found)) return found.open(sources.format(entryNamed(found.format)));
  layer.report(["migrate", "by"], found.problem);
  return undefined;
}

/** A misspelt file would leave its values unknown without a word. */
function checkVarFiles(layers: readonly Layer[], read: ConfigSources["read"]): void {
  for (const { raw, resolve, report } of layers) {
    for (const [i, file] of (raw.varFiles ?? []).entries()) {
      const text = textOrError(read, resolve(file));
      if (typeof text !== "string") report(["varFiles", i], whyNotRead(file, text));
    }
  }
}

/**
 * Returns the configuration in the text of a `vmlint.yaml`. Throws CONFIG_INVALID with `path:line:column`, problem and remedy for each
 * error: a half-read configuration would not check what its author intends.
 */
export function parseConfig(text: string, path: string): Config {
  if (typeof text !== "string" || typeof path !== "string")
    throw new VmlintError("USAGE", "parseConfig takes the text of a vmlint.yaml, and its path.");
  const mistakes: Mistake[] = [];
  const layer = parseLayer(text, path, mistakes);
  for (const [i, entry] of (layer.raw.extends ?? []).entries()) {
    if (!isPreset(entry)) layer.report(["extends", i], `${entry} is ${OWN_FILE}`);
  }
  checkPlugins([layer]);
  if (layer.raw.migrate)
    layer.report(["migrate"], "migrate: needs importers, which are loaded: read this configuration with readConfig.", true);
  const config = merge([layer], mistakes);
  raise(mistakes);
  return config;
}

/** A plugin is code, so a configuration that vmlint finds on its own must not load one. */
function checkPlugins(layers: readonly Layer[], { plugins, isTrusted = false }: Pick<ConfigFiles, "plugins" | "isTrusted"> = {}): void {
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
