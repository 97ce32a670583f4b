import { basename, dirname, resolve } from "node:path";
import {
  type AnyEntry,
  decodeVmx,
  type Format,
  type FormatEntry,
  formats,
  type GivenOption,
  type HostModel,
  isAlone,
  type LintedFile,
  once,
  printable,
  projectsOf,
  type Rule,
  type Shard,
  sameHost,
  type Target,
  targetOf,
  VmlintError,
} from "@vmlint/core";
import type { Silencers } from "@vmlint/core/suppress";
import { usage } from "./answer.ts";
import type { Cache } from "./cache.ts";
import type { Chosen, Fix, Folder, Folders } from "./checking.ts";
import { diskFiles, filesWithin, lazyFiles } from "./disk.ts";
import { decode, fromSlashes, isFile, partsOf, readText, reasonOf, shortText, shown } from "./files.ts";
import { baselinePath, type ConfigFinder, configFinder, type FoundConfig } from "./find-config.ts";
import { findFiles, type Input, STDIN, type UnlessLost } from "./find-files.ts";
import type { Changed } from "./git.ts";
import { hostFinder } from "./host.ts";
import type { Io } from "./io.ts";
import { lintInputs, type Wanted } from "./lint-inputs.ts";
import { lintProjects } from "./lint-projects.ts";
import { optimizeLate } from "./optimize.ts";
import type { Plugins } from "./plugins.ts";

export interface LintRequest {
  readonly patterns: readonly string[];
  /** Name, short form or dump of a host; wins over every configuration. */
  readonly host?: string | undefined;
  readonly config?: string | undefined;
  /** All VMs with the same host run on one machine, whatever the configurations say. */
  readonly together?: boolean | undefined;
  /** Name of the one format of every file. */
  readonly format?: string | undefined;
  readonly stdinName?: string | undefined;
  readonly noGitignore?: boolean | undefined;
  readonly forceExclude?: boolean | undefined;
  /** Only these files, of those that the patterns mean. */
  readonly changed?: Changed | undefined;
  /** Only every so manieth file, counted from 1: the second of three. */
  readonly shard?: Shard | undefined;
  /** All rules when not said. */
  readonly rules?: readonly Rule[] | undefined;
  readonly plugins?: Plugins | undefined;
  /** Comments suppress nothing. */
  readonly ignoreComments?: boolean | undefined;
  /** Everything is remembered that a baseline needs. */
  readonly baseline?: boolean | undefined;
  /** Of a file that stands alone, only those VMs are listed that rules over several ask for. */
  readonly onlyFindings?: boolean | undefined;
  /** Values for the variables of formats that have some, in the order of the command line. */
  readonly variables?: readonly GivenOption[];
  /** The folder that plans and states were made of. */
  readonly source?: string | undefined;
  /** What earlier runs found: for runs that ask all rules and fix nothing. */
  readonly cache?: Cache | undefined;
  /** Filled with files and folders that are found and cannot be read; without it, one of them ends the run. */
  readonly lost?: Set<string> | undefined;
}

/** The files of a run, and what they were checked by. */
export interface LintRun {
  /** Lints one file at a time, as they are asked for. */
  readonly files: (fix?: Fix) => Iterable<LintedFile>;
  /** How many files there are at most. */
  readonly count: number;
  readonly configs: ReadonlySet<FoundConfig>;
  /** The configuration of a file, by its path as reports print it. */
  readonly configOf: (shownPath: string) => FoundConfig | undefined;
  /** What may hide findings, by file; filled while the files are linted. */
  readonly silencers: ReadonlyMap<string, Silencers>;
  /** Whether a configuration or a baseline may hide findings. */
  readonly hides: boolean;
  /** Whether all that a file says is looked at: not only what other files say in it, which they lead to. */
  readonly asks: (shownPath: string) => boolean;
  /** Whether one VM may be described by two of the files: they are of several formats. */
  readonly describes: boolean;
  /** All rules there are, where plugins bring some. */
  readonly rules: readonly Rule[] | undefined;
}

