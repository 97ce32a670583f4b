import { sep } from "node:path";
import {
  decodeVmx,
  type Format,
  type FormatEntry,
  type GivenOption,
  type HostModel,
  type LintedFile,
  lint,
  type Rule,
  sameHost,
  type Target,
  targetOf,
  type VmSpec,
} from "@vmlint/core";
import { configFinder, decode, type FoundConfig, findFiles, type Input, pathInConfig, readBytes, readText, shown } from "./files.ts";
import { hostFinder, tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";
import { lintProjects } from "./lint-projects.ts";

export interface LintRequest {
  readonly patterns: readonly string[];
  /** Name, short form or dump of a host; wins over every configuration. */
  readonly host?: string | undefined;
  readonly config?: string | undefined;
  /** All VMs with the same host run on one machine, whatever the configurations say. */
  readonly together?: boolean | undefined;
  /** All rules when not said. */
  readonly rules?: readonly Rule[];
  /** Values for the variables of formats that have some, in the order of the command line. */
  readonly variables?: readonly GivenOption[];
  /** The folder that plans and states were made of. */
  readonly source?: string | undefined;
}

/** What a folder's files are checked against. */
export interface Folder {
  /** What the paths of its files begin with in a report. */
  readonly prefix: string;
  readonly config: FoundConfig;
  readonly targetOf: ReturnType<typeof targetOf>;
}

/** Lints every file the patterns mean, one at a time as they are asked for. */
export async function lintFiles(
  { patterns, host, config, rules, variables = [], source, together = false }: LintRequest,
  io: Io,
): Promise<Iterable<LintedFile>> {
  const inputs = await findFiles(patterns.length > 0 ? patterns : ["."], io.cwd);
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
  const alone = inputs.flatMap(({ format, ...rest }) => (format && "loadProject" in format ? [] : { ...rest, format }));
  const wanted = alone.filter(mayHold);
  const formats = new Map<FormatEntry, Format>();
  for (const { format } of wanted) if (format && !formats.has(format)) formats.set(format, await format.load());
  const results = lintInputs(wanted, formats, folders, rules, io);
  if (alone.length === inputs.length) return results;
  return merged(results, await lintProjects(inputs, folders, { rules, variables, source }, io));
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

/** A file that is read on its own. */
interface Alone extends Input {
  readonly format: FormatEntry | undefined;
}

/** Most files of a folder with an ending such as .yaml are somebody else's: they are told from ours before a parser is loaded. */
const mayHold = ({ path, format, named }: Alone): boolean => named || !format?.mayHold || format.mayHold(readText(path));

const onOneMachine = (target: Target): Target => (target.host ? { ...target, machine: sameHost(target.host) } : target);

/** A named file that is no VM definition gets a note; one found in a folder is passed over. */
function* lintInputs(
  inputs: readonly Alone[],
  formats: ReadonlyMap<FormatEntry, Format>,
  folders: ReadonlyMap<string, Folder>,
  rules: readonly Rule[] | undefined,
  io: Io,
): Iterable<LintedFile> {
  const told = new Set<HostModel>();
  for (const { path, folder, format, named } of inputs) {
    const bytes = readBytes(path);
    const text = decodeVmx(bytes, decode);
    const against = folders.get(folder);
    const shownPath = `${against?.prefix}${path.slice(path.lastIndexOf(sep) + 1)}`;
    const target = (vm: VmSpec) => against?.targetOf(vm, () => pathInConfig(against.config, path)) ?? {};
    const oneByteEach = bytes.length === text.length ? bytes : undefined;
    const { vms, diagnostics, skipped, foreign } = lint(text, { format: format && formats.get(format), bytes: oneByteEach, target, rules });
    if (foreign !== undefined) {
      if (!named) continue;
      io.err(`vmlint: ${shownPath} is not checked: ${foreign}.\n`);
    }
    for (const vm of vms) if (vm.target.host) tellAssumptions(vm.target.host, told, io);
    // Not spread: that makes each an object of its own shape, which all who read it pay for.
    yield { path: shownPath, text, vms, diagnostics, skipped, foreign };
  }
}
