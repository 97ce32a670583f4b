import { withAdvice } from "../advice/agreement.ts";
import { pairedTitle, withPairedChanges } from "../advice/paired-change.ts";
import { type Diagnostic, SEVERITIES, type Severity, type Skip, type SkipReason } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import { addTo, getOrInsert } from "../model/maps.ts";
import { once, onceFor } from "../model/memoize.ts";
import { type Setting, valueIfKnown } from "../model/source.ts";
import type { Change, SettingName, VmSpec } from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import { list, plural } from "../model/words.ts";
import type { Workload, WorkloadKind } from "../model/workload.ts";
import { certainAnswer, type Answer as EsxiAnswer, type Topology } from "../platforms/esxi/derive.ts";
import { topologyIn } from "../platforms/esxi/esxi.ts";
import { compareObserved } from "../platforms/esxi/observed.ts";
import { type Completion, completed, possibleTopologies } from "../platforms/esxi/possible.ts";
import { storedSize } from "../platforms/esxi/stored-size.ts";
import { answerFor, needsHost } from "../platforms/index.ts";
import type { Answer } from "../platforms/platform.ts";
import { appliesTo, type Facts, type Finding, isForeignTo, type MissingInput, type Need, type Rule, type View } from "../rules/define.ts";
import { assumptionsBehind } from "./assume.ts";
import { type CaseFinding, casesFor, type Deciding, decidingSetting, join, joinedMessage, type RuleCase } from "./cases.ts";
import { hostIn, isSilent, page, shownSeverity } from "./finding.ts";
import { type MakeSkip, skipsOf } from "./skipped-check.ts";
import type { LintedVm, Target } from "./target.ts";
import { fitsEvery, isOfClasses, onClassHosts, onEveryClass, silentOnEveryClass } from "./without-host.ts";

/** Returns the findings and the skipped checks of one VM. A rule that throws is skipped, with the error. */
export type VmChecker = (vm: LintedVm, ran?: Ran) => Iterable<Diagnostic | Skip>;

/** The record of a check of a VM. */
export interface Ran {
  /** The number of checks that ran. */
  count: number;
  /** Filled with rules that apply, find nothing and do not read the workload. */
  readonly silent?: Set<Rule>;
  /** The silent rules of a check of the same VM with another workload: they find nothing again. */
  readonly leavesOut?: ReadonlySet<Rule>;
}

interface SelectedRule {
  readonly rule: Rule;
  readonly skip: MakeSkip;
  readonly needsTopology: boolean;
  readonly isOfClasses: boolean;
}

/**
 * Returns a function that checks VMs with some rules. Nearly all VMs of a run share a target, so its rules are selected once. By
 * default findings have advice, which takes most of the time.
 */
export function vmChecker(rules: readonly Rule[], advise: Advise = (compute) => compute()): VmChecker {
  const selectable = rules.filter(({ over }) => over === "vm").map(selectedRule);
  const known = new WeakMap<object, WeakMap<object, Map<WorkloadKind | undefined, readonly SelectedRule[]>>>();
  const selectedFor = (target: Target): readonly SelectedRule[] => {
    const { selects = rules, severities = rules, workload } = target;
    const bySeverities = getOrInsert(known, selects, () => new WeakMap());
    const byKind = getOrInsert(bySeverities, severities, () => new Map());
    return getOrInsert(byKind, workload?.kind, () => selectable.filter(({ rule }) => !isSilent(rule, target)));
  };
  return (vm, ran = { count: 0 }) => checkVm(vm, selectedFor(vm.target), selectable, ran, advise);
}

type Advise = Facts["advise"];

/** For callers that only want to know what rules find. */
export const withoutAdvice: Advise = () => undefined;

const selectedRule = onceFor(
  (rule: Rule): SelectedRule => ({
    rule,
    skip: skipsOf(rule),
    needsTopology: rule.needs.includes("topology"),
    isOfClasses: isOfClasses(rule),
  }),
);

