import type { Config } from "../config/config.ts";
import { searchedFormatsOf } from "../formats/index.ts";
import type { VariableOption } from "../formats/project.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic, Skip, Suppressed } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import { type Files, folderOf, normalPath } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { LineIndex, type TextEdit } from "../model/source.ts";
import type { Workload } from "../model/workload.ts";
import { deriveTopology, type TopologyResult } from "../platforms/esxi/derive.ts";
import type { NotChecked } from "../report/json-report.ts";
import type { FileResult } from "../report/result.ts";
import type { Rule } from "../rules/define.ts";
import {
  type Check,
  config,
  day,
  environment,
  flag,
  host,
  listOf,
  NO_DAY,
  path,
  record,
  refuse,
  rules,
  shape,
  text,
  variables,
  workload,
  workloadGiven,
} from "./arguments.ts";
import { type CheckedFiles, checkFiles, type Fixing, mistakesOf } from "./check-files.ts";
import { type FoundConfig, foundConfig } from "./configs.ts";
import { type Contents, type GivenFiles, givenFiles, type Readers } from "./given-files.ts";
import { withDescribed, withDump } from "./library-target.ts";
import { openRuns } from "./runs.ts";
import { type SelectedText, selectFiles } from "./select-files.ts";

/**
 * Options of `openWorkspace`.
 *
 * @example
 * const options: WorkspaceOptions = { files: { "a.vmx": text }, today: "2026-12-31" };
 */
export interface WorkspaceOptions {
  /**
   * Texts, or bytes (Uint8Array), by path, or functions that read them. Results have normal paths: forward slashes, and no `./` before
   * them.
   */
  readonly files: Contents | Readers;
  /** A configuration, or the text of a `vmlint.yaml`, for every file; by default the nearest one above each file. */
  readonly config?: Config | string | undefined;
  /** Environment variables; each format reads its own prefix (`TF_VAR_`, `PKR_VAR_`). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Values, and files with values, in command-line order. */
  readonly variables?: readonly VariableOption[];
  /** The folder of the configuration behind a plan or state, if it differs. */
  readonly source?: string | undefined;
  /** The day, as 2026-12-31, for expired suppressions; if missing, none expires. */
  readonly today?: string;
  /**
   * A host, its name, its short form (`2x20x2:768@8.0`), its processors (`2x Xeon Gold 6148:768@8.0`), a description of hwloc, or the text
   * of a dump; overrides configurations. `null`: no VM has a host.
   */
  readonly host?: HostModel | string | null | undefined;
  /** The workload of VMs without a declared one: its facts, or one line such as "mssql, edition=standard". */
  readonly workload?: Workload | string | undefined;
  /** Whether all VMs with the same host run on one machine. */
  readonly together?: boolean;
  /** All rules of the run; built-in rules by default. */
  readonly rules?: readonly Rule[] | undefined;
}

/**
 * A finding with its place in the workspace.
 *
 * @example
 * const word = ({ path, line, message }: PlacedFinding) => `${path}:${line}: ${message}`;
 */
