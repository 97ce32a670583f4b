import { jointly, jointTitle } from "../advice/paired-change.ts";
import { deriveTopology, type TopologyResult } from "../esxi/derive.ts";
import { storedSize } from "../esxi/stored-size.ts";
import type { Format } from "../formats/format.ts";
import { defaultFormat } from "../formats/index.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic, Fix, Severity, Skip, SkipReason } from "../model/diagnostic.ts";
import type { Beside } from "../model/files.ts";
import { checkHost, type HostModel } from "../model/host.ts";
import { once } from "../model/once.ts";
import type { Parsed, Problem, TextEdit } from "../model/parsed.ts";
import { type Range, valueIfKnown } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import { WORKLOAD_FIELD_NAMES, type Workload } from "../model/workload.ts";
import { rules as builtin } from "../rules/alone.ts";
import type { Facts, Finding, Need, Rule, View } from "../rules/define.ts";
import { kindsOf } from "../rules/presets.ts";
import { HOMEPAGE } from "../version.ts";
import { asking } from "./asked.ts";

/** What one VM is checked against. Its objects must not change between two calls: what is found out of one is kept for the next. */
export interface Target {
  readonly host?: HostModel | undefined;
  readonly workload?: Workload | undefined;
  /** Whether a rule is asked at all, where `severities` does not name it; all but those that are `optIn` are when not said. */
  readonly selects?: (rule: Rule) => boolean;
  readonly severities?: Severities;
  /** What the VM's own `vmlint:` comment asks for and cannot have. */
  readonly problems?: readonly Problem[];
  /** Which machine the VM runs on, where that is declared: VMs of one host may run on many machines of its kind. */
  readonly machine?: string;
  /** The other hosts of the cluster that the VM is declared to be in. */
  readonly elsewhere?: readonly HostModel[];
}

export interface LintOptions {
  /** The file's bytes, where there is one for each character of the text: see `Format.parse`. */
  readonly bytes?: Uint8Array | undefined;
  /** Where the text lies, and what may be read there: see `Format.parse`. */
  readonly beside?: Beside | undefined;
  /** How the text is written; `defaultFormat` when not said. */
  readonly format?: Format | undefined;
  readonly target?: Target | ((vm: VmSpec) => Target) | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** The severities of rules about a text in which there is no VM. */
  readonly severities?: (() => Severities) | undefined;
  /** Which VMs the result lists; all when not said. */
  readonly keeps?: ((vm: LintedVm) => boolean) | undefined;
}

/** The severity a rule is given in place of its own. */
export type Severities = Readonly<Record<string, Severity | "off">>;

export interface LintedVm {
  readonly spec: VmSpec;
  readonly target: Target;
  /** Where a range of the VM lies: its ranges are in a row of several files. Missing where they are in its own. */
  readonly locate?: (range: Range) => { readonly path?: string; readonly range: Range };
}

export interface LintResult {
  readonly vms: readonly LintedVm[];
  /** How many VMs there are, where not all are listed. */
  readonly vmCount?: number | undefined;
  /** Sorted by place, then by rule. */
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
  /** Why the file is no VM definition; nothing else is then reported. */
  readonly foreign: string | undefined;
  /** Fixes that would change more than what their findings are about; missing where there are none. */
  readonly withheld?: readonly Withheld[] | undefined;
}

/** A fix that is not proposed: other values are taken from the place that it would change. */
export interface Withheld {
  readonly diagnostic: Diagnostic;
  readonly safety: Fix["safety"];
  /** The file with that place; missing where it is the finding's own. */
  readonly path?: string;
}

/** The whole product in one pure function: text in, sorted diagnostics out. Never throws on what a user wrote. */
export function lint(text: string, options: LintOptions = {}): LintResult {
  const { format = defaultFormat, bytes, beside } = options;
  const parsed = (options.keeps && format.parseEach?.(text)) ?? format.parse(text, bytes, beside);
  const result = lintParsed(parsed, (vm, changes) => format.edit(text, vm, changes), options);
  return parsed.users ? forAll(result, parsed.users) : result;
}

/** How safe the safest of some fixes is. */
export const safest = (fixes: readonly Fix[]): Fix["safety"] | undefined =>
  (fixes.find(({ safety }) => safety === "safe") ?? fixes[0])?.safety;

