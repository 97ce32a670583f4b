import type { Cell } from "./cell.ts";
import type { HostModel } from "./host.ts";
import type { Range, TextEdit } from "./source.ts";
import type { Change, SettingName, SettingValues } from "./spec.ts";
import type { UnsetVariable } from "./unset-variable.ts";
import type { Workload, WorkloadGuess } from "./workload.ts";

/**
 * All severities, the worst first.
 *
 * @example
 * const isAtLeast = (a: Severity, b: Severity) => SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b);
 */
export const SEVERITIES = ["error", "warning", "info", "hint"] as const;
/**
 * How much a finding matters.
 *
 * @example
 * const isError = (severity: Severity) => severity === "error";
 */
export type Severity = (typeof SEVERITIES)[number];

/**
 * A measured or documented fact behind a finding, with its limits.
 *
 * @example
 * const { evidence } = lintJson(results, { tool }).diagnostics[0]; // { figure, source, against }
 */
export interface Evidence {
  readonly figure: string;
  readonly source: string;
  readonly against: string | null;
}

/**
 * A change that settles a finding.
 *
 * @example
 * const safe = finding.fixes.find((fix: Fix) => fix.safety === "safe");
 */
export interface Fix {
  readonly title: string;
  /** `safe`: cannot change how the VM runs. Every fix that reshapes a VM is `unsafe` and never applied by default. */
  readonly safety: "safe" | "unsafe";
  readonly edits: readonly TextEdit[];
  /** The new values of the VM; missing if the fix changes only the text. */
  readonly changes?: readonly Change[];
}

/** A fix of a VM in a file that vmlint never edits, such as an export. */
export type Proposal = Required<Pick<Fix, "title" | "safety" | "changes">>;

/** Returns the title of a fix, marked if it changes how the VM runs. */
export const fixTitle = ({ title, safety }: Pick<Fix, "title" | "safety">): string =>
  safety === "safe" ? title : `${title} (changes how the VM runs)`;

/** Returns the fix that writes another name in place of a misspelt one. */
export const renamed = (name: string, range: Range): Fix => ({
  title: `Change it to ${name}`,
  safety: "safe",
  edits: [{ range, newText: name }],
});

/**
 * A related place of a finding.
 *
 * @example
 * for (const { message, range } of finding.related) console.log(message, range);
 */
export interface Related {
  readonly message: string;
  readonly range: Range;
  /** The path of another file. */
  readonly path?: string;
  /** The cell of a place in a table. */
  readonly cell?: Cell;
}

/** A host or a cluster with a finding. */
export interface Subject {
  readonly kind: "host" | "cluster";
  readonly name: string;
}

/**
 * One finding, as data. `message` may be reworded in any release; `ruleId`, `messageId` and `data` may not.
 *
 * @example
 * const word = ({ severity, ruleId, message }: Diagnostic) => `${severity}: ${message} (${ruleId})`;
 */
export interface Diagnostic {
  readonly ruleId: string;
  readonly messageId: string;
  readonly severity: Severity;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly range: Range;
  /** The cell of a finding in a table. */
  readonly cell?: Cell;
  readonly vm: string | null;
  /** All VMs of the finding, if one place defines several, or the VMs on the host that the finding is about. */
  readonly vms?: readonly string[];
  /** The file of the VM, if the finding is in another file. */
  readonly vmPath?: string;
  /** The host or the cluster that the finding is about; missing if it is about a VM. */
  readonly subject?: Subject;
  /** The variants of the VM with this finding: `env/prod.tfvars`. Missing if the VM has no variants. */
  readonly variants?: readonly string[];
  /** The number of VMs in a cross-VM finding. */
  readonly among?: number;
  /** Set if the finding depends on a guessed workload. */
  readonly guess?: WorkloadGuess;
  readonly host: string | null;
  /** The cluster that an inventory names. */
  readonly cluster?: string;
  /** Another host of the cluster, if the finding is only about the VM there. */
  readonly otherHost?: string;
  /** Facts that the model of its host assumes. */
  readonly assumedOfHost?: readonly string[];
  /** Set if an unknown value decides whether the finding applies. */
  readonly holds?: "in some cases";
  /** The possible cases with this finding, with all findings in each. */
  readonly cases?: readonly { readonly when: SettingValues; readonly ruleId: string; readonly message: string }[];
  readonly related: readonly Related[];
  /** In order of preference. */
  readonly fixes: readonly Fix[];
  /** The preferred change, if the file is never edited. */
  readonly proposal?: Proposal;
  /** The address of the rule's page; empty without one, such as while vmlint has no site. */
  readonly docsUrl: string;
  /** False: no suppression and no baseline hides it. */
  readonly ignorable?: false;
}

/**
 * A finding hidden by a suppression or the baseline, with the reason.
 *
 * @example
 * for (const { diagnostic, reason } of suppressed) console.log(diagnostic.ruleId, reason);
 */
export interface Suppressed {
  readonly diagnostic: Diagnostic;
  /** The kind of suppression. */
  readonly by: "comment" | "config" | "baseline";
  readonly reason: string | null;
}

/** Why a rule could not check a VM. */
export type SkipReason =
  | "no-host"
  | "no-esxi-version"
  | "host-incomplete"
  | "no-workload"
  | "workload-incomplete"
  | "unknown-value"
  | "other-platform"
  | "no-power-on"
  | "layout-unknown"
  | "placement-unknown"
  | "rule-failed";

/** Why settings of a VM are unknown, the most stubborn first. `export`: its export lacks them. `open`: its own files leave them open. */
export const UNKNOWN_CAUSES = ["export", "existing", "count", "mistyped", "template", "open"] as const;

/** The input of a skipped check. Reports make hints from it. */
export interface SkippedInput {
  readonly host?: HostModel;
  readonly workload?: Workload;
  /** Whether a comment of the file declares the workload. */
  readonly isCommented?: true;
  /** How to export the hosts, if the VM or its host is of an export. */
  readonly exportHosts?: string;
  readonly cause?: (typeof UNKNOWN_CAUSES)[number];
  /** The template of the VM, if its settings are unknown because of it. */
  readonly template?: string;
  /** Without a host: how to name one. */
  readonly hostHint?: string;
  /** Without a host that decides the layout: whether each NUMA node of the catalogue has a core for each vCPU. */
  readonly fits?: boolean;
  /** VMs that may share a host. */
  readonly vms?: readonly string[];
}

/**
 * A rule skipped a VM: the reason.
 *
 * @example
 * for (const { ruleId, reason } of skipped) console.log(`${ruleId} did not run: ${reason}`);
 */
export interface Skip {
  readonly ruleId: string;
  readonly reason: SkipReason;
  /** The unknown settings that the rule needs. */
  readonly needs?: readonly SettingName[];
  /** The variables without a value that make these settings unknown. */
  readonly unset?: readonly UnsetVariable[];
  /** The fields that the host or the workload lacks. */
  readonly lacks?: readonly string[];
  /** The input of the check; missing if the hint for the reason does not depend on it. */
  readonly input?: SkippedInput;
  /** The error of a built-in rule that threw, with its stack: a bug in vmlint. */
  readonly fault?: string;
}
