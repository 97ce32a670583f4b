import { entryNamed } from "../formats/index.ts";
import { importing, type Made } from "../importers/import-vm.ts";
import type { Importer } from "../importers/importer.ts";
import type { GuestShape, Kept, Target } from "../importers/targets/target.ts";
import { outcomeChecker } from "../lint/check-import.ts";
import type { LintedVm } from "../lint/target.ts";
import { type Diagnostic, SEVERITIES, type Severity } from "../model/diagnostic.ts";
import type { Source } from "../model/sources.ts";
import type { Rule } from "../rules/define.ts";
import { pageOf } from "../rules/page-of.ts";

/** A change by an import that matters. */
export interface Change {
  /** The rule that found it. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  /** The setting of the target that keeps it; missing if the definition that keeps the shape does. */
  readonly keep?: string;
  /** The part of the shape that no definition keeps. */
  readonly misses?: string;
  readonly sources: readonly Source[];
}

/** A definition that an importer makes, with its effect. */
export interface Outcome extends Pick<Made, "when" | "before" | "text" | "fails" | "view"> {
  /** The gravest first. */
  readonly changes: readonly Change[];
}

/** A VM before and after an import. */
export interface Migrated {
  readonly vm: string;
  readonly path: string;
  readonly host: string | null;
  /** Missing if its number of vCPUs is unknown. */
  readonly before?: GuestShape;
  /** Why nothing is known of it. */
  readonly undecided?: string;
  readonly outcomes: readonly Outcome[];
  /** The gravest severity in every outcome; null if nothing is lost for certain. */
  readonly worst: Severity | null;
  /** The gravest severity of an outcome that depends on its condition, if it is graver. */
  readonly possible: Severity | null;
  /** Its shape in the words of the target, if a definition keeps it. */
  readonly keep?: string;
  readonly kept: Kept;
}

/** Returns a function that imports VMs. */
export async function migrator(
  importer: Importer,
  target: Target,
  rules: readonly Rule[],
): Promise<(vm: LintedVm, path: string) => Migrated> {
  const importVm = importing(importer, target, await entryNamed(target.format).load());
  const check = outcomeChecker(rules);
  const changeOf = ({ ruleId, severity, message, data }: Diagnostic): Change => {
    const { rule, text, keep, misses } = data as { readonly [K in "rule" | "text" | "keep" | "misses"]?: string | null };
    const found = rules.find(({ id }) => id === rule);
    const sources = found ? pageOf(found).sources : importer.sources;
    const change = { id: rule ?? ruleId, severity, message: text ?? message, sources };
    return { ...change, ...(keep && { keep }), ...(misses && { misses }) };
  };
  return (vm, path) => {
    const imported = importVm(vm);
    const { made, before, kept, keep, undecided } = imported;
    const changesOf = check(vm, imported);
    const outcomes = made.map((one): Outcome => {
      const { when, before: own, text, fails, view } = one;
      const changes = sorted(changesOf(one).flatMap((found) => ("reason" in found ? [] : changeOf(found))));
      return {
        when,
        before: own,
        ...(text !== undefined && { text }),
        ...(fails !== undefined && { fails }),
        ...(view && { view }),
        changes,
      };
    });
    const ranks = outcomes.map(({ changes }) => Math.min(SEVERITIES.length, ...changes.map(({ severity }) => rank(severity))));
    const [mildest, gravest] = [Math.max(...ranks), Math.min(...ranks)];
    return {
      vm: vm.spec.name,
      path,
      host: vm.target.host?.name ?? null,
      ...(before && { before }),
      ...(undecided !== undefined && { undecided }),
      outcomes,
      worst: SEVERITIES[mildest] ?? null,
      possible: gravest < mildest ? (SEVERITIES[gravest] ?? null) : null,
      ...(keep !== undefined && { keep }),
      kept,
    };
  };
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

const sorted = (changes: readonly Change[]): readonly Change[] => changes.toSorted((a, b) => rank(a.severity) - rank(b.severity));

/** Sorts by the gravest change, then by vCPUs and name. VMs without an answer follow VMs with a loss. */
export function ranked(vms: readonly Migrated[]): readonly Migrated[] {
  // Certain changes first, then possible ones.
  const rankOf = ({ worst, possible, undecided }: Migrated): number => {
    const certain = worst ? rank(worst) : undecided ? SEVERITIES.length : SEVERITIES.length + 1;
    return certain * (SEVERITIES.length + 1) + (possible ? rank(possible) : SEVERITIES.length);
  };
  const size = ({ before }: Migrated): number => before?.vcpus ?? 0;
  return vms.toSorted((a, b) => rankOf(a) - rankOf(b) || size(b) - size(a) || (a.vm < b.vm ? -1 : 1));
}
