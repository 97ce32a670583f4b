import { WORKLOAD_WORDS } from "../formats/directive.ts";
import type { ImportedHost } from "../hosts/combine.ts";
import type { ImportVm } from "../importers/import-vm.ts";
import type { Assumptions, Severities, Target } from "../lint/target.ts";
import { builtinHosts } from "../model/builtin-hosts.ts";
import type { Columns, DemandColumns } from "../model/columns.ts";
import { VmlintError } from "../model/errors.ts";
import { parseEsxi } from "../model/esxi.ts";
import { type HostModel, invalidHost, parseShortForm } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import { nearest } from "../model/nearest.ts";
import type { Problem } from "../model/problem.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import { valueWords } from "../model/words.ts";
import { foreignFact, readWorkloadField, type Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { INVENTORY_PRESETS, selects } from "../rules/presets.ts";
import { guessWorkload, hintsInPath } from "../workloads/guess.ts";

export interface Override {
  /** Whether the override applies to a file, by its path relative to the configuration, or to a VM of it with its cluster. */
  readonly matches: (path: string, vm?: string, cluster?: string) => boolean;
  readonly host?: string;
  readonly workload?: Workload;
  readonly rules?: Severities;
}

/** The `runs:` of a host: the VMs that share this machine. */
export interface Runs {
  readonly host: string;
  /** Unique over all configurations, unlike the name of the host. */
  readonly machine: string;
  readonly matches: (vm: string) => boolean;
}

/** An entry of `suppress:`. */
export interface Declared {
  /** Rule ids; an empty list means every rule. */
  readonly rules: readonly string[];
  /** Whether the entry applies to a file, by its path relative to the configuration. */
  readonly inFile: (path: string) => boolean;
  readonly isVm: (vm: string) => boolean;
  readonly reason: string | null;
  /** The last day it applies, as 2026-12-31. */
  readonly until: string | null;
  /** Its range in the configuration. */
  readonly range: Range;
}

/** The `suppress:` of a configuration, with the text that findings about it point to. */
interface DeclaredIn {
  readonly path: string;
  readonly text: string;
  readonly entries: readonly Declared[];
  /**
   * Entries of the files that it extends. They hide findings too, but are never reported as unused: other configurations may extend the
   * same files.
   */
  readonly below: readonly Declared[];
}

/**
 * A checked `vmlint.yaml`: all the hosts it names exist.
 *
 * @example
 * const { host } = await readConfig("host: 2x20x2:768@8.0", "vmlint.yaml"); // of @vmlint/core/config
 */
export interface Config {
  readonly host?: string;
  readonly workload?: Workload;
  readonly hosts: ReadonlyMap<string, HostModel>;
  /** The hosts that come from a dump, with the details of the import. */
  readonly imported?: ReadonlyMap<string, ImportedHost>;
  /** Whether the presets of `extends:` include a rule. */
  readonly selects: (rule: Rule) => boolean;
  /** The same for VMs of an inventory, if `extends:` is missing. */
  readonly selectsInInventory?: ((rule: Rule) => boolean) | undefined;
  readonly rules: Severities;
  /** Whether vmlint guesses the workload of VMs without a declared one; true by default. */
  readonly guesses?: boolean;
  readonly overrides: readonly Override[];
  readonly runs: readonly Runs[];
  /** The hosts of each cluster: a VM can run on any of them. */
  readonly clusters: ReadonlyMap<string, readonly string[]>;
  /** The settings that it states of VMs. */
  readonly assumptions?: Assumptions;
  readonly suppress?: DeclaredIn;
  /** Files with values of variables, relative to the configuration. */
  readonly varFiles?: readonly string[];
  /** The columns of tables of VMs. */
  readonly columns?: Columns;
  /** Imports VMs as `migrate:` says. */
  readonly imports?: ImportVm | undefined;
  readonly migrate?: { readonly to: string; readonly by?: string | undefined };
  /** Steps of `vmlint size --estate`: the smallest change of vCPUs that it proposes. */
  readonly size?: { readonly leastChange?: number; readonly columns?: DemandColumns };
  /** The baseline file, relative to the configuration. */
  readonly baseline?: string;
  /** Whether `ignore:` skips a file or folder, by its path relative to the configuration. */
  readonly ignores?: (path: string) => boolean;
}

export const EMPTY_CONFIG: Config = {
  hosts: new Map(),
  selects: selects(),
  selectsInInventory: selects(INVENTORY_PRESETS),
  rules: {},
  overrides: [],
  runs: [],
  clusters: new Map(),
};

const SHORT_FORM = "Write SOCKETSxCORESxTHREADS[/NODESPERSOCKET][:GIB][@ESXI], such as 4x10x2:1024@5.5.";

/** `isName`: the syntax is fine, but no host has this name. `why`: the reason, with the closest name. */
export type FoundHost =
  | { readonly host: HostModel }
  | { readonly reason: string; readonly nearest: string | undefined; readonly explanation: string; readonly isName: boolean };

/** Finds a host by its name in the configuration or the built-in list, by its short form `4x10x2:1024@5.5`, or the first host of a cluster. */
export function findHost(name: string, config: Config = EMPTY_CONFIG): FoundHost {
  const hostModel = config.hosts.get(name) ?? builtinHosts.find((host) => host.name === name);
  if (hostModel) return { host: hostModel };
  const [first] = config.clusters.get(name) ?? [];
  // A name in a cluster is never another cluster.
  if (first !== undefined) return findHost(first, { ...config, clusters: new Map() });
  const refuse = (reason: string, nearest?: string, isName = false): FoundHost => {
    const explanation = nearest === undefined ? reason : `${reason} Did you mean "${nearest}"?`;
    return { reason, nearest, explanation, isName };
  };
  if (name.trim() === "") return refuse("The name of the host is empty.");
  const short = parseShortForm(name);
  if (!short) {
    const names = [...config.hosts.keys(), ...config.clusters.keys(), ...builtinHosts.map((host) => host.name)];
    return refuse(`There is no host "${name}".`, nearest(name, names), true);
  }
  if ("spelling" in short) return refuse(`"${name}" is not a short form of a host.`, short.spelling);
  if ("wrong" in short) return refuse(`"${name}" is not a short form of a host: ${short.wrong}. ${SHORT_FORM}`);
  const wrong = invalidHost(short.host);
  if (wrong) return refuse(`Host "${name}" cannot exist: ${wrong}.`);
  if (short.esxi === undefined) return { host: short.host };
  const esxi = parseEsxi(short.esxi);
  if (!esxi) return refuse(`Host "${name}" names no ESXi version vmlint can read: write 6.7, 7.0 or 8.0 U2.`);
  return { host: { ...short.host, esxi } };
}

/**
 * Returns the host with this name. Throws HOST_UNKNOWN with the names that exist.
 *
 * @example
 * const host = requireHost("2x20x2:768@8.0");
 */
export function requireHost(name: string, config: Config = EMPTY_CONFIG): HostModel {
  if (typeof name !== "string") throw new VmlintError("HOST_UNKNOWN", `requireHost takes the name of a host, not ${valueWords(name)}.`);
  const lookup = findHost(name, config);
  if ("host" in lookup) return lookup.host;
  throw unknownHost(lookup);
}

/** Returns the error about a name that no host has. */
export function unknownHost({ explanation, nearest, isName }: Exclude<FoundHost, { readonly host: unknown }>): VmlintError {
  const hint = isName && nearest === undefined ? " vmlint topology --help lists the built-in ones." : "";
  return new VmlintError("HOST_UNKNOWN", `${explanation}${hint}`);
}

/**
 * Returns a function that selects the target of a VM. The host comes from the first source that sets it: the command line, the comment of
 * the VM, the last matching override, the last host whose `runs:` has the VM, its cluster, the top of the configuration. So does the
 * workload. It only computes a path if there are overrides.
 */
export function targetOf(
  config: Config,
  commandLineHost?: HostModel,
  commandLineWorkload?: Workload,
): (vm: VmSpec, path: () => string, cluster?: string) => Target {
  const inInventory = { ...config, selects: config.selectsInInventory ?? config.selects };
  const byConfig = (of: Config, overrides: readonly Override[], host?: string): Target => {
    const target = targetBy(of, overrides, commandLineHost, host);
    return commandLineWorkload ? { ...target, workload: commandLineWorkload } : target;
  };
  const top = byConfig(config, []);
  // Nearly all VMs of a run share a few targets, and topologies are cached by target.
  const targets = new Map<string, Target>();
  const targetWith = (of: Config, overrides: readonly Override[], host: string | undefined): Target => {
    const key = [of === config, ...overrides.map((override) => config.overrides.indexOf(override)), host].join("\n");
    return getOrInsert(targets, key, () => byConfig(of, overrides, host));
  };
  return (vm, path, cluster = vm.runsOn?.cluster) => {
    const names = vm.alias === undefined ? [vm.name] : [vm.name, vm.alias];
    const overrides = config.overrides.filter(({ matches }) => names.some((name) => matches(path(), name, cluster)));
    const runs = config.runs.findLast(({ matches }) => names.some(matches));
    const host = runs?.host ?? (cluster === undefined ? undefined : config.clusters.get(cluster)?.[0]);
    const of = vm.exportHosts === undefined ? config : inInventory;
    const nearest = overrides.length > 0 || host !== undefined || of === inInventory ? targetWith(of, overrides, host) : top;
    const vmTarget = vm.directive.size > 0 ? withDirective(nearest, vm, config, commandLineHost) : nearest;
    const workloadTarget = commandLineWorkload && vmTarget !== nearest ? { ...vmTarget, workload: commandLineWorkload } : vmTarget;
    const clusterTarget =
      workloadTarget.host && config.clusters.size > 0
        ? { ...workloadTarget, otherHosts: clusterNeighbours(workloadTarget.host, config) }
        : workloadTarget;
    const target = withGuess(clusterTarget, vm, path, config);
    // A VM that is checked against another host does not run on that machine.
    return runs && target.host === config.hosts.get(runs.host) ? { ...target, machine: runs.machine } : target;
  };
}

/** Returns a target with a workload for VMs that declare none. Its guess has no more use. */
export const withWorkload = (target: Target, workload: Workload | undefined): Target =>
  workload && !target.workload ? { ...target, workload, guess: undefined } : target;

/** Adds the guessed workload to a target without a declared one, if there is evidence. */
function withGuess(target: Target, vm: VmSpec, path: () => string, { guesses = true }: Config): Target {
  if (!guesses || target.workload) return target;
  const guess = guessWorkload(vm, [...(vm.hints?.() ?? []), ...hintsInPath(path())]);
  return guess ? { ...target, guess } : target;
}

/** Returns the severities for findings of a file without VMs. Overrides that select VMs by name do not apply. */
export const severitiesIn = ({ rules, overrides }: Config, path: () => string): Severities =>
  Object.assign({}, rules, ...overrides.filter(({ matches }) => matches(path())).map((override) => override.rules));

/** Returns the hosts that share a cluster with a host, by the names in the configuration. */
function clusterNeighbours({ name }: HostModel, config: Config): readonly HostModel[] {
  const names = new Set([...config.clusters.values()].filter((hosts) => hosts.includes(name)).flat());
  return [...names].filter((other) => other !== name).map((other) => requireHost(other, config));
}

function targetBy(config: Config, overrides: readonly Override[], commandLineHost: HostModel | undefined, nearest?: string): Target {
  const host = overrides.findLast((o) => o.host !== undefined)?.host ?? nearest ?? config.host;
  return {
    host: commandLineHost ?? (host === undefined ? undefined : requireHost(host, config)),
    workload: overrides.findLast((o) => o.workload)?.workload ?? config.workload,
    selects: config.selects,
    ...(config.assumptions && { assumptions: config.assumptions }),
    ...(config.imports && { imports: config.imports }),
    severities: Object.assign({}, config.rules, ...overrides.map(({ rules }) => rules)),
  };
}

function withDirective(target: Target, vm: VmSpec, config: Config, commandLineHost: HostModel | undefined): Target {
  const stated = workloadOf(vm, target.workload);
  const foreign = stated && foreignFact({ ...stated });
  const workload = foreign ? { ...stated, [foreign.field]: undefined } : stated;
  const problems = stated ? foreignIn(vm, foreign) : withoutKind(vm);
  const withFacts = { ...target, workload, ...(problems.length > 0 && { problems }) };
  const name = vm.directive.get("host");
  if (!name || commandLineHost) return withFacts;
  const lookup = findHost(name.value, config);
  const host = "host" in lookup ? lookup.host : vm.host;
  if (typeof host === "object") return { ...withFacts, host };
  const { nearest = null, reason } = lookup as Exclude<FoundHost, { readonly host: HostModel }>;
  const data = { host: name.value, nearest: host === undefined ? nearest : null, reason: host ?? reason };
  const problem: Problem = { ruleId: "spec/directive", messageId: "host", data, range: name.range };
  return { ...withFacts, host: undefined, problems: [...problems, problem] };
}

/** Reports the facts of a workload that nothing names. */
function withoutKind({ directive }: VmSpec): readonly Problem[] {
  const [word, value] = [...directive].find(([key]) => WORKLOAD_WORDS.has(key)) ?? [];
  return word === undefined || !value ? [] : [{ ruleId: "spec/directive", messageId: "alone", data: { word }, range: value.range }];
}

/** Reports a fact of a comment that belongs to other software than the workload. */
function foreignIn({ directive }: VmSpec, foreign: ReturnType<typeof foreignFact>): readonly Problem[] {
  const range = foreign && directive.get(foreign.field)?.range;
  if (!foreign || !range) return [];
  const { field: word, value, allowed } = foreign;
  return [{ ruleId: "spec/directive", messageId: "value", data: { word, value, allowed }, range }];
}

/** Returns the workload of a `vmlint:` comment that was already checked. Without a kind, it extends the workload of the configuration. */
function workloadOf({ directive }: VmSpec, base: Workload | undefined): Workload | undefined {
  const facts = [...WORKLOAD_WORDS].flatMap(([word, field]) => {
    const value = directive.get(word);
    return value ? [[field, readWorkloadField(field, value.value)] as const] : [];
  });
  const workload = Object.fromEntries(facts) as Partial<Workload>;
  if (workload.kind !== undefined) return workload as Workload;
  return base && { ...base, ...workload };
}
