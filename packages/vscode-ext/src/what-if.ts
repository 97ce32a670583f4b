import {
  applyEdits,
  builtinHosts,
  type Change,
  deriveTopology,
  esxi,
  formatEsxi,
  type HostModel,
  type LintedVm,
  parseEsxi,
  type SettingName,
  type SettingTypes,
  type Topology,
  type VmSpec,
} from "@vmlint/core";
import type { CheckResult } from "@vmlint/core/editor";

/** The values of the panel's controls. A control that was not moved shows the VM's own value. */
export interface WhatIf {
  readonly host?: string;
  readonly esxi?: string;
  readonly vcpus?: number;
  readonly coresPerSocket?: number | "auto";
  readonly preferHt?: boolean;
}

/** The releases whose behaviour differs, for pickers. */
export const RELEASES = [esxi(5, 5), esxi(6, 0), esxi(6, 7), esxi(7, 0), esxi(8, 0), esxi(9, 0)].map(formatEsxi);

/** Returns the topology, if known, and the findings of a VM with the values of the controls. */
export function tryOut(open: CheckResult, vm: LintedVm, index: number, whatIf: WhatIf) {
  const { spec, target } = vm;
  const host = hostOf(open, target.host, whatIf);
  const { vcpus, coresPerSocket, preferHt } = whatIf;
  const override = {
    ...(vcpus !== undefined && { vcpus }),
    ...(coresPerSocket !== undefined && { coresPerSocket }),
    ...(preferHt !== undefined && { preferHt }),
  };
  const result = host && deriveTopology(spec, host, target.workload, override);
  const findings = findingsOf(open, vm, index, host, whatIf);
  const layout = host && result?.ok ? { host, topology: result.topology } : undefined;
  return {
    layout,
    page: {
      hosts: [...open.config.hosts.keys(), ...builtinHosts.map(({ name }) => name)],
      releases: RELEASES,
      host: host?.name,
      esxi: host?.esxi && formatEsxi(host.esxi),
      own: ownOf(spec, layout?.topology),
      whatIf,
      findings,
      effect: Object.keys(whatIf).length > 0 && findings ? effectOf(findingsOf(open, vm, index, target.host, {}) ?? [], findings) : "",
      problem: !result ? "Choose a host." : result.ok ? "" : result.reasons.map(({ text }) => text).join("; "),
      canWrite: changesOf(whatIf).length > 0,
    },
  };
}

function hostOf({ config }: CheckResult, own: HostModel | undefined, { host: name, esxi: release }: WhatIf): HostModel | undefined {
  const chosen = name === undefined ? own : (config.hosts.get(name) ?? builtinHosts.find((host) => host.name === name));
  const version = release === undefined ? undefined : parseEsxi(release);
  return chosen && version ? { ...chosen, esxi: version } : chosen;
}

/**
 * Returns the findings of a VM with the values of the controls. Returns `undefined` if the file cannot hold these values or is
 * one of several.
 */
function findingsOf(open: CheckResult, { spec }: LintedVm, index: number, host: HostModel | undefined, whatIf: WhatIf) {
  const listed = ({ vms, diagnostics }: CheckResult["result"]) =>
    diagnostics
      .filter(({ vm: name }) => vms.length === 1 || name === vms[index]?.spec.name)
      .map(({ severity, message, ruleId }) => ({ severity, message, rule: ruleId }));
  if (Object.keys(whatIf).length === 0) return listed(open.result);
  const changes = changesOf(whatIf);
  const edits = changes.length > 0 ? open.edit(spec, changes) : [];
  if (!open.checkAgain || !edits) return undefined;
  const { config } = open;
  // A host that is tried may be of another release than the one of its name.
  const tried = host ? { ...config, hosts: new Map([...config.hosts, [host.name, host]]) } : config;
  return listed(open.checkAgain(applyEdits(open.text, edits), { config: tried, host: host?.name ?? "" }).result);
}

/** Returns how many findings a change fixes and adds, by their rules. */
function effectOf(before: readonly { readonly rule: string }[], after: readonly { readonly rule: string }[]): string {
  const surplus = (of: typeof before, over: typeof before) => {
    const left = over.map(({ rule }) => rule);
    return of.filter(({ rule }) => {
      const at = left.indexOf(rule);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    }).length;
  };
  return `This change fixes ${surplus(before, after)} and adds ${surplus(after, before)}.`;
}

/** The VM's own values. An unknown value is `undefined`. */
const ownOf = (spec: VmSpec, topology: Topology | undefined) => ({
  vcpus: topology?.vcpus ?? stated(spec, "vcpus"),
  coresPerSocket: topology?.coresPerSocket ?? stated(spec, "coresPerSocket"),
  preferHt: spec.settings.preferHt.state === "absent" ? false : stated(spec, "preferHt"),
});

function stated<Name extends SettingName>({ settings, defaults }: VmSpec, name: Name): SettingTypes[Name] | undefined {
  const setting = settings[name];
  if (setting.state === "known") return setting.value;
  return setting.state === "absent" ? defaults[name] : undefined;
}

/** The settings that are tried: the host and its release are none. */
export const changesOf = ({ vcpus, coresPerSocket, preferHt }: WhatIf): Change[] => [
  ...(vcpus === undefined ? [] : [{ setting: "vcpus", value: vcpus } as const]),
  ...(coresPerSocket === undefined ? [] : [{ setting: "coresPerSocket", value: coresPerSocket } as const]),
  ...(preferHt === undefined ? [] : [{ setting: "preferHt", value: preferHt } as const]),
];
