import { sep } from "node:path";
import {
  compareObserved,
  decodeVmx,
  defaultFormat,
  deriveTopology,
  type Files,
  type Format,
  type FormatEntry,
  type HostModel,
  hostedVms,
  type LintedFile,
  type LintedVm,
  type LintOptions,
  type LintResult,
  lintedVm,
  lintText,
  NOTHING_GIVEN,
  plural,
  projectsOf,
  type Target,
  targetsIn,
  type VmSpec,
} from "@vmlint/core";
import { runSteps } from "@vmlint/core/fix";
import type { Inventory } from "@vmlint/core/inventory";
import type { Cache } from "./cache.ts";
import { aboutVms, isEnough, mayHide, partlyStaged, type Shared, suppressionsIn, withShownPaths } from "./checking.ts";
import type { Chosen } from "./choose.ts";
import { eachSound } from "./fault.ts";
import type { UnlessLost } from "./find-files.ts";
import type { Folder } from "./folders.ts";
import { tellAssumptions } from "./host-finder.ts";
import { bytesOf } from "./input-bytes.ts";
import type { Io } from "./io.ts";
import { tellInventory } from "./listed-inventory.ts";
import { decode, toSlashes } from "./read-files.ts";

interface Given extends Shared {
  readonly unlessLost: UnlessLost;
  readonly files: Files;
  /** The hosts of VMs without a configured host. */
  readonly inventory: Inventory | undefined;
  /** Whether only those VMs are listed that rules over several ask for. */
  readonly onlyFindings: boolean;
  /** Filled with named files that hold no VM, and the reason. */
  readonly empty?: Map<string, string> | undefined;
}

/** A named file that is no VM definition gets a note; one found in a folder is passed over. */
export function* lintInputs(
  inputs: readonly Chosen[],
  loaded: ReadonlyMap<FormatEntry, Format>,
  folders: ReadonlyMap<string, Folder>,
  given: Given,
  io: Io,
): Iterable<LintedFile> {
  const reportedHosts = new Set<HostModel>();
  const assumed = new Set<string>();
  const reported = { agreeing: 0, vms: 0 };
  const lintOne = (input: Chosen) => {
    if (!given.within(input.path)) return undefined;
    const against = folders.get(input.folder);
    if (!against) throw new Error(`${input.folder} was not checked`);
    const shownPath = `${against.prefix}${input.path.slice(input.path.lastIndexOf(sep) + 1)}`;
    const one = { input, shownPath, against, format: input.format && loaded.get(input.format) };
    const file = given.unlessLost(input, () => lintInput(one, given, io));
    return file && { file, assumes: one.format?.assumes };
  };
  for (const checked of eachSound(inputs, given.faults, lintOne)) {
    if (!checked) continue;
    const { file, assumes } = checked;
    if (assumes && (file.vmCount ?? file.vms.length) > 0) assumed.add(assumes);
    for (const { target } of file.vms) if (target.host && !target.hostSource) tellAssumptions(target.host, reportedHosts, io);
    for (const vm of file.vms) {
      const compared = comparedOf(vm);
      if (!compared) continue;
      reported.vms++;
      if (compared.agrees) reported.agreeing++;
    }
    yield file;
  }
  if (reported.vms > 0)
    io.err(`vmlint: the computed NUMA nodes agree for ${reported.agreeing} of ${plural(reported.vms, "VM")} that report theirs.\n`);
  for (const assumption of assumed) io.err(`vmlint: assumed ${assumption}.\n`);
  if (given.inventory) tellInventory(given.inventory, io);
}

/** Returns the layout that a running VM reports, next to the computed one. */
function comparedOf({ spec, target: { host, workload } }: LintedVm) {
  const result = spec.observed && host && deriveTopology(spec, host, workload);
  return result?.ok ? compareObserved(spec, result.topology) : undefined;
}

/** A file, with its format and configuration. */
interface One {
  readonly input: Chosen;
  readonly shownPath: string;
  readonly format: Format | undefined;
  readonly against: Folder;
}

