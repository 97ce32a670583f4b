import { getHeapStatistics } from "node:v8";

/**
 * 100,000 files take 3.5 s (docs/guide/performance.md). A run that takes this long has met a file that was made to keep it busy.
 */
const MOST_MINUTES = 10;
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

function isFull(): boolean {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  return used > most * MOST_OF_MEMORY;
}
