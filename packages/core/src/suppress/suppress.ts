import type { Config, Declared } from "../config/config.ts";
import { byPlace, hostIn, isSilent, page } from "../lint/finding.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import { type Diagnostic, renamed, type Severity, type Skip, type Suppressed } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { once, onceEach } from "../model/memoize.ts";
import { nearest } from "../model/nearest.ts";
import { lastWhere } from "../model/search.ts";
import type { Range } from "../model/source.ts";
import { needsHost } from "../platforms/index.ts";
import type { FileResult } from "../report/result.ts";
import { isCrossVm, type Rule } from "../rules/define.ts";
import { isBuiltInId } from "../rules/families.ts";
import { rules as builtin } from "../rules/index.ts";
import { EVERYWHERE, readComments, type Suppression } from "./comments.ts";

/** Everything that may hide findings of one file. */
export interface FileSuppressions {
  readonly text: string;
  /** The comment ranges, if a text of this format can have comments. */
  readonly comments: readonly Range[];
  /** The entries of the configuration that match the file. */
  readonly configEntries: readonly Declared[];
  readonly vms: readonly LintedVm[];
}

export interface SuppressionResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed: readonly Suppressed[];
}

export interface SuppressOptions {
  /** As 2026-12-31. */
  readonly today: string;
  /** By path; most files have none. */
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
  /** Every configuration of the run that has suppressions. */
  readonly configs: readonly Config[];
  /** Whether a run checks every file of a configuration. Only then can it report unused suppressions. */
  readonly isWhole: (config: Config) => boolean;
  /** The rules of the run; built-in rules by default. */
  readonly rules?: readonly Rule[] | undefined;
  /** Whether plugins are not loaded, so that a comment may name a rule of theirs. */
  readonly lacksPlugins?: boolean;
}

/** Splits the findings of one file into shown and suppressed. */
export function hideSuppressed(diagnostics: readonly Diagnostic[], suppressions: FileSuppressions, today: string): SuppressionResult {
  const all = [...readComments(suppressions.text, suppressions.comments).suppressions, ...suppressions.configEntries.map(fromConfig)];
  const speaking = finder(all.filter((suppression) => !isExpired(suppression, today)));
  const shown: Diagnostic[] = [];
  const suppressed: Suppressed[] = [];
  for (const diagnostic of diagnostics) {
    const about = speaking(diagnostic).filter((suppression) => hides(suppression, diagnostic));
    const [first] = about;
    if (!first) shown.push(diagnostic);
    // A suppression of only some VMs of a place leaves the finding for the other VMs. A fix would change all of them.
    else if (!hasAll(about, diagnostic)) shown.push({ ...diagnostic, fixes: [] });
    else suppressed.push({ diagnostic, by: first.by, reason: about.find(({ reason }) => reason)?.reason ?? null });
  }
  const accepted = new Set(suppressed.map(({ diagnostic }) => placeOf(diagnostic)));
  // The same applies if each VM of a place has its own finding, as in an Ansible loop.
  const left = shown.map((diagnostic) =>
    diagnostic.fixes.length > 0 && accepted.has(placeOf(diagnostic)) ? { ...diagnostic, fixes: [] } : diagnostic,
  );
  return { diagnostics: left, suppressed };
}

const placeOf = ({ ruleId, range }: Diagnostic): string => `${ruleId} ${range}`;

const isExpired = ({ until }: { readonly until: string | null }, today: string): boolean => until !== null && until < today;

/** Returns a function that finds the suppressions around a finding, in order, without scanning all comments. */
function finder(all: readonly Suppression[]): (diagnostic: Diagnostic) => readonly Suppression[] {
  const always = all.flatMap(({ within }, i) => (within === EVERYWHERE ? i : []));
  const placed = all.flatMap(({ within }, i) => (within === EVERYWHERE ? [] : { i, start: within[0], end: within[1] }));
  // Comment ranges do not overlap, so both ends have the same order.
  placed.sort((a, b) => a.start - b.start || a.end - b.end);
  return ({ range: [at] }) => {
    const indexes = [...always];
    for (let last = lastWhere(placed, ({ start }) => start <= at), item = placed[last]; item && item.end > at; item = placed[--last])
      indexes.push(item.i);
    return indexes.sort((a, b) => a - b).flatMap((i) => all[i] ?? []);
  };
}

/** Whether a suppression covers the rule and at least one VM of a finding. */
const hides = ({ rules, isVm }: Suppression, diagnostic: Diagnostic): boolean =>
  diagnostic.ignorable !== false &&
  (rules.length === 0 || rules.some(({ value }) => value === diagnostic.ruleId)) &&
  namesOf(diagnostic).some((vm) => isVm?.(vm) ?? true);

