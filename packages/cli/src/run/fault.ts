import { faultOf, isOutOfMemory, NO_MEMORY, printable } from "@vmlint/core/program";
import { isVmlintError } from "../args/command-output.ts";
import { shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { secondsAtOnce } from "./budget.ts";
import { eachInTime } from "./time-limit.ts";

/** Files whose reading or checking failed, by absolute path. */
export interface Faults {
  /** Failed by a bug, with the error. */
  readonly bugs: Map<string, string>;
  /** Need more time or memory than the run has, with the reason. */
  readonly over: Map<string, string>;
}

/** Calls `use` on some files. Records why it fails for these files and returns `undefined`. Errors for the caller are thrown. */
export function orFault<T>(paths: readonly string[], faults: Faults | undefined, use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    return noteFault(paths, faults, error);
  }
}

/** Records why some files failed. Throws an error for the caller. */
export function noteFault(paths: readonly string[], faults: Faults | undefined, error: unknown): undefined {
  if (!faults || isVmlintError(error)) throw error;
  const isOver = isOutOfMemory(error);
  for (const path of paths) (isOver ? faults.over : faults.bugs).set(path, isOver ? NO_MEMORY : faultOf(error));
}

/** Calls a function for each input, in order. An input whose call fails by a bug, or takes too long, is a fault. */
export const eachSound = <I extends { readonly path: string }, T>(
  inputs: Iterable<I>,
  faults: Faults | undefined,
  use: (input: I) => T,
): Iterable<T | undefined> =>
  eachInTime<I, T | undefined>(secondsAtOnce(), inputs, {
    use: (input) => orFault([input.path], faults, () => use(input)),
    tooSlow: ({ path }, error) => noteFault([path], faults, error),
  });

/** Calls a function with all items. If it throws, items are left out that it also throws for when each is alone. */
export function ofSound<I, T>(
  items: readonly I[],
  use: (items: readonly I[]) => T,
  unlessFaulty: (item: I, use: () => T) => T | undefined,
): T {
  try {
    return use(items);
  } catch (error) {
    if (isVmlintError(error)) throw error;
    const sound = items.filter((item) => unlessFaulty(item, () => use([item])) !== undefined);
    if (sound.length === items.length) throw error;
    return use(sound);
  }
}

/** Why a file with a fault is not checked. */
export const FAULTY = "it failed, and this is a bug in vmlint";

/** Names each file that failed, with its error. Returns whether there is one. */
export function tellFaults(faults: ReadonlyMap<string, string> = new Map(), io: Io): boolean {
  for (const [path, fault] of faults) io.err(`vmlint: ${printable(shownPath(path, io.cwd))} is not checked: ${FAULTY}:\n${fault}\n`);
  return faults.size > 0;
}
