import type { Skip, SkipReason } from "./model/diagnostic.ts";
import { NO_SETTINGS, type SettingName, type VmSpec } from "./model/spec.ts";
import type { Workload } from "./model/workload.ts";
import type { Rule } from "./rules/define.ts";

/** A rule that speaks of a target, and what is the same for all of its VMs. */
export interface Asked {
  readonly rule: Rule;
  /** False: the rule has nothing to say about the VM. `undefined`: a setting that decides it is unknown. */
  readonly applies: (vm: VmSpec) => boolean | undefined;
  /** One object for each reason, whatever the number of VMs. */
  readonly skip: (reason: SkipReason) => Skip;
}

/** VMs after which it pays to know beforehand where a rule is silent. */
const FEW = 4;

export function ask(rule: Rule, workload: Workload | undefined): Asked {
  const skips: { [K in SkipReason]?: Skip } = {};
  let vms = 0;
  let silence: ((vm: VmSpec) => boolean) | undefined;
  return {
    rule,
    applies(vm) {
      if (++vms === FEW) silence = silenceOf(rule, workload);
      return silence?.(vm) ? false : rule.applies(vm, workload);
    },
    skip: (reason) => (skips[reason] ??= { ruleId: rule.id, reason }),
  };
}

const NEVER = (): boolean => false;

/**
 * Where a rule is silent without being asked. It is asked once about a VM that states nothing: where it then looks at a few
 * settings and has nothing to say, it will look no further at any VM that does not state those.
 */
function silenceOf(rule: Rule, workload: Workload | undefined): (vm: VmSpec) => boolean {
  const looked = new Set<SettingName>();
  let atControllers = false;
  let atConfigured = false;
  const settings = new Proxy(NO_SETTINGS, {
    get(target, name) {
      looked.add(name as SettingName);
      return target[name as SettingName];
    },
  });
  const nothing = {
    settings,
    get scsiControllers() {
      atControllers = true;
      return [];
    },
    get configured() {
      atConfigured = true;
      return undefined;
    },
  } as unknown as VmSpec; // The rest of a VM is not there for `applies`.
  if (rule.applies(nothing, workload) !== false) return NEVER;
  const names = [...looked];
  return (vm) => {
    for (const name of names) if (vm.settings[name].state !== "absent") return false;
    return (!atControllers || vm.scsiControllers.length === 0) && !(atConfigured && vm.configured);
  };
}
