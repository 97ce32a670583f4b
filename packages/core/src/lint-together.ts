import { byPlace, isSilent, page, view } from "./lint.ts";
import type { Diagnostic, Skip, SkipReason } from "./model/diagnostic.ts";
import type { SettingName } from "./model/spec.ts";
import { MOST_VMS, type PlacedVm, sameHost } from "./placed.ts";
import type { FindingTogether, Neighbour, Rule } from "./rules/define.ts";
import { rules as builtin } from "./rules/together.ts";
import { deriveTopology } from "./topology/derive.ts";

/** What is known of a file once its VMs were linted one by one. */
export interface LintedAlone {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly skipped: readonly Skip[];
  /** The VMs of the file that have a host. */
  readonly placed: readonly PlacedVm[];
}

interface Member<F> {
  readonly file: F;
  readonly vm: PlacedVm;
}

interface Said {
  readonly diagnostics: Diagnostic[];
  readonly skipped: Skip[];
}

/**
 * The second, shorter half of the product: the files of a run, each linted on its own, with what the rules over several
 * VMs find added to them. Pure; the order of the files does not matter. VMs are held together where they are declared to
 * run on one machine; where they only have the same host, a rule that would speak is counted as skipped.
 */
export function lintTogether<F extends LintedAlone>(files: readonly F[], rules: readonly Rule[] = builtin): readonly F[] {
  const said = new Map<F, Said>();
  const of = (file: F): Said => {
    const known = said.get(file) ?? { diagnostics: [], skipped: [] };
    said.set(file, known);
    return known;
  };
  for (const members of machines(files)) {
    for (const rule of rules) if (rule.together) checkMachine(rule, members, of);
  }
  return said.size === 0 ? files : files.map((file) => withSaid(file, said.get(file)));
}

const withSaid = <F extends LintedAlone>(file: F, said: Said | undefined): F =>
  said
    ? { ...file, diagnostics: [...file.diagnostics, ...said.diagnostics].sort(byPlace), skipped: [...file.skipped, ...said.skipped] }
    : file;

/** The VMs of each machine that has at least two, in the order of their files. */
function machines<F extends LintedAlone>(files: readonly F[]): readonly (readonly Member<F>[])[] {
  const found = new Map<string, Member<F>[]>();
  for (const file of files) {
    for (const vm of file.placed) {
      const key = vm.target.machine ?? sameHost(vm.target.host);
      const members = found.get(key);
      if (members) members.push({ file, vm });
      else found.set(key, [{ file, vm }]);
    }
  }
  const isMachine = (members: readonly Member<F>[]): boolean =>
    members.length > 1 && (members.length <= MOST_VMS || members[0]?.vm.target.machine !== undefined);
  return [...found.values()].filter(isMachine).map((members) => members.sort(byFile));
}

const byFile = (a: Member<LintedAlone>, b: Member<LintedAlone>): number =>
  a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.vm.spec.range[0] - b.vm.spec.range[0];

function checkMachine<F extends LintedAlone>(rule: Rule, members: readonly Member<F>[], of: (file: F) => Said): void {
  const placed = new Map<Neighbour<SettingName>, Member<F>>();
  const missing = new Set<SkipReason>();
  for (const member of members) {
    const lack = lacking(rule, member.vm);
    if (lack === undefined) placed.set(neighbour(rule, member), member);
    else if (lack !== "silent") missing.add(lack);
  }
  const [first] = members;
  if (!first || placed.size + missing.size === 0) return;
  const { host, machine } = first.vm.target;
  const count = (reason: SkipReason) => of(first.file).skipped.push({ ruleId: rule.id, reason });
  for (const found of rule.checkTogether({ host, vms: [...placed.keys()], complete: missing.size === 0 })) {
    if ("skip" in found) missing.add(found.skip);
    else if (machine !== undefined) placeTogether(rule, found, placed, of);
    else return void count("placement-unknown");
  }
  if (machine !== undefined) missing.forEach(count);
}

/** Why a VM is not in a rule's list; `silent`: the rule is not about it. */
function lacking(rule: Rule, { spec, target }: PlacedVm): SkipReason | "silent" | undefined {
  const applies = rule.applies(spec, target.workload);
  if (applies === false || isSilent(rule, target)) return "silent";
  if (rule.esxiOnly && spec.platform === "hosted") return "not-esxi";
  return applies === undefined || rule.reads.some((name) => spec.settings[name].state === "unknown") ? "unknown-value" : undefined;
}

const neighbour = (rule: Rule, { file, vm: { spec, target } }: Member<LintedAlone>): Neighbour<SettingName> => ({
  name: spec.name || file.path,
  vm: view(spec, rule.reads),
  workload: target.workload,
  layout: () => deriveTopology(spec, target.host, target.workload),
});

function placeTogether<F extends LintedAlone>(
  rule: Rule,
  { on, at, related, severity, ...rest }: FindingTogether,
  placed: ReadonlyMap<Neighbour<SettingName>, Member<F>>,
  of: (file: F) => Said,
): void {
  const memberOf = (one: Neighbour<SettingName>): Member<F> => {
    const member = placed.get(one);
    if (!member) throw new Error(`${rule.id} speaks of a VM that it was not shown`);
    return member;
  };
  const { file, vm } = memberOf(on);
  const override = vm.target.severities?.[rule.id];
  of(file).diagnostics.push({
    ruleId: rule.id,
    ...rest,
    severity: override === undefined || override === "off" ? severity : override,
    range: at,
    related: related.map((other) => {
      const { path } = memberOf(other.on).file;
      return { message: other.message, range: other.at, ...(path !== file.path && { path }) };
    }),
    vm: vm.spec.name,
    host: vm.target.host.name,
    fixes: [],
    ...page(rule),
  });
}
