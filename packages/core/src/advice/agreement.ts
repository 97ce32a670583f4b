import { type Diagnostic, type Fix, SEVERITIES } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { known } from "../model/source.ts";
import type { Change, SettingValues, VmSpec } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { dividesIntoSockets } from "../platforms/esxi/divide.ts";
import { wordsOf } from "./paired-change.ts";
import { compareLists } from "./shapes.ts";

/** Returns the findings of a VM, optionally with the fixes that each rule proposes by itself, which have no edits yet. */
export type Check = (vm: VmSpec, withFixes: boolean) => readonly Diagnostic[];

type Changes = ReadonlyMap<string, Change>;

/** The most changes that are joined with a fix to mend what it raises. */
const MOST_JOINED = 3;

/**
 * Makes the advice in all findings of one VM agree, and writes its edits. A fix that raises a finding at least as grave is joined with the change that mends it, or
 * dropped. If two findings propose different values for a setting, the changes that leave the fewest and mildest findings apply to both.
 */
export function agreed(found: readonly Diagnostic[], vm: VmSpec, check: Check): readonly Diagnostic[] {
  if (!found.some(({ fixes }) => fixes.length > 0)) return found;
  const trial = trialOf(found, vm, check);
  const proven = new Map(found.map((finding) => [finding, finding.fixes.flatMap((fix) => trial.prove(finding, fix))]));
  const rivals = new Map<Diagnostic, string>();
  for (let round = 0; round < found.length; round++) {
    const members = conflicting(proven);
    if (members.length === 0) break;
    const joint = trial.best(members.flatMap((finding) => proven.get(finding) ?? []));
    const shared = [...[...proven.values()].flat().filter((plan) => agree(plan, joint)), joint];
    for (const [finding, plans] of proven) {
      const kept = plans.filter((plan) => agree(plan, joint));
      const other = kept.length === 0 && plans.length > 0 ? shared.find((plan) => trial.solves(plan, finding)) : undefined;
      proven.set(finding, other ? [other] : kept);
      if (members[0]) rivals.set(finding, members[0].ruleId);
    }
    // Advice that still differs is left to the gravest finding.
    if (conflicting(proven).length >= members.length) for (const finding of members.slice(1)) proven.set(finding, []);
  }
  for (const [finding, plans] of proven) {
    if (plans.length > 0 || finding.fixes.length === 0) continue;
    const other = [...proven.values()].flat().find((plan) => trial.solves(plan, finding));
    if (!other) continue;
    for (const [one, all] of proven) proven.set(one, one === finding ? [other] : all.filter((plan) => agree(plan, other)));
  }
  const rivalOf = (finding: Diagnostic) => trial.harmOf(finding)?.ruleId ?? rivals.get(finding);
  return found.map((finding) => worded(finding, proven.get(finding) ?? [], vm, () => rivalOf(finding)));
}

/** Changes to try, with their title. */
interface Plan {
  readonly title: string;
  readonly safety: Fix["safety"];
  readonly changes: Changes;
  /** The fix of a rule; missing for changes of several rules. */
  readonly fix?: Fix;
}

