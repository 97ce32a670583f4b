import type { Skip, SkippedInput, SkipReason } from "../model/diagnostic.ts";
import { folderOf, joinPath } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import type { SettingName } from "../model/spec.ts";
import { list, plural } from "../model/words.ts";
import { checkedVms } from "./counts.ts";
import { nextSteps, type SkippedGroup } from "./next-steps.ts";
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

/** Why no user can make a check run. */
const REST: Partial<Record<SkipReason, string>> = {
  "no-power-on": "ESXi will not power on the VM. See vmlint topology",
  "layout-unknown": "no source documents this layout. See vmlint topology",
  "rule-failed": "the rule failed",
  "unknown-value": "descriptions of a VM differ, or its host in the cluster is open",
  "host-incomplete": "its nodes have unequal memory, or no configuration can state the facts of the host",
};

/** Why a setting stays unknown. */
const CAUSES: Partial<Record<NonNullable<SkippedInput["cause"]>, string>> = {
  export: "the export does not contain",
  existing: "the file changes an existing VM, and does not state",
  count: "a loop or a condition decides how many of the VM run. Check its plan",
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
const MOST_STEPS = 5;

/** Returns the checks that ran, and the steps that make more checks run. A rule for another platform is no check of a VM. */
export function skippedChecks(results: readonly FileResult[]): SkippedChecks {
  const groups = skippedGroups(results);
  if (groups.length === 0) return { ran: undefined, isOpen: false, steps: [], rest: [] };
  const own = groups.filter(({ reason }) => reason !== "other-platform");
  const skipped = countIn(own);
  const elsewhere = countIn(groups) - skipped;
  const counted = results.filter(({ isContext }) => !isContext);
  const isKnown = counted.every(({ ran }) => ran !== undefined);
  const ran = counted.reduce((sum, { ran = 0 }) => sum + ran, 0);
  const { steps, left } = nextSteps(own, checkedVms(results));
  return {
    ran: isKnown ? `${ran} of ${plural(ran + skipped, "check")} ran` : `${plural(skipped, "check")} skipped`,
    isOpen: own.some(({ reason }) => OPEN.has(reason)),
    steps: steps.slice(0, MOST_STEPS),
    rest: [
      ...restOf(left),
      ...(elsewhere > 0 ? [`${plural(elsewhere, "check")} ${elsewhere === 1 ? "is" : "are"} for other platforms.`] : []),
    ],
  };
}

const countIn = (groups: readonly SkippedGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);

/** Joins equal skipped checks. Those about values and hosts stay apart by file, because their steps name files. */
function skippedGroups(results: readonly FileResult[]): readonly SkippedGroup[] {
  const groups = new Map<Skip, Map<string, { readonly skip: Skip; readonly path: string; count: number }>>();
  for (const { path, skipped } of results)
    for (const skip of skipped) {
      const byPath = getOrInsert(groups, skip, () => new Map());
      getOrInsert(byPath, skip.reason === "unknown-value" || skip.reason === "no-host" ? path : "", () => ({ skip, path, count: 0 }))
        .count++;
    }
  return [...groups.values()].flatMap((byPath) =>
    [...byPath.values()].map(({ skip, path, count }) => ({ ...skip, ...withPaths(skip, path), path, count })),
  );
}

/** Makes the files that set variables relative to the working directory. */
const withPaths = ({ unset }: Skip, path: string): Pick<Skip, "unset"> =>
  unset ? { unset: unset.map(({ name, foundIn }) => ({ name, foundIn: foundIn.map((file) => joinPath(folderOf(path), file)) })) } : {};

/** Returns a sentence for each reason that no user can remove. */
function restOf(left: readonly SkippedGroup[]): readonly string[] {
  const sentences = new Map<string, { count: number; readonly needs: Set<SettingName> }>();
  for (const { reason, input, needs = [], count } of left) {
    const why = (input?.cause && CAUSES[input.cause]) ?? REST[reason];
    if (why === undefined) continue;
    const sentence = getOrInsert(sentences, why, () => ({ count: 0, needs: new Set<SettingName>() }));
    sentence.count += count;
    if (input?.cause === "export" || input?.cause === "existing") for (const name of needs) sentence.needs.add(name);
  }
  return [...sentences].map(([why, { count, needs }]) => `${plural(count, "check")} skipped: ${why}${settingWords([...needs])}.`);
}

/** The most settings that a sentence names. */
const MOST_SETTINGS = 5;

function settingWords(needs: readonly SettingName[]): string {
  const shown = needs.slice(0, MOST_SETTINGS).map((name) => SETTING_WORDS[name]);
  const all = needs.length > MOST_SETTINGS ? [...shown, "others"] : shown;
  return all.length > 0 ? ` ${list(all, "and")}` : "";
}

/** Returns the variables without a value that skipped checks need, the most needed first. */
export function unknownValues(results: readonly FileResult[]): readonly UnknownValue[] {
  const unset = new Map<string, { readonly name: string; checks: number; readonly foundIn: readonly string[] }>();
  for (const { path, skipped } of results)
    for (const skip of skipped)
      for (const { name, foundIn } of withPaths(skip, path).unset ?? [])
        getOrInsert(unset, [name, ...foundIn].join("\n"), () => ({ name, checks: 0, foundIn })).checks++;
  return [...unset.values()].sort((a, b) => b.checks - a.checks || (a.name < b.name ? -1 : 1));
}
