import { AUTO_TOPOLOGY_HARDWARE, HARDWARE_VERSIONS, MOST_THREADS, runs } from "../../limits/hardware.ts";
import { type EsxiVersion, esxi, formatEsxi } from "../../model/esxi.ts";
import { checkHost, coresPerNode, type HostModel } from "../../model/host.ts";
import { getOrInsert, grouped } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import { sequence } from "../../model/sequence.ts";
import { known, type Setting } from "../../model/source.ts";
import type { Source } from "../../model/sources.ts";
import type { SettingName, SettingValues, VmSpec } from "../../model/spec.ts";
import type { Certainty } from "../../model/topology.ts";
import type { Workload } from "../../model/workload.ts";
import { type Certainties, weakest } from "./certainty.ts";

export { TOPOLOGY_SETTINGS } from "./derive.ts";

import {
  type Answer,
  answerOf,
  deriveTopology,
  TOPOLOGY_SETTINGS,
  type Topology,
  type TopologyResult,
  type Variant,
  type Variants,
} from "./derive.ts";
import { DEFAULT_MIN_VCPUS, type Read, reader } from "./input.ts";
import { FIRST_VNUMA, groupText, undecided } from "./layout.ts";

/** One of the topologies that a VM may have. */
export interface Case {
  readonly topology: Topology;
  /** The values of the deciding settings that lead to it; a setting without a value here leads to it with every value. */
  readonly when: SettingValues;
  /** The releases that lead to it, newest first, if the host states none and they matter. */
  readonly releases: readonly EsxiVersion[];
  /** Its source, if no source decides between cases; else null. */
  readonly source: Source | null;
}

/** A VM on a host, with one possible value for everything unknown. */
export interface Completion {
  readonly vm: VmSpec;
  readonly host: HostModel;
  readonly topology: Topology;
  /** Returns its topology for each answer that sources support; only itself if one decides. */
  readonly all: () => readonly Topology[];
}

/** All topologies that a VM may have on a host; one if nothing is unknown. */
export interface PossibleTopologies {
  readonly ok: true;
  readonly cases: readonly [Case, ...Case[]];
  /** False if there are more than listed. */
  readonly isComplete: boolean;
  /** How certain each fact is over all of them. */
  readonly certainties: Certainties;
  readonly certainty: Certainty;
  /** The unknown settings that decide between them. */
  readonly deciding: readonly SettingName[];
  /** All completions of the VM, many with the same case. */
  readonly completions: () => readonly Completion[];
}

export type PossibleResult = PossibleTopologies | Refusal;

/** The most listed cases. */
export const MOST_CASES = 64;

/** The most completions to try; most of them lead to the same case. */
const MOST_TRIED = 512;

/** A completion of the settings that the topology depends on. */
interface TopologyCompletion extends Omit<Completion, "vm" | "all"> {
  readonly choice: SettingValues;
  readonly release: EsxiVersion | null;
  readonly variants: () => Variants;
}

/** One of the possible answers of such a VM. */
interface CompletionResult extends Pick<TopologyCompletion, "choice" | "release"> {
  readonly variant: Variant;
}

/**
 * Returns all topologies of a VM: unknown settings and an unstated release take each possible value, and undecided behaviour each supported
 * answer. Settings that are not read are not varied. `certain` is the answer of `certainAnswer`, if it is known. A pure function.
 */
export function possibleTopologies(vm: VmSpec, host: HostModel, workload?: Workload, certain?: Answer): PossibleResult {
  checkHost(host);
  if (vm.platform === "other" || vm.platform === "kvm") return deriveTopology(vm, host, workload) as Refusal; // No ESXi runs it.
  const open = TOPOLOGY_SETTINGS.filter((name) => vm.settings[name].state === "unknown");
  const tried: TopologyCompletion[] = [];
  let failure: Refusal | undefined;
  let attempts = 0;
  for (const release of host.esxi ? [null] : RELEASES) {
    const complete = release ? { ...host, esxi: release } : host;
    const visit = (choice: SettingValues): void => {
      if (++attempts > MOST_TRIED) return;
      const { answer, asksFor, get } = certain?.ok
        ? { answer: certain, asksFor: undefined, get: reader(vm, choice) }
        : answerWith(vm, complete, workload, open, choice);
      const values = asksFor && valuesOf(asksFor, vm, get, complete);
      if (asksFor && !values) failure = { ok: false, because: "unknown-value", reasons: [undecided(whyUnknown(vm, asksFor))] };
      else if (asksFor) for (const value of values ?? []) visit({ ...choice, [asksFor]: value });
      else if (answer.ok) tried.push({ choice, release, host: complete, topology: answer.topology, variants: answer.all });
      else failure ??= answer;
    };
    visit({});
  }
  const asShown = tried.flatMap((way) => observedIn(vm, way));
  // Other sockets were set by hand, or changed after the start.
  const ways = asShown.length > 0 ? asShown : tried;
  if (ways.length === 0 && attempts > MOST_TRIED) {
    const text = `the unknown settings have more than ${MOST_TRIED} combinations: ${open.join(", ")}`;
    return { ok: false, because: "unknown-value", reasons: [undecided(text)] };
  }
  if (ways.length === 0 && failure) return failure;
  const isComplete = attempts <= MOST_TRIED && ways.every(({ variants }) => variants().isComplete);
  return settle(vm, ways, isComplete);
}

