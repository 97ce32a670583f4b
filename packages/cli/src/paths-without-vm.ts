import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FileResult, WithoutVm } from "@vmlint/core";
import { STDIN } from "./find-files.ts";
import { fromSlashes, isWithin, shownPath } from "./read-files.ts";

interface Checked {
  readonly results: readonly FileResult[];
  /** Absolute paths of files that are read together. */
  readonly projectFiles: readonly string[];
  readonly withoutVm: readonly WithoutVm[];
  /** Paths of files that list hosts, with forward slashes. */
  readonly hostFiles: Iterable<string>;
}

/**
 * Returns the named paths without a VM, each with the reason. A text with a finding is not listed, because it may be a broken VM.
 */
export function emptyPaths(
  patterns: readonly string[],
  { results, projectFiles, withoutVm, hostFiles }: Checked,
  knownReasons: ReadonlyMap<string, string>,
  cwd: string,
): ReadonlyMap<string, string> {
  const withVms = results
    .filter(({ vmCount, diagnostics, suppressed = [], isConfig }) => !isConfig && vmCount + diagnostics.length + suppressed.length > 0)
    .map(({ path }) => resolve(cwd, path));
  const creatingNone = new Set(withoutVm.map(({ path }) => fromSlashes(path)));
  const ofVms = [...withVms, ...projectFiles.filter((path) => !creatingNone.has(path))];
  // A list of hosts serves the VMs of other files.
  const full = ofVms.length === 0 ? ofVms : [...ofVms, ...[...hostFiles].map(fromSlashes)];
  const exact = new Set(full);
  const empty = new Map(knownReasons);
  for (const pattern of patterns) {
    const path = resolve(cwd, pattern);
    const isGlob = pattern !== STDIN && !existsSync(path);
    if (pattern === STDIN || empty.has(path) || exact.has(path) || full.some((file) => isGlob || isWithin(file, path))) continue;
    empty.set(path, isGlob ? "it matches no file with a VM" : "there is no VM in it");
  }
  return empty;
}

/** Resources and module calls that create no VM, as reports name them. */
export const noVmIn = (resources: readonly WithoutVm[], cwd: string) =>
  resources.map(({ path, name, reason }) => ({
    path: shownPath(fromSlashes(path), cwd),
    reason: `${name} ${reason}`,
    makesNoVm: true as const,
  }));
