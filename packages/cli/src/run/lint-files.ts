import { dirname, resolve } from "node:path";
import type { Files, Rule, Workload } from "@vmlint/core";
import {
  type Fixer,
  type FoundConfig,
  type LintedFile,
  type ListedHost,
  once,
  printable,
  type Run,
  type RunHost,
  type VariableOption,
  type WithoutVm,
} from "@vmlint/core/program";
import { isVmlintError, usage } from "../args/command-output.ts";
import { diskFiles, filesWithin, lazyFiles } from "../files/disk.ts";
import { findFiles, type Input, STDIN, type UnlessLost } from "../files/find-files.ts";
import type { Changed } from "../files/git.ts";
import { textsOf } from "../files/input-bytes.ts";
import { fromSlashes, isFile, isThere, reasonOf, shownPath, toSlashes, versionOf } from "../files/read-files.ts";
import { repositoryAround } from "../files/read-named.ts";
import { removeLeftovers } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import type { Plugins } from "../plugins/plugins.ts";
import { type Budget, isFull, runBudget } from "./budget.ts";
import { shownPath as shown, type ThreadResults, withShownPaths } from "./checking.ts";
import { type Chosen, type ChosenFiles, changedOf, chosenOf, formatNamed, mayHoldVms } from "./choose.ts";
import { type DiskWorkspace, openDisk } from "./disk-workspace.ts";
import type { Faults } from "./fault.ts";
import { describedHost } from "./host-finder.ts";
import { singlesOf } from "./lint-inputs.ts";
import { projectsOf, tellUndeclared, topOf, wantedFiles } from "./lint-projects.ts";
import { optimizeLate } from "./optimize.ts";

export interface LintRequest {
  readonly patterns: readonly string[];
  /** Name, short form or dump of a host; wins over every configuration. */
  readonly host?: string | undefined;
  /** Wins over every configuration. */
  readonly workload?: Workload | undefined;
  readonly config?: string | undefined;
  /** Treat all VMs with the same host as VMs of one machine, regardless of the configurations. */
  readonly together?: boolean | undefined;
  /** Name of the one format of every file. */
  readonly format?: string | undefined;
  readonly stdinName?: string | undefined;
  readonly noGitignore?: boolean | undefined;
  readonly forceExclude?: boolean | undefined;
  /** Check only these files. */
  readonly changed?: Changed | undefined;
  /** All rules when not said. */
  readonly rules?: readonly Rule[] | undefined;
  readonly plugins?: Plugins | undefined;
  /** Comments suppress nothing. */
  readonly ignoreComments?: boolean | undefined;
  /** Everything is remembered that a baseline needs. */
  readonly baseline?: boolean | undefined;
  /** For single files, list only VMs that cross-VM rules need. */
  readonly onlyFindings?: boolean | undefined;
  /** Values for the variables of formats that have some, in the order of the command line. */
  readonly variables?: readonly VariableOption[];
  /** The folder that plans and states were made of. */
  readonly source?: string | undefined;
  /** Returns the share of this thread, if several threads check so many files. */
  readonly share?: ((files: number) => Promise<ThreadShare | undefined>) | undefined;
  /** The files, if another thread chose them. */
  readonly chosen?: readonly Chosen[] | undefined;
  /** Troubles that do not end the run. */
  readonly tolerates?: readonly Trouble[] | undefined;
  /** Whether the run changes files. It then removes temporary files that a killed run left. */
  readonly writes?: boolean;
  /** The workspace of the runs before. */
  readonly disk?: DiskWorkspace | undefined;
  /** How much time and memory the run may take. */
  readonly budget?: Budget | undefined;
  /** Whether the run read a file for other files. Reports do not list such a file as unchecked. */
  readonly isContext?: ((path: string) => boolean) | undefined;
}

/** An unreadable file, an error of a configuration, a bug, or the end of the time and memory of the run. */
type Trouble = "lost" | "mistakes" | "faults" | "over";

/** The unchecked parts of a run, with absolute paths. They grow until all files are checked. */
export interface Unchecked {
  /** Unreadable files and folders. */
  readonly lost: ReadonlySet<string>;
  /** The errors of configurations. */
  readonly mistakes: ReadonlyMap<string, readonly string[]>;
  /** Files whose reading or checking failed by a bug, and the error. */
  readonly faults: ReadonlyMap<string, string>;
  /** Files that are not checked because the run has used up its time or memory, and the reason. */
  readonly over: ReadonlyMap<string, string>;
  /** Resources and module calls that create no VM. */
  readonly withoutVm: readonly WithoutVm[];
  /** Named files that hold no VM, and the reason. */
  readonly empty: ReadonlyMap<string, string>;
  /** Named files that the run read for other files, and why they hold no VM. */
  readonly contextReasons: ReadonlyMap<string, string>;
}