export interface PlacedFinding extends Diagnostic {
  readonly path: string;
  /** Position of the first character, counted from 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * A VM with its file.
 *
 * @example
 * const names = (vms: readonly WorkspaceVm[]) => vms.map(({ spec }) => spec.name);
 */
export interface WorkspaceVm extends LintedVm {
  /** The file that declares it. */
  readonly path: string;
}

/**
 * The result of `check`.
 *
 * @example
 * const { findings, skipped }: CheckedWorkspace = await workspace.check(["vms"]);
 */
export interface CheckedWorkspace {
  /** By path, then by place. */
  readonly findings: readonly PlacedFinding[];
  readonly vms: readonly WorkspaceVm[];
  readonly skipped: readonly (Skip & { readonly path: string })[];
  /** Findings that comments, configurations and baselines hide. */
  readonly suppressed: readonly (Suppressed & { readonly path: string })[];
  /** The same by file, for reporters. */
  readonly results: readonly FileResult[];
  /**
   * Named files without a VM, resources that create none, configurations with an error and their files, and folders such as node_modules, with the reason;
   * "." if a run has 0 VMs.
   */
  readonly notChecked: CheckedFiles["notChecked"];
  /** Assumptions about hosts of an inventory, and its missing hosts. */
  readonly notes: CheckedFiles["notes"];
}

/**
 * The result of `fix`.
 *
 * @example
 * const { texts, refused }: FixedWorkspace = await workspace.fix(findings);
 */
export interface FixedWorkspace {
  /** One edit of each file that changes. */
  readonly edits: ReadonlyMap<string, TextEdit>;
  /** The new text of each of those files. */
  readonly texts: ReadonlyMap<string, string>;
  readonly fixed: readonly Diagnostic[];
  /** Findings whose fixes would all cause another finding, or prevent a rule from running. */
  readonly refused: readonly Diagnostic[];
}

export interface FixRequest {
  readonly unsafe?: boolean;
  readonly paths?: readonly string[];
}

/**
 * The topology of a VM; `undefined` without a host.
 *
 * @example
 * for (const { path, result } of await workspace.topology()) if (result?.ok) console.log(path, result.topology.sockets);
 */
export interface WorkspaceLayout extends WorkspaceVm {
  readonly result: TopologyResult | undefined;
}

/**
 * The files of a program.
 *
 * @example
 * const check = async (workspace: Workspace) => (await workspace.check()).findings.length;
 */
export interface Workspace {
  /** Checks files and folders; all files when none are named. */
  readonly check: (paths?: readonly string[]) => Promise<CheckedWorkspace>;
  /**
   * Fixes findings of `check`; `unsafe` also applies fixes that change how a VM runs. Proves each fix by checking `paths` again, the paths
   * of `check`.
   */
  readonly fix: (findings: readonly PlacedFinding[], options?: FixRequest) => Promise<FixedWorkspace>;
  readonly topology: (paths?: readonly string[]) => Promise<readonly WorkspaceLayout[]>;
  /** Call it when files or folders changed, came or went, and before the next check. Without paths: when anything may have changed. */
  readonly changed: (paths?: readonly string[]) => void;
}

const OPTIONS = shape(
  { files: record, config, environment, variables, source: path, today: day, host, workload, together: flag, rules } satisfies Readonly<
    Record<keyof WorkspaceOptions, Check>
  >,
  ["files"],
);

const FIX_OPTIONS = shape({ unsafe: flag, paths: listOf(path) } satisfies Readonly<Record<keyof FixRequest, Check>>);

const findingsToFix = listOf((value, at) => {
  record(value, at);
  const { path, ruleId } = value as Partial<PlacedFinding>;
  text(path, `${at}.path`);
  text(ruleId, `${at}.ruleId`);
});

/**
 * Opens files to be checked as the command checks them: formats, configurations, suppressions, baselines, rules over several VMs.
 *
 * @example
 * const workspace = openWorkspace({ files: { "a.vmx": 'numvcpus = "6"\ncpuid.coresPerSocket = "4"' }, host: "2x20x2:768@8.0" });
 * const { findings } = await workspace.check();
 * const { texts } = await workspace.fix(findings, { unsafe: true });
 */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  OPTIONS(options, "openWorkspace");
  const { environment = {}, today = NO_DAY, together = false, rules } = options;
  const host = withDescribed(options.host);
  const files = givenFiles(options.files, "openWorkspace: files");
  const workload = workloadGiven(options.workload, "openWorkspace: workload");
  const known = (path: string): string => files.known(normalPath(path));
  const source = options.source === undefined ? undefined : known(options.source);
  const variables = (options.variables ?? []).map((one) => (one.kind === "file" ? { ...one, path: known(one.path) } : one));
  const { runs, only } = runsOver(files, options.config);
  /** Checks some files; a changed file needs a configuration without an error. */
  const checkPaths = (paths: readonly string[], { fixing, left }: Checking): Promise<CheckedFiles> =>
    runs.inTurn(async () => {
      const hasBaseline = (path: string): boolean => files.read(path) !== undefined;
      const against = { host: await withDump(host), otherwise: workload, together };
      runs.begin({ only, tolerates: !fixing, against, hasBaseline });
      const selected = await selectFiles(paths, { files, configOf: runs.configOf, passOver: left?.passOver });
      if (selected.length === 0) left?.refuse();
      return checkFiles({
        ...{ runs, selected, files, rules, today },
        inputs: { environment, options: variables, source },
        isWhole: ({ folder }) => paths.some((path) => isBelow(folder, path)),
        fixing: fixing?.(selected),
      });
    });
  /** Returns the named paths as the files have them; all files if none are named. */
  const opened = async (paths: readonly string[] | undefined, at: string): Promise<readonly string[]> => {
    if (paths !== undefined) listOf(path)(paths, `${at}: paths`);
    await files.prepare();
    for (const one of variables)
      if (one.kind === "file" && files.read(one.path) === undefined)
        refuse(`The file with values ${one.path} does not exist.`, "FILE_UNREADABLE");
    return paths?.map(known) ?? files.all;
  };
  const checkWith = async (named: readonly string[] | undefined, at: string): Promise<CheckedFiles> => {
    const paths = await opened(named, at);
    const left = openLeftOut(files);
    const found = await checkPaths(paths, { left });
    const notChecked = paths.length === 0 ? [{ path: ".", reason: "the list of paths is empty" }] : left.reasons(found.notChecked);
    return { ...found, notChecked: [...notChecked, ...unseen(paths, [...found.results, ...notChecked], files)] };
  };

