import { type Diagnostic, SEVERITIES, type Skip, type SkipReason } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import type { ListedHost } from "../model/inventory-host.ts";
import { addTo, getOrInsert, grouped } from "../model/maps.ts";
import { once } from "../model/memoize.ts";
import type { Range, Setting } from "../model/source.ts";
import type { SettingName, SettingTypes, VmSpec } from "../model/spec.ts";
import type { TopologyResult } from "../platforms/esxi/derive.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import {
  appliesTo,
  type Description,
  type FindingTogether,
  isForeignTo,
  type Neighbour,
  type Rule,
  type RuleSubject,
} from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";
import { joinedMessage } from "./cases.ts";
import { checkHosts } from "./check-hosts.ts";
import { bySize } from "./check-on-cluster.ts";
import { faultOf, view } from "./check-vm.ts";
import { combinations, possibleSpecs } from "./combinations.ts";
import { byPlace, hostIn, inCell, isOptedOut, isSilent, page, shownSeverity } from "./finding.ts";
import { clusterOf, type HostedVm, MOST_VMS, sameHost } from "./hosted-vms.ts";
import { skipsOf } from "./skipped-check.ts";
import type { LintedVm } from "./target.ts";

/** The data of a file after its VMs were checked one by one. */
export interface CheckedFile {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
  /** The VMs of the file that have a host. */
  readonly hostedVms: readonly HostedVm[];
  /** All of its VMs, if other files of the run may describe the same ones. */
  readonly described?: readonly LintedVm[];
}

interface Member<F, V extends LintedVm = HostedVm> {
  readonly file: F;
  readonly vm: V;
}

const IN_CLUSTERS = builtin.filter(({ alsoInCluster }) => alsoInCluster);

/** Whether a built-in rule compares a VM with other VMs of its machine or its cluster. */
export const meetsOthers = ({ spec, target: { machine, otherHosts = [], workload } }: LintedVm): boolean =>
  machine !== undefined || (otherHosts.length > 0 && IN_CLUSTERS.some((rule) => appliesTo(rule, spec, workload) !== false));

/** Calls a function. Throws if it takes too long. */
export type TimeLimit = <T>(work: () => T) => T;

/** `hosts`: the hosts of the inventory. `fileOf` returns a result for a file that lists hosts and defines no VM. */
interface AcrossVms<F> {
  readonly inTime?: TimeLimit | undefined;
  readonly hosts?: readonly ListedHost[] | undefined;
  readonly fileOf?: (path: string) => F;
}

interface AddedFindings {
  readonly diagnostics: Diagnostic[];
  readonly skipped: Skip[];
}

/**
 * Adds the findings of cross-VM rules to files that were checked one by one, in any order. VMs are neighbours if they are declared to share
 * a machine; if they only have the same host, a rule with a finding is a skipped check. Two descriptions belong to one VM if they have the
 * same UUID, or else the same name, in formats that each describe it once. A rule that throws, or that `inTime` stops, is skipped, with
 * the error.
 */
