import type { ImportVm } from "../importers/import-vm.ts";
import type { Severity } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import type { Problem } from "../model/problem.ts";
import type { Range } from "../model/source.ts";
import type { AssumedSettings, NamedTemplate, RunningVm, VmSpec } from "../model/spec.ts";
import type { Workload, WorkloadGuess } from "../model/workload.ts";
import type { Rule } from "../rules/define.ts";

/**
 * The target of a VM. It must not change between two calls, because results for it are cached.
 *
 * @example
 * lint(text, { target: { host, workload: { kind: "mssql" } } });
 */
export interface Target {
  readonly host?: HostModel | undefined;
  readonly workload?: Workload | undefined;
  /** The guessed workload, if none is declared. */
  readonly guess?: WorkloadGuess | undefined;
  /** Whether a rule runs if `severities` does not list it; by default all rules except `optIn` ones. */
  readonly selects?: (rule: Rule) => boolean;
  readonly severities?: Severities;
  /** Settings from the configuration, for VMs that do not state them. */
  readonly assumptions?: Assumptions;
  /** Requests of the VM's own `vmlint:` comment that cannot be met. */
  readonly problems?: readonly Problem[];
  /** The declared machine of the VM; VMs of one host may run on several machines of its kind. */
  readonly machine?: string;
  /** Whether the machine may also run VMs that no file describes. */
  readonly othersMayRun?: boolean;
  /** Set if the host comes only from the inventory. */
  readonly hostSource?: "inventory";
  /** The name of that host's cluster in the inventory. */
  readonly cluster?: string;
  /** Measurements of the running VM. */
  readonly running?: RunningVm;
  /** Set if the VM may run on any host of its cluster: the name of one like `host`. */
  readonly onAnyHost?: string;
  /** The VM may move to this host, and does not run there. */
  readonly elsewhere?: true;
  /** The other hosts of the cluster that the VM is in. */
  readonly otherHosts?: readonly HostModel[];
  /** Imports the VM to the platform that the configuration names. */
  readonly imports?: ImportVm;
}

/** The `templates:` and `assume:` of a configuration. */
export interface Assumptions {
  readonly templates: readonly NamedTemplate[];
  readonly settings: AssumedSettings;
}

/** The configured severity of a rule. */
export type Severities = Readonly<Record<string, Severity | "off">>;

export interface LintedVm {
  readonly spec: VmSpec;
  readonly target: Target;
  /** Converts a range of the joined files to a range in a file. Missing if the ranges are in the VM's own file. */
  readonly locate?: (range: Range) => { readonly path?: string; readonly range: Range };
}
