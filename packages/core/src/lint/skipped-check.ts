import { isOfTemplate } from "../formats/inherited.ts";
import { type Skip, type SkippedInput, type SkipReason, UNKNOWN_CAUSES } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Setting } from "../model/source.ts";
import type { SettingName, VmSpec } from "../model/spec.ts";
import { unsetVariable } from "../model/unset-variable.ts";
import { TOPOLOGY_SETTINGS } from "../platforms/esxi/possible.ts";
import { hostHint, needsHost } from "../platforms/index.ts";
import type { Rule } from "../rules/define.ts";
import type { LintedVm } from "./target.ts";
import { fitsEvery } from "./without-host.ts";

/** Makes the skipped checks of a rule. Equal ones are one object: a run has many more skipped checks than findings. */
export type MakeSkip = (reason: SkipReason, vm: LintedVm, lacks?: readonly string[]) => Skip;

export function skipsOf(rule: Rule): MakeSkip {
  const made = new Map<string, Skip>();
  // By the host itself: two hosts may have one name.
  const madeOn = new WeakMap<HostModel, Map<string, Skip>>();
  /** The settings that the rule reads, or that its layout depends on. */
  const names = [...new Set<SettingName>([...rule.reads, ...(rule.needs.includes("topology") ? TOPOLOGY_SETTINGS : [])])];
  return (reason, vm, lacks) => {
    const { spec, target } = vm;
    switch (reason) {
      case "no-host": {
        const { exportHosts } = spec;
        const fits = needsHost(spec) ? fitsEvery("node", spec) : undefined;
        const hint = hostHint(spec);
        return getOrInsert(made, `${reason} ${exportHosts} ${fits} ${hint}`, () =>
          skip(rule, reason, {
            input: { hostHint: hint, ...(exportHosts !== undefined && { exportHosts }), ...(fits !== undefined && { fits }) },
          }),
        );
      }
      case "no-esxi-version":
      case "host-incomplete":
        return getOrInsert(
          target.host ? getOrInsert(madeOn, target.host, () => new Map()) : made,
          [reason, target.hostSource, spec.exportHosts, ...(lacks ?? [])].join("\n"),
          () => skip(rule, reason, { ...(lacks && { lacks }), input: hostInput(vm) }),
        );
      case "workload-incomplete": {
        const isCommented = spec.directive.has("workload");
        return getOrInsert(made, [reason, isCommented, JSON.stringify(target.workload), ...(lacks ?? [])].join("\n"), () =>
          skip(rule, reason, {
            ...(lacks && { lacks }),
            ...(target.workload && { input: { workload: target.workload, ...(isCommented && { isCommented }) } }),
          }),
        );
      }
      case "unknown-value":
        return unknownSkip(rule, names, spec, made);
      default:
        return getOrInsert(made, reason, () => skip(rule, reason));
    }
  };
}

const skip = ({ id }: Rule, reason: SkipReason, more: Omit<Skip, "ruleId" | "reason"> = {}): Skip => ({ ruleId: id, reason, ...more });

/** Only the host of an inventory is described by an export. */
const hostInput = ({ spec: { exportHosts }, target: { host, hostSource } }: LintedVm): SkippedInput => ({
  ...(host && { host }),
  ...(exportHosts !== undefined && hostSource && { exportHosts }),
});

function unknownSkip(rule: Rule, names: readonly SettingName[], spec: VmSpec, made: Map<string, Skip>): Skip {
  const unknown = unknownOf(names, spec);
  const needs = unknown.map(([name]) => name);
  const unset = [...new Map(unknown.flatMap(([, { reason }]) => unsetVariable(reason) ?? []).map((one) => [one.name, one])).values()];
  const causes = [...(spec.changes ? ["existing" as const] : []), ...(spec.hasUnknownCount ? ["count" as const] : [])];
  const all = [...causes, ...unknown.map(([, setting]) => causeOf(setting, spec))];
  const cause = UNKNOWN_CAUSES.find((one) => all.includes(one));
  const template = cause === "template" ? spec.clonedFrom : undefined;
  const key = [needs.join(), ...unset.map(({ name, foundIn }) => [name, ...foundIn].join()), cause, template].join("\n");
  return getOrInsert(made, key, () =>
    skip(rule, "unknown-value", {
      ...(needs.length > 0 && { needs }),
      ...(unset.length > 0 && { unset }),
      ...(cause && { input: { cause, ...(template !== undefined && { template }) } }),
    }),
  );
}

type Unknown = Extract<Setting<unknown>, { readonly state: "unknown" }>;

function unknownOf(names: readonly SettingName[], { settings }: VmSpec): readonly (readonly [SettingName, Unknown])[] {
  const unknown: [SettingName, Unknown][] = [];
  for (const name of names) {
    const setting = settings[name];
    if (setting.state === "unknown") unknown.push([name, setting]);
  }
  return unknown;
}

function causeOf({ expected, reason }: Unknown, { exportHosts }: VmSpec): (typeof UNKNOWN_CAUSES)[number] {
  if (expected !== undefined) return "mistyped";
  if (exportHosts !== undefined) return "export";
  return isOfTemplate(reason) ? "template" : "open";
}
