import { dirname, resolve } from "node:path";
import type { Files, Rule, Workload } from "@vmlint/core";
import {
  type Fixer,
  formatsOfAll,
  inventoryIn,
  type LintedFile,
  type ListedHost,
  once,
  openRun,
  printable,
  type RunHost,
  type VariableOption,
  type WithoutVm,
} from "@vmlint/core/program";
import type { FileSuppressions } from "@vmlint/core/suppress";
import { isVmlintError, usage } from "../args/command-output.ts";
import { diskFiles, filesWithin, lazyFiles } from "../files/disk.ts";
import { findFiles, type Input, STDIN, type UnlessLost } from "../files/find-files.ts";
import type { Changed } from "../files/git.ts";
import { textsOf } from "../files/input-bytes.ts";
import { fromSlashes, isThere, reasonOf, shownPath, toSlashes, versionOf } from "../files/read-files.ts";
import { repositoryAround } from "../files/read-named.ts";
import { removeLeftovers } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import type { Plugins } from "../plugins/plugins.ts";
import { type Budget, isFull, runBudget } from "./budget.ts";
import { shownPath as shown, type ThreadResults, withShownPaths } from "./checking.ts";
import { type Chosen, type ChosenFiles, changedOf, chosenOf, formatNamed, mayHoldVms } from "./choose.ts";
import type { Faults } from "./fault.ts";
import { type ConfigMistakes, configFinder, type FoundConfig, type Kept } from "./find-config.ts";
import { findFolders } from "./folders.ts";
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
  /** The answers of the runs before. */
  readonly kept?: Kept | undefined;
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
export interface LintRun {
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
  readonly configs: ReadonlySet<FoundConfig>;
  /** The configuration of a file, by its path as reports print it. */
  readonly configOf: (shownPath: string) => FoundConfig | undefined;
  /** The suppressions and baseline by file. Filled while the files are linted. */
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
  /** Whether a configuration or a baseline may hide findings. */
  readonly hides: boolean;
  /** Whether a file is in a folder that was searched, or in the folder of a named file. */
  readonly isSelected: (path: string) => boolean;
  /** Why a file cannot be fixed: it is standard input, or checked as it is staged. */
  readonly lockOf: (path: string) => "input" | "staged" | undefined;
  /** Whether a file is checked completely, not only through findings of other files in it. */
  readonly asks: (shownPath: string) => boolean;
  /** Whether one VM may be described by two of the files: they are of several formats. */
  readonly describes: boolean;
  /** All rules there are, where plugins bring some. */
  readonly rules: readonly Rule[] | undefined;
}

/** The collections of `Unchecked`; a trouble without one ends the run. */
function openUnchecked({ tolerates = [] }: LintRequest) {
  const tolerated = <T>(trouble: Trouble, kept: T): T | undefined => (tolerates.includes(trouble) ? kept : undefined);
  return {
    lost: tolerated("lost", new Set<string>()),
    mistakes: tolerated<ConfigMistakes>("mistakes", new Map()),
    faults: tolerated("faults", new Map<string, string>()),
    over: tolerated("over", new Map<string, string>()),
    withoutVm: [] as WithoutVm[],
    empty: new Map<string, string>(),
    contextReasons: new Map<string, string>(),
  };
}

type Troubles = ReturnType<typeof openUnchecked>;

