import type { LintedVm } from "../../lint/target.ts";
import type { Fix } from "../../model/diagnostic.ts";
import { known, type Setting } from "../../model/source.ts";
import type { Change, SettingName, VmSpec } from "../../model/spec.ts";
import { possibleTopologies } from "../../platforms/esxi/possible.ts";
import { drawnVm, flawsOf } from "./flaws.ts";

/** A VM as a fix would leave it. */
interface FixedVm {
  readonly vm: LintedVm;
  readonly fix: Fix;
}

/** Returns the VM after the fix that leaves the fewest flaws in its picture; `undefined` if no fix removes a flaw. */
export function bestFix(vm: LintedVm, fixes: readonly Fix[]): FixedVm | undefined {
  let fewest = flawCount(vm);
  let best: FixedVm | undefined;
  if (fewest === undefined) return undefined;
  for (const fix of fixes) {
    if (!fix.changes) continue;
    const fixed = { ...vm, spec: withChanges(vm.spec, fix.changes) };
    const count = flawCount(fixed);
    if (count === undefined || count >= fewest) continue;
    fewest = count;
    best = { vm: fixed, fix };
  }
  return best;
}

/** Returns the number of flaws that the picture of a VM marks; `undefined` if its layout is not known. */
function flawCount(vm: LintedVm): number | undefined {
  const {
    spec,
    target: { host, workload },
  } = vm;
  const result = host && possibleTopologies(spec, host, workload);
  return host && result?.ok ? flawsOf(host, result.cases[0].topology, drawnVm(vm)).size : undefined;
}

/** Returns a VM with other values for some settings. */
export function withChanges(spec: VmSpec, changes: readonly Change[]): VmSpec {
  const settings: Partial<Record<SettingName, Setting<unknown>>> = { ...spec.settings };
  for (const change of changes) if (change.setting !== "scsiType") settings[change.setting] = known(change.value, spec.range);
  return { ...spec, settings: settings as VmSpec["settings"] };
}