  const check: Workspace["check"] = async (paths) => checkedWorkspace(await checkWith(paths, "check"));
  const fix: Workspace["fix"] = async (findings, request = {}) => {
    findingsToFix(findings, "fix: findings");
    FIX_OPTIONS(request, "fix");
    const { unsafe = false } = request;
    const paths = await opened(request.paths, "fix");
    const wanted = new Set(findings.map((one) => keyOf(one.path, one)));
    const fixing = (selected: readonly SelectedText[]): Fixing => {
      const folders = new Set(selected.map(({ path }) => folderOf(path)));
      return {
        unsafe,
        mayFix: (path, diagnostic) => wanted.has(keyOf(path, diagnostic)),
        isSelected: (path) => folders.has(folderOf(path)) || paths.some((named) => isBelow(path, named)),
      };
    };
    const { fixed } = await checkPaths(paths, { fixing });
    const edits = fixed.flatMap(({ before, texts }) =>
      [...texts].map(([path, text]) => [path, editBetween(before.get(path) ?? "", text)] as const),
    );
    return {
      edits: new Map(edits),
      texts: new Map(fixed.flatMap(({ texts }) => [...texts])),
      fixed: fixed.flatMap(({ applied }) => applied.map(({ diagnostic }) => diagnostic)),
      refused: fixed.flatMap(({ rejected }) => rejected.map(({ diagnostic }) => diagnostic)),
    };
  };

  const topology: Workspace["topology"] = async (paths) => {
    const { vms } = await checkWith(paths, "topology");
    return vms.map(({ path, vm }) => {
      const { spec, target } = vm;
      return { ...vm, path, result: target.host && deriveTopology(spec, target.host, target.workload) };
    });
  };

  const changed: Workspace["changed"] = (paths = ["."]) => runs.changed((path) => paths.some((one) => isBelow(path, one)));
  return { check, fix, topology, changed };
}

interface Checking {
  /** Fixes the selected files. */
  readonly fixing?: (selected: readonly SelectedText[]) => Fixing;
  readonly left?: ReturnType<typeof openLeftOut>;
}

/** Collects what a selection of files leaves out. */
function openLeftOut(files: GivenFiles) {
  const left: NotChecked[] = [];
  const unusable = new Map<string, FoundConfig>();
  return {
    passOver(path: string, own?: FoundConfig): void {
      if (own?.path !== undefined) {
        unusable.set(own.path, own);
        left.push({ path, reason: `nothing in ${own.path} applies` });
      } else if (files.given.some((one) => isBelow(one, path) && searchedFormatsOf(one).length > 0))
        left.push({ path, reason: "a folder with this name is only entered if you name it" });
    },
    /** Throws the errors of an unusable configuration; for a check without files. */
    refuse(): void {
      for (const { mistakes = [] } of unusable.values()) throw new VmlintError("CONFIG_INVALID", mistakes.join("\n"));
    },
    /** Returns why files are not checked, besides the reasons of a run. */
    reasons: (ofRun: readonly NotChecked[]): readonly NotChecked[] => [...ofRun, ...[...unusable.values()].flatMap(mistakesOf), ...left],
  };
}

const checkedWorkspace = ({ results, vms, notChecked, notes }: CheckedFiles): CheckedWorkspace => ({
  findings: results.flatMap(({ path, text, diagnostics }) => placed(path, text, diagnostics)),
  vms: vms.map(({ path, vm }) => ({ ...vm, path })),
  skipped: results.flatMap(({ path, skipped }) => skipped.map((skip) => ({ ...skip, path }))),
  suppressed: results.flatMap(({ path, suppressed = [] }) => suppressed.map((one) => ({ ...one, path }))),
  results,
  notChecked,
  notes,
});

/** Returns a workspace over files, and the configuration that a program hands in for all of them. */
function runsOver(files: Files, given: Config | string | undefined) {
  const read = typeof given === "string" ? (path: string) => (path === GIVEN ? given : files.read(path)) : files.read;
  const only = typeof given === "object" ? foundConfig(given, ".") : given === undefined ? undefined : GIVEN;
  return { runs: openRuns({ read }), only };
}

/** The path of the text of a configuration that a program hands in. */
const GIVEN = "vmlint.yaml";

const isBelow = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Returns the named paths that no result and no reason is about, with a reason. */
function unseen(paths: readonly string[], seen: readonly { readonly path: string }[], files: Files): readonly NotChecked[] {
  return [...new Set(paths)].flatMap((path) => {
    if (seen.some((one) => isBelow(one.path, path))) return [];
    const isThere = files.read(path) !== undefined || files.list(path).length > 0;
    return { path, reason: isThere ? "there is no VM in it" : "there is no file or folder with this path" };
  });
}

/** Returns a key for a finding that does not depend on its place. */
const keyOf = (path: string, { ruleId, vm }: Diagnostic): string => [path, ruleId, vm].join("\n");

function placed(path: string, text: string, diagnostics: readonly Diagnostic[]): readonly PlacedFinding[] {
  const lines = new LineIndex(text);
  return diagnostics.map((one) => {
    const { line, column } = lines.at(one.range[0]);
    return { ...one, path, line: line + 1, column: column + 1 };
  });
}

/** Returns a single edit that turns one text into another. */
function editBetween(before: string, after: string): TextEdit {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { range: [start, before.length - end], newText: after.slice(start, after.length - end) };
}