/** Whether several suppressions together cover all VMs of a finding. */
const hasAll = (about: readonly Suppression[], diagnostic: Diagnostic): boolean =>
  namesOf(diagnostic).every((vm) => about.some(({ isVm }) => isVm?.(vm) ?? true));

const namesOf = ({ vm, vms }: Diagnostic): readonly string[] => vms ?? [vm ?? ""];

const fromConfig = ({ isVm, rules, reason, until, range }: Declared): Suppression => ({
  by: "config",
  rules: rules.map((value) => ({ value, range })),
  reason,
  until,
  range,
  within: EVERYWHERE,
  isVm,
});

/** Moves suppressed findings to `suppressed` and reports problems with suppressions. Expects all findings, including cross-VM findings. */
export function suppress(files: readonly FileResult[], options: SuppressOptions): readonly FileResult[] {
  const { suppressions, configs, today } = options;
  const results = files.map((file) => {
    const fileSuppressions = suppressions.get(file.path);
    if (!fileSuppressions) return file;
    const { diagnostics, suppressed } = hideSuppressed(file.diagnostics, fileSuppressions, today);
    const problems = aboutComments(fileSuppressions, file, options);
    const isAsFound = diagnostics.length === file.diagnostics.length && diagnostics.every((item, i) => item === file.diagnostics[i]);
    if (isAsFound && problems.length === 0) return file;
    return { ...file, text: fileSuppressions.text, diagnostics: [...diagnostics, ...problems].sort(byPlace), suppressed };
  });
  return [...results, ...configs.flatMap((config) => aboutConfig(config, files, options))];
}

/** The rule settings of a configuration or a target. */
type Choice = Pick<Target, "severities" | "selects">;

const severityOf = (rule: Rule, { severities, selects }: Choice): Severity | "off" =>
  severities?.[rule.id] ?? (rule.optIn && !selects?.(rule) ? "off" : rule.severity);

const choiceOf = ({ rules, selects }: Config): Choice => ({ severities: rules, selects });

/** Whether a run over some or all files of a configuration can report a rule's suppressions as unused. */
export function canReportUnused(config: Config, ruleId: string, files: "all" | "some"): boolean {
  const rule = builtin.find(({ id }) => id === ruleId);
  return (files === "all" || ruleId !== UNUSED) && (rule === undefined || severityOf(rule, choiceOf(config)) !== "off");
}

const UNUSED = "suppression/unused";

/** Returns a function that creates findings about suppressions; it returns nothing if the rule is off or not part of the run. */
function speaker(rules: readonly Rule[], choice: Choice, vm?: LintedVm) {
  return (id: string, messageId: string, data: Diagnostic["data"], range: Range): readonly Diagnostic[] => {
    const rule = rules.find((candidate) => candidate.id === id);
    const severity = rule && severityOf(rule, choice);
    if (!rule || severity === undefined || severity === "off") return [];
    const origin = { vm: vm?.spec.name ?? null, ...hostIn(vm?.target) };
    const message = rule.word({ messageId, data });
    return [{ ruleId: id, messageId, severity, message, data, range, related: [], fixes: [], ...origin, ...page(rule) }];
  };
}

/** Returns the problems with the comments of a file. */
function aboutComments(
  fileSuppressions: FileSuppressions,
  { diagnostics, skipped }: FileResult,
  options: SuppressOptions,
): readonly Diagnostic[] {
  const { today, rules: all = builtin, lacksPlugins = false } = options;
  const { vms, text, comments } = fileSuppressions;
  const [vm] = vms;
  const report = speaker(all, vm?.target ?? {}, vm);
  const { suppressions, misunderstood, excess } = readComments(text, comments);
  if (excess) return report("spec/syntax", "syntax", { message: excess.message }, excess.range);
  const ids = [...new Set([...builtin, ...all].map(({ id }) => id))];
  const isKnown = (id: string) => ids.includes(id) || (lacksPlugins && !isBuiltInId(id));
  const speaking = finder(suppressions);
  const ruleIds = new Map<Suppression, Set<string>>();
  for (const diagnostic of diagnostics)
    for (const suppression of speaking(diagnostic))
      if (hides(suppression, diagnostic)) getOrInsert(ruleIds, suppression, () => new Set()).add(diagnostic.ruleId);
  const ranHere = onceEach((id) => ran(id, all, vms, skipped));
  const mayBeUnused = once(() => hasBuiltins(all) && allRan(vms, skipped) && !mayBeHeldAgainst(all, vms));
  return [
    ...misunderstood.flatMap(({ messageId, data, range }) => report("suppression/unknown", messageId, data, range)),
    ...suppressions.flatMap((suppression) => {
      const { rules, reason, until, range } = suppression;
      const unknown = rules
        .filter(({ value }) => !isKnown(value))
        .flatMap(({ value, range: at }) => {
          const meant = nearest(value, ids);
          const found = report("suppression/unknown", "rule", { rule: value, nearest: meant ?? null }, at);
          return meant === undefined ? found : found.map((one) => ({ ...one, fixes: [renamed(meant, at)] }));
        });
      const unexplained = reason === null ? report("suppression/no-reason", "missing", {}, range) : [];
      if (isExpired(suppression, today)) return [...unknown, ...unexplained, ...report("suppression/expired", "expired", { until }, range)];
      const hidden = ruleIds.get(suppression);
      const unused =
        rules.length === 0
          ? hidden || !mayBeUnused()
            ? []
            : report(UNUSED, "all", {}, range)
          : rules
              .filter(({ value }) => !hidden?.has(value) && ranHere(value))
              .flatMap(({ value, range: at }) => report(UNUSED, "rule", { rule: value }, at));
      return [...unknown, ...unexplained, ...unused];
    }),
  ];
}