function* checkVm(
  vm: LintedVm,
  rules: readonly SelectedRule[],
  all: readonly SelectedRule[],
  ran: Ran,
  advise: Advise,
): Iterable<Diagnostic | Skip> {
  const layout = layoutOf(vm, advise);
  const notes = new Map<string, Note[]>();
  const results: (Diagnostic | Skip)[] = [];
  const replaced = new Set<string>();
  for (const selected of rules) {
    const { id, unless } = selected.rule;
    try {
      const found = unless.length === 0 ? checkRule(selected, vm, layout, notes, ran) : unreported(selected, vm, layout, notes, ran, all);
      // Most rules are not about a given VM.
      if (found === NONE) continue;
      if (!found.some(isSkip)) ran.count++;
      // Each finding that remains is graver than theirs.
      if (found.some((one) => !isSkip(one))) for (const other of unless) replaced.add(other);
      results.push(...found);
    } catch (error) {
      results.push({ ruleId: id, reason: "rule-failed", fault: faultOf(error) });
    }
  }
  for (const one of results) if (isSkip(one) || !replaced.has(one.ruleId)) yield one;
  for (const group of notes.values()) {
    const own = group.filter(({ rule }) => !replaced.has(rule.id));
    if (own.length > 0) yield noteOf(own, vm);
  }
}

/** Runs a rule with `unless`. Drops a finding if one of these rules has a finding at least as severe. Such a rule counts even if it is off. */
function unreported(
  selected: SelectedRule,
  vm: LintedVm,
  layout: Layout,
  notes: Map<string, Note[]>,
  ran: Ran,
  all: readonly SelectedRule[],
): readonly (Diagnostic | Skip)[] {
  const { unless } = selected.rule;
  // Most findings are reported, and advice takes the most time.
  const quick = { ...layout, facts: { ...layout.facts, advise: withoutAdvice }, advise: withoutAdvice };
  const tried = new Map<string, Note[]>();
  const found = checkRule(selected, vm, quick, tried, ran);
  if (found.every(isSkip) && tried.size === 0) return found;
  const rank = ({ rule }: SelectedRule, messageId: string): number => SEVERITIES.indexOf(rule.severities?.[messageId] ?? rule.severity);
  const others = once(() =>
    all
      .filter(({ rule }) => unless.includes(rule.id))
      .flatMap((other) => checkRule(other, vm, quick, new Map()).flatMap((one) => (isSkip(one) ? [] : rank(other, one.messageId)))),
  );
  const isLeft = found.map((one) => isSkip(one) || !others().some((severity) => severity <= rank(selected, one.messageId)));
  const left = found.filter((_, at) => isLeft[at]);
  if (left.every(isSkip) && tried.size === 0) return left;
  return checkRule(selected, vm, layout, notes).filter((_, at) => isLeft[at]);
}

const isSkip = (found: Diagnostic | Skip): found is Skip => "reason" in found;

/** The topology of a VM, and all possible ones, computed on demand. The other hosts of its cluster change nothing about them. */
interface Layout {
  readonly certain: () => Answer | undefined;
  readonly facts: SharedFacts;
  readonly completions: () => readonly Completion[] | undefined;
  readonly factsIn: (one: RuleCase) => SharedFacts;
  readonly advise: Advise;
  /** Returns rules that find nothing on any kind of host. */
  readonly silentWithoutHost: () => ReadonlySet<Rule>;
  /** Returns the VM on a host of each class, if its host is unknown. All rules share the facts. */
  readonly onClasses: () => readonly { readonly vm: LintedVm; readonly layout: Layout }[];
}

function layoutOf(vm: LintedVm, advise: Advise): Layout {
  const { spec, target } = vm;
  const { host, workload } = target;
  const onEsxi = once(() => host && certainAnswer(spec, host, workload));
  const certain = needsHost(spec) ? onEsxi : once(() => answerFor(spec, host, workload));
  const facts = factsOf(spec, target, () => topologyIn(certain()), advise, onEsxi);
  const completions = once(() => {
    const possible = facts.layouts();
    return possible?.isComplete ? possible.completions() : undefined;
  });
  return {
    certain,
    facts,
    completions,
    factsIn: onceFor((one) => factsOf(one.vm, { ...target, host: one.host }, () => one.topology, advise)),
    advise,
    silentWithoutHost: once(() => silentOnEveryClass(vm, isSilentOn)),
    onClasses: once(() => onClassHosts(vm).map((onHost) => ({ vm: onHost, layout: layoutOf(onHost, advise) }))),
  };
}