/** Findings with those of their fixes that are proposed for every VM that they would change. */
function forAll(result: LintResult, users: (range: Range) => number): LintResult {
  const keyOf = (ruleId: string, { title, edits }: Fix): string => JSON.stringify([ruleId, title, edits]);
  const proposed = new Map<string, number>();
  for (const { ruleId, fixes } of result.diagnostics)
    for (const key of fixes.map((fix) => keyOf(ruleId, fix))) proposed.set(key, (proposed.get(key) ?? 0) + 1);
  const withheld: Withheld[] = [];
  const diagnostics = result.diagnostics.map((one) => {
    const count = (fix: Fix): number => proposed.get(keyOf(one.ruleId, fix)) ?? 0;
    const found = { ...one, fixes: one.fixes.filter((fix) => fix.edits.every(({ range }) => users(range) <= count(fix))) };
    const safety = safest(one.fixes);
    // Where there is another that is as safe, nobody misses these.
    if (safety && safety !== safest(found.fixes)) withheld.push({ diagnostic: found, safety });
    return found;
  });
  return { ...result, diagnostics, ...(withheld.length > 0 && { withheld }) };
}

/** How a format writes what a fix wants a VM to say. */
export type Edit = (vm: VmSpec, changes: readonly Change[]) => readonly TextEdit[] | undefined;

/** The second half of `lint`, for what was parsed elsewhere. */
export function lintParsed(
  { vms, problems, foreign }: Parsed<Iterable<VmSpec>>,
  edit: Edit,
  { target = {}, rules = builtin, keeps = () => true, severities }: Omit<LintOptions, "bytes" | "beside" | "format">,
): LintResult {
  const diagnostics: Diagnostic[] = [];
  const skipped: Skip[] = [];
  const kept: LintedVm[] = [];
  let vmCount = 0;
  let first: LintedVm | undefined;

  const say = ({ related = [], fix, range, ...problem }: Problem): void => {
    const rule = rules.find(({ id }) => id === problem.ruleId);
    const own = rule?.severities?.[problem.messageId] ?? rule?.severity;
    const given = first ? first.target.severities : severities?.();
    const severity = given?.[problem.ruleId] ?? own;
    if (!rule || severity === undefined || severity === "off") return;
    const fixes = fix ? [{ ...fix, safety: "safe" as const }] : [];
    const found = { ...problem, severity, message: rule.word(problem), related };
    // Of several VMs in one file it is about none in particular.
    const only = vmCount === 1 ? first : undefined;
    diagnostics.push({ ...found, range, fixes, vm: only?.spec.name ?? null, ...hostIn(only?.target), ...page(rule) });
  };
  const problemsOfAll = [...problems];
  const isNew = unsaid();
  for (const spec of vms) {
    const vm = { spec, target: typeof target === "function" ? target(spec) : target };
    vmCount++;
    first ??= vm;
    if (vm.target.host) checkHost(vm.target.host);
    if (keeps(vm)) kept.push(vm);
    // A comment in the file is about all shapes of a machine.
    if (!spec.choiceOf) for (const problem of vm.target.problems ?? []) problemsOfAll.push(problem);
    for (const said of checked(vm, rules, edit)) {
      if ("reason" in said) skipped.push(said);
      else if (isNew(spec, said)) diagnostics.push(said);
    }
  }
  problemsOfAll.forEach(say);
  diagnostics.sort(byPlace);
  return { vms: kept, vmCount, diagnostics, skipped, foreign };
}

/** What the rules say of a VM, and which of them could not look at it. */
function* checked(vm: LintedVm, rules: readonly Rule[], edit: Edit): Iterable<Diagnostic | Skip> {
  const { spec, target } = vm;
  const topology = once(() => target.host && deriveTopology(spec, target.host, target.workload));
  for (const { rule, skip } of askedAbout(rules, vm)) {
    const applies = rule.applies(spec, target.workload);
    if (applies === false) continue;
    const reason = applies === undefined ? "unknown-value" : lacking(rule, vm, topology);
    if (reason) yield skip(reason);
    else {
      for (const found of rule.check(factsOf(rule, vm, topology())))
        yield "skip" in found ? skip(found.skip) : place(rule, found, vm, edit);
    }
  }
}

