import { jointly, jointTitle } from "../advice/paired-change.ts";
import { deriveTopology, type TopologyResult } from "../esxi/derive.ts";
import { storedSize } from "../esxi/stored-size.ts";
import type { Diagnostic, Skip, SkipReason } from "../model/diagnostic.ts";
import { once } from "../model/once.ts";
import { valueIfKnown } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import { WORKLOAD_FIELD_NAMES, type Workload } from "../model/workload.ts";
import { appliesTo, type Facts, type Finding, isForeignTo, type Need, type Rule, type View } from "../rules/define.ts";
import { hostIn, isSilent, page, shownSeverity } from "./finding.ts";
import type { LintedVm, Target } from "./target.ts";

/** What the rules find in one VM, and which of them could not look at it. A rule that throws is skipped, with the error. */
export type VmChecker = (vm: LintedVm) => Iterable<Diagnostic | Skip>;

interface SelectedRule {
  readonly rule: Rule;
  /** The same object for every VM: a run has many more skipped checks than findings. */
  readonly skip: (reason: SkipReason) => Skip;
}

/** A function that checks one VM after another with some rules. Nearly all VMs of a run share a target: its rules are selected once. */
export function vmChecker(rules: readonly Rule[]): VmChecker {
  const selectable = rules.filter(({ over }) => over === "vm").map(selectedRule);
  let recent: readonly { readonly target: Target; readonly selected: readonly SelectedRule[] }[] = [];
  const selectedFor = (target: Target): readonly SelectedRule[] => {
    const known = recent.find((one) => selectsTheSame(one.target, target));
    if (known) return known.selected;
    const selected = selectable.filter(({ rule }) => !isSilent(rule, target));
    recent = [{ target, selected }, ...recent.slice(0, MOST_RECENT - 1)];
    return selected;
  };
  return (vm) => checkVm(vm, selectedFor(vm.target));
}

function selectedRule(rule: Rule): SelectedRule {
  const skips: { [K in SkipReason]?: Skip } = {};
  return { rule, skip: (reason) => (skips[reason] ??= { ruleId: rule.id, reason }) };
}

/** Targets whose rules a checker remembers. */
const MOST_RECENT = 16;

const selectsTheSame = (a: Target, b: Target): boolean =>
  a.severities === b.severities && a.selects === b.selects && isSameWorkload(a.workload, b.workload);

/** A VM whose own comment declares its workload has an object of its own for it. */
const isSameWorkload = (a: Workload | undefined, b: Workload | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && WORKLOAD_FIELD_NAMES.every((name) => a[name] === b[name]));

function* checkVm(vm: LintedVm, rules: readonly SelectedRule[]): Iterable<Diagnostic | Skip> {
  const { spec, target } = vm;
  const topology = once(() => target.host && deriveTopology(spec, target.host, target.workload));
  for (const selected of rules) {
    try {
      yield* checkRule(selected, vm, topology);
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      yield { ruleId: selected.rule.id, reason: "rule-failed", fault };
    }
  }
}

function checkRule({ rule, skip }: SelectedRule, vm: LintedVm, topology: () => TopologyResult | undefined): readonly (Diagnostic | Skip)[] {
  const applies = appliesTo(rule, vm.spec, vm.target.workload);
  if (applies === false) return NONE;
  const reason = applies === undefined ? "unknown-value" : lacking(rule, vm, topology);
  if (reason) return [skip(reason)];
  return rule.check(factsOf(rule, vm, topology())).map((found) => ("skip" in found ? skip(found.skip) : place(rule, found, vm)));
}

const NONE: readonly never[] = [];

/** What a rule cannot do without and does not have. */
function lacking(rule: Rule, { spec, target }: LintedVm, topology: () => TopologyResult | undefined): SkipReason | undefined {
  if (rule.reads.some((name) => spec.settings[name].state === "unknown")) return "unknown-value";
  if (isForeignTo(rule, spec)) return "not-esxi";
  for (const need of rule.needs) {
    if (need === "workload" && !target.workload) return "no-workload";
    if (need !== "workload" && !target.host) return "no-host";
    const result = need === "topology" ? topology() : undefined;
    if (result?.ok === false) return result.because;
  }
  return undefined;
}

function factsOf(rule: Rule, { spec, target }: LintedVm, result: TopologyResult | undefined): Facts<Need, SettingName> {
  return {
    vm: view(spec, rule.reads),
    host: target.host,
    workload: target.workload,
    topology: result?.ok ? result.topology : undefined,
    ifKnown: (name: SettingName) => valueIfKnown<unknown>(spec.settings[name]),
    whatIf: (change) => {
      const other = target.host && deriveTopology(spec, target.host, target.workload, change);
      return other?.ok ? other.topology : undefined;
    },
    elsewhere: (change) =>
      (target.elsewhere ?? []).map((host) => {
        const other = deriveTopology(spec, host, target.workload, change);
        return { host, topology: other.ok ? other.topology : undefined };
      }),
    storedSize: () => (target.host && result?.ok ? storedSize(spec, target.host, result.topology) : null),
  } as Facts<Need, SettingName>; // What the rule needs was found to be there, which the compiler cannot see.
}

export function view(spec: VmSpec, reads: readonly SettingName[]): View<SettingName> {
  const { range, defaults, scsiControllers, devices, configured } = spec;
  const seen: Record<string, unknown> = { range, defaults, scsiControllers, devices, configured };
  for (const name of reads) {
    const setting = spec.settings[name];
    seen[name] = setting.state === "known" ? setting : undefined;
  }
  return seen as View<SettingName>;
}

function place(rule: Rule, finding: Finding, { spec, target }: LintedVm): Diagnostic {
  const { messageId, severity, message, data, related, at, fixes } = finding;
  const written = fixes.flatMap(({ title, safety, changes }) => {
    const added = jointly(changes, spec);
    const edits = spec.edit?.([...changes, ...added]);
    return edits ? [{ title: jointTitle(title, added), safety, edits }] : [];
  });
  return {
    ruleId: rule.id,
    messageId,
    severity: shownSeverity(rule, severity, target),
    message,
    data,
    related: spec.way ? [...related, ...spec.way(at)] : related,
    range: at,
    vm: spec.name,
    ...hostIn(target),
    fixes: written,
    ...page(rule),
  };
}