/** Returns a completion with the sockets that the running VM shows; none if it has other ones. */
function observedIn({ observed }: VmSpec, way: TopologyCompletion): readonly TopologyCompletion[] {
  const shown = observed?.value.coresPerSocket;
  if (shown === undefined) return [way];
  const { list, isComplete } = way.variants();
  const seen = list.filter(({ topology }) => topology.coresPerSocket === shown).map(settledSockets);
  const [first] = seen;
  return first ? [{ ...way, topology: first.topology, variants: () => ({ list: seen, isComplete }) }] : [];
}

/** The sockets of a running VM are a fact, whichever of the answers gives them. */
const settledSockets = (variant: Variant): Variant => ({
  ...variant,
  topology: { ...variant.topology, certainties: { ...variant.topology.certainties, sockets: "documented" } },
});

/** Returns completions of a VM, each with its topologies. */
const completionsIn = (vm: VmSpec, ways: readonly TopologyCompletion[]): readonly Completion[] =>
  ways.map(({ choice, host, topology, variants }) => {
    const topologies = once(() => variants().list.map((variant) => variant.topology));
    return { vm: completed(vm, choice), host, topology, all: topologies };
  });

type Refusal = Extract<TopologyResult, { ok: false }>;

const whyUnknown = ({ settings }: VmSpec, name: SettingName): string => {
  const setting = settings[name];
  return `${name} is unknown: ${setting.state === "unknown" ? setting.reason : ""}`;
};

/** The releases that change the layout of a VM, newest first; a host without a stated release may have any. */
export const RELEASES: readonly EsxiVersion[] = [
  esxi(9, 0),
  esxi(8, 0),
  esxi(7, 0),
  esxi(6, 7, 2),
  esxi(6, 7, 0),
  esxi(6, 5, 3),
  esxi(6, 5, 0),
  esxi(6, 0),
  esxi(5, 5),
  esxi(5, 1),
  esxi(5, 0),
  esxi(4, 1),
  esxi(4, 0),
];

/** The same releases to choose from: each stands for all of its updates. */
export const RELEASE_NAMES: readonly string[] = [...new Set(RELEASES.map(({ major, minor }) => formatEsxi(esxi(major, minor))))];

/** Returns the answer with some unknown settings filled in, and the next unknown setting that it depends on. */
function answerWith(vm: VmSpec, host: HostModel, workload: Workload | undefined, open: readonly SettingName[], choice: SettingValues) {
  const readSetting = reader(vm, choice);
  let asksFor: SettingName | undefined;
  const get: Read = (name) => {
    if (asksFor === undefined && open.includes(name) && !(name in choice)) asksFor = name;
    return readSetting(name);
  };
  // At this point the host always has a release.
  const answer = answerOf(vm, host, host.esxi as EsxiVersion, workload, get);
  const first = asksFor;
  // Settings that decide the possible values of this one are filled in first.
  if (first) {
    asksFor = undefined;
    valuesOf(first, vm, get, host);
  }
  return { answer, asksFor: asksFor ?? first, get: readSetting };
}

/** Settings whose few values are all tried; for others, one value stands for all with the same topology. */
const EXHAUSTIVE: readonly SettingName[] = [
  "coresPerSocket",
  "coresPerNumaNode",
  "threadsPerCore",
  "cpuHotAdd",
  "memoryHotAdd",
  "memoryReservationLocked",
  "preferHt",
  "followCoresPerSocket",
  "numaConsolidate",
  "numaAutosize",
  "numaAutosizeOnce",
  "exposeVnumaOnHotAdd",
  "numaFixedAutoAffinity",
];

/** Returns all values of a setting for a VM if they are few. */
export const allValuesOf = (name: SettingName, vm: VmSpec, host: HostModel | undefined): readonly unknown[] | undefined =>
  EXHAUSTIVE.includes(name) && vm.settings.vcpus.state !== "unknown" ? valuesOf(name, vm, reader(vm, {}), host) : undefined;

