import { existsSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import {
  type AnyEntry,
  type Beside,
  DISABLE,
  decodeVmx,
  defaultFormat,
  type Files,
  type Format,
  type FormatEntry,
  formats,
  formatsOf,
  type GivenOption,
  type HostModel,
  isAlone,
  type LintedFile,
  type LintResult,
  lint,
  printable,
  type Rule,
  sameHost,
  type Target,
  targetOf,
  VmlintError,
  type VmSpec,
} from "@vmlint/core";
import type { Silencers } from "@vmlint/core/suppress";
import { diskFiles, filesWithin, lazyFiles } from "./disk.ts";
import {
  baselinePath,
  configFinder,
  decode,
  type FoundConfig,
  partsOf,
  pathInConfig,
  readBytes,
  readParts,
  readText,
  shown,
  toSlashes,
} from "./files.ts";
import { findFiles, type Input, STDIN } from "./find-files.ts";
import { hostFinder, tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";
import { lintProjects, withShownPaths } from "./lint-projects.ts";
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
  /** Values for the variables of formats that have some, in the order of the command line. */
  readonly variables?: readonly GivenOption[];
  /** The folder that plans and states were made of. */
  readonly source?: string | undefined;
}

/** The files of a run, and what they were checked by. */
export interface LintRun {
  /** Lints one file at a time, as they are asked for. */
  readonly files: (fix?: Fix) => Iterable<LintedFile>;
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

/** A file whose findings may be fixed. */
export interface Fixable {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
  /** Valid until the next file is read. */
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly result: LintResult;
  readonly lint: (text: string) => LintResult;
  /** What may hide findings in a text of this file. */
  readonly silencers: (text: string, result: LintResult) => Silencers;
  /** Findings in other files that are fixed in this one. */
  readonly elsewhere?: (text: string) => readonly Elsewhere[];
  /** What is not fixed since it would change more than it should. */
  readonly withheld?: readonly Unfixed[];
}

/** A finding that is not fixed, and why. */
export interface Unfixed {
  readonly diagnostic: LintResult["diagnostics"][number];
  readonly safety: "safe" | "unsafe";
  readonly reason: string;
}

/** Findings of another file than the one that is fixed. */
export interface Elsewhere {
  readonly shownPath: string;
  readonly silencers: Silencers;
  readonly diagnostics: LintResult["diagnostics"];
}

/** Gives back what the file says afterwards. */
export type Fix = (file: Fixable) => Pick<Fixable, "text" | "result">;

/** What a folder's files are checked against. */
export interface Folder {
  /** What the paths of its files begin with in a report. */
  readonly prefix: string;
  readonly config: FoundConfig;
  readonly targetOf: ReturnType<typeof targetOf>;
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
    stdinName,
    variables = [],
    source,
  } = request;
  const patterns = request.patterns.length > 0 ? request.patterns : ["."];
  if (stdinName !== undefined && !patterns.includes(STDIN)) {
    throw new VmlintError("USAGE", '--stdin-filename names the standard input: give "-" as a path too.');
  }
  const findConfig = configFinder(config, io.cwd, plugins?.rules);
  const { noGitignore, forceExclude } = request;
  const listed = new Map<string, readonly string[]>();
  const wish = { listed, patterns, stdinName, format: formatNamed(request.format), findConfig, noGitignore, forceExclude };
  const found = await findFiles(wish, io.cwd, (sentence) => io.err(`vmlint: ${printable(sentence)}.\n`));
  const inputs = request.changed ? changedOf(found, request.changed) : found;
  const findHost = host === undefined ? undefined : hostFinder(host, io);
  const folders = new Map<string, Folder>();
  for (const path of inputs.length > 0 ? inputs.map(({ folder }) => folder) : [io.cwd]) {
    if (folders.has(path)) continue;
    const configured = await findConfig(path);
    const against = targetOf(configured.config, await findHost?.(configured.config));
    folders.set(path, {
      prefix: path === io.cwd ? "" : `${shown(path, io.cwd)}/`,
      config: configured,
      targetOf: together ? (vm, at) => onOneMachine(against(vm, at)) : against,
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
    return filesWithin([...new Set(reached)], diskFiles());
  });
  const silencers = new Map<string, Silencers>();
  const hasBaseline = baseline || [...configs].some((found) => existsSync(baselinePath(found)));
  const shared = { rules, silencers, ignoreComments, keepsAll: hasBaseline };
  const ofProjects = await lintProjects(chosen, folders, { ...shared, variables, source, listed }, io);
  return {
    files: (fix) => merged(lintInputs(wanted, loaded, folders, { ...shared, fix, files }, io), ofProjects(fix)),
    configs,
    configOf: (shownPath) => folders.get(dirname(resolve(io.cwd, shownPath)))?.config,
    silencers,
    hasBaseline,
    describes: new Set(chosen.map(({ format }) => format?.name)).size > 1,
    rules: plugins?.all,
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
    return bytes ? [{ ...input, bytes }] : changed.has(input.path) || (mayReach && !input.formats.every(isAlone)) ? [input] : [];
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

/** A file with the one format it is read as; undefined for a named file that is taken for the default format. */
export interface Chosen extends Input {
  readonly format: AnyEntry | undefined;
  /** Of a format whose files refer to each other, what was read to choose it. */
  readonly text?: string;
}

/** A file that stands alone. */
interface Wanted extends Chosen {
  readonly format: FormatEntry | undefined;
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

export interface Shared {
  readonly rules: readonly Rule[] | undefined;
  readonly fix?: Fix | undefined;
  readonly silencers: Map<string, Silencers>;
  readonly ignoreComments: boolean;
  /** Whether what may hide findings is remembered of files that have nothing of their own, too. */
  readonly keepsAll: boolean;
}

/** A named file that is no VM definition gets a note; one found in a folder is passed over. */
function* lintInputs(
  inputs: readonly Wanted[],
  loaded: ReadonlyMap<FormatEntry, Format>,
  folders: ReadonlyMap<string, Folder>,
  { rules, fix, silencers, ignoreComments, keepsAll, files }: Shared & { readonly files: Files },
  io: Io,
): Iterable<LintedFile> {
  const told = new Set<HostModel>();
  for (const { path, folder, format: entry, named, bytes: piped } of inputs) {
    const format = entry && loaded.get(entry);
    let bytes: Uint8Array | undefined = bytesOf(path, piped, format);
    let text = decodeVmx(bytes, decode);
    const against = folders.get(folder);
    const shownPath = `${against?.prefix}${path.slice(path.lastIndexOf(sep) + 1)}`;
    const target = (vm: VmSpec) => against?.targetOf(vm, () => pathInConfig(against.config, path)) ?? {};
    const oneByteEach = bytes.length === text.length && bytes.length < LARGE ? bytes : undefined;
    if (bytes.length >= LARGE) bytes = undefined;
    const beside: Beside = { path: toSlashes(path), files };
    let result = lint(text, { format, bytes: oneByteEach, beside, target, rules });
    // What is piped in is no file to be written.
    if (fix && !piped && result.diagnostics.some(({ fixes }) => fixes.length > 0)) {
      const again = (changed: string) => lint(changed, { format, beside, target, rules });
      const silencersOf = (changed: string, { vms }: LintResult) => silencersIn(changed, vms, path, against, format, ignoreComments);
      ({ text, result } = fix({
        path,
        shownPath,
        bytes: bytes ?? bytesOf(path, piped, format),
        text,
        result,
        lint: again,
        silencers: silencersOf,
      }));
    }
    const { vms, diagnostics, skipped, foreign } = result;
    if (foreign !== undefined) {
      if (!named) continue;
      io.err(`vmlint: ${shownPath} is not checked: ${foreign}.\n`);
    }
    if (keepsAll || against?.config.config.suppress || (!ignoreComments && text.includes(DISABLE)))
      silencers.set(shownPath, silencersIn(text, vms, path, against, format, ignoreComments));
    for (const vm of vms) if (vm.target.host) tellAssumptions(vm.target.host, told, io);
    // Not spread: that makes each an object of its own shape, which all who read it pay for.
    const file: LintedFile = { path: shownPath, text, vms, diagnostics, skipped, foreign };
    const others = diagnostics.flatMap(({ related }) => related.flatMap((place) => place.path ?? []));
    yield others.length === 0 ? file : leadingTo(others, { ...file, path }, files, io.cwd);
  }
}

/** A file whose findings lead to others. */
function leadingTo(others: readonly string[], file: LintedFile, files: Files, cwd: string): LintedFile {
  return withShownPaths({ ...file, others: new Map(others.map((path) => [path, files.read(path) ?? ""])) }, cwd);
}

/** What may hide findings of a file: nearly none has comments of that kind. */
export function silencersIn(
  text: string,
  vms: LintResult["vms"],
  path: string,
  against: Folder | undefined,
  format: Pick<Format, "comments"> = defaultFormat,
  ignoreComments: boolean,
): Silencers {
  const comments = !ignoreComments && text.includes(DISABLE) ? format.comments?.(text) : undefined;
  const { below = [], entries = [] } = against?.config.config.suppress ?? {};
  const declared = against && [...below, ...entries].filter(({ inFile }) => inFile(pathInConfig(against.config, path)));
  return { text, comments: comments ?? [], declared: declared ?? [], vms };
}

/** What there is to read of a file; nothing of a container that holds no such thing. */
function bytesOf(path: string, piped: Uint8Array | undefined, format: Format | undefined): Uint8Array {
  const { unpack } = format ?? {};
  if (!unpack) return piped ?? readBytes(path);
  const unpacked = piped ? unpack((offset, length) => piped.subarray(offset, offset + length)) : readParts(path, unpack);
  return unpacked ?? NO_BYTES;
}

const NO_BYTES = new Uint8Array();

/** Bytes that are not kept beside the text made of them: an inventory of thousands of VMs, which no fix is written into. */
const LARGE = 1 << 20;
