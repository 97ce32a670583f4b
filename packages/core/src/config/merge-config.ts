import { hostOfText } from "../hosts/host-of-text.ts";
import type { ImportedHost, importHost, StatedHost } from "../hosts/index.ts";
import type { ImportVm } from "../importers/import-vm.ts";
import { VmlintError } from "../model/errors.ts";
import { parseEsxi } from "../model/esxi.ts";
import { type HostModel, invalidHost, isDescription } from "../model/host.ts";
import { didYouMean, misspelling } from "../model/nearest.ts";
import { isDate } from "../model/words.ts";
import { isBuiltInId } from "../rules/families.ts";
import { rules } from "../rules/index.ts";
import { NO_GUESSES } from "../rules/preset-names.ts";
import { selects } from "../rules/presets.ts";
import { assumptionsOf, type TemplateFiles } from "./assumptions.ts";
import { type Config, type Declared, EMPTY_CONFIG, findHost, type Override, type Runs } from "./config.ts";
import { globMatcher, nameMatcher } from "./globs.ts";
import type { ConfigFiles, Layer, Path } from "./layers.ts";
import { type Mistake, type WrongPart, whyNotRead } from "./mistakes.ts";
import { processorsOf } from "./processors.ts";
import { isPreset, type RawConfig } from "./schema.ts";

/** Reads the host dumps of a configuration. */
interface Dumps {
  readonly importHost: typeof importHost;
  readonly texts: ReadonlyMap<string, string | Error>;
}

/** Returns why vmlint does not read a file that a configuration names. */
export const OWN_FILE = "a file of its own, which this reader of configurations does not open.";

interface MergeContext {
  readonly plugins?: ConfigFiles["plugins"];
  readonly dumps?: Dumps | undefined;
  readonly templates?: TemplateFiles;
  readonly imports?: ImportVm | undefined;
}

/**
 * Merges the files of a configuration. Later files override values, and lists of rules and exceptions add up. Errors go to `mistakes`,
 * which already holds the errors of the files.
 */
