import { isTemplate } from "../formats/index.ts";
import type { CheckedFile } from "../lint/check-across-vms.ts";
import { hostedVms } from "../lint/hosted-vms.ts";
import type { LintResult } from "../lint/lint.ts";
import type { Suppressed } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { once } from "../model/memoize.ts";
import { LineIndex } from "../model/source.ts";

/** One file and all that was understood of it. */
export interface LintedFile extends LintResult {
  /** Relative to the working directory, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Texts of other files that its findings point into, where those may be no files of the run. */
  readonly others?: ReadonlyMap<string, string>;
  /** No line of it is to be shown: it may hold passwords. */
  readonly isSecret?: boolean;
}

/** What a report of findings keeps of a file: of a clean one next to nothing, so that a large run stays small. */
export interface FileResult extends CheckedFile {
  /** Empty where nothing can point into it. */
  readonly text: string;
  readonly vmCount: number;
  readonly others?: ReadonlyMap<string, string>;
  readonly isSecret?: boolean;
  readonly suppressed?: readonly Suppressed[];
  /** Set for a configuration, which findings may be about: it is none of the files that are checked. */
  readonly isConfig?: true;
}

/**
 * Drops what neither reports of findings read nor, of the VMs that `place` picks, rules over several. `describes`: other files may describe
 * the same VMs, so that all are kept.
 */
export function summarize(file: LintedFile, place = hostedVms(), describes = false): FileResult {
  const { path, text, diagnostics, skipped, vms, others, isSecret, vmCount = vms.length } = file;
  const isRunning = (describes || vms.some(({ target }) => target.host)) && !isTemplate(path);
  const running = isRunning ? vms.filter(({ spec }) => !spec.template && !spec.choiceOf) : [];
  const placed = running.length > 0 ? place(running) : [];
  if (describes && running.length > 0) return { ...summarize(file, () => placed), text, described: running };
  if (others || isSecret) {
    return { path, text, diagnostics, skipped, placed, vmCount, ...(others && { others }), ...(isSecret && { isSecret }) };
  }
  return { path, text: diagnostics.length + placed.length > 0 ? text : "", diagnostics, skipped, placed, vmCount };
}

/** A set of files: their count, and the sum of the SHA-256 digests of their paths, so that those of the parts add up to that of the whole. */
export interface FileSet {
  readonly paths: number;
  readonly digest: string;
}

/** One of the parts that a run was cut into: the second of three. Each looks at other files. */
export interface Shard {
  readonly index: number;
  readonly of: number;
  /** The files of all shards, which every shard of a run must find. */
  readonly all?: FileSet;
  /** Set where it has VMs of a declared machine: what is checked of several of them is left out of every part. */
  readonly vmsAlone?: true;
}

/** The lines of a file by its path. */
export type Lines = (path: string) => LineIndex;

/** Finds the lines of the other files that findings point into: each is read once, and only when asked for. */
export function linesOf(results: readonly FileResult[]): Lines {
  const texts = once(
    () => new Map([...results.flatMap(({ others }) => [...(others ?? [])]), ...results.filter(({ text }) => text).map(toEntry)]),
  );
  const known = new Map<string, LineIndex>();
  return (path) => getOrInsert(known, path, () => new LineIndex(texts().get(path) ?? ""));
}

const toEntry = ({ path, text }: FileResult) => [path, text] as const;

export interface Tool {
  readonly name: string;
  readonly version: string;
}