/** Returns the possible values of an unknown setting, one for each distinct effect; `undefined` if there are too many. */
function valuesOf(name: SettingName, { settings }: VmSpec, get: Read, host: HostModel | undefined): readonly unknown[] | undefined {
  const setting: Setting<unknown> = settings[name];
  const { among, not = [] } = setting.state === "unknown" ? setting : {};
  const values = name === "vcpus" ? undefined : (among ?? valuesIn(name, get, host));
  return values?.filter((value) => !not.includes(value));
}

function valuesIn(name: SettingName, get: Read, host: HostModel | undefined): readonly unknown[] {
  const vcpus = get("vcpus") ?? 1;
  const upTo = (max: number): readonly number[] => sequence(max, (i) => i + 1);
  const divisors = () => upTo(vcpus).filter((size) => vcpus % size === 0);
  switch (name) {
    case "coresPerSocket": {
      const choosesSockets = (get("hardwareVersion") ?? AUTO_TOPOLOGY_HARDWARE) >= AUTO_TOPOLOGY_HARDWARE && (host?.esxi?.major ?? 8) >= 8;
      return choosesSockets ? ["auto", ...divisors()] : divisors();
    }
    case "hardwareVersion":
      return hardwareVersions(host?.esxi);
    case "threadsPerCore":
      return upTo(MOST_THREADS);
    case "vnumaMinVcpus":
      return [...new Set([DEFAULT_MIN_VCPUS, vcpus, vcpus + 1])];
    case "coresPerNumaNode":
      return [0, ...divisors()];
    case "maxVcpusPerVnumaNode":
      return [0, ...upTo(vcpus)];
    case "maxVcpusPerPhysicalNode":
    case "maxVcpusPerClient":
      return upTo(host ? Math.max(vcpus, coresPerNode(host) * host.threadsPerCore) : vcpus);
    case "storedNodeSize":
      return upTo(vcpus);
    case "storedCookie":
      return [0, vcpus * 10_000 + 1, ...divisors().map((cores) => vcpus * 10_000 + cores * 10 + 2)];
    default:
      return [false, true];
  }
}

/**
 * The newest hardware version of each kind on a host: without virtual NUMA, with it, and with automatic sockets. The newest has the highest
 * limits.
 */
function hardwareVersions(release: EsxiVersion | undefined): readonly number[] {
  const run = HARDWARE_VERSIONS.filter((version) => !release || runs(release, version) !== false);
  const newest = [Number.POSITIVE_INFINITY, AUTO_TOPOLOGY_HARDWARE, FIRST_VNUMA].flatMap(
    (below) => run.findLast((version) => version < below) ?? [],
  );
  return [...new Set(newest)];
}

const answerKey = ({ topology }: Pick<Variant, "topology">): string =>
  [topology.coresPerSocket, groupText(topology.vnumaNodes), groupText(topology.numaClients), topology.numaManaged].join(" ");

/** A value that distinguishes completions. */
type Decider = SettingName | "release";

const valueIn = ({ choice, release }: CompletionResult, name: Decider): unknown =>
  name === "release" ? release && formatEsxi(release) : choice[name];

/** Returns the cases of completions, without settings that decide nothing. */
function settle(vm: VmSpec, ways: readonly TopologyCompletion[], isComplete: boolean): PossibleTopologies {
  const completions = ways.flatMap(({ choice, release, variants }) =>
    variants().list.map((variant): CompletionResult => ({ choice, release, variant })),
  );
  // Most VMs have a single completion, and nothing decides it.
  const [only] = completions.length === 1 ? completions : [];
  const deciding = only ? [] : decidersOf(completions);
  const [first, ...otherCases] = only ? [{ ...only.variant, when: {}, releases: [] }] : casesOf(completions, deciding);
  if (!first) throw new Error("a VM has at least one case");
  const listed = otherCases.slice(0, MOST_CASES - 1);
  const certainties = only ? only.variant.topology.certainties : certaintiesOver(completions);
  return {
    ok: true,
    cases: [first, ...listed],
    isComplete: isComplete && listed.length === otherCases.length,
    certainties,
    certainty: weakest(Object.values(certainties)),
    deciding: deciding.filter((name) => name !== "release"),
    completions: once(() => completionsIn(vm, ways)),
  };
}