export function merge(
  layers: readonly Layer[],
  mistakes: readonly Mistake[],
  { plugins, dumps, templates, imports }: MergeContext = {},
): Config {
  const top = layers.at(-1) as Layer;
  const presets = layers.flatMap(({ raw }) => (raw.extends ?? []).filter(isPreset));
  const last = <K extends keyof RawConfig>(key: K): RawConfig[K] => layers.findLast(({ raw }) => raw[key] !== undefined)?.raw[key];
  const hosts = new Map<string, HostModel>();
  const imported = new Map<string, ImportedHost>();
  const runs: Runs[] = [];
  for (const layer of layers) {
    for (const [name, rawHost] of Object.entries(layer.raw.hosts ?? {})) {
      if (layers.findLast(({ raw }) => raw.hosts && Object.hasOwn(raw.hosts, name)) !== layer) continue;
      const host = layer.isSound(["hosts", name]) ? hostOf(layer, name, rawHost, dumps) : undefined;
      if (!host) continue;
      hosts.set(name, host.host);
      if (host.imported) imported.set(name, host.imported);
      if (rawHost.runs) runs.push({ host: name, machine: `${layer.path}#${name}`, matches: nameMatcher(rawHost.runs) });
    }
  }
  for (const word of layers.flatMap(hostWords)) {
    const result = hosts.has(word) ? undefined : hostOfWord(word, dumps);
    if (!result || typeof result === "string") continue;
    hosts.set(word, result.host);
    if (result.file !== undefined) imported.set(word, result);
  }
  const clusters: Readonly<Record<string, readonly string[]>> = Object.assign({}, ...layers.map(({ raw }) => raw.clusters));
  const ignored = layers.flatMap(({ raw }) => (raw.ignore ?? []).map((glob) => glob.replace(/^\.\//, "").replace(/\/$/, "")));
  const baseline = layers.findLast(({ raw }) => raw.baseline !== undefined);
  const varFiles = layers.flatMap(({ raw, resolve }) => (raw.varFiles ?? []).map(resolve));
  const assumptions = assumptionsOf(layers, templates, OWN_FILE);
  const config: Config = {
    hosts,
    imported,
    ...(presets.some((preset) => preset !== NO_GUESSES)
      ? { selects: selects(presets) }
      : { selects: EMPTY_CONFIG.selects, selectsInInventory: EMPTY_CONFIG.selectsInInventory }),
    ...(presets.includes(NO_GUESSES) && { guesses: false }),
    rules: Object.assign({}, ...layers.map(({ raw }) => raw.rules)),
    overrides: layers.flatMap(overridesOf),
    runs,
    clusters: new Map(Object.entries(clusters)),
    ...(assumptions && { assumptions }),
    ...(defined({ host: last("host"), workload: last("workload") }) as Pick<Config, "host" | "workload">),
    ...(baseline?.raw.baseline !== undefined && { baseline: baseline.resolve(baseline.raw.baseline) }),
    ...(varFiles.length > 0 && { varFiles }),
    ...(defined({ columns: last("columns"), size: last("size"), migrate: last("migrate") }) as Pick<
      Config,
      "columns" | "size" | "migrate"
    >),
    ...(imports && { imports }),
    ...(ignored.length > 0 && { ignores: globMatcher(ignored) }),
  };
  // After a plugin error, rules cannot be checked.
  const checkRule = ruleChecker(mistakes.some(({ at }) => at[0] === "plugins") ? "ignored" : plugins);
  const isUnreadable = (name: string) => mistakes.some(({ at }) => mayDeclare(at, name));
  for (const layer of layers) checkNames(layer, config, { checkRule, isUnreadable });
  const entries = layers.map((layer) => suppressionsOf(layer, checkRule));
  if (entries.every((of) => of.length === 0)) return config;
  const inherited = entries.slice(0, -1).flat();
  return { ...config, suppress: { path: top.path, text: top.text, entries: entries.at(-1) ?? [], below: inherited } };
}

/** The hosts that a file uses: names, short forms or processors. */
export const hostWords = ({ raw }: Layer): readonly string[] =>
  [raw.host, ...Object.values(raw.clusters ?? {}).flat(), ...(raw.overrides ?? []).map(({ host }) => host)].filter(
    (word) => word !== undefined,
  );

/** The words of a host that may be a file with a dump, with a release: `esx01.txt@8.0`. */
export function dumpNamed(word: string): { readonly plain: string; readonly version?: string } | undefined {
  const [, plain = word, version] = /^(.+)@([^@]*)$/.exec(word) ?? [];
  return IS_FILE.test(plain) && !isDescription(plain) ? { plain, ...(version !== undefined && { version }) } : undefined;
}

/** Returns the host that a word describes or whose dump it names, or the reason why there is none; `undefined` for other words. */
export function hostOfWord(word: string, dumps?: Dumps): ImportedHost | string | undefined {
  const described = attempted(() => hostOfText(word));
  const dump = described === undefined ? dumpNamed(word) : undefined;
  const esxi = dump?.version === undefined ? undefined : parseEsxi(dump.version);
  if (!dump || !dumps?.texts.has(dump.plain) || (dump.version !== undefined && !esxi)) return described;
  return importedHost(dump.plain, dump.plain, dump.plain, { ...(esxi && { esxi }) } as StatedHost, dumps);
}

const IS_FILE = /[\\/]|\.(?:txt|json|xml|log|out)$/i;

type RawHost = NonNullable<RawConfig["hosts"]>[string];

interface ReadHost {
  readonly host: HostModel;
  readonly imported?: ImportedHost;
}

/** `undefined` if the host has an error. */
function hostOf(layer: Layer, name: string, raw: RawHost, dumps: Dumps | undefined): ReadHost | undefined {
  const { esxi: version, from, snc, nps, cod, cpu, runs: _, ...rest } = raw;
  const report = (message: string, key?: string) => layer.report(["hosts", name, ...(key === undefined ? [] : [key])], message);
  const esxi = version === undefined ? undefined : parseEsxi(version);
  if (version !== undefined && !esxi) report(`"${version}" is not an ESXi version: write "6.7", "7.0" or "8.0 U2".`, "esxi");
  const both = "A host runs ESXi or KVM, not both.";
  if (version !== undefined && rest.kvm) report(both, "kvm");
  const hypervisor = { ...(esxi && { esxi }), ...(rest.kvm && { runs: { platform: "kvm" as const } }) };
  if (from !== undefined) {
    const mode = Object.entries({ snc, nps, cod }).find(([, value]) => value !== undefined)?.[0];
    if (mode) report(`${mode} comes from the dump. Set numaNodes if the dump does not have it.`, mode);
    const statedHost = { ...defined({ ...rest, cpu }), ...hypervisor } as StatedHost;
    const imported = importedHost(name, from, layer.resolve(from), statedHost, dumps);
    if (typeof imported === "string") {
      report(imported, "from");
      return undefined;
    }
    if (imported.host.esxi && version === undefined && rest.kvm) report(both, "kvm");
    return { host: imported.host, imported };
  }
  const processors = processorsOf({ ...rest, cpu, snc, nps, cod });
  if ("reason" in processors) {
    report(processors.reason(name), processors.key);
    return undefined;
  }
  const host = { name, ...processors.fields, ...defined(rest), ...hypervisor } as HostModel;
  const wrong = invalidHost(host);
  if (wrong) report(`Host "${name}" cannot exist: ${wrong}.`);
  return wrong ? undefined : { host };
}

function overridesOf({ raw }: Layer): readonly Override[] {
  return (raw.overrides ?? []).map(({ files, vms, cluster, ...rest }): Override => {
    const inFiles = files && globMatcher(files);
    const isVm = vms && nameMatcher(vms);
    const isCluster = cluster === undefined ? undefined : nameMatcher([cluster]);
    return {
      matches: (file, vm, of) =>
        (inFiles?.(file) ?? true) &&
        (!isVm || (vm !== undefined && isVm(vm))) &&
        (!isCluster || (vm !== undefined && of !== undefined && isCluster(of))),
      ...(defined(rest) as Omit<Override, "matches">),
    };
  });
}

/** Returns a function that reports unknown rule names. */
type RuleChecker = (id: string) => WrongPart | undefined;

function ruleChecker(plugins: ConfigFiles["plugins"] = []): RuleChecker {
  const ids = [...rules, ...(plugins === "ignored" ? [] : plugins)].map(({ id }) => id);
  return (id) => {
    if (ids.includes(id) || (plugins === "ignored" && !isBuiltInId(id))) return undefined;
    const misspelt = misspelling(id, ids);
    const plugin = isBuiltInId(id) ? "" : " For a rule of a plugin, pass --plugin.";
    return { message: `There is no rule "${id}".${didYouMean(misspelt)}${plugin}`, misspelt };
  };
}

/** Whether a part with an error may declare a host with this name. */
const mayDeclare = ([section, host]: Path, name: string): boolean =>
  section === undefined || section === "extends" || (section === "hosts" && (host === undefined || host === name));

interface Names {
  readonly checkRule: RuleChecker;
  /** Whether an error hides if a host with this name exists. */
  readonly isUnreadable: (host: string) => boolean;
}

/** Checks that hosts and rules exist. Any file of the configuration may declare a host. */
function checkNames({ raw, report, isSound }: Layer, config: Config, { checkRule, isUnreadable }: Names): void {
  for (const [i, glob] of (raw.ignore ?? []).entries()) {
    if (glob.startsWith("!")) report(["ignore", i], "ignore: does not support !: list only what to skip.");
  }
  const checkRules = (rules: Readonly<Record<string, unknown>> | undefined, at: Path) => {
    for (const id of Object.keys(rules ?? {})) {
      const wrong = checkRule(id);
      if (wrong !== undefined) report([...at, id], wrong, true);
    }
  };
  const checkHost = (name: string | undefined, at: Path) => {
    const lookup = name === undefined || isUnreadable(name) ? undefined : findHost(name, config);
    if (name === undefined || !lookup || "host" in lookup) return;
    const described = hostOfWord(name);
    if (typeof described === "string") return report(at, described);
    const { explanation: message, nearest } = lookup;
    report(at, { message, misspelt: nearest === undefined ? undefined : { word: name, names: [nearest] } });
  };
  checkRules(raw.rules, ["rules"]);
  checkHost(raw.host, ["host"]);
  for (const [name, members] of Object.entries(raw.clusters ?? {}))
    for (const [i, host] of members.entries()) checkHost(host, ["clusters", name, i]);
  for (const [i, { files, vms, cluster, rules, host }] of (raw.overrides ?? []).entries()) {
    const before = raw.overrides?.[i - 1];
    const setsNothing = before && (before.rules ?? before.host ?? before.workload) === undefined;
    if (setsNothing && files === undefined && vms === undefined && cluster === undefined && isSound(["overrides", i - 1]))
      report(["overrides", i], "This applies to every VM, and the override above sets nothing: remove the - to join the two.");
    checkRules(rules, ["overrides", i, "rules"]);
    checkHost(host, ["overrides", i, "host"]);
  }
}

function suppressionsOf({ raw, report, isSound, rangeOf }: Layer, checkRule: RuleChecker): readonly Declared[] {
  return (raw.suppress ?? []).flatMap(({ rule, rules: ruleIds, vm, path: file, reason, until }, i): readonly Declared[] => {
    const at = ["suppress", i];
    const rules = ruleIds ?? [];
    if (ruleIds?.length === 0) report([...at, "rules"], "This list is empty: name rules, or remove rules: to mean all of them.");
    if (rule === undefined && rules.length === 0 && vm === undefined && file === undefined && isSound(at))
      report(at, "This would suppress every finding: name rules, a vm or a path.");
    if (rule !== undefined && rules.length > 0) report([...at, "rules"], "Write rule or rules, not both.", true);
    if (until !== undefined && !isDate(until)) report([...at, "until"], `"${until}" is not a date: write 2026-12-31.`);
    const ids = rule === undefined ? rules : [rule];
    for (const [j, id] of ids.entries()) {
      const wrong = checkRule(id);
      if (wrong !== undefined) report(rule === undefined ? [...at, "rules", j] : [...at, "rule"], wrong);
    }
    // Without its wrong part, an entry would suppress more.
    if (!isSound(at)) return [];
    const entry: Declared = {
      rules: ids,
      inFile: file === undefined ? () => true : globMatcher([file]),
      isVm: vm === undefined ? () => true : nameMatcher([vm]),
      reason: reason?.trim() || null,
      until: until ?? null,
      range: rangeOf(at),
    };
    return [entry];
  });
}

/** Returns the host of a dump, or an error. */
function importedHost(name: string, from: string, file: string, stated: StatedHost, dumps: Dumps | undefined): ImportedHost | string {
  const text = dumps?.texts.get(file);
  if (!dumps || text === undefined) return `${from} is ${OWN_FILE}`;
  if (typeof text !== "string") return whyNotRead(from, text);
  return attempted(() => dumps.importHost(text, { name, file, stated }));
}

/** Returns the sentence of an error that the author of a configuration must mend. */
function attempted<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof VmlintError) return error.message;
    throw error;
  }
}

const defined = <T extends object>(record: T): Partial<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