export function checkAcrossVms<F extends CheckedFile>(
  files: readonly F[],
  rules: readonly Rule[] = builtin,
  { inTime = (work) => work(), hosts = [], fileOf }: AcrossVms<F> = {},
): readonly F[] {
  const addedByFile = new Map<F, AddedFindings>();
  const of = (file: F): AddedFindings => getOrInsert(addedByFile, file, () => ({ diagnostics: [], skipped: [] }));
  const find: Find<F> = (path) => files.find((file) => file.path === path);
  const run = (rule: Rule, file: () => F | undefined, check: () => void): void => {
    try {
      inTime(check);
    } catch (error) {
      const failed = file();
      if (failed) of(failed).skipped.push({ ruleId: rule.id, reason: "rule-failed", fault: faultOf(error) });
    }
  };
  for (const members of machines(files)) {
    const groups = once(() => byHost(eachOf(members).filter(isRunning)));
    for (const rule of rules)
      if (rule.over === "host")
        for (const group of groups())
          run(
            rule,
            () => group.vms[0]?.[0]?.file,
            () => checkMachine(rule, group, of, find),
          );
  }
  for (const { members, cluster } of clusters(files)) {
    const vms = once(() => eachOf(members).filter(isRunning));
    for (const rule of rules)
      if (rule.alsoInCluster)
        run(
          rule,
          () => members[0]?.file,
          () => checkMachine(rule, { vms: vms(), complete: true, cluster }, of, find),
        );
  }
  const described = once(() => describedTwice(files));
  for (const rule of rules)
    if (rule.over === "descriptions")
      for (const members of described())
        run(
          rule,
          () => members[0]?.file,
          () => checkDescriptions(rule, members, of, find),
        );
  const listing = new Map<string, F>();
  const named = (path: string): F | undefined => find(path) ?? (fileOf && getOrInsert(listing, path, () => fileOf(path)));
  const onHosts = checkHosts({
    rules,
    listed: hosts,
    vms: files.flatMap(({ path, hostedVms }) => hostedVms.map((vm) => ({ path, vm }))),
    namesOf: (vms) =>
      eachOf(vms.map((vm) => ({ file: NO_FILE, vm })))
        .filter(isRunning)
        .flatMap(([one]) => one?.vm.spec.name ?? []),
    guarded: (rule, path, check) => run(rule, () => named(path), check),
  });
  for (const { path, diagnostic } of onHosts) {
    const file = named(path);
    if (file) of(file).diagnostics.push(diagnostic);
  }
  return [...files, ...listing.values()].map((file) => withAdded(file, addedByFile.get(file)));
}

const NO_FILE: CheckedFile = { path: "", diagnostics: [], skipped: [], hostedVms: [] };

const withAdded = <F extends CheckedFile>(file: F, added: AddedFindings | undefined): F =>
  added
    ? { ...file, diagnostics: [...file.diagnostics, ...added.diagnostics].sort(byPlace), skipped: [...file.skipped, ...added.skipped] }
    : file;

/** The VMs of each machine, in the order of their files. */
function machines<F extends CheckedFile>(files: readonly F[]): readonly (readonly Member<F>[])[] {
  const found = new Map<string, Member<F>[]>();
  for (const file of files) for (const vm of file.hostedVms) addTo(found, vm.target.machine ?? sameHost(vm.target.host), { file, vm });
  const isMachine = (members: readonly Member<F>[]): boolean =>
    members.length <= MOST_VMS || members.some(({ vm }) => vm.target.machine !== undefined);
  return [...found.values()].filter(isMachine).map((members) => members.sort(byFile));
}

/** The VMs of each cluster, with its smallest host: HA and DRS may bring them together. */
function clusters<F extends CheckedFile>(
  files: readonly F[],
): readonly { readonly members: readonly Member<F>[]; readonly cluster: HostModel }[] {
  const found = new Map<string, Member<F>[]>();
  for (const file of files)
    for (const vm of file.hostedVms) {
      const cluster = clusterOf(vm.target);
      if (cluster !== undefined) addTo(found, cluster, { file, vm });
    }
  return [...found.values()].flatMap((members) => {
    const [first] = members.sort(byFile);
    if (!first || members.length > MOST_VMS) return [];
    const { host, otherHosts = [] } = first.vm.target;
    const [cluster = host] = [host, ...otherHosts].sort(bySize);
    return [{ members, cluster }];
  });
}

const byFile = (a: Member<CheckedFile, LintedVm>, b: Member<CheckedFile, LintedVm>): number =>
  Number(a.file.path > b.file.path) - Number(a.file.path < b.file.path) || startOf(a) - startOf(b);

function startOf({ vm }: Member<CheckedFile, LintedVm>): number {
  const [start] = vm.spec.range;
  return start;
}

