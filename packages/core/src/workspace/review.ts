import { applyBaseline, type Baseline, type BaselineEntry, hideBaselineFindings, leftOf, updatedBaseline } from "../baseline/baseline.ts";
import { checkAcrossVms, type TimeLimit } from "../lint/check-across-vms.ts";
import { joinConsequencesIn } from "../lint/join-consequences.ts";
import type { LintResult } from "../lint/lint.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ListedHost } from "../model/inventory-host.ts";
import { addTo } from "../model/maps.ts";
import { type FileResult, summarize } from "../report/result.ts";
import { type FileSuppressions, hideSuppressed, type SuppressOptions, suppress } from "../suppress/suppress.ts";
import type { FoundConfig } from "./configs.ts";
import type { Run } from "./run.ts";
import { type SilencedFile, suppressionsOf } from "./suppressions.ts";

/** The options of a review. `rules` are all rules of the run. */
interface ReviewOptions<B extends Baseline> extends SuppressOptions {
  /** Whether the run skips cross-VM rules, because it checks only a part of the files. */
  readonly vmsAlone?: boolean;
  /** Returns the baseline of a file; missing if the run has none. */
  readonly baselineOf?: ((path: string) => B | undefined) | undefined;
  /** The baselines of the run; they count even without a file, because all their findings may be gone. */
  readonly baselines?: Iterable<B>;
  /** Whether the baselines take over all findings. */
  readonly updates?: boolean;
  /** Whether a rule ran on a file of a baseline, given all of its files. By default no entry is reported as stale. */
  readonly ran?: (baseline: B, files: readonly FileResult[]) => (path: string, rule: string) => boolean;
  /** Limits each cross-VM rule; by default, there is no limit. */
  readonly inTime?: TimeLimit;
  /** The hosts of the inventory. */
  readonly hosts?: readonly ListedHost[] | undefined;
}

/** A baseline after a review. */
export interface ReviewedBaseline<B extends Baseline> {
  readonly baseline: B;
  /** Its entries, with all findings if the review updates it. */
  readonly entries: readonly BaselineEntry[];
  /** Entries whose rule ran and did not report them. */
  readonly stale: readonly BaselineEntry[];
}

interface ReviewedFiles<B extends Baseline> {
  readonly results: readonly FileResult[];
  readonly baselines: readonly ReviewedBaseline<B>[];
}

/**
 * Completes the results of files that were checked one by one: adds the findings of cross-VM rules, and removes findings that
 * comments, configurations and baselines hide. The library, the command and editors all call it.
 */
export function reviewFiles<B extends Baseline>(checked: readonly FileResult[], options: ReviewOptions<B>): ReviewedFiles<B> {
  const { results, baselines } = openFiles(checked, options);
  return { results: joinConsequencesIn(results, options.rules), baselines };
}

/** The options of a review that a run does not have. */
type ReviewOfRun<B extends Baseline> = Omit<ReviewOptions<B>, "suppressions" | "configs" | "isWhole" | "rules"> & {
  /** Whether the run checks all files of a configuration. */
  readonly isWhole: (found: FoundConfig) => boolean;
};

/** Completes the results of all files of a run. */
export function reviewRun<B extends Baseline>(
  { suppressions, rules, configs }: Pick<Run, "suppressions" | "rules" | "configs">,
  checked: readonly FileResult[],
  { isWhole, ...options }: ReviewOfRun<B>,
): ReviewedFiles<B> {
  const declaring = new Map(configs.flatMap((found) => (found.config.suppress ? [[found.config, found]] : [])));
  return reviewFiles(checked, {
    ...options,
    ...{ suppressions, rules, configs: [...declaring.keys()] },
    isWhole: (config) => {
      const found = declaring.get(config);
      return found !== undefined && isWhole(found);
    },
  });
}

/** Adds the findings of cross-VM rules, and removes hidden ones. */
function openFiles<B extends Baseline>(checked: readonly FileResult[], options: ReviewOptions<B>): ReviewedFiles<B> {
  const { inTime, hosts } = options;
  const shown = suppress(
    options.vmsAlone ? checked : checkAcrossVms(checked, options.rules, { inTime, hosts, fileOf: listOfHosts }),
    options,
  );
  const { baselineOf } = options;
  if (!baselineOf) return { results: shown, baselines: [] };
  const byBaseline = new Map<B, FileResult[]>(Array.from(options.baselines ?? [], (baseline) => [baseline, []]));
  const others: FileResult[] = [];
  for (const file of shown) {
    const baseline = baselineOf(file.path);
    if (baseline) addTo(byBaseline, baseline, file);
    else others.push(file);
  }
  const parts = [...byBaseline].map(([baseline, files]) => ({ baseline, ...withoutKnown(baseline, files, options) }));
  const results = [...others, ...parts.flatMap(({ files }) => files)].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { results, baselines: parts.map(({ baseline, entries, stale }) => ({ baseline, entries, stale })) };
}

const listOfHosts = (path: string): FileResult => ({
  path,
  text: "",
  diagnostics: [],
  skipped: [],
  hostedVms: [],
  vmCount: 0,
  isContext: true,
});

function withoutKnown<B extends Baseline>(baseline: B, files: readonly FileResult[], { updates, ran }: ReviewOptions<B>) {
  const pathOf = ({ path }: FileResult): string => baseline.nameOf(path);
  const options = { entries: baseline.entries, pathOf, ran: ran?.(baseline, files) ?? (() => false) };
  const entries = updates ? updatedBaseline(files, options) : baseline.entries;
  const { files: left, stale } = applyBaseline(files, { ...options, entries });
  return { files: left, entries, stale: updates ? [] : stale };
}

/** A text that was checked by itself. */
interface ReviewedText extends Omit<SilencedFile, "vms"> {
  readonly result: LintResult;
}

/** Completes the result of a text that was checked by itself. */
export function reviewText(
  { result, ...file }: ReviewedText,
  options: Omit<ReviewOptions<Baseline>, "suppressions" | "configs" | "isWhole">,
) {
  const { skipped, foreign, vms } = result;
  // A text without VM definition has no comments for vmlint.
  if (foreign !== undefined) return { diagnostics: [], skipped, suppressed: [] };
  const own = suppressionsOf({ ...file, vms });
  const suppressions = new Map(own.comments.length + own.configEntries.length > 0 ? [[file.path, own]] : []);
  const checked = summarize({ path: file.path, text: file.text, ...result });
  const [left = checked] = reviewFiles([checked], { ...options, suppressions, configs: [], isWhole: () => false }).results;
  return { diagnostics: left.diagnostics, skipped: left.skipped, suppressed: left.suppressed ?? [] };
}

interface ReviewedFile {
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressions: FileSuppressions;
  readonly baseline: Baseline | undefined;
  readonly today: string;
}

/** Returns the findings of one file that nothing hides, without findings about the suppressions themselves. */
export function openFindings({ path, diagnostics, suppressions, baseline, today }: ReviewedFile): readonly Diagnostic[] {
  const shown = hideSuppressed(diagnostics, suppressions, today).diagnostics;
  if (!baseline) return shown;
  const name = baseline.nameOf(path);
  const left = leftOf(baseline.entries.filter((entry) => entry.path === name));
  return hideBaselineFindings(name, suppressions.text, shown, left).diagnostics;
}
