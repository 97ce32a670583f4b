import { availableParallelism, loadavg } from "node:os";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { plural, printable } from "@vmlint/core/program";
import { shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";

/**
 * 100,000 files take 38 s (docs/guide/performance.md). A run that takes this long has met a file that was made to keep it busy.
 */
const MOST_MINUTES = 10;
/** Seconds on an idle machine for one file, or for all files of one kind that belong together. No sound file has needed a tenth of this. */
const MOST_SECONDS_AT_ONCE = 180;
/** Three times the seconds still end before the minutes of the run. */
const MOST_WAITING = 3;
/** V8 ends the process when its memory is full. The last file and the reports must fit into the rest. */
const MOST_OF_MEMORY = 0.7;
/** The number of files between two checks of the memory. Each check takes some microseconds. */
const PACE = 32;

/** Why a run checks no more files; `undefined` as long as it may. */
export type Budget = () => string | undefined;

/** The budget of a run that begins now. */
export function runBudget(now: () => number = () => performance.now()): Budget {
  const end = now() + MOST_MINUTES * 60_000;
  let looks = 0;
  let reason: string | undefined;
  return () => {
    if (reason === undefined && now() > end) reason = `the run took more than ${MOST_MINUTES} minutes`;
    if (reason === undefined && looks++ % PACE === 0 && isFull()) reason = "the memory of the run was nearly full";
    return reason;
  };
}

/** Returns the time limit for one file. Node can limit only wall time, so a machine with more work than processors gets more of it. */
export function secondsAtOnce([load = 0] = loadavg(), processors = availableParallelism()): number {
  return Math.round(MOST_SECONDS_AT_ONCE * Math.min(Math.max(load / processors, 1), MOST_WAITING));
}

/** Whether more than a part of the memory of this process is used. */
export function isFull(part = MOST_OF_MEMORY): boolean {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  return used > most * part;
}

/** Says how many files the run had no time or memory left for. */
export function tellOver(over: ReadonlyMap<string, string> | undefined, io: Io): boolean {
  const [first] = over ?? [];
  if (!over || !first) return false;
  const [path, reason] = first;
  const others = over.size === 1 ? "" : ` and ${plural(over.size - 1, "other file")}`;
  io.err(
    `vmlint: ${printable(shownPath(path, io.cwd))}${others}: not checked: ${reason}. Check fewer files at a time, such as one folder.\n`,
  );
  return true;
}

/** Frees the memory that nothing uses any more. V8 itself waits until it needs some. */
export function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
