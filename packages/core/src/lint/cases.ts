import type { Topology } from "../esxi/derive.ts";
import { allValuesOf, type Completion, completed, possibleTopologies } from "../esxi/possible.ts";
import type { HostModel } from "../model/host.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import type { Finding, Lacks } from "../rules/define.ts";
import type { Target } from "./target.ts";

/** A VM as a rule is shown it: one of the ways to complete what is unknown of it. */
export interface RuleCase {
  readonly vm: VmSpec;
  readonly host: HostModel | undefined;
  /** Missing where the rule needs none. */
  readonly topology: Topology | undefined;
  /** The topology in each of the answers that sources speak for. */
  readonly all?: Completion["all"];
}

/** Most cases that a rule is asked about: beyond them the value counts as unknown. */
const MOST_CASES = 128;

/** Every way to complete what a rule reads of a VM; `undefined` where there are too many, or a value may be anything. */
export function casesFor(
  { spec, target: { host } }: { readonly spec: VmSpec; readonly target: Target },
  reads: readonly SettingName[],
  completions: readonly Completion[] | undefined,
): readonly RuleCase[] | undefined {
  const unknown = reads.filter((name) => spec.settings[name].state === "unknown");
  let cases: readonly RuleCase[] = completions ?? [{ vm: spec, host, topology: undefined }];
  for (const name of unknown) {
    const values = allValuesOf(name, spec, host);
    if (!values) return undefined;
    cases = cases.flatMap((one) =>
      one.vm.settings[name].state === "unknown" ? values.map((value) => ({ ...one, vm: completed(one.vm, { [name]: value }) })) : [one],
    );
    if (cases.length > MOST_CASES) return undefined;
  }
  return cases.length > MOST_CASES ? undefined : cases;
}

/** Every way to complete what the topology of a VM depends on; `undefined` where there is none, or too many. */
export function completionsOf(spec: VmSpec, { host, workload }: Target): readonly Completion[] | undefined {
  const result = host && possibleTopologies(spec, host, workload);
  return result?.ok && result.isComplete ? result.completions() : undefined;
}

/** What a rule finds over all cases. */
export interface Joined {
  /** What it finds in every case, each with the findings of all. */
  readonly always: readonly (readonly Finding[])[];
  /** What it finds in some cases alone, with the cases. */
  readonly sometimes: readonly { readonly finding: Finding; readonly cases: readonly RuleCase[] }[];
  readonly lacks: Lacks | undefined;
}

/** Joins what a rule finds in each case: findings at one place are one. */
export function join(results: readonly { readonly one: RuleCase; readonly found: readonly (Finding | Lacks)[] }[]): Joined {
  const places = new Map<string, { readonly findings: Finding[]; readonly cases: RuleCase[] }>();
  let lacks: Lacks | undefined;
  for (const { one, found } of results) {
    const seen = new Map<string, number>();
    for (const finding of found) {
      if ("skip" in finding) {
        lacks ??= finding;
        continue;
      }
      const at = finding.at.join();
      const nth = seen.get(at) ?? 0;
      seen.set(at, nth + 1);
      const key = `${at} ${nth}`;
      const place = places.get(key) ?? { findings: [], cases: [] };
      places.set(key, place);
      place.findings.push(finding);
      place.cases.push(one);
    }
  }
  const all = [...places.values()];
  return {
    always: all.filter(({ findings }) => findings.length === results.length).map(({ findings }) => findings),
    sometimes: all
      .filter(({ findings }) => findings.length < results.length)
      .flatMap(({ findings: [finding], cases }) => (finding ? [{ finding, cases }] : [])),
    lacks,
  };
}

/** An unknown setting whose value alone decides whether something holds, and the value with which it does. */
export interface Deciding {
  readonly setting: SettingName;
  readonly value: unknown;
}

/** The one unknown setting that decides it: it holds with one value, whatever the others are, and with no other. */
export function decidingSetting(spec: VmSpec, all: readonly RuleCase[], holding: readonly RuleCase[]): Deciding | undefined {
  const settings = new Set(
    all.flatMap(({ vm }) => (Object.keys(vm.settings) as SettingName[]).filter((name) => isSettled(name, spec, vm))),
  );
  for (const setting of settings) {
    const valueIn = ({ vm }: RuleCase): unknown => {
      const one = vm.settings[setting];
      return one.state === "known" ? one.value : undefined;
    };
    const values = new Set(holding.map(valueIn));
    const [value] = values;
    if (values.size === 1 && value !== undefined && all.filter((one) => valueIn(one) === value).length === holding.length)
      return { setting, value };
  }
  return undefined;
}

const isSettled = (name: SettingName, spec: VmSpec, vm: VmSpec): boolean =>
  spec.settings[name].state === "unknown" && vm.settings[name].state === "known";