/** A finding that one unknown setting decides. */
interface Note extends Deciding {
  readonly rule: Rule;
  readonly finding: Finding;
}

function checkRule(
  selected: SelectedRule,
  vm: LintedVm,
  layout: Layout,
  notes: Map<string, Note[]>,
  { silent, leavesOut }: Omit<Ran, "count"> = {},
): readonly (Diagnostic | Skip)[] {
  const { rule, skip, needsTopology } = selected;
  const { spec, target } = vm;
  const applies = appliesTo(rule, spec, target.workload);
  if (applies === false || leavesOut?.has(rule)) return NONE;
  const lack = lacking(rule, vm);
  if (lack) return (lack === "no-host" && withoutHost(selected, vm, layout)) || [skip(lack, vm)];
  const result = needsTopology ? layout.certain() : undefined;
  const failure = result?.ok === false ? result.because : undefined;
  const isUnknown = applies === undefined || rule.reads.some((name) => spec.settings[name].state === "unknown");
  let asksForAll = needsTopology;
  if (!isUnknown && failure === undefined) {
    const facts = new RuleFacts(rule, vm, layout.facts);
    const found = findingsOf(rule, spec, facts);
    if (found.length === 0) {
      if (!facts.hasReadWorkload) silent?.add(rule);
      return [];
    }
    if (!found.some(isUndecided)) return found.map((one) => ("skip" in one ? skip(one.skip, vm, one.lacks) : diagnosticOf(rule, one, vm)));
    asksForAll = true;
    // A VM that never starts needs no list of layouts.
  } else if (failure === "no-power-on") return [skip(failure, vm)];
  const completions = asksForAll ? layout.completions() : undefined;
  const cases = asksForAll && !completions ? undefined : casesFor(vm, rule.reads, completions);
  if (!cases) return [skip(failure ?? (isUnknown ? "unknown-value" : "layout-unknown"), vm)];
  return checkCases(selected, vm, cases, notes, layout);
}

/** Returns the findings of a rule on a VM whose host is unknown; `undefined` if the host decides. */
function withoutHost(selected: SelectedRule, vm: LintedVm, { silentWithoutHost, onClasses }: Layout): readonly Diagnostic[] | undefined {
  const { rule, skip, isOfClasses } = selected;
  if (rule.onlyWiderThan) return fitsEvery(rule.onlyWiderThan, vm.spec) || silentWithoutHost().has(rule) ? [] : undefined;
  if (!isOfClasses) return undefined;
  return onEveryClass(vm, onClasses(), (on) => {
    const notes = new Map<string, Note[]>();
    const found = checkRule(selected, on.vm, on.layout, notes);
    return [...found, ...[...notes.keys()].map(() => skip("unknown-value", vm))];
  });
}

/** Returns whether a rule finds nothing on a VM with its host, in any case and in any of these clusters. */
function isSilentOn({ spec, target }: LintedVm, clusters: readonly (readonly HostModel[])[]): (rule: Rule) => boolean {
  const layout = layoutOf({ spec, target }, withoutAdvice);
  const vms = clusters.map((otherHosts): LintedVm => ({ spec, target: { ...target, otherHosts } }));
  return (rule) => vms.every((vm) => checkRule(selectedRule(rule), vm, layout, new Map()).length === 0);
}

/** Returns the findings whose advice is not in the file already. */
function findingsOf(rule: Rule, spec: VmSpec, facts: Facts<Need, SettingName>): readonly (Finding | MissingInput)[] {
  const found = rule.check(facts);
  const { unmet } = spec;
  if (!unmet) return found;
  const isStated = (change: Change): boolean =>
    change.setting !== "scsiType" && JSON.stringify(unmet[change.setting]) === JSON.stringify(change.value);
  return found.filter((one) => "skip" in one || !one.fixes.some(({ changes }) => changes.every(isStated)));
}