/** VMs that run together, each by its descriptions. */
interface Group<F> {
  readonly vms: readonly (readonly Member<F>[])[];
  /** Whether no further VM may run with them. */
  readonly complete: boolean;
  /** Whether each of them may be on any host of the machine, and so possibly alone. */
  readonly isOpen?: boolean;
  /** The smallest host of their cluster, if they need not run together. */
  readonly cluster?: HostModel;
}

/** The configuration of a VM does not contradict an observed state. */
const isRunning = (same: readonly Member<CheckedFile>[]): boolean => !same.some(({ vm }) => vm.spec.off);

/** Splits the VMs of a machine that an inventory has on several hosts. A VM without a known host, or with two, may be on any of them. */
function byHost<F>(vms: Group<F>["vms"]): readonly Group<F>[] {
  if (vms.length < 2) return [];
  const hostsOf = (same: readonly Member<F>[]) => new Set(same.flatMap(({ vm: { spec } }) => spec.runsOn?.id ?? spec.runsOn?.name ?? []));
  if (new Set(vms.flatMap((same) => [...hostsOf(same)])).size < 2) return [{ vms, complete: true }];
  const found = grouped(vms, (same) => {
    const [host, another] = hostsOf(same);
    return another === undefined ? host : undefined;
  });
  const complete = !found.has(undefined);
  return [...found]
    .map(([host, vms]) => ({ vms, complete, isOpen: host === undefined }))
    .filter(({ vms, isOpen }) => isOpen || vms.length > 1);
}

/** A VM of a machine. `specIn` returns its settings in a combination of possible ones; `undefined` if the rule is not about it then. */
interface PossibleVm<F> {
  readonly member: Member<F>;
  readonly specIn: (combination: readonly (VmSpec | undefined)[]) => VmSpec | undefined;
}

/** A finding of one combination of possible settings, with the VMs of that combination. */
interface CombinedFinding<F> {
  readonly found: FindingTogether;
  readonly shown: ReadonlyMap<RuleSubject, Member<F>>;
}

function checkMachine<F extends CheckedFile>(rule: Rule, { vms, ...group }: Group<F>, of: (file: F) => AddedFindings, find: Find<F>): void {
  const known: PossibleVm<F>[] = [];
  const open: { readonly vm: HostedVm; readonly specs: readonly (VmSpec | undefined)[] }[] = [];
  const skip = skipsOf(rule);
  const missing = new Map<SkipReason, Skip>();
  const miss = (reason: SkipReason, vm: HostedVm, lacks?: readonly string[]): unknown =>
    getOrInsert(missing, reason, () => skip(reason, vm, lacks));
  let { complete } = group;
  for (const same of vms) {
    const lacks = same.map(({ vm }) => lacking(rule, vm));
    const [member, ...others] = same.filter((_, i) => lacks[i] === undefined);
    const isOpen = member && (group.isOpen || others.some(({ vm }) => !saysTheSame(rule, member.vm, vm)));
    const lack = isOpen ? "unknown-value" : lacks[0];
    const [only] = same;
    const specs = lack === "unknown-value" && only && same.length === 1 && !group.isOpen ? possibleSpecs(rule, only.vm) : undefined;
    if (member && !isOpen) known.push({ member, specIn: () => member.vm.spec });
    else if (only && specs) {
      const at = open.length;
      open.push({ vm: only.vm, specs });
      known.push({ member: only, specIn: (combination) => combination[at] });
    } else if (lack === "unasked") complete = false;
    else if (lack !== undefined && lack !== "silent" && only) miss(lack, only.vm);
  }
  const first = vms[0]?.[0];
  if (!first) return;
  const choices = combinations(open.map(({ specs }) => specs));
  const [{ vm: doubtful } = first] = open;
  if (!choices) miss("unknown-value", doubtful);
  const { machine, othersMayRun = false } = first.vm.target;
  const { cluster } = group;
  const host = cluster ?? first.vm.target.host;
  const isComplete = complete && !othersMayRun;
  const results = (choices ?? [[]]).map((choice) => {
    const shown = new Map<Neighbour<SettingName>, Member<F>>();
    for (const { member, specIn } of known) {
      const spec = specIn(choice);
      if (spec) shown.set(neighbour(rule, member, spec), member);
    }
    const found: CombinedFinding<F>[] = [];
    if (shown.size === 0) return found;
    const facts = { host, vms: [...shown.keys()], complete: isComplete && missing.size === 0, isCluster: cluster !== undefined };
    for (const one of rule.checkHost(facts)) {
      if ("skip" in one) miss(one.skip, first.vm, one.lacks);
      else found.push({ found: one, shown });
    }
    return found;
  });
  const { always, sometimes } = joinCombined(results);
  if (cluster) {
    const machineOf = ({ found: { on, related }, shown }: CombinedFinding<F>) =>
      new Set([on, ...related.map((other) => other.on)].map((one) => shown.get(one)?.vm.target.machine ?? one));
    for (const [one] of always) if (one && machineOf(one).size > 1) placeTogether(rule, one.found, one.shown, of, find);
    return;
  }
  if (machine === undefined) {
    if (always.length === 0) return;
    // A glob reads brackets as a set of characters.
    const names = vms.flatMap(([one]) => (one ? [(one.vm.spec.alias ?? one.vm.spec.name).replace(/[[\]{}!*]/g, "?")] : []));
    of(first.file).skipped.push({ ruleId: rule.id, reason: "placement-unknown", input: { host, vms: names } });
    return;
  }
  for (const instances of always) {
    const { found, shown } = inAllCombinations(instances, rule);
    placeTogether(rule, found, shown, of, find);
  }
  if (sometimes) miss("unknown-value", doubtful);
  of(first.file).skipped.push(...missing.values());
}

