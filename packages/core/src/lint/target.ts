import type { Severity } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import type { Problem } from "../model/problem.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Workload, WorkloadGuess } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";

/**
 * What one VM is checked against. Its objects must not change between two calls: what is found out of one is kept for the next.
 *
 * @example
 * lint(text, { target: { host, workload: { kind: "mssql" } } });
 */
export interface Target {
  readonly host?: HostModel | undefined;
  readonly workload?: Workload | undefined;
  /** What the VM probably runs, where no workload is declared. */
  readonly guess?: WorkloadGuess | undefined;
  /** Whether a rule is asked at all, where `severities` does not name it; all but those that are `optIn` are when not said. */
  readonly selects?: (rule: Rule) => boolean;
  readonly severities?: Severities;
  /** What the VM's own `vmlint:` comment asks for and cannot have. */
  readonly problems?: readonly Problem[];
  /** Which machine the VM runs on, where that is declared: VMs of one host may run on many machines of its kind. */
  readonly machine?: string;
  /** VMs that nobody describes may run on that machine, too. */
  readonly othersMayRun?: boolean;
  /** Set where no option, comment or configuration names the host: the inventory says that the VM is on it. */
  readonly hostSource?: "inventory";
  /** The cluster of that host, as the inventory names it. */
  readonly cluster?: string;
  /** The other hosts of the cluster that the VM is in. */
  readonly elsewhere?: readonly HostModel[];
}

/** The severity a rule is given in place of its own. */
export type Severities = Readonly<Record<string, Severity | "off">>;

export interface LintedVm {
  readonly spec: VmSpec;
  readonly target: Target;
  /** Where a range of the VM lies: its ranges are in a row of several files. Missing where they are in its own. */
  readonly locate?: (range: Range) => { readonly path?: string; readonly range: Range };
}