/** Whether a rule is skipped because no source decides the layout. */
const isUndecided = (found: Finding | MissingInput): boolean => "skip" in found && found.skip === "layout-unknown";

/** Runs a rule on all completions of a VM. */
function checkCases(
  selected: SelectedRule,
  vm: LintedVm,
  cases: readonly RuleCase[],
  notes: Map<string, Note[]>,
  { factsIn, advise }: Layout,
): readonly (Diagnostic | Skip)[] {
  const { rule, skip } = selected;
  const { spec, target } = vm;
  const checkOne = (one: RuleCase): readonly (Finding | MissingInput)[] => {
    const applies = appliesTo(rule, one.vm, target.workload);
    if (applies !== true) return applies === false ? NONE : [{ skip: "unknown-value" }];
    const facts = factsIn(one);
    const ifKnown: SharedFacts["ifKnown"] = (name) =>
      spec.settings[name].state === "unknown" && !rule.reads.includes(name) ? undefined : facts.ifKnown(name);
    return findingsOf(rule, one.vm, new RuleFacts(rule, { spec: one.vm, target }, { ...facts, advise, ifKnown }));
  };
  const results = cases.flatMap((one) => {
    const found = checkOne(one);
    // If no source decides the layout, the rule runs on each layout that sources support.
    const layouts = found.some(isUndecided) ? one.all?.() : undefined;
    if (!layouts) return [{ ruleCase: one, found }];
    return layouts.map((topology) => ({ ruleCase: { ...one, topology }, found: checkOne({ ...one, topology }) }));
  });
  const { always, sometimes, lacks } = join(results);
  const found: (Diagnostic | Skip)[] = always.map((findings) => diagnosticOf(rule, inAll(findings, rule, vm), vm));
  let isCounted = lacks !== undefined;
  const ruleCases = results.map(({ ruleCase: one }) => one);
  for (const findings of sometimes) {
    const finding = inAll(findings, rule, vm);
    const holding = findings.map(({ ruleCase: one }) => one);
    const decides = decidingSetting(spec, ruleCases, holding);
    if (decides && isGrave(shownSeverity(rule, finding.severity, target)) && isDecidedBy(decides, selected, vm)) {
      addTo(notes, `${decides.setting} ${decides.value}`, { ...decides, rule, finding });
    } else if (!isCounted) {
      isCounted = true;
      found.push(
        skip(
          cases.some((one) => one.vm !== spec) ? "unknown-value" : target.host && !target.host.esxi ? "no-esxi-version" : "layout-unknown",
          vm,
        ),
      );
    }
  }
  if (lacks) found.push(skip(lacks.skip, vm, lacks.lacks));
  return found;
}

/** Whether a rule finds a VM with a value for certain. A case may stand for several, which another unknown setting tells apart. */
function isDecidedBy({ setting, value }: Deciding, selected: SelectedRule, vm: LintedVm): boolean {
  const decided = { ...vm, spec: completed(vm.spec, { [setting]: value }) };
  return checkRule(selected, decided, layoutOf(decided, withoutAdvice), new Map()).some((one) => !isSkip(one));
}

const isGrave = (severity: Severity): boolean => severity === "error" || severity === "warning";

/** Joins a finding that several cases share: the mildest one, with the messages of all, and the fixes that work in every case. */
function inAll(instances: readonly CaseFinding[], rule: Rule, { spec, target }: LintedVm): Finding {
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(shownSeverity(rule, severity, target));
  const findings = instances.map(({ finding }) => finding);
  const mildest = [...findings].sort((a, b) => rank(b) - rank(a))[0] as Finding; // A rule finds it in at least one case.
  const fixes = mildest.fixes.filter((fix) =>
    findings.every((one) => one.fixes.some((other) => JSON.stringify(other) === JSON.stringify(fix))),
  );
  const cases = instances.map(({ ruleCase }) => ruleCase);
  // A message names no change that is wrong in another case.
  const wordOf = (one: Finding): string =>
    fixes.length > 0 && fixes.length < one.fixes.length ? withAdvice(one.message, fixes) : one.message;
  const conditionOf = (message: string): string | undefined => {
    const holding = instances.filter(({ finding }) => wordOf(finding) === message).map(({ ruleCase }) => ruleCase);
    const decides = decidingSetting(spec, cases, holding);
    return decides && `If ${decides.setting} is ${decides.value}:`;
  };
  return { ...mildest, message: joinedMessage(findings.map(wordOf), wordOf(mildest), conditionOf), fixes };
}