/** The part of a run that one of several threads checks. */
export interface ThreadShare {
  readonly results: ThreadResults;
  /** Yields the files for this thread, in the order to check them. */
  readonly filesOf: (request: LintRequest, files: readonly Chosen[]) => Iterable<Chosen>;
}

/** The files of a run, with their configurations. */
export interface LintRun extends Pick<Run, "suppressions" | "hides" | "describes"> {
  /** Lints one file at a time, on demand. */
  readonly files: (fixer?: Fixer) => Iterable<LintedFile>;
  readonly unchecked: Unchecked;
  /** How many files there are at most. */
  readonly count: number;
  /** Files that are read together. A module's VMs belong to the file that calls the module. */
  readonly projectFiles: readonly string[];
  /** Paths of files that list hosts. */
  readonly hostFiles: readonly string[];
  /** The hosts of the inventory, with the paths as reports print them. */
  readonly listedHosts: readonly ListedHost[];
  /** Whether files that this part of a run leaves out may hold VMs. */
  readonly leavesOutVms: () => boolean;
  readonly configs: readonly FoundConfig[];
  /** The configuration of a file, by its path as reports print it. */
  readonly configOf: (shownPath: string) => FoundConfig | undefined;
  /** Whether a file is in a folder that was searched, or in the folder of a named file. */
  readonly isSelected: (path: string) => boolean;
  /** Why a file cannot be fixed: it is standard input, or checked as it is staged. */
  readonly lockOf: (path: string) => "input" | "staged" | undefined;
  /** Whether a file is checked completely, not only through findings of other files in it. */
  readonly asks: (shownPath: string) => boolean;
  /** All rules there are, where plugins bring some. */
  readonly rules: readonly Rule[] | undefined;
}

/** The collections of `Unchecked`; a trouble without one ends the run. */
function openUnchecked({ tolerates = [] }: LintRequest) {
  const tolerated = <T>(trouble: Trouble, kept: T): T | undefined => (tolerates.includes(trouble) ? kept : undefined);
  return {
    lost: tolerated("lost", new Set<string>()),
    mistakes: tolerated<Mistakes>("mistakes", new Map()),
    faults: tolerated("faults", new Map<string, string>()),
    over: tolerated("over", new Map<string, string>()),
    withoutVm: [] as WithoutVm[],
    empty: new Map<string, string>(),
    contextReasons: new Map<string, string>(),
  };
}

type Troubles = ReturnType<typeof openUnchecked>;

/** Begins a run in the workspace of earlier runs, or in a new one. */
function beginRun(request: LintRequest, { mistakes }: Troubles, io: Io): DiskWorkspace {
  const { host, workload, config, plugins, together = false, baseline = false } = request;
  const disk = request.disk ?? openDisk(io.cwd, { config, plugins: plugins?.rules, staged: io.staged });
  disk.noted = io.noted;
  disk.begin({
    tolerates: mistakes !== undefined,
    against: { host, workload, together },
    described: (word) => describedHost(word, io),
    hasBaseline(path) {
      const file = fromSlashes(path);
      io.noted?.(file);
      // An entry that exists but is not a file is rejected when it is read.
      return isThere(file) || isFile(file, io.staged) || baseline;
    },
  });
  return disk;
}

/** Finds the files of a run, and the configurations of their folders. */
async function findInputs(request: LintRequest, disk: DiskWorkspace, { lost, mistakes }: Troubles, io: Io) {
  const { patterns, stdinName, variables = [], noGitignore, forceExclude } = request;
  if (stdinName !== undefined && !patterns.includes(STDIN))
    throw usage('--stdin-filename names the standard input: give "-" as a path too.');
  const faulty = new Set<FoundConfig>();
  const findConfig = async (folder: string): Promise<FoundConfig> => {
    const found = await disk.findConfig(folder);
    if (found.mistakes) faulty.add(found);
    return found;
  };
  const listed = new Map<string, readonly string[]>();
  const unlessLost = losingInto(lost, io);
  const options = {
    unlessLost,
    lost,
    listed,
    patterns: pathsOf(patterns),
    stdinName,
    format: formatNamed(request.format),
    findConfig,
    noGitignore,
    forceExclude,
    staged: io.staged,
    changed: request.changed !== undefined && !request.changed.staged,
  };
  const found = request.chosen ?? (await findFiles(options, io.cwd, (sentence) => io.err(`vmlint: ${printable(sentence)}.\n`)));
  if (request.writes) for (const [folder, names] of listed) removeLeftovers(folder, names);
  const candidates = request.changed ? changedOf(found, request.changed, variables) : found;
  const share = await request.share?.(candidates.length);
  const folders = candidates.length === 0 ? [io.cwd] : [...new Set(candidates.map((input) => input.folder))];
  const configs = new Map<string, FoundConfig>();
  for (const folder of folders) configs.set(folder, await findConfig(folder));
  const isUnusable = ({ folder }: Input): boolean => configs.get(folder)?.isUnusable ?? false;
  // No report replaces a file that is only not checked for now.
  for (const { path } of candidates.filter(isUnusable)) io.noted?.(path);
  for (const one of faulty) tellMistakes(one, mistakes, io);
  return { found, candidates, inputs: candidates.filter((input) => !isUnusable(input)), listed, folders, share, unlessLost };
}