/** Returns the settings, and the release, that decide which answer a VM has. */
function decidersOf(completions: readonly CompletionResult[]): readonly Decider[] {
  const names = [...new Set(completions.flatMap(({ choice }) => Object.keys(choice) as SettingName[]))];
  const deciders: readonly Decider[] = completions.some(({ release }) => release) ? [...names, "release"] : names;
  return deciders.filter((name) => decides(name, deciders, completions));
}

/** Returns a case for each answer and the values that decide it. */
function casesOf(completions: readonly CompletionResult[], deciding: readonly Decider[]): readonly Case[] {
  const cases = new Map<string, Case>();
  for (const completion of completions) {
    const key = JSON.stringify([answerKey(completion.variant), ...deciding.map((name) => valueIn(completion, name) ?? null)]);
    if (!cases.has(key)) cases.set(key, caseOf(completion, deciding));
  }
  return merged([...cases.values()], deciding);
}

/** Whether completions that differ in only one value have different answers. */
function decides(name: Decider, deciders: readonly Decider[], completions: readonly CompletionResult[]): boolean {
  const otherDeciders = deciders.filter((decider) => decider !== name);
  const answers = new Map<string, Map<string, Set<string>>>();
  for (const completion of completions) {
    const values = getOrInsert(answers, JSON.stringify(otherDeciders.map((other) => valueIn(completion, other) ?? null)), () => new Map());
    getOrInsert(values, String(valueIn(completion, name)), () => new Set<string>()).add(answerKey(completion.variant));
  }
  return [...answers.values()].some((values) => new Set([...values.values()].map((set) => [...set].sort().join())).size > 1);
}

function caseOf({ choice, release, variant }: CompletionResult, deciding: readonly Decider[]): Case {
  const when = Object.fromEntries(Object.entries(choice).filter(([name]) => deciding.includes(name as SettingName)));
  return { ...variant, when, releases: deciding.includes("release") && release ? [release] : [] };
}

/** Joins cases with the same answer: one case for several releases, and for all values of a setting. */
function merged(cases: readonly Case[], deciding: readonly Decider[]): readonly Case[] {
  let all = cases;
  for (const name of deciding) {
    if (name === "release") continue;
    const without = (possible: Case): Case => ({ ...possible, when: { ...possible.when, [name]: undefined } });
    const valuesIn = (group: readonly Case[]): number => new Set(group.flatMap(({ when }) => when[name] ?? [])).size;
    const count = valuesIn(cases);
    const groups = grouped(all, (possible) => keyOf(without(possible)));
    all = all.flatMap((possible) => {
      const group = groups.get(keyOf(without(possible))) ?? [];
      if (valuesIn(group) < count) return [possible];
      return group[0] === possible ? [withDefined(without(possible))] : [];
    });
  }
  const groups = grouped(all, (possible) => keyOf({ ...possible, releases: [] }));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, releases: group.flatMap(({ releases }) => releases) }] : [];
  });
}

const keyOf = ({ topology, when, releases }: Case): string => JSON.stringify([answerKey({ topology }), when, releases]);

const withDefined = (possible: Case): Case => ({
  ...possible,
  when: Object.fromEntries(Object.entries(possible.when).filter(([, value]) => value !== undefined)),
});

/** Returns a VM with values for its unknown settings. */
export function completed(vm: VmSpec, values: SettingValues): VmSpec {
  const names = Object.keys(values) as SettingName[];
  if (names.length === 0) return vm;
  const settings = Object.fromEntries(names.map((name) => [name, known(values[name], rangeOf(vm, name))]));
  return { ...vm, settings: { ...vm.settings, ...settings } };
}

function rangeOf({ settings, range }: VmSpec, name: SettingName): VmSpec["range"] {
  const setting = settings[name];
  return setting.state === "absent" ? range : setting.range;
}

/** Returns how certain each fact is: the certainty of all completions if they agree, else possible. */
function certaintiesOver(completions: readonly CompletionResult[]): Certainties {
  const topologies = completions.map(({ variant }) => variant.topology);
  const certaintyFor = (fact: keyof Certainties, value: (topology: Topology) => string): Certainty => {
    const certainty = weakest(topologies.map(({ certainties }) => certainties[fact]));
    return certainty !== "unknown" && new Set(topologies.map(value)).size > 1 ? "possible" : certainty;
  };
  return {
    sockets: certaintyFor("sockets", ({ coresPerSocket }) => String(coresPerSocket)),
    vnumaNodes: certaintyFor("vnumaNodes", ({ vnumaNodes }) => groupText(vnumaNodes)),
    numaClients: certaintyFor("numaClients", ({ numaClients }) => groupText(numaClients)),
    placement: certaintyFor("placement", ({ numaManaged }) => String(numaManaged)),
  };
}
