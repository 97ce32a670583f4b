import { DISABLE } from "../formats/directive.ts";
import { lintedVm } from "../lint/assume.ts";
import { type HostCounts, hostedVms, hostKeys } from "../lint/hosted-vms.ts";
import type { LintResult } from "../lint/lint.ts";
import { type LintedFile, readUnit } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Fixer } from "./fix-run.ts";
import { type CheckedFile, checkUnit, lintUnit, mayHide, type ReadText, type RunSettings, readingOf, targetIn, type Unit } from "./unit.ts";

// Files that are read by themselves may be checked by other threads.

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

/** A file that is read by itself. */
interface FileAlone {
  readonly unitOf: (given: ReadText) => Unit;
  readonly path: string;
  readonly read: () => ReadText;
  readonly recalled: Recalled;
}

/** The options for the files before it count, too. */
interface Asking extends RunSettings {
  /** The VMs of the files before. With a full host, results of other threads are enough without their VMs. */
  readonly hostCounts?: HostCounts | undefined;
}

/** Checks a file that is read by itself, or takes the result of another thread. */
export function checkAlone(
  { unitOf, path, read, recalled: { kept, keep } }: FileAlone,
  settings: Asking,
  fixer: Fixer | undefined,
): CheckedFile | undefined {
  const enough = kept && isEnough(settings, path, kept) ? kept : undefined;
  if (enough?.diagnostics.length === 0 && enough.foreign === undefined) {
    const { skipped, vmCount, ran } = enough;
    const name = settings.nameOf?.(path) ?? path;
    return {
      file: { path: name, text: "", vms: [], diagnostics: [], skipped, foreign: undefined, vmCount, ran },
      silencing: undefined,
    };
  }
  const given = read();
  const { text } = given;
  const unit = unitOf(given);
  const reading = readingOf(unit);
  const { format } = unit;
  const unread = { parsed: { vms: [], problems: [] }, read: format.read };
  const found = (): readonly LintedFile[] => {
    if (kept) return [{ ...kept, path, text, vms: enough ? [] : vmsIn(unit, settings) }];
    const keeps = settings.onlyFindings && !fixer && !asksVms(settings, path, text.includes(DISABLE)) ? wantedTogether() : undefined;
    const each = keeps && format.readEach?.(reading);
    return lintUnit(unit, each ?? format.read(reading), settings, keeps);
  };
  const first = found();
  if (first[0]) keep?.(text, first[0]);
  return checkUnit(unit, unread, settings, { fixer, found: first })[0];
}

/** The VMs of a text that was checked before. */
const vmsIn = (unit: Unit, { againstAt, inventory }: RunSettings): readonly LintedVm[] => {
  const [path = ""] = unit.paths;
  const against = againstAt(path);
  const { parsed } = readUnit(unit.format, readingOf(unit), () => undefined);
  return parsed.vms.map((spec) => lintedVm(spec, against ? targetIn(against, spec, path, inventory) : {}));
};

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
const asksVms = (settings: Asking, path: string, silences: boolean): boolean =>
  settings.describes === true || mayHide(settings, path, silences);

/** Whether the result of another thread lists enough; it lists no VMs. */
const isEnough = (settings: Asking, path: string, { hosts, silences }: Pick<EarlierResult, "hosts" | "silences">): boolean =>
  hosts.every((host) => host !== null && settings.hostCounts?.isFull(host)) && !asksVms(settings, path, silences);

/** Returns a function that selects the VMs of a file that cross-VM rules need, and all VMs of an inventory. */
function wantedTogether(): (vm: LintedVm) => boolean {
  const place = hostedVms();
  return (vm) => vm.spec.template === true || place([vm]).length > 0 || vm.spec.runsOn !== undefined;
}
