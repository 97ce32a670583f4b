import { type Baseline, openBaseline } from "../baseline/baseline.ts";
import { requireHost } from "../config/config.ts";
import type { ProjectInputs } from "../formats/project.ts";
import { hostedVms } from "../lint/hosted-vms.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Files, folderOf } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Workload } from "../model/workload.ts";
import type { NotChecked } from "../report/json-report.ts";
import { type FileResult, summarize } from "../report/result.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { isOutOfMemory, NO_MEMORY } from "../syntax/extent.ts";
import { baselineOf, type FoundConfig } from "./configs.ts";
import type { FixedPart, Fixer } from "./fix-run.ts";
import { openFolders } from "./folders.ts";
import { openFindings, reviewFiles } from "./review.ts";
import { inventoryIn, openRun } from "./run.ts";
import type { RunAnswers } from "./run-answers.ts";
import type { SelectedText } from "./select-files.ts";

/** The options for all files of a workspace, besides their configurations. */
export interface CheckInputs {
  /** `null`: no host, despite configurations. */
  readonly host: HostModel | string | null | undefined;
  readonly workload: Workload | undefined;
  readonly sharesHost: boolean;
  readonly rules: readonly Rule[] | undefined;
  readonly inputs: ProjectInputs;
  /** As 2026-12-31. */
  readonly today: string;
  readonly configOf: (folder: string) => Promise<FoundConfig>;
  /** Whether the run checks all files of a configuration. */
  readonly isWhole: (found: FoundConfig) => boolean;
  /** The answers of earlier checks. */
  readonly answers: RunAnswers;
  /** Fixes the files first. The result then has only the fixes. */
  readonly fixing?: Fixing | undefined;
}

/** Which fixes are made. */
interface Fixing extends Pick<Fixer, "unsafe" | "isSelected"> {
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
export const checkFiles = (selected: readonly SelectedText[], files: Files, against: CheckInputs): Promise<CheckedFiles> =>
  against.answers.inTurn(() => checkNow(selected, files, against));

async function checkNow(selected: readonly SelectedText[], files: Files, against: CheckInputs): Promise<CheckedFiles> {
  const { host, workload, sharesHost, rules, today, configOf } = against;
  const baselineAt = baselinesIn(files);
  const folders = openFolders({
    configOf,
    hostOf: (config) => (typeof host === "string" ? requireHost(host, config) : host),
    hasBaseline: (found) => files.read(baselineOf(found)) !== undefined,
    otherwise: workload,
    together: sharesHost,
  });
  for (const { path } of selected) await folders.find(folderOf(path));
  // Errors in a configuration are reported with its folder.
  for (const { found } of [...folders.byPath.values()]) await folders.find(found.folder);
  const configs = () => [...new Set(Array.from(folders.byPath.values(), ({ found }) => found))];
  const notChecked: NotChecked[] = [];
  const listing = selected.filter(({ entry }) => entry?.listsHosts);
  const inventory = await inventoryIn(listing, files);
  const describes = new Set(selected.map(({ entry }) => entry)).size > 1;
  const inputs = { ...against.inputs, topOf };
  const run = await openRun(
    { selected, folders, inventory, rules, files, inputs },
    {
      read: ({ text }) => ({ text }),
      passOver: ({ path, isNamed }, reason) => {
        if (isNamed) notChecked.push({ path, reason });
        return false;
      },
      projectFiles: () => files,
      ...(!against.fixing && {
        keeping: { answers: against.answers, version: (path) => files.read(path), noted: () => undefined, around: [] },
      }),
      failed(path, error) {
        if (!isOutOfMemory(error)) throw error;
        notChecked.push({ path, reason: NO_MEMORY });
      },
    },
  );
  for (const { path, name, reason } of run.projects.flatMap(({ withoutVm = [] }) => withoutVm))
    notChecked.push({ path, reason: `${name} ${reason}`, makesNoVm: true });
  notChecked.push(...configs().flatMap(mistakesOf));
  const place = hostedVms();
  const declaring = configs().filter(({ config }) => config.suppress);
  const knownIn = (path: string): Baseline | undefined => {
    const found = folders.byPath.get(folderOf(path))?.found;
    return found && baselineAt(baselineOf(found));
  };
  const { fixer, fixed } = fixerOf(against, knownIn);
  const linted = [...run.check(fixer)];
  const checked = linted.map((file) => summarize(file, place, describes));
  const review = (): readonly FileResult[] =>
    reviewFiles(checked, {
      today,
      suppressions: run.suppressions,
      rules,
      configs: declaring.map(({ config }) => config),
      isWhole: (config) => declaring.some((one) => one.config === config && against.isWhole(one)),
      baselineOf: knownIn,
      hosts: inventory?.listed,
    }).results;
  const isEmpty = linted.every(({ vms, diagnostics }) => vms.length + diagnostics.length === 0);
  // A result without a finding must not look clean if there was nothing to check.
  if (isEmpty && notChecked.every(({ makesNoVm }) => makesNoVm)) notChecked.push({ path: ".", reason: "no file holds a VM" });
  return {
    results: fixer ? [] : review(),
    vms: linted.flatMap(({ path, vms }) => vms.map((vm) => ({ path, vm }))),
    notChecked,
    notes: inventory?.notes() ?? [],
    fixed,
  };
}

const mistakesOf = ({ path = "", mistakes }: FoundConfig): readonly NotChecked[] =>
  mistakes ? [{ path, reason: mistakes.join(" ").replace(/\.$/, "") }] : [];

/** Returns a fixer that keeps the new texts in `fixed`; missing if no fixes are wanted. */
function fixerOf(
  { fixing, today }: CheckInputs,
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