/** Joins the findings for one value of an unknown setting into one note: the message of the most severe, and how many more there are. */
function noteOf(group: readonly Note[], vm: LintedVm): Diagnostic {
  const rank = ({ rule, finding }: Note): number => SEVERITIES.indexOf(shownSeverity(rule, finding.severity, vm.target));
  const [gravest, ...others] = [...group].sort((a, b) => rank(a) - rank(b));
  const { rule, finding, setting, value } = gravest as Note; // A group has at least one.
  const stated = vm.spec.settings[setting];
  const more =
    others.length === 0
      ? ""
      : ` ${plural(others.length, "more check")} would report the VM: ${[...new Set(others.map((one) => one.rule.id))].join(", ")}.`;
  const why = stated.state === "unknown" ? ` to be sure (unknown: ${stated.reason})` : "";
  const message = `If ${setting} is ${value}: ${finding.message}${more} Set ${setting}${why}.`;
  const at = stated.state === "unknown" ? stated.range : finding.at;
  const placed = diagnosticOf(rule, { ...finding, message, at, fixes: [] }, vm);
  const cases = group.map((one) => ({ when: { [setting]: value }, ruleId: one.rule.id, message: one.finding.message }));
  return { ...placed, severity: "info", holds: "in some cases", cases };
}

/** An error with its stack, as text. */
export const faultOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const NONE: readonly never[] = [];

/** Returns the input that a rule needs and the VM never has, with any values. */
function lacking(rule: Rule, { spec, target }: LintedVm): SkipReason | undefined {
  if (isForeignTo(rule, spec)) return "other-platform";
  for (const need of rule.needs) {
    if (need === "workload" && !target.workload) return "no-workload";
    if (need !== "workload" && !target.host && (need === "host" || needsHost(spec))) return "no-host";
  }
  return undefined;
}

/** The facts about a VM that do not depend on the rule. */
interface SharedFacts extends Omit<Facts<never, SettingName>, "vm" | "topology" | "onOtherHosts"> {
  readonly topology: () => Topology | undefined;
}

const viewIn = (answer: Answer | undefined): GuestView | undefined => (answer?.ok ? answer.topology : undefined);

function factsOf(
  spec: VmSpec,
  target: Target,
  topology: SharedFacts["topology"],
  advise: Advise,
  certain?: () => EsxiAnswer | undefined,
): SharedFacts {
  const { host, workload } = target;
  return {
    host,
    workload,
    topology,
    guest: once(() => topology() ?? viewIn(answerFor(spec, host, workload))),
    ifKnown: (name) => valueIfKnown(spec.settings[name]),
    advise,
    whatIf: (change) => topologyIn(answerFor(spec, host, workload, change)),
    layouts: once(() => {
      const result = host && possibleTopologies(spec, host, workload, certain?.());
      return result?.ok ? result : undefined;
    }),
    observed: once(() => {
      const own = topology();
      return own && compareObserved(spec, own);
    }),
    storedSize: once(() => {
      const own = topology();
      return host && own ? storedSize(spec, host, own) : null;
    }),
  };
}

/** The facts for one rule. `lacking` ensures the inputs that the rule needs, which the compiler cannot see. */
class RuleFacts implements Facts<Need, SettingName> {
  readonly vm: View<SettingName>;
  readonly host: HostModel;
  readonly ifKnown: SharedFacts["ifKnown"];
  readonly advise: Advise;
  readonly guest: SharedFacts["guest"];
  readonly whatIf: SharedFacts["whatIf"];
  readonly layouts: SharedFacts["layouts"];
  readonly observed: SharedFacts["observed"];
  readonly storedSize: SharedFacts["storedSize"];
  hasReadWorkload = false;
  readonly #linted: LintedVm;
  readonly #shared: SharedFacts;

