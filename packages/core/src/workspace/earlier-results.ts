import { DISABLE } from "../formats/directive.ts";
import { lintedVm } from "../lint/assume.ts";
import { type HostCounts, hostKeys } from "../lint/hosted-vms.ts";
import type { LintResult } from "../lint/lint.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Fixer } from "./fix-run.ts";
import {
  asksVms,
  type CheckedFile,
  checkUnit,
  keptOf,
  lintUnit,
  type ReadText,
  type RunSettings,
  readingOf,
  targetIn,
  type Unit,
} from "./unit.ts";

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
export function recallOrCheck(
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
  const { format } = unit;
  const reading = readingOf(unit);
  const keeps = fixer ? undefined : keptOf(unit, settings);
  const parsed = kept ? NOTHING : ((keeps && format.readEach?.(reading)) ?? format.read(reading));
  const found = kept ? [{ ...kept, path, text, vms: enough ? [] : vmsIn(unit, settings) }] : lintUnit(unit, parsed, settings, keeps);
  if (found[0]) keep?.(text, found[0]);
  return checkUnit(unit, { parsed, read: format.read }, settings, { fixer, found })[0];
}

const NOTHING: Parsed = { vms: [], problems: [] };

/** The VMs of a text that was checked before. */
const vmsIn = (unit: Unit, { againstAt, inventory }: RunSettings): readonly LintedVm[] => {
  const [path = ""] = unit.paths;
  const against = againstAt(path);
  return unit.format.read(readingOf(unit)).vms.map((spec) => lintedVm(spec, against ? targetIn(against, spec, path, inventory) : {}));
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

/** Whether the result of another thread lists enough; it lists no VMs. */
const isEnough = (settings: Asking, path: string, { hosts, silences }: Pick<EarlierResult, "hosts" | "silences">): boolean =>
  hosts.every((host) => host !== null && settings.hostCounts?.isFull(host)) && !asksVms(settings, path, silences);