/** Returns the problems with the suppressions of a configuration, as findings in that file. */
function aboutConfig(config: Config, files: readonly FileResult[], options: SuppressOptions): readonly FileResult[] {
  if (!config.suppress) return [];
  const { today, suppressions, isWhole, rules: all = builtin } = options;
  const { path, text, entries } = config.suppress;
  const report = speaker(all, choiceOf(config));
  const diagnostics = entries.flatMap((entry) => {
    const { reason, until, range, rules } = entry;
    const unexplained = reason === null ? report("suppression/no-reason", "missing", {}, range) : [];
    if (isExpired(entry, today)) return [...unexplained, ...report("suppression/expired", "expired", { until }, range)];
    if (!isWhole(config)) return unexplained;
    const suppression = fromConfig(entry);
    const about = files.flatMap((file) => {
      const fileSuppressions = suppressions.get(file.path);
      if (!fileSuppressions?.configEntries.includes(entry)) return [];
      const { diagnostics, skipped } = file;
      return [{ diagnostics, skipped, vms: fileSuppressions.vms.filter(({ spec }) => entry.isVm(spec.name)) }];
    });
    const isUsed = (id?: string) =>
      about.some((file) => file.diagnostics.some((d) => (id === undefined || d.ruleId === id) && hides(suppression, d)));
    if (rules.length === 0)
      return isUsed() || !hasBuiltins(all) || !about.every((file) => file.vms.length === 0 || allRan(file.vms, file.skipped))
        ? unexplained
        : [...unexplained, ...report(UNUSED, "all", {}, range)];
    const unused = rules.filter(
      (id) => !isUsed(id) && about.every((file) => file.vms.length === 0 || ran(id, all, file.vms, file.skipped)),
    );
    return [...unexplained, ...unused.flatMap((rule) => report(UNUSED, "rule", { rule }, range))];
  });
  return diagnostics.length > 0 ? [{ path, text, diagnostics, skipped: [], hostedVms: [], vmCount: 0, isContext: true }] : [];
}

/** Whether a run has all built-in rules; a suppression of every rule may be about a missing one. */
const hasBuiltins = (rules: readonly Rule[]): boolean => rules === builtin || builtin.every((rule) => rules.includes(rule));

/** Whether a rule ran on all VMs of a file. A cross-VM rule may depend on files outside of the run, so the answer is no. */
function ran(ruleId: string, rules: readonly Rule[], vms: readonly LintedVm[], skipped: readonly Skip[]): boolean {
  const rule = rules.find(({ id }) => id === ruleId);
  if (!rule || isCrossVm(rule) || skipped.some((skip) => skip.ruleId === ruleId)) return false;
  // Kinds of hosts stand for a missing host; an older host may need the suppression.
  const asksHost = rule.needs.some((need) => need !== "workload");
  if (asksHost && vms.some(({ spec, target }) => !target.host && needsHost(spec))) return false;
  return vms.every((vm) => !isSilent(rule, vm.target)) && (vms.length > 0 || rule.over === "text");
}

/**
 * Whether every rule ran. Skipped checks and VMs that share a machine make this false; checks that only lack a common machine do not, because
 * a run over one file does not name them.
 */
const allRan = (vms: readonly LintedVm[], skipped: readonly Skip[]): boolean =>
  skipped.every(({ reason }) => reason === "placement-unknown") && vms.every(({ target }) => target.machine === undefined);

/** Whether a rule compares descriptions of the same VM, which may be in files outside of the run. */
const mayBeHeldAgainst = (rules: readonly Rule[], vms: readonly LintedVm[]): boolean =>
  vms.some(({ target }) => rules.some((rule) => rule.over === "descriptions" && !isSilent(rule, target)));