/** Finds the files of a run, and the configurations of their folders. */
async function findInputs(request: LintRequest, patterns: readonly string[], { lost, mistakes }: Troubles, io: Io) {
  const {
    host,
    workload,
    config,
    plugins,
    together = false,
    baseline = false,
    stdinName,
    variables = [],
    noGitignore,
    forceExclude,
  } = request;
  if (stdinName !== undefined && !patterns.includes(STDIN))
    throw usage('--stdin-filename names the standard input: give "-" as a path too.');
  const findConfig = configFinder(config, io.cwd, plugins?.rules, io, mistakes, request.kept);
  const listed = new Map<string, readonly string[]>();
  const unlessLost = losingInto(lost, io);
  const options = {
    unlessLost,
    lost,
    listed,
    patterns,
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
  const folders = findFolders({ host, workload, together, baseline, findConfig }, io);
  for (const folder of new Set(candidates.map((input) => input.folder))) await folders.find(toSlashes(folder));
  if (candidates.length === 0) await folders.find(toSlashes(io.cwd));
  const isUnusable = ({ folder }: Input): boolean => folders.byPath.get(toSlashes(folder))?.found.isUnusable ?? false;
  // No report replaces a file that is only not checked for now.
  for (const { path } of candidates.filter(isUnusable)) io.noted?.(path);
  for (const [path, sentences] of mistakes ?? []) tellMistakes(shownPath(path, io.cwd), sentences, await findConfig(dirname(path)), io);
  return { found, candidates, inputs: candidates.filter((input) => !isUnusable(input)), listed, folders, share, unlessLost };
}

/** Finds every file that matches the patterns, with its configuration. */
export async function lintFiles(request: LintRequest, given: Io): Promise<LintRun> {
  const io = request.kept ? seeing(request.kept, given) : given;
  const { host, plugins, rules = plugins?.allRules, ignoreComments = false, onlyFindings = false, variables = [], source } = request;
  const troubles = openUnchecked(request);
  const { over, empty, withoutVm, contextReasons } = troubles;
  const faults: Faults | undefined = troubles.faults && { bugs: troubles.faults, over: over ?? new Map() };
  const within = withinBudget(over && (request.budget ?? runBudget()), over);
  const patterns = request.patterns.length > 0 ? request.patterns : ["."];
  const { found, candidates, inputs, listed, folders, share, unlessLost } = await findInputs(request, patterns, troubles, io);
  const chosen = request.chosen ? ofChosen(request.chosen) : chosenOf(inputs, { changed: request.changed, faults, unlessLost });
  const { count, alone, others, formats: entries, listing } = chosen;
  const formats = await formatsOfAll([...Array.from(entries, (entry) => ({ entry })), ...listing]);
  await optimizeLate(count);
  const configs = new Set([...folders.byPath.values()].flatMap(({ found }) => (found.isUnusable ? [] : found)));
  // Errors in a configuration are reported with its folder.
  for (const { folder } of configs) await folders.find(toSlashes(folder));
  const files = filesOfRun(configs, inputs, patterns, io);
  const unknownHost = folders.unknownHost();
  const inventory = await inventoryIn(textsOf(listing, formats, unlessLost), files, unknownHost && host);
  if (unknownHost && inventory?.aimsAtNothing !== false) throw unknownHost;
  const isContext = (path: string, reason: string): boolean => {
    const isRead = inventory?.paths.has(toSlashes(path)) || (request.isContext?.(path) ?? false);
    if (isRead) contextReasons.set(path, reason);
    return isRead;
  };
  const shared = { faults, within, empty, isContext };
  // An inventory counts all of its VMs.
  const ordered = (some: readonly Chosen[]) => (share && !inventory ? share.filesOf(request, some) : some);
  const { projects, check, suppressions } = await openRun(
    {
      selected: [...alone, ...wantedFiles(others, empty, io)],
      folders,
      inventory,
      rules,
      files,
      inputs: { environment: io.env, options: variables, source, topOf: (folder) => topOf(folder, io) },
      // The thread that chose the files hides findings.
      showsAll: request.chosen !== undefined,
      ignoreComments,
      describes: entries.size > 1,
      onlyFindings,
      nameOf: (path) => shown(path, io.cwd),
      show: (file) => withShownPaths(file, io.cwd),
    },
    {
      slashes: toSlashes,
      ...singlesOf({ ...shared, results: share?.results, ordered, formats, unlessLost, inventory }, io),
      ...projectsOf({ ...shared, variables, source, listed }, io),
      ...(request.kept && { keeping: keepingOf(request, inputs, listed, given) }),
    },
  );
  withoutVm.push(...projects.flatMap((project) => project.withoutVm ?? []));
  tellUndeclared(variables, projects, io);
  return {
    files: check,
    unchecked: {
      ...troubles,
      lost: troubles.lost ?? new Set(),
      mistakes: troubles.mistakes ?? new Map(),
      faults: faults?.bugs ?? new Map(),
      over: over ?? new Map(),
    },
    count,
    projectFiles: others.flatMap(({ path, entry }) => (entry?.separate ? [] : path)),
    listedHosts: (inventory?.listed ?? []).map((one) => ({ ...one, path: shownPath(fromSlashes(one.path), io.cwd) })),
    hostFiles: [...(inventory?.paths ?? [])].map(fromSlashes),
    leavesOutVms: () => {
      const part = new Set(candidates.map(({ path }) => path));
      return found.some((input) => !part.has(input.path) && mayHoldVms(input));
    },
    configs,
    configOf: (shownPath) => folders.byPath.get(toSlashes(dirname(resolve(io.cwd, shownPath))))?.found,
    suppressions,
    hides: [...folders.byPath.values()].some((folder) => folder.hides),
    ...selectionOf(inputs, listed, io),
    // Several descriptions of one VM are compared.
    describes: entries.size > 1,
    rules: plugins?.allRules,
  };
}

/** The part of the memory that answers may take: the run needs the rest. */
const MOST_KEPT = 0.4;

const seeing = ({ seen }: Kept, io: Io): Io => ({
  ...io,
  noted: (path) => {
    seen.add(path);
    io.noted?.(path);
  },
});

function keepingOf(
  { kept, variables, source }: LintRequest,
  inputs: readonly Input[],
  listed: ReadonlyMap<string, unknown>,
  io: Io,
): RunHost<Chosen>["keeping"] {
  if (!kept) return undefined;
  const selected = new Set(inputs.map(({ path }) => path));
  const tops = new Set(Array.from(new Set(inputs.map(({ folder }) => folder)), repositoryAround));
  return {
    answers: kept.answers,
    version: (path) => versionOf(fromSlashes(path)),
    noted(path, by) {
      const own = fromSlashes(path);
      // The texts of a project are known from the search.
      const isKnown = by === "project" && (selected.has(own) || listed.has(own));
      if (!isKnown && kept.seen.has(own) && isThere(own)) io.noted?.(own);
    },
    around: [JSON.stringify([...tops, variables, source])],
    hasRoom: () => !isFull(MOST_KEPT),
  };
}

/** A file may refer only to files in the folder of a configuration, this folder or a named folder. */
function filesOfRun(configs: Iterable<FoundConfig>, inputs: readonly Input[], patterns: readonly string[], io: Io): Files {
  return lazyFiles(() => {
    const named = inputs.flatMap((input) => (input.isNamed ? input.folder : []));
    const reached = [io.cwd, ...[...configs].map(({ folder }) => folder), ...patterns.map((pattern) => resolve(io.cwd, pattern)), ...named];
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

/** Prints the errors of a configuration, and their effect. */
function tellMistakes(path: string, sentences: readonly string[], { isUnusable }: FoundConfig, io: Io): void {
  for (const sentence of sentences) io.err(`vmlint: ${printable(sentence)}\n`);
  io.err(`vmlint: ${printable(path)}: ${isUnusable ? "no file below it is checked" : "the other entries apply"}.\n`);
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