function lintInput(one: One, given: Given, io: Io): LintedFile | undefined {
  const { input, shownPath, against, format } = one;
  const { cache, files } = given;
  let bytes: Uint8Array | undefined;
  const read = (): Uint8Array => {
    bytes ??= bytesOf(one);
    return bytes;
  };
  // A cached result needs a path, which standard input does not have.
  const about = {
    name: shownPath,
    format: input.format?.name ?? "",
    against: given.inventory ? `${against.key} ${given.inventory.key}` : against.key,
  };
  const { kept, missing } = (!input.bytes && cache?.find(about, input.path, read, files)) || NOTHING;
  const enough = kept && isEnough(kept, against, given) ? kept : undefined;
  if (enough?.diagnostics.length === 0 && enough.foreign === undefined)
    return {
      path: shownPath,
      text: "",
      vms: [],
      diagnostics: [],
      skipped: enough.skipped,
      foreign: undefined,
      vmCount: enough.vmCount,
      ran: enough.ran,
    };

  const known = decodeVmx(read(), decode);
  if (bytes && bytes.length >= LARGE) bytes = undefined;
  const watched = missing && cache?.watch(files);
  const keeps = given.onlyFindings && !given.fix && !asksVms(known, against, given) ? wantedTogether() : undefined;
  const options = optionsOf(one, bytes?.length === known.length ? bytes : undefined, watched?.files ?? files, given, keeps);
  const found: LintResult = kept ? { ...kept, vms: enough ? [] : vmsIn(known, options) } : lintText(known, options);
  if (missing && watched) cache?.keep(missing, watched.asked(), { ...keptOf(found), ...aboutVms(known, found) });
  const { text, result } = fixed(one, known, found, given, io);

  const { vms, vmCount, ran, diagnostics, skipped, foreign: reason } = result;
  // An unpacked text differs from the content of the file.
  const foreign = reason !== undefined && !format?.unpack && text.trim() === "" ? EMPTY : reason;
  if (foreign !== undefined) {
    if (!input.named) return undefined;
    const why = whyNot(input, foreign);
    given.empty?.set(input.path, why);
    io.err(`vmlint: ${shownPath} is not checked: ${why}.\n`);
  } else if (mayHide(text, against, given)) given.suppressions.set(shownPath, suppressionsIn(text, vms, hiddenBy(one, given)));
  // Not spread: that makes each an object of its own shape, which all who read it pay for.
  const file = { path: shownPath, text, vms, diagnostics, skipped, foreign, vmCount, ran };
  const others = diagnostics.flatMap(({ related }) => related.flatMap((place) => place.path ?? []));
  return others.length === 0 ? file : leadingTo(others, { ...file, path: input.path }, files, io.cwd);
}

const EMPTY = "it is empty";

/** Returns why a named file is not checked, if its format finds no VM in it. */
function whyNot({ path, format }: Chosen, foreign: string): string {
  if (holdsValues(path)) return "it holds values, and no VM: name the folder that takes them";
  return format || foreign === EMPTY ? foreign : `unknown format (use --format-in to set it), and as a .vmx ${foreign}`;
}

const holdsValues = (path: string): boolean =>
  projectsOf(path).some(({ values = [] }) => values.some((ending) => path.toLowerCase().endsWith(ending)));

const NOTHING: ReturnType<Cache["find"]> = {};

interface Reading extends LintOptions {
  readonly target: (vm: VmSpec) => Target;
}

function optionsOf(
  { input: { path }, against, format }: One,
  bytes: Uint8Array | undefined,
  files: Files,
  { rules, inventory }: Given,
  keeps?: LintOptions["keeps"],
): Reading {
  const context = { path: toSlashes(path), files };
  return { format, bytes, context, ...targetsIn(against.against, context.path, inventory), rules, keeps };
}

/** The VMs of a text that was linted before. */
const vmsIn = (text: string, { format = defaultFormat, bytes, context, target }: Reading): LintResult["vms"] =>
  format
    .read({ paths: [context?.path ?? ""], files: context?.files, text, bytes, inputs: NOTHING_GIVEN })
    .vms.map((spec) => lintedVm(spec, target(spec)));

const keptOf = ({ diagnostics, skipped, foreign, withheld, ran }: LintResult) => ({ diagnostics, skipped, foreign, withheld, ran });

/** A file as it is after its fixes, where such are to be made. */
function fixed(one: One, text: string, result: LintResult, given: Given, io: Io): { readonly text: string; readonly result: LintResult } {
  const { input, shownPath } = one;
  const { fix, files } = given;
  const isFixable = result.diagnostics.some(({ fixes }) => fixes.length > 0);
  if (!fix || !(isFixable || result.withheld)) return { text, result };
  if (isFixable && input.isPartlyStaged) io.err(partlyStaged(shownPath));
  // Standard input cannot be written.
  if (input.bytes) return { text, result };
  const options = optionsOf(one, undefined, files, given);
  const work = fix({
    path: input.path,
    shownPath,
    bytes: () => bytesOf(one),
    text,
    suppressions: (changed, { vms }) => suppressionsIn(changed, vms, hiddenBy(one, given)),
    withheld: result.withheld?.map((one) => ({ ...one, reason: "its fix would change other VMs, too" })),
  });
  const found = (of: string): LintResult => (of === text ? result : lintText(of, options));
  const { text: left } = runSteps(work, (of) => ({ result: found(of) }));
  return { text: left, result: found(left) };
}

const hiddenBy = ({ input: { path }, against, format = defaultFormat }: One, { ignoreComments }: Given) => ({
  path,
  against: against.against,
  comments: format.comments,
  ignoreComments,
});

/** Whether the VMs of a file are needed besides its findings. */
const asksVms = (text: string, against: Folder, given: Given): boolean => given.describes || mayHide(text, against, given);

/** Returns a function that selects the VMs of a file that cross-VM rules need. VMs without a host are not selected. */
function wantedTogether(): (vm: LintedVm) => boolean {
  const place = hostedVms();
  return (vm) => vm.spec.template === true || place([vm]).length > 0;
}

/** A file whose findings lead to others. */
function leadingTo(others: readonly string[], file: LintedFile, files: Files, cwd: string): LintedFile {
  return withShownPaths({ ...file, others: new Map(others.map((path) => [path, files.read(path) ?? ""])) }, cwd);
}

/** Files above this size do not keep their bytes in memory. They are inventories, which vmlint never edits. */
const LARGE = 1 << 20;
