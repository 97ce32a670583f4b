import type { Skip, SkipReason } from "../model/diagnostic.ts";
import { NO_SETTINGS, type SettingName, type VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";

/** A rule that speaks of a target, and what is the same for all of its VMs. */
export interface Asked {
  readonly rule: Rule;
  /** One object for each reason, whatever the number of VMs. */
  readonly skip: (reason: SkipReason) => Skip;
}

/** VMs after which it pays to know beforehand where the rules are silent. */
const FEW = 4;

/** Those of some rules that may have something to say about a VM; the others have nothing to say about it. */
export function asking(rules: readonly Rule[], workload: Workload | undefined): (vm: VmSpec) => readonly Asked[] {
  const asked = rules.map((rule): Asked => {
    const skips: { [K in SkipReason]?: Skip } = {};
    return { rule, skip: (reason) => (skips[reason] ??= { ruleId: rule.id, reason }) };
  });
  let vms = 0;
  let awake: ((vm: VmSpec) => readonly Asked[]) | undefined;
  return (vm) => {
    if (++vms === FEW) awake = wakes(asked, workload);
    return awake?.(vm) ?? asked;
  };
}

const SETTING_NAMES = Object.keys(NO_SETTINGS) as readonly SettingName[];

type Cause = SettingName | "scsiControllers" | "configured";

/** Finds the rules that what a VM states gives a cause to speak. */
function wakes(asked: readonly Asked[], workload: Workload | undefined): (vm: VmSpec) => readonly Asked[] {
  const causes = asked.map(({ rule }) => causesOf(rule, workload));
  const always = Uint8Array.from(causes, (all) => (all ? 0 : 1));
  const wokenBy = (cause: Cause): readonly number[] => causes.flatMap((all, i) => (all?.has(cause) ? [i] : []));
  const bySetting = SETTING_NAMES.map(wokenBy);
  const byControllers = wokenBy("scsiControllers");
  const byConfigured = wokenBy("configured");
  const awake = new Uint8Array(asked.length);
  const wake = (indexes: readonly number[]): void => {
    for (const index of indexes) awake[index] = 1;
  };
  return ({ settings, scsiControllers, configured }) => {
    awake.set(always);
    for (const [i, name] of SETTING_NAMES.entries()) if (settings[name].state !== "absent") wake(bySetting[i] ?? []);
    if (scsiControllers.length > 0) wake(byControllers);
    if (configured) wake(byConfigured);
    return asked.filter((_, i) => awake[i] === 1);
  };
}

/**
 * What a VM has to state for a rule to be asked about it; `undefined`: nothing, it always is. It is asked once about a VM that
 * states nothing: where it then looks at a few things and has nothing to say, it will look no further at any VM that does not
 * state those.
 */
function causesOf(rule: Rule, workload: Workload | undefined): ReadonlySet<Cause> | undefined {
  const looked = new Set<Cause>();
  const settings = new Proxy(NO_SETTINGS, {
    get(target, name) {
      looked.add(name as SettingName);
      return target[name as SettingName];
    },
  });
  const nothing = {
    settings,
    get scsiControllers() {
      looked.add("scsiControllers");
      return [];
    },
    get configured() {
      looked.add("configured");
      return undefined;
    },
  } as unknown as VmSpec; // The rest of a VM is not there for `applies`.
  return rule.applies(nothing, workload) === false ? looked : undefined;
}
