import { DISABLE } from "../formats/directive.ts";
import type { Format } from "../formats/format.ts";
import { defaultFormat } from "../formats/index.ts";
import { inputsIn } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { lintedVm } from "../lint/assume.ts";
import { type HostCounts, hostedVms, hostKeys } from "../lint/hosted-vms.ts";
import type { LintOptions, LintResult } from "../lint/lint.ts";
import { type LintedFile, lintText } from "../lint/lint-project.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import type { Files } from "../model/files.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { contextIn, type FolderTarget, suppressionsOf, targetsIn } from "./check-file.ts";
import { type Fixer, fixSingle } from "./fix-run.ts";

/** The options for files that are checked by themselves. */
export interface RunSettings {
  /** The files that single files may refer to. */
  readonly files: Files;
  readonly rules: readonly Rule[] | undefined;
  readonly againstAt: (path: string) => FolderTarget | undefined;
  /** The hosts of VMs without a configured host. */
  readonly inventory: Inventory | undefined;
  /** Whether a configuration or a baseline may hide findings of a file. */
  readonly hides: (path: string) => boolean;
  readonly ignoreComments?: boolean;
  /** Whether several files may describe the same VM, so that all VMs are needed. */
  readonly describes?: boolean;
  /** Whether single files list only VMs that cross-VM rules need. */
  readonly onlyFindings?: boolean;
  /** Writes paths as results show them; by default they stay. */
  readonly show?: (file: LintedFile) => LintedFile;
}

/** A file that is checked by itself. */
export interface SingleFile {
  /** With forward slashes. */
  readonly path: string;
  /** The path in results. */
  readonly name: string;
  readonly format: Format | undefined;
  readonly read: () => ReadText;
  /** Returns the result of another thread. */
  readonly recall?: (() => Recalled) | undefined;
}

export interface ReadText {
  readonly text: string;
  /** The bytes, if each character is one byte. */
  readonly bytes?: Uint8Array | undefined;
}

/** The result of another thread, which lists no VMs. */
export interface EarlierResult extends Omit<LintResult, "vms"> {
  /** The hosts of its VMs, for cross-VM rules; see `hostKeys`. */
  readonly hosts: readonly (string | null)[];
  /** Whether the text may hide findings by itself. */
  readonly silences: boolean;
}

/** The result of another thread, or a place to keep a result for it. */
export interface Recalled {
  readonly kept?: EarlierResult | undefined;
  readonly keep?: ((text: string, result: LintResult) => void) | undefined;
}

interface Asking extends Pick<RunSettings, "describes" | "hides" | "ignoreComments"> {
  /** The VMs of the files before. With a full host, results of other threads are enough without their VMs. */
  readonly hostCounts?: HostCounts | undefined;
}

/** The result of a single file, with the comments and entries that may hide its findings. */
export interface CheckedSingle {
  readonly file: LintedFile;
  readonly silencing: FileSuppressions | undefined;
}

/** Checks one file by itself. */
export function checkSingle(file: SingleFile, run: RunSettings & Asking, fixer?: Fixer): CheckedSingle {
  const { path, name, format } = file;
  const { kept, keep } = file.recall?.() ?? {};
  const enough = kept && isEnough(run, path, kept) ? kept : undefined;
  if (enough?.diagnostics.length === 0 && enough.foreign === undefined) {
    const { skipped, vmCount, ran } = enough;
    return {
      file: { path: name, text: "", vms: [], diagnostics: [], skipped, foreign: undefined, vmCount, ran },
      silencing: undefined,
    };
  }
  const { text: known, bytes } = file.read();
  const keeps = run.onlyFindings && !fixer && !asksVms(run, path, known.includes(DISABLE)) ? wantedTogether() : undefined;
  const reading = readingOf(file, run);
  const first: LintResult = kept
    ? { ...kept, vms: enough ? [] : vmsIn(known, { ...reading, bytes }) }
    : lintText(known, { ...reading, bytes, keeps });
  keep?.(known, first);
  const isFixed = fixer && (first.withheld || first.diagnostics.some(({ fixes }) => fixes.length > 0));
  const { text, result } = isFixed ? fixedText(file, { text: known, result: first }, run, fixer) : { text: known, result: first };
  const { vms, vmCount, ran, diagnostics, skipped, foreign: reason } = result;
  // An unpacked text differs from the content of the file.
  const foreign = reason !== undefined && !format?.unpack && text.trim() === "" ? EMPTY : reason;
  const own = foreign === undefined ? silencingOf({ path, text, vms }, format, run) : undefined;
  // Not spread: that makes each an object of its own shape, which all who read it pay for.
  const found: LintedFile = { path: name, text, vms, diagnostics, skipped, foreign, vmCount, ran };
  const led = diagnostics.flatMap(({ related }) => related.flatMap((place) => place.path ?? []));
  if (led.length === 0 && diagnostics.every(({ cell }) => cell?.path === undefined)) return { file: found, silencing: own };
  const otherTexts = new Map(led.map((other) => [other, run.files.read(other) ?? ""]));
  return { file: withShownPath({ ...found, path, otherTexts }, run), silencing: own };
}

