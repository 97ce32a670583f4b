import { WORKLOAD_WORDS } from "../formats/directive.ts";
import type { ImportedHost } from "../hosts/combine.ts";
import { formatEsxi } from "../model/esxi.ts";
import type { HostModel } from "../model/host.ts";
import { LineIndex, type Position } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { rules } from "../rules/index.ts";
import { isIn } from "../rules/presets.ts";
import { type Config, targetOf } from "./config.ts";
import { BASELINE } from "./config-names.ts";
import type { ConfigFiles, Layer, Path } from "./layers.ts";
import { readWithLayers } from "./read-config.ts";
import { isPreset } from "./schema.ts";

/** The source of a value: a default, the command line, a built-in list or a file. */
export type Origin =
  | { readonly from: "default" | "command line" | "built-in" }
  | { readonly from: "dump"; readonly path: string }
  | ({ readonly from: "file"; readonly path: string } & Position);

/** One value that affects the checks of a VM, with the key that sets it. */
export interface EffectiveValue {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** The file and the VM to explain. */
interface ConfigQuery {
  /** The path as messages show it, and as the globs of the configuration match it. */
  readonly path: string;
  readonly pathInConfig: string;
  readonly text: string;
  readonly vm: Pick<VmSpec, "name" | "alias" | "directive" | "runsOn">;
  readonly host?: HostModel | undefined;
  /** The workload from the command line. */
  readonly workload?: Workload | undefined;
}

const DEFAULT: Origin = { from: "default" };

/** Returns a function that lists the values for a VM with their sources. */
export async function explainConfig(text: string, path: string, files: ConfigFiles) {
  const { config, layers } = await readWithLayers(text, path, files);
  return {
    config,
    /** The files of the configuration, extended files first. */
    paths: layers.map((layer) => layer.path),
    valuesOf: (query: ConfigQuery) => effectiveValues(config, layers, query, files.plugins === "ignored" ? [] : files.plugins),
  };
}

/** Returns all values that affect a VM, with their sources. The values come from `targetOf`; this function only finds the source. */
function effectiveValues(
  config: Config,
  layers: readonly Layer[],
  query: ConfigQuery,
  plugins: readonly Rule[] = [],
): readonly EffectiveValue[] {
  const target = targetOf(config, query.host, query.workload)(query.vm as VmSpec, () => query.pathInConfig);
  const places = placesOf(config, layers, query);
  const entry = (key: string, value: unknown, origin: Origin): EffectiveValue => ({ key, value, origin });
  const hostOrigin = query.host ? ({ from: "command line" } as const) : (places.originOfField("host") ?? places.set(["host"]) ?? DEFAULT);
  const workload = Object.entries(target.workload ?? {}).map(([field, value]) =>
    entry(
      `workload.${field}`,
      value,
      query.workload ? { from: "command line" } : (places.originOfField(field) ?? places.set(["workload", field]) ?? DEFAULT),
    ),
  );
  return [
    ...layers.filter(({ raw }) => raw.root !== undefined).map((layer) => entry("root", layer.raw.root, at(layer, ["root"]))),
    ...listValues(layers, "extends", "recommended"),
    ...listValues(layers, "plugins"),
    ...listValues(layers, "ignore"),
    entry("host", target.host?.name ?? null, hostOrigin),
    ...(target.host ? hostValues(target.host, config, layers, hostOrigin) : []),
    ...workload,
    ...(target.machine === undefined ? [] : [entry("machine", target.machine, places.runs ?? DEFAULT)]),
    ...(target.otherHosts ?? []).map(({ name }) => entry("cluster", name, clusterOf(layers, name))),
    ...templateValues(layers, "templates"),
    ...templateValues(layers, "assume"),
    ...listValues(layers, "varFiles"),
    ...Object.entries(config.columns ?? {}).map(([fact, title]) =>
      entry(`columns.${fact}`, title, last(layers, ["columns", fact]) ?? DEFAULT),
    ),
    ...(config.size?.leastChange === undefined
      ? []
      : [entry("size.leastChange", config.size.leastChange, last(layers, ["size", "leastChange"]) ?? DEFAULT)]),
    ...(config.migrate === undefined
      ? []
      : Object.entries(config.migrate).map(([key, value]) => entry(`migrate.${key}`, value, last(layers, ["migrate", key]) ?? DEFAULT))),
    ...Object.entries(config.size?.columns ?? {}).map(([fact, title]) =>
      entry(`size.columns.${fact}`, title, last(layers, ["size", "columns", fact]) ?? DEFAULT),
    ),
    entry("baseline", config.baseline ?? BASELINE, last(layers, ["baseline"]) ?? DEFAULT),
    ...listValues(layers, "suppress"),
    ...[...rules, ...plugins].map((rule) => {
      const set = target.severities?.[rule.id];
      if (set !== undefined) return entry(`rules.${rule.id}`, set, places.set(["rules", rule.id]) ?? DEFAULT);
      // Presets do not turn off the findings of parsers.
      const isOn = rule.over === "text" && !rule.optIn ? true : (target.selects?.(rule) ?? !rule.optIn);
      return entry(`rules.${rule.id}`, isOn ? rule.severity : "off", (isOn ? presetOf(layers, rule) : undefined) ?? DEFAULT);
    }),
  ];
}

/** Returns the source of a value that overrides can set. */
function placesOf(config: Config, layers: readonly Layer[], { path, pathInConfig, text, vm }: ConfigQuery) {
  const names = vm.alias === undefined ? [vm.name] : [vm.name, vm.alias];
  const overrides = layers
    .flatMap((layer) => (layer.raw.overrides ?? []).map((raw, i) => ({ layer, raw, at: ["overrides", i] })))
    .filter((_, i) => names.some((name) => config.overrides[i]?.matches(pathInConfig, name, vm.runsOn?.cluster)));
  const runs = config.runs.findLast(({ matches }) => names.some(matches));
  const cluster = vm.runsOn?.cluster;
  const clusterOrigin = cluster === undefined ? undefined : last(layers, ["clusters", cluster]);
  const runsOrigin = runs && last(layers, ["hosts", runs.host, "runs"]);
  const words = new Map<string, string>([["host", "host"], ...[...WORKLOAD_WORDS].map(([word, field]) => [field, word] as const)]);
  return {
    runs: runsOrigin,
    /** Set by the comment of the VM. */
    originOfField(field: string): Origin | undefined {
      const word = vm.directive.get(words.get(field) ?? field);
      return word && { from: "file", path, ...new LineIndex(text).at(word.range[0]) };
    },
    set(key: Path): Origin | undefined {
      // The workload of an override replaces the whole workload below it.
      const [first = ""] = key;
      const override = overrides.findLast(({ raw }) => has(raw, key[0] === "rules" ? key : [first]));
      if (override) return has(override.raw, key) ? at(override.layer, [...override.at, ...key]) : undefined;
      return (first === "host" ? (runsOrigin ?? clusterOrigin) : undefined) ?? last(layers, key);
    },
  };
}

function hostValues(host: HostModel, config: Config, layers: readonly Layer[], nameOrigin: Origin): readonly EffectiveValue[] {
  const layer = layers.findLast(({ raw }) => has(raw, ["hosts", host.name]));
  const definition = config.hosts.get(host.name) === host ? layer?.raw.hosts?.[host.name] : undefined;
  const imported: ImportedHost | undefined = config.imported?.get(host.name);
  const originOf = (field: string): Origin => {
    if (!layer || !definition) return nameOrigin.from === "file" || nameOrigin.from === "default" ? { from: "built-in" } : nameOrigin;
    const keys = [field, ...(field === "numaNodes" ? ["snc", "nps", "cod"] : []), ...(imported ? [] : ["cpu"])];
    const key = keys.find((candidate) => has(definition, [candidate]));
    if (key !== undefined && (key !== "cpu" || key === field || isFromCpu(field))) return at(layer, ["hosts", host.name, key]);
    return imported && definition.from !== undefined ? { from: "dump", path: layer.resolve(definition.from) } : DEFAULT;
  };
  return Object.entries(host)
    .filter(([field, value]) => SHOWN.has(field) && value !== undefined)
    .map(([field, value]) => ({
      key: `host.${field}`,
      value: field === "esxi" && host.esxi ? formatEsxi(host.esxi) : value,
      origin: originOf(field),
    }));
}

const FROM_CPU = ["sockets", "coresPerSocket", "threadsPerCore", "numaNodes", "mhz", "coresPerL3"];
const isFromCpu = (field: string): boolean => FROM_CPU.includes(field);
const SHOWN = new Set([...FROM_CPU, "esxi", "memoryGiB", "nvmeTierGiB", "cpu", "preferHt", "followCoresPerSocket", "kvm"]);

/** The entries of a list that all files add to. */
function listValues(
  layers: readonly Layer[],
  key: "extends" | "plugins" | "ignore" | "suppress" | "varFiles",
  whenNone?: string,
): readonly EffectiveValue[] {
  const entries = layers.flatMap((layer) => (layer.raw[key] ?? []).map((value, i) => ({ key, value, origin: at(layer, [key, i]) })));
  return entries.length === 0 && whenNone !== undefined ? [{ key, value: whenNone, origin: DEFAULT }] : entries;
}

/** Lists the entries of a mapping. For each name the last file wins. */
function templateValues(layers: readonly Layer[], key: "templates" | "assume"): readonly EffectiveValue[] {
  const names = new Set(layers.flatMap(({ raw }) => Object.keys(raw[key] ?? {})));
  return [...names].flatMap((name) => {
    const layer = layers.findLast(({ raw }) => has(raw, [key, name]));
    return layer ? [{ key: `${key}.${name}`, value: (layer.raw[key] as object)[name as never], origin: at(layer, [key, name]) }] : [];
  });
}

function presetOf(layers: readonly Layer[], rule: Parameters<typeof isIn>[0]): Origin | undefined {
  for (const layer of layers) {
    const i = (layer.raw.extends ?? []).findIndex((entry) => isPreset(entry) && isIn(rule, entry));
    if (i >= 0) return at(layer, ["extends", i]);
  }
  return undefined;
}

function clusterOf(layers: readonly Layer[], host: string): Origin {
  for (const layer of layers) {
    const cluster = Object.entries(layer.raw.clusters ?? {}).find(([, hosts]) => hosts.includes(host));
    if (cluster) return at(layer, ["clusters", cluster[0], cluster[1].indexOf(host)]);
  }
  return DEFAULT;
}

function last(layers: readonly Layer[], path: Path): Origin | undefined {
  const layer = layers.findLast(({ raw }) => has(raw, path));
  return layer && at(layer, path);
}

const at = (layer: Layer, path: Path): Origin => ({ from: "file", path: layer.path, ...layer.positionOf(layer.offsetOf(path)) });

const has = (record: unknown, [key, ...rest]: Path): boolean =>
  key === undefined
    ? record !== undefined
    : typeof record === "object" &&
      record !== null &&
      Object.hasOwn(record, key) &&
      has((record as Record<PropertyKey, unknown>)[key], rest);
