import type { Diagnostic, Fix, HostModel, SettingName, SettingTypes, Topology, VmSpec } from "@vmlint/core";
import type { CheckResult } from "@vmlint/core/editor";
import {
  answerFor,
  applyEdits,
  type Change,
  formatEsxi,
  isSure,
  type LintedVm,
  needsHost,
  type PossibleTopologies,
  parseEsxi,
  plural,
  possibleTopologies,
  RELEASE_NAMES,
} from "@vmlint/core/program";

/** The settings that the panel can try. */
const TRIED = [
  "vcpus",
  "coresPerSocket",
  "preferHt",
  "memoryMiB",
  "cpuHotAdd",
  "memoryHotAdd",
  "cpuAffinity",
  "latencySensitivity",
  "cpuReservationMHz",
  "memoryReservationMiB",
] as const satisfies readonly SettingName[];

/** The values of the panel's controls. A control that was not moved shows the VM's own value. */
export interface WhatIf extends Partial<Pick<SettingTypes, (typeof TRIED)[number]>> {
  readonly esxi?: string;
}

/** The values of the controls, and the host that the user chose. */
export interface Tried extends WhatIf {
  readonly host?: HostModel | undefined;
}

/** A picture, and its words above it. */
interface Drawn {
  readonly title: string;
  readonly host: HostModel;
  readonly topology: Topology;
  readonly vm: LintedVm;
}

/** Loaded with the first picture. */
type Pictures = Pick<typeof import("@vmlint/core/picture"), "bestFix" | "flawSentences" | "guestFlaws" | "withChanges">;

/** Returns the possible topologies, if known, and the findings of a VM with the values of the controls. */
export function tryOut(
  open: CheckResult,
  vm: LintedVm,
  index: number,
  { host: chosen, ...moved }: Tried,
  { bestFix, flawSentences, guestFlaws, withChanges }: Pictures,
) {
  const whatIf: WhatIf = moved;
  const { spec, target } = vm;
  const host = hostOf(chosen ?? target.host, whatIf.esxi);
  const tried: LintedVm = { spec: withChanges(spec, changesOf(whatIf)), target: { ...target, host } };
  const isGuest = !needsHost(spec);
  const result = isGuest ? undefined : host && possibleTopologies(tried.spec, host, target.workload);
  const isMoved = chosen !== undefined || Object.keys(whatIf).length > 0;
  const checked = isMoved ? checkedWith(open, spec, host, whatIf) : open.result;
  const findings = checked && findingsOf(checked, spec);
  const guest = isGuest ? guestOf(checked?.vms[index], host) : undefined;
  const layout = host && result?.ok ? { host, result, topology: firstOf(result), vm: tried } : undefined;
  const sure = layout && {
    vcpus: layout.topology.vcpus,
    ...(isSure(layout.result.certainties.sockets) && { coresPerSocket: layout.topology.coresPerSocket }),
  };
  const best = isMoved ? undefined : bestFix(vm, fixesOf(open, vm, index));
  const other = isMoved ? drawn("Before", vm) : best && drawn(`After the fix: ${best.fix.title}`, best.vm);
  const written = stateOf(spec);
  return {
    layout,
    guest,
    other,
    page: {
      releases: RELEASE_NAMES,
      vms: open.result.vms.map(({ spec: one }, i) => optionName(one) || `VM ${i + 1}`),
      vm: index,
      host: host?.name,
      esxi: host?.esxi && formatEsxi(host.esxi),
      own: { ...written, ...sure },
      whatIf,
      findings,
      verdict: layout
        ? verdictOf(flawSentences(layout.host, layout.topology, tried), findings ?? [])
        : guest?.view && verdictOf(guestFlaws(guest.view), findings ?? []),
      effect: isMoved && findings ? effectOf(findingsOf(open.result, spec), findings) : "",
      problem: guest ? guest.problem : isGuest ? CANNOT_HOLD : !result ? "Choose a host." : result.ok ? "" : reasonsOf(result),
      canWrite: changesOf(whatIf).length > 0,
      // A release that is only tried belongs to no declared host.
      canKeep: chosen !== undefined && whatIf.esxi === undefined,
      canReset: isMoved,
      caption: [
        ...(isMoved ? ["With this change"] : other ? ["Now"] : []),
        ...(layout && layout.result.cases.length > 1 ? [`the first of ${layout.result.cases.length} possible layouts`] : []),
      ].join(": "),
      fix: best ? triedBy(best.fix) : undefined,
    },
  };
}

const CANNOT_HOLD = "The file cannot hold these values.";

const reasonsOf = ({ reasons }: { readonly reasons: readonly { readonly text: string }[] }): string =>
  reasons.map(({ text }) => text).join("; ");

/** Returns the view of a guest that needs no host, or why there is none. */
function guestOf(vm: LintedVm | undefined, host: HostModel | undefined) {
  if (!vm) return undefined;
  const onHost: LintedVm = { ...vm, target: { ...vm.target, host } };
  const answer = answerFor(vm.spec, host, vm.target.workload);
  return answer?.ok ? { vm: onHost, view: answer.topology, problem: "" } : { vm: onHost, problem: answer ? reasonsOf(answer) : "" };
}

