import { sep } from "node:path";
import {
  decodeVmx,
  type Format,
  type FormatEntry,
  formats,
  type HostModel,
  type LintedFile,
  lint,
  type Rule,
  sameHost,
  type Target,
  targetOf,
  VmlintError,
  type VmSpec,
} from "@vmlint/core";
import {
  configFinder,
  decode,
  type FoundConfig,
  findFiles,
  type Input,
  pathInConfig,
  readBytes,
  readParts,
  readText,
  STDIN,
  shown,
} from "./files.ts";
import { hostFinder, tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";

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
  /** All rules when not said. */
  readonly rules?: readonly Rule[];
}

/** What a folder's files are checked against. */
interface Folder {
  /** What the paths of its files begin with in a report. */
  readonly prefix: string;
  readonly config: FoundConfig;
  readonly targetOf: ReturnType<typeof targetOf>;
}

/** Lints every file the patterns mean, one at a time as they are asked for. */
export async function lintFiles(request: LintRequest, io: Io): Promise<Iterable<LintedFile>> {
  const { host, config, rules, together = false, stdinName } = request;
  const patterns = request.patterns.length > 0 ? request.patterns : ["."];
  if (stdinName !== undefined && !patterns.includes(STDIN)) {
    throw new VmlintError("USAGE", '--stdin-filename names the standard input: give "-" as a path too.');
  }
  const inputs = await findFiles({ patterns, stdinName, format: formatNamed(request.format) }, io.cwd);
  const findConfig = configFinder(config, io.cwd);
  const findHost = host === undefined ? undefined : hostFinder(host, io);
  const folders = new Map<string, Folder>();
  for (const path of inputs.length > 0 ? inputs.map(({ folder }) => folder) : [io.cwd]) {
    if (folders.has(path)) continue;
    const found = await findConfig(path);
    const against = targetOf(found.config, await findHost?.(found.config));
    folders.set(path, {
      prefix: path === io.cwd ? "" : `${shown(path, io.cwd)}/`,
      config: found,
      targetOf: together ? (vm, at) => onOneMachine(against(vm, at)) : against,
    });
  }
  const wanted = inputs.flatMap(withFormat);
  const loaded = new Map<FormatEntry, Format>();
  for (const { format } of wanted) if (format && !loaded.has(format)) loaded.set(format, await format.load());
  return lintInputs(wanted, loaded, folders, rules, io);
}

function formatNamed(name: string | undefined): FormatEntry | undefined {
  const format = formats.find((entry) => entry.name === name);
  if (name === undefined || format) return format;
  throw new VmlintError("USAGE", `--format-in takes ${formats.map((entry) => entry.name).join(", ")}, not "${name}".`);
}

interface Wanted extends Input {
  /** Undefined for a named file that is taken for the default format. */
  readonly format: FormatEntry | undefined;
}

/** Most files of a folder with an ending such as .json are somebody else's: they are told from ours before a parser is loaded. */
function withFormat(input: Input): readonly Wanted[] {
  const { path, named, bytes } = input;
  // What is piped in and has no name that says more is told by its content alone.
  const candidates = bytes && input.formats.length === 0 ? formats.filter(({ mayHold }) => mayHold) : input.formats;
  const [first, ...others] = candidates;
  if (named && others.length === 0) return [{ ...input, format: first }];
  const text = () => (bytes ? decodeVmx(bytes, decode) : readText(path));
  const format = candidates.find(({ mayHold }) => !mayHold || mayHold(text()));
  if (format) return [{ ...input, format }];
  return named ? [{ ...input, format: input.formats[0] }] : [];
}

const onOneMachine = (target: Target): Target => (target.host ? { ...target, machine: sameHost(target.host) } : target);

/** A named file that is no VM definition gets a note; one found in a folder is passed over. */
function* lintInputs(
  inputs: readonly Wanted[],
  loaded: ReadonlyMap<FormatEntry, Format>,
  folders: ReadonlyMap<string, Folder>,
  rules: readonly Rule[] | undefined,
  io: Io,
): Iterable<LintedFile> {
  const told = new Set<HostModel>();
  for (const { path, folder, format: entry, named, bytes: piped } of inputs) {
    const format = entry && loaded.get(entry);
    const bytes = bytesOf(path, piped, format);
    const text = decodeVmx(bytes, decode);
    const against = folders.get(folder);
    const shownPath = `${against?.prefix}${path.slice(path.lastIndexOf(sep) + 1)}`;
    const target = (vm: VmSpec) => against?.targetOf(vm, () => pathInConfig(against.config, path)) ?? {};
    const oneByteEach = bytes.length === text.length ? bytes : undefined;
    const { vms, diagnostics, skipped, foreign } = lint(text, { format, bytes: oneByteEach, target, rules });
    if (foreign !== undefined) {
      if (!named) continue;
      io.err(`vmlint: ${shownPath} is not checked: ${foreign}.\n`);
    }
    for (const vm of vms) if (vm.target.host) tellAssumptions(vm.target.host, told, io);
    // Not spread: that makes each an object of its own shape, which all who read it pay for.
    yield { path: shownPath, text, vms, diagnostics, skipped, foreign };
  }
}

/** What there is to read of a file; nothing of a container that holds no such thing. */
function bytesOf(path: string, piped: Uint8Array | undefined, format: Format | undefined): Uint8Array {
  const { unpack } = format ?? {};
  if (!unpack) return piped ?? readBytes(path);
  const unpacked = piped ? unpack((offset, length) => piped.subarray(offset, offset + length)) : readParts(path, unpack);
  return unpacked ?? NO_BYTES;
}

const NO_BYTES = new Uint8Array();