function trialOf(found: readonly Diagnostic[], vm: VmSpec, check: Check) {
  const results = new Map<string, readonly Diagnostic[]>();
  const after = ({ changes }: Plan, withFixes = false): readonly Diagnostic[] =>
    getOrInsert(results, JSON.stringify([withFixes, ...[...changes].sort()]), () => check(changed(vm, changes), withFixes));
  const isNew = (one: Diagnostic): boolean => !found.some((other) => other.ruleId === one.ruleId && rank(other) <= rank(one));
  const raised = (plan: Plan, finding: Diagnostic, withFixes = false): readonly Diagnostic[] =>
    after(plan, withFixes).filter((one) => rank(one) <= rank(finding) && isNew(one));
  const solves = (plan: Plan, { ruleId, range }: Diagnostic): boolean =>
    !after(plan).some((one) => one.ruleId === ruleId && one.range.join() === range.join());
  /** Returns the fix, or with the changes that mend what it raises; empty if nothing mends it. */
  const prove = (finding: Diagnostic, fix: Fix): readonly Plan[] => {
    let plan = planOf(fix);
    for (let joined = 0; ; joined++) {
      if (raised(plan, finding).length === 0) return joined === 0 || solves(plan, finding) ? [plan] : [];
      const replaced = ({ changes = [] }: Fix): number => changes.filter((change) => plan.changes.has(keyOf(change))).length;
      const mends = raised(plan, finding, true).flatMap(({ fixes }) => fixes.slice(0, 1));
      const [mend] = mends.sort((a, b) => replaced(a) - replaced(b));
      if (joined === MOST_JOINED || !mend) return [];
      plan = withMore(plan, mend);
    }
  };
  const scoreOf = (plan: Plan): readonly number[] => {
    const left = after(plan);
    return [...SEVERITIES.map((severity) => left.filter((one) => one.severity === severity).length), plan.changes.size];
  };
  const best = (plans: readonly Plan[]): Plan => {
    const isHarmless = (plan: Plan): boolean => !after(plan).some(isNew);
    const all = plans.flatMap((plan) => [plan, ...grown(plan, after)]);
    const harmless = all.filter(isHarmless);
    return [...(harmless.length > 0 ? harmless : all)].sort((a, b) => compareLists(scoreOf(a), scoreOf(b)))[0] as Plan; // There are members.
  };
  const harmOf = (finding: Diagnostic) => finding.fixes.flatMap((fix) => raised(planOf(fix), finding))[0];
  return { prove, best, harmOf, solves: (plan: Plan, finding: Diagnostic) => raised(plan, finding).length === 0 && solves(plan, finding) };
}

/** Returns a plan with the fixes of the findings that remain after it, added one after the other. */
function grown(plan: Plan, after: (plan: Plan, withFixes: boolean) => readonly Diagnostic[]): readonly Plan[] {
  const plans: Plan[] = [];
  for (let last = plan; plans.length < MOST_JOINED; ) {
    const [fix] = [...after(last, true)].sort((a, b) => rank(a) - rank(b)).flatMap(({ fixes }) => fixes.slice(0, 1));
    if (!fix) break;
    last = withMore(last, fix);
    plans.push(last);
  }
  return plans;
}

const rank = ({ severity }: Diagnostic): number => SEVERITIES.indexOf(severity);

const keyOf = (change: Change): string => ("controller" in change ? `${change.setting} ${change.controller}` : change.setting);

const planOf = (fix: Fix): Plan => ({
  title: fix.title,
  safety: fix.safety,
  changes: new Map((fix.changes ?? []).map((change) => [keyOf(change), change])),
  fix,
});

function withMore(plan: Plan, fix: Fix): Plan {
  const changes = new Map([...plan.changes, ...planOf(fix).changes]);
  return { title: titleOf([...changes.values()]), safety: "unsafe", changes };
}

/** Returns the findings whose advice differs, the gravest first. */
function conflicting(proven: ReadonlyMap<Diagnostic, readonly Plan[]>): readonly Diagnostic[] {
  const all = [...proven].filter(([, plans]) => plans.length > 0);
  const members = all.filter(([finding, plans]) => all.some(([other, rest]) => other !== finding && differs(plans, rest)));
  return members.map(([finding]) => finding).sort((a, b) => rank(a) - rank(b));
}

/** Whether two findings propose different values for a setting, or sockets and vCPUs that do not divide. */
function differs(plans: readonly Plan[], others: readonly Plan[]): boolean {
  const [values, rest] = [valuesOf(plans), valuesOf(others)];
  for (const [key, value] of values) if (rest.has(key) && rest.get(key) !== value) return true;
  return plans.some((plan) => others.some((other) => !divides({ ...socketsOf(plan), ...socketsOf(other) })));
}

function valuesOf(plans: readonly Plan[]): ReadonlyMap<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { changes } of plans)
    for (const [key, { value }] of changes) getOrInsert(values, key, () => new Set()).add(JSON.stringify(value));
  return new Map([...values].map(([key, set]) => [key, [...set].sort().join()]));
}

