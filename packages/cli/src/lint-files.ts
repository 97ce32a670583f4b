import { dirname, resolve } from "node:path";
import {
  type AnyEntry,
  decodeVmx,
  type Format,
  type FormatEntry,
  formats,
  formatsOf,
  type GivenOption,
  type HostModel,
  isAlone,
  type LintedFile,
  printable,
  type Rule,
  sameHost,
  type Target,
  targetOf,
  VmlintError,
} from "@vmlint/core";
import type { Silencers } from "@vmlint/core/suppress";
import type { Cache } from "./cache.ts";
import type { Chosen, Fix, Folder } from "./checking.ts";
import { diskFiles, filesWithin, lazyFiles } from "./disk.ts";
import { baselinePath, configFinder, decode, type FoundConfig, isFile, partsOf, readText, shown } from "./files.ts";
import { findFiles, type Input, STDIN } from "./find-files.ts";
import { hostFinder } from "./host.ts";
import type { Io } from "./io.ts";
import { lintInputs, type Wanted } from "./lint-inputs.ts";
import { lintProjects } from "./lint-projects.ts";
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
  readonly changed?: ReadonlyMap<string, Uint8Array | undefined> | undefined;
  /** Only every so manieth file, counted from 1: the second of three. */
  readonly shard?: readonly [index: number, of: number] | undefined;
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
  /** Whether there is a file of known findings. */
  readonly hasBaseline: boolean;
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
  } = request;
  const patterns = request.patterns.length > 0 ? request.patterns : ["."];
  if (stdinName !== undefined && !patterns.includes(STDIN)) {
    throw new VmlintError("USAGE", '--stdin-filename names the standard input: give "-" as a path too.');
  }
  const findConfig = configFinder(config, io.cwd, plugins?.rules, io.noted);
  const { noGitignore, forceExclude } = request;
  const listed = new Map<string, readonly string[]>();
  const wish = { listed, patterns, stdinName, format: formatNamed(request.format), findConfig, noGitignore, forceExclude };
  const found = await findFiles(wish, io.cwd, (sentence) => io.err(`vmlint: ${printable(sentence)}.\n`));
  const inputs = request.changed ? changedOf(found, request.changed) : found;
  const findHost = host === undefined ? undefined : hostFinder(host, io);
  const folders = new Map<string, Folder>();
  const keyOf = cache && configKeys(cache, together);
  for (const path of inputs.length > 0 ? inputs.map(({ folder }) => folder) : [io.cwd]) {
    if (folders.has(path)) continue;
    const configured = await findConfig(path);
    const given = await findHost?.(configured.config);
    const against = targetOf(configured.config, given);
    folders.set(path, {
      prefix: path === io.cwd ? "" : `${shown(path, io.cwd)}/`,
      config: configured,
      targetOf: together ? (vm, at) => onOneMachine(against(vm, at)) : against,
      key: keyOf?.(configured, given) ?? "",
    });
  }
  const { shard: [index, of] = [1, 1] } = request;
  // Those that refer to each other are all looked at by the first.
  const mine = ({ format }: Chosen, i: number) => (!format || isAlone(format) ? i % of === index - 1 : index === 1);
  const isChanged = ({ path, format }: Chosen) => !request.changed || request.changed.has(path) || (format && !isAlone(format));
  const chosen = inputs.flatMap(withFormat).filter(isChanged).filter(mine);
  const wanted = chosen.filter((input): input is Wanted => !input.format || isAlone(input.format));
  const loaded = new Map<FormatEntry, Format>();
  for (const { format } of wanted) if (format && !loaded.has(format)) loaded.set(format, await format.load());
  const configs = new Set([...folders.values()].map((folder) => folder.config));
  // What a file takes of others lies where a configuration, this folder or a pattern reaches, and not outside of it.
  const files = lazyFiles(() => {
    const named = inputs.flatMap((input) => (input.named ? input.folder : []));
    const reached = [io.cwd, ...[...configs].map(({ folder }) => folder), ...patterns.map((pattern) => resolve(io.cwd, pattern)), ...named];
    return filesWithin([...new Set(reached)], diskFiles(undefined, io.noted));
  });
  const silencers = new Map<string, Silencers>();
  for (const found of configs) io.noted?.(baselinePath(found));
  const hasBaseline = baseline || [...configs].some((found) => isFile(baselinePath(found)));
  // Several descriptions of one VM are held against each other.
  const describes = new Set(chosen.map(({ format }) => format?.name)).size > 1;
  const shared = { rules, silencers, ignoreComments, keepsAll: hasBaseline, describes, cache };
  const ofProjects = await lintProjects(chosen, folders, { ...shared, variables, source, listed }, io);
  return {
    files: (fix) => merged(lintInputs(wanted, loaded, folders, { ...shared, fix, files, onlyFindings }, io), ofProjects(fix)),
    count: chosen.length,
    configs,
    configOf: (shownPath) => folders.get(dirname(resolve(io.cwd, shownPath)))?.config,
    silencers,
    hasBaseline,
    describes,
    rules: plugins?.all,
  };
}

/** A key for what VMs are checked against. A configuration is what was read for it: each run reads that anew. */
function configKeys({ hash }: Cache, together: boolean): (configured: FoundConfig, host: HostModel | undefined) => string {
  const keys = new Map<FoundConfig, string>();
  return (configured, host) => {
    const key = keys.get(configured) ?? hash(JSON.stringify([configured.path, configured.sources, host, together]));
    keys.set(configured, key);
    return key;
  };
}

/** Files that hold values for files that refer to each other, and no machines. */
const VALUES = /\.(tfvars|hcl)(\.json)?$/;

/** Those that have changed; of formats whose files refer to each other all, where one of them may have. */
function changedOf(found: readonly Input[], changed: ReadonlyMap<string, Uint8Array | undefined>): readonly Input[] {
  const mayReach = [...changed.keys()].some((path) => {
    const promised = formatsOf(path);
    return VALUES.test(path) || (promised.length > 0 && !promised.some(isAlone));
  });
  return found.flatMap((input) => {
    const bytes = changed.get(input.path);
    return bytes
      ? [{ ...input, bytes, isPartlyStaged: true }]
      : changed.has(input.path) || (mayReach && !input.formats.every(isAlone))
        ? [input]
        : [];
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
  throw new VmlintError("USAGE", `--format-in takes ${formats.map((entry) => entry.name).join(", ")}, not "${name}".`);
}

/** Most files of a folder with an ending such as .json are somebody else's: they are told from ours before a parser is loaded. */
function withFormat(input: Input): readonly Chosen[] {
  const { path, named, bytes } = input;
  // What is piped in and has no name that says more is told by its content alone.
  const candidates = bytes && input.formats.length === 0 ? formats.filter(({ mayHold }) => mayHold) : input.formats;
  const [first, ...others] = candidates;
  if (named && others.length === 0 && (!first || isAlone(first))) return [{ ...input, format: first }];
  const text = bytes && decodeVmx(bytes, decode);
  const format = firstHeld(candidates, text === undefined ? partsOf(path) : [text]);
  if (format) return [{ ...input, format, ...(!isAlone(format) && { text: text ?? readText(path) }) }];
  return named ? [{ ...input, format: input.formats.find(isAlone) ?? input.formats[0] }] : [];
}

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
