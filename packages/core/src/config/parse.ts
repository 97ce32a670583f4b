import picomatch from "picomatch";
import type { ImportedHost, importHost, StatedHost } from "../hosts/index.ts";
import { parseEsxi } from "../model/esxi.ts";
import { type HostModel, invalidHost } from "../model/host.ts";
import { LineIndex, type Range } from "../model/source.ts";
import { isDate } from "../model/words.ts";
import { rules as builtinRules, isOurs } from "../rules/index.ts";
import { selects } from "../rules/presets.ts";
import { type Config, type Declared, findHost, type Override, type Runs } from "./config.ts";
import { type Asked, effectiveValues } from "./effective.ts";
import { POSIX } from "./globs.ts";
import { type ConfigFiles, type Layer, type Path, parseLayer, readLayers } from "./layers.ts";
import { processorsOf } from "./processors.ts";
import { hint, isPreset, type RawConfig } from "./schema.ts";

export type { Asked, Effective, Origin } from "./effective.ts";
export type { ConfigFiles } from "./layers.ts";

/** The dumps that a configuration names, and what reads them. */
interface Dumps {
  readonly importHost: typeof importHost;
  readonly texts: ReadonlyMap<string, string | Error>;
}

/** As parseConfig, for a configuration that names files: others to build on (`extends:`), or dumps of hosts (`from:`). */
export async function readConfig(text: string, path: string, given: ConfigFiles): Promise<Config> {
  return (await readWithLayers(text, path, given)).config;
}

/** What is wrong with a configuration, and where. */
export interface ConfigProblem {
  readonly range: Range;
  readonly message: string;
}

/** A configuration as it is typed: what it says, or what keeps it from being read. */
export async function readConfigTyped(
  text: string,
  path: string,
  given: ConfigFiles,
): Promise<{ readonly config: Config } | { readonly problem: ConfigProblem }> {
  try {
    return { config: await readConfig(text, path, given) };
  } catch (error) {
    return { problem: problemOf(text, path, error instanceof Error ? error.message : String(error)) };
  }
}

/** `path:line:column: message`, to the end of its line; on the first line where another file is wrong. */
function problemOf(text: string, path: string, words: string): ConfigProblem {
  const place = words.startsWith(`${path}:`) ? /^(\d+):(\d+): (.*)$/s.exec(words.slice(path.length + 1)) : null;
  const [, line = "1", column = "1", message = words] = place ?? [];
  const start = Math.min((new LineIndex(text).start(Number(line) - 1) ?? 0) + Number(column) - 1, text.length);
  return { range: [start, start + text.slice(start).search(/[\r\n]|$/)], message };
}

/** The plugins that a configuration names itself. */
export const pluginsIn = (text: string, path: string): readonly string[] => parseLayer(text, path).raw.plugins ?? [];

/** A configuration with the files it was made of, from which it is known who says what. */
async function readWithLayers(text: string, path: string, given: ConfigFiles): Promise<{ config: Config; layers: readonly Layer[] }> {
  const layers = await readLayers(text, path, given);
  checkPlugins(layers, given);
  const files = layers.flatMap(({ raw, resolve }) => Object.values(raw.hosts ?? {}).map(({ from }) => from && resolve(from)));
  const dumps = [...new Set(files.filter((file) => file !== undefined))];
  if (dumps.length === 0) return { config: merge(layers, given.plugins), layers };
  // An entry of its own: most configurations spell their hosts out.
  const { importHost } = await import("@vmlint/core/hosts");
  const read = async (file: string) => [file, await given.read(file).catch((error: unknown) => error as Error)] as const;
  return { config: merge(layers, given.plugins, { importHost, texts: new Map(await Promise.all(dumps.map(read))) }), layers };
}

/** What the VMs of a file are checked by, value by value, with who says so. */
export async function explainConfig(text: string, path: string, given: ConfigFiles) {
  const { config, layers } = await readWithLayers(text, path, given);
  return {
    config,
    /** The files, those that are extended first. */
    paths: layers.map((layer) => layer.path),
    valuesOf: (asked: Asked) => effectiveValues(config, layers, asked, given.plugins === "ignored" ? [] : given.plugins),
  };
}

/**
 * Text of a `vmlint.yaml` -> Config. Throws CONFIG_INVALID with `path:line:column`, what is wrong and what would be
 * right: a configuration that is half understood checks something else than its author thinks.
 */
export function parseConfig(text: string, path: string): Config {
  const layer = parseLayer(text, path);
  const file = layer.raw.extends?.findIndex((entry) => !isPreset(entry)) ?? -1;
  if (file >= 0) layer.fail(layer.offsetOf(["extends", file]), `${layer.raw.extends?.[file]} is ${OWN_FILE}`);
  checkPlugins([layer]);
  return merge([layer]);
}