const fixedText = (
  file: SingleFile,
  { text, result }: { readonly text: string; readonly result: LintResult },
  run: RunSettings,
  fixer: Fixer,
) =>
  fixSingle(
    { path: file.path, text, result },
    (of) => lintText(of, readingOf(file, run)),
    (of) => silencing(of, file.format, run),
    fixer,
  );

/** The reason for a file without text. */
export const EMPTY = "it is empty";

interface TextReading extends LintOptions {
  readonly target: (vm: VmSpec) => Target;
}

function readingOf({ path, format }: SingleFile, { files, againstAt, inventory, rules }: RunSettings): TextReading {
  const against = againstAt(path);
  if (!against) throw new Error(`the configuration of ${path} was not searched`);
  return { format, context: contextIn(against, path, files), ...targetsIn(against, path, inventory), rules };
}

/** The VMs of a text that was checked before. */
const vmsIn = (text: string, { format = defaultFormat, bytes, context, target }: TextReading): readonly LintedVm[] =>
  format
    .read({ paths: [context?.path ?? ""], files: context?.files, text, bytes, inputs: inputsIn(context) })
    .vms.map((spec) => lintedVm(spec, target(spec)));

/** Returns a result without its VMs. */
export const earlierResult = (
  text: string,
  { diagnostics, skipped, foreign, withheld, ran, vms, vmCount = vms.length }: LintResult,
): EarlierResult => ({
  diagnostics,
  skipped,
  foreign,
  withheld,
  ran,
  vmCount,
  hosts: hostKeys(vms),
  silences: text.includes(DISABLE),
});

/** Whether the VMs of a file are needed besides its findings. */
const asksVms = (run: Asking, path: string, silences: boolean): boolean => run.describes || mayHide(run, path, silences);

/** Whether a suppression may hide findings of a file. */
const mayHide = ({ hides, ignoreComments }: Asking, path: string, silences: boolean): boolean =>
  hides(path) || (!ignoreComments && silences);

/** Whether the result of another thread lists enough; it lists no VMs. */
const isEnough = (run: Asking, path: string, { hosts, silences }: Pick<EarlierResult, "hosts" | "silences">): boolean =>
  hosts.every((host) => host !== null && run.hostCounts?.isFull(host)) && !asksVms(run, path, silences);

/** Returns a function that selects the VMs of a file that cross-VM rules need, and all VMs of an inventory. */
function wantedTogether(): (vm: LintedVm) => boolean {
  const place = hostedVms();
  return (vm) => vm.spec.template === true || place([vm]).length > 0 || vm.spec.runsOn !== undefined;
}

export const withShownPath = (file: LintedFile, { show }: RunSettings): LintedFile => show?.(file) ?? file;

/** Returns the suppressions of a file, if it may have some. */
export const silencingOf = (
  file: Pick<LintedFile, "path" | "text" | "vms">,
  format: Format | undefined,
  run: RunSettings,
): FileSuppressions | undefined => (mayHide(run, file.path, file.text.includes(DISABLE)) ? silencing(file, format, run) : undefined);

/** Returns the suppressions and baseline for findings of a file. With `ignoreComments` it leaves out comments. */
export const silencing = (
  { path, text, vms }: Pick<LintedFile, "path" | "text" | "vms">,
  { comments }: Format = defaultFormat,
  { againstAt, ignoreComments }: Pick<RunSettings, "againstAt" | "ignoreComments">,
): FileSuppressions => suppressionsOf({ path, text, vms, comments: ignoreComments ? undefined : comments, against: againstAt(path) });