/** Joins the findings of all combinations; the first ones about a range of a VM are the same, the second ones, and so on. */
function joinCombined<F extends CheckedFile>(results: readonly (readonly CombinedFinding<F>[])[]) {
  const placeOf = ({ found, shown }: CombinedFinding<F>): string => {
    const member = shown.get(found.on);
    return JSON.stringify([member?.file.path, member?.vm.spec.range, found.at]);
  };
  const marked = results.flatMap((found) =>
    [...grouped(found, placeOf)].flatMap(([place, same]) => same.map((one, nth) => ({ key: `${place} ${nth}`, one }))),
  );
  const groups = [...grouped(marked, ({ key }) => key).values()].map((group) => group.map(({ one }) => one));
  const always = groups.filter(({ length }) => length === results.length);
  return { always, sometimes: always.length < groups.length };
}

/** Returns the mildest finding of all combinations, with the messages of all. */
function inAllCombinations<F>(instances: readonly CombinedFinding<F>[], rule: Rule): CombinedFinding<F> {
  const rank = ({ found, shown }: CombinedFinding<F>): number =>
    SEVERITIES.indexOf(shownSeverity(rule, found.severity, shown.get(found.on)?.vm.target ?? {}));
  const [first] = [...instances].sort((a, b) => rank(b) - rank(a));
  const mildest = first as CombinedFinding<F>; // A group has at least one.
  const messages = instances.map(({ found }) => found.message);
  return { ...mildest, found: { ...mildest.found, message: joinedMessage(messages, mildest.found.message, () => undefined) } };
}

/**
 * Returns the descriptions of each VM, one per format. Two in the same format are two VMs, unless they are captures with the same instance
 * UUID.
 */