/** The paths of the command line; this folder if there are none. */
const pathsOf = (patterns: readonly string[]): readonly string[] => (patterns.length > 0 ? patterns : ["."]);

/** Finds every file that matches the patterns, with its configuration. */
export async function lintFiles(request: LintRequest, given: Io): Promise<LintRun> {
  const io = request.disk ? seeing(request.disk, given) : given;
  const { plugins, rules = plugins?.allRules, ignoreComments = false, onlyFindings = false, variables = [], source } = request;
  const troubles = openUnchecked(request);
  const { over, empty, withoutVm, contextReasons } = troubles;
  const faults: Faults | undefined = troubles.faults && { bugs: troubles.faults, over: over ?? new Map() };
  const within = withinBudget(over && (request.budget ?? runBudget()), over);
  const disk = beginRun(request, troubles, io);
  const { found, candidates, inputs, listed, folders, share, unlessLost } = await findInputs(request, disk, troubles, io);
  const chosen = request.chosen ? ofChosen(request.chosen) : chosenOf(inputs, { changed: request.changed, faults, unlessLost });
  const { count, alone, others, listing } = chosen;
  await optimizeLate(count);
  const inventoryPaths = once(() => run.inventory?.paths ?? new Set<string>());
  const isContext = (path: string, reason: string): boolean => {
    const isRead = inventoryPaths().has(toSlashes(path)) || (request.isContext?.(path) ?? false);
    if (isRead) contextReasons.set(path, reason);
    return isRead;
  };
  const run: Run = await disk.runs.open<Chosen>(
    {
      selected: [...alone, ...wantedFiles(others, empty, io)],
      folders: folders.map(toSlashes),
      listing,
      textsOf: (some, formats) => textsOf(some, formats, unlessLost),
      files: (configFolders) => filesOfRun(configFolders, inputs, request, io),
      rules,
      inputs: { environment: io.env, options: variables, source, topOf: (folder) => topOf(folder, io) },
      // The thread that chose the files hides findings.
      showsAll: request.chosen !== undefined,
      ignoreComments,
      onlyFindings,
      nameOf: (path) => shown(path, io.cwd),
      show: (file) => withShownPaths(file, io.cwd),
    },
    ({ formats, inventory }) => {
      const shared = { faults, within, empty, isContext };
      // An inventory counts all of its VMs.
      const ordered = (some: readonly Chosen[]) => (share && !inventory ? share.filesOf(request, some) : some);
      return {
        slashes: toSlashes,
        ...singlesOf({ ...shared, results: share?.results, ordered, formats, unlessLost, inventory }, io),
        ...projectsOf({ ...shared, variables, source, listed }, io),
        ...(request.disk && { keeping: keepingOf(request.disk, request, { inputs, listed }, given) }),
      };
    },
  );
  withoutVm.push(...run.projects.flatMap((project) => project.withoutVm ?? []));
  tellUndeclared(variables, run.projects, io);
  for (const one of run.configs) noteMistakes(one, troubles.mistakes);
  const { describes, hides, suppressions } = run;
  return {
    ...{ describes, hides, suppressions },
    files: run.check,
    unchecked: {
      ...troubles,
      lost: troubles.lost ?? new Set(),
      mistakes: troubles.mistakes ?? new Map(),
      faults: faults?.bugs ?? new Map(),
      over: over ?? new Map(),
    },
    count,
    projectFiles: others.flatMap(({ path, entry }) => (entry?.project === "file" ? [] : path)),
    listedHosts: (run.inventory?.listed ?? []).map((one) => ({ ...one, path: shownPath(fromSlashes(one.path), io.cwd) })),
    hostFiles: [...inventoryPaths()].map(fromSlashes),
    leavesOutVms: () => {
      const part = new Set(candidates.map(({ path }) => path));
      return found.some((input) => !part.has(input.path) && mayHoldVms(input));
    },
    configs: run.configs.filter(({ isUnusable }) => !isUnusable),
    configOf: (shownPath) => run.configIn(toSlashes(dirname(resolve(io.cwd, shownPath)))),
    ...selectionOf(inputs, listed, io),
    rules: plugins?.allRules,
  };
}

