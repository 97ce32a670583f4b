import { type Baseline, openBaseline } from "../baseline/baseline.ts";
import { requireHost, targetOf, withWorkload } from "../config/config.ts";
import type { Format, FormatEntry } from "../formats/format.ts";
import { defaultFormat } from "../formats/index.ts";
import type { ProjectInputs } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { hostedVms, sameHost } from "../lint/hosted-vms.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Files, folderOf, joinPath } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Workload } from "../model/workload.ts";
import type { NotChecked } from "../report/json-report.ts";
import { type FileResult, summarize } from "../report/result.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { isOutOfMemory, NO_MEMORY } from "../syntax/extent.ts";
import { configuredInputs, type FolderTarget, inventoryReader } from "./check-file.ts";
import { openRun, openSound } from "./check-run.ts";
import { baselineOf, type FoundConfig } from "./configs.ts";
import type { FixedPart, Fixer } from "./fix-run.ts";
import { openFindings, reviewFiles } from "./review.ts";
import { byFormat, type SelectedFile } from "./select-files.ts";

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
export async function checkFiles(selected: readonly SelectedFile[], files: Files, against: CheckInputs): Promise<CheckedFiles> {
  const { rules, inputs: given, today } = against;
  const { configs, findConfig, configAt } = await configsAround(selected, against);
  const againstOf = finderOf(against);
  const againstAt = (path: string): FolderTarget => againstOf(configAt(path));

  const { single, joint } = byFormat(selected);
  const notChecked: NotChecked[] = [];
  const suppressions = new Map<string, FileSuppressions>();
  const inventory = await inventoryIn(single, files);
  const formats = await formatsOf(selected);
  // An unchecked folder has no configuration here.
  const configured = configuredInputs((folder) => configs.get(folder));
  const failed = (path: string, error: unknown): void => {
    if (!isOutOfMemory(error)) throw error;
    notChecked.push({ path, reason: NO_MEMORY });
  };
  const run = await openRun({
    files,
    rules,
    findFolder: (folder) => findConfig(joinPath(folder, "any")),
    againstAt,
    inventory,
    hides: (path) => configAt(path).config.suppress !== undefined || files.read(baselineOf(configAt(path))) !== undefined,
    suppressions,
    *singles(check) {
      for (const { path, text, entry, isNamed } of single) {
        const passOver = (reason: string): boolean => {
          if (isNamed) notChecked.push({ path, reason });
          return false;
        };
        const file = check({ path, name: path, format: formats.get(entry), read: () => ({ text }), passOver });
        if (file) yield file;
      }
    },
    projects: Array.from(joint, ([entry, some]) => {
      const inputs = { ...given, ...configured, topOf };
      return { entry, format: formats.get(entry) ?? defaultFormat, paths: some.map(({ path }) => path), files, inputs };
    }),
    async openProject({ paths: all, entry: { separate } }, open) {
      const opened = await openSound({ paths: all, separate }, { open: (paths) => open({ paths }), failed });
      if (!opened) return undefined;
      const { project, check } = opened;
      for (const { path, name, reason } of project.withoutVm ?? []) notChecked.push({ path, reason: `${name} ${reason}`, makesNoVm: true });
      return check;
    },
  });
  notChecked.push(...[...new Set(configs.values())].flatMap(mistakesOf));
  const describes = new Set(selected.map(({ entry }) => entry)).size > 1;
  const place = hostedVms();
  const declaring = [...new Set(configs.values())].filter(({ config }) => config.suppress);
  const baselineAt = baselinesIn(files);
  const knownIn = (path: string): Baseline | undefined => {
    const found = configs.get(folderOf(path)) ?? declaring.find(({ config }) => config.suppress?.path === path);
    return found && baselineAt(baselineOf(found));
  };
  const { fixer, fixed } = fixerOf(against, knownIn);
  const linted = [...run(fixer)];
  const checked = linted.map((file) => summarize(file, place, describes));
  const review = (): readonly FileResult[] =>
    reviewFiles(checked, {
      today,
      suppressions,
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

/** Loads the formats of files. */
async function formatsOf(selected: readonly SelectedFile[]): Promise<ReadonlyMap<FormatEntry | undefined, Format>> {
  const formats = new Map<FormatEntry | undefined, Format>();
  for (const entry of new Set(selected.map((one) => one.entry))) if (entry) formats.set(entry, await entry.load());
  return formats;
}

/** Returns the hosts that files list. */
async function inventoryIn(single: readonly SelectedFile[], files: Files): Promise<Inventory | undefined> {
  const listing = single.filter(({ entry }) => entry?.listsHosts);
  return listing.length > 0 ? (await inventoryReader())(listing, files) : undefined;
}

const mistakesOf = ({ path = "", mistakes }: FoundConfig): readonly NotChecked[] =>
  mistakes ? [{ path, reason: mistakes.join(" ").replace(/\.$/, "") }] : [];

/** Finds the configurations of some files. */
async function configsAround(selected: readonly SelectedFile[], { configOf }: CheckInputs) {
  const configs = new Map<string, FoundConfig>();
  const findConfig = async (path: string): Promise<FoundConfig> => {
    const folder = folderOf(path);
    const found = configs.get(folder) ?? (await configOf(folder));
    configs.set(folder, found);
    return found;
  };
  for (const { path } of selected) await findConfig(path);
  const configAt = (path: string): FoundConfig => {
    const found = configs.get(folderOf(path));
    if (!found) throw new Error(`the configuration of ${path} was not searched`);
    return found;
  };
  return { configs, findConfig, configAt };
}

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

/** Returns a function that finds the target for the files of a configuration. */
function finderOf({ host, workload, sharesHost }: CheckInputs): (found: FoundConfig) => FolderTarget {
  const known = new Map<FoundConfig, FolderTarget>();
  return (found) =>
    getOrInsert(known, found, () => {
      const { config, relative } = found;
      const byConfig = targetOf(config, typeof host === "string" ? requireHost(host, config) : (host ?? undefined));
      return {
        config,
        relative,
        targetOf: (vm, path) => {
          const own = byConfig(vm, path);
          const target = host === null ? { ...own, host: undefined } : own;
          const declared = withWorkload(target, workload);
          return sharesHost && declared.host ? { ...declared, machine: sameHost(declared.host) } : declared;
        },
      };
    });
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
