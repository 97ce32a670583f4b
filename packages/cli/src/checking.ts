import { DISABLE, type LintedFile, type LintResult, printable, type Rule, silencersOf, type TextEdit } from "@vmlint/core";
import type { FixSteps } from "@vmlint/core/fix";
import type { Silencers } from "@vmlint/core/suppress";
import type { Cache, Kept } from "./cache.ts";
import { fromSlashes, shown } from "./files.ts";
import type { Folder } from "./folders.ts";

// What the checks of single files and of projects share.

/** A file whose findings may be fixed. */
export interface Fixable {
  /** Absolute. */
  readonly path: string;
  readonly shownPath: string;
  readonly text: string;
  /** What the file holds now. */
  readonly bytes: () => Uint8Array;
  /** What may hide findings in a text of this file. */
  readonly silencers: (text: string, result: LintResult) => Silencers;
  /** It holds values of variables, among which may be passwords: of its lines only those that change are shown. */
  readonly holdsValues?: boolean;
  /** What keeps it formatted: edits of what its fixes made of it. */
  readonly tidy?: (fixed: string) => readonly TextEdit[];
  /** What is not fixed since it would change more than it should. */
  readonly withheld?: readonly Unfixed[] | undefined;
}

/** What there is to say of a text. */
export interface Found {
  readonly result: LintResult;
  /** What there is to say in other files of the VMs that are changed in this one. */
  readonly elsewhere?: readonly Elsewhere[];
}

/** A finding that is not fixed, and why. */
export interface Unfixed {
  readonly diagnostic: LintResult["diagnostics"][number];
  readonly safety: "safe" | "unsafe";
  readonly reason: string;
}

/** Findings of another file than the one that is fixed. */
export interface Elsewhere extends Pick<LintResult, "diagnostics" | "skipped"> {
  readonly shownPath: string;
  readonly silencers: Silencers;
}

/** Fixes a file: what it says afterwards, and what it would say had it been written in a dry run. */
export type Fix = (file: Fixable) => FixSteps<Fixed, Found>;

export interface Fixed {
  readonly text: string;
  readonly wouldBe: string;
}

export interface Shared {
  readonly rules: readonly Rule[] | undefined;
  readonly fix?: Fix | undefined;
  readonly silencers: Map<string, Silencers>;
  readonly ignoreComments: boolean;
  readonly cache: Cache | undefined;
  /** Whether several files may describe the same VMs, so that all are asked for. */
  readonly describes: boolean;
}

/** Why a file is not fixed that is checked as it is staged. */
export const partlyStaged = (shownPath: string): string =>
  `vmlint: ${printable(shownPath)}: not fixed: some of its changes are not staged; stage or discard them first.\n`;

/** A path with forward slashes, as a report prints it. */
export const shownPath = (path: string, cwd: string): string => shown(fromSlashes(path), cwd);

/** Paths as a report prints them. */
export function withShownPaths(file: LintedFile, cwd: string): LintedFile {
  const name = (path: string): string => shownPath(path, cwd);
  const show = <T extends { readonly path?: string }>(place: T): T =>
    place.path === undefined ? place : { ...place, path: name(place.path) };
  return {
    ...show(file),
    vms: file.vms.map(({ spec, target, locate }) => (locate ? { spec, target, locate: (range) => show(locate(range)) } : { spec, target })),
    ...(file.others && { others: new Map([...file.others].map(([path, text]) => [name(path), text])) }),
    diagnostics: file.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      related: diagnostic.related.map(show),
      fixes: diagnostic.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(show) })),
    })),
  };
}

/** Whether findings of a file may be hidden at all. */
export const mayHide = (text: string, against: Folder | undefined, { ignoreComments }: Shared): boolean =>
  (against?.hides ?? false) || (!ignoreComments && text.includes(DISABLE));

/** What is kept of the VMs of a text. */
export const aboutVms = (
  text: string,
  { vms, vmCount = vms.length }: Pick<LintResult, "vms" | "vmCount">,
): Pick<Kept, "vmCount" | "hosts" | "silences"> => ({
  vmCount,
  hosts: vms.some(({ target }) => target.host),
  silences: text.includes(DISABLE),
});

/** Whether what was kept of a file is all that is asked for: VMs are not kept. */
export const isEnough = ({ hosts, silences }: Pick<Kept, "hosts" | "silences">, against: Folder | undefined, request: Shared): boolean =>
  !hosts && !request.describes && !against?.hides && (request.ignoreComments || !silences);

/** What may hide findings of a file: nothing in comments where they do not count. */
export const silencersIn = (
  text: string,
  vms: LintResult["vms"],
  { path, against, comments, ignoreComments }: Omit<Parameters<typeof silencersOf>[0], "text" | "vms"> & Pick<Shared, "ignoreComments">,
): Silencers => silencersOf({ path, text, vms, comments: ignoreComments ? undefined : comments, against });