/** The part of the memory that answers may take: the run needs the rest. */
const MOST_KEPT = 0.4;

const seeing = ({ seen }: DiskWorkspace, io: Io): Io => ({
  ...io,
  noted: (path) => {
    seen.add(path);
    io.noted?.(path);
  },
});

function keepingOf(
  { seen }: DiskWorkspace,
  { variables, source }: LintRequest,
  { inputs, listed }: { readonly inputs: readonly Input[]; readonly listed: ReadonlyMap<string, unknown> },
  io: Io,
): RunHost<Chosen>["keeping"] {
  const selected = new Set(inputs.map(({ path }) => path));
  const tops = new Set(Array.from(new Set(inputs.map(({ folder }) => folder)), repositoryAround));
  return {
    version: (path) => versionOf(fromSlashes(path)),
    noted(path, by) {
      const own = fromSlashes(path);
      // The texts of a project are known from the search.
      const isKnown = by === "project" && (selected.has(own) || listed.has(own));
      if (!isKnown && seen.has(own) && isThere(own)) io.noted?.(own);
    },
    around: [JSON.stringify([...tops, variables, source])],
    hasRoom: () => !isFull(MOST_KEPT),
  };
}

/** A file may refer only to files in the folder of a configuration, this folder or a named folder. */
function filesOfRun(configFolders: readonly string[], inputs: readonly Input[], { patterns }: LintRequest, io: Io): Files {
  return lazyFiles(() => {
    const named = inputs.flatMap((input) => (input.isNamed ? input.folder : []));
    const reached = [io.cwd, ...configFolders.map(fromSlashes), ...pathsOf(patterns).map((pattern) => resolve(io.cwd, pattern)), ...named];
    return filesWithin([...new Set(reached)], diskFiles(undefined, io), io.staged);
  });
}

/** Answers which files are checked and may be changed. */
function selectionOf(
  inputs: readonly Input[],
  listed: ReadonlyMap<string, unknown>,
  io: Io,
): Pick<LintRun, "isSelected" | "lockOf" | "asks"> {
  const selectedFolders = once(() => new Set([...listed.keys(), ...inputs.map(({ folder }) => folder)]));
  const piped = new Set(inputs.flatMap(({ path, bytes, isPartlyStaged }) => (bytes && !isPartlyStaged ? path : [])));
  const namedPaths = once(() => new Set(inputs.map(({ path }) => path)));
  return {
    isSelected: (path) => selectedFolders().has(dirname(fromSlashes(path))),
    lockOf: (path) => (io.staged?.has(fromSlashes(path)) ? "staged" : piped.has(fromSlashes(path)) ? "input" : undefined),
    asks: (shownPath) => namedPaths().has(resolve(io.cwd, shownPath)),
  };
}

const ofChosen = (alone: readonly Chosen[]): ChosenFiles => ({
  count: alone.length,
  alone,
  others: [],
  formats: new Set(alone.map(({ entry }) => entry)),
  listing: [],
});

/** Whether files are within the budget. Files beyond it are added to `over`. */
const withinBudget =
  (budget: Budget | undefined, over: Map<string, string> | undefined) =>
  (...paths: readonly string[]): boolean => {
    const reason = budget?.();
    if (reason !== undefined) for (const path of paths) over?.set(path, reason);
    return reason === undefined;
  };

/** The errors of configurations, each a sentence, by the path of the configuration. */
type Mistakes = Map<string, readonly string[]>;

function noteMistakes({ path, mistakes }: FoundConfig, noted: Mistakes | undefined): void {
  if (path !== undefined && mistakes) noted?.set(fromSlashes(path), mistakes);
}

/** Prints the errors of a configuration, and their effect. */
function tellMistakes(found: FoundConfig, noted: Mistakes | undefined, io: Io): void {
  noteMistakes(found, noted);
  const { path = "", mistakes = [], isUnusable } = found;
  for (const sentence of mistakes) io.err(`vmlint: ${printable(sentence)}\n`);
  const effect = isUnusable ? "no file below it is checked" : "the other entries apply";
  io.err(`vmlint: ${printable(shownPath(fromSlashes(path), io.cwd))}: ${effect}.\n`);
}

/** Tells what is found and cannot be read, and keeps it in `lost`; without that, it ends the run. */
const losingInto =
  (lost: Set<string> | undefined, io: Io): UnlessLost =>
  ({ path, isNamed }, use) => {
    try {
      return use();
    } catch (error) {
      if (isNamed || !lost || !(isVmlintError(error) && error.code === "FILE_UNREADABLE")) throw error;
      lost.add(path);
      io.err(`vmlint: ${printable(shownPath(path, io.cwd))} is not checked: it ${reasonOf(error.cause)}.\n`);
      return undefined;
    }
  };
