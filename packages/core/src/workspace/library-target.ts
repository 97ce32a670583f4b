import { EMPTY_CONFIG, requireHost, targetOf, withWorkload } from "../config/config.ts";
import { hostOfText, isDump } from "../hosts/host-of-text.ts";
import type { Severities, Target } from "../lint/target.ts";
import type { HostModel } from "../model/host.ts";
import { hint } from "../model/nearest.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";
import { rules as builtin } from "../rules/index.ts";
import { type Check, host, refuse, rules, severities, workload, workloadGiven } from "./arguments.ts";

/** The target of VMs without a configuration, and the rules to check. */
export interface AgainstOptions {
  /**
   * A host, its name, its short form (`2x20x2:768@8.0`), its processors (`2x Xeon Gold 6148:768@8.0`), or a description of
   * hwloc. For `lintResource` also the text of a dump. `null`: no VM has a host.
   */
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

/** Returns the host that a text describes by itself; a name, a short form, a dump and any other value are returned unchanged. */
export const withDescribed = <H>(given: H): H | HostModel => (typeof given === "string" && hostOfText(given)?.host) || given;

/** Returns the host of a dump, too, and loads the readers of dumps for it. */
export async function withDump<H>(given: H): Promise<H | HostModel> {
  if (typeof given !== "string" || !isDump(given)) return withDescribed(given);
  const { importHost } = await import("../hosts/index.ts");
  return importHost(given, { name: "dump", file: "dump" }).host;
}

/** Returns the target of each VM. Throws HOST_UNKNOWN and RULE_UNKNOWN. */
export function targetFor(given: AgainstOptions, at: string): (vm: VmSpec) => Target {
  const ids = (given.rules ?? builtin).map(({ id }) => id);
  for (const id of Object.keys(given.severities ?? {})) {
    if (!ids.includes(id)) refuse(`${at}: severities: there is no rule "${id}".${hint(id, ids)}`, "RULE_UNKNOWN");
  }
  const declared = workloadGiven(given.workload, `${at}: workload`);
  const host = withDescribed(given.host);
  if (typeof host === "string" && isDump(host))
    refuse(`${at}: the host is the text of a dump, which importHost of @vmlint/core/hosts reads: pass its host.`, "HOST_UNKNOWN");
  const found = typeof host === "string" ? requireHost(host) : host;
  const against = targetOf({ ...EMPTY_CONFIG, rules: given.severities ?? {} }, found ?? undefined);
  return (vm) => {
    const target = against(vm, () => "");
    return withWorkload(found === null ? { ...target, host: undefined } : target, declared);
  };
}