const socketsOf = ({ changes }: Plan): SettingValues =>
  Object.fromEntries(["vcpus", "coresPerSocket"].flatMap((key) => (changes.has(key) ? [[key, changes.get(key)?.value]] : [])));

const divides = ({ vcpus, coresPerSocket }: SettingValues): boolean =>
  vcpus === undefined || typeof coresPerSocket !== "number" || dividesIntoSockets(vcpus, coresPerSocket);

/** Whether a plan has no other value for a setting of the joint one. */
const agree = (plan: Plan, joint: Plan): boolean =>
  divides({ ...socketsOf(plan), ...socketsOf(joint) }) &&
  [...plan.changes].every(([key, { value }]) => {
    const other = joint.changes.get(key);
    return other === undefined || JSON.stringify(other.value) === JSON.stringify(value);
  });

/** Returns a VM after some changes. Its running state is of the VM before them. */
function changed({ observed: _, assumed: __, traceTo: ___, calledAt: ____, ...vm }: VmSpec, changes: Changes): VmSpec {
  const settings: Record<string, unknown> = { ...vm.settings };
  let { scsiControllers } = vm;
  for (const change of changes.values()) {
    if (change.setting === "scsiType") {
      const { controller, value } = change;
      scsiControllers = scsiControllers.map((one) => (one.id === controller ? { ...one, type: known(value, one.range) } : one));
      continue;
    }
    const before = vm.settings[change.setting];
    settings[change.setting] = known<unknown>(change.value, before.state === "absent" ? vm.range : before.range);
  }
  return { ...vm, settings: settings as unknown as VmSpec["settings"], scsiControllers };
}

/** Returns a title for changes of several rules: `Use 20 vCPUs, 10 cores per socket`. */
function titleOf(changes: readonly Change[]): string {
  const count = changes.find(({ setting }) => setting === "vcpus");
  const others = changes.filter((change) => change !== count).map(inTitle);
  return count ? [`Use ${plural(count.value as number, "vCPU")}`, ...others].join(", ") : `Set ${others.join(", ")}`;
}

function inTitle(change: Change): string {
  const { setting, value } = change;
  if (setting === "scsiType") return `${change.controller} to ${value}`;
  const words = wordsOf(change);
  if (words !== undefined) return words;
  const state = value === true ? "on" : value === false ? "off" : `to ${String(value)}`;
  return `${SETTING_WORDS[setting]} ${state}`;
}

/** Matches what a message says to set, after the sentence with the measured numbers. */
const ADVICE = /(?<=[.?]) (Choose|Compare|Give|Keep|Leave|Let|List|Make|Move|Pin|Put|Remove|Reserve|Set|To make|Turn|Upgrade|Use)\b.*$/s;

/** Returns a message whose advice is the titles of some fixes. */
export function withAdvice(message: string, fixes: readonly { readonly title: string }[]): string {
  const titles = fixes.map(({ title }, i) => (i === 0 ? title : `or ${title.charAt(0).toLowerCase()}${title.slice(1)}`));
  return message.replace(ADVICE, ` ${titles.join(", ")}.`);
}

/** Returns a finding with the remaining fixes, and with a message that agrees with them. */
function worded(finding: Diagnostic, plans: readonly Plan[], vm: VmSpec, rival: () => string | undefined): Diagnostic {
  const isSame = plans.length === finding.fixes.length && plans.every(({ fix }, i) => fix === finding.fixes[i]);
  const reworded = (): string =>
    plans.length > 0
      ? withAdvice(finding.message, plans)
      : finding.message.replace(ADVICE, ` vmlint knows no change that suits ${rival()}, too.`);
  const fixes = plans.flatMap(({ title, safety, changes }): readonly Fix[] => {
    const all = [...changes.values()];
    const edits = vm.edit?.(all);
    return edits ? [{ title, safety, edits, changes: all }] : [];
  });
  const [first] = vm.edit ? [] : plans;
  const proposal = first && { title: first.title, safety: first.safety, changes: [...first.changes.values()] };
  const message = isSame ? finding.message : reworded();
  return { ...finding, message, fixes, ...(proposal && { proposal }) };
}
