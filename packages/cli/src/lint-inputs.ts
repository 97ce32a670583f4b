import { sep } from "node:path";
import {
  type Beside,
  DISABLE,
  decodeVmx,
  defaultFormat,
  type Files,
  type Format,
  type FormatEntry,
  type HostModel,
  type LintedFile,
  type LintedVm,
  type LintOptions,
  type LintResult,
  lint,
  placer,
  type Target,
  type VmSpec,
} from "@vmlint/core";
import type { Kept } from "./cache.ts";
import { type Chosen, type Folder, partlyStaged, type Shared, silencersIn, withShownPaths } from "./checking.ts";
import { decode, pathInConfig, readBytes, readParts, toSlashes } from "./files.ts";
import { tellAssumptions } from "./host.ts";
import type { Io } from "./io.ts";

/** A file that stands alone. */
export interface Wanted extends Chosen {
  readonly format: FormatEntry | undefined;
}

/** A named file that is no VM definition gets a note; one found in a folder is passed over. */
export function* lintInputs(
  inputs: readonly Wanted[],
  loaded: ReadonlyMap<FormatEntry, Format>,
  folders: ReadonlyMap<string, Folder>,
  {
    rules,
    fix,
    silencers,
    ignoreComments,
    keepsAll,
    describes,
    files,
    onlyFindings,
    cache,
  }: Shared & { readonly files: Files; readonly onlyFindings: boolean },
  io: Io,
): Iterable<LintedFile> {
  const told = new Set<HostModel>();
  const silences = (text: string): boolean => !ignoreComments && text.includes(DISABLE);
  for (const { path, folder, format: entry, named, bytes: piped, isPartlyStaged } of inputs) {
    const format = entry && loaded.get(entry);
    let bytes: Uint8Array | undefined = bytesOf(path, piped, format);
    const against = folders.get(folder);
    const shownPath = `${against?.prefix}${path.slice(path.lastIndexOf(sep) + 1)}`;
    // What is piped in is no file that another run would find.
    const key = cache && !piped ? `${cache.hash(bytes)} ${entry?.name} ${against?.key}` : "";
    const kept = key ? cache?.find(shownPath, key, files) : undefined;
    const hides = keepsAll || against?.config.config.suppress !== undefined;
    const asksVms = hides || describes;
    const isEnough = kept !== undefined && !kept.hosts && !asksVms && (ignoreComments || !kept.silences);
    if (isEnough && kept.diagnostics.length === 0 && kept.foreign === undefined) {
      yield { path: shownPath, text: "", vms: [], diagnostics: [], skipped: kept.skipped, foreign: undefined, vmCount: kept.vmCount };
      continue;
    }
    let text = decodeVmx(bytes, decode);
    const target = (vm: VmSpec) => against?.targetOf(vm, () => pathInConfig(against.config, path)) ?? {};
    const oneByteEach = bytes.length === text.length && bytes.length < LARGE ? bytes : undefined;
    if (bytes.length >= LARGE) bytes = undefined;
    const watched = key && !kept ? cache?.watch(files) : undefined;
    const beside: Beside = { path: toSlashes(path), files: watched?.files ?? files };
    const options = { format, bytes: oneByteEach, beside, target, rules };
    const keeps = onlyFindings && !(asksVms || fix || silences(text)) ? wantedTogether() : undefined;
    let result: LintResult = kept ? { ...kept, vms: isEnough ? [] : vmsIn(text, options) } : lint(text, { ...options, keeps });
    if (watched) cache?.keep(shownPath, key, watched.asked(), keptOf(text, result));
    const mayFix = fix && result.diagnostics.some(({ fixes }) => fixes.length > 0);
    if (mayFix && isPartlyStaged) io.err(partlyStaged(shownPath));
    // What is piped in is no file to be written.
    if (mayFix && !piped) {
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
    const { vms, vmCount, diagnostics, skipped, foreign } = result;
    if (foreign !== undefined) {
      if (!named) continue;
      io.err(`vmlint: ${shownPath} is not checked: ${foreign}.\n`);
    }
    if (hides || silences(text)) silencers.set(shownPath, silencersIn(text, vms, path, against, format, ignoreComments));
    for (const vm of vms) if (vm.target.host) tellAssumptions(vm.target.host, told, io);
    // Not spread: that makes each an object of its own shape, which all who read it pay for.
    const file: LintedFile = { path: shownPath, text, vms, diagnostics, skipped, foreign, vmCount };
    const others = diagnostics.flatMap(({ related }) => related.flatMap((place) => place.path ?? []));
    yield others.length === 0 ? file : leadingTo(others, { ...file, path }, files, io.cwd);
  }
}

/** The VMs of a text that was linted before. */
const vmsIn = (text: string, { format = defaultFormat, bytes, beside, target }: Reading): LintResult["vms"] =>
  format.parse(text, bytes, beside).vms.map((spec) => ({ spec, target: target(spec) }));

interface Reading extends Pick<LintOptions, "format" | "bytes" | "beside"> {
  readonly target: (vm: VmSpec) => Target;
}

const keptOf = (text: string, { vms, vmCount = vms.length, diagnostics, skipped, foreign }: LintResult): Kept => ({
  diagnostics,
  skipped,
  foreign,
  vmCount,
  hosts: vms.some(({ target }) => target.host),
  silences: text.includes(DISABLE),
});

/** Which VMs of a file rules over several of them, and nothing else, ask for; those that run nowhere count for none. */
function wantedTogether(): (vm: LintedVm) => boolean {
  const place = placer();
  return (vm) => vm.spec.template === true || place([vm]).length > 0;
}

/** A file whose findings lead to others. */
function leadingTo(others: readonly string[], file: LintedFile, files: Files, cwd: string): LintedFile {
  return withShownPaths({ ...file, others: new Map(others.map((path) => [path, files.read(path) ?? ""])) }, cwd);
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
