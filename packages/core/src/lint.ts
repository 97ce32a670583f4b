import type { Diagnostic, Severity, Skip, SkipReason } from "./model/diagnostic.ts";
import type { HostModel } from "./model/host.ts";
import type { Problem, TextEdit } from "./model/parsed.ts";
import type { SettingName, VmSpec } from "./model/spec.ts";
import type { Workload } from "./model/workload.ts";
import type { Format } from "./parse/format.ts";
import { vmx } from "./parse/vmx/vmx.ts";
import type { Facts, Finding, Need, Rule, View } from "./rules/define.ts";
import { rules as builtin } from "./rules/index.ts";
import { deriveTopology, type TopologyResult } from "./topology/derive.ts";

/** What one VM is checked against. */
export interface Target {
  readonly host?: HostModel | undefined;
  readonly workload?: Workload | undefined;
  /** The severity a rule is given in place of its own. */
  readonly severities?: Readonly<Record<string, Severity | "off">>;
  /** What the VM's own `vmlint:` comment asks for and cannot have. */
  readonly problems?: readonly Problem[];
}

export interface LintOptions {
  /** The file's bytes, where there is one for each character of the text: see `Format.parse`. */
  readonly bytes?: Uint8Array;
  /** How the text is written; .vmx when not said. */
  readonly format?: Format;
  readonly target?: Target | ((vm: VmSpec) => Target);
  readonly rules?: readonly Rule[];
}

export interface LintedVm {
  readonly spec: VmSpec;
  readonly target: Target;
}

export interface LintResult {
  readonly vms: readonly LintedVm[];
  /** Sorted by place, then by rule. */
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
  /** Why the file is no VM definition; nothing else is then reported. */
  readonly foreign?: string;
}

/** The whole product in one pure function: text in, sorted diagnostics out. Never throws on what a user wrote. */
export function lint(text: string, { format = vmx, bytes, target = {}, rules = builtin }: LintOptions = {}): LintResult {
  const { vms, problems, foreign } = format.parse(text, bytes);
  const diagnostics: Diagnostic[] = [];
  const skipped: Skip[] = [];
  const linted = vms.map((spec) => ({ spec, target: typeof target === "function" ? target(spec) : target }));
  const [first] = linted;

  const allProblems = [...problems, ...linted.flatMap((vm) => vm.target.problems ?? [])];
  for (const { related = [], fix, range, ...problem } of allProblems) {
    const rule = rules.find(({ id }) => id === problem.ruleId);
    const own = rule?.severities?.[problem.messageId] ?? rule?.severity;
    const severity = first?.target.severities?.[problem.ruleId] ?? own;
    if (!rule || severity === undefined || severity === "off") continue;
    const fixes = fix ? [{ ...fix, safety: "safe" as const }] : [];
    const found = { ...problem, severity, message: rule.word(problem), related };
    diagnostics.push({ ...found, range, fixes, vm: first?.spec.name ?? null, host: first?.target.host?.name ?? null, ...page(rule) });
  }
  for (const vm of linted) {
    const topology = once(() => vm.target.host && deriveTopology(vm.spec, vm.target.host, vm.target.workload));
    for (const rule of rules) {
      if (!rule.checks || rule.applies(vm.spec) === false) continue;
      for (const result of applyRule(rule, vm, topology)) {
        if ("skip" in result) skipped.push({ ruleId: rule.id, reason: result.skip });
        else diagnostics.push(place(rule, result, vm, format, text));
      }
    }
  }
  diagnostics.sort((a, b) => a.range[0] - b.range[0] || compare(a.ruleId, b.ruleId));
  return { vms: linted, diagnostics, skipped, ...(foreign !== undefined && { foreign }) };
}

function* applyRule(
  rule: Rule,
  { spec, target }: LintedVm,
  topology: () => TopologyResult | undefined,
): Iterable<Finding | { readonly skip: SkipReason }> {
  const override = target.severities?.[rule.id];
  if (override === "off") return;
  if (rule.applies(spec) === undefined || rule.reads.some((name) => spec.settings[name].state === "unknown"))
    return yield { skip: "unknown-value" };
  const lacking = (need: Need): SkipReason | undefined => {
    switch (need) {
      case "host":
        return target.host ? undefined : "no-host";
      case "mssql":
        return target.workload ? undefined : "no-workload";
      case "topology": {
        const result = topology();
        if (!result) return "no-host";
        return result.ok ? undefined : result.because;
      }
    }
  };
  if (rule.needs.includes("mssql") && target.workload && target.workload.kind !== "mssql") return;
  if (rule.esxiOnly && spec.platform === "hosted") return yield { skip: "not-esxi" };
  for (const need of rule.needs) {
    const skip = lacking(need);
    if (skip) return yield { skip };
  }
  const result = topology();
  const facts = {
    vm: view(spec, rule.reads),
    host: target.host,
    workload: target.workload,
    topology: result?.ok ? result.topology : undefined,
    whatIf: (change) => {
      const other = target.host && deriveTopology(spec, target.host, target.workload, change);
      return other?.ok ? other.topology : undefined;
    },
  } as Facts<Need, SettingName>; // Every need was met above, which the compiler cannot see.
  for (const found of rule.check(facts)) yield "skip" in found || !override ? found : { ...found, severity: override };
}

function view(spec: VmSpec, reads: readonly SettingName[]): View<SettingName> {
  const { range, defaults, scsiControllers, disks } = spec;
  const seen: Record<string, unknown> = { range, defaults, scsiControllers, disks };
  for (const name of reads) {
    const setting = spec.settings[name];
    seen[name] = setting.state === "known" ? setting : undefined;
  }
  return seen as View<SettingName>;
}

function place(rule: Rule, finding: Finding, { spec, target }: LintedVm, format: Format, text: string): Diagnostic {
  const { at, fixes, ...rest } = finding;
  const written = fixes.flatMap(({ title, safety, changes }) => {
    const edits: readonly TextEdit[] | undefined = format.edit(text, spec, changes);
    return edits ? [{ title, safety, edits }] : [];
  });
  return { ruleId: rule.id, ...rest, range: at, vm: spec.name, host: target.host?.name ?? null, fixes: written, ...page(rule) };
}

const page = (rule: Rule) => ({ evidence: rule.shownEvidence, docsUrl: docsUrl(rule.id) });

export const docsUrl = (ruleId: string): string => `https://vmlint.dev/rules/${ruleId}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