/** A plugin is code: no configuration that merely lies beside the files may have it run. */
function checkPlugins(layers: readonly Layer[], { plugins, isTrusted = false }: Partial<ConfigFiles> = {}): void {
  if (plugins === "ignored") return;
  for (const layer of layers.filter(({ raw }) => raw.plugins !== undefined)) {
    const refuse = (where: string): never =>
      layer.fail(layer.offsetOf(["plugins"], true), `plugins: is code to be run, and counts ${where}`);
    if (!isTrusted) refuse(`only where the command line names the configuration (--config ${layer.path}) or each plugin (--plugin NAME).`);
    if (layer !== layers.at(-1)) refuse("only in the file that --config names, not in one it extends: write it there.");
  }
}

/** Whether a configuration says that it is the one which `extends: [root]` means. */
export function isRoot(text: string, path: string): boolean {
  return /\broot\b/.test(text) && parseLayer(text, path).raw.root === true;
}

const OWN_FILE = "a file of its own, which this reader of configurations does not open.";

/** One configuration of several files: of a value that two give, that of the later one counts; lists of rules and exceptions add up. */
function merge(layers: readonly Layer[], plugins?: ConfigFiles["plugins"], dumps?: Dumps): Config {
  const own = layers.at(-1) as Layer;
  const presets = layers.flatMap(({ raw }) => (raw.extends ?? []).filter(isPreset));
  const last = <K extends keyof RawConfig>(key: K): RawConfig[K] => layers.findLast(({ raw }) => raw[key] !== undefined)?.raw[key];
  const hosts = new Map<string, HostModel>();
  const imported = new Map<string, ImportedHost>();
  const runs: Runs[] = [];
  for (const layer of layers) {
    for (const [name, written] of Object.entries(layer.raw.hosts ?? {})) {
      if (layers.findLast(({ raw }) => raw.hosts && Object.hasOwn(raw.hosts, name)) !== layer) continue;
      const host = hostOf(layer, name, written, dumps);
      hosts.set(name, host.host);
      if (host.imported) imported.set(name, host.imported);
      if (written.runs) runs.push({ host: name, machine: `${layer.path}#${name}`, matches: picomatch(written.runs, POSIX) });
    }
  }
  const clusters: Readonly<Record<string, readonly string[]>> = Object.assign({}, ...layers.map(({ raw }) => raw.clusters));
  const ignored = layers.flatMap(({ raw }) => (raw.ignore ?? []).map((glob) => glob.replace(/^\.\//, "").replace(/\/$/, "")));
  const baseline = layers.findLast(({ raw }) => raw.baseline !== undefined);
  const config: Config = {
    hosts,
    imported,
    selects: selects(presets.length > 0 ? presets : undefined),
    rules: Object.assign({}, ...layers.map(({ raw }) => raw.rules)),
    overrides: layers.flatMap(overridesOf),
    runs,
    clusters: Object.values(clusters),
    ...(defined({ host: last("host"), workload: last("workload") }) as Pick<Config, "host" | "workload">),
    ...(baseline?.raw.baseline !== undefined && { baseline: baseline.resolve(baseline.raw.baseline) }),
    ...(ignored.length > 0 && { ignores: picomatch(ignored, POSIX) }),
  };
  const checkRule = ruleChecker(plugins);
  for (const layer of layers) checkNames(layer, config, checkRule);
  const entries = layers.map((layer) => suppressionsOf(layer, checkRule));
  if (entries.every((of) => of.length === 0)) return config;
  const below = entries.slice(0, -1).flat();
  return { ...config, suppress: { path: own.path, text: own.text, entries: entries.at(-1) ?? [], below } };
}

type RawHost = NonNullable<RawConfig["hosts"]>[string];

function hostOf(layer: Layer, name: string, written: RawHost, dumps: Dumps | undefined): { host: HostModel; imported?: ImportedHost } {
  const { esxi: version, from, snc, nps, cod, cpu, runs: _, ...rest } = written;
  const { fail } = layer;
  const at = (key: string) => layer.offsetOf(["hosts", name, key]);
  const esxi = version === undefined ? undefined : parseEsxi(version);
  if (version !== undefined && !esxi) fail(at("esxi"), `"${version}" is no ESXi version: write "6.7", "7.0" or "8.0 U2".`);
  if (from !== undefined) {
    const mode = Object.entries({ snc, nps, cod }).find(([, value]) => value !== undefined)?.[0];
    if (mode) fail(at(mode), `${mode} is read from the dump: write numaNodes where the dump does not say it.`);
    const stated = { ...defined({ ...rest, cpu }), ...(esxi && { esxi }) } as StatedHost;
    const imported = importedHost(name, from, layer.resolve(from), stated, dumps, (message) => fail(at("from"), message));
    return { host: imported.host, imported };
  }
  const processors = processorsOf({ ...rest, cpu, snc, nps, cod });
  if ("reason" in processors) return fail(at(processors.key), processors.reason(name));
  const host = { name, ...processors.fields, ...defined(rest), ...(esxi && { esxi }) } as HostModel;
  const wrong = invalidHost(host);
  if (wrong) fail(layer.offsetOf(["hosts", name]), `Host "${name}" cannot exist: ${wrong}.`);
  return { host };
}

function overridesOf({ raw }: Layer): readonly Override[] {
  return (raw.overrides ?? []).map(({ files, vms, ...rest }): Override => {
    const inFiles = files && picomatch(files, POSIX);
    const isVm = vms && picomatch(vms, POSIX);
    return { matches: (file, vm) => (inFiles?.(file) ?? true) && (isVm?.(vm) ?? true), ...(defined(rest) as Omit<Override, "matches">) };
  });
}

/** Says what is wrong with the name of a rule. */
type RuleChecker = (id: string) => string | undefined;

function ruleChecker(plugins: ConfigFiles["plugins"] = []): RuleChecker {
  const ids = [...builtinRules, ...(plugins === "ignored" ? [] : plugins)].map(({ id }) => id);
  return (id) => {
    if (ids.includes(id) || (plugins === "ignored" && !isOurs(id))) return undefined;
    return `There is no rule "${id}".${hint(id, ids)}${isOurs(id) ? "" : " One of a plugin is there when --plugin names the plugin."}`;
  };
}

/** The hosts and rules that a file names exist; a host may be declared in another file of the configuration. */
function checkNames({ raw, fail, offsetOf }: Layer, config: Config, checkRule: RuleChecker): void {
  const exception = raw.ignore?.findIndex((glob) => glob.startsWith("!")) ?? -1;
  if (exception >= 0) fail(offsetOf(["ignore", exception]), "ignore: has no exceptions: name what is to be left out.");
  const checkRules = (rules: Readonly<Record<string, unknown>> | undefined, at: Path) => {
    for (const id of Object.keys(rules ?? {})) {
      const wrong = checkRule(id);
      if (wrong !== undefined) fail(offsetOf([...at, id], true), wrong);
    }
  };
  const checkHost = (name: string | undefined, at: Path) => {
    const found = name === undefined ? undefined : findHost(name, config);
    if (found && "reason" in found) fail(offsetOf(at), `${found.reason}${found.nearest ? ` Did you mean "${found.nearest}"?` : ""}`);
  };
  checkRules(raw.rules, ["rules"]);
  checkHost(raw.host, ["host"]);
  for (const [name, members] of Object.entries(raw.clusters ?? {}))
    for (const [i, host] of members.entries()) checkHost(host, ["clusters", name, i]);
  for (const [i, { rules, host }] of (raw.overrides ?? []).entries()) {
    checkRules(rules, ["overrides", i, "rules"]);
    checkHost(host, ["overrides", i, "host"]);
  }
}

function suppressionsOf({ raw, fail, offsetOf, rangeOf }: Layer, checkRule: RuleChecker): readonly Declared[] {
  return (raw.suppress ?? []).map(({ rule, rules = [], vm, path: file, reason, until }, i): Declared => {
    const at = ["suppress", i];
    if (rule === undefined && rules.length === 0 && vm === undefined && file === undefined)
      fail(offsetOf(at), "This would suppress every finding: name rules, a vm or a path.");
    if (rule !== undefined && rules.length > 0) fail(offsetOf([...at, "rules"], true), "Write rule or rules, not both.");
    if (until !== undefined && !isDate(until)) fail(offsetOf([...at, "until"]), `"${until}" is no date: write 2026-12-31.`);
    const ids = rule === undefined ? rules : [rule];
    for (const [j, id] of ids.entries()) {
      const place = rule === undefined ? [...at, "rules", j] : [...at, "rule"];
      const wrong = checkRule(id);
      if (wrong !== undefined) fail(offsetOf(place), wrong);
    }
    return {
      rules: ids,
      inFile: file === undefined ? () => true : picomatch(file, POSIX),
      isVm: vm === undefined ? () => true : picomatch(vm, POSIX),
      reason: reason?.trim() || null,
      until: until ?? null,
      range: rangeOf(at),
    };
  });
}

function importedHost(
  name: string,
  from: string,
  file: string,
  stated: StatedHost,
  dumps: Dumps | undefined,
  fail: (message: string) => never,
): ImportedHost {
  const text = dumps?.texts.get(file);
  if (!dumps || text === undefined) return fail(`${from} is ${OWN_FILE}`);
  if (typeof text !== "string") return fail(`${from} cannot be read: its path must be relative to this file.`);
  try {
    return dumps.importHost(text, { name, file, stated });
  } catch (error) {
    // By name: the reader of dumps is a bundle of its own with a class of its own.
    if (error instanceof Error && error.name === "VmlintError") return fail(error.message);
    throw error;
  }
}

const defined = <T extends object>(record: T): Partial<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