function eachOf<M extends Member<CheckedFile>>(members: readonly M[]): readonly (readonly M[])[] {
  const vms = [...byVm(members)].flatMap(([mark, same]) => {
    const isSure = ({ vm }: M): boolean => mark === `instance ${vm.spec.uuids?.().instance}`;
    const formats = [...new Set(same.map(({ vm }) => vm.spec.format))];
    const lists = formats.map((format) => {
      const own = same.filter(({ vm }) => vm.spec.format === format);
      return [own.filter(isSure), ...own.flatMap((one) => (isSure(one) ? [] : [[one]]))].filter(({ length }) => length > 0);
    });
    return same.map((_, i) => lists.flatMap((list) => list[i] ?? []));
  });
  const vmOf = new Map(vms.flatMap((same) => same.map((member) => [member, same] as const)));
  const resources = new Set([...vmOf.keys()].flatMap(({ vm }) => vm.spec.resource ?? []));
  // A plan in the same run knows how many there are.
  const isPlanned = ({ spec: { resource = "" } }: LintedVm): boolean => resources.has(resource);
  const each = members.flatMap((member) => [vmOf.get(member) ?? (isPlanned(member.vm) ? [] : [member])]);
  return [...new Set(each)].filter(({ length }) => length > 0);
}

/** Whether two descriptions agree on known values of all settings that a rule reads; missing settings have the default of their format. */
function saysTheSame({ reads }: Rule, one: DescribedVm, other: DescribedVm): boolean {
  const [here, there] = [description(one), description(other)];
  return reads.every((name) => JSON.stringify(here.valueOf(name)?.value) === JSON.stringify(there.valueOf(name)?.value));
}

/** Returns why a VM is not in the input of a rule. `silent`: the rule is not about it. Last value: the rule is off for it. */
function lacking(rule: Rule, { spec, target }: HostedVm): SkipReason | "silent" | "unasked" | undefined {
  const applies = appliesTo(rule, spec, target.workload);
  if (applies === false) return "silent";
  if (isSilent(rule, target)) return isOptedOut(rule, target) ? "unasked" : "silent";
  if (isForeignTo(rule, spec)) return "other-platform";
  // Several texts define its final shape, or none states how many there are.
  if (spec.changes || spec.hasUnknownCount) return "unknown-value";
  return applies === undefined || rule.reads.some((name) => spec.settings[name].state === "unknown") ? "unknown-value" : undefined;
}

const neighbour = (rule: Rule, { file, vm: { target } }: Member<CheckedFile>, spec: VmSpec): Neighbour<SettingName> => ({
  name: spec.name || file.path,
  vm: view(spec, rule.reads),
  workload: target.workload,
  layout: () => layoutOf(spec, target),
});

/** Returns the first possible topology of a VM, with the certainties of all. */
function layoutOf(spec: VmSpec, { host, workload }: HostedVm["target"]): TopologyResult {
  const result = possibleTopologies(spec, host, workload);
  if (!result.ok) return result;
  if (!result.isComplete) return { ok: false, because: "unknown-value", reasons: result.cases[0].topology.reasons };
  const { certainty, certainties } = result;
  return { ok: true, topology: { ...result.cases[0].topology, certainty, certainties } };
}

/** Identifiers of VMs, most reliable first: a copy may keep its BIOS UUID, and names need not be unique. */
const MARKS = ["instance", "bios", "name", "resource"] as const;

function marksOf({ name, resource, alias = resource === undefined ? name : "", uuids }: VmSpec): readonly string[] {
  const marks = { ...uuids?.(), name: alias || undefined, resource };
  return MARKS.flatMap((mark) => (marks[mark] === undefined ? [] : [`${mark} ${marks[mark]}`]));
}

/**
 * Groups descriptions by VM, by the most reliable identifier; with two UUIDs of the same kind, names do not matter. An identifier of
 * several VMs is ambiguous.
 */
function byVm<M extends Member<CheckedFile, LintedVm>>(members: readonly M[]): ReadonlyMap<string, M[]> {
  const found = new Map<string, M[]>();
  const bearers = new Map<string, Set<string>>();
  const marked = members.map((member) => ({ member, marks: marksOf(member.vm.spec) }));
  for (const surest of MARKS) {
    for (const { member, marks } of marked) {
      const [mark] = marks;
      if (!mark?.startsWith(`${surest} `)) continue;
      const [vm = mark, another] = bearers.get(mark) ?? [];
      if (another !== undefined) continue;
      for (const one of marks) getOrInsert(bearers, one, () => new Set()).add(vm);
      addTo(found, vm, member);
    }
  }
  return found;
}