  constructor(rule: Rule, linted: LintedVm, shared: SharedFacts) {
    this.vm = view(linted.spec, rule.reads);
    this.host = shared.host as HostModel;
    this.ifKnown = shared.ifKnown;
    this.advise = shared.advise;
    this.guest = shared.guest;
    this.whatIf = shared.whatIf;
    this.layouts = shared.layouts;
    this.observed = shared.observed;
    this.storedSize = shared.storedSize;
    this.#linted = linted;
    this.#shared = shared;
  }

  get workload(): Workload {
    this.hasReadWorkload = true;
    return this.#shared.workload as Workload;
  }

  /** Computed for the first rule that reads it. */
  get topology(): Topology {
    return this.#shared.topology() as Topology;
  }

  get onOtherHosts(): Facts["onOtherHosts"] {
    const { spec, target } = this.#linted;
    const { otherHosts = [], workload } = target;
    return (change) => otherHosts.map((host) => ({ host, topology: topologyIn(answerFor(spec, host, workload, change)) }));
  }
}

const NO_BOARD = () => ({});

export function view(spec: VmSpec, reads: readonly SettingName[]): View<SettingName> {
  const { range, defaults, platform, generator, scsiControllers, devices, board = NO_BOARD, configured, measured, kvm } = spec;
  const seen: Record<string, unknown> = {
    range,
    defaults,
    platform,
    generator,
    scsiControllers,
    devices,
    board,
    configured,
    measured,
    kvm,
  };
  for (const name of reads) {
    const setting = spec.settings[name];
    seen[name] = setting.state === "known" ? setting : undefined;
  }
  return seen as View<SettingName>;
}

/** Whether a VM that runs disproves a message: its values, and its host if the rule needs the host. */
const isDisproved = ({ needs, refused }: Rule, messageId: string, { spec, target: { hostSource, elsewhere } }: LintedVm): boolean =>
  spec.running === true && refused.includes(messageId) && (!needs.includes("host") || (hostSource !== undefined && !elsewhere));

/** Returns the finding about a VM that runs although ESXi refuses its values. */
function ofRunning(
  { reads, needs }: Rule,
  said: string,
  { spec: { settings }, target: { host } }: LintedVm,
): Pick<Finding, "severity" | "message"> {
  const values = reads.flatMap((name) => {
    const setting: Setting<unknown> = settings[name];
    return setting.state === "known" ? `${name} ${setting.value}` : [];
  });
  if (values.length === 0) return { severity: "info", message: `The VM is running, so something here is wrong: ${said}` };
  const on = host && needs.includes("host") ? ` on ${host.name}` : "";
  const message = `The VM is running, but ESXi does not start a VM with ${list(values, "and")}${on}: one of these values is wrong, or it changed after the start.`;
  return { severity: "info", message };
}

/** Adds that the program that reads the file refuses it. */
const byGenerator = ({ id }: Rule, message: string, { generator }: VmSpec): string =>
  generator?.refuses.includes(id) ? `${generator.name} refuses this file: ${message}` : message;

export function diagnosticOf(rule: Rule, finding: Finding, vm: LintedVm): Diagnostic {
  const { spec, target } = vm;
  const { messageId, data, related, at, fixes } = finding;
  const { severity, message } = isDisproved(rule, messageId, vm) ? ofRunning(rule, finding.message, vm) : finding;
  const written = fixes.flatMap(({ title, safety, changes }) => {
    const added = withPairedChanges(changes, spec);
    const all = [...changes, ...added];
    const edits = spec.edit?.(all);
    return edits ? [{ title: pairedTitle(title, added), safety, edits, changes: all }] : [];
  });
  return {
    ruleId: rule.id,
    messageId,
    severity: shownSeverity(rule, severity, target),
    message: byGenerator(rule, message, spec),
    data,
    related: [...related, ...(spec.traceTo?.(at) ?? []), ...(spec.calledAt?.(at) ?? []), ...assumptionsBehind(rule, vm, at)],
    range: at,
    vm: spec.name,
    ...hostIn(target),
    fixes: written,
    ...page(rule),
  };
}
