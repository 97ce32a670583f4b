import type { Range, TextEdit } from "./source.ts";
import type { SettingValues } from "./spec.ts";
import type { WorkloadGuess } from "./workload.ts";

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
 * A measured or documented fact behind a finding, with what speaks against it.
 *
 * @example
 * const { evidence } = finding; // { claim, source, against }
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
  /** `safe`: cannot change how the VM runs. Everything that reshapes a VM is `unsafe` and never applied unasked. */
  readonly safety: "safe" | "unsafe";
  readonly edits: readonly TextEdit[];
}

/**
 * Another place that a finding speaks of.
 *
 * @example
 * for (const { message, range } of finding.related) console.log(message, range);
 */
export interface Related {
  readonly message: string;
  readonly range: Range;
  /** The file it is in, where that is not the finding's own. */
  readonly path?: string;
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
  readonly vm: string | null;
  /** All VMs it is about, where one place writes several of them. */
  readonly vms?: readonly string[];
  /** How many VMs of one machine it is about together. */
  readonly among?: number;
  /** Set where the finding rests on a workload that nobody declared. */
  readonly guess?: WorkloadGuess;
  readonly host: string | null;
  /** What the model of its host rests on although nobody stated it. */
  readonly assumedOfHost?: readonly string[];
  /** Set where it does not hold in every possible case: an unknown value decides. */
  readonly holds?: "in some cases";
  /** Those in which it holds, with all that would be found in them. */
  readonly cases?: readonly { readonly when: SettingValues; readonly ruleId: string; readonly message: string }[];
  readonly evidence: Evidence | null;
  readonly related: readonly Related[];
  /** In the order they are to be tried. */
  readonly fixes: readonly Fix[];
  /** The address of the rule's page; empty where it has none, as while vmlint has no site. */
  readonly docsUrl: string;
}

/**
 * A finding that is known and accepted: hidden, and kept with why.
 *
 * @example
 * for (const { diagnostic, reason } of suppressed) console.log(diagnostic.ruleId, reason);
 */
export interface Suppressed {
  readonly diagnostic: Diagnostic;
  /** Where that is said. */
  readonly by: "comment" | "config" | "baseline";
  readonly reason: string | null;
}

/** Why a rule could not speak about a VM. */
export type SkipReason =
  | "no-host"
  | "no-esxi-version"
  | "host-incomplete"
  | "no-workload"
  | "workload-incomplete"
  | "unknown-value"
  | "not-esxi"
  | "no-power-on"
  | "layout-unknown"
  | "placement-unknown"
  | "rule-failed";

/**
 * A rule skipped a VM: the reason.
 *
 * @example
 * for (const { ruleId, reason } of skipped) console.log(`${ruleId} did not run: ${reason}`);
 */
export interface Skip {
  readonly ruleId: string;
  readonly reason: SkipReason;
  /** The error of a built-in rule that threw, with its stack: a bug in vmlint. */
  readonly fault?: string;
}
