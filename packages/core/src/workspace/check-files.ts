import { type Baseline, openBaseline } from "../baseline/baseline.ts";
import type { ProjectInputs } from "../formats/project.ts";
import { hostedVms } from "../lint/hosted-vms.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Files, folderOf } from "../model/files.ts";
import { getOrInsert } from "../model/maps.ts";
import type { NotChecked } from "../report/json-report.ts";
import { type FileResult, summarize } from "../report/result.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { isOutOfMemory, NO_MEMORY } from "../syntax/extent.ts";
import { baselineOf, type FoundConfig } from "./configs.ts";
import type { FixedPart, Fixer } from "./fix-run.ts";
import { openFindings, reviewRun } from "./review.ts";
import type { Runs } from "./runs.ts";
import type { SelectedText } from "./select-files.ts";

/** The files of a check, with its options. `runs` has begun a run. */
export interface CheckInputs {
  readonly runs: Runs;
  readonly selected: readonly SelectedText[];
  readonly files: Files;
  readonly rules: readonly Rule[] | undefined;
  readonly inputs: ProjectInputs;
  /** As 2026-12-31. */
  readonly today: string;
  /** Whether the run checks all files of a configuration. */
  readonly isWhole: (found: FoundConfig) => boolean;
  /** Fixes the files first. The result then has only the fixes. */
  readonly fixing?: Fixing | undefined;
}

/** Which fixes are made. */
export interface Fixing extends Pick<Fixer, "unsafe" | "isSelected"> {
  /** Whether the fixes of a finding may be applied. */
  readonly mayFix: (path: string, diagnostic: Diagnostic) => boolean;
}

/** The results of some files. */
export interface CheckedFiles {
  readonly results: readonly FileResult[];
  readonly vms: readonly { readonly path: string; readonly vm: LintedVm }[];
  /**
   * Named files without a VM, resources that create none, and configurations with an error, with the reason; "." if a run has 0 VMs.
   */
  readonly notChecked: readonly NotChecked[];
  /** Assumptions about hosts of an inventory, and its missing hosts. */
  readonly notes: readonly string[];
  /** The fixes of files that were fixed together. */
  readonly fixed: readonly FixedPart[];
}

/** Checks files with configurations, rules, cross-VM rules, suppressions and baselines. */
export async function checkFiles(against: CheckInputs): Promise<CheckedFiles> {
  const { runs, selected, files, rules, today } = against;
  const notChecked: NotChecked[] = [];
  const run = await runs.open(
    {
      ...{ selected, rules, inputs: { ...against.inputs, topOf } },
      files: () => files,
      folders: selected.map(({ path }) => folderOf(path)),
      listing: selected.filter(({ entry }) => entry?.listsHosts),
      textsOf: (listing) => listing,
    },
    () => ({
      read: ({ text }) => ({ text }),
      passOver: ({ path, isNamed }, reason) => {
        if (isNamed) notChecked.push({ path, reason });
        return false;
      },
      projectFiles: () => files,
      ...(!against.fixing && { keeping: { version: (path) => files.read(path), noted: () => undefined, around: [] } }),
      failed(path, error) {
        if (!isOutOfMemory(error)) throw error;
        notChecked.push({ path, reason: NO_MEMORY });
      },
    }),
  );
  for (const { path, name, reason } of run.projects.flatMap(({ withoutVm = [] }) => withoutVm))
    notChecked.push({ path, reason: `${name} ${reason}`, makesNoVm: true });
  notChecked.push(...run.configs.flatMap(mistakesOf));
  const baselineAt = baselinesIn(files);
  const knownIn = (path: string): Baseline | undefined => {
    const found = run.configIn(folderOf(path));
    return found && baselineAt(baselineOf(found));
  };
  const { fixer, fixed } = fixerOf(against, knownIn);
  const linted = [...run.check(fixer)];
  const place = hostedVms();
  const checked = linted.map((file) => summarize(file, place, run.describes));
  const isEmpty = linted.every(({ vms, diagnostics }) => vms.length + diagnostics.length === 0);
  // A result without a finding must not look clean if there was nothing to check.
  if (isEmpty && notChecked.every(({ makesNoVm }) => makesNoVm)) notChecked.push({ path: ".", reason: "no file holds a VM" });
  return {
    results: fixer
      ? []
      : reviewRun(run, checked, { today, isWhole: against.isWhole, baselineOf: knownIn, hosts: run.inventory?.listed }).results,
    vms: linted.flatMap(({ path, vms }) => vms.map((vm) => ({ path, vm }))),
    notChecked,
    notes: run.inventory?.notes() ?? [],
    fixed,
  };
}

/** Returns the errors of a configuration. */
export const mistakesOf = ({ path = "", mistakes }: FoundConfig): readonly NotChecked[] =>
  mistakes ? [{ path, reason: mistakes.join(" ").replace(/\.$/, "") }] : [];

/** Returns a fixer that keeps the new texts in `fixed`; missing if no fixes are wanted. */
function fixerOf(
  { fixing, today }: Pick<CheckInputs, "fixing" | "today">,
  knownIn: (path: string) => Baseline | undefined,
): { readonly fixer: Fixer | undefined; readonly fixed: readonly FixedPart[] } {
  const fixed: FixedPart[] = [];
  const fixer = fixing && {
    ...fixing,
    openFindings: (path: string, own: FileSuppressions, diagnostics: readonly Diagnostic[]) => {
      const open = openFindings({ path, diagnostics, suppressions: own, baseline: knownIn(path), today });
      return open.map((one) => (fixing.mayFix(path, one) ? one : { ...one, fixes: [] }));
    },
    keep: (part: FixedPart) => {
      fixed.push(part);
      return { texts: part.texts, failed: new Set<string>() };
    },
  };
  return { fixer, fixed };
}

/** Returns a function that reads baselines by path, each once. */
function baselinesIn(files: Files): (path: string) => Baseline | undefined {
  const read = (path: string): Baseline | undefined => {
    const text = files.read(path);
    return text === undefined ? undefined : openBaseline(text, path);
  };
  const known = new Map<string, { readonly baseline: Baseline | undefined }>();
  return (path) => getOrInsert(known, path, () => ({ baseline: read(path) })).baseline;
}

/** All texts are one repository: relative paths have a common folder. */
const topOf = (folder: string): string | undefined => (folder.startsWith("/") ? undefined : ".");
