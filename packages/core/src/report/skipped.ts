import type { Skip, SkipReason } from "../model/diagnostic.ts";
import { folderOf, joinPath } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { SPEC_SETTINGS } from "../model/spec.ts";
import { names, plural } from "../model/words.ts";
import { byReason, skipCounts } from "./counts.ts";
import type { FileResult } from "./result.ts";

/** The checks that ran, and the steps that make more checks run. */
interface SkippedChecks {
  /** `14 of 96 checks ran`; `undefined` if nothing was skipped. */
  readonly ran: string | undefined;
  /** Whether the user can make more checks run. */
  readonly isOpen: boolean;
  /** Steps of the user, the most effective first: `61 checks: name the host`. */
  readonly steps: readonly string[];
  /** Checks that no user can make run, in a sentence. */
  readonly rest: readonly string[];
}

/** A variable without a value: how many checks need it, and the files that set it. */
export interface UnknownValue {
  readonly name: string;
  readonly checks: number;
  readonly foundIn: readonly string[];
}

/** The step of a user that makes checks run. */
const STEPS: Partial<Record<SkipReason, string>> = {
  "no-host": "name the host. Use vmlint init, or --host",
  "no-esxi-version": "name the ESXi version of the host. Add esxi: to it, or @8.0 to the short form",
  "host-incomplete": "complete the host. Add cpu:, mhz: or memoryGiB: (nodes with unequal memory stay unknown)",
  "no-workload": "declare the workload, if there is one. Add workload: to vmlint.yaml",
  "workload-incomplete": "complete the workload. Add edition, version and licensing",
  "unknown-value": "state the value that is unknown until later (data source, template or contradiction)",
  "placement-unknown": "list the VMs that share a host under runs:, or use --together",
};

/** Why no user can make a check run. */
const REST: Partial<Record<SkipReason, string>> = {
  "not-esxi": "the rule is for ESXi, and the VM is for another platform",
  "no-power-on": "ESXi will not power on the VM. See vmlint topology",
  "layout-unknown": "no source documents this layout. See vmlint topology",
  "rule-failed": "the rule failed",
};

/** Reasons that leave a result open. Most VMs have no workload, and most hosts run VMs that vmlint does not see. */
const OPEN: ReadonlySet<SkipReason> = new Set<SkipReason>([
  "no-host",
  "no-esxi-version",
  "host-incomplete",
  "workload-incomplete",
  "unknown-value",
]);

/** The most steps that are listed. */
const MOST_STEPS = 6;

/** Returns the checks that ran, and the steps that make more checks run. */
export function skippedChecks(results: readonly FileResult[]): SkippedChecks {
  const totals = new Map<SkipReason, number>();
  for (const { reason, count } of byReason(results)) totals.set(reason, (totals.get(reason) ?? 0) + count);
  const skipped = [...totals.values()].reduce((sum, count) => sum + count, 0);
  if (skipped === 0) return { ran: undefined, isOpen: false, steps: [], rest: [] };
  const counted = results.filter(({ isConfig }) => !isConfig);
  const isKnown = counted.every(({ ran }) => ran !== undefined);
  const ran = counted.reduce((sum, { ran = 0 }) => sum + ran, 0);
  const byNeed = [...neededValues(results)];
  const explained = byNeed.reduce((sum, { checks }) => sum + checks, 0);
  const steps = [...totals].flatMap(([reason, count]) => {
    const step = STEPS[reason];
    const left = reason === "unknown-value" ? Math.max(0, count - explained) : count;
    return step && left > 0
      ? [{ count: reason === "no-workload" ? 0 : left, text: `${plural(left, CHECKS[reason] ?? "check")}: ${step}.` }]
      : [];
  });
  const ranked = [...steps, ...byNeed.map(({ checks, text }) => ({ count: checks, text }))].sort((a, b) => b.count - a.count);
  return {
    ran: isKnown ? `${ran} of ${plural(ran + skipped, "check")} ran` : `${plural(skipped, "check")} skipped`,
    isOpen: [...totals.keys()].some((reason) => OPEN.has(reason)),
    steps: [
      ...ranked.slice(0, MOST_STEPS).map(({ text }) => text),
      ...(ranked.length > MOST_STEPS ? [`and ${ranked.length - MOST_STEPS} more.`] : []),
    ],
    rest: [...totals].flatMap(([reason, count]) => (REST[reason] ? [`${plural(count, "check")} skipped: ${REST[reason]}.`] : [])),
  };
}

const CHECKS: Partial<Record<SkipReason, string>> = { "placement-unknown": "capacity check" };

/** Returns the variables without a value that skipped checks need, the most needed first. */
export function unknownValues(results: readonly FileResult[]): readonly UnknownValue[] {
  const unset = new Map<string, { readonly name: string; checks: number; readonly foundIn: readonly string[] }>();
  for (const item of unsetIn(results)) {
    for (const { name, foundIn } of item) {
      getOrInsert(unset, [name, ...foundIn].join("\n"), () => ({ name, checks: 0, foundIn })).checks++;
    }
  }
  return [...unset.values()].sort((a, b) => b.checks - a.checks || (a.name < b.name ? -1 : 1));
}

/** Returns the variables without a value of each skipped check. Paths are relative to the working directory. */
const unsetIn = (results: readonly FileResult[]): readonly NonNullable<Skip["unset"]>[] =>
  results.flatMap(({ path, skipped }) =>
    skipped.flatMap(({ unset }) =>
      unset ? [unset.map(({ name, foundIn }) => ({ name, foundIn: foundIn.map((file) => joinPath(folderOf(path), file)) }))] : [],
    ),
  );

/** The values that skipped checks need, each with how to state it. */
function neededValues(results: readonly FileResult[]): readonly { readonly checks: number; readonly text: string }[] {
  const counts = new Map<string, { checks: number; readonly what: string }>();
  const add = (remedy: string, count: number): void => {
    getOrInsert(counts, remedy, () => ({ checks: 0, what: remedy })).checks += count;
  };
  for (const unset of unsetIn(results)) add(variablesStep(unset), 1);
  for (const { needs = [], unset, count } of skipCounts(results)) if (needs.length > 0 && !unset) add(settingsStep(needs), count);
  return [...counts.values()].map(({ checks, what: remedy }) => ({ checks, text: `${plural(checks, "check")}: ${remedy}.` }));
}

function variablesStep(unset: NonNullable<Skip["unset"]>): string {
  const files = [...new Set(unset.flatMap(({ foundIn }) => foundIn))];
  const [file] = files;
  const where =
    file === undefined ? "" : files.length === 1 ? `. ${file} does: --var-file ${file}` : `. ${names(files)} do: --var-file FILE`;
  return `set ${names(unset.map(({ name }) => name))}${where}`;
}

function settingsStep(needs: readonly (keyof typeof SETTING_WORDS)[]): string {
  const canAssume = needs.every((name) => SPEC_SETTINGS.some((setting) => setting === name));
  return canAssume ? `set ${names(needs)} under assume: in vmlint.yaml` : `state ${names(needs.map((name) => SETTING_WORDS[name]))}`;
}