/** Finds every file the patterns mean, with what it is checked by. */
export async function lintFiles(request: LintRequest, io: Io): Promise<LintRun> {
  const {
    host,
    config,
    plugins,
    rules = plugins?.all,
    together = false,
    ignoreComments = false,
    baseline = false,
    onlyFindings = false,
    stdinName,
    variables = [],
    source,
    cache,
    lost,
  } = request;
  const patterns = request.patterns.length > 0 ? request.patterns : ["."];
  if (stdinName !== undefined && !patterns.includes(STDIN)) {
    throw usage('--stdin-filename names the standard input: give "-" as a path too.');
  }
  const findConfig = configFinder(config, io.cwd, plugins?.rules, io);
  const { noGitignore, forceExclude } = request;
  const listed = new Map<string, readonly string[]>();
  const unlessLost: UnlessLost = ({ path, named }, use) => {
    try {
      return use();
    } catch (error) {
      if (named || !lost || !(error instanceof VmlintError && error.code === "FILE_UNREADABLE")) throw error;
      lost.add(path);
      io.err(`vmlint: ${printable(shown(path, io.cwd))} is not checked: it ${reasonOf(error.cause)}.\n`);
      return undefined;
    }
  };
  const wish = {
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
  const found = await findFiles(wish, io.cwd, (sentence) => io.err(`vmlint: ${printable(sentence)}.\n`));
  const inputs = request.changed ? changedOf(found, request.changed, variables) : found;
  const folders = findFolders({ host, together, baseline, cache, findConfig }, io);
  for (const folder of new Set(inputs.map((input) => input.folder))) await folders.find(folder);
  if (inputs.length === 0) await folders.find(io.cwd);
  const { count, alone, others, formats } = chosenOf(inputs, request, unlessLost);
  const loaded = new Map<FormatEntry, Format>();
  for (const format of formats) {
    if (format && isAlone(format)) loaded.set(format, await format.load());
    // For what comes next: it is to be done once all are loaded.
    else await format?.loadProject();
  }
  await optimizeLate(count);
  const configs = new Set([...folders.known.values()].map((folder) => folder.config));
  // What is wrong with a configuration is found beside it.
  for (const { folder } of configs) await folders.find(folder);
  // What a file takes of others lies where a configuration, this folder or a pattern reaches, and not outside of it.
  const files = lazyFiles(() => {
    const named = inputs.flatMap((input) => (input.named ? input.folder : []));
    const reached = [io.cwd, ...[...configs].map(({ folder }) => folder), ...patterns.map((pattern) => resolve(io.cwd, pattern)), ...named];
    return filesWithin([...new Set(reached)], diskFiles(undefined, io), io.staged);
  });
  const silencers = new Map<string, Silencers>();
  // Several descriptions of one VM are held against each other.
  const describes = formats.size > 1;
  const shared = { rules, silencers, ignoreComments, describes, cache };
  const ofProjects = await lintProjects(others, folders, { ...shared, variables, source, listed }, io);
  const asked = once(() => new Set(inputs.map(({ path }) => path)));
  return {
    files: (fix) =>
      merged(lintInputs(alone, loaded, folders.known, { ...shared, fix, files, onlyFindings, unlessLost }, io), ofProjects(fix)),
    count,
    configs,
    configOf: (shownPath) => folders.known.get(dirname(resolve(io.cwd, shownPath)))?.config,
    silencers,
    hides: [...folders.known.values()].some((folder) => folder.hides),
    asks: (shownPath) => asked().has(resolve(io.cwd, shownPath)),
    describes,
    rules: plugins?.all,
  };
}

interface Checking extends Pick<LintRequest, "host" | "cache"> {
  readonly together: boolean;
  readonly baseline: boolean;
  readonly findConfig: ConfigFinder;
}

/** Finds what the files of each folder are checked against. */
function findFolders({ host, together, baseline, cache, findConfig }: Checking, io: Io): Folders {
  const findHost = host === undefined ? undefined : hostFinder(host, io);
  const keyOf = cache && configKeys(cache, together);
  const known = new Map<string, Folder>();
  const withBaseline = new Map<FoundConfig, boolean>();
  const hasBaseline = (config: FoundConfig): boolean => {
    const has = withBaseline.get(config) ?? isFile(baselinePath(config), io.staged);
    if (!withBaseline.has(config)) io.noted?.(baselinePath(config));
    withBaseline.set(config, has);
    return has;
  };
  const find = async (path: string): Promise<Folder> => {
    const config = await findConfig(path);
    const given = await findHost?.(config.config);
    const against = targetOf(config.config, given);
    return {
      prefix: path === io.cwd ? "" : `${shown(path, io.cwd)}/`,
      config,
      targetOf: together ? (vm, at) => onOneMachine(against(vm, at)) : against,
      hides: hasBaseline(config) || baseline || config.config.suppress !== undefined,
      key: keyOf?.(config, given) ?? "",
    };
  };
  return {
    known,
    find: async (path) => {
      const folder = known.get(path) ?? (await find(path));
      known.set(path, folder);
      return folder;
    },
  };
}

/** The files that are looked at, those that stand alone apart from those that refer to each other. */
function chosenOf(inputs: readonly Input[], { changed, shard: { index, of } = { index: 1, of: 1 } }: LintRequest, unlessLost: UnlessLost) {
  const alone: Wanted[] = [];
  const others: Chosen[] = [];
  const formats = new Set<AnyEntry | undefined>();
  let number = 0;
  for (const input of inputs) {
    const one = unlessLost(input, () => withFormat(input));
    if (!one || (changed && isWanted(one) && !changed.has(one.path))) continue;
    // Those that refer to each other are all looked at by the first.
    const part = isWanted(one) ? number % of : 0;
    number++;
    if (part !== index - 1) continue;
    formats.add(one.format);
    if (isWanted(one)) alone.push(one);
    else others.push(one);
  }
  return { count: alone.length + others.length, alone, others, formats };
}

const isWanted = (one: Chosen): one is Wanted => !one.format || isAlone(one.format);

/** A key for what VMs are checked against. A configuration is what was read for it: each run reads that anew. */
function configKeys({ hash }: Cache, together: boolean): (configured: FoundConfig, host: HostModel | undefined) => string {
  const keys = new Map<FoundConfig, string>();
  return (configured, host) => {
    const key = keys.get(configured) ?? hash(JSON.stringify([configured.path, configured.sources, host, together]));
    keys.set(configured, key);
    return key;
  };
}

/** Terragrunt's files and Terraform's lock, which files of a project depend on. */
const BESIDE = /\.hcl$/;

/** Those that have changed; of formats whose files refer to each other all, where one of them may have. */
function changedOf(found: readonly Input[], changed: Changed, variables: readonly GivenOption[]): readonly Input[] {
  const isOfProject = (path: string): boolean => BESIDE.test(path) || projectsOf(path).some(({ separate }) => !separate);
  // Functions read files of any kind, which they name, but for `fileset`.
  const names = changed.paths.map((path) => basename(path));
  const isNamedIn = (path: string): boolean => {
    try {
      const text = readText(path, changed.staged);
      return /\bfileset\s*\(/.test(text) || names.some((name) => text.includes(name));
    } catch {
      return true; // That it cannot be read is said where it is checked.
    }
  };
  const mayReach =
    changed.paths.some(isOfProject) ||
    found.some(({ path }) => isOfProject(path) && (changed.has(path) || (names.length > 0 && isNamedIn(path)))) ||
    variables.some((option) => option.kind === "file" && changed.has(fromSlashes(option.path)));
  return found.flatMap((input) => {
    if (!changed.has(input.path) && !(mayReach && !input.formats.every(isAlone))) return [];
    const bytes = changed.staged?.read(input.path);
    return bytes ? [{ ...input, bytes, isPartlyStaged: true }] : [input];
  });
}

/** Both in the order of their paths. */
function* merged(some: Iterable<LintedFile>, others: readonly LintedFile[]): Iterable<LintedFile> {
  let next = 0;
  for (const file of some) {
    for (let other = others[next]; other && other.path < file.path; other = others[++next]) yield other;
    yield file;
  }
  yield* others.slice(next);
}

function formatNamed(name: string | undefined): AnyEntry | undefined {
  const format = formats.find((entry) => entry.name === name);
  if (name === undefined || format) return format;
  throw usage(`--format-in takes ${formats.map((entry) => entry.name).join(", ")}, not "${name}".`);
}

/** Most files of a folder with an ending such as .json are somebody else's: they are told from ours before a parser is loaded. */
function withFormat(input: Input): Chosen | undefined {
  const { path, named, bytes } = input;
  // What is piped in and has no name that says more is told by its content alone.
  const candidates = bytes && input.formats.length === 0 ? formats.filter(({ mayHold }) => mayHold) : input.formats;
  const [first] = candidates;
  if (named && candidates.length < 2 && (!first || isAlone(first))) return chosen(input, first);
  if (isCertain(first)) return chosen(input, first);
  const text = bytes ? decodeVmx(bytes, decode) : shortText(path);
  const format = firstHeld(candidates, text === undefined ? partsOf(path) : [text]);
  if (format) return chosen(input, format, isAlone(format) ? undefined : (text ?? readText(path)));
  return named ? chosen(input, input.formats.find(isAlone) ?? input.formats[0]) : undefined;
}

/** Not spread: that makes each an object of its own shape, which takes a quarter of a kilobyte. */
const chosen = ({ path, folder, formats, named, bytes, isPartlyStaged }: Input, format: AnyEntry | undefined, text?: string): Chosen => ({
  path,
  folder,
  formats,
  named,
  bytes,
  isPartlyStaged,
  format,
  text,
});

/** Whether all files are of a format that are called so: no look into them is needed. */
const isCertain = (format: AnyEntry | undefined): boolean => format !== undefined && !format.mayHold;

/** The first format that any part of a file may hold. */
function firstHeld(candidates: readonly AnyEntry[], parts: Iterable<string>): AnyEntry | undefined {
  let open = candidates;
  let held: AnyEntry | undefined;
  for (const part of parts) {
    const found = open.findIndex(({ mayHold }) => !mayHold || mayHold(part));
    if (found >= 0) [held, open] = [open[found], open.slice(0, found)];
    if (open.length === 0) break;
  }
  return held;
}

const onOneMachine = (target: Target): Target => (target.host ? { ...target, machine: sameHost(target.host) } : target);