/** What is found in several shapes of one machine, which come one behind the other, is said once, of the first of them. */
function unsaid(): (vm: VmSpec, diagnostic: Diagnostic) => boolean {
  let machine: VmSpec | undefined;
  let said = new Set<string>();
  return (vm, { ruleId, message, range, host }) => {
    if (machine !== (vm.choiceOf ?? vm)) [machine, said] = [vm.choiceOf ?? vm, new Set()];
    const before = said.size;
    return said.add([ruleId, host, ...range, message].join("\n")).size > before;
  };
}

interface Asking {
  readonly rules: readonly Rule[];
  readonly target: Target;
  readonly about: ReturnType<typeof asking>;
}

/** Of the last targets that differed in what they ask: nearly all VMs of a run share one. */
let recent: readonly Asking[] = [];

const MOST_RECENT = 16;

const asksTheSame = (a: Target, b: Target): boolean =>
  a.severities === b.severities && a.selects === b.selects && isSameWorkload(a.workload, b.workload);

/** Each VM that says itself what runs in it has an object of its own for that. */
const isSameWorkload = (a: Workload | undefined, b: Workload | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && WORKLOAD_FIELD_NAMES.every((name) => a[name] === b[name]));

/** The rules that may have something to say about a VM on its target. */
function askedAbout(rules: readonly Rule[], { spec, target }: LintedVm) {
  const known = recent.find((one) => one.rules === rules && asksTheSame(one.target, target));
  if (known) return known.about(spec);
  const about = asking(
    rules.filter((rule) => rule.checks && !isSilent(rule, target)),
    target.workload,
  );
  recent = [{ rules, target, about }, ...recent.slice(0, MOST_RECENT - 1)];
  return about(spec);
}

/** Turned off, or not asked. */
export function isUnasked(rule: Rule, { severities, selects }: Target): boolean {
  const severity = severities?.[rule.id];
  return severity === "off" || (severity === undefined && (rule.optIn || selects?.(rule) === false));
}

/** That, or about another workload than the one declared. */
export function isSilent(rule: Rule, target: Target): boolean {
  const { workload } = target;
  return isUnasked(rule, target) || (rule.about !== undefined && workload !== undefined && !kindsOf(rule).includes(workload.kind));
}

/** What a rule cannot do without and does not have. */
function lacking(rule: Rule, { spec, target }: LintedVm, topology: () => TopologyResult | undefined): SkipReason | undefined {
  if (rule.reads.some((name) => spec.settings[name].state === "unknown")) return "unknown-value";
  if (rule.esxiOnly && spec.platform === "hosted") return "not-esxi";
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

function place(rule: Rule, finding: Finding, { spec, target }: LintedVm, edit: Edit): Diagnostic {
  const { messageId, severity, message, data, related, at, fixes } = finding;
  const written = fixes.flatMap(({ title, safety, changes }) => {
    const added = jointly(changes, spec);
    const edits = edit(spec, [...changes, ...added]);
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

/** What a finding says of the host that it was made for. */
export const hostIn = ({ host }: Target = {}): Pick<Diagnostic, "host" | "assumedOfHost"> => ({
  host: host?.name ?? null,
  ...(host?.assumed && { assumedOfHost: host.assumed }),
});

/** The severity of a finding where its rule may have been given another. */
export function shownSeverity(rule: Rule, own: Severity, { severities }: Target): Severity {
  const given = severities?.[rule.id];
  return given === undefined || given === "off" ? own : given;
}

export const page = (rule: Rule) => ({ evidence: rule.shownEvidence, docsUrl: rule.docsUrl ?? docsUrl(rule.id) });

/** The address of the page of a built-in rule; empty until vmlint has a site. */
export const docsUrl = (ruleId: string): string => (HOMEPAGE === undefined ? "" : `${HOMEPAGE}/rules/${ruleId}`);

/** Where a rule is explained: its page, or the command that prints it. */
export const pageOrCommand = (ruleId: string, url: string): string => url || `vmlint explain ${ruleId}`;

/** The order of findings inside a file. */
export const byPlace = (a: Diagnostic, b: Diagnostic): number => a.range[0] - b.range[0] || compare(a.ruleId, b.ruleId);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
