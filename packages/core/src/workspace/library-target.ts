import { EMPTY_CONFIG, requireHost, targetOf, withWorkload } from "../config/config.ts";
import { hostFromCpu } from "../hosts/host-from-cpu.ts";
import type { Severities, Target } from "../lint/target.ts";
import { type HostModel, isCountedProcessors } from "../model/host.ts";
import { hint } from "../model/nearest.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";
import { type Check, host, refuse, rules, severities, workload, workloadGiven } from "./arguments.ts";

/** The target of VMs without a configuration, and the rules to check. */
export interface AgainstOptions {
  /** A host, its name, its short form (`2x20x2:768@8.0`) or its processors (`2x Xeon Gold 6148:768@8.0`). `null`: no VM has a host. */
  readonly host?: HostModel | string | null | undefined;
  /** The workload of VMs that declare none themselves: its facts, or one line such as "mssql, edition=standard". */
  readonly workload?: Workload | string | undefined;
  /** All rules of the run; built-in rules by default. */
  readonly rules?: readonly Rule[] | undefined;
  /** The severity of rules, or "off", as `rules:` of a configuration sets them. */
  readonly severities?: Severities | undefined;
}

/** The checks of these options. */
export const AGAINST = { host, workload, rules, severities } satisfies Readonly<Record<keyof AgainstOptions, Check>>;

/** Returns the host that a text of processors means, `2x Xeon Gold 6148:768@8.0`; any other value is returned unchanged. */
export function withProcessors<H>(given: H): H | HostModel {
  if (typeof given !== "string" || !isCountedProcessors(given)) return given;
  const found = hostFromCpu(given);
  return "host" in found ? found.host : refuse(found.reason, "HOST_UNKNOWN");
}

/** Returns the target of each VM. Throws HOST_UNKNOWN and RULE_UNKNOWN. */
export function targetFor(given: AgainstOptions, at: string): (vm: VmSpec) => Target {
  const ids = (given.rules ?? builtin).map(({ id }) => id);
  for (const id of Object.keys(given.severities ?? {})) {
    if (!ids.includes(id)) refuse(`${at}: severities: there is no rule "${id}".${hint(id, ids)}`, "RULE_UNKNOWN");
  }
  const declared = workloadGiven(given.workload, `${at}: workload`);
  const host = withProcessors(given.host);
  const found = typeof host === "string" ? requireHost(host) : host;
  const against = targetOf({ ...EMPTY_CONFIG, rules: given.severities ?? {} }, found ?? undefined);
  return (vm) => {
    const target = against(vm, () => "");
    return withWorkload(found === null ? { ...target, host: undefined } : target, declared);
  };
}