/** Returns the values of a fix for the controls; `undefined` if a control for one is missing. */
function triedBy({ changes = [] }: Fix): WhatIf | undefined {
  const isTried = changes.every(({ setting }) => TRIED.some((name) => name === setting));
  return isTried ? Object.fromEntries(changes.map(({ setting, value }) => [setting, value])) : undefined;
}

/** Returns the name of a VM as in the tree, with its address, which differs between VMs of the same name. */
const optionName = ({ name, alias = name }: VmSpec): string => (alias === name ? name : `${alias} (${name})`);

const fixesOf = ({ result: { vms, diagnostics } }: CheckResult, { spec: { name } }: LintedVm, index: number): readonly Fix[] =>
  diagnostics
    .filter(({ vm, vms: all }) => vms.length === 1 || vm === vms[index]?.spec.name || all?.includes(name))
    .flatMap(({ fixes }) => fixes);

function drawn(title: string, vm: LintedVm): Drawn | undefined {
  const { host, workload } = vm.target;
  const result = host && possibleTopologies(vm.spec, host, workload);
  return host && result?.ok ? { title, host, topology: firstOf(result), vm } : undefined;
}

/** Returns the first possible topology, with the certainties of all. */
const firstOf = ({ cases, certainty, certainties }: PossibleTopologies): Topology => ({ ...cases[0].topology, certainty, certainties });

function hostOf(chosen: HostModel | undefined, release: string | undefined): HostModel | undefined {
  const version = release === undefined ? undefined : parseEsxi(release);
  return chosen && version ? { ...chosen, esxi: version } : chosen;
}

/** Returns the findings of a VM in a result. */
const findingsOf = ({ vms, diagnostics }: CheckResult["result"], { name }: VmSpec) =>
  diagnostics
    .filter(({ vm, vms: all }) => vms.length === 1 || vm === name || all?.includes(name))
    .map(({ severity, message, ruleId }) => ({ severity, message, rule: ruleId }));

/** Returns the result with the values of the controls; `undefined` if the file cannot hold these values or is one of several. */
function checkedWith(open: CheckResult, spec: VmSpec, host: HostModel | undefined, whatIf: WhatIf): CheckResult["result"] | undefined {
  const changes = changesOf(whatIf);
  const edits = changes.length > 0 ? open.edit(spec, changes) : [];
  if (!open.checkAgain || !edits) return undefined;
  const { config } = open;
  // A host that is tried may be of another release than the one of its name.
  const tried = host ? { ...config, hosts: new Map([...config.hosts, [host.name, host]]) } : config;
  return open.checkAgain(applyEdits(open.text, edits), { config: tried, host: host?.name ?? "" }).result;
}

type Found = Pick<Diagnostic, "severity" | "message"> & { readonly rule: string };

/** Returns what is wrong with the layout, in a sentence or a few, or that nothing is. */
function verdictOf(flaws: readonly string[], findings: readonly Found[]): { readonly isGood: boolean; readonly text: string } {
  if (flaws.length > 0) return { isGood: false, text: flaws.join(" ") };
  const grave = findings.filter(({ severity }) => severity === "error" || severity === "warning");
  return grave.length > 0
    ? {
        isGood: false,
        text: `The layout has no flaw, but ${plural(grave.length, "other fault")} ${grave.length === 1 ? "is" : "are"} below.`,
      }
    : { isGood: true, text: "vmlint finds nothing wrong." };
}

/** Returns how many findings a change fixes and adds, by their rules. */
function effectOf(before: readonly Pick<Found, "rule">[], after: readonly Pick<Found, "rule">[]): string {
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

/** The values that a VM states. An unknown value is `undefined`. */
const stateOf = (spec: VmSpec): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(TRIED.map((name) => [name, stated(spec, name)])),
  preferHt: spec.settings.preferHt.state === "absent" ? false : stated(spec, "preferHt"),
  cpuHotAdd: spec.settings.cpuHotAdd.state === "absent" ? false : stated(spec, "cpuHotAdd"),
  memoryHotAdd: spec.settings.memoryHotAdd.state === "absent" ? false : stated(spec, "memoryHotAdd"),
});

function stated<Name extends SettingName>({ settings, defaults }: VmSpec, name: Name): SettingTypes[Name] | undefined {
  const setting = settings[name];
  if (setting.state === "known") return setting.value;
  return setting.state === "absent" ? defaults[name] : undefined;
}

/** Returns the changes of the settings that are tried: the host and its release are none. */
export const changesOf = (whatIf: WhatIf): Change[] =>
  TRIED.flatMap((setting) => {
    const value = whatIf[setting];
    // The compiler does not see that name and value belong together.
    return value === undefined ? [] : [{ setting, value } as Change];
  });

/** Returns the values of the controls without the settings, as after these were written. */
export const withoutSettings = ({ esxi: release }: WhatIf): WhatIf => (release === undefined ? {} : { esxi: release });
