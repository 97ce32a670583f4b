import { classHosts, SMALLEST } from "../hosts/node-classes.ts";
import { type Diagnostic, type Fix, SEVERITIES, type Skip } from "../model/diagnostic.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { getOrInsert, grouped } from "../model/maps.ts";
import { once, onceEach } from "../model/memoize.ts";
import { valueIfKnown } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import { PLACEMENT_SETTINGS, TOPOLOGY_SETTINGS } from "../platforms/esxi/derive.ts";
import { DEFAULT_MIN_VCPUS } from "../platforms/esxi/input.ts";
import { appliesTo, type Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";
import { hostIn } from "./finding.ts";
import type { LintedVm } from "./target.ts";

/** Whether every host, or every NUMA node, of the catalogue has a core for each vCPU of an undivided VM; `undefined` if that is unknown. */
export function fitsEvery(part: "node" | "host", vm: VmSpec): boolean | undefined {
  const count = vcpusOf(vm);
  if (count === undefined) return undefined;
  if (count > SMALLEST()[part]) return false;
  const divided = isDivided(vm);
  return divided === undefined ? undefined : !divided;
}

const vcpusOf = ({ settings: { vcpus }, defaults }: VmSpec): number | undefined =>
  vcpus.state === "known" ? vcpus.value : vcpus.state === "absent" ? defaults.vcpus : undefined;

/** Whether a setting divides the vCPUs of a VM, even if they fit a node; `undefined` if that is unknown. */
export function isDivided(vm: VmSpec): boolean | undefined {
  const count = vcpusOf(vm);
  const { settings } = vm;
  if (count === undefined || [...SIZES, ...OTHERS].some((name) => settings[name].state === "unknown")) return undefined;
  // Up to 6.0, cores per socket divide a VM that has NUMA nodes.
  const showsNodes = count >= (valueIfKnown(settings.vnumaMinVcpus) ?? DEFAULT_MIN_VCPUS);
  const isSpread = valueIfKnown(settings.numaConsolidate) === false;
  return showsNodes || isSpread || SIZES.some((name) => (valueIfKnown(settings[name]) || count) < count);
}

/** The sizes that may divide a VM that fits one node. */
const SIZES = [
  "coresPerNumaNode",
  "maxVcpusPerVnumaNode",
  "maxVcpusPerPhysicalNode",
  "maxVcpusPerClient",
  "storedNodeSize",
] as const satisfies readonly SettingName[];

const OTHERS = ["vnumaMinVcpus", "numaConsolidate"] as const satisfies readonly SettingName[];

/**
 * Rules about VMs wider than a node. Those that need a workload are never silent without one, nor are those about memory, which the classes do
 * not state: without them, VMs that differ in memory alone share an answer.
 */
const WIDE = once(() =>
  builtin.filter(
    ({ onlyWiderThan, needs, reads }) => onlyWiderThan === "node" && !needs.includes("workload") && !reads.includes("memoryMiB"),
  ),
);

/** The settings that these rules and the layout depend on. */
const SHAPE = once(() => [...new Set<SettingName>([...TOPOLOGY_SETTINGS, ...PLACEMENT_SETTINGS, ...WIDE().flatMap(({ reads }) => reads)])]);

/** Rules that find nothing on any class of hosts, by the shape of the VM. */
const silentByShape = new Map<string, ReadonlySet<Rule>>();

/** The most shapes to keep: an estate has about a hundred sizes of VMs. */
const MOST_SHAPES = 1_000;

/**
 * Returns rules that find nothing on a VM with any class of hosts. `check` checks the VM with one host and the other
 * hosts of each cluster, and returns whether a rule finds nothing.
 */
export function silentOnEveryClass(
  vm: LintedVm,
  check: (vm: LintedVm, clusters: readonly (readonly HostModel[])[]) => (rule: Rule) => boolean,
): ReadonlySet<Rule> {
  const { spec } = vm;
  const { settings, defaults, platform, observed, configured, running } = spec;
  const count = vcpusOf(spec);
  const isOpen = count === undefined || isDivided(spec) !== false || SHAPE().some((name) => settings[name].state === "unknown");
  if (isOpen || observed || configured || running) return NONE;
  const key = JSON.stringify([SHAPE().map((name) => valueIfKnown<unknown>(settings[name]) ?? null), defaults, platform]);
  return getOrInsert(silentByShape, key, () => {
    if (silentByShape.size >= MOST_SHAPES) silentByShape.clear();
    let silent = WIDE().filter((rule) => appliesTo(rule, spec, undefined));
    // A rule that compares the hosts of a cluster needs one with other nodes.
    const clusters = [[], classHosts().slice(-1)];
    for (const host of classHosts().filter((one) => coresPerNode(one) < count))
      silent = silent.filter(check({ spec, target: { host, selects: () => true } }, clusters));
    return new Set(silent);
  });
}

const NONE: ReadonlySet<Rule> = new Set();

/**
 * Whether the classes of hosts can decide a rule. They state counts of nodes, cores and threads alone: no memory, release, processor or
 * power policy. Only rules about numbers of CPUs and nodes need no more. A rule of a plugin may read more.
 */
export const isOfClasses = (rule: Rule): boolean =>
  NUMBERS.some((name) => rule.reads.includes(name)) && !rule.needs.includes("topology") && builtin.includes(rule);

/** The settings with numbers of CPUs and nodes. */
const NUMBERS = ["cpuAffinity", "numaNodeAffinity"] as const satisfies readonly SettingName[];

/** Returns a VM whose host is unknown on a host of each class. A rule about a cluster finds nothing without the other hosts. */
export function onClassHosts({ spec, target }: LintedVm): readonly LintedVm[] {
  const hosts = hostsFor(spec);
  const [host, ...otherHosts] = hosts;
  return [{ host, otherHosts }, ...hosts.map((one) => ({ host: one }))].map((given) => ({ spec, target: { ...target, ...given } }));
}

/**
 * Returns the findings of a rule on a VM whose host is unknown, if it has as many on each class of hosts; `undefined` if the host decides.
 * `check` checks the VM with a host of `hosts`.
 */
export function onEveryClass<T>(
  vm: LintedVm,
  hosts: readonly T[],
  check: (on: T) => readonly (Diagnostic | Skip)[],
): readonly Diagnostic[] | undefined {
  const ofClasses: (readonly Diagnostic[])[] = [];
  for (const on of hosts) {
    const results = check(on);
    const found = results.filter((one): one is Diagnostic => !("reason" in one));
    const [before = found] = ofClasses;
    if (found.length < results.length || found.length !== before.length) return undefined;
    ofClasses.push(found);
  }
  const [first = []] = ofClasses;
  return first.map((_, i) =>
    joined(
      ofClasses.flatMap((found) => found[i] ?? []),
      vm,
    ),
  );
}

/**
 * Returns hosts for all classes, the most different first. Nodes with a core for each CPU that the VM is pinned to are alike: the smallest
 * and the largest of them remain.
 */
function hostsFor({ settings }: VmSpec): readonly HostModel[] {
  const pinned = valueIfKnown(settings.cpuAffinity);
  return hostsByLast(String(Array.isArray(pinned) ? Math.max(...pinned) : 0));
}

const hostsByLast = onceEach((last): readonly HostModel[] => {
  const isLarge = (host: HostModel): boolean => coresPerNode(host) > Number(last);
  const large = [...grouped(classHosts().filter(isLarge), ({ threadsPerCore, numaNodes }) => `${threadsPerCore} ${numaNodes}`).values()];
  const ends = large.flatMap((alike) => alike.filter((_, i) => i === 0 || i === alike.length - 1));
  return [...ends.reverse(), ...classHosts().filter((host) => !isLarge(host))];
});

/** Joins a finding that all classes share: the mildest one, with the fixes of all. */
function joined(alike: readonly Diagnostic[], { target }: LintedVm): Diagnostic {
  const rank = ({ severity }: Diagnostic): number => SEVERITIES.indexOf(severity);
  const { assumedOfHost: _, host, ...mildest } = alike.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  const isSame = alike.every(({ message }) => message === mildest.message);
  const message = isSame ? mildest.message : `On every host, for example ${host}: ${mildest.message}`;
  const isOfAll = (fix: Fix): boolean => alike.every(({ fixes }) => fixes.some((one) => JSON.stringify(one) === JSON.stringify(fix)));
  return { ...mildest, message, ...hostIn(target), fixes: mildest.fixes.filter(isOfAll) };
}