/** Returns the VMs with descriptions in at least two formats, except ambiguous ones. */
function describedTwice<F extends CheckedFile>(files: readonly F[]): readonly (readonly Member<F, LintedVm>[])[] {
  const members = files.flatMap((file) => (file.described ?? []).map((vm) => ({ file, vm })));
  return [...byVm(members).values()].flatMap((all) => {
    const formats = all.map(({ vm }) => vm.spec.format);
    const once = all.filter(({ vm: { spec } }) => formats.indexOf(spec.format) === formats.lastIndexOf(spec.format));
    return once.length > 1 ? [once.sort(byFile)] : [];
  });
}

function checkDescriptions<F extends CheckedFile>(
  rule: Rule,
  members: readonly Member<F, LintedVm>[],
  of: (file: F) => AddedFindings,
  find: Find<F>,
): void {
  const canRun = ({ vm: { spec, target } }: Member<F, LintedVm>) => !isSilent(rule, target) && !isForeignTo(rule, spec);
  const shown = new Map(members.filter(canRun).map((member) => [description(member.vm), member]));
  const [first] = shown.values();
  if (!first || shown.size < 2) return;
  for (const found of rule.checkDescriptions({ descriptions: [...shown.keys()] })) {
    if ("skip" in found) of(first.file).skipped.push({ ruleId: rule.id, reason: found.skip });
    else placeTogether(rule, found, shown, of, find);
  }
}

function description({ spec: { name, alias = name, format, settings, defaults, range } }: DescribedVm): Description<SettingName> {
  return {
    name: alias,
    format,
    valueOf<K extends SettingName>(setting: K) {
      const state: Setting<SettingTypes[K]> = settings[setting];
      if (state.state === "known") return state;
      const value = state.state === "absent" ? defaults[setting] : undefined;
      return value === undefined ? undefined : { value: value as SettingTypes[K], range };
    },
  };
}

type DescribedVm = Pick<LintedVm, "spec">;

/** Returns a file of the run by its path. */
type Find<F> = (path: string) => F | undefined;

function placeTogether<F extends CheckedFile>(
  rule: Rule,
  { on, at, related, severity, ...rest }: FindingTogether,
  shown: ReadonlyMap<RuleSubject, Member<F, LintedVm>>,
  of: (file: F) => AddedFindings,
  find: Find<F>,
): void {
  const memberOf = (one: RuleSubject): Member<F, LintedVm> => {
    const member = shown.get(one);
    if (!member) throw new Error(`${rule.id} reports a VM that it did not receive`);
    return member;
  };
  const placeOf = (one: RuleSubject, range: Range) => {
    const { file, vm } = memberOf(one);
    return { path: file.path, ...(vm.locate?.(range) ?? { range }) };
  };
  const { file: own, vm } = memberOf(on);
  const place = placeOf(on, at);
  // A finding in a file outside of the run is reported at the VM.
  const file = find(place.path) ?? own;
  const isElsewhere = file.path !== place.path;
  const found: Diagnostic = {
    ruleId: rule.id,
    ...rest,
    severity: shownSeverity(rule, severity, vm.target),
    range: isElsewhere ? [0, 0] : place.range,
    related: [
      ...(isElsewhere ? [{ message: "it is written here", ...place }] : []),
      ...related.map((other) => {
        const { path, range } = placeOf(other.on, other.at);
        return { message: other.message, range, ...(path !== file.path && { path }) };
      }),
    ],
    ...(rule.over === "host" && { among: related.length + 1 }),
    vm: vm.spec.name,
    ...hostIn(vm.target),
    fixes: [],
    ...page(rule),
  };
  of(file).diagnostics.push(isElsewhere ? found : inCell(found, vm.spec));
}
