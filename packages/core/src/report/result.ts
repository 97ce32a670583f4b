import { isTemplate } from "../formats/index.ts";
import type { CheckedFile } from "../lint/check-across-vms.ts";
import { hostedVms } from "../lint/hosted-vms.ts";
import type { LintedFile } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic, Suppressed } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { once } from "../model/memoize.ts";
import { LineIndex } from "../model/source.ts";

/**
 * The part of a result that reports need. A clean file needs almost no memory, so large runs stay small.
 *
 * @example
 * const count = (results: readonly FileResult[]) => results.flatMap(({ diagnostics }) => diagnostics).length;
 */
export interface FileResult extends CheckedFile {
  /** Empty if no finding points into it. */
  readonly text: string;
  readonly vmCount: number;
  /** The number of checks that ran; missing if it is unknown. */
  readonly ran?: number | undefined;
  readonly otherTexts?: ReadonlyMap<string, string>;
  readonly isSecret?: boolean;
  readonly suppressed?: readonly Suppressed[];
  /** All VMs of an inventory, for reports that list VMs; missing for other files. */
  readonly inventoryVms?: readonly LintedVm[];
  /** Set for a configuration or a list of hosts, which can have findings but is not one of the checked files. */
  readonly isContext?: true;
}

/**
 * Drops data that reports and cross-VM rules do not need; `place` picks the VMs of cross-VM rules. With `describes`, other files may
 * describe the same VMs, so all VMs stay.
 */
export function summarize(file: LintedFile, place = hostedVms(), describes = false): FileResult {
  const { path, text, diagnostics, skipped, vms, otherTexts, isSecret, vmCount = vms.length, ran } = file;
  const isRunning = (describes || vms.some(({ target }) => target.host)) && !isTemplate(path);
  const running = isRunning ? vms.filter(({ spec }) => !spec.template && !spec.choiceOf) : [];
  const placed = running.length > 0 ? place(running) : [];
  const isWhole = otherTexts !== undefined || isSecret === true || (describes && running.length > 0);
  return {
    path,
    text: isWhole || diagnostics.length + placed.length > 0 ? text : "",
    diagnostics,
    skipped,
    hostedVms: placed,
    vmCount,
    ran,
    ...(otherTexts && { otherTexts }),
    ...(isSecret && { isSecret }),
    ...(describes && running.length > 0 && { described: running }),
    ...(vms.some(({ spec }) => spec.runsOn) && { inventoryVms: vms }),
  };
}

/** Returns a result with each of its paths changed. */
export function withPaths(result: FileResult, change: (path: string) => string): FileResult {
  const moved = <T extends { readonly path?: string }>(place: T): T =>
    place.path === undefined ? place : { ...place, path: change(place.path) };
  const inFinding = <T extends Diagnostic>(diagnostic: T): T => ({
    ...diagnostic,
    ...(diagnostic.cell && { cell: moved(diagnostic.cell) }),
    ...(diagnostic.vmPath !== undefined && { vmPath: change(diagnostic.vmPath) }),
    related: diagnostic.related.map(moved),
    fixes: diagnostic.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(moved) })),
  });
  return {
    ...moved(result),
    diagnostics: result.diagnostics.map(inFinding),
    ...(result.suppressed && { suppressed: result.suppressed.map((one) => ({ ...one, diagnostic: inFinding(one.diagnostic) })) }),
    ...(result.otherTexts && { otherTexts: new Map([...result.otherTexts].map(([path, text]) => [change(path), text])) }),
  };
}

/** Returns the lines of a file by its path. */
export type Lines = (path: string) => LineIndex;

/** Returns a function that finds the lines of other files. It reads each file at most once, on demand. */
export function linesOf(results: readonly FileResult[]): Lines {
  const texts = once(
    () => new Map([...results.flatMap(({ otherTexts }) => [...(otherTexts ?? [])]), ...results.filter(({ text }) => text).map(toEntry)]),
  );
  const indexes = new Map<string, LineIndex>();
  return (path) => getOrInsert(indexes, path, () => new LineIndex(texts().get(path) ?? ""));
}

const toEntry = ({ path, text }: FileResult) => [path, text] as const;

export interface Tool {
  readonly name: string;
  readonly version: string;
}
